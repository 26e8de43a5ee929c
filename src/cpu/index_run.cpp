// Runs of elements added to others, for indexed writes of whole blocks.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/index_run.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "hwy/highway.h"

#include "cpu/index_run.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
void add_run(const void* from, void* to, std::int64_t n) {
  const hn::ScalableTag<T> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const T* x = static_cast<const T*>(from);
  T* y = static_cast<T*>(to);
  std::int64_t i = 0;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    const auto a = hn::Add(hn::LoadU(d, y + i), hn::LoadU(d, x + i));
    const auto b = hn::Add(hn::LoadU(d, y + i + lanes), hn::LoadU(d, x + i + lanes));
    hn::StoreU(a, d, y + i);
    hn::StoreU(b, d, y + i + lanes);
  }
  const hn::CappedTag<T, 1> one;
  for (; i < n; ++i)
    hn::StoreU(hn::Add(hn::LoadU(one, y + i), hn::LoadU(one, x + i)), one, y + i);
}

}  // namespace

RunFunction add_function(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return add_run<float>;
    case Dtype::kFloat64:
      return add_run<double>;
    case Dtype::kInt32:
    case Dtype::kUInt32:
      return add_run<std::int32_t>;
    case Dtype::kInt64:
    case Dtype::kUInt64:
      return add_run<std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight {

static constexpr simd::Table<RunFunction(Dtype)> kAdd = RL_SIMD_TABLE(add_function);

RunFunction run_of(Combine combine, Dtype dtype) { return combine == Combine::kAdd ? kAdd(dtype) : nullptr; }

}  // namespace rushlight
#endif
