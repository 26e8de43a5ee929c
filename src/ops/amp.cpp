// Scaled losses: gradients are divided by the scale, which grows while they are finite.
#include <cmath>

#include "rushlight/ops.h"

namespace rushlight {
namespace {

void need_one(const Tensor& tensor, const char* name, Dtype dtype, const char* kind) {
  check(tensor.numel() == 1, name, " must be a 1-element tensor.");
  check(tensor.dtype() == dtype, name, " must be ", kind, " tensor.");
}

}  // namespace

void _amp_foreach_non_finite_check_and_unscale_(TensorList self, const Tensor& found_inf, const Tensor& inv_scale) {
  need_one(inv_scale, "inv_scale", kFloat32, "a float");
  need_one(found_inf, "found_inf", kFloat32, "a float");
  const NoGradGuard no_grad;
  const Tensor factor = inv_scale.reshape({});
  for (const Tensor& gradient : self) {
    if (!isfinite(gradient).all().item<bool>()) found_inf.fill_(Scalar(1));
    gradient.mul_(factor);
  }
}

const Tensor& _amp_update_scale_(const Tensor& self, const Tensor& growth_tracker, const Tensor& found_inf,
                                 double scale_growth_factor, double scale_backoff_factor,
                                 std::int64_t growth_interval) {
  need_one(growth_tracker, "growth_tracker", kInt32, "an int");
  need_one(self, "current_scale", kFloat32, "a float");
  need_one(found_inf, "found_inf", kFloat32, "a float");
  const NoGradGuard no_grad;
  const bool bad = found_inf.item<float>() != 0;
  const std::int64_t good = bad ? 0 : growth_tracker.item<std::int64_t>() + 1;
  const bool grow = !bad && good == growth_interval;
  const float next = static_cast<float>(self.item<double>() * (bad    ? scale_backoff_factor
                                                               : grow ? scale_growth_factor
                                                                      : 1.0));
  if (bad || (grow && std::isfinite(next))) self.fill_(Scalar(next));
  growth_tracker.fill_(Scalar(grow ? 0 : good));
  return self;
}

}  // namespace rushlight
