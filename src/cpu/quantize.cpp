// Numbers rounded to the grid of a quantized format and back. Half types compute in float32.
#include "ops/kernels/quantize.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "rushlight/parallel.h"

namespace rushlight {
namespace {

constexpr std::int64_t kGrain = 32768;

template <Grid::Rounding kRounding, class T>
void round_run(const T* in, T* out, bool* mask, std::int64_t n, float scale, float zero_point, const Grid& grid) {
  using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const C low = static_cast<C>(grid.low), high = static_cast<C>(grid.high);
  const C step = scale, inverse = 1.0F / scale, zero = zero_point;
  for (std::int64_t i = 0; i < n; ++i) {
    const C x = static_cast<C>(in[i]) * inverse;
    const C position = kRounding == Grid::Rounding::kShifted ? std::nearbyint(x + zero) : std::nearbyint(x) + zero;
    const C bounded = position > low ? position : low;  // NaN becomes `low`
    mask[i] = position >= low && position <= high;
    out[i] = static_cast<T>(((bounded < high ? bounded : high) - zero) * step);
  }
}

template <class T>
void round_all(const TensorBase& out, const TensorBase& mask, const TensorBase& in, const TensorBase& scale,
               const TensorBase& zero_point, const Grid& grid) {
  using enum Grid::Rounding;
  const auto run = grid.rounding == kShifted ? round_run<kShifted, T> : round_run<kThenShift, T>;
  const std::int64_t channels = scale.numel();
  parallel_ranges(in.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
    while (begin < end) {
      const std::int64_t row = begin / grid.inner, n = std::min(end, (row + 1) * grid.inner) - begin;
      run(in.data<T>() + begin, out.mutable_data<T>() + begin, mask.mutable_data<bool>() + begin, n,
          scale.data<float>()[row % channels], zero_point.data<float>()[row % channels], grid);
      begin += n;
    }
  });
}

void fake_quantize(const TensorBase& out, const TensorBase& mask, const TensorBase& in, const TensorBase& scale,
                   const TensorBase& zero_point, const Grid& grid) {
  switch (in.dtype()) {
    case Dtype::kFloat16:
      return round_all<Half>(out, mask, in, scale, zero_point, grid);
    case Dtype::kBFloat16:
      return round_all<BFloat16>(out, mask, in, scale, zero_point, grid);
    case Dtype::kFloat64:
      return round_all<double>(out, mask, in, scale, zero_point, grid);
    default:
      return round_all<float>(out, mask, in, scale, zero_point, grid);
  }
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const Grid&)>
    fake_quantize_kernel(fake_quantize);

}  // namespace rushlight
