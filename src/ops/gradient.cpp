// torch.gradient: finite differences along dimensions, second order inside and first or second order at the ends.
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

// The positions of samples along one dimension: even with a step, or given.
struct Spacing {
  Scalar step = 1;
  Tensor points;
};

std::vector<std::int64_t> gradient_dims(const Tensor& self, const OptionalIntArray& dim, std::int64_t edge_order) {
  check(self.dtype() != Dtype::kUInt8, "torch.gradient does not support uint8 input.");
  check(edge_order == 1 || edge_order == 2, "torch.gradient only supports edge_order=1 and edge_order=2.");
  std::vector<std::int64_t> dims;
  if (dim) {
    dim_set(dim, self.dim(), "torch.gradient");  // each at most once
    for (const std::int64_t at : *dim)
      dims.push_back(wrap_dim(at, self.dim(), "torch.gradient"));
  } else {
    for (std::int64_t i = 0; i < self.dim(); ++i)
      dims.push_back(i);
  }
  for (const std::int64_t at : dims)
    check(self.size(at) > edge_order,
          "torch.gradient expected each dimension size to be at least edge_order+1, but got ", self.sizes());
  return dims;
}

void check_count(std::size_t spacings, const std::vector<std::int64_t>& dims, bool given) {
  check(spacings == dims.size(),
        "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to ",
        given ? "'len(dim)' = " : "'self.dim() = ", dims.size(), given ? "" : "', since dim argument was not given",
        ", but got a list of length ", spacings);
}

Tensor along(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length) {
  return narrow(x, dim, start, length);
}

// Even spacing h: (f[i + 1] - f[i - 1]) / 2h; at the ends (f[1] - f[0]) / h or (-3 f[0] + 4 f[1] - f[2]) / 2h.
Tensor even_gradient(const Tensor& f, std::int64_t dim, const Scalar& h, std::int64_t edge_order) {
  const std::int64_t n = f.size(dim);
  const auto at = [&](std::int64_t i) { return along(f, dim, i, 1); };
  const Tensor inside = div(div(sub(along(f, dim, 2, n - 2), along(f, dim, 0, n - 2)), h), Scalar(2));
  Tensor first, last;
  if (edge_order == 1) {
    first = div(sub(at(1), at(0)), h);
    last = div(sub(at(n - 1), at(n - 2)), h);
  } else {
    const auto edge = [&](std::int64_t a, std::int64_t b, std::int64_t c) {
      return div(div(sub(sub(mul(at(b), Scalar(4)), mul(at(a), Scalar(3))), at(c)), h), Scalar(2));
    };
    first = edge(0, 1, 2);
    last = neg(edge(n - 1, n - 2, n - 3));
  }
  const std::vector<Tensor> parts = {first, inside, last};
  return cat(parts, dim);
}

// Uneven points: the derivative of the parabola through three neighbours.
Tensor uneven_gradient(const Tensor& f, std::int64_t dim, const Tensor& points, std::int64_t edge_order) {
  const std::int64_t n = f.size(dim);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(f.dim()), 1);
  shape[static_cast<std::size_t>(dim)] = n - 1;
  const Tensor steps = reshape(sub(narrow(points, 0, 1, n - 1), narrow(points, 0, 0, n - 1)), shape);
  const auto at = [&](std::int64_t i) { return along(f, dim, i, 1); };
  const auto step = [&](std::int64_t i) { return along(steps, dim, i, 1); };
  const Tensor h = along(steps, dim, 0, n - 2), k = along(steps, dim, 1, n - 2), both = add(h, k);
  const Tensor inside = add(add(mul(along(f, dim, 0, n - 2), neg(div(k, mul(h, both)))),
                                mul(along(f, dim, 1, n - 2), div(sub(k, h), mul(h, k)))),
                            mul(along(f, dim, 2, n - 2), div(h, mul(k, both))));
  Tensor first, last;
  if (edge_order == 1) {
    first = div(sub(at(1), at(0)), step(0));
    last = div(sub(at(n - 1), at(n - 2)), step(n - 2));
  } else {
    // From the end with samples a, b, c and steps s (next to the end) and r.
    const auto edge = [&](std::int64_t a, std::int64_t b, std::int64_t c, const Tensor& s, const Tensor& r) {
      const Tensor sum = add(s, r);
      return sub(add(mul(at(a), neg(div(add(s, sum), mul(s, sum)))), mul(at(b), div(sum, mul(s, r)))),
                 mul(at(c), div(s, mul(r, sum))));
    };
    first = edge(0, 1, 2, step(0), step(1));
    last = neg(edge(n - 1, n - 2, n - 3, step(n - 2), step(n - 3)));
  }
  const std::vector<Tensor> parts = {first, inside, last};
  return cat(parts, dim);
}

std::vector<Tensor> gradients(const Tensor& self, const std::vector<std::int64_t>& dims,
                              const std::vector<Spacing>& spacings, std::int64_t edge_order) {
  std::vector<Tensor> results;
  for (std::size_t i = 0; i < dims.size(); ++i) {
    const Spacing& spacing = spacings[i];
    if (spacing.points.defined()) {
      check(spacing.points.dim() == 1,
            "torch.gradient expected each element of spacing to have one dimension, but expected at ",
            "least one element to have ", spacing.points.dim(), " dimensions");
      check(spacing.points.size(0) == self.size(dims[i]), "torch.gradient expected as many points as samples, but got ",
            spacing.points.size(0), " for ", self.size(dims[i]));
      results.push_back(uneven_gradient(self, dims[i], spacing.points, edge_order));
    } else {
      results.push_back(even_gradient(self, dims[i], spacing.step, edge_order));
    }
  }
  return results;
}

std::vector<Tensor> with_steps(const Tensor& self, std::span<const Scalar> spacing, const OptionalIntArray& dim,
                               std::int64_t edge_order) {
  const std::vector<std::int64_t> dims = gradient_dims(self, dim, edge_order);
  check_count(spacing.size(), dims, dim.has_value());
  std::vector<Spacing> spacings;
  for (const Scalar& step : spacing)
    spacings.push_back({step, {}});
  return gradients(self, dims, spacings, edge_order);
}

std::vector<Tensor> with_step(const Tensor& self, const Scalar& step, const OptionalIntArray& dim,
                              std::int64_t edge_order) {
  const std::vector<std::int64_t> dims = gradient_dims(self, dim, edge_order);
  return gradients(self, dims, std::vector<Spacing>(dims.size(), Spacing{step, {}}), edge_order);
}

std::vector<Tensor> with_points(const Tensor& self, TensorList spacing, const OptionalIntArray& dim,
                                std::int64_t edge_order) {
  const std::vector<std::int64_t> dims = gradient_dims(self, dim, edge_order);
  check_count(spacing.size(), dims, dim.has_value());
  std::vector<Spacing> spacings;
  for (const Tensor& points : spacing)
    spacings.push_back({Scalar(1), points});
  return gradients(self, dims, spacings, edge_order);
}

OptionalIntArray list_of(const std::optional<std::int64_t>& dim) {
  return dim ? OptionalIntArray(*dim) : OptionalIntArray{};
}

}  // namespace

std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing, std::optional<std::int64_t> dim,
                             std::int64_t edge_order) {
  return with_step(self, spacing.value_or(Scalar(1)), list_of(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArray dim, std::int64_t edge_order) {
  return with_step(self, spacing, OptionalIntArray(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, IntArray dim, std::int64_t edge_order) {
  return with_step(self, Scalar(1), OptionalIntArray(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, std::span<const Scalar> spacing, std::optional<std::int64_t> dim,
                             std::int64_t edge_order) {
  return with_steps(self, spacing, list_of(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, std::span<const Scalar> spacing, IntArray dim,
                             std::int64_t edge_order) {
  return with_steps(self, spacing, OptionalIntArray(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<std::int64_t> dim,
                             std::int64_t edge_order) {
  return with_points(self, spacing, list_of(dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArray dim, std::int64_t edge_order) {
  return with_points(self, spacing, OptionalIntArray(dim), edge_order);
}

}  // namespace rushlight
