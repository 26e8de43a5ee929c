// The loop of scalar functors: complex numbers and functions too rare or too long for vectors.
#pragma once
#include <complex>
#include <type_traits>

#include "ops/kernels/pointwise.h"

namespace rushlight::pointwise {

// out[i] = F()(in[i]..., params...) where In are the types in memory.
template <class F, class Out, class Param, int kParams, class... In>
void scalar_row(const TileArgs& t) {
  const auto* params = static_cast<const Param*>(t.params);
  auto* out = static_cast<Out*>(t.out);
  [&]<std::size_t... K, std::size_t... P>(std::index_sequence<K...>, std::index_sequence<P...>) {
    for (std::int64_t i = 0; i < t.n; ++i)
      out[i] = static_cast<Out>(F()(static_cast<const In*>(t.in[K])[t.moves[K] ? i : 0]..., params[P]...));
  }(std::index_sequence_for<In...>(), std::make_index_sequence<kParams>());
}
template <class F, class Out, class Param, int kParams, class... In>
inline constexpr TileFn scalar_loop = by_rows<scalar_row<F, Out, Param, kParams, In...>>;

template <class F, class T, int kParams = 0>
inline constexpr TileFn kScalar1 = scalar_loop<F, T, T, kParams, T>;
template <class F, class T, int kParams = 0>
inline constexpr TileFn kScalar2 = scalar_loop<F, T, T, kParams, T, T>;
template <class F, class T, int kParams = 0>
inline constexpr TileFn kScalar3 = scalar_loop<F, T, T, kParams, T, T, T>;

// Kernels by dtype for functors that take any type of a group.
template <class F, int kParams = 0>
TileFn real1(Dtype type) {
  return type == Dtype::kFloat32   ? kScalar1<F, float, kParams>
         : type == Dtype::kFloat64 ? kScalar1<F, double, kParams>
                                   : nullptr;
}
template <class F>
TileFn real2(Dtype type) {
  return type == Dtype::kFloat32 ? kScalar2<F, float> : type == Dtype::kFloat64 ? kScalar2<F, double> : nullptr;
}
template <class F, int kParams = 0>
TileFn complex1(Dtype type) {
  return type == Dtype::kComplex64    ? kScalar1<F, ComplexFloat, kParams>
         : type == Dtype::kComplex128 ? kScalar1<F, ComplexDouble, kParams>
                                      : nullptr;
}
template <class F, int kParams = 0>
TileFn complex2(Dtype type) {
  return type == Dtype::kComplex64    ? kScalar2<F, ComplexFloat, kParams>
         : type == Dtype::kComplex128 ? kScalar2<F, ComplexDouble, kParams>
                                      : nullptr;
}
template <class F, int kParams = 0>
TileFn complex3(Dtype type) {
  return type == Dtype::kComplex64    ? kScalar3<F, ComplexFloat, kParams>
         : type == Dtype::kComplex128 ? kScalar3<F, ComplexDouble, kParams>
                                      : nullptr;
}

}  // namespace rushlight::pointwise
