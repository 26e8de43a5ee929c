// Contiguous operands for kernels that need them.
#include "ops/contiguous.h"

#include "ops/kernels/copy.h"

namespace rushlight::ops {

Tensor contiguous_as(const Tensor& self, Dtype dtype) {
  if (self.is_contiguous() && self.dtype() == dtype) return self;
  Tensor copy = empty_tensor(self.sizes(), dtype, self.device());
  copy_kernel(self.device(), copy, self);
  return copy;
}

}  // namespace rushlight::ops
