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

// The neighbour of a half-type number is one in its own format, so its bits step. Inputs that do not move are float32.
template <class T>
T next_half(T from, T towards) {
  const float a = from, b = towards;
  if (std::isnan(a) || std::isnan(b)) return T(std::nanf(""));
  if (a == b) return towards;
  if (a == 0)
    from.bits = static_cast<std::uint16_t>((towards.bits & 0x8000u) | 1u);
  else
    from.bits = static_cast<std::uint16_t>((a < b) == (a > 0) ? from.bits + 1u : from.bits - 1u);
  return from;
}
template <class T>
void next_half_row(const TileArgs& t) {
  const auto value = [&](int k, std::int64_t i) {
    return t.moves[k] ? static_cast<const T*>(t.in[k])[i] : T(*static_cast<const float*>(t.in[k]));
  };
  for (std::int64_t i = 0; i < t.n; ++i)
    static_cast<T*>(t.out)[i] = next_half(value(0, i), value(1, i));
}
TileFn next_after(Dtype type) {
  if (type == Dtype::kFloat16) return by_rows<next_half_row<Half>>;
  if (type == Dtype::kBFloat16) return by_rows<next_half_row<BFloat16>>;
  return real2<NextAfter>(type);
}
TileFn rounds(Dtype type) { return is_integral(type) ? integer::same(type) : real1<RoundDecimals, 1>(type); }

template <class T>
void join_parts_row(const TileArgs& t) {
  const T *a = static_cast<const T*>(t.in[0]), *b = static_cast<const T*>(t.in[1]);
  auto* out = static_cast<std::complex<T>*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i)
    out[i] = {a[t.moves[0] ? i : 0], b[t.moves[1] ? i : 0]};
}
template <class T>
void join_polar_row(const TileArgs& t) {
  const T *a = static_cast<const T*>(t.in[0]), *b = static_cast<const T*>(t.in[1]);
  auto* out = static_cast<std::complex<T>*>(t.out);
  for (std::int64_t i = 0; i < t.n; ++i) {
    const T length = a[t.moves[0] ? i : 0], angle = b[t.moves[1] ? i : 0];
    out[i] = {length * std::cos(angle), length * std::sin(angle)};
  }
}
TileFn parts(Dtype type) {
  return type == Dtype::kFloat32   ? by_rows<join_parts_row<float>>
         : type == Dtype::kFloat64 ? by_rows<join_parts_row<double>>
                                   : nullptr;
}
TileFn polars(Dtype type) {
  return type == Dtype::kFloat32   ? by_rows<join_polar_row<float>>
         : type == Dtype::kFloat64 ? by_rows<join_polar_row<double>>
                                   : nullptr;
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
