// Discrete Fourier transforms of complex lines.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// out = factor * transform of `in` along `dim`, whose length is the same in both; exponent -i forward, +i backward.
// Both are complex and of the same dtype and shape; any strides; `out` may be `in`.
extern const Kernel<void(const TensorBase& out, const TensorBase& in, std::int64_t dim, bool forward, double factor)>
    fft_c2c_kernel;

// out: the first n/2 + 1 complex terms of the forward transform of the real `in` of length n along `dim`.
extern const Kernel<void(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor)> fft_r2c_kernel;

// out: the real backward transform, of length out.size(dim), of the Hermitian spectrum whose first terms `in` holds.
// Imaginary parts that a Hermitian spectrum cannot have are ignored.
extern const Kernel<void(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor)> fft_c2r_kernel;

}  // namespace rushlight
