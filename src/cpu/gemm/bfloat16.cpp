// The bfloat16 product on vdpbf16ps, which adds the products of two neighbouring pairs: twice the rate of float32. B is
// packed with two rows interleaved; rows of A are read in place, 32 bits at a time. Highway's targets stop before this
// instruction, so that the kernel is written with intrinsics, in one file.
#include "cpu/gemm/bfloat16.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "cpu/gemm/buffer.h"
#include "cpu/simd/targets.h"
#include "rushlight/parallel.h"

#if defined(__x86_64__) && defined(__GNUC__)
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")
#include <immintrin.h>
#define RL_HAS_BFLOAT16_KERNEL 1
#endif

namespace rushlight::gemm {

#ifdef RL_HAS_BFLOAT16_KERNEL
namespace {

#define RL_UNROLL _Pragma("GCC unroll 32")

constexpr Index kRows = 8, kVectors = 3, kLanes = 16;  // a tile: 24 accumulators of 32 registers
constexpr Index kDepth = 1024, kColumns = 192;         // a packed block of B: 384 KiB of L2
constexpr Index kHeight = 256;                         // rows of a task

Index round_up(Index n, Index to) { return (n + to - 1) / to * to; }

// Rows k and k + 1 of up to 16 columns as 16 pairs; what is outside is 0.
void pack_pairs(const BFloat16* row0, const BFloat16* row1, Index columns, std::uint32_t* to) {
  const __mmask16 mask = static_cast<__mmask16>(columns >= kLanes ? 0xffff : (1 << columns) - 1);
  const __m512i low = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, row0));
  const __m512i high = row1 ? _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(mask, row1)) : _mm512_setzero_si512();
  _mm512_storeu_si512(to, _mm512_or_si512(low, _mm512_slli_epi32(high, 16)));
}

// Rows [k0, k0 + depth) of one vector of columns: to[pair * kLanes + column].
void pack_vector(const View<BFloat16>& b, Index k0, Index depth, Index j0, Index columns, std::uint32_t* to) {
  const BFloat16* from = b.p + k0 * b.rs + j0 * b.cs;
  for (Index pair = 0; pair < (depth + 1) / 2; ++pair, to += kLanes) {
    const BFloat16 *row0 = from + 2 * pair * b.rs, *row1 = 2 * pair + 1 < depth ? row0 + b.rs : nullptr;
    if (b.cs == 1) {
      pack_pairs(row0, row1, columns, to);
      continue;
    }
    for (Index j = 0; j < kLanes; ++j) {
      const std::uint32_t low = j < columns ? row0[j * b.cs].bits : 0;
      const std::uint32_t high = j < columns && row1 ? row1[j * b.cs].bits : 0;
      to[j] = low | high << 16;
    }
  }
}

// Columns that are contiguous along k: the pairs are there already, and are transposed 16 by 16.
void pack_columns(const View<BFloat16>& b, Index k0, Index depth, Index j0, Index columns, std::uint32_t* to) {
  if (b.rs != 1 || columns < kLanes) return pack_vector(b, k0, depth, j0, columns, to);
  const BFloat16* from = b.p + k0 + j0 * b.cs;
  const __m512i index = _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                                           _mm512_set1_epi32(static_cast<int>(b.cs)));
  const Index whole = depth / 2;
  for (Index pair = 0; pair < whole; ++pair, to += kLanes)
    _mm512_storeu_si512(to, _mm512_i32gather_epi32(index, from + 2 * pair, 2));
  if (depth % 2) pack_vector(b, k0 + depth - 1, 1, j0, columns, to);
}

struct Tile {
  Index pairs;
  const BFloat16* a;  // rows contiguous along k
  Index a_row;
  const std::uint32_t* b;  // vectors of columns, each `b_step` pairs long
  Index b_step;
  float* c;
  Index c_row;
  bool add;
};

template <int kR, int kV>
void run_tile(const Tile& t) {
  __m512 sum[kR][kV];
  RL_UNROLL for (int r = 0; r < kR; ++r) RL_UNROLL for (int v = 0; v < kV; ++v) sum[r][v] =
      t.add ? _mm512_loadu_ps(t.c + r * t.c_row + v * kLanes) : _mm512_setzero_ps();
  const BFloat16* a = t.a;
  const std::uint32_t* b = t.b;
  for (Index pair = 0; pair < t.pairs; ++pair, a += 2, b += kLanes) {
    __m512bh column[kV];
    RL_UNROLL for (int v = 0; v < kV; ++v) column[v] = (__m512bh)_mm512_loadu_si512(b + v * t.b_step);
    RL_UNROLL for (int r = 0; r < kR; ++r) {
      std::int32_t two;
      std::memcpy(&two, a + r * t.a_row, sizeof(two));
      const __m512bh row = (__m512bh)_mm512_set1_epi32(two);
      RL_UNROLL for (int v = 0; v < kV; ++v) sum[r][v] = _mm512_dpbf16_ps(sum[r][v], row, column[v]);
    }
  }
  RL_UNROLL for (int r = 0; r < kR; ++r) RL_UNROLL for (int v = 0; v < kV; ++v)
      _mm512_storeu_ps(t.c + r * t.c_row + v * kLanes, sum[r][v]);
}

using TileFunction = void (*)(const Tile&);
template <std::size_t... I>
constexpr auto tile_table(std::index_sequence<I...>) {
  return std::array<TileFunction, sizeof...(I)>{
      &run_tile<static_cast<int>(I) / kVectors + 1, static_cast<int>(I) % kVectors + 1>...};
}
void run(Index rows, Index vectors, const Tile& t) {
  static constexpr auto kTable = tile_table(std::make_index_sequence<kRows * kVectors>());
  kTable[static_cast<std::size_t>((rows - 1) * kVectors + vectors - 1)](t);
}

// Rounded to nearest even; a NaN stays one.
void store_row(const float* from, Index n, BFloat16* to) {
  for (Index j = 0; j < n; j += kLanes) {
    const Index left = std::min(n - j, kLanes);
    const __mmask16 mask = static_cast<__mmask16>((1u << left) - 1);
    const __m512 x = _mm512_maskz_loadu_ps(mask, from + j);
    const __m512i bits = _mm512_castps_si512(x), one = _mm512_set1_epi32(1);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), one);
    const __m512i rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
    const __m512i result = _mm512_mask_blend_epi32(nan, _mm512_srli_epi32(rounded, 16), _mm512_set1_epi32(0x7fc0));
    _mm256_mask_storeu_epi16(to + j, mask, _mm512_cvtepi32_epi16(result));
  }
}
void store_row(const float* from, Index n, float* to) {
  std::memcpy(to, from, static_cast<std::size_t>(n) * sizeof(float));
}

// Rows [i0, i0 + rows) and columns [j0, j0 + columns) of C.
template <class Out>
void run_block(Index i0, Index rows, Index j0, Index columns, Index k, const View<BFloat16>& a, const View<BFloat16>& b,
               Out* c, Index n) {
  const Index width = round_up(columns, kLanes), vectors = width / kLanes, depth = std::min(k, kDepth);
  const Index step = round_up(depth, 2) / 2 * kLanes;  // of a packed vector of columns
  const Buffer<std::uint32_t> packed(vectors * step);
  const Buffer<float> sums(rows * width);
  for (Index k0 = 0; k0 < k; k0 += depth) {
    const Index part = std::min(depth, k - k0);
    for (Index v = 0; v < vectors; ++v)
      pack_columns(b, k0, part, j0 + v * kLanes, std::min(kLanes, columns - v * kLanes), packed.get() + v * step);
    for (Index i = 0; i < rows; i += kRows)
      for (Index v = 0; v < vectors; v += kVectors) {
        const Tile t{(part + 1) / 2, a.p + (i0 + i) * a.rs + k0,          a.rs,  packed.get() + v * step,
                     step,           sums.get() + i * width + v * kLanes, width, k0 > 0};
        run(std::min(kRows, rows - i), std::min(kVectors, vectors - v), t);
      }
  }
  for (Index i = 0; i < rows; ++i)
    store_row(sums.get() + i * width, columns, c + (i0 + i) * n + j0);
}

template <class Out>
void product(Index m, Index n, Index k, View<BFloat16> a, const View<BFloat16>& b, Out* c) {
  // Pairs of A are read as 32 bits: rows that are not contiguous, or end in half a pair, are copied.
  const Index even = round_up(k, 2);
  const bool copied = a.cs != 1 || even != k;
  const Buffer<BFloat16> rows(copied ? m * even : 0);
  if (copied) {
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < k; ++j)
        rows[i * even + j] = a.p[i * a.rs + j * a.cs];
      if (even != k) rows[i * even + k] = BFloat16();
    }
    a = {rows.get(), even, 1};
  }
  const Index down = (m + kHeight - 1) / kHeight, across = (n + kColumns - 1) / kColumns;
  parallel_for(down * across, [&](Index task) {
    const Index i0 = task % down * kHeight, j0 = task / down * kColumns;
    run_block(i0, std::min(kHeight, m - i0), j0, std::min(kColumns, n - j0), k, a, b, c, n);
  });
}

}  // namespace

bool has_bfloat16() {
  static const bool has = simd::level() == 2 && __builtin_cpu_supports("avx512bf16");
  return has;
}
void gemm_bfloat16(Index m, Index n, Index k, View<BFloat16> a, View<BFloat16> b, BFloat16* c) {
  product(m, n, k, a, b, c);
}
void gemm_bfloat16(Index m, Index n, Index k, View<BFloat16> a, View<BFloat16> b, float* c) {
  product(m, n, k, a, b, c);
}
#pragma GCC pop_options
#else
bool has_bfloat16() { return false; }
void gemm_bfloat16(Index, Index, Index, View<BFloat16>, View<BFloat16>, BFloat16*) {}
void gemm_bfloat16(Index, Index, Index, View<BFloat16>, View<BFloat16>, float*) {}
#endif

}  // namespace rushlight::gemm
