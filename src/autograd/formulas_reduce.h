// Derivatives of reductions, scans and sorting, on public operators: each can be differentiated again.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight {

// Gives back the dimensions that a reduction removed, expanded to `sizes`. An empty list stands for every dimension.
Tensor expand_reduced(const Tensor& result, IntArray sizes, const OptionalIntArray& dim, bool keepdim);
// The same with dimensions of one element instead.
Tensor restore_dims(const Tensor& result, std::int64_t rank, const OptionalIntArray& dim, bool keepdim);
Tensor cast_to(const Tensor& tensor, Dtype dtype);

Tensor sum_backward(const Tensor& grad, IntArray sizes, Dtype dtype, const OptionalIntArray& dim, bool keepdim);
Tensor mean_backward(const Tensor& grad, IntArray sizes, Dtype dtype, const OptionalIntArray& dim, bool keepdim);
Tensor nansum_backward(const Tensor& grad, const Tensor& self, const OptionalIntArray& dim, bool keepdim);
Tensor prod_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
Tensor prod_backward(const Tensor& grad, const Tensor& self, const Tensor& result, std::int64_t dim, bool keepdim);
// Each of several equal extrema gets the same share.
Tensor amax_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const OptionalIntArray& dim,
                     bool keepdim);
// As amax_backward over everything, with NaN equal to NaN.
Tensor max_all_backward(const Tensor& grad, const Tensor& self, const Tensor& result);
Tensor aminmax_backward(const Tensor& grad_min, const Tensor& grad_max, const Tensor& self, const Tensor& min,
                        const Tensor& max, std::optional<std::int64_t> dim, bool keepdim);
// Of max, sort, median...: the gradient goes where the values came from.
Tensor select_values_backward(const Tensor& grad, std::int64_t dim, const Tensor& indices, IntArray sizes,
                              bool keepdim);
Tensor logsumexp_backward(const Tensor& grad, const Tensor& self, const Tensor& result, IntArray dim, bool keepdim);
Tensor var_backward(const Tensor& grad, const Tensor& self, const OptionalIntArray& dim, double correction,
                    bool keepdim);
Tensor std_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const OptionalIntArray& dim,
                    double correction, bool keepdim);
Tensor var_mean_backward(const Tensor& grad_var, const Tensor& grad_mean, const Tensor& self,
                         const OptionalIntArray& dim, double correction, bool keepdim);
Tensor std_mean_backward(const Tensor& grad_std, const Tensor& grad_mean, const Tensor& self, const Tensor& deviation,
                         const OptionalIntArray& dim, double correction, bool keepdim);
Tensor vector_norm_backward(const Tensor& grad, const Tensor& self, const Tensor& result, const Scalar& ord,
                            const OptionalIntArray& dim, bool keepdim);

// Of segment_reduce; equal extrema share.
Tensor segment_reduce_backward(const Tensor& grad, const Tensor& result, const Tensor& data, std::string_view reduce,
                               const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets,
                               std::int64_t axis, const std::optional<Scalar>& initial);

}  // namespace rushlight
