// Kernels of argmax, argmin and of max and min with indices: planes position (int64), value. The value and the first
// position of the block (kBlock elements of a run or kGroup rows) it came from are kept; finish() looks into that
// block once per result.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/argument.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/load-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr Index kGroup = 8;

// Op is MaxOp or MinOp. Elements are float, double, int32 or int64.
template <class Op, class T>
struct Argument {
  static constexpr bool kLargest = std::is_same_v<Op, MaxOp>;
  // NaN wins, ties keep b.
  static bool better(T a, T b) { return (kLargest ? a > b : a < b) || (a != a && b == b); }

  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index first, void* states,
                    double) {
    Index* position = static_cast<Index*>(states);
    T* value = reinterpret_cast<T*>(position + width);
    for (Index c = c0; c < c1; ++c) {
      value[c] = fold_run<Op, T>(static_cast<const T*>(x) + (c - c0) * stride, n, Op::template identity<T>(),
                                 [](auto v) HWY_ATTR { return v; });
      position[c] = first;
    }
  }

  // Positions are row numbers of the width of T here, in the second half of the position plane.
  static void outer(const void* x, Index stride, Index rows, Index cols, Index first, void* states, double) {
    const T* p = static_cast<const T*>(x);
    Index* position = static_cast<Index*>(states);
    T* value = reinterpret_cast<T*>(position + cols);
    I* at = reinterpret_cast<I*>(position);
    if constexpr (sizeof(T) == 4) at += cols;
    for (Index c = 0; c < cols; ++c)
      value[c] = Op::template identity<T>(), at[c] = 0;
    Index r = 0;
    for (; r + kGroup <= rows; r += kGroup, p += kGroup * stride)
      group<kGroup>(p, stride, cols, static_cast<I>(r), value, at);
    for (; r < rows; ++r, p += stride)
      group<1>(p, stride, cols, static_cast<I>(r), value, at);
    for (Index c = 0; c < cols; ++c) {
      const I row = at[c];
      position[c] = first + row;
    }
  }

  using I = hwy::MakeSigned<T>;
  template <Index kRows>
  static void group(const T* p, Index stride, Index cols, I row, T* value, I* at) {
    const Tag<T> d;
    const hn::Rebind<I, Tag<T>> di;
    constexpr Index kL = kLanes<T>;
    Index c = 0;
    for (; c + kL <= cols; c += kL) {
      const auto x = [&](Index i) HWY_ATTR { return hn::LoadU(d, p + c + i * stride); };
      auto m = x(0);
      if constexpr (kRows == 8) {
        const auto a = Op::combine(d, m, x(1)), b = Op::combine(d, x(2), x(3));
        const auto e = Op::combine(d, x(4), x(5)), f = Op::combine(d, x(6), x(7));
        m = Op::combine(d, Op::combine(d, a, b), Op::combine(d, e, f));
      }
      const auto old = hn::LoadU(d, value + c);
      const auto take = [&]() HWY_ATTR {
        if constexpr (hwy::IsFloat<T>()) {
          const auto keep = kLargest ? hn::Le(m, old) : hn::Ge(m, old);
          return hn::Not(hn::Or(keep, hn::IsNaN(old)));
        } else {
          return kLargest ? hn::Gt(m, old) : hn::Lt(m, old);
        }
      }();
      hn::StoreU(hn::IfThenElse(take, m, old), d, value + c);
      hn::StoreU(hn::IfThenElse(hn::RebindMask(di, take), hn::Set(di, row), hn::LoadU(di, at + c)), di, at + c);
    }
    for (; c < cols; ++c)
      for (Index i = 0; i < kRows; ++i)
        if (better(p[c + i * stride], value[c])) value[c] = p[c + i * stride], at[c] = row;
  }

  static void merge(void* a, const void* b, Index cols) {
    Index* ia = static_cast<Index*>(a);
    const Index* ib = static_cast<const Index*>(b);
    T* va = reinterpret_cast<T*>(ia + cols);
    const T* vb = reinterpret_cast<const T*>(ib + cols);
    for (Index c = 0; c < cols; ++c)
      if (better(vb[c], va[c])) va[c] = vb[c], ia[c] = ib[c];
  }

  // The first position from `at` on that holds `best` (or a NaN, if best is one).
  static Index find(const Source& s, Index column, Index at, T best) {
    const T* p = static_cast<const T*>(s.x) + column * s.col_stride;
    Index rest = at / s.size[0], i = at % s.size[0];
    for (int k = 1; k < s.ndim; ++k)
      p += rest % s.size[k] * s.stride[k], rest /= s.size[k];
    const Index n = s.size[0];
    const Tag<T> d;
    constexpr Index kL = kLanes<T>;
    if (s.stride[0] == 1) {
      const auto b = hn::Set(d, best);
      const auto search = [&](auto hit) HWY_ATTR {
        for (; i + 4 * kL <= n; i += 4 * kL) {
          const auto h0 = hit(i), h1 = hit(i + kL), h2 = hit(i + 2 * kL), h3 = hit(i + 3 * kL);
          if (hn::AllFalse(d, hn::Or(hn::Or(h0, h1), hn::Or(h2, h3)))) continue;
          std::intptr_t f = hn::FindFirstTrue(d, h0);
          if (f < 0) i += kL, f = hn::FindFirstTrue(d, h1);
          if (f < 0) i += kL, f = hn::FindFirstTrue(d, h2);
          if (f < 0) i += kL, f = hn::FindFirstTrue(d, h3);
          i += f;
          return;
        }
      };
      if constexpr (hwy::IsFloat<T>()) {
        if (best == best)
          search([&](Index k) HWY_ATTR { return hn::Eq(hn::LoadU(d, p + k), b); });
        else
          search([&](Index k) HWY_ATTR { return hn::IsNaN(hn::LoadU(d, p + k)); });
      } else {
        search([&](Index k) HWY_ATTR { return hn::Eq(hn::LoadU(d, p + k), b); });
      }
    }
    while (i < n - 1 && !(p[i * s.stride[0]] == best || p[i * s.stride[0]] != p[i * s.stride[0]]))
      ++i;
    return at - at % n + i;
  }

  template <bool kWithValue>
  static void finish(const void* states, Index cols, Index, double, const Source& source, const Sink& sink) {
    const Index* i = static_cast<const Index*>(states);
    const T* v = reinterpret_cast<const T*>(i + cols);
    for (Index c = 0; c < cols; ++c) {
      const Index found = find(source, c, i[c], v[c]);
      if constexpr (kWithValue) {
        store_results(v + c, 1,
                      static_cast<char*>(sink.out) + c * sink.stride * static_cast<Index>(item_size(sink.out_dtype)), 1,
                      sink.out_dtype);
        static_cast<Index*>(sink.second)[c * sink.second_stride] = found;
      } else {
        static_cast<Index*>(sink.out)[c * sink.stride] = found;
      }
    }
  }
};

template <class Op, class T>
const ReduceKernel* argument(bool with_value) {
  using K = Argument<Op, T>;
  static constexpr ReduceKernel kIndex = {8 + sizeof(T), 2, K::inner, K::outer, K::merge, K::template finish<false>},
                                kBoth = {8 + sizeof(T), 2, K::inner, K::outer, K::merge, K::template finish<true>};
  return with_value ? &kBoth : &kIndex;
}

template <class Op>
const ReduceKernel* of_dtype(Dtype dtype, bool with_value) {
  switch (dtype) {
    case Dtype::kFloat32:
      return argument<Op, float>(with_value);
    case Dtype::kFloat64:
      return argument<Op, double>(with_value);
    case Dtype::kInt32:
      return argument<Op, std::int32_t>(with_value);
    case Dtype::kInt64:
      return argument<Op, std::int64_t>(with_value);
    case Dtype::kUInt64:
      return argument<Op, std::uint64_t>(with_value);
    default:
      return nullptr;
  }
}

}  // namespace

const ReduceKernel* argument_kernels(Reduction op, Dtype dtype) {
  const bool with_value = op == Reduction::kMaxWithIndex || op == Reduction::kMinWithIndex;
  if (op == Reduction::kArgMax || op == Reduction::kMaxWithIndex) return of_dtype<MaxOp>(dtype, with_value);
  return of_dtype<MinOp>(dtype, with_value);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<const ReduceKernel*(Reduction, Dtype)> kArgument = RL_SIMD_TABLE(argument_kernels);
const ReduceKernel* find_argument(Reduction op, Dtype dtype) { return kArgument(op, dtype); }
}  // namespace rushlight::cpu
#endif
