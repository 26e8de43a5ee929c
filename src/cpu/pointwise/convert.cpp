// Conversion between dtypes, and strided, transposing and streaming moves. The plain loops are vectorised by the
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

#include "cpu/simd/half-inl.h"
#include "hwy/highway.h"

#ifndef RL_CONVERT_TABLE
#define RL_CONVERT_TABLE
namespace rushlight::pointwise {
struct ConvertTable {
  ConvertFn fn[kDtypes][kDtypes];
  Moves moves;
};
struct Bytes16 {
  std::uint64_t low, high;
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

// out[i] = the i-th element before `last`. Bytes go one by one.
template <class U>
void copy_reversed(const char* last, U* out, Index n) {
  const U* in = reinterpret_cast<const U*>(last);
  Index i = 0;
  if constexpr (sizeof(U) > 1) {
    const hn::ScalableTag<U> tag;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(tag));
    for (; i + kLanes <= n; i += kLanes)
      hn::StoreU(hn::Reverse(tag, hn::LoadU(tag, in - i - kLanes + 1)), tag, out + i);
  }
  for (; i < n; ++i)
    out[i] = in[-i];
}

template <class U>
void copy_strided(const void* src, Index src_stride, void* dst, Index dst_stride, Index n) {
  const char* s = static_cast<const char*>(src);
  char* d = static_cast<char*>(dst);
  if (dst_stride == static_cast<Index>(sizeof(U))) {
    U* out = static_cast<U*>(dst);
    if constexpr (sizeof(U) == 4 || sizeof(U) == 8) {
      if (src_stride == 2 * static_cast<Index>(sizeof(U))) {
        // Every other element: two loads, one shuffle. The last vector would read one too far.
        const hn::ScalableTag<U> tag;
        constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(tag));
        const U* in = static_cast<const U*>(src);
        Index i = 0;
        for (; i + kLanes < n; i += kLanes, in += 2 * kLanes)
          hn::StoreU(hn::ConcatEven(tag, hn::LoadU(tag, in + kLanes), hn::LoadU(tag, in)), tag, out + i);
        for (; i < n; ++i, in += 2)
          out[i] = *in;
        return;
      }
    }
    if constexpr (sizeof(U) <= 8) {
      if (src_stride == -static_cast<Index>(sizeof(U))) return copy_reversed<U>(s, out, n);
    }
    HWY_UNROLL(4)
    for (Index i = 0; i < n; ++i, s += src_stride)
      out[i] = *reinterpret_cast<const U*>(s);
    return;
  }
  for (Index i = 0; i < n; ++i)
    *reinterpret_cast<U*>(d + i * dst_stride) = *reinterpret_cast<const U*>(s + i * src_stride);
}

template <class U>
void fill_run(const void* value, void* dst, Index n) {
  const U v = *static_cast<const U*>(value);
  U* d = static_cast<U*>(dst);
  for (Index i = 0; i < n; ++i)
    d[i] = v;
}

template <class U>
HWY_INLINE void fill_block(const void* value, void* dst) {
  U* d = static_cast<U*>(dst);
  if constexpr (sizeof(U) > 8) {
    fill_run<U>(value, dst, kBlockBytes / static_cast<Index>(sizeof(U)));
  } else {
    const hn::ScalableTag<U> tag;
    constexpr size_t kLanes = hn::MaxLanes(tag);
    const auto v = hn::Set(tag, *static_cast<const U*>(value));
    HWY_UNROLL(16)
    for (size_t i = 0; i < static_cast<size_t>(kBlockBytes) / sizeof(U); i += kLanes)
      hn::Store(v, tag, d + i);
  }
}
template <class U>
void fill_blocks(const void* values, Index stride, void* dst, Index n) {
  for (Index i = 0; i < n; ++i)
    fill_block<U>(static_cast<const char*>(values) + i * stride, static_cast<char*>(dst) + i * kBlockBytes);
}

template <class U>
HWY_INLINE void transpose_edge(const char* s, Index src_row, char* d, Index dst_row, Index rows, Index cols) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      reinterpret_cast<U*>(d + i * dst_row)[j] = reinterpret_cast<const U*>(s + j * src_row)[i];
}

// An 8 x 8 block of 2-byte elements: rows a pair apart are interleaved three times, by 2, 4 and 8 bytes.
HWY_INLINE void transpose_halves(const char* s, Index src_row, char* d, Index dst_row) {
  const hn::CappedTag<std::uint16_t, 8> d2;
  const hn::RepartitionToWide<decltype(d2)> d4;
  const hn::RepartitionToWide<decltype(d4)> d8;
  const auto load = [&](Index j)
                        HWY_ATTR { return hn::LoadU(d2, reinterpret_cast<const std::uint16_t*>(s + j * src_row)); };
  const auto store = [&](auto v, Index i) HWY_ATTR {
    hn::StoreU(hn::BitCast(d2, v), d2, reinterpret_cast<std::uint16_t*>(d + i * dst_row));
  };
  // Columns 2c and 2c + 1 of eight rows, in the halves of their vectors.
  const auto columns = [&](auto r01, auto r23, auto r45, auto r67, Index first) HWY_ATTR {
    const auto a = hn::BitCast(d4, r01), b = hn::BitCast(d4, r23), c = hn::BitCast(d4, r45), e = hn::BitCast(d4, r67);
    const auto low = hn::BitCast(d8, hn::InterleaveLower(d4, a, b)),
               low2 = hn::BitCast(d8, hn::InterleaveLower(d4, c, e));
    const auto high = hn::BitCast(d8, hn::InterleaveUpper(d4, a, b)),
               high2 = hn::BitCast(d8, hn::InterleaveUpper(d4, c, e));
    store(hn::InterleaveLower(d8, low, low2), first);
    store(hn::InterleaveUpper(d8, low, low2), first + 1);
    store(hn::InterleaveLower(d8, high, high2), first + 2);
    store(hn::InterleaveUpper(d8, high, high2), first + 3);
  };
  const auto r0 = load(0), r1 = load(1), r2 = load(2), r3 = load(3), r4 = load(4), r5 = load(5), r6 = load(6),
             r7 = load(7);
  columns(hn::InterleaveLower(d2, r0, r1), hn::InterleaveLower(d2, r2, r3), hn::InterleaveLower(d2, r4, r5),
          hn::InterleaveLower(d2, r6, r7), 0);
  columns(hn::InterleaveUpper(d2, r0, r1), hn::InterleaveUpper(d2, r2, r3), hn::InterleaveUpper(d2, r4, r5),
          hn::InterleaveUpper(d2, r6, r7), 4);
}

// 4 x 4 blocks in 128-bit registers: the same code for every target, limited by the loads.
template <class U>
void transpose_tile(const void* src, Index src_row, void* dst, Index dst_row, Index rows, Index cols) {
  const char* s = static_cast<const char*>(src);
  char* d = static_cast<char*>(dst);
  if constexpr (sizeof(U) == 4) {
    const hn::CappedTag<std::uint32_t, 4> d4;
    const hn::RepartitionToWide<decltype(d4)> d2;
    const auto load = [&](Index j, Index i) HWY_ATTR {
      return hn::LoadU(d4, reinterpret_cast<const std::uint32_t*>(s + j * src_row) + i);
    };
    const auto store = [&](auto v, Index i, Index j) HWY_ATTR {
      hn::StoreU(hn::BitCast(d4, v), d4, reinterpret_cast<std::uint32_t*>(d + i * dst_row) + j);
    };
    const Index rows4 = rows / 4 * 4, cols4 = cols / 4 * 4;
    for (Index j = 0; j < cols4; j += 4) {
      for (Index i = 0; i < rows4; i += 4) {
        const auto a = load(j, i), b = load(j + 1, i), c = load(j + 2, i), e = load(j + 3, i);
        const auto ab_lo = hn::BitCast(d2, hn::InterleaveLower(d4, a, b));
        const auto ab_hi = hn::BitCast(d2, hn::InterleaveUpper(d4, a, b));
        const auto ce_lo = hn::BitCast(d2, hn::InterleaveLower(d4, c, e));
        const auto ce_hi = hn::BitCast(d2, hn::InterleaveUpper(d4, c, e));
        store(hn::InterleaveLower(d2, ab_lo, ce_lo), i, j);
        store(hn::InterleaveUpper(d2, ab_lo, ce_lo), i + 1, j);
        store(hn::InterleaveLower(d2, ab_hi, ce_hi), i + 2, j);
        store(hn::InterleaveUpper(d2, ab_hi, ce_hi), i + 3, j);
      }
    }
    transpose_edge<U>(s + rows4 * 4, src_row, d + rows4 * dst_row, dst_row, rows - rows4, cols4);
    transpose_edge<U>(s + cols4 * src_row, src_row, d + cols4 * 4, dst_row, rows, cols - cols4);
  } else if constexpr (sizeof(U) == 2) {
    const Index rows8 = rows / 8 * 8, cols8 = cols / 8 * 8;
    for (Index j = 0; j < cols8; j += 8)
      for (Index i = 0; i < rows8; i += 8)
        transpose_halves(s + j * src_row + i * 2, src_row, d + i * dst_row + j * 2, dst_row);
    transpose_edge<U>(s + rows8 * 2, src_row, d + rows8 * dst_row, dst_row, rows - rows8, cols8);
    transpose_edge<U>(s + cols8 * src_row, src_row, d + cols8 * 2, dst_row, rows, cols - cols8);
  } else {
    transpose_edge<U>(s, src_row, d, dst_row, rows, cols);
  }
}

// The C library's copy, whose string instruction is several times slower where source and result are aligned
// differently, only for short runs.
void copy_bytes(const void* src, void* dst, Index bytes) {
  const hn::ScalableTag<std::uint8_t> d8;
  constexpr Index kBytes = static_cast<Index>(hn::MaxLanes(d8));
  const std::uint8_t* s = static_cast<const std::uint8_t*>(src);
  std::uint8_t* d = static_cast<std::uint8_t*>(dst);
  if (bytes < 4 * kBytes) {
    std::memcpy(d, s, static_cast<std::size_t>(bytes));
    return;
  }
  // Whole lines of the result; the first and the last vector overlap them.
  hn::StoreU(hn::LoadU(d8, s), d8, d);
  const auto last = hn::LoadU(d8, s + bytes - kBytes);
  Index i = kBytes - (reinterpret_cast<Index>(d) & (kBytes - 1));
  for (; i + 4 * kBytes <= bytes; i += 4 * kBytes) {
    const auto a = hn::LoadU(d8, s + i), b = hn::LoadU(d8, s + i + kBytes);
    const auto c = hn::LoadU(d8, s + i + 2 * kBytes), e = hn::LoadU(d8, s + i + 3 * kBytes);
    hn::Store(a, d8, d + i);
    hn::Store(b, d8, d + i + kBytes);
    hn::Store(c, d8, d + i + 2 * kBytes);
    hn::Store(e, d8, d + i + 3 * kBytes);
  }
  for (; i + kBytes <= bytes; i += kBytes)
    hn::Store(hn::LoadU(d8, s + i), d8, d + i);
  hn::StoreU(last, d8, d + bytes - kBytes);
}

void stream_bytes(const void* src, void* dst, Index bytes) {
  const hn::ScalableTag<std::uint8_t> d8;
  constexpr Index kBytes = static_cast<Index>(hn::MaxLanes(d8));
  const std::uint8_t* s = static_cast<const std::uint8_t*>(src);
  std::uint8_t* d = static_cast<std::uint8_t*>(dst);
  const Index head = std::min(bytes, -reinterpret_cast<Index>(d) & (kBytes - 1));
  std::memcpy(d, s, static_cast<std::size_t>(head));
  Index i = head;
  for (; i + kBytes <= bytes; i += kBytes)
    hn::Stream(hn::LoadU(d8, s + i), d8, d + i);
  std::memcpy(d + i, s + i, static_cast<std::size_t>(bytes - i));
}

template <class C, class X>
void add_pair(ConvertTable& t) {
  t.fn[static_cast<int>(kDtypeOf<X>)][static_cast<int>(kDtypeOf<C>)] = convert_loop<X, C>;
  t.fn[static_cast<int>(kDtypeOf<C>)][static_cast<int>(kDtypeOf<X>)] = convert_loop<C, X>;
}
template <class C>
void add_conversions(ConvertTable& t) {
  add_pair<C, bool>(t);
  add_pair<C, std::uint8_t>(t);
  add_pair<C, std::int8_t>(t);
  add_pair<C, std::int16_t>(t);
  add_pair<C, std::int32_t>(t);
  add_pair<C, std::int64_t>(t);
  add_pair<C, Half>(t);
  add_pair<C, BFloat16>(t);
  add_pair<C, float>(t);
  add_pair<C, double>(t);
}
template <class U>
void add_moves(Moves& m) {
  m.copy[sizeof(U)] = copy_strided<U>;
  m.transpose[sizeof(U)] = transpose_tile<U>;
  m.fill[sizeof(U)] = fill_run<U>;
  m.blocks[sizeof(U)] = fill_blocks<U>;
}

void make_table(ConvertTable& t) {
  add_conversions<float>(t);
  add_conversions<double>(t);
  add_conversions<std::int32_t>(t);
  add_conversions<std::int64_t>(t);
  add_moves<std::uint8_t>(t.moves);
  add_moves<std::uint16_t>(t.moves);
  add_moves<std::uint32_t>(t.moves);
  add_moves<std::uint64_t>(t.moves);
  add_moves<Bytes16>(t.moves);
  t.moves.run = copy_bytes;
  t.moves.stream = stream_bytes;
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
  t.fn[static_cast<int>(kDtypeOf<X>)][static_cast<int>(kDtypeOf<C>)] = convert_complex<X, C>;
  t.fn[static_cast<int>(kDtypeOf<C>)][static_cast<int>(kDtypeOf<X>)] = convert_complex<C, X>;
}

constexpr simd::Table<void(ConvertTable&)> kMakeTable = RL_SIMD_TABLE(make_table);

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
    return t;
  }();
  return best;
}

}  // namespace

ConvertFn find_convert(Dtype from, Dtype to) { return table().fn[static_cast<int>(from)][static_cast<int>(to)]; }
const Moves& moves() { return table().moves; }

Dtype convert_through(Dtype from, Dtype to) {
  if (is_complex(from)) return to_real(from);
  if (is_complex(to)) return to_real(to);
  return is_reduced_float(from) || is_reduced_float(to) ? Dtype::kFloat32 : Dtype::kInt32;
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
