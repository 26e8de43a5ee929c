// Exact remainders, floors of quotients and distances: float32 and integers in vectors of float64, float64 by the
// C library.
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

// Quotients below 2^23: their product with the divisor is exact in float64, and so is the difference.
template <class D, class V>
HWY_INLINE hn::Mask<D> divides(D d, V a, V b) {
  return hn::And(hn::Lt(hn::Abs(a), hn::Mul(hn::Abs(b), constant(d, 8388608.0))),
                 hn::And(fn::between(d, hn::Abs(b), 1e-30, 1e30), fn::between(d, a, -1e30, 1e30)));
}
template <class D, class V>
HWY_INLINE V rest_of(D d, V a, V b) {  // of the truncated quotient, which may be one too large by rounding
  const V quotient = hn::Trunc(hn::Div(a, b));
  const V rest = hn::Sub(a, hn::Mul(quotient, b));
  const V zero = hn::Zero(d), step = hn::CopySign(hn::Abs(b), a);
  const auto over = hn::Lt(hn::Mul(hn::CopySign(hn::Set(d, 1.0), a), rest), zero);
  return hn::CopySign(hn::IfThenElse(over, hn::Add(rest, step), rest), a);
}

struct FmodSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto rest = [](auto dd, auto x, auto y) HWY_ATTR { return rest_of(dd, x, y); };
    return fn::pairwise(d, a, b, divides(d, a, b), rest, [](float x, float y) { return Fmod()(x, y); });
  }
};
struct RemainderSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto rest = [](auto dd, auto x, auto y) HWY_ATTR {
      const auto r = rest_of(dd, x, y);
      const auto zero = hn::Zero(dd);
      const auto moved = hn::IfThenElse(hn::Lt(hn::Mul(r, y), zero), hn::Add(r, y), r);
      return hn::IfThenElse(hn::Eq(r, zero), hn::CopySign(r, y), moved);
    };
    return fn::pairwise(d, a, b, divides(d, a, b), rest, [](float x, float y) { return Remainder()(x, y); });
  }
};
struct HypotSingle : Long {
  template <class D, class V>
  static HWY_INLINE V apply(D d, V a, V b) {
    const auto length = [](auto dd, auto x, auto y) HWY_ATTR {
      (void)dd;
      return hn::Sqrt(hn::MulAdd(x, x, hn::Mul(y, y)));
    };
    const auto good = hn::And(fn::between(d, a, -1e38, 1e38), fn::between(d, b, -1e38, 1e38));
    return fn::pairwise(d, a, b, good, length, [](float x, float y) { return Hypot()(x, y); });
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
