// Derivatives of the Fourier transforms: adjoints of the primitives.
#pragma once
#include "rushlight/ops.h"

namespace rushlight {

Tensor fft_r2c_backward(const Tensor& grad, IntArray sizes, IntArray dim, std::int64_t normalization, bool onesided);
Tensor fft_c2r_backward(const Tensor& grad, IntArray dim, std::int64_t normalization);

}  // namespace rushlight
