// Running sums, products, extrema and logarithmic sums; differences and the trapezoid rule.
#include "autograd/shown_name.h"
#include "ops/kernels/scan.h"

#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

Tensor scan_along(Scan op, const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype, const char* name) {
  dim = wrap_dim(dim, self.dim(), name);
  const Dtype type = dtype ? *dtype : is_integral(self.dtype()) ? Dtype::kInt64 : self.dtype();
  if (is_stored_only(type)) refuse_arithmetic(type);
  // Bools accumulate as integers and are written back as truth.
  const Tensor in = contiguous_as(self, type == Dtype::kBool ? Dtype::kInt64 : type);
  const Tensor out = empty_tensor(self.sizes(), in.dtype(), self.device());
  scan_kernel(self.device(), op, out, in, dim);
  return converted(out, type);
}

std::tuple<Tensor, Tensor> extremum_along(ScanExtremum op, const Tensor& self, std::int64_t dim, const char* name) {
  dim = wrap_dim(dim, self.dim(), name);
  check<NotImplementedError>(!self.is_complex(), "\"", name, "_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  const Tensor in = contiguous_copy(self);
  const Tensor values = empty_tensor(self.sizes(), self.dtype(), self.device()),
               indices = empty_tensor(self.sizes(), Dtype::kInt64, self.device());
  scan_extremum_kernel(self.device(), op, values, indices, in, dim);
  return {values, indices};
}

}  // namespace

Tensor cumsum(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return scan_along(Scan::kSum, self, dim, dtype, "cumsum");
}
Tensor cumprod(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype) {
  return scan_along(Scan::kProd, self, dim, dtype, "cumprod");
}
Tensor logcumsumexp(const Tensor& self, std::int64_t dim) {
  check<NotImplementedError>(!is_integral(self.dtype()), "\"logcumsumexp_out_cpu\" not implemented for '",
                             scalar_type_name(self.dtype()), "'");
  return scan_along(Scan::kLogSumExp, self, dim, {}, "logcumsumexp");
}
std::tuple<Tensor, Tensor> cummax(const Tensor& self, std::int64_t dim) {
  return extremum_along(ScanExtremum::kMax, self, dim, "cummax");
}
std::tuple<Tensor, Tensor> cummin(const Tensor& self, std::int64_t dim) {
  return extremum_along(ScanExtremum::kMin, self, dim, "cummin");
}

}  // namespace ops

Tensor diff(const Tensor& self, std::int64_t n, std::int64_t dim, const std::optional<Tensor>& prepend,
            const std::optional<Tensor>& append) {
  check(self.dim() > 0, "diff expects input to be at least one-dimensional");
  check(n >= 0, "diff: order must be non-negative but got ", n);
  dim = wrap_dim(dim, self.dim(), "diff");
  const auto check_edge = [&](const Tensor& edge, const char* which) {
    check(edge.dim() == self.dim(), "diff expects ", which, " to be the same dimension as input, but got ", edge.dim(),
          " and ", self.dim());
    for (std::int64_t i = 0; i < self.dim(); ++i)
      check(i == dim || edge.size(i) == self.size(i), "diff expects the shape of tensor to ", which,
            " to match that of input except along the differencing dimension; input.size(", i, ") = ", self.size(i),
            " but ", which, ".size(", i, ") = ", edge.size(i));
  };
  std::vector<Tensor> parts;
  if (prepend) check_edge(*prepend, "prepend"), parts.push_back(*prepend);
  parts.push_back(self);
  if (append) check_edge(*append, "append"), parts.push_back(*append);
  if (n == 0) return clone(self);
  Tensor x = parts.size() > 1 ? cat(parts, dim) : self;
  n = std::min(n, x.size(dim));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t rest = std::max<std::int64_t>(x.size(dim) - 1, 0);
    const Tensor later = narrow(x, dim, x.size(dim) - rest, rest), earlier = narrow(x, dim, 0, rest);
    x = x.dtype() == Dtype::kBool ? logical_xor(later, earlier) : sub(later, earlier);
  }
  return x;
}

namespace {

// dx, broadcast to the shape of y where x has one dimension.
Tensor spacing_of(const Tensor& x, const Tensor& y, std::int64_t dim, const char* op) {
  if (x.dim() == 1) {
    check(x.size(0) == y.size(dim), op, ": There must be one `x` value for each sample point, but got ", x.size(0),
          " and ", y.size(dim));
    std::vector<std::int64_t> shape(static_cast<std::size_t>(y.dim()), 1);
    shape[static_cast<std::size_t>(dim)] = x.size(0) - 1;
    return reshape(sub(narrow(x, 0, 1, x.size(0) - 1), narrow(x, 0, 0, x.size(0) - 1)), shape);
  }
  Tensor wide = x;
  while (wide.dim() < y.dim())
    wide = unsqueeze(wide, 0);
  const std::int64_t n = wide.size(dim);
  check(n == y.size(dim) || n == 1, op, ": There must be one `x` value for each sample point, but got ", n, " and ",
        y.size(dim));
  return sub(narrow(wide, dim, 1, n - 1), narrow(wide, dim, 0, n - 1));
}

Tensor pair_sums(const Tensor& y, std::int64_t dim) {
  const std::int64_t n = y.size(dim);
  return add(narrow(y, dim, 0, n - 1), narrow(y, dim, 1, n - 1));
}

Tensor empty_integral(const Tensor& y, std::int64_t dim) {
  std::vector<std::int64_t> sizes = y.sizes().vec();
  sizes.erase(sizes.begin() + dim);
  return zeros(sizes, y.options());
}

// Integers integrate in the default float.
Tensor halved(const Tensor& total) {
  const ShownAs shown("DivBackward1");
  return shown(div(total, Scalar(2.0)));
}

Tensor without(const Tensor& y, std::int64_t dim) { return narrow(y, dim, 0, 0); }

}  // namespace

Tensor trapezoid(const Tensor& y, const Tensor& x, std::int64_t dim) {
  dim = wrap_dim(dim, y.dim(), "trapezoid");
  if (y.size(dim) == 0) return empty_integral(y, dim);
  check(y.dtype() != Dtype::kBool && x.dtype() != Dtype::kBool,
        "trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  return halved(sum(mul(spacing_of(x, y, dim, "trapezoid"), pair_sums(y, dim)), OptionalIntArray(dim)));
}
Tensor trapezoid(const Tensor& y, const Scalar& dx, std::int64_t dim) {
  dim = wrap_dim(dim, y.dim(), "trapezoid");
  if (y.size(dim) == 0) return empty_integral(y, dim);
  check(y.dtype() != Dtype::kBool, "trapezoid: received a bool input for `y`, but bool is not supported");
  check(!(dx.is_boolean()), "trapezoid: Currently, we only support dx as a real number");
  const ShownAs shown("MulBackward1");
  return shown(halved(mul(sum(pair_sums(y, dim), OptionalIntArray(dim)), dx)));
}
Tensor trapz(const Tensor& y, const Tensor& x, std::int64_t dim) { return trapezoid(y, x, dim); }
Tensor trapz(const Tensor& y, double dx, std::int64_t dim) { return trapezoid(y, Scalar(dx), dim); }

Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, std::int64_t dim) {
  dim = wrap_dim(dim, y.dim(), "cumulative_trapezoid");
  if (y.size(dim) == 0) return without(y, dim);
  check(y.dtype() != Dtype::kBool && x.dtype() != Dtype::kBool,
        "cumulative_trapezoid: received a bool input for `x` or `y`, but bool is not supported");
  return halved(cumsum(mul(spacing_of(x, y, dim, "cumulative_trapezoid"), pair_sums(y, dim)), dim));
}
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx, std::int64_t dim) {
  dim = wrap_dim(dim, y.dim(), "cumulative_trapezoid");
  if (y.size(dim) == 0) return without(y, dim);
  check(y.dtype() != Dtype::kBool, "cumulative_trapezoid: received a bool input for `y`, but bool is not supported");
  const ShownAs shown("MulBackward1");
  return shown(mul(cumsum(pair_sums(y, dim), dim), Scalar(dx.to_double() / 2)));
}

}  // namespace rushlight
