// Kernels that move elements: copies with conversion, and fills.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// out[...] = in[...], converted to out's dtype. `in` broadcasts to out's shape; any strides. The two must not
// overlap partly: `ops::copy_` of src/ops/copy.cpp takes care of that.
extern const Kernel<void(const TensorBase& out, const TensorBase& in)> copy_kernel;

// out[...] = value, converted to out's dtype.
extern const Kernel<void(const TensorBase& out, const Scalar& value)> fill_kernel;

}  // namespace rushlight
