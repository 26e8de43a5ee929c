// Cells of an evenly spaced axis, for histograms.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/cells.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/cells.h"
#include "cpu/reduce/load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class T>
void cells(const T* x, Index n, T low, T high, Index bins, std::int32_t* to) {
  const Tag<T> d;
  const hn::Rebind<std::int32_t, Tag<T>> di;
  constexpr Index kL = kLanes<T>;
  const auto first = hn::Set(d, low), last = hn::Set(d, high), width = hn::Set(d, high - low);
  const auto scale = hn::Set(d, static_cast<T>(bins));
  const auto most = hn::Set(di, static_cast<std::int32_t>(bins - 1));
  const auto outside = hn::Set(d, static_cast<T>(bins + 1));
  const auto end = hn::Set(di, static_cast<std::int32_t>(bins));
  const auto find = [&](auto v) HWY_ATTR {
    const auto inside = hn::And(hn::Ge(v, first), hn::Le(v, last));
    const auto place = hn::Div(hn::Mul(hn::Sub(v, first), scale), width);
    const auto cell = [&] HWY_ATTR {
      const auto chosen = hn::IfThenElse(inside, place, outside);
      if constexpr (sizeof(T) == 4)
        return hn::ConvertTo(di, chosen);
      else
        return hn::DemoteTo(di, chosen);
    }();
    // A place of `bins` is the upper end, which belongs to the last cell.
    return hn::IfThenElse(hn::Gt(cell, end), end, hn::Min(cell, most));
  };
  Index i = 0;
  for (; i + kL <= n; i += kL)
    hn::StoreU(find(hn::LoadU(d, x + i)), di, to + i);
  if (i == n) return;
  alignas(64) std::int32_t rest[kL];
  hn::Store(find(load_part(d, x + i, n - i)), di, rest);
  std::memcpy(to + i, rest, static_cast<std::size_t>(n - i) * sizeof(*to));
}

}  // namespace

void cells_of_floats(const float* x, Index n, float low, float high, Index bins, std::int32_t* to) {
  cells(x, n, low, high, bins, to);
}
void cells_of_doubles(const double* x, Index n, double low, double high, Index bins, std::int32_t* to) {
  cells(x, n, low, high, bins, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<void(const float*, Index, float, float, Index, std::int32_t*)> kFloats =
    RL_SIMD_TABLE(cells_of_floats);
static constexpr simd::Table<void(const double*, Index, double, double, Index, std::int32_t*)> kDoubles =
    RL_SIMD_TABLE(cells_of_doubles);
void find_cells(const float* x, Index n, float low, float high, Index bins, std::int32_t* cells) {
  kFloats(x, n, low, high, bins, cells);
}
void find_cells(const double* x, Index n, double low, double high, Index bins, std::int32_t* cells) {
  kDoubles(x, n, low, high, bins, cells);
}
}  // namespace rushlight::cpu
#endif
