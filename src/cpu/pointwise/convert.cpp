// Conversion between dtypes. The plain loops are vectorised by the
// compiler for each target; half types use Highway or integer arithmetic.
#include "cpu/pointwise/convert.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/convert.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "core/float8.h"
#include "cpu/simd/half-inl.h"
#include "hwy/highway.h"

#ifndef RL_CONVERT_TABLE
#define RL_CONVERT_TABLE
namespace rushlight::pointwise {
struct ConvertTable {
  ConvertFn fn[kDtypes][kDtypes];
};
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace half = simd::HWY_NAMESPACE;

HWY_INLINE float from_bfloat(BFloat16 b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b.bits) << 16); }
// Rounds to nearest even; a NaN stays one. (Highway 1.0.3 truncates.)
HWY_INLINE BFloat16 to_bfloat(float f) {
  const std::uint32_t u = std::bit_cast<std::uint32_t>(f);
  const std::uint32_t rounded = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;
  BFloat16 b;
  b.bits = static_cast<std::uint16_t>(f != f ? 0x7fc0u : rounded);
  return b;
}

template <class To, class From>
HWY_INLINE To cast(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (std::is_same_v<From, BFloat16>)
    return cast<To>(from_bfloat(x));
  else if constexpr (std::is_same_v<To, bool>)
    return x != 0;
  else if constexpr (std::is_same_v<To, BFloat16>)
    return to_bfloat(static_cast<float>(x));
  // Through int32, which wraps like PyTorch and is vectorised.
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && sizeof(To) < 4)
    return static_cast<To>(static_cast<std::int32_t>(x));
  else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, std::uint32_t>)
    return static_cast<To>(static_cast<std::int64_t>(x));
  else if constexpr (std::is_floating_point_v<From> && std::is_same_v<To, std::uint64_t>)
    return x < From(0x1p63) ? static_cast<To>(static_cast<std::int64_t>(x))
                            : static_cast<To>(static_cast<std::int64_t>(x - From(0x1p63))) ^ To { 1 } << 63;
  else
    return static_cast<To>(x);
}

template <class From, class To>
void convert_loop(const void* HWY_RESTRICT src, void* HWY_RESTRICT dst, Index n) {
  if constexpr (std::is_same_v<From, To>) {
    std::memcpy(dst, src, static_cast<std::size_t>(n) * sizeof(From));
  } else if constexpr (std::is_same_v<From, Half> || std::is_same_v<To, Half>) {
    // One side is float16: vectors of float32, in pieces for the other types.
    const hn::ScalableTag<float> df;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(df));
    alignas(64) float f[kLanes] = {};
    alignas(64) std::uint16_t h[kLanes] = {};
    for (Index i = 0; i < n; i += kLanes) {
      const Index m = n - i < kLanes ? n - i : kLanes;
      if constexpr (std::is_same_v<From, Half>) {
        const std::uint16_t* s = static_cast<const std::uint16_t*>(src) + i;
        if (m < kLanes) {
          std::memcpy(h, s, static_cast<std::size_t>(m) * 2);
          s = h;
        }
        const auto v = half::load_half(df, reinterpret_cast<const Half*>(s));
        To* d = static_cast<To*>(dst) + i;
        if constexpr (std::is_same_v<To, float>) {
          if (m == kLanes) {
            hn::StoreU(v, df, d);
            continue;
          }
        }
        hn::Store(v, df, f);
        for (Index k = 0; k < m; ++k)
          d[k] = cast<To>(f[k]);
      } else {
        const From* s = static_cast<const From*>(src) + i;
        std::uint16_t* d = static_cast<std::uint16_t*>(dst) + i;
        if constexpr (std::is_same_v<From, float>) {
          if (m == kLanes) {
            half::store_half(df, hn::LoadU(df, s), reinterpret_cast<Half*>(d));
            continue;
          }
        }
        for (Index k = 0; k < m; ++k)
          f[k] = cast<float>(s[k]);
        half::store_half(df, hn::Load(df, f), reinterpret_cast<Half*>(h));
        std::memcpy(d, h, static_cast<std::size_t>(m) * 2);
      }
    }
  } else {
    const From* HWY_RESTRICT s = static_cast<const From*>(src);
    To* HWY_RESTRICT d = static_cast<To*>(dst);
    for (Index i = 0; i < n; ++i)
      d[i] = cast<To>(s[i]);
  }
}

template <Float8Format kFormat>
void from_float8(const void* HWY_RESTRICT src, void* HWY_RESTRICT dst, Index n) {
  const auto* s = static_cast<const std::uint8_t*>(src);
  auto* d = static_cast<float*>(dst);
  for (Index i = 0; i < n; ++i)
    d[i] = float8::kDecoded<kFormat>[s[i]];
}
template <Float8Format kFormat>
void to_float8(const void* HWY_RESTRICT src, void* HWY_RESTRICT dst, Index n) {
  const auto* s = static_cast<const float*>(src);
  auto* d = static_cast<std::uint8_t*>(dst);
  for (Index i = 0; i < n; ++i)
    d[i] = float8::encode<kFormat>(s[i]);
}
template <Float8Format kFormat>
void add_float8(ConvertTable& t) {
  const int type = index_of(kDtypeOf<Float8<kFormat>>), wide = index_of(Dtype::kFloat32);
  t.fn[type][wide] = from_float8<kFormat>;
  t.fn[wide][type] = to_float8<kFormat>;
}

template <class C, class X>
void add_pair(ConvertTable& t) {
  t.fn[index_of(kDtypeOf<X>)][index_of(kDtypeOf<C>)] = convert_loop<X, C>;
  t.fn[index_of(kDtypeOf<C>)][index_of(kDtypeOf<X>)] = convert_loop<C, X>;
}
template <class C>
void add_conversions(ConvertTable& t) {
  add_pair<C, bool>(t);
  add_pair<C, std::uint8_t>(t);
  add_pair<C, std::int8_t>(t);
  add_pair<C, std::int16_t>(t);
  add_pair<C, std::int32_t>(t);
  add_pair<C, std::int64_t>(t);
  add_pair<C, std::uint16_t>(t);
  add_pair<C, std::uint32_t>(t);
  add_pair<C, std::uint64_t>(t);
  add_pair<C, Half>(t);
  add_pair<C, BFloat16>(t);
  add_pair<C, float>(t);
  add_pair<C, double>(t);
}
void make_table(ConvertTable& t) {
  add_conversions<float>(t);
  add_conversions<double>(t);
  add_conversions<std::int32_t>(t);
  add_conversions<std::int64_t>(t);
  add_float8<Float8Format::kE4M3FN>(t);
  add_float8<Float8Format::kE5M2>(t);
  add_float8<Float8Format::kE4M3FNUZ>(t);
  add_float8<Float8Format::kE5M2FNUZ>(t);
  add_float8<Float8Format::kE8M0FNU>(t);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pointwise {
namespace {

// Complex numbers: the imaginary part is dropped on the way to a real type, as PyTorch does.
template <class From, class To>
void convert_complex(const void* src, void* dst, Index n) {
  const From* s = static_cast<const From*>(src);
  To* d = static_cast<To*>(dst);
  constexpr bool kFrom = is_complex(kDtypeOf<From>), kTo = is_complex(kDtypeOf<To>);
  for (Index i = 0; i < n; ++i) {
    if constexpr (kFrom && kTo) {
      using Part = typename To::value_type;
      d[i] = To(static_cast<Part>(s[i].real()), static_cast<Part>(s[i].imag()));
    } else if constexpr (kTo) {
      d[i] = To(static_cast<typename To::value_type>(s[i]));
    } else if constexpr (std::is_same_v<To, bool>) {
      d[i] = s[i].real() != 0 || s[i].imag() != 0;
    } else if constexpr (kFrom) {
      d[i] = static_cast<To>(s[i].real());
    }
  }
}
template <class C, class X>
void add_complex(ConvertTable& t) {
  t.fn[index_of(kDtypeOf<X>)][index_of(kDtypeOf<C>)] = convert_complex<X, C>;
  t.fn[index_of(kDtypeOf<C>)][index_of(kDtypeOf<X>)] = convert_complex<C, X>;
}

constexpr simd::Table<void(ConvertTable&)> kMakeTable = RL_SIMD_TABLE(make_table);

void from_complex_half(const void* src, void* dst, Index n) {
  convert(Dtype::kFloat16, Dtype::kFloat32, src, dst, 2 * n);
}
void to_complex_half(const void* src, void* dst, Index n) {
  convert(Dtype::kFloat32, Dtype::kFloat16, src, dst, 2 * n);
}

const ConvertTable& table() {
  static const ConvertTable best = [] {
    ConvertTable t = {};
    kMakeTable(t);
    // Real types other than these go through the complex type's own real type.
    add_complex<ComplexFloat, float>(t);
    add_complex<ComplexDouble, double>(t);
    add_complex<ComplexFloat, bool>(t);
    add_complex<ComplexDouble, bool>(t);
    add_complex<ComplexFloat, ComplexDouble>(t);
    t.fn[index_of(Dtype::kComplex32)][index_of(Dtype::kComplex64)] = from_complex_half;
    t.fn[index_of(Dtype::kComplex64)][index_of(Dtype::kComplex32)] = to_complex_half;
    return t;
  }();
  return best;
}

}  // namespace

ConvertFn find_convert(Dtype from, Dtype to) { return table().fn[index_of(from)][index_of(to)]; }

Dtype convert_through(Dtype from, Dtype to) {
  if (to == Dtype::kComplex32) return Dtype::kComplex64;
  if (from == Dtype::kComplex32)
    return is_complex(to) || to == Dtype::kBool || to == Dtype::kFloat32 ? Dtype::kComplex64 : Dtype::kFloat32;
  if (is_complex(from)) return to_real(from);
  if (is_complex(to)) return to_real(to);
  if (carrier(from) == Dtype::kFloat32 || carrier(to) == Dtype::kFloat32) return Dtype::kFloat32;
  return is_unsigned(from) && (is_unsigned(to) || to == Dtype::kBool) ? Dtype::kInt64 : Dtype::kInt32;
}

void convert(Dtype from, Dtype to, const void* src, void* dst, Index n) {
  if (from == to) {
    std::memcpy(dst, src, static_cast<std::size_t>(n) * item_size(to));
    return;
  }
  if (const ConvertFn direct = find_convert(from, to)) return direct(src, dst, n);
  const Dtype via = convert_through(from, to);
  alignas(64) char buffer[4096];
  const Index piece = static_cast<Index>(sizeof(buffer) / item_size(via));
  for (Index i = 0; i < n; i += piece) {
    const Index m = std::min(piece, n - i);
    const char* s = static_cast<const char*>(src) + i * static_cast<Index>(item_size(from));
    char* d = static_cast<char*>(dst) + i * static_cast<Index>(item_size(to));
    convert(from, via, s, buffer, m);
    find_convert(via, to)(buffer, d, m);
  }
}

}  // namespace rushlight::pointwise
#endif
