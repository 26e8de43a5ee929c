// Strided, transposing, filling and streaming moves.
#include "cpu/pointwise/moves.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/moves.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <algorithm>
#include <cstring>

#include "hwy/highway.h"

#ifndef RL_MOVES_BYTES16
#define RL_MOVES_BYTES16
namespace rushlight::pointwise {
struct Bytes16 {
  std::uint64_t low, high;
};
}  // namespace rushlight::pointwise
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

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

// The same 16 bytes of as many rows as d has blocks, `step` bytes apart.
template <class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const char* s, Index step) {
  using U = hn::TFromD<D>;
  if constexpr (hn::MaxLanes(d) * sizeof(U) == 16) {
    return hn::LoadU(d, reinterpret_cast<const U*>(s));
  } else {
    const hn::Half<D> half;
    const Index blocks = static_cast<Index>(hn::MaxLanes(half) * sizeof(U) / 16);
    return hn::Combine(d, load_blocks(half, s + blocks * step, step), load_blocks(half, s, step));
  }
}

// Elements of 16 bytes of as many rows as d has lanes: log2(n) perfect shuffles transpose n x n elements within each
// block (H. S. Stone, Parallel processing with the perfect shuffle, 1971).
template <class D>
HWY_INLINE void transpose_lanes(D d, const char* s, Index src_row, char* to, Index dst_row) {
  using U = hn::TFromD<D>;
  constexpr int kN = 16 / sizeof(U);
  hn::Vec<D> v[kN], w[kN];
#pragma GCC unroll 16
  for (int i = 0; i < kN; ++i)
    v[i] = load_blocks(d, s + i * src_row, kN * src_row);
#pragma GCC unroll 4
  for (int stage = 1; stage < kN; stage *= 2) {
#pragma GCC unroll 8
    for (int i = 0; i < kN / 2; ++i) {
      w[2 * i] = hn::InterleaveLower(d, v[i], v[i + kN / 2]);
      w[2 * i + 1] = hn::InterleaveUpper(d, v[i], v[i + kN / 2]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < kN; ++i)
      v[i] = w[i];
  }
#pragma GCC unroll 16
  for (int i = 0; i < kN; ++i)
    hn::StoreU(v[i], d, reinterpret_cast<U*>(to + i * dst_row));
}

// A tile is at most 256 bytes by 128 elements: results are written several lines in a row.
inline constexpr Index kTileBytes = 256, kTileColumns = 128;

// Copies rows that share cache sets, as those of a matrix 4 KB wide do, to `tile`, where they do not.
HWY_INLINE void spread_rows(const char* src, Index src_row, Index bytes, Index rows, std::uint8_t* tile, Index row) {
  const hn::ScalableTag<std::uint8_t> d;
  constexpr Index kBytes = static_cast<Index>(hn::MaxLanes(d));
  for (Index j = 0; j < rows; ++j, src += src_row, tile += row) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(src);
    Index i = 0;
    for (; i + kBytes <= bytes; i += kBytes)
      hn::Store(hn::LoadU(d, from + i), d, tile + i);
    if (i < bytes) std::memcpy(tile + i, from + i, static_cast<std::size_t>(bytes - i));
  }
}

template <class U>
HWY_INLINE void transpose_edge(const char* s, Index src_row, char* d, Index dst_row, Index rows, Index cols) {
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      std::memcpy(d + i * dst_row + j * static_cast<Index>(sizeof(U)),
                  s + j * src_row + i * static_cast<Index>(sizeof(U)), sizeof(U));
}

template <class U>
void transpose_tile(const char* src, Index src_row, char* dst, Index dst_row, Index rows, Index cols) {
  constexpr Index kItem = sizeof(U), kN = 16 / kItem, kSpread = kTileBytes + 64;
  // Where rows of the result are near each other, they stay in L1 however they are written; lines that are read do
  // unless all of a vector's share one set.
  const bool near = dst_row <= kTileColumns * kItem;
  alignas(64) std::uint8_t tile[kSpread * kTileColumns];
  if (src_row % (near ? 4096 : 1024) == 0) {
    spread_rows(src, src_row, rows * kItem, cols, tile, kSpread);
    src = reinterpret_cast<const char*>(tile);
    src_row = kSpread;
  }
  if constexpr (kN == 1) {
    transpose_edge<U>(src, src_row, dst, dst_row, rows, cols);
  } else {
    const hn::ScalableTag<U> d;
    const hn::CappedTag<U, static_cast<std::size_t>(kN)> d16;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(d));
    const Index whole = rows / kN * kN, vectors = cols / kLanes * kLanes, blocks = cols / kN * kN;
    const auto block = [&](auto tag, Index i, Index j) HWY_ATTR {
      transpose_lanes(tag, src + j * src_row + i * kItem, src_row, dst + i * dst_row + j * kItem, dst_row);
    };
    if (near) {
      for (Index j = 0; j < vectors; j += kLanes)
        for (Index i = 0; i < whole; i += kN)
          block(d, i, j);
    } else {
      for (Index i = 0; i < whole; i += kN)
        for (Index j = 0; j < vectors; j += kLanes)
          block(d, i, j);
    }
    for (Index j = vectors; j < blocks; j += kN)
      for (Index i = 0; i < whole; i += kN)
        block(d16, i, j);
    transpose_edge<U>(src + blocks * src_row, src_row, dst + blocks * kItem, dst_row, whole, cols - blocks);
    transpose_edge<U>(src + whole * kItem, src_row, dst + whole * dst_row, dst_row, rows - whole, cols);
  }
}

template <class U>
void transpose(const void* src, Index src_row, void* dst, Index dst_row, Index rows, Index cols) {
  constexpr Index kItem = sizeof(U), kTileRows = kTileBytes / kItem;
  for (Index i = 0; i < rows; i += kTileRows)
    for (Index j = 0; j < cols; j += kTileColumns)
      transpose_tile<U>(static_cast<const char*>(src) + j * src_row + i * kItem, src_row,
                        static_cast<char*>(dst) + i * dst_row + j * kItem, dst_row, std::min(kTileRows, rows - i),
                        std::min(kTileColumns, cols - j));
}

template <class U>
void zip(const void* first, const void* second, void* dst, Index n) {
  const U *a = static_cast<const U*>(first), *b = static_cast<const U*>(second);
  U* d = static_cast<U*>(dst);
  Index i = 0;
  if constexpr (sizeof(U) <= 8) {
    const hn::ScalableTag<U> tag;
    constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(tag));
    for (; i + kLanes <= n; i += kLanes)
      hn::StoreInterleaved2(hn::LoadU(tag, a + i), hn::LoadU(tag, b + i), tag, d + 2 * i);
  }
  for (; i < n; ++i) {
    d[2 * i] = a[i];
    d[2 * i + 1] = b[i];
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
  // The first and the last vector overlap the others: whole lines of a long result.
  hn::StoreU(hn::LoadU(d8, s), d8, d);
  const auto last = hn::LoadU(d8, s + bytes - kBytes);
  if (bytes <= 8 * kBytes) {
    for (Index i = kBytes; i < bytes - kBytes; i += kBytes)
      hn::StoreU(hn::LoadU(d8, s + i), d8, d + i);
    return hn::StoreU(last, d8, d + bytes - kBytes);
  }
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

template <class U>
void add_moves(Moves& m) {
  m.copy[sizeof(U)] = copy_strided<U>;
  m.transpose[sizeof(U)] = transpose<U>;
  m.zip[sizeof(U)] = zip<U>;
  m.fill[sizeof(U)] = fill_run<U>;
  m.blocks[sizeof(U)] = fill_blocks<U>;
}

void make_moves(Moves& m) {
  add_moves<std::uint8_t>(m);
  add_moves<std::uint16_t>(m);
  add_moves<std::uint32_t>(m);
  add_moves<std::uint64_t>(m);
  add_moves<Bytes16>(m);
  m.run = copy_bytes;
  m.stream = stream_bytes;
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pointwise {

static constexpr simd::Table<void(Moves&)> kMakeMoves = RL_SIMD_TABLE(make_moves);

const Moves& moves() {
  static const Moves best = [] {
    Moves m = {};
    kMakeMoves(m);
    return m;
  }();
  return best;
}

}  // namespace rushlight::pointwise
#endif
