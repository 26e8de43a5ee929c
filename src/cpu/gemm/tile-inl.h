// The register tile: MR rows by NV vectors of C, accumulated over k. Included once per target.
#if defined(RL_CPU_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_TILE_INL_H_
#undef RL_CPU_TILE_INL_H_
#else
#define RL_CPU_TILE_INL_H_
#endif

#include "cpu/gemm/gemm.h"
#include "hwy/highway.h"

#ifndef RL_TILE_ARGS
#define RL_TILE_ARGS
namespace rushlight::gemm {
// What one tile reads and writes. A is always walked by strides, so a packed panel (strides 1, MR)
// and an unpacked matrix (strides lda, 1) use the same kernel; likewise B by its row stride.
template <class T>
struct TileArgs {
  Index k;
  const T* a;
  Index a_row, a_col;
  const T* b;
  Index b_row;
  T* c;
  Index c_row;
  Index tail;  // lanes used in the last vector, 1..Lanes
  bool add;    // C += instead of C =
  Epilogue<T> ep;
};
template <class T>
using TileFn = void (*)(const TileArgs<T>&);
}  // namespace rushlight::gemm
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// The largest tile, by the number of vector registers: accumulators + NV of B + 1 of A.
#ifndef RL_MR
#if HWY_TARGET <= HWY_AVX3
constexpr int kMR = 8, kNV = 3;  // 24 + 3 + 1 of 32
#elif HWY_TARGET == HWY_AVX2
constexpr int kMR = 6, kNV = 2;  // 12 + 2 + 1 of 16
#else
constexpr int kMR = 4, kNV = 2;
#endif
#else
constexpr int kMR = RL_MR, kNV = RL_NV;
#endif

// The first `count` lanes only; nothing beyond them is touched. `mask` is FirstN(d, count). Before
// AVX2, Highway's MaskedLoad and BlendedStore touch (and want aligned) the whole vector.
template <class D, class M, class T>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> load_part(D d, M mask, Index count, const T* p) {
#if HWY_TARGET <= HWY_AVX2
  (void)count;
  return hwy::HWY_NAMESPACE::MaskedLoad(mask, d, p);
#else
  (void)mask;
  HWY_ALIGN T tmp[HWY_LANES(T)] = {};
  if (count == HWY_LANES(T)) return hwy::HWY_NAMESPACE::LoadU(d, p);
  for (Index i = 0; i < count; ++i)
    tmp[i] = p[i];
  return hwy::HWY_NAMESPACE::Load(d, tmp);
#endif
}
template <class D, class V, class M, class T>
HWY_INLINE void store_part(D d, V v, M mask, Index count, T* p) {
#if HWY_TARGET <= HWY_AVX2
  (void)count;
  hwy::HWY_NAMESPACE::BlendedStore(v, mask, d, p);
#else
  (void)mask;
  HWY_ALIGN T tmp[HWY_LANES(T)];
  hwy::HWY_NAMESPACE::Store(v, d, tmp);
  for (Index i = 0; i < count; ++i)
    p[i] = tmp[i];
#endif
}

// The kernel for `rows` x `vecs` (1..kMR, 1..kNV); defined in tile.cc.
TileFn<float> tile_kernel(float, int rows, int vecs);
TileFn<double> tile_kernel(double, int rows, int vecs);

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
#endif
