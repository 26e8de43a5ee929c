// Initialisers.
#include "rushlight/nn/init.h"

#include <cmath>

namespace rushlight::nn::init {

double calculate_gain(Choice nonlinearity, double param) {
  switch (nonlinearity) {
    case Choice::kTanh:
      return 5.0 / 3.0;
    case Choice::kReLU:
      return std::sqrt(2.0);
    case Choice::kLeakyReLU:
      return std::sqrt(2.0 / (1 + param * param));
    case Choice::kSELU:
      return 3.0 / 4.0;
    default:
      return 1;
  }
}

std::tuple<std::int64_t, std::int64_t> calculate_fan_in_and_fan_out(const Tensor& tensor) {
  check<ValueError>(tensor.dim() >= 2,
                    "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions: ", tensor);
  const std::int64_t field = tensor.numel() / std::max<std::int64_t>(1, tensor.size(0) * tensor.size(1));
  return {tensor.size(1) * field, tensor.size(0) * field};
}

Tensor constant_(Tensor tensor, const Scalar& value) {
  const NoGradGuard guard;
  return tensor.fill_(value);
}
Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }
Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }

Tensor eye_(Tensor matrix) {
  check<ValueError>(matrix.dim() == 2, "eye_: Only tensors with 2 dimensions are supported, got ", matrix);
  const NoGradGuard guard;
  return matrix.copy_(eye(matrix.size(0), matrix.size(1), matrix.options()));
}

Tensor uniform_(Tensor tensor, double low, double high) {
  const NoGradGuard guard;
  return tensor.uniform_(low, high);
}
Tensor normal_(Tensor tensor, double mean, double std) {
  const NoGradGuard guard;
  return tensor.normal_(mean, std);
}

Tensor xavier_uniform_(Tensor tensor, double gain) {
  const auto [in, out] = calculate_fan_in_and_fan_out(tensor);
  const double bound = std::sqrt(3.0) * (gain * std::sqrt(2.0 / static_cast<double>(in + out)));
  return init::uniform_(std::move(tensor), -bound, bound);
}
Tensor xavier_normal_(Tensor tensor, double gain) {
  const auto [in, out] = calculate_fan_in_and_fan_out(tensor);
  return init::normal_(std::move(tensor), 0, gain * std::sqrt(2.0 / static_cast<double>(in + out)));
}

namespace {
double kaiming_std(const Tensor& tensor, double a, Choice mode, Choice nonlinearity) {
  const auto [in, out] = calculate_fan_in_and_fan_out(tensor);
  return calculate_gain(nonlinearity, a) / std::sqrt(static_cast<double>(mode == Choice::kFanIn ? in : out));
}
}  // namespace

Tensor kaiming_uniform_(Tensor tensor, double a, Choice mode, Choice nonlinearity) {
  const double bound = std::sqrt(3.0) * kaiming_std(tensor, a, mode, nonlinearity);
  return init::uniform_(std::move(tensor), -bound, bound);
}
Tensor kaiming_normal_(Tensor tensor, double a, Choice mode, Choice nonlinearity) {
  const double std = kaiming_std(tensor, a, mode, nonlinearity);
  return init::normal_(std::move(tensor), 0, std);
}

}  // namespace rushlight::nn::init
