// Derivative of segment_reduce, on operators that can be differentiated again.
#include <algorithm>

#include "autograd/formulas_reduce.h"
#include "ops/segment.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

// The segment of each element of dimension `dim`, of the shape of the data, and whether it is in any.
struct Places {
  std::int64_t dim;
  Tensor bounds, safe;  // [.., segments + 1]; `id` along the axis
  Tensor id, inside;
};

// `t`, which ends with the axis, with dimensions of one element behind.
Tensor widened(Tensor t, std::int64_t rank) {
  while (t.dim() < rank)
    t = unsqueeze(t, -1);
  return t;
}

Places places_of(const Tensor& data, const Tensor& bounds, std::int64_t dim) {
  const NoGradGuard no_grad;
  std::vector<std::int64_t> sizes = bounds.sizes().vec();
  sizes.back() = data.size(dim) + 1;
  // How many bounds lie at or before each element.
  const Tensor marks = scatter_add(zeros(sizes, bounds.options()), -1, bounds, ones_like(bounds));
  const Tensor id = sub(narrow(cumsum(marks, -1), -1, 0, data.size(dim)), Scalar(1));
  const Tensor safe = clamp(id, Scalar(0), Scalar(bounds.size(-1) - 2));
  return {dim, bounds, safe, expand(widened(safe, data.dim()), data.sizes()), widened(eq(id, safe), data.dim())};
}

// To each element what `t` has for its segment; zero to those in none.
Tensor spread(const Tensor& t, const Places& at) { return where(at.inside, gather(t, at.dim, at.id), Scalar(0.0)); }

// The product of the elements of its segment before each, of which there are `before`: those 1, 2, 4... places away.
Tensor product_before(const Tensor& x, const Tensor& before, std::int64_t dim) {
  const auto shifted = [&](const Tensor& y, std::int64_t by) {
    return where(ge(before, Scalar(by)), roll(y, {by}, {dim}), Scalar(1.0));
  };
  const std::int64_t longest = before.is_meta() ? 0 : before.max().item<std::int64_t>();
  Tensor product = shifted(x, 1);
  for (std::int64_t by = 1; by < longest; by *= 2)
    product = mul(product, shifted(product, by));
  return product;
}

// The product of the other elements of its segment, right where the whole product is zero or not finite, too.
Tensor product_of_others(const Tensor& x, const Tensor& result, const Places& at, const Scalar& initial) {
  if (!x.is_meta() && isfinite(reciprocal(result.detach())).logical_and(isfinite(result)).all().item<bool>())
    return div(spread(result, at), x);
  const Tensor place = expand(arange(Scalar(x.size(at.dim)), at.bounds.options()), at.safe.sizes());
  const auto counted = [&](const Tensor& count) { return widened(count, x.dim()); };
  const Tensor before = counted(sub(place, gather(at.bounds, -1, at.safe)));
  const Tensor after = counted(sub(gather(at.bounds, -1, add(at.safe, Scalar(1))), add(place, Scalar(1))));
  const IntArray dim(at.dim);
  const Tensor behind = flip(product_before(flip(x, dim), flip(after, dim), at.dim), dim);
  return mul(mul(product_before(x, before, at.dim), behind), initial);
}

}  // namespace

Tensor segment_reduce_backward(const Tensor& grad, const Tensor& result, const Tensor& data, std::string_view reduce,
                               const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets,
                               std::int64_t axis, const std::optional<Scalar>& initial) {
  if (data.numel() == 0 || result.numel() == 0) return zeros_like(data);
  const std::int64_t dim = wrap_dim(axis, data.dim(), "segment_reduce");
  const Places at = places_of(data, segment_bounds(lengths, offsets), dim);
  if (reduce == "sum") return spread(grad, at);
  if (reduce == "mean") {
    const Tensor counts = widened(diff(at.bounds), data.dim());
    return spread(div(grad, clamp_min(counts, Scalar(1)).to(grad.dtype())), at);
  }
  if (reduce == "prod") {
    const Tensor inside = where(at.inside, data, Scalar(1.0));
    return mul(spread(grad, at), product_of_others(inside, result, at, initial.value_or(Scalar(1.0))));
  }
  // Equal extrema share, and so do NaN.
  const Tensor hit = logical_and(at.inside, logical_or(isnan(data), eq(data, spread(result, at)))).to(data.dtype());
  const Tensor ties = segment_reduce(hit, "sum", {}, {}, at.bounds, dim, true);
  return mul(spread(div(grad, clamp_min(ties, Scalar(1))), at), hit);
}

}  // namespace rushlight
