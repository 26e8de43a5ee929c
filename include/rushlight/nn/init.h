// Initialisers, in place and unrecorded, with PyTorch's draws.
#pragma once
#include "rushlight/choices.h"
#include "rushlight/ops.h"

namespace rushlight::nn::init {

// For kLinear, kSigmoid, kTanh, kReLU, kLeakyReLU (of slope `param`), kSELU.
double calculate_gain(Choice nonlinearity, double param = 0.01);
// (fan in, fan out) of a weight with at least two dimensions.
std::tuple<std::int64_t, std::int64_t> calculate_fan_in_and_fan_out(const Tensor& tensor);

Tensor constant_(Tensor tensor, const Scalar& value);
Tensor ones_(Tensor tensor);
Tensor zeros_(Tensor tensor);
Tensor eye_(Tensor matrix);
Tensor uniform_(Tensor tensor, double low = 0, double high = 1);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
Tensor xavier_uniform_(Tensor tensor, double gain = 1);
Tensor xavier_normal_(Tensor tensor, double gain = 1);
// Source: He et al., Delving Deep into Rectifiers, 2015.
Tensor kaiming_uniform_(Tensor tensor, double a = 0, Choice mode = kFanIn, Choice nonlinearity = kLeakyReLU);
Tensor kaiming_normal_(Tensor tensor, double a = 0, Choice mode = kFanIn, Choice nonlinearity = kLeakyReLU);

}  // namespace rushlight::nn::init
