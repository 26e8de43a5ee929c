// Reductions: sums, products, extrema, their positions, logic, moments and logsumexp. Norms are in norm_vector.cpp.
#include <cmath>
#include <limits>

#include "ops/reduce_shape.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

Dtype summed_dtype(const Tensor& self, std::optional<Dtype> dtype) {
  if (dtype) return *dtype;
  return is_integral(self.dtype()) ? Dtype::kInt64 : self.dtype();
}

// Elements are converted first where a conversion changes what is added: widening floats, real to complex, truncating.
Tensor summand(const Tensor& self, Dtype result) {
  if (self.dtype() == result || (is_integral(self.dtype()) && is_integral(result) && result != Dtype::kBool))
    return self;
  return converted(self, result);
}

Tensor sum_over(Reduction op, const Tensor& self, DimMask mask, bool keepdim, std::optional<Dtype> dtype) {
  const Dtype result = summed_dtype(self, dtype);
  if (result == Dtype::kBool) return reduce(Reduction::kAny, self, mask, keepdim, result);
  const Tensor from = summand(self, result);
  return reduce(op, from, mask, keepdim, result);
}

Tensor mean_over(const Tensor& self, DimMask mask, bool keepdim, std::optional<Dtype> dtype) {
  const Dtype result = dtype ? *dtype : self.dtype();
  check(is_floating(result) || is_complex(result), "mean(): could not infer output dtype. ",
        dtype ? "Optional" : "Input",
        " dtype must be either a floating point or complex dtype. Got: ", scalar_type_name(result));
  return reduce(Reduction::kMean, converted(self, result), mask, keepdim, result);
}

Tensor prod_over(const Tensor& self, DimMask mask, bool keepdim, std::optional<Dtype> dtype) {
  const Dtype result = summed_dtype(self, dtype);
  if (result == Dtype::kBool) return reduce(Reduction::kAll, self, mask, keepdim, result);
  return reduce(Reduction::kProd, summand(self, result), mask, keepdim, result);
}

Tensor truth(Reduction op, const Tensor& self, DimMask mask, bool keepdim) {
  return reduce(op, self, mask, keepdim, self.dtype() == Dtype::kUInt8 ? Dtype::kUInt8 : Dtype::kBool);
}

// What the position kernels read: floats as they are or in float32, small integers in int32.
Tensor comparable(const Tensor& self) {
  if (has_reduction(Reduction::kArgMax, self.dtype())) return self;
  const Dtype wide = carrier(self.dtype());
  return converted(self, wide == self.dtype() ? Dtype::kInt32 : wide);
}

[[noreturn]] void no_kernel_for(const char* kernel, const Tensor& self) {
  throw NotImplementedError(str("\"", kernel, "\" not implemented for '", scalar_type_name(self.dtype()), "'"));
}

Tensor extremum_of_all(Reduction op, const Tensor& self, const char* name) {
  check(self.numel() > 0, name, "(): Expected reduction dim to be specified for input.numel() == 0. ",
        "Specify the reduction dim with the 'dim' argument.");
  if (self.is_complex()) no_kernel_for(op == Reduction::kMax ? "max_all" : "min_all", self);
  return reduce(op, self, all_dims(self.dim()), false, self.dtype());
}

std::tuple<Tensor, Tensor> extremum_along(Reduction op, const Tensor& self, std::int64_t dim, bool keepdim,
                                          const char* name) {
  check(!self.is_complex(), name, "(): does not support complex input");
  const DimMask mask = DimMask{1} << wrap_dim(dim, self.dim(), name);
  check_nonempty(self, mask, name);
  return reduce_both(op, comparable(self), mask, keepdim, self.dtype(), Dtype::kInt64);
}

Tensor extremum_over(Reduction op, const Tensor& self, IntArray dim, bool keepdim, const char* name) {
  if (self.is_complex()) no_kernel_for(op == Reduction::kMax ? "max_values_cpu" : "min_values_cpu", self);
  const DimMask mask = dims_mask(dim, self.dim(), name);
  if (dim.empty()) {
    check(self.numel() > 0, name, "(): Expected reduction dim to be specified for input.numel() == 0. ",
          "Specify the reduction dim with the 'dim' argument.");
  } else {
    check_nonempty(self, mask, name);
  }
  return reduce(op, self, mask, keepdim, self.dtype());
}

Tensor position_of(Reduction op, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const char* name) {
  check(!self.is_complex(), name, "(): does not support complex input");
  check(self.dtype() != Dtype::kBool, name, "(): does not support bool input");
  DimMask mask = all_dims(self.dim());
  if (dim) {
    mask = DimMask{1} << wrap_dim(*dim, self.dim(), name);
    check_nonempty(self, mask, name);
  } else {
    check<IndexError>(self.numel() > 0, name, "(): Expected reduction dim to be specified for input.numel() == 0.");
  }
  return reduce(op, comparable(self), mask, keepdim, Dtype::kInt64);
}

}  // namespace

Tensor sum(const Tensor& self, std::optional<Dtype> dtype) {
  return sum_over(Reduction::kSum, self, all_dims(self.dim()), false, dtype);
}
Tensor sum(const Tensor& self, OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) {
  return sum_over(Reduction::kSum, self, dims_mask(dim, self.dim(), "sum"), keepdim, dtype);
}
Tensor nansum(const Tensor& self, OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) {
  check(!self.is_complex(), "nansum on CPU does not support complex inputs");
  return sum_over(Reduction::kNanSum, self, dims_mask(dim, self.dim(), "nansum"), keepdim, dtype);
}

Tensor mean(const Tensor& self, std::optional<Dtype> dtype) {
  return mean_over(self, all_dims(self.dim()), false, dtype);
}
Tensor mean(const Tensor& self, OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) {
  return mean_over(self, dims_mask(dim, self.dim(), "mean"), keepdim, dtype);
}

Tensor prod(const Tensor& self, std::optional<Dtype> dtype) {
  return prod_over(self, all_dims(self.dim()), false, dtype);
}
Tensor prod(const Tensor& self, std::int64_t dim, bool keepdim, std::optional<Dtype> dtype) {
  return prod_over(self, DimMask{1} << wrap_dim(dim, self.dim(), "prod"), keepdim, dtype);
}

Tensor all(const Tensor& self) { return truth(Reduction::kAll, self, all_dims(self.dim()), false); }
Tensor all(const Tensor& self, std::int64_t dim, bool keepdim) {
  return truth(Reduction::kAll, self, DimMask{1} << wrap_dim(dim, self.dim(), "all"), keepdim);
}
Tensor any(const Tensor& self) { return truth(Reduction::kAny, self, all_dims(self.dim()), false); }
Tensor any(const Tensor& self, std::int64_t dim, bool keepdim) {
  return truth(Reduction::kAny, self, DimMask{1} << wrap_dim(dim, self.dim(), "any"), keepdim);
}
// Here an empty list reduces nothing: each element becomes its truth.
Tensor all(const Tensor& self, OptionalIntArray dim, bool keepdim) {
  const bool none = dim && dim->empty();
  return truth(Reduction::kAll, self, none ? 0 : dims_mask(dim, self.dim(), "all"), keepdim);
}
Tensor any(const Tensor& self, OptionalIntArray dim, bool keepdim) {
  const bool none = dim && dim->empty();
  return truth(Reduction::kAny, self, none ? 0 : dims_mask(dim, self.dim(), "any"), keepdim);
}

Tensor max(const Tensor& self) { return extremum_of_all(Reduction::kMax, self, "max"); }
Tensor min(const Tensor& self) { return extremum_of_all(Reduction::kMin, self, "min"); }
std::tuple<Tensor, Tensor> max(const Tensor& self, std::int64_t dim, bool keepdim) {
  return extremum_along(Reduction::kMaxWithIndex, self, dim, keepdim, "max");
}
std::tuple<Tensor, Tensor> min(const Tensor& self, std::int64_t dim, bool keepdim) {
  return extremum_along(Reduction::kMinWithIndex, self, dim, keepdim, "min");
}
Tensor amax(const Tensor& self, IntArray dim, bool keepdim) {
  return extremum_over(Reduction::kMax, self, dim, keepdim, "amax");
}
Tensor amin(const Tensor& self, IntArray dim, bool keepdim) {
  return extremum_over(Reduction::kMin, self, dim, keepdim, "amin");
}
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) {
  if (self.is_complex()) no_kernel_for("aminmax_cpu", self);
  DimMask mask = all_dims(self.dim());
  if (dim) {
    mask = DimMask{1} << wrap_dim(*dim, self.dim(), "aminmax");
    check_nonempty(self, mask, "aminmax");
  } else {
    check(self.numel() > 0,
          "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  }
  return {reduce(Reduction::kMin, self, mask, keepdim, self.dtype()),
          reduce(Reduction::kMax, self, mask, keepdim, self.dtype())};
}
Tensor argmax(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) {
  return position_of(Reduction::kArgMax, self, dim, keepdim, "argmax");
}
Tensor argmin(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) {
  return position_of(Reduction::kArgMin, self, dim, keepdim, "argmin");
}

Tensor count_nonzero(const Tensor& self, IntArray dim) {
  return reduce(Reduction::kNonzero, self, dims_mask(dim, self.dim(), "count_nonzero"), false, Dtype::kInt64);
}
Tensor count_nonzero(const Tensor& self, std::optional<std::int64_t> dim) {
  const DimMask mask = dim ? DimMask{1} << wrap_dim(*dim, self.dim(), "count_nonzero") : all_dims(self.dim());
  return reduce(Reduction::kNonzero, self, mask, false, Dtype::kInt64);
}

Tensor hash_tensor(const Tensor& self, IntArray dim, bool keepdim, std::int64_t mode) {
  check(mode == 0, "Unknown hash_tensor mode: ", mode);
  if (self.is_complex()) no_kernel_for("xor_sum_cpu", self);
  const DimMask mask = dims_mask(dim, self.dim(), "hash_tensor");
  check(!dim.empty() || self.numel() > 0,
        "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. ",
        "Specify the reduction dim with the 'dim' argument.");
  if (!dim.empty()) check_nonempty(self, mask, "hash_tensor");
  const Tensor bits = is_floating(self.dtype()) ? converted(self.detach(), Dtype::kFloat64).view(Dtype::kInt64)
                                                : converted(self, Dtype::kInt64);
  return reduce(Reduction::kXor, bits, mask, keepdim, Dtype::kInt64).view(Dtype::kUInt64);
}

Tensor logsumexp(const Tensor& self, IntArray dim, bool keepdim) {
  const Dtype result = is_integral(self.dtype()) ? default_dtype() : self.dtype();
  if (self.is_complex()) {
    const Tensor x = self.detach();
    const OptionalIntArray dims(dim);
    const Tensor top =
        reduce(Reduction::kMax, real(x), dims_mask(dims, self.dim(), "logsumexp"), true, to_real(self.dtype()));
    const Tensor shift = where(isinf(top), Scalar(0.0), top);
    const Tensor sums = log(rushlight::sum(exp(sub(x, shift)), dims, true));
    Tensor out = add(sums, shift);
    if (!keepdim) out = rushlight::sum(out, dims, false);  // dimensions of one element
    return out;
  }
  return reduce(Reduction::kLogSumExp, converted(self, result), dims_mask(dim, self.dim(), "logsumexp"), keepdim,
                result);
}

Tensor _var(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim) {
  return reduce(Reduction::kVar, self, dims_mask(dim, self.dim(), "var"), keepdim, self.dtype(), correction);
}
namespace {

// Squares of deviations above 1.8e19 overflow float32 although their root does not: then float64 has to do.
bool overflowed(const Tensor& deviation) {
  if (deviation.dtype() != Dtype::kFloat32 || deviation.is_meta() || deviation.numel() == 0) return false;
  const Tensor largest = reduce(Reduction::kMax, deviation, all_dims(deviation.dim()), false, Dtype::kFloat32);
  return std::isinf(*largest.data<float>());
}

}  // namespace

Tensor _std(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim) {
  const DimMask mask = dims_mask(dim, self.dim(), "std");
  const Tensor result = reduce(Reduction::kStd, self, mask, keepdim, self.dtype(), correction);
  if (!overflowed(result)) return result;
  return reduce(Reduction::kStd, converted(self, Dtype::kFloat64), mask, keepdim, self.dtype(), correction);
}
std::tuple<Tensor, Tensor> _var_mean(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim) {
  return reduce_both(Reduction::kVarMean, self, dims_mask(dim, self.dim(), "var_mean"), keepdim, self.dtype(),
                     self.dtype(), correction);
}
std::tuple<Tensor, Tensor> _std_mean(const Tensor& self, OptionalIntArray dim, double correction, bool keepdim) {
  const DimMask mask = dims_mask(dim, self.dim(), "std_mean");
  auto result = reduce_both(Reduction::kStdMean, self, mask, keepdim, self.dtype(), self.dtype(), correction);
  if (!overflowed(std::get<0>(result))) return result;
  return reduce_both(Reduction::kStdMean, converted(self, Dtype::kFloat64), mask, keepdim, self.dtype(), self.dtype(),
                     correction);
}

}  // namespace ops

namespace {

void check_moments(const Tensor& self) {
  check(is_floating(self.dtype()) || self.is_complex(), "std and var only support floating point and complex dtypes, ",
        "but got ", self);
}
double correction_of(const std::optional<Scalar>& correction) { return correction ? correction->to_double() : 1.0; }

}  // namespace

Tensor var(const Tensor& self, OptionalIntArray dim, const std::optional<Scalar>& correction, bool keepdim) {
  check_moments(self);
  if (self.is_complex())
    return add(_var(real(self), dim, correction_of(correction), keepdim),
               _var(imag(self), dim, correction_of(correction), keepdim));
  return _var(self, dim, correction_of(correction), keepdim);
}
Tensor std(const Tensor& self, OptionalIntArray dim, const std::optional<Scalar>& correction, bool keepdim) {
  check_moments(self);
  if (self.is_complex()) return sqrt(var(self, dim, correction, keepdim));
  return _std(self, dim, correction_of(correction), keepdim);
}
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArray dim, const std::optional<Scalar>& correction,
                                    bool keepdim) {
  check_moments(self);
  if (self.is_complex()) return {var(self, dim, correction, keepdim), mean(self, dim, keepdim)};
  return _var_mean(self, dim, correction_of(correction), keepdim);
}
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArray dim, const std::optional<Scalar>& correction,
                                    bool keepdim) {
  check_moments(self);
  if (self.is_complex()) return {std(self, dim, correction, keepdim), mean(self, dim, keepdim)};
  return _std_mean(self, dim, correction_of(correction), keepdim);
}

#define RL_UNBIASED_FORMS(name, Result)                                                            \
  Result name(const Tensor& self, bool unbiased) {                                                 \
    return name(self, OptionalIntArray{}, std::optional<Scalar>(Scalar(unbiased ? 1 : 0)), false); \
  }                                                                                                \
  Result name(const Tensor& self, OptionalIntArray dim, bool unbiased, bool keepdim) {             \
    return name(self, dim, std::optional<Scalar>(Scalar(unbiased ? 1 : 0)), keepdim);              \
  }
using TensorPair = std::tuple<Tensor, Tensor>;
RL_UNBIASED_FORMS(var, Tensor)
RL_UNBIASED_FORMS(std, Tensor)
RL_UNBIASED_FORMS(var_mean, TensorPair)
RL_UNBIASED_FORMS(std_mean, TensorPair)
#undef RL_UNBIASED_FORMS

Tensor max(const Tensor& self, const Tensor& other) { return maximum(self, other); }
Tensor min(const Tensor& self, const Tensor& other) { return minimum(self, other); }

TensorPair _aminmax(const Tensor& self) { return aminmax(self); }
TensorPair _aminmax(const Tensor& self, std::int64_t dim, bool keepdim) { return aminmax(self, dim, keepdim); }

static void need_bool(const Tensor& self, const char* op) {
  check(self.dtype() == Dtype::kBool, op, ": Expected a tensor of dtype bool, but got ", self);
}
Tensor _is_all_true(const Tensor& self) {
  need_bool(self, "_is_all_true");
  return all(self);
}
Tensor _is_any_true(const Tensor& self) {
  need_bool(self, "_is_any_true");
  return any(self);
}

Tensor nanmean(const Tensor& self, OptionalIntArray dim, bool keepdim, std::optional<Dtype> dtype) {
  check(is_floating(self.dtype()) || self.is_complex(),
        "nanmean(): expected input to have floating point or complex dtype but got ", scalar_type_name(self.dtype()));
  const Tensor count = sum(logical_not(isnan(self)), dim, keepdim);
  return div(nansum(self, dim, keepdim, dtype), count);
}

}  // namespace rushlight
