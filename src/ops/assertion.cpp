// Operators that throw unless a condition holds.
#include <limits>

#include "rushlight/ops.h"

namespace rushlight {

void _assert_async(const Tensor& self, std::string_view assert_msg) {
  check(self.numel() > 0, "Boolean value of Tensor with no values is ambiguous");
  check(self.numel() < 2, "Boolean value of Tensor with more than one value is ambiguous");
  check(self.is_meta() || self.ne(Scalar(0)).item<bool>(), assert_msg);
}
void _assert_async(const Tensor& self) {
  _assert_async(self, "Expected Tensor with single nonzero value, but got zero");
}
void _assert_scalar(const Scalar& self, std::string_view assert_msg) { check(!self.is_zero(), assert_msg); }

void sym_constrain_range(const Scalar& size, std::optional<std::int64_t> min, std::optional<std::int64_t> max) {
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t low = min.value_or(Limits::min()), high = max.value_or(Limits::max());
  check(high >= low, "Max must be greater than or equal to min. Got min=", low, " max=", high);
  const auto value = size.to<std::int64_t>();
  check(low <= value && value <= high, "Invalid value range for ", value, " between [", low, ", ", high, "].");
}
void sym_constrain_range_for_size(const Scalar& size, std::optional<std::int64_t> min,
                                  std::optional<std::int64_t> max) {
  check(!max || *max > 2, "Max value to constrain_range_for_size must be greater than 2. got: ", max.value_or(0));
  sym_constrain_range(size, min.value_or(0), max);
}

}  // namespace rushlight
