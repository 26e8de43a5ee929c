// Gather and scatter by index tensors. Writes happen in the order of the indices, so duplicates are deterministic.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "cpu/index_range.h"
#include "cpu/index_run.h"
#include "cpu/odometer.h"
#include "ops/kernels/index.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

constexpr std::int64_t kTaskElements = 1 << 15;

// Calls body with an unsigned type (or a 16-byte struct) of the element's size: moves need no arithmetic.
struct Sixteen {
  std::uint64_t low, high;
};
template <class Body>
void visit_size(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1:
      return body(std::uint8_t{});
    case 2:
      return body(std::uint16_t{});
    case 4:
      return body(std::uint32_t{});
    case 8:
      return body(std::uint64_t{});
    default:
      return body(Sixteen{});
  }
}

template <class T>
T larger(T a, T b) {
  if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>)
    return a;
  else if constexpr (std::is_integral_v<T>)
    return a < b ? b : a;
  else
    return std::isnan(static_cast<float>(a)) || b < a ? a : b;
}
template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>)
    return a;
  else if constexpr (std::is_integral_v<T>)
    return b < a ? b : a;
  else
    return std::isnan(static_cast<float>(a)) || a < b ? a : b;
}

// Calls body(dtype value, combine function) for the arithmetic ways to combine.
template <class Body>
void visit_combine(Dtype type, Combine combine, const Body& body) {
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    switch (combine) {
      case Combine::kMul:
        return body(zero, [](T a, T b) {
          if constexpr (std::is_same_v<T, bool>)
            return a && b;
          else
            return static_cast<T>(a * b);
        });
      case Combine::kMax:
        return body(zero, [](T a, T b) { return larger(a, b); });
      case Combine::kMin:
        return body(zero, [](T a, T b) { return smaller(a, b); });
      default:
        return body(zero, [](T a, T b) {
          if constexpr (std::is_same_v<T, bool>)
            return a || b;
          else
            return static_cast<T>(a + b);
        });
    }
  });
}

// The two halves of a block view and how the last one lies in memory.
struct Blocks {
  IntArray before, before_strides, after, after_strides;
  std::int64_t before_count = 1, after_count = 1;
  bool dense = true;  // the elements after the index are one contiguous run

  Blocks(const TensorBase& view, std::int64_t split) {
    const auto at = static_cast<std::size_t>(split);
    before = view.sizes().first(at);
    before_strides = view.strides().first(at);
    after = view.sizes().subspan(at);
    after_strides = view.strides().subspan(at);
    for (const std::int64_t size : before)
      before_count *= size;
    for (std::size_t i = after.size(); i-- > 0;) {
      dense &= after[i] == 1 || after_strides[i] == after_count;
      after_count *= after[i];
    }
  }
};

// body(block offset, position of its first element in the dense operand) for every block of a range of tasks.
template <class Body>
void for_each_block(const Blocks& blocks, IntArray offsets, bool parallel, const Body& body) {
  const auto count = static_cast<std::int64_t>(offsets.size());
  const std::int64_t total = blocks.before_count * count;
  const std::int64_t grain =
      parallel ? std::max<std::int64_t>(1, kTaskElements / std::max<std::int64_t>(1, blocks.after_count)) : total;
  parallel_ranges(total, grain, [&](std::int64_t begin, std::int64_t end) {
    Odometer<1> outer(blocks.before, {blocks.before_strides.data()});
    std::int64_t row = begin / count, j = begin % count;
    outer.seek(row);
    for (std::int64_t i = begin; i < end; ++i) {
      body(outer.offset[0] + offsets[static_cast<std::size_t>(j)], i * blocks.after_count);
      if (++j == count) {
        j = 0;
        outer.next();
      }
    }
  });
}

// to[i] = from[place(i)]: elements are put together in registers and stored 16 bytes at a time, which runs three times
// as fast as storing each.
template <class T, class Place>
[[gnu::always_inline]] inline void pick(T* to, const T* from, std::int64_t n, const Place& place) {
  constexpr std::int64_t kEach = static_cast<std::int64_t>(16 / sizeof(T));
  std::int64_t i = 0;
  if constexpr (kEach > 1) {
    typedef T Pack [[gnu::vector_size(16)]];
    for (; i + 2 * kEach <= n; i += 2 * kEach)
      for (std::int64_t half = 0; half < 2; ++half) {
        Pack pack{};
        for (std::int64_t k = 0; k < kEach; ++k)
          pack[k] = from[place(i + half * kEach + k)];
        std::memcpy(to + i + half * kEach, &pack, sizeof(pack));
      }
  }
  for (; i < n; ++i)
    to[i] = from[place(i)];
}

// Blocks of one element: rows of them, or pieces of a single row.
template <class T>
void pick_elements(const Blocks& blocks, IntArray offsets, const T* from, T* to) {
  const auto count = static_cast<std::int64_t>(offsets.size());
  const std::int64_t* at = offsets.data();
  if (blocks.before_count == 1)
    return parallel_ranges(count, kTaskElements, [&](std::int64_t begin, std::int64_t end) {
      pick(to + begin, from, end - begin, [&](std::int64_t j) { return at[begin + j]; });
    });
  parallel_ranges(blocks.before_count, std::max<std::int64_t>(1, kTaskElements / count),
                  [&](std::int64_t begin, std::int64_t end) {
                    Odometer<1> outer(blocks.before, {blocks.before_strides.data()});
                    outer.seek(begin);
                    for (std::int64_t row = begin; row < end; ++row, outer.next()) {
                      pick(to + row * count, from + outer.offset[0], count, [&](std::int64_t j) { return at[j]; });
                    }
                  });
}

void gather_blocks(const TensorBase& out, const TensorBase& view, std::int64_t before, IntArray offsets) {
  if (out.numel() == 0) return;
  const Blocks blocks(view, before);
  visit_size(view.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = view.data<T>();
    T* to = out.mutable_data<T>();
    const std::int64_t n = blocks.after_count;
    if (n == 1) {
      pick_elements(blocks, offsets, from, to);
    } else if (blocks.dense) {
      for_each_block(blocks, offsets, true, [&](std::int64_t at, std::int64_t k) {
        std::memcpy(static_cast<void*>(to + k), from + at, static_cast<std::size_t>(n) * sizeof(T));
      });
    } else {
      for_each_block(blocks, offsets, true, [&](std::int64_t at, std::int64_t k) {
        Odometer<1> inner(blocks.after, {blocks.after_strides.data()});
        for (std::int64_t i = 0; i < n; ++i, inner.next())
          to[k + i] = from[at + inner.offset[0]];
      });
    }
  });
}

template <class T, class Write>
void scatter_typed(const TensorBase& view, const Blocks& blocks, const TensorBase& values, IntArray offsets,
                   const Write& write) {
  T* to = view.mutable_data<T>();
  const T* from = values.data<T>();
  const std::int64_t n = blocks.after_count;
  for_each_block(blocks, offsets, false, [&](std::int64_t at, std::int64_t k) {
    T* target = to + at;
    const T* source = from + k;
    if (blocks.dense) {
      for (std::int64_t i = 0; i < n; ++i)
        write(target[i], source[i]);
      return;
    }
    Odometer<1> inner(blocks.after, {blocks.after_strides.data()});
    for (std::int64_t i = 0; i < n; ++i, inner.next())
      write(target[inner.offset[0]], source[i]);
  });
}

void scatter_blocks(const TensorBase& view, const TensorBase& values, std::int64_t before, IntArray offsets,
                    Combine combine) {
  if (values.numel() == 0) return;
  const Blocks blocks(view, before);
  const RunFunction run = blocks.dense && blocks.after_count > 1 ? run_of(combine, view.dtype()) : nullptr;
  if (run) {
    const auto item = static_cast<std::int64_t>(view.itemsize());
    char* to = view.mutable_data<char>();
    const char* from = values.data<char>();
    return for_each_block(blocks, offsets, false, [&](std::int64_t at, std::int64_t k) {
      run(from + k * item, to + at * item, blocks.after_count);
    });
  }
  if (combine == Combine::kAssign) {
    return visit_size(view.itemsize(), [&](auto zero) {
      using T = decltype(zero);
      scatter_typed<T>(view, blocks, values, offsets, [](T& to, const T& value) { to = value; });
    });
  }
  visit_combine(view.dtype(), combine, [&](auto zero, auto function) {
    using T = decltype(zero);
    scatter_typed<T>(view, blocks, values, offsets, [&](T& to, const T& value) { to = function(to, value); });
  });
}

[[noreturn, gnu::cold]] void bad_index(const char* op, std::int64_t index, std::int64_t dim, std::int64_t size) {
  throw RuntimeError(str(op, ": index ", index, " is out of bounds for dimension ", dim, " with size ", size));
}

// The strides of a tensor over the index's shape, with a zero in place of `dim`.
std::vector<std::int64_t> strides_without(const TensorBase& tensor, std::int64_t dim, std::size_t rank) {
  std::vector<std::int64_t> strides(rank, 0);
  for (std::size_t i = 0; i < rank && i < tensor.strides().size(); ++i)
    strides[i] = tensor.strides()[i];
  if (rank) strides[static_cast<std::size_t>(dim)] = 0;
  return strides;
}

// body(offsets, n, steps) for rows of n elements that N operands walk by their `steps`, in logical order; trailing
// dimensions that all operands run through evenly make one row. The shape is not empty.
template <int N, class Body>
void for_each_row(IntArray sizes, const std::array<const std::int64_t*, N>& strides, bool parallel, const Body& body) {
  std::array<std::int64_t, N> steps{};
  std::size_t outer = sizes.size();
  std::int64_t n = 1;
  while (outer > 1 && sizes[outer - 1] == 1)
    --outer;
  if (outer) {
    n = sizes[--outer];
    for (std::size_t k = 0; k < N; ++k)
      steps[k] = strides[k][outer];
    const auto even = [&](std::size_t d) {
      for (std::size_t k = 0; k < N; ++k)
        if (strides[k][d] != steps[k] * n) return false;
      return true;
    };
    while (outer && (sizes[outer - 1] == 1 || even(outer - 1)))
      n *= sizes[--outer];
  }
  std::int64_t rows = 1;
  for (std::size_t d = 0; d < outer; ++d)
    rows *= sizes[d];
  const std::int64_t piece = parallel ? std::min(n, kTaskElements) : n, pieces = (n + piece - 1) / piece;
  parallel_ranges(rows * pieces, parallel ? kTaskElements / piece : rows, [&](std::int64_t begin, std::int64_t end) {
    Odometer<N> walk(sizes.first(outer), strides);
    walk.seek(begin / pieces);
    for (std::int64_t unit = begin; unit < end; ++unit) {
      const std::int64_t first = unit % pieces * piece;
      std::array<std::int64_t, N> offsets;
      for (std::size_t k = 0; k < N; ++k)
        offsets[k] = walk.offset[k] + first * steps[k];
      body(offsets, std::min(piece, n - first), steps);
      if (unit % pieces == pieces - 1) walk.next();
    }
  });
}

[[noreturn, gnu::cold]] void report_bad_index(const TensorBase& index, const char* op, std::int64_t dim,
                                              std::int64_t size) {
  Odometer<1> walk(index.sizes(), {index.strides().data()});
  const std::int64_t* at = index.data<std::int64_t>();
  while (at[walk.offset[0]] >= 0 && at[walk.offset[0]] < size)
    walk.next();
  bad_index(op, at[walk.offset[0]], dim, size);
}

void gather(const TensorBase& out, const TensorBase& self, std::int64_t dim, const TensorBase& index) {
  if (index.numel() == 0) return;
  const std::int64_t size = self.dim() ? self.sizes()[static_cast<std::size_t>(dim)] : 1;
  const std::int64_t step = self.dim() ? self.strides()[static_cast<std::size_t>(dim)] : 0;
  const auto from_strides = strides_without(self, dim, index.sizes().size());
  std::atomic<bool> bad = false;
  visit_size(self.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const auto row = [&](const std::array<std::int64_t, 3>& offsets, std::int64_t n,
                         const std::array<std::int64_t, 3>& steps) {
      T* to = out.mutable_data<T>() + offsets[0];
      const T* from = self.data<T>() + offsets[1];
      const std::int64_t* at = index.data<std::int64_t>() + offsets[2];
      if (!indices_in_range(at, steps[2], n, size)) [[unlikely]] {
        bad = true;
        return;
      }
      if (steps[0] != 1 || steps[2] != 1)
        for (std::int64_t i = 0; i < n; ++i)
          to[i * steps[0]] = from[i * steps[1] + at[i * steps[2]] * step];
      else if (steps[1] == 0 && step == 1)
        pick(to, from, n, [&](std::int64_t i) { return at[i]; });
      else
        pick(to, from, n, [&](std::int64_t i) { return i * steps[1] + at[i] * step; });
    };
    for_each_row<3>(index.sizes(), {out.strides().data(), from_strides.data(), index.strides().data()}, true, row);
  });
  if (bad) report_bad_index(index, "gather", dim, size);
}

template <class T, class Write>
void scatter_elements(const TensorBase& self, std::int64_t dim, const TensorBase& index, const TensorBase& src,
                      const Write& write) {
  const std::int64_t size = self.dim() ? self.sizes()[static_cast<std::size_t>(dim)] : 1;
  const std::int64_t step = self.dim() ? self.strides()[static_cast<std::size_t>(dim)] : 0;
  const auto to_strides = strides_without(self, dim, index.sizes().size());
  const auto row = [&](const std::array<std::int64_t, 3>& offsets, std::int64_t n,
                       const std::array<std::int64_t, 3>& steps) {
    T* to = self.mutable_data<T>() + offsets[0];
    const T* from = src.data<T>() + offsets[1];
    const std::int64_t* at = index.data<std::int64_t>() + offsets[2];
    if (!indices_in_range(at, steps[2], n, size)) [[unlikely]]
      report_bad_index(index, "scatter", dim, size);
    if (steps[1] != 1 || steps[2] != 1)
      for (std::int64_t i = 0; i < n; ++i)
        write(to[i * steps[0] + at[i * steps[2]] * step], from[i * steps[1]]);
    else if (steps[0] == 0 && step == 1)
      for (std::int64_t i = 0; i < n; ++i)
        write(to[at[i]], from[i]);
    else
      for (std::int64_t i = 0; i < n; ++i)
        write(to[i * steps[0] + at[i] * step], from[i]);
  };
  for_each_row<3>(index.sizes(), {to_strides.data(), src.strides().data(), index.strides().data()}, false, row);
}

void scatter(const TensorBase& self, std::int64_t dim, const TensorBase& index, const TensorBase& src,
             Combine combine) {
  if (index.numel() == 0) return;
  if (combine == Combine::kAssign) {
    return visit_size(self.itemsize(), [&](auto zero) {
      using T = decltype(zero);
      scatter_elements<T>(self, dim, index, src, [](T& to, const T& value) { to = value; });
    });
  }
  visit_combine(self.dtype(), combine, [&](auto zero, auto function) {
    using T = decltype(zero);
    scatter_elements<T>(self, dim, index, src, [&](T& to, const T& value) { to = function(to, value); });
  });
}

void masked_scatter(const TensorBase& self, const TensorBase& mask, const TensorBase& source) {
  if (self.numel() == 0) return;
  visit_size(self.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = source.data<T>();
    const auto row = [&](const std::array<std::int64_t, 2>& offsets, std::int64_t n,
                         const std::array<std::int64_t, 2>& steps) {
      T* to = self.mutable_data<T>() + offsets[0];
      const auto* chosen = mask.data<std::uint8_t>() + offsets[1];
      for (std::int64_t i = 0; i < n; ++i)
        if (chosen[i * steps[1]]) to[i * steps[0]] = *from++;
    };
    for_each_row<2>(self.sizes(), {self.strides().data(), mask.strides().data()}, false, row);
  });
}

}  // namespace

constinit const decltype(gather_blocks_kernel) gather_blocks_kernel{gather_blocks};
constinit const decltype(scatter_blocks_kernel) scatter_blocks_kernel{scatter_blocks};
constinit const decltype(gather_kernel) gather_kernel{gather};
constinit const decltype(scatter_kernel) scatter_kernel{scatter};
constinit const decltype(masked_scatter_kernel) masked_scatter_kernel{masked_scatter};

}  // namespace rushlight
