// The driver of all reductions: dimensions -> (kept, reduced) loop nest -> tasks -> states -> results. Every
// boundary below depends on the shape only, so results do not depend on the number of threads.
#include <algorithm>
#include <complex>
#include <memory>
#include <type_traits>

#include "cpu/reduce/pack.h"
#include "cpu/reduce/reduce.h"
#include "rushlight/parallel.h"

namespace rushlight::cpu {
namespace {

struct Dim {
  Index size, stride, out, second;
};

// Adjacent dimensions of one class, innermost first.
struct Dims {
  int n = 0;
  Dim d[kMaxDims];

  Index count() const {
    Index c = 1;
    for (int i = 0; i < n; ++i)
      c *= d[i].size;
    return c;
  }
  void add(Dim x) {
    if (n > 0 && d[n - 1].stride * d[n - 1].size == x.stride && d[n - 1].out * d[n - 1].size == x.out &&
        d[n - 1].second * d[n - 1].size == x.second) {
      d[n - 1].size *= x.size;
    } else {
      d[n++] = x;
    }
  }
  // Element offsets of position i, counted over dimensions [from, n).
  Dim at(Index i, int from) const {
    Dim result{};
    for (int k = from; k < n; ++k) {
      const Index c = i % d[k].size;
      i /= d[k].size;
      result.stride += c * d[k].stride;
      result.out += c * d[k].out;
      result.second += c * d[k].second;
    }
    return result;
  }
};

struct Nest {
  Dims kept, reduced;
};

// Kept dimensions are ordered by input stride, so memory is walked in order whatever the layout of the result.
// Reduced ones keep their order where positions matter (argmax).
void make_nest(Nest& nest, const View& x, std::uint64_t mask, const View& out, const View* second, bool positions) {
  Dim kept[kMaxDims], reduced[kMaxDims];
  int nk = 0, nr = 0, o = out.dim - 1;
  for (int d = x.dim - 1; d >= 0; --d) {
    if (mask >> d & 1) {
      if (x.sizes[d] != 1) reduced[nr++] = {x.sizes[d], x.strides[d], 0, 0};
    } else {
      if (x.sizes[d] != 1) kept[nk++] = {x.sizes[d], x.strides[d], out.strides[o], second ? second->strides[o] : 0};
      --o;
    }
  }
  const auto inner = [](const Dim& a, const Dim& b) { return a.stride < b.stride; };
  if (nk > 1) std::stable_sort(kept, kept + nk, inner);
  if (nr > 1 && !positions) std::stable_sort(reduced, reduced + nr, inner);
  for (int i = 0; i < nk; ++i)
    nest.kept.add(kept[i]);
  for (int i = 0; i < nr; ++i)
    nest.reduced.add(reduced[i]);
  if (nest.kept.n == 0) nest.kept.d[nest.kept.n++] = {1, 0, 0, 0};
  if (nest.reduced.n == 0) nest.reduced.d[nest.reduced.n++] = {1, 1, 0, 0};
}

struct Job {
  const ReduceKernel& k;
  const Nest& nest;
  const View& x;
  const View& out;
  const View* second;
  double parameter;
  Index item = static_cast<Index>(item_size(x.dtype)), out_item = static_cast<Index>(item_size(out.dtype));

  const char* input(Index offset) const { return static_cast<const char*>(x.data) + offset * item; }
  // Results [c0, c0 + width) of kept dimension 0 at position o of the others.
  void finish(const void* states, Index width, Index o, Index c0) const {
    const Dim& cols = nest.kept.d[0];
    Dim at = nest.kept.at(o, 1);
    at.stride += c0 * cols.stride, at.out += c0 * cols.out, at.second += c0 * cols.second;
    Index size[kMaxDims], stride[kMaxDims];
    for (int i = 0; i < nest.reduced.n; ++i)
      size[i] = nest.reduced.d[i].size, stride[i] = nest.reduced.d[i].stride;
    Sink sink{static_cast<char*>(const_cast<void*>(out.data)) + at.out * out_item,
              cols.out,
              nullptr,
              cols.second,
              out.dtype,
              out.dtype};
    if (second) {
      sink.second_dtype = second->dtype;
      sink.second = static_cast<char*>(const_cast<void*>(second->data)) +
                    at.second * static_cast<Index>(item_size(second->dtype));
    }
    k.finish(states, width, nest.reduced.count(), parameter,
             {input(at.stride), cols.stride, nest.reduced.n, size, stride}, sink);
  }
};

// Bytes of the states of `cols` results, after which the next ones begin: aligned where planes of different types lie
// side by side.
Index bytes_of(const ReduceKernel& k, Index cols) {
  const Index bytes = k.state_bytes * cols;
  return k.planes == 1 ? bytes : (bytes + 15) / 16 * 16;
}

// states[0] = states[0] (+) ... (+) states[n - 1] as a balanced tree.
void tree(const ReduceKernel& k, char* states, Index n, Index cols) {
  const Index bytes = bytes_of(k, cols);
  for (Index step = 1; step < n; step *= 2)
    for (Index i = 0; i + step < n; i += 2 * step)
      k.combine(states + i * bytes, states + (i + step) * bytes, cols);
}

// Whole cache lines, half a page away from the input modulo 4 KB: a store to a state must not look like one to the
// row that is loaded next (sum(0) of 1024 x 1024: 49 us against 68).
class Scratch {
 public:
  Scratch(Index bytes, const void* input)
      : memory_(bytes > 0 ? new char[static_cast<std::size_t>(bytes) + 8192] : nullptr) {
    const auto at = reinterpret_cast<std::uintptr_t>(memory_.get()), from = reinterpret_cast<std::uintptr_t>(input);
    const std::uintptr_t start = (at + 63) / 64 * 64;
    start_ = memory_ ? memory_.get() + (start - at) + ((from / 64 * 64 + 2048 - start) & 4095) : nullptr;
  }
  char* get() const { return start_; }

 private:
  std::unique_ptr<char[]> memory_;
  char* start_;
};

// Elements apart are packed into L1 first.
template <class T>
void pack_as(const void* x, Index stride, Index n, void* to) {
  const T* s = static_cast<const T*>(x);
  T* t = static_cast<T*>(to);
  for (Index i = 0; i < n; ++i)
    t[i] = s[stride * i];
}
void pack(const void* x, Index item, Index stride, Index n, void* to) {
  if (stride == 2) return pack_every_other(x, item, n, to);
  switch (item) {
    case 1:
      return pack_as<std::uint8_t>(x, stride, n, to);
    case 2:
      return pack_as<std::uint16_t>(x, stride, n, to);
    case 4:
      return pack_as<std::uint32_t>(x, stride, n, to);
    case 8:
      return pack_as<std::uint64_t>(x, stride, n, to);
    default:
      return pack_as<std::complex<double>>(x, stride, n, to);
  }
}

// Scratch for the states of one task: on the stack where small.
struct TaskStates {
  TaskStates(Index bytes, const void* input) : heap(bytes > kFew ? bytes : 0, input) {}
  char* get() { return heap.get() ? heap.get() : few; }
  static constexpr Index kFew = 2048;
  Scratch heap;
  alignas(64) char few[kFew];
};

// The shared part. Results come in tiles of up to `width` along kept dimension 0; what they reduce is cut into
// chunks. compute(offset, c0, w, chunk, states) fills the states of a tile and chunk; a second round of tasks joins
// the chunks of a tile as a tree.
template <class Compute>
void run(const Job& j, Index width, Index chunks, Index chunk_elements, const Compute& compute) {
  const Index cols = j.nest.kept.d[0].size, outer = j.nest.kept.count() / cols;
  const Index tiles = (cols + width - 1) / width, all = outer * tiles, whole = bytes_of(j.k, std::min(cols, width));
  const auto tile_width = [&](Index i) { return std::min(width, cols - i % tiles * width); };
  const auto one = [&](Index i, Index chunk, char* states) {
    compute(j.nest.kept.at(i / tiles, 1).stride + i % tiles * width * j.nest.kept.d[0].stride, tile_width(i), chunk,
            states);
  };
  const auto finish = [&](Index i, const char* states) {
    j.finish(states, tile_width(i), i / tiles, i % tiles * width);
  };
  if (chunks == 1) {  // several small tiles per task
    const Index per_task = std::max<Index>(1, kTaskElements / 2 / (chunk_elements * std::min(cols, width)));
    parallel_for((all + per_task - 1) / per_task, [&](Index t) {
      TaskStates states(whole, j.x.data);
      for (Index i = t * per_task; i < std::min(all, (t + 1) * per_task); ++i) {
        one(i, 0, states.get());
        finish(i, states.get());
      }
    });
    return;
  }
  const Scratch states(all * chunks * whole, j.x.data);
  const auto at = [&](Index i) { return states.get() + i * chunks * whole; };
  parallel_for(all * chunks, [&](Index t) {
    const Index i = t / chunks, c = t % chunks;
    one(i, c, at(i) + c * bytes_of(j.k, tile_width(i)));
  });
  parallel_for(all, [&](Index i) {
    tree(j.k, at(i), chunks, tile_width(i));
    finish(i, at(i));
  });
}

// The reduced dimension is innermost: runs of up to kBlock elements become states, a tree joins the blocks of a
// chunk.
void reduce_inner(const Job& j) {
  const Dim& line = j.nest.reduced.d[0];
  const Index n = j.nest.reduced.count(), col_stride = j.nest.kept.d[0].stride;
  const Index per_run = (line.size + kBlock - 1) / kBlock, blocks = n / line.size * per_run;
  const Index per_chunk = std::max<Index>(1, kTaskElements / std::min(kBlock, line.size));
  const Index width = std::clamp<Index>(kTaskElements / 2 / n, 1, kColTile);
  const Index chunks = (blocks + per_chunk - 1) / per_chunk;
  run(j, width, chunks, n, [&](Index offset, Index w, Index chunk, char* states) {
    const Index b0 = chunk * per_chunk, b1 = std::min(blocks, b0 + per_chunk), bytes = bytes_of(j.k, w);
    TaskStates mine(b1 - b0 > 1 ? (b1 - b0) * bytes : 0, j.x.data);
    char* to = b1 - b0 > 1 ? mine.get() : states;
    for (Index b = b0; b < b1; ++b) {
      const Index segment = b / per_run, start = b % per_run * kBlock;
      const Index first = segment * line.size + start, m = std::min(kBlock, line.size - start);
      const Index at = offset + j.nest.reduced.at(segment, 1).stride + start * line.stride;
      if (line.stride == 1 || m == 1) {
        j.k.inner(j.input(at), m, col_stride, 0, w, w, first, to + (b - b0) * bytes, j.parameter);
        continue;
      }
      alignas(64) char packed[kBlock * 16];
      for (Index c = 0; c < w; ++c) {
        pack(j.input(at + c * col_stride), j.item, line.stride, m, packed);
        j.k.inner(packed, m, 0, c, c + 1, w, first, to + (b - b0) * bytes, j.parameter);
      }
    }
    if (b1 - b0 > 1) {
      tree(j.k, to, b1 - b0, w);
      std::copy_n(to, bytes, states);
    }
  });
}

// Few columns whose rows lie end to end: rows are taken several at a time as one wide row, whose parts join at the
// end. Only for states of one plane.
Index fold_of(const Job& j, Index rows, Index row_stride, Index w) {
  const Index fold = 512 / w;
  return row_stride != w || w > 64 || rows < 2 * fold || j.k.planes != 1 ? 1 : fold;
}

// A kept dimension is innermost: kRowChunk rows become the states of one chunk.
void reduce_outer(const Job& j) {
  const Dim& rows = j.nest.reduced.d[0];
  const Index n = j.nest.reduced.count(), cols = j.nest.kept.d[0].size;
  const Index fold = fold_of(j, rows.size, rows.stride, cols);
  const Index per_chunk = kRowChunk * fold, per_segment = (rows.size + per_chunk - 1) / per_chunk;
  run(j, kColTile, n / rows.size * per_segment, std::min(n, per_chunk),
      [&](Index offset, Index w, Index chunk, char* states) {
        const Index segment = chunk / per_segment, r0 = chunk % per_segment * per_chunk;
        const Index m = std::min(per_chunk, rows.size - r0), first = segment * rows.size + r0;
        const Index at = offset + j.nest.reduced.at(segment, 1).stride + r0 * rows.stride;
        if (fold == 1 || m < 2 * fold) {
          j.k.outer(j.input(at), rows.stride, m, w, first, states, j.parameter);
          return;
        }
        const Index bytes = bytes_of(j.k, w), wide = m / fold;
        TaskStates mine(fold * bytes, j.x.data);
        j.k.outer(j.input(at), rows.stride * fold, wide, w * fold, first, mine.get(), j.parameter);
        tree(j.k, mine.get(), fold, w);
        std::copy_n(mine.get(), bytes, states);
        const Index rest = m - wide * fold;
        if (rest == 0) return;
        j.k.outer(j.input(at + wide * fold * rows.stride), rows.stride, rest, w, first, mine.get(), j.parameter);
        j.k.combine(states, mine.get(), w);
      });
}

// Nothing goes into any result: each is the reduction's value of the empty set.
void reduce_nothing(const Job& j) {
  const Index cols = j.nest.kept.d[0].size, width = std::min(cols, kColTile), outer = j.nest.kept.count() / cols;
  TaskStates states(bytes_of(j.k, width), nullptr);
  for (Index o = 0; o < outer; ++o)
    for (Index c = 0; c < cols; c += width) {
      const Index w = std::min(width, cols - c);
      j.k.outer(nullptr, 0, 0, w, 0, states.get(), j.parameter);
      j.finish(states.get(), w, o, c);
    }
}

bool keeps_positions(Reduction op) { return op >= Reduction::kArgMax && op <= Reduction::kMinWithIndex; }

const ReduceKernel* find_kernel(Reduction op, Dtype dtype) {
  switch (op) {
    case Reduction::kSum:
    case Reduction::kNanSum:
    case Reduction::kMean:
      return find_sum(op, dtype);
    case Reduction::kProd:
    case Reduction::kNorm1:
    case Reduction::kNorm2:
    case Reduction::kNormP:
    case Reduction::kNonzero:
      return find_product(op, dtype);
    case Reduction::kMax:
    case Reduction::kMin:
    case Reduction::kXor:
      return find_extremum(op, dtype);
    case Reduction::kAny:
    case Reduction::kAll:
      return dtype == Dtype::kBool ? find_extremum(op, dtype) : find_product(op, dtype);
    case Reduction::kVar:
    case Reduction::kStd:
    case Reduction::kVarMean:
    case Reduction::kStdMean:
      return find_moments(op, dtype);
    case Reduction::kLogSumExp:
      return find_logsumexp(op, dtype);
    default:
      return find_argument(op, dtype);
  }
}

View view_of(const TensorBase& t) {
  return {t.data(), t.dtype(), static_cast<int>(t.dim()), t.impl()->sizes(), t.impl()->strides()};
}

// A complex tensor as one of reals: the parts are two more results, innermost.
struct Parts {
  Index sizes[kMaxDims + 1], strides[kMaxDims + 1];
  View view;
  explicit Parts(const View& t) : view{t.data, to_real(t.dtype), t.dim + 1, sizes, strides} {
    check(t.dim < kMaxDims, "reduce: a complex tensor of ", kMaxDims, " dimensions cannot be reduced");
    for (int i = 0; i < t.dim; ++i)
      sizes[i] = t.sizes[i], strides[i] = 2 * t.strides[i];
    sizes[t.dim] = 2, strides[t.dim] = 1;
  }
};

void reduce_tensor(Reduction op, const TensorBase& out, const TensorBase& second, const TensorBase& self,
                   std::uint64_t dims, double parameter) {
  const View x = view_of(self), to = view_of(out);
  if (is_complex(x.dtype) && (op == Reduction::kSum || op == Reduction::kMean)) {
    const std::uint64_t mask = x.dim == 0 ? 0 : dims & (~std::uint64_t{0} >> (64 - x.dim));
    return reduce(op, Parts(x).view, mask, Parts(to).view, nullptr, parameter);
  }
  if (!second.defined()) return reduce(op, x, dims, to, nullptr, parameter);
  const View other = view_of(second);
  reduce(op, x, dims, to, &other, parameter);
}

}  // namespace

template <class A>
void store_results(const A* values, Index count, void* out, Index stride, Dtype out_dtype) {
  visit(out_dtype, [&](auto zero) {
    using T = decltype(zero);
    T* to = static_cast<T*>(out);
    for (Index i = 0; i < count; ++i) {
      if constexpr (std::is_same_v<T, bool>)
        to[i * stride] = values[i] != A{0};
      else if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        to[i * stride] = T(static_cast<float>(values[i]));
      else if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>)
        to[i * stride] = T(static_cast<typename T::value_type>(values[i]));
      else
        to[i * stride] = static_cast<T>(values[i]);
    }
  });
}
template void store_results(const float*, Index, void*, Index, Dtype);
template void store_results(const double*, Index, void*, Index, Dtype);
template void store_results(const std::uint8_t*, Index, void*, Index, Dtype);
template void store_results(const std::int8_t*, Index, void*, Index, Dtype);
template void store_results(const std::int16_t*, Index, void*, Index, Dtype);
template void store_results(const std::int32_t*, Index, void*, Index, Dtype);
template void store_results(const std::int64_t*, Index, void*, Index, Dtype);
template void store_results(const std::uint64_t*, Index, void*, Index, Dtype);

void reduce(Reduction op, const View& x, std::uint64_t mask, const View& out, const View* second, double parameter) {
  const ReduceKernel* k = find_kernel(op, x.dtype);
  check(k != nullptr, "reduce: no kernel for elements of dtype ", name(x.dtype));
  for (int i = 0; i < out.dim; ++i)
    if (out.sizes[i] == 0) return;
  Nest nest;
  make_nest(nest, x, mask, out, second, keeps_positions(op));
  const Job job{*k, nest, x, out, second, parameter};
  if (nest.reduced.count() == 0) return reduce_nothing(job);
  // Neighbours in memory are kept: reduce down the columns. Else along the rows.
  if (nest.kept.d[0].stride == 1 && nest.reduced.d[0].stride != 1 && nest.kept.d[0].size > 1)
    reduce_outer(job);
  else
    reduce_inner(job);
}

}  // namespace rushlight::cpu

namespace rushlight {

bool has_reduction(Reduction op, Dtype dtype) { return cpu::find_kernel(op, dtype) != nullptr; }

const Kernel<void(Reduction, const TensorBase&, const TensorBase&, const TensorBase&, std::uint64_t, double)>
    reduce_kernel(cpu::reduce_tensor);

}  // namespace rushlight
