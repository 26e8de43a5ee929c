// Kernels of prod, the vector norms, count_nonzero, and any and all of numbers.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/product.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>

#include "cpu/reduce/monoid-inl.h"

#ifndef RL_REDUCE_SCALAR_MONOID
#define RL_REDUCE_SCALAR_MONOID
namespace rushlight::cpu {
namespace {

using CountFunction = Index (*)(const void* x, Index n);

// Monoids that stay scalar: rare, or bound by a library function. Four accumulators along a run.
template <class Op, class T, class A>
struct ScalarMonoid {
  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index, Index, void* states, double p) {
    for (Index c = c0; c < c1; ++c) {
      const T* row = static_cast<const T*>(x) + (c - c0) * stride;
      if constexpr (std::is_integral_v<A>) {  // any order gives the same: the compiler may use vectors
        A all = Op::template identity<A>();
        for (Index i = 0; i < n; ++i)
          all = static_cast<A>(Op::combine(all, Op::template map<A>(row[i], p)));
        static_cast<A*>(states)[c] = all;
        continue;
      }
      A part[4] = {Op::template identity<A>(), Op::template identity<A>(), Op::template identity<A>(),
                   Op::template identity<A>()};
      for (Index i = 0; i < n; ++i)
        part[i & 3] = Op::combine(part[i & 3], Op::template map<A>(row[i], p));
      static_cast<A*>(states)[c] = Op::combine(Op::combine(part[0], part[1]), Op::combine(part[2], part[3]));
    }
  }
  static void outer(const void* x, Index stride, Index rows, Index cols, Index, void* states, double p) {
    A* s = static_cast<A*>(states);
    for (Index c = 0; c < cols; ++c)
      s[c] = Op::template identity<A>();
    const T* row = static_cast<const T*>(x);
    for (Index r = 0; r < rows; ++r, row += stride)
      for (Index c = 0; c < cols; ++c)
        s[c] = Op::combine(s[c], Op::template map<A>(row[c], p));
  }
  static void merge(void* a, const void* b, Index cols) {
    for (Index c = 0; c < cols; ++c)
      static_cast<A*>(a)[c] = Op::combine(static_cast<A*>(a)[c], static_cast<const A*>(b)[c]);
  }
  static void finish(const void* states, Index cols, Index, double p, const Source&, const Sink& sink) {
    const Index item = static_cast<Index>(item_size(sink.out_dtype));
    for (Index c = 0; c < cols; ++c) {
      const A value = Op::finish(static_cast<const A*>(states)[c], p);
      char* to = static_cast<char*>(sink.out) + c * sink.stride * item;
      if constexpr (std::is_arithmetic_v<A>)
        store_results(&value, 1, to, 1, sink.out_dtype);
      else
        *reinterpret_cast<A*>(to) = value;
    }
  }
  static constexpr ReduceKernel kernel() { return {sizeof(A), 1, inner, outer, merge, finish}; }
};

struct ScalarProd {
  template <class A>
  static A identity() {
    return A(1);
  }
  template <class A, class T>
  static A map(T x, double) {
    return static_cast<A>(x);
  }
  template <class A>
  static A combine(A a, A b) {
    // Wraps around instead of being undefined; complex needs no rescue of infinities here.
    if constexpr (std::is_integral_v<A>)
      return static_cast<A>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    else if constexpr (std::is_floating_point_v<A>)
      return a * b;
    else
      return A(a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real());
  }
  template <class A>
  static A finish(A a, double) {
    return a;
  }
};
struct NormP {
  template <class A>
  static A identity() {
    return A(0);
  }
  template <class A, class T>
  static A map(T x, double p) {
    return std::pow(std::fabs(static_cast<A>(x)), static_cast<A>(p));
  }
  template <class A>
  static A combine(A a, A b) {
    return a + b;
  }
  template <class A>
  static A finish(A a, double p) {
    return std::pow(a, static_cast<A>(1 / p));
  }
};
// Truth of elements that are no bools; NaN is true.
template <bool kAll>
struct Truth {
  template <class A>
  static A identity() {
    return A(kAll);
  }
  template <class A, class T>
  static A map(T x, double) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return (x.bits & 0x7fff) != 0;
    else
      return x != T(0);
  }
  template <class A>
  static A combine(A a, A b) {
    return kAll ? a & b : a | b;
  }
  template <class A>
  static A finish(A a, double) {
    return a;
  }
};
struct Nonzero {
  template <class A>
  static A identity() {
    return A(0);
  }
  template <class A, class T>
  static A map(T x, double) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
      return (x.bits & 0x7fff) != 0;
    else
      return x != T(0);
  }
  template <class A>
  static A combine(A a, A b) {
    return a + b;
  }
  template <class A>
  static A finish(A a, double) {
    return a;
  }
};

}  // namespace
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

struct Norm1 : AddOp, Plain {
  template <class A>
  static constexpr A identity() {
    return A{0};
  }
  template <class D, class V>
  static HWY_INLINE V map(D, V x, double) {
    return hn::Abs(x);
  }
};
struct Norm2 : Norm1 {
  template <class D, class V>
  static HWY_INLINE V map(D, V x, double) {
    return hn::Mul(x, x);
  }
  template <class A>
  static A finish(A a, Index, double) {
    return std::sqrt(a);
  }
};
struct Prod : Plain {
  template <class A>
  static constexpr A identity() {
    return A{1};
  }
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    return hn::Mul(a, b);
  }
};

template <class Op>
const ReduceKernel* floating(Dtype dtype) {
  static constexpr ReduceKernel kF32 = Monoid<Op, float, float>::kernel(), kF64 = Monoid<Op, double, double>::kernel(),
                                kF16 = Monoid<Op, Half, float>::kernel(), kBF16 = Monoid<Op, BFloat16, float>::kernel();
  switch (dtype) {
    case Dtype::kFloat32:
      return &kF32;
    case Dtype::kFloat64:
      return &kF64;
    case Dtype::kFloat16:
      return &kF16;
    case Dtype::kBFloat16:
      return &kBF16;
    default:
      return nullptr;
  }
}

}  // namespace

// How many of n elements are not zero, from their bits: those of floats without the sign.
template <class U, int kDropped>
Index count_bits(const void* x, Index n) {
  const Tag<U> d;
  constexpr Index kL = kLanes<U>, kStep = 4 * kL;
  constexpr Index kRounds = sizeof(U) == 1 ? 63 : 1 << 20;  // what a lane can count
  const U* p = static_cast<const U*>(x);
  const auto one = hn::Set(d, U{1});
  Index count = 0, i = 0;
  while (i + kStep <= n) {
    auto sum = hn::Zero(d);
    for (Index round = 0; round < kRounds && i + kStep <= n; ++round, i += kStep) {
#pragma GCC unroll 4
      for (Index u = 0; u < 4; ++u) {
        auto bits = hn::LoadU(d, p + i + u * kL);
        if constexpr (kDropped > 0) bits = hn::Add(bits, bits);
        sum = hn::Add(sum, hn::Min(one, bits));
      }
    }
    alignas(64) U lanes[kL];
    hn::Store(sum, d, lanes);
    for (const U lane : lanes)
      count += static_cast<Index>(lane);
  }
  for (; i < n; ++i)
    count += static_cast<U>(p[i] << kDropped) != 0;
  return count;
}
template <class T>
Index count_of(const void* x, Index n) {
  if constexpr (std::is_same_v<T, float>)
    return count_bits<std::uint32_t, 1>(x, n);
  else if constexpr (std::is_same_v<T, double>)
    return count_bits<std::uint64_t, 1>(x, n);
  else
    return count_bits<hwy::MakeUnsigned<T>, 0>(x, n);
}

const ReduceKernel* product_kernels(Reduction op, Dtype dtype) {
  if (op == Reduction::kNorm1) return floating<Norm1>(dtype);
  if (op == Reduction::kNorm2) return floating<Norm2>(dtype);
  return floating<Prod>(dtype);
}

CountFunction count_function(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat32:
      return count_of<float>;
    case Dtype::kFloat64:
      return count_of<double>;
    case Dtype::kBool:
    case Dtype::kUInt8:
    case Dtype::kInt8:
      return count_of<std::uint8_t>;
    case Dtype::kInt16:
    case Dtype::kUInt16:
      return count_of<std::uint16_t>;
    case Dtype::kInt32:
    case Dtype::kUInt32:
      return count_of<std::uint32_t>;
    case Dtype::kInt64:
    case Dtype::kUInt64:
      return count_of<std::uint64_t>;
    default:
      return nullptr;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const ReduceKernel*(Reduction, Dtype)> kProducts = RL_SIMD_TABLE(product_kernels);

static constexpr simd::Table<CountFunction(Dtype)> kCount = RL_SIMD_TABLE(count_function);

// Runs are counted by vectors.
template <class T>
struct NonzeroRuns : ScalarMonoid<Nonzero, T, std::int64_t> {
  using Plain = ScalarMonoid<Nonzero, T, std::int64_t>;
  static void inner(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index first, void* states,
                    double parameter) {
    const CountFunction count = kCount(kDtypeOf<T>);
    if (!count) return Plain::inner(x, n, stride, c0, c1, width, first, states, parameter);
    for (Index c = c0; c < c1; ++c)
      static_cast<std::int64_t*>(states)[c] = count(static_cast<const T*>(x) + (c - c0) * stride, n);
  }
  static const ReduceKernel* get() {
    static constexpr ReduceKernel kKernel = {sizeof(std::int64_t), 1, inner, Plain::outer, Plain::merge, Plain::finish};
    return &kKernel;
  }
};

// A, or the element itself where A is void.
template <class Op, class T, class A>
const ReduceKernel* scalar_kernel() {
  static constexpr ReduceKernel kKernel = ScalarMonoid<Op, T, A>::kernel();
  return &kKernel;
}

}  // namespace

const ReduceKernel* find_product(Reduction op, Dtype dtype) {
  if (op == Reduction::kNormP) {
    switch (dtype) {
      case Dtype::kFloat32:
        return scalar_kernel<NormP, float, float>();
      case Dtype::kFloat64:
        return scalar_kernel<NormP, double, double>();
      case Dtype::kFloat16:
        return scalar_kernel<NormP, Half, float>();
      case Dtype::kBFloat16:
        return scalar_kernel<NormP, BFloat16, float>();
      default:
        return nullptr;
    }
  }
  return visit(dtype, [&](auto zero) -> const ReduceKernel* {
    using T = decltype(zero);
    if (op == Reduction::kAny) return scalar_kernel<Truth<false>, T, std::uint8_t>();
    if (op == Reduction::kAll) return scalar_kernel<Truth<true>, T, std::uint8_t>();
    if (op == Reduction::kNonzero) return NonzeroRuns<T>::get();
    if (op == Reduction::kProd) {
      if constexpr (std::is_integral_v<T>) return scalar_kernel<ScalarProd, T, std::int64_t>();
      if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>)
        return scalar_kernel<ScalarProd, T, T>();
    }
    return kProducts(op, dtype);
  });
}

}  // namespace rushlight::cpu
#endif
