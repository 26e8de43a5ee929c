// Derivatives of the indexing operators, in differentiable operators.
#pragma once
#include "rushlight/ops.h"

namespace rushlight {

Tensor index_backward(const Tensor& grad, IntArray sizes, OptionalTensorList indices);
Tensor index_put_values_backward(const Tensor& grad, OptionalTensorList indices, IntArray sizes);
Tensor index_put_self_backward(const Tensor& grad, OptionalTensorList indices, bool accumulate);
Tensor gather_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index);
Tensor index_select_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index);
Tensor index_source_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index);
Tensor scatter_source_backward(const Tensor& grad, std::int64_t dim, const Tensor& index, IntArray sizes);
Tensor index_fill_value_backward(const Tensor& grad, std::int64_t dim, const Tensor& index);
Tensor take_backward(const Tensor& grad, IntArray sizes, const Tensor& index);
Tensor put_self_backward(const Tensor& grad, const Tensor& index, bool accumulate);
Tensor masked_select_backward(const Tensor& grad, IntArray sizes, const Tensor& mask);
Tensor masked_scatter_source_backward(const Tensor& grad, const Tensor& mask, IntArray sizes);

// The gradients of self and source for scatter_reduce and index_reduce: `spread` brings a tensor of self's shape to the
// sources, `collect` sums source-shaped values into self's shape. A maximum that several share is split evenly.
std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self, std::int64_t dim,
                                                   const Tensor& index, const Tensor& src, std::string_view reduce,
                                                   bool include_self, const Tensor& result);
std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self, std::int64_t dim,
                                                 const Tensor& index, const Tensor& source, std::string_view reduce,
                                                 bool include_self, const Tensor& result);

}  // namespace rushlight
