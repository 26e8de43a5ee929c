// Gather and scatter by index tensors. Writes happen in the order of the indices, so duplicates are deterministic.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "cpu/odometer.h"
#include "ops/kernels/index.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

constexpr std::int64_t kTaskElements = 1 << 15;

// Calls body with an unsigned type (or a 16-byte struct) of the element's size: moves need no arithmetic.
struct Sixteen { std::uint64_t low, high; };
template <class Body>
void visit_size(std::size_t bytes, const Body& body) {
  switch (bytes) {
    case 1: return body(std::uint8_t{});
    case 2: return body(std::uint16_t{});
    case 4: return body(std::uint32_t{});
    case 8: return body(std::uint64_t{});
    default: return body(Sixteen{});
  }
}

template <class T>
T larger(T a, T b) {
  if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>) return a;
  else if constexpr (std::is_integral_v<T>) return a < b ? b : a;
  else return std::isnan(static_cast<float>(a)) || b < a ? a : b;
}
template <class T>
T smaller(T a, T b) {
  if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>) return a;
  else if constexpr (std::is_integral_v<T>) return b < a ? b : a;
  else return std::isnan(static_cast<float>(a)) || a < b ? a : b;
}

// Calls body(dtype value, combine function) for the arithmetic ways to combine.
template <class Body>
void visit_combine(Dtype type, Combine combine, const Body& body) {
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    switch (combine) {
      case Combine::kMul:
        return body(zero, [](T a, T b) {
          if constexpr (std::is_same_v<T, bool>) return a && b;
          else return static_cast<T>(a * b);
        });
      case Combine::kMax: return body(zero, [](T a, T b) { return larger(a, b); });
      case Combine::kMin: return body(zero, [](T a, T b) { return smaller(a, b); });
      default:
        return body(zero, [](T a, T b) {
          if constexpr (std::is_same_v<T, bool>) return a || b;
          else return static_cast<T>(a + b);
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
    for (const std::int64_t size : before) before_count *= size;
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
  const std::int64_t grain = parallel ? std::max<std::int64_t>(1, kTaskElements / std::max<std::int64_t>(1, blocks.after_count)) : total;
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

void gather_blocks(const TensorBase& out, const TensorBase& view, std::int64_t before, IntArray offsets) {
  if (out.numel() == 0) return;
  const Blocks blocks(view, before);
  visit_size(view.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = view.data<T>();
    T* to = out.mutable_data<T>();
    const std::int64_t n = blocks.after_count;
    if (n == 1) {
      for_each_block(blocks, offsets, true, [&](std::int64_t at, std::int64_t k) { to[k] = from[at]; });
    } else if (blocks.dense) {
      for_each_block(blocks, offsets, true, [&](std::int64_t at, std::int64_t k) {
        std::memcpy(static_cast<void*>(to + k), from + at, static_cast<std::size_t>(n) * sizeof(T));
      });
    } else {
      for_each_block(blocks, offsets, true, [&](std::int64_t at, std::int64_t k) {
        Odometer<1> inner(blocks.after, {blocks.after_strides.data()});
        for (std::int64_t i = 0; i < n; ++i, inner.next()) to[k + i] = from[at + inner.offset[0]];
      });
    }
  });
}

template <class T, class Write>
void scatter_typed(const TensorBase& view, const Blocks& blocks, const TensorBase& values, IntArray offsets, const Write& write) {
  T* to = view.mutable_data<T>();
  const T* from = values.data<T>();
  const std::int64_t n = blocks.after_count;
  for_each_block(blocks, offsets, false, [&](std::int64_t at, std::int64_t k) {
    if (blocks.dense) {
      for (std::int64_t i = 0; i < n; ++i) write(to[at + i], from[k + i]);
      return;
    }
    Odometer<1> inner(blocks.after, {blocks.after_strides.data()});
    for (std::int64_t i = 0; i < n; ++i, inner.next()) write(to[at + inner.offset[0]], from[k + i]);
  });
}

void scatter_blocks(const TensorBase& view, const TensorBase& values, std::int64_t before, IntArray offsets, Combine combine) {
  if (values.numel() == 0) return;
  const Blocks blocks(view, before);
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
  for (std::size_t i = 0; i < rank && i < tensor.strides().size(); ++i) strides[i] = tensor.strides()[i];
  if (rank) strides[static_cast<std::size_t>(dim)] = 0;
  return strides;
}

void check_indices(const TensorBase& index, const char* op, std::int64_t dim, std::int64_t size) {
  Odometer<1> walk(index.sizes(), {index.strides().data()});
  const std::int64_t* at = index.data<std::int64_t>();
  for (std::int64_t i = 0; i < index.numel(); ++i, walk.next())
    if (const std::int64_t value = at[walk.offset[0]]; value < 0 || value >= size) [[unlikely]]
      bad_index(op, value, dim, size);
}

void gather(const TensorBase& out, const TensorBase& self, std::int64_t dim, const TensorBase& index) {
  if (index.numel() == 0) return;
  const std::int64_t size = self.dim() ? self.sizes()[static_cast<std::size_t>(dim)] : 1;
  const std::int64_t step = self.dim() ? self.strides()[static_cast<std::size_t>(dim)] : 0;
  check_indices(index, "gather", dim, size);
  const auto from_strides = strides_without(self, dim, index.sizes().size());
  visit_size(self.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.data<T>();
    T* to = out.mutable_data<T>();
    const std::int64_t* at = index.data<std::int64_t>();
    parallel_ranges(index.numel(), kTaskElements, [&](std::int64_t begin, std::int64_t end) {
      Odometer<3> walk(index.sizes(), {out.strides().data(), from_strides.data(), index.strides().data()});
      walk.seek(begin);
      for (std::int64_t i = begin; i < end; ++i, walk.next())
        to[walk.offset[0]] = from[walk.offset[1] + at[walk.offset[2]] * step];
    });
  });
}

template <class T, class Write>
void scatter_elements(const TensorBase& self, std::int64_t dim, const TensorBase& index, const TensorBase& src, const Write& write) {
  const std::int64_t step = self.dim() ? self.strides()[static_cast<std::size_t>(dim)] : 0;
  const auto to_strides = strides_without(self, dim, index.sizes().size());
  Odometer<3> walk(index.sizes(), {to_strides.data(), src.strides().data(), index.strides().data()});
  T* to = self.mutable_data<T>();
  const T* from = src.data<T>();
  const std::int64_t* at = index.data<std::int64_t>();
  for (std::int64_t i = 0; i < index.numel(); ++i, walk.next())
    write(to[walk.offset[0] + at[walk.offset[2]] * step], from[walk.offset[1]]);
}

void scatter(const TensorBase& self, std::int64_t dim, const TensorBase& index, const TensorBase& src, Combine combine) {
  if (index.numel() == 0) return;
  check_indices(index, "scatter", dim, self.dim() ? self.sizes()[static_cast<std::size_t>(dim)] : 1);
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

template <class Body>
void for_each_nonzero(const TensorBase& self, const Body& body) {
  visit(self.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.data<T>();
    Odometer<1> walk(self.sizes(), {self.strides().data()});
    for (std::int64_t i = 0; i < self.numel(); ++i, walk.next()) {
      const T value = from[walk.offset[0]];
      bool set;
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) set = static_cast<float>(value) != 0;
      else set = value != T(0);
      if (set) body(walk);
    }
  });
}

void count_nonzero_elements(const TensorBase& self, std::int64_t* count) {
  std::int64_t found = 0;
  if (self.dtype() == Dtype::kBool && self.is_contiguous()) {
    const auto* bytes = self.data<std::uint8_t>();
    for (std::int64_t i = 0; i < self.numel(); ++i) found += bytes[i] != 0;
  } else {
    for_each_nonzero(self, [&](const Odometer<1>&) { ++found; });
  }
  *count = found;
}

void nonzero(const TensorBase& out, const TensorBase& self) {
  std::int64_t* to = out.mutable_data<std::int64_t>();
  const int dim = static_cast<int>(self.dim());
  for_each_nonzero(self, [&](const Odometer<1>& walk) {
    for (int d = 0; d < dim; ++d) *to++ = walk.index(d);
  });
}

// body(offset in self, position among the selected) for every true element of the mask.
template <class Body>
void for_each_selected(const TensorBase& self, const TensorBase& mask, const Body& body) {
  Odometer<2> walk(self.sizes(), {self.strides().data(), mask.strides().data()});
  const auto* chosen = mask.data<std::uint8_t>();
  std::int64_t position = 0;
  for (std::int64_t i = 0; i < self.numel(); ++i, walk.next())
    if (chosen[walk.offset[1]]) body(walk.offset[0], position++);
}

void masked_select(const TensorBase& out, const TensorBase& self, const TensorBase& mask) {
  visit_size(self.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    const T* from = self.data<T>();
    T* to = out.mutable_data<T>();
    for_each_selected(self, mask, [&](std::int64_t at, std::int64_t k) { to[k] = from[at]; });
  });
}

void masked_scatter(const TensorBase& self, const TensorBase& mask, const TensorBase& source) {
  visit_size(self.itemsize(), [&](auto zero) {
    using T = decltype(zero);
    T* to = self.mutable_data<T>();
    const T* from = source.data<T>();
    for_each_selected(self, mask, [&](std::int64_t at, std::int64_t k) { to[at] = from[k]; });
  });
}

}  // namespace

constinit const decltype(gather_blocks_kernel) gather_blocks_kernel{gather_blocks};
constinit const decltype(scatter_blocks_kernel) scatter_blocks_kernel{scatter_blocks};
constinit const decltype(gather_kernel) gather_kernel{gather};
constinit const decltype(scatter_kernel) scatter_kernel{scatter};
constinit const decltype(count_nonzero_kernel) count_nonzero_kernel{count_nonzero_elements};
constinit const decltype(nonzero_kernel) nonzero_kernel{nonzero};
constinit const decltype(masked_select_kernel) masked_select_kernel{masked_select};
constinit const decltype(masked_scatter_kernel) masked_scatter_kernel{masked_scatter};

}  // namespace rushlight
