// Elements chosen by a mask: how many, which, and where. Masks and inputs are contiguous. Foreign memory may put any
// byte where a truth value is expected, so each that is not zero counts as one.
//
// A vector of elements is packed to the front by its mask and stored whole; the next store begins after the chosen
// ones. Tasks are cut by shape; each first learns where its results begin.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/mask.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpu/pointwise/map-inl.h"

#ifndef RL_MASK_TYPES
#define RL_MASK_TYPES
namespace rushlight::mask {
// to[0..count) = the elements of from[0..n) that `chosen` names, `count` of them.
using SelectFn = void(const void* from, const std::uint8_t* chosen, std::int64_t n, void* to, std::int64_t count);
using Index = std::int64_t;
constexpr Index kRun = 1024;  // elements whose places are found at once
}  // namespace rushlight::mask
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::mask {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using pointwise::HWY_NAMESPACE::load_bool;

Index count_true(const std::uint8_t* chosen, Index n) {
  const hn::ScalableTag<std::uint8_t> d8;
  const hn::RepartitionToWide<hn::RepartitionToWide<hn::RepartitionToWide<decltype(d8)>>> d64;
  constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d8));
  auto sums = hn::Zero(d64);
  Index i = 0;
  for (; i + kLanes <= n; i += kLanes)
    sums = hn::Add(sums, hn::SumsOf8(hn::Min(hn::LoadU(d8, chosen + i), hn::Set(d8, 1))));
  Index count = static_cast<Index>(hn::GetLane(hn::SumOfLanes(d64, sums)));
  for (; i < n; ++i)
    count += chosen[i] != 0;
  return count;
}

template <class T>
void select(const void* src, const std::uint8_t* chosen, Index n, void* dst, Index count) {
  const T* from = static_cast<const T*>(src);
  T* to = static_cast<T*>(dst);
  Index i = 0, k = 0;
  if constexpr (sizeof(T) >= 2 && sizeof(T) <= 8) {
    const hn::ScalableTag<T> d;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    for (; i + kLanes <= n && k + kLanes <= count; i += kLanes) {
      const auto mask = load_bool(d, chosen + i);
      hn::StoreU(hn::Compress(hn::LoadU(d, from + i), mask), d, to + k);
      k += static_cast<Index>(hn::CountTrue(d, mask));
    }
  }
  // Every element is written to its place and only a chosen one moves on: random masks would defeat branches.
  for (; i < n && k < count; ++i) {
    to[k] = from[i];
    k += chosen[i] != 0;
  }
}

// Places among `chosen` that are true, n <= kRun; `places` has room for a vector more. Returns their number.
HWY_INLINE Index places_of(const std::uint8_t* chosen, Index n, std::int32_t* places) {
  const hn::ScalableTag<std::int32_t> d;
  constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
  const auto step = hn::Set(d, static_cast<std::int32_t>(kLanes));
  auto at = hn::Iota(d, 0);
  Index i = 0, k = 0;
  for (; i + kLanes <= n; i += kLanes, at = hn::Add(at, step)) {
    const auto mask = load_bool(d, chosen + i);
    hn::StoreU(hn::Compress(at, mask), d, places + k);
    k += static_cast<Index>(hn::CountTrue(d, mask));
  }
  for (; i < n; ++i) {
    places[k] = static_cast<std::int32_t>(i);
    k += chosen[i] != 0;
  }
  return k;
}

// Coordinates (leading..., begin + place) of the true elements of a run; returns where the next ones go.
Index* coordinates(const std::uint8_t* chosen, Index n, Index begin, const Index* leading, int rank, Index* to) {
  alignas(64) std::int32_t places[kRun + 16];
  const Index count = places_of(chosen, n, places);
  const hn::ScalableTag<Index> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
  const auto first = hn::Set(d, begin);
  Index i = 0;
  if (rank == 1) {
    for (; i + kLanes <= count; i += kLanes, to += kLanes)
      hn::StoreU(hn::Add(first, hn::PromoteTo(d, hn::LoadU(d32, places + i))), d, to);
  } else if (rank == 2) {
    const auto row = hn::Set(d, leading[0]);
    for (; i + kLanes <= count; i += kLanes, to += 2 * kLanes)
      hn::StoreInterleaved2(row, hn::Add(first, hn::PromoteTo(d, hn::LoadU(d32, places + i))), d, to);
  }
  for (; i < count; ++i, to += rank) {
    for (int j = 0; j + 1 < rank; ++j)
      to[j] = leading[j];
    to[rank - 1] = begin + places[i];
  }
  return to;
}

constexpr auto select1 = select<std::uint8_t>;
constexpr auto select2 = select<std::uint16_t>;
constexpr auto select4 = select<std::uint32_t>;
constexpr auto select8 = select<std::uint64_t>;

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "cpu/odometer.h"
#include "ops/kernels/index.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace mask {
namespace {

constexpr Index kTask = 1 << 15;  // elements a task

constexpr simd::Table<std::int64_t(const std::uint8_t*, Index)> kCount = RL_SIMD_TABLE(count_true);
constexpr simd::Table<SelectFn> kSelect1 = RL_SIMD_TABLE(select1);
constexpr simd::Table<SelectFn> kSelect2 = RL_SIMD_TABLE(select2);
constexpr simd::Table<SelectFn> kSelect4 = RL_SIMD_TABLE(select4);
constexpr simd::Table<SelectFn> kSelect8 = RL_SIMD_TABLE(select8);
constexpr simd::Table<Index*(const std::uint8_t*, Index, Index, const Index*, int, Index*)> kCoordinates =
    RL_SIMD_TABLE(coordinates);

void select16(const void* src, const std::uint8_t* chosen, Index n, void* dst, Index count) {
  const auto* from = static_cast<const ComplexDouble*>(src);
  auto* to = static_cast<ComplexDouble*>(dst);
  for (Index i = 0, k = 0; i < n && k < count; ++i) {
    to[k] = from[i];
    k += chosen[i] != 0;
  }
}

// Where the results of each piece of `grain` elements begin, and their number at the end.
std::vector<Index> starts(const std::uint8_t* chosen, Index n, Index grain) {
  std::vector<Index> start(static_cast<std::size_t>((n + grain - 1) / grain) + 1, 0);
  parallel_ranges(n, grain, [&](Index begin, Index end) {
    start[static_cast<std::size_t>(begin / grain) + 1] = kCount(chosen + begin, end - begin);
  });
  for (std::size_t i = 1; i < start.size(); ++i)
    start[i] += start[i - 1];
  return start;
}

void count_true_elements(const TensorBase& chosen, std::int64_t* count) {
  *count = starts(chosen.data<std::uint8_t>(), chosen.numel(), kTask).back();
}

void masked_select(const TensorBase& out, const TensorBase& self, const TensorBase& mask) {
  const auto* chosen = mask.data<std::uint8_t>();
  const Index item = static_cast<Index>(self.itemsize());
  SelectFn* const select = item == 1   ? kSelect1.best()
                           : item == 2 ? kSelect2.best()
                           : item == 4 ? kSelect4.best()
                           : item == 8 ? kSelect8.best()
                                       : select16;
  const std::vector<Index> start = starts(chosen, mask.numel(), kTask);
  parallel_ranges(mask.numel(), kTask, [&](Index begin, Index end) {
    const Index first = start[static_cast<std::size_t>(begin / kTask)];
    const Index count = start[static_cast<std::size_t>(begin / kTask) + 1] - first;
    select(self.data<char>() + begin * item, chosen + begin, end - begin, out.mutable_data<char>() + first * item,
           count);
  });
}

void nonzero(const TensorBase& out, const TensorBase& mask) {
  const auto* chosen = mask.data<std::uint8_t>();
  const int rank = static_cast<int>(mask.dim());
  if (rank == 0 || mask.numel() == 0) return;
  const IntArray leading = mask.sizes().first(static_cast<std::size_t>(rank - 1));
  const Index row = mask.sizes()[static_cast<std::size_t>(rank - 1)];
  const Index rows = mask.numel() / row;
  // Whole short rows, or pieces of long ones.
  const Index piece = std::min(row, kTask), grain = std::max<Index>(1, kTask / row) * piece;
  const Index tasks_a_row = row > kTask ? (row + kTask - 1) / kTask : 0;
  const auto bounds = [&](Index task) {
    if (!tasks_a_row) return std::pair(task * grain, std::min((task + 1) * grain, rows * row));
    const Index first = task / tasks_a_row * row, begin = task % tasks_a_row * kTask;
    return std::pair(first + begin, first + std::min(begin + kTask, row));
  };
  const Index tasks = tasks_a_row ? rows * tasks_a_row : (rows * row + grain - 1) / grain;
  std::vector<Index> start(static_cast<std::size_t>(tasks) + 1, 0);
  parallel_for(tasks, [&](Index task) {
    const auto [begin, end] = bounds(task);
    start[static_cast<std::size_t>(task) + 1] = kCount(chosen + begin, end - begin);
  });
  for (std::size_t i = 1; i < start.size(); ++i)
    start[i] += start[i - 1];
  parallel_for(tasks, [&](Index task) {
    auto [at, end] = bounds(task);
    Index* to = out.mutable_data<Index>() + start[static_cast<std::size_t>(task)] * rank;
    Odometer<1> outer(leading, {mask.strides().data()});
    outer.seek(at / row);
    std::vector<Index> index(leading.size());
    for (Index column = at % row; at < end;) {
      for (std::size_t d = 0; d < index.size(); ++d)
        index[d] = outer.index(static_cast<int>(d));
      const Index n = std::min({kRun, row - column, end - at});
      to = kCoordinates(chosen + at, n, column, index.data(), rank, to);
      at += n;
      column += n;
      if (column < row) continue;
      column = 0;
      outer.next();
    }
  });
}

}  // namespace
}  // namespace mask

constinit const decltype(count_true_kernel) count_true_kernel{mask::count_true_elements};
constinit const decltype(nonzero_kernel) nonzero_kernel{mask::nonzero};
constinit const decltype(masked_select_kernel) masked_select_kernel{mask::masked_select};

}  // namespace rushlight
#endif
