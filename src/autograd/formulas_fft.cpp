// Derivatives of the Fourier transforms.
#include "autograd/formulas_fft.h"

namespace rushlight {

// The terms that a one-sided spectrum leaves out have no gradient: fill up with zeros, transform back, keep the real
// part.
Tensor fft_r2c_backward(const Tensor& grad, IntArray sizes, IntArray dim, std::int64_t normalization, bool onesided) {
  Tensor whole = grad;
  if (onesided) {
    const std::int64_t last = dim.back() < 0 ? dim.back() + grad.dim() : dim.back();
    const std::int64_t missing = sizes[static_cast<std::size_t>(last)] - grad.size(last);
    if (missing > 0) {
      std::vector<std::int64_t> pad(static_cast<std::size_t>(2 * (grad.dim() - last)), 0);
      pad.back() = missing;
      whole = constant_pad_nd(grad, pad);
    }
  }
  return real(_fft_c2c(whole, dim, normalization, false));
}

// Every term but the first and, for even lengths, the middle one stands for itself and its mirror image.
Tensor fft_c2r_backward(const Tensor& grad, IntArray dim, std::int64_t normalization) {
  Tensor half = _fft_r2c(grad, dim, normalization, true);
  const std::int64_t n = grad.size(dim.back()), doubled = n - half.size(dim.back());
  if (doubled <= 0) return half;
  std::vector<std::int64_t> shape(static_cast<std::size_t>(grad.dim()), 1);
  const std::int64_t last = dim.back() < 0 ? dim.back() + grad.dim() : dim.back();
  shape[static_cast<std::size_t>(last)] = half.size(last);
  const Tensor weight = ones({half.size(last)}, grad.options());
  weight.narrow(0, 1, doubled).fill_(2);
  return half * weight.reshape(shape);
}

}  // namespace rushlight
