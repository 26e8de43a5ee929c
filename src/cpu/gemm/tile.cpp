// Register tiles for every (rows, vectors) pair, compiled once per instruction set.
#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/gemm/tile.cpp"
#include "hwy/foreach_target.h"

#include "cpu/gemm/tile-inl.h"
#include "hwy/highway.h"

#include <array>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#define RL_UNROLL _Pragma("GCC unroll 16")

template <class T, int MR, int NV>
void run_tile(const TileArgs<T>& t) {
  const hn::ScalableTag<T> d;
  using V = hn::Vec<decltype(d)>;
  constexpr Index L = HWY_LANES(T);
  const auto mask = hn::FirstN(d, static_cast<std::size_t>(t.tail));

  V acc[MR][NV];
  RL_UNROLL for (int i = 0; i < MR; ++i) RL_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::Zero(d);

  // One base pointer for three rows: the other two are reached by x86's base + index*scale.
  constexpr int kBases = (MR + 2) / 3;
  const T* base[kBases];
  const Index rs = t.a_row, cs = t.a_col, bs = t.b_row;
  RL_UNROLL for (int i = 0; i < kBases; ++i) base[i] = t.a + 3 * i * rs;
  const T* b = t.b;

  for (Index k = t.k; k > 0; --k) {
    V bv[NV];
    RL_UNROLL for (int v = 0; v < NV - 1; ++v) bv[v] = hn::LoadU(d, b + v * L);
    bv[NV - 1] = load_part(d, mask, t.tail, b + (NV - 1) * L);
    b += bs;
    RL_UNROLL for (int i = 0; i < MR; ++i) {
      const V av = hn::Set(d, base[i / 3][(i % 3) * rs]);
      RL_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::MulAdd(av, bv[v], acc[i][v]);
    }
    RL_UNROLL for (int i = 0; i < kBases; ++i) base[i] += cs;
  }

  T* const c = t.c;
  const Index ldc = t.c_row;
  if (t.add) {
    RL_UNROLL for (int i = 0; i < MR; ++i) {
      RL_UNROLL for (int v = 0; v < NV - 1; ++v) acc[i][v] = hn::Add(acc[i][v], hn::LoadU(d, c + i * ldc + v * L));
      acc[i][NV - 1] = hn::Add(acc[i][NV - 1], load_part(d, mask, t.tail, c + i * ldc + (NV - 1) * L));
    }
  }
  if (t.ep.row_bias) {
    RL_UNROLL for (int i = 0; i < MR; ++i) {
      const V bias = hn::Set(d, t.ep.row_bias[i]);
      RL_UNROLL for (int v = 0; v < NV; ++v) acc[i][v] = hn::Add(acc[i][v], bias);
    }
  }
  if (t.ep.col_bias) {
    RL_UNROLL for (int v = 0; v < NV; ++v) {
      const T* p = t.ep.col_bias + v * L;
      const V bias = v == NV - 1 ? load_part(d, mask, t.tail, p) : hn::LoadU(d, p);
      RL_UNROLL for (int i = 0; i < MR; ++i) acc[i][v] = hn::Add(acc[i][v], bias);
    }
  }
  RL_UNROLL for (int i = 0; i < MR; ++i) RL_UNROLL for (int v = 0; v < NV - 1; ++v)
      hn::StoreU(acc[i][v], d, c + i * ldc + v * L);
  if (t.tail == L) {  // masked stores are microcoded on AVX2 Zen
    RL_UNROLL for (int i = 0; i < MR; ++i) hn::StoreU(acc[i][NV - 1], d, c + i * ldc + (NV - 1) * L);
  } else {
    RL_UNROLL for (int i = 0; i < MR; ++i) store_part(d, acc[i][NV - 1], mask, t.tail, c + i * ldc + (NV - 1) * L);
  }
}

template <class T, std::size_t... I>
constexpr std::array<TileFn<T>, sizeof...(I)> make_table(std::index_sequence<I...>) {
  return {{&run_tile<T, static_cast<int>(I / kNV) + 1, static_cast<int>(I % kNV) + 1>...}};
}
template <class T>
TileFn<T> lookup(int rows, int vecs) {
  static constexpr auto kTable = make_table<T>(std::make_index_sequence<kMR * kNV>());
  return kTable[static_cast<std::size_t>((rows - 1) * kNV + vecs - 1)];
}
TileFn<float> tile_kernel(float, int rows, int vecs) { return lookup<float>(rows, vecs); }
TileFn<double> tile_kernel(double, int rows, int vecs) { return lookup<double>(rows, vecs); }

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();
