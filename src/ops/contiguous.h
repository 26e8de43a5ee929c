// Contiguous operands for kernels that need them; no autograd.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight::ops {

// A contiguous tensor with the values of `self` as `dtype`; `self` itself where it is one already.
Tensor contiguous_as(const Tensor& self, Dtype dtype);
inline Tensor contiguous_copy(const Tensor& self) { return contiguous_as(self, self.dtype()); }

}  // namespace rushlight::ops
