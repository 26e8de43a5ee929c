// Sequential.
#include "rushlight/nn/sequential.h"

#include <ostream>

namespace rushlight::nn {

void SequentialImpl::pretty_print(std::ostream& stream) const { stream << "torch::nn::Sequential"; }

}  // namespace rushlight::nn
