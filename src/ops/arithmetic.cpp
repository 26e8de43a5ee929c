// Pointwise operators with parameters of their own, and composites of arithmetic.
#include <cmath>
#include <cstring>
#include <limits>

#include "autograd/shown_name.h"
#include "ops/contiguous.h"
#include "ops/kernels/copy.h"
#include "ops/output.h"
#include "ops/pointwise.h"
#include "ops/scalar_range.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace ops {
namespace {

namespace pw = pointwise;

void need_real(const Tensor& self, const char* name) {
  check(!self.is_complex(), name, ": not supported for complex inputs, got ", self);
}
void check_bound(const Scalar& bound, const Tensor& self) {
  check(!bound.is_complex(), "clamp is not supported for complex types");
  if (bound.is_integral() && is_integral(self.dtype())) check_fits(bound, self.dtype());
}
bool is_nan(const Scalar& number) { return number.is_floating() && std::isnan(number.to_double()); }

}  // namespace

Tensor clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
             const Tensor* out) {
  check(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  check(!self.is_complex(), "clamp is not supported for complex types");
  if (min) check_bound(*min, self);
  if (max) check_bound(*max, self);
  if (!min) return pw::binary(pw::clamp_max, self, *max, out);
  if (!max) return pw::binary(pw::clamp_min, self, *min, out);
  const bool same = result_dtype({self, *min, *max}) == self.dtype() && !is_nan(*min) && !is_nan(*max);
  if (same) return pw::apply(pw::clamp, {self}, {*min, *max}, out);
  return pw::apply(pw::clamp_tensor, {self, *min, *max}, {}, out);
}

Tensor clamp(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max,
             const Tensor* out) {
  check(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  check(!self.is_complex(), "clamp is not supported for complex types");
  if (!min) return pw::binary(pw::clamp_max, self, *max, out);
  if (!max) return pw::binary(pw::clamp_min, self, *min, out);
  return pw::apply(pw::clamp_tensor, {self, *min, *max}, {}, out);
}

Tensor clamp_max(const Tensor& self, const Scalar& max, const Tensor* out) {
  return ops::clamp(self, std::nullopt, max, out);
}
Tensor clamp_min(const Tensor& self, const Scalar& min, const Tensor* out) {
  return ops::clamp(self, min, std::nullopt, out);
}

static void check_parts(const Tensor& a, const Tensor& b, bool half = false) {
  for (const Tensor* t : {&a, &b})
    check(t->dtype() == Dtype::kFloat32 || t->dtype() == Dtype::kFloat64 || (half && t->dtype() == Dtype::kFloat16),
          "Expected both inputs to be Half, Float or Double tensors but got ", scalar_type_name(a.dtype()), " and ",
          scalar_type_name(b.dtype()));
  check(a.dtype() == b.dtype(), "Expected object of scalar type ", scalar_type_name(a.dtype()), " but got scalar type ",
        scalar_type_name(b.dtype()), " for second argument");
}
static void check_complex_out(const Tensor& a, const Tensor* out) {
  check(!out || out->dtype() == to_complex(a.dtype()), "Expected object of scalar type ",
        scalar_type_name(to_complex(a.dtype())), " but got scalar type ", out ? scalar_type_name(out->dtype()) : "",
        " for argument 'out'");
}
Tensor complex(const Tensor& real, const Tensor& imag, const Tensor* out) {
  check_parts(real, imag, true);
  check_complex_out(real, out);
  if (real.dtype() != Dtype::kFloat16) return pw::binary(pw::complex, real, imag, out);
  const Tensor wide = pw::binary(pw::complex, contiguous_as(real, kFloat32), contiguous_as(imag, kFloat32), nullptr);
  if (out) resize_output(*out, wide.sizes());
  const Tensor result = out ? *out : empty_tensor(wide.sizes(), Dtype::kComplex32, wide.device());
  copy_kernel(result.device(), result, wide);
  return result;
}
Tensor polar(const Tensor& abs, const Tensor& angle, const Tensor* out) {
  check_parts(abs, angle);
  check_complex_out(abs, out);
  return pw::binary(pw::polar, abs, angle, out);
}

static const Pointwise& rounding(std::optional<std::string_view> mode) {
  if (!mode) return pw::div;
  if (*mode == "trunc") return pw::div_trunc;
  check(*mode == "floor", "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *mode, "'");
  return pw::div_floor;
}
Tensor div(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode, const Tensor* out) {
  return pw::binary(rounding(rounding_mode), self, other, out);
}
Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode, const Tensor* out) {
  return pw::binary(rounding(rounding_mode), self, other, out);
}

Tensor rad2deg(const Tensor& self, const Tensor* out) {
  need_real(self, "rad2deg");
  return pw::binary(pw::mul, self, Scalar(57.295779513082320877), out);
}
Tensor deg2rad(const Tensor& self, const Tensor* out) {
  need_real(self, "deg2rad");
  return pw::binary(pw::mul, self, Scalar(0.017453292519943295769), out);
}

Tensor round(const Tensor& self, std::int64_t decimals, const Tensor* out) {
  if (decimals == 0) return pw::unary(pw::round, self, out);
  const double scale = std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  return pw::apply(pw::round_decimals, {self}, {Scalar(decimals < 0 ? -scale : scale)}, out);
}

Tensor square(const Tensor& self, const Tensor* out) {
  if (self.dtype() == Dtype::kBool) return pw::binary(pw::pow, self, Scalar(2), out);
  return pw::unary(pw::square, self, out);
}

namespace {
// In place on an expanded tensor, which PyTorch still allows: an element that several positions share is filled where
// any of them is chosen. `value` is a number or a 0-dim tensor.
template <class Value>
Tensor fill_shared(const Tensor& self, const Tensor& mask, const Value& value) {
  warn_of_expanded("masked_fill_", "tensor[mask] = scalar");
  std::vector<std::int64_t> sizes = self.sizes().vec(), shared;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (self.strides()[d] == 0) {
      shared.push_back(static_cast<std::int64_t>(d));
      sizes[d] = 1;
    }
  const Tensor once = alias(self, sizes, self.strides().data(), 0);
  pw::ternary(pw::where, rushlight::any(mask.expand(self.sizes()), OptionalIntArray(shared), true), value, once, &once);
  return self;
}
bool fills_shared(const Tensor& self, const Tensor* out) { return out && out->is_same(self) && is_expanded(self); }
}  // namespace

Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value, const Tensor* out) {
  check(mask.dtype() == Dtype::kBool, "masked_fill: only supports boolean masks, but got mask with dtype ",
        scalar_type_name(mask.dtype()));
  check_fits(value, self.dtype());
  Scalar stored = value;
  visit_numbers(self.dtype(), [&](auto zero) { stored = Scalar(value.to<decltype(zero)>()); });
  if (fills_shared(self, out)) [[unlikely]]
    return fill_shared(self, mask, stored);
  return pw::ternary(pw::where, mask, stored, self, out);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value, const Tensor* out) {
  check(value.dim() == 0, "masked_fill only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  check(mask.dtype() == Dtype::kBool, "masked_fill: only supports boolean masks, but got mask with dtype ",
        scalar_type_name(mask.dtype()));
  check(can_cast(value.dtype(), self.dtype()), "value cannot be converted to type ", self.dtype(), " without overflow");
  if (!value.is_meta()) check_fits(value.item(), self.dtype());
  Tensor stored = value;
  if (value.dtype() != self.dtype()) {
    stored = empty_tensor({}, self.dtype(), self.device());
    copy_kernel(stored.device(), stored, value);
  }
  if (fills_shared(self, out)) [[unlikely]]
    return fill_shared(self, mask, stored);
  return pw::ternary(pw::where, mask, stored, self, out);
}

// Nothing changes in place: even a tensor whose elements share memory may come.
static bool stays(const Tensor& self, const Tensor* out) { return out && out->is_same(self); }

Tensor conj_physical(const Tensor& self, const Tensor* out) {
  if (!self.is_complex() && stays(self, out)) return self;
  return pw::unary(pw::conj_physical, self, out);
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf, const Tensor* out) {
  if (is_integral(self.dtype()) && stays(self, out)) return self;
  double largest = 0;
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_same_v<T, Half>)
      largest = 65504.0;
    else if constexpr (std::is_same_v<T, BFloat16>)
      largest = 3.3895313892515355e38;
    else if constexpr (std::is_floating_point_v<T>)
      largest = static_cast<double>(std::numeric_limits<T>::max());
  });
  const bool whole = is_integral(self.dtype());  // nothing is replaced
  const auto number = [whole](std::optional<double> given, double otherwise) {
    return Scalar(whole ? 0.0 : given.value_or(otherwise));
  };
  return pw::apply(pw::nan_to_num, {self}, {number(nan, 0), number(posinf, largest), number(neginf, -largest)}, out);
}

static void check_lerp(const Tensor& self, const Tensor& end) {
  check(self.dtype() == end.dtype(), "lerp: expected dtype ", self.dtype(), " for `end` but got dtype ", end.dtype());
}
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight, const Tensor* out) {
  check_lerp(self, end);
  return pw::apply(pw::lerp, {self, end}, {weight}, out);
}

// --- powers -----------------------------------------------------------------------------------------------

Tensor pow(const Tensor& self, const Tensor& exponent, const Tensor* out) {
  return pw::binary(pw::pow, self, exponent, out);
}
Tensor pow(const Scalar& self, const Tensor& exponent, const Tensor* out) {
  return pw::binary(pw::pow, self, exponent, out);
}
Tensor pow(const Tensor& self, const Scalar& exponent, const Tensor* out) {
  const Dtype type = self.dtype();
  if (is_integral(type) && exponent.is_integral()) {
    check(exponent.type() == Dtype::kUInt64 || exponent.to_int() >= 0,
          "Integers to negative integer powers are not allowed.");
    check_fits(exponent, type);
  }
  const bool floats = is_differentiable(type) && !exponent.is_complex();
  if (floats) {
    const double e = exponent.to_double();
    if (e == 2) return pw::unary(pw::square, self, out);
    if (e == 3 && !is_complex(type)) return pw::unary(pw::cube, self, out);
    if (e == 0.5) return pw::unary(pw::sqrt, self, out);
    if (e == -0.5) return pw::unary(pw::rsqrt, self, out);
    if (e == -1) return pw::unary(pw::reciprocal, self, out);
  }
  return pw::binary(pw::pow, self, exponent, out);
}

// --- comparison as a whole ----------------------------------------------------------------------------------

Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check(self.dtype() == other.dtype(), "isclose: ", scalar_type_name(self.dtype()), " did not match ",
        scalar_type_name(other.dtype()));
  check(rtol >= 0, "isclose: rtol must be greater than or equal to zero, but got ", rtol);
  check(atol >= 0, "isclose: atol must be greater than or equal to zero, but got ", atol);
  if (self.dtype() == Dtype::kFloat32 || self.dtype() == Dtype::kFloat64)
    return pw::apply(pw::isclose, {self, other}, {rtol, atol, equal_nan ? 1 : 0});
  // Other types round after every step.
  Tensor close = pw::binary(pw::eq, self, other);
  if (equal_nan && is_differentiable(self.dtype()))
    close = pw::binary(pw::logical_or, close,
                       pw::binary(pw::logical_and, pw::unary(pw::isnan, self), pw::unary(pw::isnan, other)));
  if (rtol == 0 && atol == 0) return close;
  // Integers are compared in floating point, where no difference overflows.
  const Tensor a = is_integral(self.dtype()) ? pw::binary(pw::mul, self, Scalar(1.0)) : self;
  const Tensor b = is_integral(self.dtype()) ? pw::binary(pw::mul, other, Scalar(1.0)) : other;
  const Tensor gap = pw::unary(pw::abs, pw::binary(pw::sub, a, b));
  const Tensor allowed = pw::binary(pw::add, pw::binary(pw::mul, pw::unary(pw::abs, b), Scalar(rtol)), Scalar(atol));
  const Tensor within = pw::binary(pw::logical_and, pw::unary(pw::isfinite, gap), pw::binary(pw::le, gap, allowed));
  return pw::binary(pw::logical_or, close, within);
}

static bool all_set(const Tensor& mask) {
  return mask.numel() == 0 || !std::memchr(mask.data(), 0, static_cast<std::size_t>(mask.numel()));
}

bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check<NotImplementedError>(!self.is_meta(), "allclose: a meta tensor has no data");
  return all_set(ops::isclose(self, other, rtol, atol, equal_nan));
}

bool equal(const Tensor& self, const Tensor& other) {
  check<NotImplementedError>(!self.is_meta() && !other.is_meta(), "equal: a meta tensor has no data");
  return self.sizes() == other.sizes() && all_set(pw::binary(pw::eq, self, other));
}

std::tuple<Tensor, Tensor> frexp(const Tensor& self) {
  check(is_floating(self.dtype()), "torch.frexp() only supports floating-point dtypes, got ", self);
  const Tensor mantissa = empty_like_tensor(self, self.dtype()), exponent = empty_like_tensor(self, Dtype::kInt32);
  if (self.is_meta()) return {mantissa, exponent};
  // Exact in float64 for every dtype.
  const Tensor wide = empty_tensor(self.sizes(), Dtype::kFloat64), power = empty_tensor(self.sizes(), Dtype::kInt32);
  copy_kernel(wide.device(), wide, self);
  auto* values = wide.mutable_data<double>();
  auto* powers = power.mutable_data<int>();
  for (std::int64_t i = 0; i < wide.numel(); ++i) {
    powers[i] = 0;
    values[i] = std::frexp(values[i], powers + i);
  }
  copy_kernel(mantissa.device(), mantissa, wide);
  copy_kernel(exponent.device(), exponent, power);
  return {mantissa, exponent};
}

}  // namespace ops

// --- composites ---------------------------------------------------------------------------------------------

Tensor absolute(const Tensor& self) { return abs(self); }
Tensor arccos(const Tensor& self) { return acos(self); }
Tensor arccosh(const Tensor& self) { return acosh(self); }
Tensor arcsinh(const Tensor& self) { return asinh(self); }
Tensor arctanh(const Tensor& self) { return atanh(self); }
Tensor arcsin(const Tensor& self) { return asin(self); }
Tensor arctan(const Tensor& self) { return atan(self); }
Tensor arctan2(const Tensor& self, const Tensor& other) { return atan2(self, other); }
Tensor clip(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  return clamp(self, min, max);
}
Tensor clip(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  return clamp(self, min, max);
}
Tensor divide(const Tensor& self, const Tensor& other) { return div(self, other); }
Tensor divide(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  return div(self, other, rounding_mode);
}
Tensor multiply(const Tensor& self, const Tensor& other) { return mul(self, other); }
Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha) { return sub(self, other, alpha); }
Tensor multiply(const Tensor& self, const Scalar& other) { return mul(self, other); }
Tensor divide(const Tensor& self, const Scalar& other) { return div(self, other); }
Tensor divide(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return div(self, other, rounding_mode);
}
Tensor true_divide(const Tensor& self, const Tensor& other) { return div(self, other); }
Tensor true_divide(const Tensor& self, const Scalar& other) { return div(self, other); }
Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha) { return sub(self, other, alpha); }
Tensor negative(const Tensor& self) { return neg(self); }
Tensor fix(const Tensor& self) { return trunc(self); }
#define RL_COMPARISON(name, function)                                                    \
  Tensor name(const Tensor& self, const Tensor& other) { return function(self, other); } \
  Tensor name(const Tensor& self, const Scalar& other) { return function(self, other); }
RL_COMPARISON(not_equal, ne)
RL_COMPARISON(greater, gt)
RL_COMPARISON(greater_equal, ge)
RL_COMPARISON(less, lt)
RL_COMPARISON(less_equal, le)
#undef RL_COMPARISON

Tensor isreal(const Tensor& self) {
  return self.is_complex() ? eq(rushlight::imag(self), 0) : ones_like(self, TensorOptions(Dtype::kBool));
}
Tensor ldexp(const Tensor& self, const Tensor& other) {
  const ShownAs shown("LdexpBackward0");
  return shown(mul(self, pow(Scalar(2.0), other)));
}

static Dtype power_dtype(std::initializer_list<Operand> operands) {
  return is_complex(result_dtype(operands)) ? Dtype::kComplex128 : Dtype::kFloat64;
}
static Scalar wide(const Scalar& number) { return number.is_complex() ? number : Scalar(number.to_double()); }
Tensor float_power(const Tensor& self, const Tensor& exponent) {
  const Dtype type = power_dtype({self, exponent});
  return pow(self.to(type), exponent.to(type));
}
Tensor float_power(const Scalar& self, const Tensor& exponent) {
  return pow(wide(self), exponent.to(power_dtype({self, exponent})));
}
Tensor float_power(const Tensor& self, const Scalar& exponent) {
  return pow(self.to(power_dtype({self, exponent})), wide(exponent));
}

Tensor sum_to_size(const Tensor& self, IntArray size) {
  const std::size_t rank = self.sizes().size();
  check(size.size() <= rank, "sum_to_size: size ", size, " is not expandable to size ", self.sizes());
  const std::size_t lead = rank - size.size();
  std::vector<std::int64_t> dims;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t wanted = d < lead ? 1 : size[d - lead], have = self.sizes()[d];
    check(wanted == have || wanted == 1, "sum_to_size: size ", size, " is not expandable to size ", self.sizes());
    if (d < lead || (wanted == 1 && have != 1)) dims.push_back(static_cast<std::int64_t>(d));
  }
  if (dims.empty()) return size.empty() && is_integral(self.dtype()) ? sum(self) : self;  // a sum of integers is wide
  const Tensor total = sum(self, IntArray(dims), true);
  return lead ? view(total, size) : total;
}

}  // namespace rushlight
