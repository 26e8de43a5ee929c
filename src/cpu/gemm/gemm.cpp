// Matrix products: the choice between the packed, the direct and the dot path.
#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/gemm/gemm.cpp"
#include "hwy/foreach_target.h"

#include "cpu/gemm/gemm-inl.h"
#include "hwy/highway.h"

#include <type_traits>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

#define RL_UNROLL _Pragma("GCC unroll 16")

// Sums BL accumulators across their lanes, giving one 128-bit vector of sums.
template <class D>
HWY_INLINE auto fold_blocks(D d, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) <= 16) {
    (void)d;
    return v;
  } else {
    const hn::Half<D> dh;
    return fold_blocks(dh, hn::Add(hn::LowerHalf(dh, v), hn::UpperHalf(dh, v)));
  }
}
template <class D, class V>
HWY_INLINE auto sum_across(D d, float, const V* x) {
  const hn::Repartition<double, D> d64;
  const auto t0 = hn::Add(hn::InterleaveLower(d, x[0], x[1]), hn::InterleaveUpper(d, x[0], x[1]));
  const auto t1 = hn::Add(hn::InterleaveLower(d, x[2], x[3]), hn::InterleaveUpper(d, x[2], x[3]));
  const auto w0 = hn::BitCast(d64, t0), w1 = hn::BitCast(d64, t1);
  return fold_blocks(
      d, hn::Add(hn::BitCast(d, hn::InterleaveLower(d64, w0, w1)), hn::BitCast(d, hn::InterleaveUpper(d64, w0, w1))));
}
template <class D, class V>
HWY_INLINE auto sum_across(D d, double, const V* x) {
  return fold_blocks(d, hn::Add(hn::InterleaveLower(d, x[0], x[1]), hn::InterleaveUpper(d, x[0], x[1])));
}

// MR rows of A times NR rows of B, both contiguous along k: dot products, nothing packed.
template <class T, int MR, int NR>
HWY_INLINE void dot_tile(Index k, const T* a, Index lda, const T* b, Index ldb, T* c, Index ldc, bool add,
                         const T* row_bias, const T* col_bias) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr Index L = kLanes<T>, BL = kBlock<T>;
  static_assert(NR % BL == 0, "");
  V acc[MR][NR];
  RL_UNROLL for (int i = 0; i < MR; ++i) RL_UNROLL for (int j = 0; j < NR; ++j) acc[i][j] = hn::Zero(d);
  Index kk = 0;
  for (; kk + L <= k; kk += L) {
    V av[MR];
    RL_UNROLL for (int i = 0; i < MR; ++i) av[i] = hn::LoadU(d, a + i * lda + kk);
    RL_UNROLL for (int j = 0; j < NR; ++j) {
      const V bv = hn::LoadU(d, b + j * ldb + kk);
      RL_UNROLL for (int i = 0; i < MR; ++i) acc[i][j] = hn::MulAdd(av[i], bv, acc[i][j]);
    }
  }
  if (kk < k) {
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(k - kk));
    V av[MR];
    RL_UNROLL for (int i = 0; i < MR; ++i) av[i] = load_part(d, mask, k - kk, a + i * lda + kk);
    RL_UNROLL for (int j = 0; j < NR; ++j) {
      const V bv = load_part(d, mask, k - kk, b + j * ldb + kk);
      RL_UNROLL for (int i = 0; i < MR; ++i) acc[i][j] = hn::MulAdd(av[i], bv, acc[i][j]);
    }
  }
  const hn::FixedTag<T, BL> d4;
  RL_UNROLL for (int i = 0; i < MR; ++i) {
    RL_UNROLL for (int j = 0; j < NR; j += BL) {
      auto sum = sum_across(d, T(), &acc[i][j]);
      T* out = c + i * ldc + j;
      if (add) sum = hn::Add(sum, hn::LoadU(d4, out));
      if (row_bias) sum = hn::Add(sum, hn::Set(d4, row_bias[i]));
      if (col_bias) sum = hn::Add(sum, hn::LoadU(d4, col_bias + j));
      hn::StoreU(sum, d4, out);
    }
  }
}

template <class T, int MR>
void dot_rows(Index n, Index k, const T* a, Index lda, const T* b, Index ldb, T* c, Index ldc, bool add,
              const T* row_bias, const T* col_bias) {
  constexpr Index BL = kBlock<T>;
  constexpr int NR = MR == 1 || (MR <= 3 && kMR == 8) ? 8 : 4;  // enough streams for L2's bandwidth
  Index j = 0;
  for (; j + NR <= n; j += NR)
    dot_tile<T, MR, NR>(k, a, lda, b + j * ldb, ldb, c + j, ldc, add, row_bias, col_bias ? col_bias + j : nullptr);
  // The last columns go through `tmp`. A tile moves back to end at n; below BL columns in all, the
  // tile repeats one row of B.
  while (j < n) {
    const Index left = n >= BL ? std::min(n - j, BL) : 1, skip = n >= BL ? BL - left : 0;
    T tmp[MR * BL] = {}, bias[BL] = {};
    for (Index x = 0; x < left; ++x) {
      if (col_bias) bias[skip + x] = col_bias[j + x];
      if (add)
        for (int i = 0; i < MR; ++i)
          tmp[i * BL + skip + x] = c[i * ldc + j + x];
    }
    dot_tile<T, MR, BL>(k, a, lda, b + (j - skip) * ldb, n >= BL ? ldb : 0, tmp, BL, add, row_bias, bias);
    for (int i = 0; i < MR; ++i)
      for (Index x = 0; x < left; ++x)
        c[i * ldc + j + x] = tmp[i * BL + skip + x];
    j += left;
  }
}

// Rows of a dot tile: accumulators rows * 4 + rows of A + 1 of B.
constexpr int kDotMR = HWY_TARGET <= HWY_AVX3 ? 6 : 3;

template <class T>
void dot_gemm(Index m, Index n, Index k, const T* a, Index lda, const T* b, Index ldb, T* c, Index ldc, bool add,
              const Epilogue<T>& ep) {
  using Fn = void (*)(Index, Index, const T*, Index, const T*, Index, T*, Index, bool, const T*, const T*);
  static constexpr Fn kFns[6] = {dot_rows<T, 1>,        dot_rows<T, 2>,        dot_rows<T, 3>,
                                 dot_rows < T,          kDotMR >= 4 ? 4 : 1 >, dot_rows < T,
                                 kDotMR >= 5 ? 5 : 1 >, dot_rows < T,          kDotMR >= 6 ? 6 : 1 > };
  const Index tiles = ceil_div(m, kDotMR);
  // Blocks of B's rows that stay in L2 while every row tile passes over them.
  const Index nb =
      std::max<Index>(8, std::min<Index>(n, 262144 / (static_cast<Index>(sizeof(T)) * std::max<Index>(k, 1))) / 8 * 8);
  for (Index j0 = 0; j0 < n; j0 += nb) {
    const Index nc = std::min(nb, n - j0);
    for (Index it = 0; it < tiles; ++it) {
      const Index i0 = split_at(m, tiles, it), rows = split_at(m, tiles, it + 1) - i0;
      kFns[rows - 1](nc, k, a + i0 * lda, lda, b + j0 * ldb, ldb, c + i0 * ldc + j0, ldc, add,
                     ep.row_bias ? ep.row_bias + i0 : nullptr, ep.col_bias ? ep.col_bias + j0 : nullptr);
    }
  }
}

// Row-major B in place, in pieces of rows and of columns.
template <class T>
void direct_gemm(Index m, Index n, Index k, const View<T>& a, const View<T>& b, T* c, Index ldc, bool add,
                 const Epilogue<T>& ep) {
  constexpr Index L = kLanes<T>;
  const Index wanted = std::max<Index>(1, m * n * k / kTaskWork), tiles = ceil_div(m, kMR),
              strips = ceil_div(n, kNV * L);
  const Index m_parts = std::min(wanted, ceil_div(tiles, 4)), n_parts = std::min(ceil_div(wanted, m_parts), strips);
  parallel_for(m_parts * n_parts, [&](Index task) {
    const Index mp = task / n_parts, np = task % n_parts;
    const Index i0 = split_at(tiles, m_parts, mp) * kMR, i1 = std::min(m, split_at(tiles, m_parts, mp + 1) * kMR);
    const Index j0 = split_at(strips, n_parts, np) * kNV * L,
                j1 = std::min(n, split_at(strips, n_parts, np + 1) * kNV * L);
    Epilogue<T> part = ep;
    if (part.row_bias) part.row_bias += i0;
    if (part.col_bias) part.col_bias += j0;
    run_block(Block<T>{
        i1 - i0, j1 - j0, k, {a.p + i0 * a.rs, a.rs, a.cs}, b.p + j0, b.rs, c + i0 * ldc + j0, ldc, add, part});
  });
}

// A row times a row-major matrix: eight rows of B at a time pass over C, so that B is read in the order of memory.
template <class T>
void row_gemm(Index n, Index k, const T* a, Index a_step, const View<T>& b, T* c, bool add, const Epilogue<T>& ep) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr Index L = kLanes<T>;
  constexpr int kDeep = 8;
  const T start = ep.row_bias ? ep.row_bias[0] : T(0);
  for (Index j = 0; j < n; ++j)
    c[j] = (add ? c[j] : T(0)) + start + (ep.col_bias ? ep.col_bias[j] : T(0));
  Index z = 0;
  const auto rows = [&](auto count) HWY_ATTR {
    constexpr int kCount = decltype(count)();
    V av[kCount];
    const T* row[kCount];
    RL_UNROLL for (int i = 0; i < kCount; ++i) {
      av[i] = hn::Set(d, a[(z + i) * a_step]);
      row[i] = b.p + (z + i) * b.rs;
    }
    Index j = 0;
    for (; j + L <= n; j += L) {
      V sum = hn::LoadU(d, c + j);
      RL_UNROLL for (int i = 0; i < kCount; ++i) sum = hn::MulAdd(av[i], hn::LoadU(d, row[i] + j), sum);
      hn::StoreU(sum, d, c + j);
    }
    if (j == n) return;
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(n - j));
    V sum = load_part(d, mask, n - j, c + j);
    RL_UNROLL for (int i = 0; i < kCount; ++i) sum = hn::MulAdd(av[i], load_part(d, mask, n - j, row[i] + j), sum);
    store_part(d, sum, mask, n - j, c + j);
  };
  for (; z + kDeep <= k; z += kDeep)
    rows(std::integral_constant<int, kDeep>());
  for (; z < k; ++z)
    rows(std::integral_constant<int, 1>());
}

// The outer product of two vectors, the second one contiguous: a piece of it stays in registers while it passes all
// rows, since a load between stores of whole pages waits for those that look alike in their last 12 bits.
template <class T>
void outer_gemm(Index m, Index n, const View<T>& a, const T* b, T* c, Index ldc) {
  const hn::ScalableTag<T> d;
  constexpr Index L = kLanes<T>;
  constexpr int kVectors = HWY_TARGET <= HWY_AVX3 ? 16 : 8;
  constexpr Index kRows = 32;  // pages that the processor knows at a time
  parallel_ranges(m, kRows, [&](Index begin, Index end) {
    Index j = 0;
    for (; j + kVectors * L <= n; j += kVectors * L) {
      hn::Vec<decltype(d)> v[kVectors];
      RL_UNROLL for (int i = 0; i < kVectors; ++i) v[i] = hn::LoadU(d, b + j + i * L);
      for (Index r = begin; r < end; ++r) {
        const auto factor = hn::Set(d, a.p[r * a.rs]);
        T* const to = c + r * ldc + j;
        RL_UNROLL for (int i = 0; i < kVectors; ++i) hn::StoreU(hn::Mul(factor, v[i]), d, to + i * L);
      }
    }
    for (; j < n; j += L) {
      const Index left = std::min(L, n - j);
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(left));
      const auto v = load_part(d, mask, left, b + j);
      for (Index r = begin; r < end; ++r)
        store_part(d, hn::Mul(hn::Set(d, a.p[r * a.rs]), v), mask, left, c + r * ldc + j);
    }
  });
}

// A single element, in pieces that do not depend on the number of threads.
template <class T>
T dot_of(Index k, const T* a, const T* b) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr Index L = kLanes<T>;
  constexpr int kChains = 8;
  V sum[kChains];
  RL_UNROLL for (int i = 0; i < kChains; ++i) sum[i] = hn::Zero(d);
  Index z = 0;
  for (; z + kChains * L <= k; z += kChains * L)
    RL_UNROLL for (int i = 0; i < kChains; ++i) sum[i] =
        hn::MulAdd(hn::LoadU(d, a + z + i * L), hn::LoadU(d, b + z + i * L), sum[i]);
  for (; z + L <= k; z += L)
    sum[0] = hn::MulAdd(hn::LoadU(d, a + z), hn::LoadU(d, b + z), sum[0]);
  if (z < k) {
    const auto mask = hn::FirstN(d, static_cast<std::size_t>(k - z));
    sum[1] = hn::MulAdd(load_part(d, mask, k - z, a + z), load_part(d, mask, k - z, b + z), sum[1]);
  }
  RL_UNROLL for (int i = kChains / 2; i > 0; i /= 2) RL_UNROLL for (int j = 0; j < i; ++j) sum[j] =
      hn::Add(sum[j], sum[j + i]);
  return hn::GetLane(hn::SumOfLanes(d, sum[0]));
}
template <class T>
T long_dot(Index k, const T* a, const T* b) {
  constexpr Index kPiece = 1 << 16;
  if (k <= kPiece) return dot_of(k, a, b);
  const Index pieces = ceil_div(k, kPiece);
  std::vector<T> sums(static_cast<std::size_t>(pieces));
  parallel_for(pieces, [&](Index i) {
    sums[static_cast<std::size_t>(i)] = dot_of(std::min(kPiece, k - i * kPiece), a + i * kPiece, b + i * kPiece);
  });
  T total = 0;
  for (const T sum : sums)
    total += sum;
  return total;
}

// A handful of products, where packing costs more than they do (4x4 by 4x4: 20 instead of 75 ns).
constexpr Index kTinyWork = 128;
template <class T>
void tiny_gemm(Index m, Index n, Index k, const View<T>& a, const View<T>& b, T* c, Index ldc, bool add,
               const Epilogue<T>& ep) {
  const hn::CappedTag<T, 1> one;
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j) {
      auto sum = hn::Zero(one);
      for (Index z = 0; z < k; ++z)
        sum = hn::MulAdd(hn::Set(one, a.p[i * a.rs + z * a.cs]), hn::Set(one, b.p[z * b.rs + j * b.cs]), sum);
      T* const to = c + i * ldc + j;
      *to = hn::GetLane(sum) + (add ? *to : T(0)) + (ep.row_bias ? ep.row_bias[i] : T(0)) +
            (ep.col_bias ? ep.col_bias[j] : T(0));
    }
}

template <class T>
void gemm_t(Index m, Index n, Index k, const View<T>& a, const View<T>& b, T* c, Index ldc, bool add,
            const Epilogue<T>& ep, Path path) {
  // B' row-major (a Linear's weight). Its dot tiles pay a fixed sum across lanes for each element
  // of C, the packed path a transpose of B for each element of B: m against k decides.
  const bool dot_ok = a.cs == 1 && b.rs == 1;
  if (m == 1 && n == 1 && dot_ok && path == Path::kAny) {
    const T sum = long_dot(k, a.p, b.p);
    *c = (add ? *c : T(0)) + sum + (ep.row_bias ? *ep.row_bias : T(0)) + (ep.col_bias ? *ep.col_bias : T(0));
    return;
  }
  if (k == 1 && (b.cs == 1 || n == 1) && !add && !ep.row_bias && !ep.col_bias && path == Path::kAny)
    return outer_gemm(m, n, a, b.p, c, ldc);
  if (m == 1 && n >= kLanes<T> && b.cs == 1 && path == Path::kAny) {
    constexpr Index kColumns = 512;
    const Index parts = std::max<Index>(1, std::min(n / kColumns, n * k / kTaskWork));
    return parallel_for(parts, [&](Index task) {
      const Index j0 = split_at(n, parts, task), j1 = split_at(n, parts, task + 1);
      Epilogue<T> part = ep;
      if (part.col_bias) part.col_bias += j0;
      row_gemm(j1 - j0, k, a.p, a.cs, View<T>{b.p + j0, b.rs, 1}, c + j0, add, part);
    });
  }
  if (dot_ok && (path == Path::kAny ? m <= 2 || 8 * m <= k : path == Path::kDot)) {
    const Index parts = std::max<Index>(1, std::min(n / 32, m * n * k / (kTaskWork / 4)));
    return parallel_for(parts, [&](Index task) {
      const Index j0 = split_at(n / 8, parts, task) * 8,
                  j1 = task + 1 == parts ? n : split_at(n / 8, parts, task + 1) * 8;
      Epilogue<T> part = ep;
      if (part.col_bias) part.col_bias += j0;
      dot_gemm(m, j1 - j0, k, a.p, a.rs, b.p + j0 * b.cs, b.cs, c + j0, ldc, add, part);
    });
  }
  if (b.cs == 1 && (path == Path::kAny ? in_place<T>(m, n, k) : path == Path::kDirect))
    return direct_gemm(m, n, k, a, b, c, ldc, add, ep);
  if (m * n * k <= kTinyWork && path == Path::kAny) return tiny_gemm(m, n, k, a, b, c, ldc, add, ep);
  packed_gemm(m, n, k, a, StridedB<T>{b}, c, ldc, add, ep);
}
void gemm_f32(Index m, Index n, Index k, const View<float>& a, const View<float>& b, float* c, Index ldc, bool add,
              const Epilogue<float>& ep, Path path) {
  gemm_t(m, n, k, a, b, c, ldc, add, ep, path);
}
void gemm_f64(Index m, Index n, Index k, const View<double>& a, const View<double>& b, double* c, Index ldc, bool add,
              const Epilogue<double>& ep, Path path) {
  gemm_t(m, n, k, a, b, c, ldc, add, ep, path);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::gemm {
namespace {

// Without products C is its bias.
template <class T>
void no_products(Index m, Index n, T* c, Index ldc, bool add, const Epilogue<T>& ep) {
  for (Index i = 0; i < m; ++i)
    for (Index j = 0; j < n; ++j)
      c[i * ldc + j] =
          (add ? c[i * ldc + j] : T(0)) + (ep.row_bias ? ep.row_bias[i] : T(0)) + (ep.col_bias ? ep.col_bias[j] : T(0));
}

template <class T, class Table>
void dispatch(const Table& table, Index m, Index n, Index k, View<T> a, View<T> b, T* c, Index ldc, bool add,
              const Epilogue<T>& ep, Path path) {
  if (m <= 0 || n <= 0) return;
  if (k <= 0) return no_products(m, n, c, ldc, add, ep);
  // A column is a row of the transposed product, which streams the matrix.
  if (n == 1 && m > 1 && ldc == 1 && path == Path::kAny)
    return table(1, m, k, View<T>{b.p, b.cs, b.rs}, View<T>{a.p, a.cs, a.rs}, c, m, add,
                 Epilogue<T>{ep.col_bias, ep.row_bias}, path);
  table(m, n, k, a, b, c, ldc, add, ep, path);
}

}  // namespace

void gemm(Index m, Index n, Index k, View<float> a, View<float> b, float* c, Index ldc, bool add,
          const Epilogue<float>& ep, Path path) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::gemm_f32)> kTable = RL_SIMD_TABLE(gemm_f32);
  dispatch(kTable, m, n, k, a, b, c, ldc, add, ep, path);
}
void gemm(Index m, Index n, Index k, View<double> a, View<double> b, double* c, Index ldc, bool add,
          const Epilogue<double>& ep, Path path) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::gemm_f64)> kTable = RL_SIMD_TABLE(gemm_f64);
  dispatch(kTable, m, n, k, a, b, c, ldc, add, ep, path);
}

}  // namespace rushlight::gemm
#endif
