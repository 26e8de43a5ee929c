// Plain loops for real numbers: neighbours, rounding, complex numbers from their parts.
#include <cmath>

#include "cpu/pointwise/scalar-inl.h"
#include "cpu/pointwise/scalar.h"

namespace rushlight::pointwise {
namespace {

struct NextAfter {
  template <class T>
  T operator()(T a, T b) {
    return std::nextafter(a, b);
  }
};
// Rounds at a decimal place; `scale` is a power of ten, negative for places before the point.
struct RoundDecimals {
  template <class T>
  T operator()(T a, T scale) {
    return scale < 0 ? std::nearbyint(a / -scale) * -scale : std::nearbyint(a * scale) / scale;
  }
};

// The neighbour of a half-type number is one in its own format, so its bits step.
template <class T>
struct NextAfterBits {
  std::uint16_t operator()(std::uint16_t a, std::uint16_t b) {
    T x, y;
    x.bits = a;
    y.bits = b;
    const float from = x, to = y;
    if (std::isnan(from) || std::isnan(to)) return T(std::nanf("")).bits;
    if (from == to) return b;
    if (from == 0) return static_cast<std::uint16_t>((b & 0x8000u) | 1u);
    return static_cast<std::uint16_t>((from < to) == (from > 0) ? a + 1u : a - 1u);
  }
};
TileFn next_after(Dtype type) {
  if (type == Dtype::kFloat16)
    return scalar_loop<NextAfterBits<Half>, std::uint16_t, std::uint16_t, 0, std::uint16_t, std::uint16_t>;
  if (type == Dtype::kBFloat16)
    return scalar_loop<NextAfterBits<BFloat16>, std::uint16_t, std::uint16_t, 0, std::uint16_t, std::uint16_t>;
  return real2<NextAfter>(type);
}
TileFn rounds(Dtype type) { return is_integral(type) ? integer::same(type) : real1<RoundDecimals, 1>(type); }

template <class T>
void join_parts(const TileArgs& t) {
  const T *a = static_cast<const T*>(t.in[0]), *b = static_cast<const T*>(t.in[1]);
  auto* out = static_cast<std::complex<T>*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i)
    out[i] = {a[t.moves[0] ? i : 0], b[t.moves[1] ? i : 0]};
}
template <class T>
void join_polar(const TileArgs& t) {
  const T *a = static_cast<const T*>(t.in[0]), *b = static_cast<const T*>(t.in[1]);
  auto* out = static_cast<std::complex<T>*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i) {
    const T length = a[t.moves[0] ? i : 0], angle = b[t.moves[1] ? i : 0];
    out[i] = {length * std::cos(angle), length * std::sin(angle)};
  }
}
TileFn parts(Dtype type) {
  return type == Dtype::kFloat32 ? join_parts<float> : type == Dtype::kFloat64 ? join_parts<double> : nullptr;
}
TileFn polars(Dtype type) {
  return type == Dtype::kFloat32 ? join_polar<float> : type == Dtype::kFloat64 ? join_polar<double> : nullptr;
}
struct Angle {  // of a real number: 0 or pi
  template <class T>
  T operator()(T a) {
    return std::isnan(a) ? a : a < 0 ? static_cast<T>(M_PI) : T(0);
  }
};

constexpr Pointwise::ByLevel kNone{{nullptr, nullptr, nullptr}};

}  // namespace

constinit const Pointwise nextafter{"nextafter", TypeRule::kPromote, kNone, next_after};
constinit const Pointwise round_decimals{"round", TypeRule::kPromote, kNone, rounds};
constinit const Pointwise complex{"complex", TypeRule::kComplex, kNone, parts};
constinit const Pointwise polar{"polar", TypeRule::kComplex, kNone, polars};
constinit const Pointwise angle{"angle", TypeRule::kFloatingReal, kNone, real1<Angle>, complex_numbers::angle};

}  // namespace rushlight::pointwise
