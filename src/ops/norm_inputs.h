// What normalisation operators and their derivatives share: checks, compute dtypes, channel shapes.
#pragma once
#include "ops/kernels/norm.h"
#include "ops/reduce_shape.h"

namespace rushlight::ops {

// Elements of one normalised row; throws where shapes do not fit.
std::int64_t normalized_count(const Tensor& input, IntArray normalized_shape, const std::optional<Tensor>& weight,
                              const std::optional<Tensor>& bias, const char* op);
Dtype norm_dtype(Dtype dtype);  // half types compute in float32
Tensor norm_operand(const Tensor& tensor, Dtype dtype);
Tensor norm_operand(const std::optional<Tensor>& tensor, Dtype dtype);
double rms_epsilon(Dtype dtype, std::optional<double> eps);
ChannelShape channel_shape(const Tensor& input);
void reciprocal_deviation(const Tensor& var, const Tensor& rstd, double eps);
void update_statistics(const Tensor& mean, const Tensor& var, const Tensor& rstd,
                       const std::optional<Tensor>& running_mean, const std::optional<Tensor>& running_var,
                       const ChannelShape& shape, double momentum, double eps);

}  // namespace rushlight::ops
