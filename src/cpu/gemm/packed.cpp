// A right-hand matrix that is packed once and multiplied many times.
#include "cpu/gemm/packed.h"

#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/gemm/packed.cpp"
#include "hwy/foreach_target.h"

#include "cpu/gemm/gemm-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

// Panels of one block of k lie together, so that a block starts at its first row times the padded width.
template <class T>
struct Layout {
  Strips<T> strips;
  Index k, width, k_parts;
  Layout(Index k_, Index n) : strips(n), k(k_), width(strips.vecs * kLanes<T>), k_parts(ceil_div(k_, kKc<T>)) {}
  Index k_first(Index part) const { return split_at(k, k_parts, part); }
};

template <class T>
void pack_t(Index k, Index n, const View<T>& b, T* panels) {
  constexpr Index L = kLanes<T>;
  const Layout<T> layout(k, n);
  const StridedB<T> packer{b};
  for (Index part = 0; part < layout.k_parts; ++part) {
    const Index k0 = layout.k_first(part), kc = layout.k_first(part + 1) - k0;
    for (Index strip = 0; strip < layout.strips.count; ++strip) {
      const Index v0 = layout.strips.First(strip), width = (layout.strips.First(strip + 1) - v0) * L;
      packer.pack(k0, kc, v0 * L, std::min(n - v0 * L, width), width, panels + k0 * layout.width + v0 * L * kc);
    }
  }
}

template <class T>
void multiply_t(Index m, Index n, Index k, const View<T>& a, const T* panels, T* c, Index ldc, bool add,
                const T* col_bias) {
  const Layout<T> layout(k, n);
  const Index tasks = std::max<Index>(1, std::min(layout.strips.count, m * n * k / kTaskWork));
  parallel_for(tasks, [&](Index task) {
    const Index first = split_at(layout.strips.count, tasks, task),
                last = split_at(layout.strips.count, tasks, task + 1);
    for (Index part = 0; part < layout.k_parts; ++part) {
      const Index k0 = layout.k_first(part), kc = layout.k_first(part + 1) - k0;
      Block<T> block{
          m, n, kc, View<T>{a.p + k0 * a.cs, a.rs, a.cs}, panels + k0 * layout.width, 0, c, ldc, add || part > 0, {}};
      if (part + 1 == layout.k_parts) block.ep.col_bias = col_bias;
      run_strips(block, layout.strips, first, last);
    }
  });
}

void pack_f32(Index k, Index n, const View<float>& b, float* panels) { pack_t(k, n, b, panels); }
void pack_f64(Index k, Index n, const View<double>& b, double* panels) { pack_t(k, n, b, panels); }
void multiply_f32(Index m, Index n, Index k, const View<float>& a, const float* panels, float* c, Index ldc, bool add,
                  const float* col_bias) {
  multiply_t(m, n, k, a, panels, c, ldc, add, col_bias);
}
void multiply_f64(Index m, Index n, Index k, const View<double>& a, const double* panels, double* c, Index ldc,
                  bool add, const double* col_bias) {
  multiply_t(m, n, k, a, panels, c, ldc, add, col_bias);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::gemm {
namespace {

constexpr simd::Table<decltype(HWY_NAMESPACE::pack_f32)> kPackF32 = RL_SIMD_TABLE(pack_f32);
constexpr simd::Table<decltype(HWY_NAMESPACE::pack_f64)> kPackF64 = RL_SIMD_TABLE(pack_f64);
constexpr simd::Table<decltype(HWY_NAMESPACE::multiply_f32)> kMultiplyF32 = RL_SIMD_TABLE(multiply_f32);
constexpr simd::Table<decltype(HWY_NAMESPACE::multiply_f64)> kMultiplyF64 = RL_SIMD_TABLE(multiply_f64);

// Room for the widest vectors, and for tiles that read a vector ahead.
template <class T>
Index room(Index k, Index n) {
  constexpr Index lanes = 64 / static_cast<Index>(sizeof(T));
  return k * (ceil_div(n, lanes) * lanes) + 4 * lanes;
}

}  // namespace

template <class T>
PackedMatrix<T>::PackedMatrix(Index k, Index n, View<T> b) : k_(k), n_(n), panels_(room<T>(k, n)) {
  if (k == 0 || n == 0) return;
  if constexpr (sizeof(T) == 4)
    kPackF32(k, n, b, panels_.get());
  else
    kPackF64(k, n, b, panels_.get());
}

template <class T>
void PackedMatrix<T>::multiply(Index m, View<T> a, T* c, Index ldc, bool add, const T* col_bias) const {
  if (m <= 0 || n_ == 0) return;
  if (k_ == 0) return gemm(m, n_, 0, a, View<T>{}, c, ldc, add, Epilogue<T>{nullptr, col_bias});
  if constexpr (sizeof(T) == 4)
    kMultiplyF32(m, n_, k_, a, panels_.get(), c, ldc, add, col_bias);
  else
    kMultiplyF64(m, n_, k_, a, panels_.get(), c, ldc, add, col_bias);
}

template class PackedMatrix<float>;
template class PackedMatrix<double>;

}  // namespace rushlight::gemm
#endif
