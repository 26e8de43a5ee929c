// Exact remainders, floors of quotients and distances: float32 in its own vectors, integers in vectors of float64,
// float64 by the C library.
#include <atomic>
#include <cmath>

#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/remainder.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/functions-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                                 \
  X(fmod, kPromote, (exact<FmodSingle, IntegerFmod, ExactFmod>), modulos, nullptr, nullptr)                        \
  X(remainder, kPromote, (exact<RemainderSingle, IntegerRemainder, ExactRemainder>), remainders, nullptr, nullptr) \
  X(div_floor, kPromote, (integers<IntegerFloor, WideFloor, ExactFloor>), floors, nullptr, nullptr)                \
  X(hypot, kPromote, (single<HypotSingle>), real2<Hypot>, nullptr, nullptr)

#ifndef RL_REMAINDER_PLAIN
#define RL_REMAINDER_PLAIN
namespace rushlight::pointwise {
namespace {
struct ExactFloor {  // of int64 numbers; the lowest one by -1 wraps
  std::int64_t operator()(std::int64_t a, std::int64_t b) {
    if (b == -1) return static_cast<std::int64_t>(-static_cast<std::uint64_t>(a));
    const std::int64_t quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0));
  }
};
struct ExactFmod {
  std::int64_t operator()(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }
};
struct ExactRemainder {
  std::int64_t operator()(std::int64_t a, std::int64_t b) {
    const std::int64_t rest = ExactFmod()(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};
struct Fmod {
  template <class T>
  T operator()(T a, T b) {
    return std::fmod(a, b);
  }
};
struct Remainder {  // takes the sign of the divisor, also where it is zero
  template <class T>
  T operator()(T a, T b) {
    const T rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(rest, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  }
};
struct DivFloor {  // Python's rule: floor of the exact quotient, sign of zero kept
  template <class T>
  T operator()(T a, T b) {
    if (b == 0) return a / b;
    const T rest = std::fmod(a, b);
    T quotient = (a - rest) / b;
    if (rest != 0 && (b < 0) != (rest < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T(0), a / b);
    const T down = std::floor(quotient);
    return quotient - down > T(0.5) ? down + 1 : down;
  }
};
struct Hypot {
  template <class T>
  T operator()(T a, T b) {
    return std::hypot(a, b);
  }
};
TileFn floors(Dtype type) { return is_integral(type) ? integer::div_floor(type) : real2<DivFloor>(type); }
TileFn modulos(Dtype type) { return is_integral(type) ? integer::fmod(type) : real2<Fmod>(type); }
TileFn remainders(Dtype type) { return is_integral(type) ? integer::remainder(type) : real2<Remainder>(type); }
}  // namespace
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

// float32 quotients below 2^23, whose remainder a number holds: the rounded quotient reaches at most the next integer,
// and then the difference has the wrong sign. The divisor's range keeps products that are split from under- and
// overflow.
template <class D, class V>
HWY_INLINE hn::Mask<D> divides(D d, V quotient, V divisor) {
  return hn::And(hn::Lt(hn::Abs(quotient), constant(d, 8388608.0)), fn::between(d, divisor, 1e-30, 1e30));
}
struct FmodSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V x = hn::Abs(a), y = hn::Abs(b), quotient = hn::Trunc(hn::Div(x, y));
    const V rest = vm::Remainder(d, quotient, y, x);
    const V r = hn::IfThenElse(hn::Lt(rest, hn::Zero(d)), hn::Add(rest, y), rest);
    return fn::checked_pairs(d, a, b, hn::CopySign(r, a), divides(d, quotient, y),
                             [](float u, float v) { return Fmod()(u, v); });
  }
};
struct RemainderSingle : Long {  // with the signs of both changed where the divisor is negative
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V x = hn::Xor(a, hn::And(b, constant(d, -0.0))), y = hn::Abs(b), quotient = hn::Floor(hn::Div(x, y));
    const V rest = vm::Remainder(d, quotient, y, x);
    const V r = hn::IfThenElse(hn::Lt(rest, hn::Zero(d)), hn::Add(rest, y), rest);
    return fn::checked_pairs(d, a, b, hn::CopySign(r, b), divides(d, quotient, y),
                             [](float u, float v) { return Remainder()(u, v); });
  }
};
// Squares of numbers from 1e-15 to 1e18 keep their digits; others are scaled. Max and Min return their second operand
// where one is NaN, so that either NaN reaches the sum.
template <class D, class V>
HWY_INLINE V sum_of_squares(D d, V a, V b) {
  const V high = hn::Max(a, b), low = hn::Min(b, a);
  const vm::Pair<V> more = vm::Product(d, high, high), less = vm::Product(d, low, low);
  const vm::Pair<V> sum = vm::FastSum(more.hi, less);
  return hn::Add(sum.hi, hn::Add(sum.lo, more.lo));
}
template <class D, class V>
HWY_NOINLINE V far_hypot(D d, V a, V b, V y, hn::Mask<D> good) {
  const V inf = hn::Inf(d);
  const auto large = hn::Gt(hn::Max(a, b), constant(d, 1));
  const V scale = hn::IfThenElse(large, constant(d, 0x1p-70), constant(d, 0x1p100));
  const V back = hn::IfThenElse(large, constant(d, 0x1p70), constant(d, 0x1p-100));
  const V far = hn::Mul(hn::Sqrt(sum_of_squares(d, hn::Mul(a, scale), hn::Mul(b, scale))), back);
  return hn::IfThenElse(good, y, hn::IfThenElse(hn::Or(hn::Eq(a, inf), hn::Eq(b, inf)), inf, far));
}
struct HypotSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V x = hn::Abs(a), y = hn::Abs(b), sum = sum_of_squares(d, x, y), root = hn::Sqrt(sum);
    const auto good = fn::between(d, sum, 1e-30, 1e36);
    return HWY_LIKELY(hn::AllTrue(d, good)) ? root : far_hypot(d, x, y, root, good);
  }
};

// int32 quotients are never so near to an integer that rounding in float64 would reach it.
struct IntegerFloor {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const V quotient = hn::Floor(hn::Div(a, b)), beyond = constant(d, 2147483648.0);
    return hn::IfThenElse(hn::Eq(quotient, beyond), hn::Neg(beyond), quotient);  // the lowest number by -1 wraps
  }
};
struct WideFloor {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::Floor(hn::Div(a, b));
  }
};
struct IntegerRemainder {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::NegMulAdd(hn::Floor(hn::Div(a, b)), b, a);
  }
};
struct IntegerFmod {
  template <class D, class V>
  static HWY_INLINE V apply(D, V a, V b) {
    return hn::NegMulAdd(hn::Trunc(hn::Div(a, b)), b, a);
  }
};
template <class F>
void divide_int32(const TileArgs& t) {
  const hn::ScalableTag<double> dd;
  const hn::Rebind<std::int32_t, decltype(dd)> di;
  constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(dd));
  const auto *a = static_cast<const std::int32_t*>(t.in[0]), *b = static_cast<const std::int32_t*>(t.in[1]);
  auto* out = static_cast<std::int32_t*>(t.out);
  auto zeros = hn::Zero(dd);
  const auto one = [&](const std::int32_t* x, const std::int32_t* y, std::int32_t* to) HWY_ATTR {
    const auto divisor = hn::PromoteTo(dd, hn::LoadU(di, y));
    zeros = hn::Or(zeros, hn::VecFromMask(dd, hn::Eq(divisor, hn::Zero(dd))));
    hn::StoreU(hn::DemoteTo(di, F::apply(dd, hn::PromoteTo(dd, hn::LoadU(di, x)), divisor)), di, to);
  };
  const Index step_a = t.moves[0] ? kLanes : 0, step_b = t.moves[1] ? kLanes : 0;
  Index i = 0;
  for (; i + kLanes <= t.n; i += kLanes, a += step_a, b += step_b)
    one(a, b, out + i);
  if (i < t.n) {
    const auto bytes = static_cast<std::size_t>(t.n - i) * 4;
    HWY_ALIGN std::int32_t x[hn::MaxLanes(dd)], y[hn::MaxLanes(dd)], z[hn::MaxLanes(dd)];
    hn::Store(hn::Zero(di), di, x);
    hn::Store(hn::Set(di, 1), di, y);
    std::memcpy(x, a, bytes);
    std::memcpy(y, b, bytes);
    one(x, y, z);
    std::memcpy(out + i, z, bytes);
  }
  // Kernels run in threads and must not throw.
  const hn::RebindToSigned<decltype(dd)> d64;
  if (const auto bits = hn::BitCast(d64, zeros); !hn::AllTrue(d64, hn::Eq(bits, hn::Zero(d64))))
    std::atomic_ref(*t.fault).store(true, std::memory_order_relaxed);
}
// int64 numbers below 2^51 are exact in float64, and there, too, rounding does not reach the next integer. Vectors with
// larger ones go lane by lane.
template <class F, class Exact>
void divide_int64(const TileArgs& t) {
  const hn::ScalableTag<double> dd;
  const hn::RebindToSigned<decltype(dd)> di;
  constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(dd));
  constexpr double kMagic =
      6755399441055744.0;  // 1.5 * 2^52: its sum with an integer holds that integer in the low bits
  const auto magic = hn::Set(dd, kMagic);
  const auto magic_bits = hn::BitCast(di, magic), limit = hn::Set(di, std::int64_t{1} << 51), zero = hn::Zero(di);
  const auto to_double = [&](auto x) HWY_ATTR { return hn::Sub(hn::BitCast(dd, hn::Add(x, magic_bits)), magic); };
  const auto *a = static_cast<const std::int64_t*>(t.in[0]), *b = static_cast<const std::int64_t*>(t.in[1]);
  auto* out = static_cast<std::int64_t*>(t.out);
  bool fault = false;
  const auto one = [&](const std::int64_t* x, const std::int64_t* y, std::int64_t* to) HWY_ATTR {
    const auto dividend = hn::LoadU(di, x), divisor = hn::LoadU(di, y);
    const auto high = hn::ShiftRight<52>(hn::Or(hn::Add(dividend, limit), hn::Add(divisor, limit)));
    const auto bad = hn::Or(hn::Ne(high, zero), hn::Eq(divisor, zero));
    if (HWY_LIKELY(hn::AllFalse(di, bad))) {
      const auto result = F::apply(dd, to_double(dividend), to_double(divisor));
      hn::StoreU(hn::Sub(hn::BitCast(di, hn::Add(result, magic)), magic_bits), di, to);
      return;
    }
    for (Index i = 0; i < kLanes; ++i) {
      fault |= y[i] == 0;
      to[i] = y[i] == 0 ? 0 : Exact()(x[i], y[i]);
    }
  };
  const Index step_a = t.moves[0] ? kLanes : 0, step_b = t.moves[1] ? kLanes : 0;
  Index i = 0;
  for (; i + kLanes <= t.n; i += kLanes, a += step_a, b += step_b)
    one(a, b, out + i);
  if (i < t.n) {
    const auto bytes = static_cast<std::size_t>(t.n - i) * 8;
    HWY_ALIGN std::int64_t x[hn::MaxLanes(dd)], y[hn::MaxLanes(dd)], z[hn::MaxLanes(dd)];
    hn::Store(zero, di, x);
    hn::Store(hn::Set(di, 1), di, y);
    std::memcpy(x, a, bytes);
    std::memcpy(y, b, bytes);
    one(x, y, z);
    std::memcpy(out + i, z, bytes);
  }
  if (fault) std::atomic_ref(*t.fault).store(true, std::memory_order_relaxed);
}
template <class F, class Wide, class Exact>
TileFn integers(Dtype type) {
  return type == Dtype::kInt32   ? by_rows<divide_int32<F>>
         : type == Dtype::kInt64 ? by_rows<divide_int64<Wide, Exact>>
                                 : nullptr;
}
template <class F, class Integer, class Exact>
TileFn exact(Dtype type) {
  return type == Dtype::kFloat32 ? Binary<F, float>::kRun : integers<Integer, Integer, Exact>(type);
}
template <class F>
TileFn single(Dtype type) {
  return type == Dtype::kFloat32 ? Binary<F, float>::kRun : nullptr;
}

RL_LIST(RL_FIND)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pointwise {
RL_LIST(RL_DEFINE)
}  // namespace rushlight::pointwise
#endif
