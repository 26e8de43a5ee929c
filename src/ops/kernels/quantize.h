// Kernel of fake quantization: numbers rounded to the grid of a quantized format.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

struct Grid {
  enum class Rounding : std::uint8_t { kThenShift, kShifted };  // before or after the zero point is added
  std::int64_t inner;                                           // neighbours that share a channel
  std::int64_t low, high;
  Rounding rounding = Rounding::kThenShift;
};

// `out` and `in`: contiguous, of one floating dtype; `mask`: bool, whether the position on the grid is in [low, high].
// `scale` and `zero_point`: contiguous float32 with an element for each channel. NaN becomes the lowest number.
extern const Kernel<void(const TensorBase& out, const TensorBase& mask, const TensorBase& in, const TensorBase& scale,
                         const TensorBase& zero_point, const Grid& grid)>
    fake_quantize_kernel;

}  // namespace rushlight
