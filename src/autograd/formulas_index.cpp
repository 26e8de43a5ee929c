// Derivatives of the indexing operators, in differentiable operators.
#include "autograd/formulas_index.h"

#include <functional>

namespace rushlight {
namespace {

// Zeros behind the end of every dimension: sources beyond the index's shape take no part.
Tensor padded_to(const Tensor& tensor, IntArray sizes) {
  if (tensor.sizes() == sizes) return tensor;
  if (sizes.empty()) return tensor.reshape({});
  std::vector<std::int64_t> padding;
  for (std::size_t d = sizes.size(); d-- > 0;) {
    padding.push_back(0);
    padding.push_back(sizes[d] - tensor.sizes()[d]);
  }
  return constant_pad_nd(tensor, padding);
}

}  // namespace

Tensor index_backward(const Tensor& grad, IntArray sizes, OptionalTensorList indices) {
  return zeros(sizes, grad.options()).index_put(indices, grad, true);
}

Tensor index_put_values_backward(const Tensor& grad, OptionalTensorList indices, IntArray sizes) {
  return grad.index(indices).sum_to_size(sizes);
}

Tensor index_put_self_backward(const Tensor& grad, OptionalTensorList indices, bool accumulate) {
  return accumulate ? grad : grad.index_put(indices, zeros({}, grad.options()), false);
}

Tensor gather_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index) {
  return zeros(sizes, grad.options()).scatter_add(dim, index, grad);
}

Tensor index_select_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index) {
  return zeros(sizes, grad.options()).index_add(dim, index, grad);
}

Tensor index_source_backward(const Tensor& grad, IntArray sizes, std::int64_t dim, const Tensor& index) {
  const Tensor rows = grad.index_select(dim, index);
  return rows.sizes() == sizes ? rows : rows.reshape(sizes);
}

Tensor scatter_source_backward(const Tensor& grad, std::int64_t dim, const Tensor& index, IntArray sizes) {
  return padded_to(grad.gather(dim, index), sizes);
}

Tensor index_fill_value_backward(const Tensor& grad, std::int64_t dim, const Tensor& index) {
  // A slice that the index names twice was still filled once.
  return (grad - grad.index_fill(dim, index, 0)).sum();
}

Tensor take_backward(const Tensor& grad, IntArray sizes, const Tensor& index) {
  return zeros(sizes, grad.options()).put(index, grad, true);
}

Tensor put_self_backward(const Tensor& grad, const Tensor& index, bool accumulate) {
  return accumulate ? grad : grad.put(index, zeros(index.sizes(), grad.options()), false);
}

Tensor masked_select_backward(const Tensor& grad, IntArray sizes, const Tensor& mask) {
  // The mask and the input broadcast to each other before the selection.
  const std::vector<Tensor> both = broadcast_tensors({mask, zeros({}, grad.options()).expand(sizes)});
  return zeros(both[0].sizes(), grad.options()).masked_scatter(both[0], grad).sum_to_size(sizes);
}

Tensor masked_scatter_source_backward(const Tensor& grad, const Tensor& mask, IntArray sizes) {
  const Tensor chosen = grad.masked_select(mask.expand(grad.sizes()));
  std::int64_t count = 1;
  for (const std::int64_t size : sizes)
    count *= size;
  const Tensor rest = zeros({count - chosen.numel()}, grad.options());
  return cat({chosen, rest}, 0).reshape(sizes);
}

namespace {

using Move = std::function<Tensor(const Tensor&)>;

// How one family of operators moves values between the shapes of `self` and of the sources.
struct Moves {
  Move spread;   // self's shape -> the sources'
  Move collect;  // sums of the sources -> self's shape, from zeros
  Move clear;    // zero where a source contributes
  std::function<Tensor(const Tensor& self, const Tensor& src)> again;  // the operator itself
};

std::tuple<Tensor, Tensor> product_backward(const Tensor& grad, const Tensor& self, const Tensor& src,
                                            const Tensor& result, const Moves& moves) {
  const Tensor safe_self = self.masked_fill(self.detach().eq(0), 1);
  const Tensor grad_self = grad * moves.again(safe_self, src) / safe_self;
  // A source that is the only zero of its result gets the product of all others; beside another zero it gets nothing.
  const Tensor zero = src.detach().eq(0);
  const Tensor only = zero & moves.spread(moves.collect(zero.to(src.dtype()))).eq(1);
  const Tensor safe_src = src.masked_fill(zero, 1);
  const Tensor others = moves.spread(grad * moves.again(self, safe_src)).masked_fill(only.logical_not(), 0);
  return {grad_self, where(zero, others, moves.spread(grad * result) / safe_src)};
}

std::tuple<Tensor, Tensor> reduce_backward(const Tensor& grad, const Tensor& self, const Tensor& src,
                                           std::string_view reduce, bool include_self, const Tensor& result,
                                           const Moves& moves) {
  Tensor grad_self, grad_src;
  if (reduce == "sum") {
    grad_self = grad;
    grad_src = moves.spread(grad);
  } else if (reduce == "mean") {
    Tensor count = moves.collect(ones_like(src.detach()));
    if (include_self) count = count + 1;
    const Tensor share = grad / count.masked_fill(count.eq(0), 1);
    grad_self = include_self ? share : grad;
    grad_src = moves.spread(share);
  } else if (reduce == "prod") {
    std::tie(grad_self, grad_src) = product_backward(grad, self, src, result, moves);
  } else {  // amax, amin: those that reach the extreme share the gradient
    const Tensor at_source = src.detach().eq(moves.spread(result.detach())).to(src.dtype());
    const Tensor at_self = self.detach().eq(result.detach()).to(self.dtype());
    Tensor count = moves.collect(at_source);
    if (include_self) count = count + at_self;
    const Tensor share = grad / count.masked_fill(count.eq(0), 1);
    grad_self = include_self ? share * at_self : grad;
    grad_src = moves.spread(share) * at_source;
  }
  if (!include_self) grad_self = moves.clear(grad_self);
  return {grad_self, grad_src};
}

}  // namespace

std::tuple<Tensor, Tensor> scatter_reduce_backward(const Tensor& grad, const Tensor& self, std::int64_t dim,
                                                   const Tensor& index, const Tensor& src, std::string_view reduce,
                                                   bool include_self, const Tensor& result) {
  // Sources beyond the index's shape take no part.
  Tensor used = src;
  for (std::int64_t d = 0; d < index.dim(); ++d)
    used = used.narrow(d, 0, index.size(d));
  const Moves moves{
      [&](const Tensor& t) { return t.gather(dim, index); },
      [&](const Tensor& t) { return zeros_like(self).scatter_add(dim, index, t); },
      [&](const Tensor& t) { return t.scatter(dim, index, 0); },
      [&](const Tensor& a, const Tensor& b) { return a.scatter_reduce(dim, index, b, "prod", include_self); },
  };
  auto [grad_self, grad_used] = reduce_backward(grad, self, used, reduce, include_self, result, moves);
  return {grad_self, padded_to(grad_used, src.sizes())};
}

std::tuple<Tensor, Tensor> index_reduce_backward(const Tensor& grad, const Tensor& self, std::int64_t dim,
                                                 const Tensor& index, const Tensor& source, std::string_view reduce,
                                                 bool include_self, const Tensor& result) {
  const Moves moves{
      [&](const Tensor& t) { return index_source_backward(t, source.sizes(), dim, index); },
      [&](const Tensor& t) { return zeros_like(self).index_add(dim, index, t); },
      [&](const Tensor& t) { return t.index_fill(dim, index, 0); },
      [&](const Tensor& a, const Tensor& b) { return a.index_reduce(dim, index, b, "prod", include_self); },
  };
  return reduce_backward(grad, self, source, reduce, include_self, result, moves);
}

}  // namespace rushlight
