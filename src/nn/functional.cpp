// Functions that choose an operator by their options.
#include "rushlight/nn/functional.h"

namespace rushlight::nn::functional {

Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options) {
  check<ValueError>(options.size().has_value() != options.scale_factor().has_value(),
                    "interpolate: only one of size or scale_factor should be defined");
  OptionalIntArray size;
  if (options.size()) size = OptionalIntArray(*options.size());
  std::optional<std::span<const double>> scales;
  if (options.scale_factor()) scales = std::span<const double>(*options.scale_factor());
  const bool corners = options.align_corners().value_or(false);
  const std::int64_t dims = input.dim() - 2;
  if (options.mode() == kNearest && dims == 1) return upsample_nearest1d(input, size, scales);
  if (options.mode() == kNearest && dims == 2) return upsample_nearest2d(input, size, scales);
  if (options.mode() == kNearest && dims == 3) return upsample_nearest3d(input, size, scales);
  if (options.mode() == kLinear && dims == 1) return upsample_linear1d(input, size, corners, scales);
  if (options.mode() == kBilinear && dims == 2) return upsample_bilinear2d(input, size, corners, scales);
  if (options.mode() == kBicubic && dims == 2) return upsample_bicubic2d(input, size, corners, scales);
  if (options.mode() == kTrilinear && dims == 3) return upsample_trilinear3d(input, size, corners, scales);
  throw NotImplementedError(str("interpolate: got a ", input.dim(),
                                "D input, which this mode does not take; it resamples 3D (kNearest, kLinear), "
                                "4D (kNearest, kBilinear, kBicubic) and 5D inputs (kNearest, kTrilinear)"));
}

}  // namespace rushlight::nn::functional
