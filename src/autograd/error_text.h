// How nodes and tensors are called in error texts.
#pragma once
#include <string>

#include "autograd/node.h"

namespace rushlight {

std::string short_name(const Node& node);           // Mul of MulBackward0
std::string node_title(std::string_view op);        // LtBackward0 of lt_
std::string typed_shape(const TensorBase& tensor);  // torch.FloatTensor [2, 3]

}  // namespace rushlight
