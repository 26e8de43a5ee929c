// Derivatives of scans, on public operators: each can be differentiated again.
#pragma once
#include "autograd/formulas_reduce.h"

namespace rushlight {

Tensor cumsum_backward(const Tensor& grad, std::int64_t dim, Dtype dtype);
Tensor cumprod_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim);
Tensor cumulative_extremum_backward(const Tensor& grad, const Tensor& indices, IntArray sizes, std::int64_t dim);
Tensor logcumsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim);

}  // namespace rushlight
