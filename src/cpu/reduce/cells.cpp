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

// The quotient may be off by one from what the edges say: they decide.
template <class T>
void cells(const T* x, Index n, const T* edges, Index bins, std::int32_t* to) {
  const Tag<T> d;
  const hn::RebindToSigned<Tag<T>> di;
  const hn::Rebind<std::int32_t, Tag<T>> d32;
  using I = hn::TFromD<decltype(di)>;
  constexpr Index kL = kLanes<T>;
  const T low = edges[0], high = edges[bins];
  const auto first = hn::Set(d, low), last = hn::Set(d, high), width = hn::Set(d, high - low);
  const auto scale = hn::Set(d, static_cast<T>(bins));
  const auto most = hn::Set(di, static_cast<I>(bins - 1)), end = hn::Set(di, static_cast<I>(bins));
  const auto one = hn::Set(di, I{1}), none = hn::Zero(di);
  const auto find = [&](auto v) HWY_ATTR {
    const auto inside = hn::And(hn::Ge(v, first), hn::Le(v, last));
    const auto place = hn::Div(hn::Mul(hn::Sub(v, first), scale), width);
    const auto cell = hn::Min(most, hn::ConvertTo(di, hn::IfThenElseZero(inside, place)));
    const auto below = hn::And(hn::Gt(cell, none), hn::RebindMask(di, hn::Lt(v, hn::GatherIndex(d, edges, cell))));
    const auto next = hn::GatherIndex(d, edges + 1, cell);
    const auto above = hn::And(hn::Lt(cell, most), hn::RebindMask(di, hn::Ge(v, next)));
    const auto moved = hn::IfThenElse(below, hn::Sub(cell, one), hn::IfThenElse(above, hn::Add(cell, one), cell));
    const auto result = hn::IfThenElse(hn::RebindMask(di, inside), moved, end);
    if constexpr (sizeof(T) == 4)
      return result;
    else
      return hn::DemoteTo(d32, hn::ConvertTo(d, result));
  };
  Index i = 0;
  for (; i + kL <= n; i += kL)
    hn::StoreU(find(hn::LoadU(d, x + i)), d32, to + i);
  if (i == n) return;
  alignas(64) std::int32_t rest[kL];
  hn::Store(find(load_part(d, x + i, n - i)), d32, rest);
  std::memcpy(to + i, rest, static_cast<std::size_t>(n - i) * sizeof(*to));
}

}  // namespace

void cells_of_floats(const float* x, Index n, const float* edges, Index bins, std::int32_t* to) {
  cells(x, n, edges, bins, to);
}
void cells_of_doubles(const double* x, Index n, const double* edges, Index bins, std::int32_t* to) {
  cells(x, n, edges, bins, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<void(const float*, Index, const float*, Index, std::int32_t*)> kFloats =
    RL_SIMD_TABLE(cells_of_floats);
static constexpr simd::Table<void(const double*, Index, const double*, Index, std::int32_t*)> kDoubles =
    RL_SIMD_TABLE(cells_of_doubles);
void find_cells(const float* x, Index n, const float* edges, Index bins, std::int32_t* cells) {
  kFloats(x, n, edges, bins, cells);
}
void find_cells(const double* x, Index n, const double* edges, Index bins, std::int32_t* cells) {
  kDoubles(x, n, edges, bins, cells);
}
}  // namespace rushlight::cpu
#endif
