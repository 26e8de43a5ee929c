// Plain loops for integers and bool: division, shifts and what vectors have no instruction for.
#include <atomic>
#include <cstring>

#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

namespace rushlight::pointwise {
namespace {

// Wraps around instead of overflowing: computes in the unsigned type of at least int's width.
template <class T>
using Wide = std::make_unsigned_t<std::conditional_t<(sizeof(T) < 4), std::int32_t, T>>;
template <class T, class F>
T wrap(T a, T b, F f) {
  return static_cast<T>(f(static_cast<Wide<T>>(a), static_cast<Wide<T>>(b)));
}
template <class T>
T plus(T a, T b) {
  return wrap(a, b, [](auto x, auto y) { return x + y; });
}
template <class T>
T minus(T a, T b) {
  return wrap(a, b, [](auto x, auto y) { return x - y; });
}
template <class T>
T times(T a, T b) {
  return wrap(a, b, [](auto x, auto y) { return x * y; });
}
inline bool plus(bool a, bool b) { return a || b; }
inline bool times(bool a, bool b) { return a && b; }
// MIN / -1 is its own negation here.
template <class T>
bool negates(T b) {
  return std::is_signed_v<T> && b == static_cast<T>(-1);
}

struct AddScaled {
  template <class T>
  T operator()(T a, T b, T s) {
    return plus(a, times(b, s));
  }
};
struct SubScaled {
  template <class T>
  T operator()(T a, T b, T s) {
    return minus(a, times(b, s));
  }
};
struct ReverseSubScaled {
  template <class T>
  T operator()(T a, T b, T s) {
    return minus(b, times(a, s));
  }
};
struct Mul {
  template <class T>
  T operator()(T a, T b) {
    return times(a, b);
  }
};
struct Square {
  template <class T>
  T operator()(T a) {
    return times(a, a);
  }
};
struct Neg {
  template <class T>
  T operator()(T a) {
    return minus(T(0), a);
  }
};
struct Abs {
  template <class T>
  T operator()(T a) {
    return a < 0 ? minus(T(0), a) : a;
  }
};
struct Sign {
  template <class T>
  T operator()(T a) {
    return static_cast<T>((a > 0) - (a < 0));
  }
};
struct Same {
  template <class T>
  T operator()(T a) {
    return a;
  }
};
struct DivTrunc {
  template <class T>
  T operator()(T a, T b) {
    return negates(b) ? minus(T(0), a) : static_cast<T>(a / b);
  }
};
struct DivFloor {
  template <class T>
  T operator()(T a, T b) {
    if (negates(b)) return minus(T(0), a);
    const T quotient = static_cast<T>(a / b);
    return static_cast<T>(quotient - (a % b != 0 && (a < 0) != (b < 0)));
  }
};
struct Fmod {
  template <class T>
  T operator()(T a, T b) {
    return negates(b) ? T(0) : static_cast<T>(a % b);
  }
};
struct Remainder {
  template <class T>
  T operator()(T a, T b) {
    if (negates(b)) return 0;
    const T rest = static_cast<T>(a % b);
    return rest != 0 && (rest < 0) != (b < 0) ? static_cast<T>(rest + b) : rest;
  }
};
struct Pow {
  template <class T>
  T operator()(T base, T exponent) {
    if constexpr (std::is_signed_v<T>) {
      if (exponent < 0) return base == 1 ? T(1) : base == T(-1) ? static_cast<T>(exponent % 2 ? -1 : 1) : T(0);
    }
    T result = 1;
    for (; exponent; exponent = static_cast<T>(exponent / 2)) {
      if (exponent % 2) result = times(result, base);
      base = times(base, base);
    }
    return result;
  }
};
struct Gcd {
  template <class T>
  T operator()(T a, T b) {
    while (a != 0) {
      const T rest = negates(a) ? T(0) : static_cast<T>(b % a);
      b = a;
      a = rest;
    }
    return Abs()(b);
  }
};
struct Lcm {  // needs the type itself, where a product wraps around without a sign
  template <class T>
  T operator()(T a, T b) {
    const T divisor = Gcd()(a, b);
    return divisor == 0 ? T(0) : times(Abs()(static_cast<T>(a / divisor)), Abs()(b));
  }
};
// A shift by a negative amount or by the width and more gives what an infinitely wide register would.
struct LeftShift {
  template <class T>
  T operator()(T a, T b) {
    constexpr int kWidth = static_cast<int>(sizeof(T)) * 8;
    return b < 0 || b >= static_cast<T>(kWidth) ? T(0) : static_cast<T>(static_cast<Wide<T>>(a) << b);
  }
};
struct RightShift {
  template <class T>
  T operator()(T a, T b) {
    constexpr int kLast = static_cast<int>(sizeof(T)) * 8 - std::is_signed_v<T>;
    return b < 0 || b >= static_cast<T>(kLast) ? static_cast<T>(std::is_signed_v<T> && a < 0 ? -1 : 0)
                                               : static_cast<T>(a >> b);
  }
};
struct Addcmul {
  template <class T>
  T operator()(T a, T b, T c) {
    return plus(a, times(b, c));
  }
};
struct AddcmulScaled {
  template <class T>
  T operator()(T a, T b, T c, T s) {
    return plus(a, times(times(s, b), c));
  }
};

template <class F, class T, int kParams = 0>
void loop1(const TileArgs& t) {
  scalar_loop<F, T, T, kParams, T>(t);
}
template <class F, class T, int kParams = 0>
void loop2(const TileArgs& t) {
  scalar_loop<F, T, T, kParams, T, T>(t);
}
template <class F, class T, int kParams = 0>
void loop3(const TileArgs& t) {
  scalar_loop<F, T, T, kParams, T, T, T>(t);
}
// Kernels run in threads and must not throw: a zero divisor gives 0 and is reported when all are done.
template <class F, class T>
void divide_row(const TileArgs& t) {
  const T *a = static_cast<const T*>(t.in[0]), *b = static_cast<const T*>(t.in[1]);
  T* out = static_cast<T*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i) {
    const T divisor = b[t.moves[1] ? i : 0];
    if (divisor == 0) std::atomic_ref(*t.fault).store(true, std::memory_order_relaxed);
    out[i] = divisor == 0 ? T(0) : F()(a[t.moves[0] ? i : 0], divisor);
  }
}
template <class F, class T>
void divide2(const TileArgs& t) {
  by_rows<divide_row<F, T>>(t);
}

#define RL_INTEGERS(loop, F, ...)                               \
  switch (type) {                                               \
    case Dtype::kUInt8:                                         \
      return loop<F, std::uint8_t __VA_OPT__(, ) __VA_ARGS__>;  \
    case Dtype::kInt8:                                          \
      return loop<F, std::int8_t __VA_OPT__(, ) __VA_ARGS__>;   \
    case Dtype::kInt16:                                         \
      return loop<F, std::int16_t __VA_OPT__(, ) __VA_ARGS__>;  \
    case Dtype::kInt32:                                         \
      return loop<F, std::int32_t __VA_OPT__(, ) __VA_ARGS__>;  \
    case Dtype::kInt64:                                         \
      return loop<F, std::int64_t __VA_OPT__(, ) __VA_ARGS__>;  \
    case Dtype::kUInt64:                                        \
      return loop<F, std::uint64_t __VA_OPT__(, ) __VA_ARGS__>; \
    default:                                                    \
      return nullptr;                                           \
  }

void true_row(const TileArgs& t) { std::memset(t.out, 1, static_cast<std::size_t>(t.n)); }
void false_row(const TileArgs& t) { std::memset(t.out, 0, static_cast<std::size_t>(t.n)); }

}  // namespace

namespace integer {
TileFn add_scaled(Dtype type) {
  if (type == Dtype::kBool) return loop2<AddScaled, bool, 1>;
  RL_INTEGERS(loop2, AddScaled, 1)
}
TileFn sub_scaled(Dtype type){RL_INTEGERS(loop2, SubScaled, 1)} TileFn
    rsub_scaled(Dtype type){RL_INTEGERS(loop2, ReverseSubScaled, 1)} TileFn
    mul(Dtype type){RL_INTEGERS(loop2, Mul)} TileFn square(Dtype type){RL_INTEGERS(loop1, Square)} TileFn
    neg(Dtype type){RL_INTEGERS(loop1, Neg)} TileFn abs(Dtype type) {
  if (type == Dtype::kBool) return loop1<Same, bool>;
  RL_INTEGERS(loop1, Abs)
}
TileFn sign(Dtype type) {
  if (type == Dtype::kBool) return loop1<Same, bool>;
  RL_INTEGERS(loop1, Sign)
}
TileFn same(Dtype type) {
  if (type == Dtype::kBool) return loop1<Same, bool>;
  RL_INTEGERS(loop1, Same)
}
TileFn div_floor(Dtype type){RL_INTEGERS(divide2, DivFloor)} TileFn
    div_trunc(Dtype type){RL_INTEGERS(divide2, DivTrunc)} TileFn
    remainder(Dtype type){RL_INTEGERS(divide2, Remainder)} TileFn fmod(Dtype type){RL_INTEGERS(divide2, Fmod)} TileFn
    pow(Dtype type){RL_INTEGERS(loop2, Pow)} TileFn gcd(Dtype type){RL_INTEGERS(loop2, Gcd)} TileFn lcm(Dtype type) {
  if (type == Dtype::kUInt16) return loop2<Lcm, std::uint16_t>;
  if (type == Dtype::kUInt32) return loop2<Lcm, std::uint32_t>;
  RL_INTEGERS(loop2, Lcm)
}
TileFn left_shift(Dtype type){RL_INTEGERS(loop2, LeftShift)} TileFn
    right_shift(Dtype type){RL_INTEGERS(loop2, RightShift)} TileFn
    addcmul(Dtype type){RL_INTEGERS(loop3, Addcmul)} TileFn
    addcmul_scaled(Dtype type){RL_INTEGERS(loop3, AddcmulScaled, 1)} TileFn yes(Dtype type) {
  return is_integral(type) ? by_rows<true_row> : nullptr;
}
TileFn no(Dtype type) { return is_integral(type) ? by_rows<false_row> : nullptr; }
}  // namespace integer

constexpr Pointwise::ByLevel kNone{{nullptr, nullptr, nullptr}};
constinit const Pointwise gcd{"gcd", TypeRule::kPromote, kNone, integer::gcd};
constinit const Pointwise lcm{"lcm", TypeRule::kPromote, kNone, integer::lcm};
constinit const Pointwise bitwise_left_shift{"bitwise_left_shift", TypeRule::kPromote, kNone, integer::left_shift};
constinit const Pointwise bitwise_right_shift{"bitwise_right_shift", TypeRule::kPromote, kNone, integer::right_shift};

}  // namespace rushlight::pointwise
