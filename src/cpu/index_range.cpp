// Whether indices are within their dimension: negative ones are large as unsigned numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/index_range.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include <algorithm>

#include "cpu/index_range.h"
#include "ops/kernels/index.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

std::uint64_t largest(const std::int64_t* at, std::int64_t n) {
  const hn::ScalableTag<std::uint64_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto* from = reinterpret_cast<const std::uint64_t*>(at);
  auto most = hn::Zero(d), second = most;
  std::int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    most = hn::Max(most, hn::LoadU(d, from + i));
    second = hn::Max(second, hn::LoadU(d, from + i + lanes));
  }
  std::uint64_t result = hn::GetLane(hn::MaxOfLanes(d, hn::Max(most, second)));
  for (; i < n; ++i)
    result = std::max(result, from[i]);
  return result;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace rushlight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {
namespace {

constexpr simd::Table<std::uint64_t(const std::int64_t*, std::int64_t)> kLargest = RL_SIMD_TABLE(largest);

void greatest(const TensorBase& index, std::uint64_t* result) {
  *result = index.numel() ? kLargest(index.data<std::int64_t>(), index.numel()) : 0;
}

}  // namespace

bool indices_in_range(const std::int64_t* at, std::int64_t step, std::int64_t n, std::int64_t size) {
  if (step == 1) return n == 0 || kLargest(at, n) < static_cast<std::uint64_t>(size);
  for (std::int64_t i = 0; i < n; ++i)
    if (static_cast<std::uint64_t>(at[i * step]) >= static_cast<std::uint64_t>(size)) return false;
  return true;
}

constinit const decltype(greatest_index_kernel) greatest_index_kernel{greatest};

}  // namespace rushlight
#endif
