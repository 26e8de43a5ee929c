// Packers and the blocked driver. Included once per target by gemm.cc and conv.cc.
#if defined(RL_CPU_GEMM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_GEMM_INL_H_
#undef RL_CPU_GEMM_INL_H_
#else
#define RL_CPU_GEMM_INL_H_
#endif

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "cpu/gemm/tile-inl.h"
#include "rushlight/parallel.h"

#ifndef RL_SCRATCH
#define RL_SCRATCH
namespace rushlight::gemm {
// A thread's packing space; it grows and is kept.
inline void* scratch_of_thread(int slot, std::size_t bytes) {
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  thread_local std::unique_ptr<void, Free> buffer[3];
  thread_local std::size_t size[3] = {};
  if (bytes > size[slot]) {
    size[slot] = (bytes + 4095) / 4096 * 4096;
    buffer[slot].reset(std::aligned_alloc(4096, size[slot]));
  }
  return buffer[slot].get();
}
// Splits `total` into `parts` that differ by at most one; where part i begins.
inline Index split_at(Index total, Index parts, Index i) {
  const Index q = total / parts, r = total % parts;
  return i * q + std::min(i, r);
}
inline Index ceil_div(Index a, Index b) { return (a + b - 1) / b; }
// Blocking: a packed kKc x kNc block of B stays in L2 (half of 1 MiB); 8 rows x kKc of A in L1.
template <class T>
constexpr Index kKc = 384 * 4 / static_cast<Index>(sizeof(T));
constexpr Index kNc = 336;
}  // namespace rushlight::gemm
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr Index kLanes = HWY_LANES(T);
template <class T>
constexpr Index kBlock = 16 / static_cast<Index>(sizeof(T));  // lanes in 128 bits

// 128-bit pieces of rows 0, BL, 2*BL, ... side by side in one vector.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_pieces(D d, const T* p, Index stride) {
  if constexpr (hn::MaxLanes(D()) <= 16 / sizeof(T)) {
    return hn::LoadU(d, p);
  } else {
    const hn::Half<D> dh;
    const Index half = static_cast<Index>(hn::MaxLanes(dh));
    return hn::Combine(d, load_pieces(dh, p + half * stride, stride), load_pieces(dh, p, stride));
  }
}

// out[c] = column c (c < BL) of Lanes(d) rows that are `stride` apart.
template <class D>
HWY_INLINE void load_transposed(D d, const float* p, Index stride, hn::Vec<D>* out) {
  const auto r0 = load_pieces(d, p, stride), r1 = load_pieces(d, p + stride, stride);
  const auto r2 = load_pieces(d, p + 2 * stride, stride), r3 = load_pieces(d, p + 3 * stride, stride);
  const auto lo02 = hn::InterleaveLower(d, r0, r2), lo13 = hn::InterleaveLower(d, r1, r3);
  const auto hi02 = hn::InterleaveUpper(d, r0, r2), hi13 = hn::InterleaveUpper(d, r1, r3);
  out[0] = hn::InterleaveLower(d, lo02, lo13);
  out[1] = hn::InterleaveUpper(d, lo02, lo13);
  out[2] = hn::InterleaveLower(d, hi02, hi13);
  out[3] = hn::InterleaveUpper(d, hi02, hi13);
}
template <class D>
HWY_INLINE void load_transposed(D d, const double* p, Index stride, hn::Vec<D>* out) {
  const auto r0 = load_pieces(d, p, stride), r1 = load_pieces(d, p + stride, stride);
  out[0] = hn::InterleaveLower(d, r0, r1);
  out[1] = hn::InterleaveUpper(d, r0, r1);
}

// Packs `cols` columns of B into rows of `width` (whole vectors): dst[k * width + j].
template <class T>
struct StridedB {
  View<T> b;

  void pack(Index k0, Index kc, Index j0, Index cols, Index width, T* HWY_RESTRICT dst) const {
    const T* p = b.p + k0 * b.rs + j0 * b.cs;
    const hn::ScalableTag<T> d;
    using V = hn::Vec<decltype(d)>;
    constexpr Index L = kLanes<T>, BL = kBlock<T>;
    const Index whole = cols / L * L;
    if (b.cs == 1) {
      const auto mask = hn::FirstN(d, static_cast<std::size_t>(cols - whole));
      for (Index k = 0; k < kc; ++k, dst += width, p += b.rs) {
        for (Index j = 0; j < whole; j += L)
          hn::StoreU(hn::LoadU(d, p + j), d, dst + j);
        if (whole != cols) hn::StoreU(load_part(d, mask, cols - whole, p + whole), d, dst + whole);
      }
      return;
    }
    Index done = 0;
    if (b.rs == 1) {
      for (; done < whole; done += L) {
        const T* q = p + done * b.cs;
        T* out = dst + done;
        Index k = 0;
        for (; k + BL <= kc; k += BL) {
          V col[BL];
          load_transposed(d, q + k, b.cs, col);
          for (Index kk = 0; kk < BL; ++kk)
            hn::StoreU(col[kk], d, out + (k + kk) * width);
        }
        for (; k < kc; ++k)
          for (Index j = 0; j < L; ++j)
            out[k * width + j] = q[k + j * b.cs];
      }
    }
    for (Index j = done; j < width; ++j)
      for (Index k = 0; k < kc; ++k)
        dst[k * width + j] = j < cols ? p[k * b.rs + j * b.cs] : T(0);
  }
};

// Tiles over one k-block. B is packed panels (b_row 0) or a row-major matrix with that row stride.
template <class T>
struct Block {
  Index m, n, k;
  View<T> a;
  const T* b;
  Index b_row;
  T* c;
  Index ldc;
  bool add;
  Epilogue<T> ep;
};

// The columns of C are cut into strips of up to kNV vectors, evenly: 4 vectors are 2 + 2, not 3
// + 1.
template <class T>
struct Strips {
  Index n, vecs, count;
  explicit Strips(Index n_) : n(n_), vecs(ceil_div(n_, kLanes<T>)), count(ceil_div(vecs, kNV)) {}
  Index First(Index i) const { return split_at(vecs, count, i); }  // in vectors
};

// The strips [first, last) of a block.
template <class T>
void run_strips(const Block<T>& s, const Strips<T>& strips, Index first, Index last) {
  constexpr Index L = kLanes<T>;
  const Index row_tiles = ceil_div(s.m, kMR);
  TileArgs<T> t;
  t.k = s.k;
  t.a_row = s.a.rs;
  t.a_col = s.a.cs;
  t.c_row = s.ldc;
  t.add = s.add;
  for (Index it = 0; it < row_tiles; ++it) {  // the rows of A stay in L1, strips of B come from L2
    const Index i0 = split_at(s.m, row_tiles, it), rows = split_at(s.m, row_tiles, it + 1) - i0;
    t.a = s.a.p + i0 * s.a.rs;
    t.ep.row_bias = s.ep.row_bias ? s.ep.row_bias + i0 : nullptr;
    for (Index jt = first; jt < last; ++jt) {
      const Index v0 = strips.First(jt), nv = strips.First(jt + 1) - v0, j0 = v0 * L;
      t.b = s.b_row ? s.b + j0 : s.b + j0 * s.k;
      t.b_row = s.b_row ? s.b_row : nv * L;
      t.c = s.c + i0 * s.ldc + j0;
      t.tail = std::min(s.n - j0 - (nv - 1) * L, L);
      t.ep.col_bias = s.ep.col_bias ? s.ep.col_bias + j0 : nullptr;
      tile_kernel(T(), static_cast<int>(rows), static_cast<int>(nv))(t);
    }
  }
}

template <class T>
void run_block(const Block<T>& s) {
  const Strips<T> strips(s.n);
  run_strips(s, strips, 0, strips.count);
}

// Whether a row-major B is better read in place: it fits in L2, or is read only once. (A narrow
// tile rereads B more often, so AVX2 needs more room.)
template <class T>
bool in_place(Index m, Index n, Index k) {
  constexpr Index kBytes = HWY_TARGET <= HWY_AVX3 ? 1 << 20 : 5 << 17;
  return m <= kMR || k * n * static_cast<Index>(sizeof(T)) <= kBytes;
}

// Columns [j0, j0 + nc) of the packed product, for some rows of A.
template <class T, class PackerB>
void packed_columns(Index m, Index j0, Index nc, Index k, const View<T>& a, const PackerB& b, T* c, Index ldc, bool add,
                    const Epilogue<T>& ep) {
  constexpr Index L = kLanes<T>;
  const Index k_parts = ceil_div(k, kKc<T>);
  const Index most = ceil_div(k, k_parts) * (ceil_div(nc, L) * L) + 4 * L;
  T* const packed = static_cast<T*>(scratch_of_thread(0, static_cast<std::size_t>(most) * sizeof(T)));
  const Strips<T> strips(nc);
  for (Index kp = 0; kp < k_parts; ++kp) {
    const Index k0 = split_at(k, k_parts, kp), kc = split_at(k, k_parts, kp + 1) - k0;
    for (Index jt = 0; jt < strips.count; ++jt) {
      const Index v0 = strips.First(jt), width = (strips.First(jt + 1) - v0) * L;
      b.pack(k0, kc, j0 + v0 * L, std::min(nc - v0 * L, width), width, packed + v0 * L * kc);
    }
    Block<T> s{m, nc, kc, {a.p + k0 * a.cs, a.rs, a.cs}, packed, 0, c + j0, ldc, add || kp > 0, {}};
    if (kp + 1 == k_parts) {
      s.ep = ep;
      if (ep.col_bias) s.ep.col_bias += j0;
    }
    run_block(s);
  }
}

// Pieces that threads take, by shape alone, so that results do not depend on the number of threads.
constexpr Index kTaskWork = Index{1} << 21;  // multiplications worth a task of their own, about 35 us

// The packed product: B is packed block by block, each element once for every 384 rows or so; A is
// read in place.
template <class T, class PackerB>
void packed_gemm(Index m, Index n, Index k, const View<T>& a, const PackerB& b, T* c, Index ldc, bool add,
                 const Epilogue<T>& ep) {
  constexpr Index L = kLanes<T>;
  const Index vecs = ceil_div(n, L), work = m * n * k;
  const Index n_parts = std::max(ceil_div(n, kNc), std::min(ceil_div(n, Index{144}), work / (8 * kTaskWork)));
  const Index m_parts = std::max<Index>(1, std::min(m / 384, work / (8 * kTaskWork) / n_parts));
  parallel_for(n_parts * m_parts, [&](Index task) {
    const Index np = task / m_parts, mp = task % m_parts;
    const Index j0 = split_at(vecs, n_parts, np) * L;
    const Index nc = std::min(n, split_at(vecs, n_parts, np + 1) * L) - j0;
    const Index tiles = ceil_div(m, kMR), i0 = split_at(tiles, m_parts, mp) * kMR;
    const Index rows = std::min(m, split_at(tiles, m_parts, mp + 1) * kMR) - i0;
    Epilogue<T> part = ep;
    if (part.row_bias) part.row_bias += i0;
    packed_columns(rows, j0, nc, k, View<T>{a.p + i0 * a.rs, a.rs, a.cs}, b, c + i0 * ldc, ldc, add, part);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
