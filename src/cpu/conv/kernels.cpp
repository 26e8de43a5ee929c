// Convolution of every dtype: float32 and float64 in the engine, half types through float32 copies,
// integers by plain loops.
#include "ops/kernels/conv.h"

#include <type_traits>

#include "cpu/conv/conv.h"
#include "cpu/gemm/buffer.h"
#include "cpu/pointwise/convert.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using conv::Geometry;
using conv::Index;

Geometry geometry(const ConvolutionShape& s) {
  Geometry g{s.batch, s.in_channels, s.out_channels, s.groups, {}, {}, {}, {}, {}, {}};
  for (int d = 0; d < 3; ++d) {
    g.in[d] = s.in[d];
    g.out[d] = s.out[d];
    g.kernel[d] = s.kernel[d];
    g.stride[d] = s.stride[d];
    g.pad[d] = s.padding[d];
    g.dilation[d] = s.dilation[d];
  }
  return g;
}

// Groups too small for a matrix product: packing would cost more than multiplying.
template <class T>
bool in_planes(const Geometry& g) {
  constexpr Index kMost = 16;
  return std::is_same_v<T, float> && g.groups > 1 && g.three_by_three() && g.group_in() <= kMost &&
         g.group_out() <= kMost;
}
// So few channels that the taps of one plane leave the lanes of a tile empty.
template <class T>
bool few_channels(const Geometry& g) {
  return std::is_same_v<T, float> && g.three_by_three() && g.group_in() <= 2;
}

// The three passes, with the operands in one order: what is read, read, and written.
template <class T>
void run_forward(const ConvolutionShape& s, const Geometry& g, const T* x, const T* w, const T* bias, T* y) {
  if (s.channels_last)
    return s.depthwise() ? conv::depthwise_last_forward(g, x, w, bias, y) : conv::last_forward(g, x, w, bias, y);
  if (s.depthwise()) return conv::depthwise_forward(g, x, w, bias, y);
  if constexpr (std::is_same_v<T, float>)
    if (in_planes<T>(g)) return conv::planes_forward(g, x, w, bias, y);
  conv::forward(g, x, w, bias, y);
}
template <class T>
void run_input_gradient(const ConvolutionShape& s, const Geometry& g, const T* w, const T* dy, T* dx) {
  if (s.channels_last)
    return s.depthwise() ? conv::depthwise_last_input_gradient(g, w, dy, dx) : conv::last_input_gradient(g, w, dy, dx);
  if (s.depthwise()) return conv::depthwise_input_gradient(g, w, dy, dx);
  if constexpr (std::is_same_v<T, float>)
    if (in_planes<T>(g)) return conv::planes_input_gradient(g, w, dy, dx);
  conv::input_gradient(g, w, dy, dx);
}
template <class T>
void run_weight_gradient(const ConvolutionShape& s, const Geometry& g, const T* x, const T* dy, T* dw) {
  if (s.channels_last)
    return s.depthwise() ? conv::depthwise_last_weight_gradient(g, x, dy, dw)
                         : conv::last_weight_gradient(g, x, dy, dw);
  if (s.depthwise()) return conv::depthwise_weight_gradient(g, x, dy, dw);
  if constexpr (std::is_same_v<T, float>)
    if (in_planes<T>(g) || few_channels<T>(g)) return conv::planes_weight_gradient(g, x, dy, dw);
  conv::weight_gradient(g, x, dy, dw);
}

// f(input, weight, output indices) for every product of an integer convolution.
template <class F>
void for_each_product(const Geometry& g, const F& f) {
  const Index taps = g.taps(), group_in = g.group_in(), group_out = g.group_out();
  for (Index b = 0; b < g.batch; ++b)
    for (Index o = 0; o < g.out_channels; ++o)
      for (Index c = 0; c < group_in; ++c)
        for (Index p = 0; p < g.out_area(); ++p)
          for (Index t = 0; t < taps; ++t) {
            const Index at[3] = {p / (g.out[1] * g.out[2]), p / g.out[2] % g.out[1], p % g.out[2]};
            const Index k[3] = {t / (g.kernel[1] * g.kernel[2]), t / g.kernel[2] % g.kernel[1], t % g.kernel[2]};
            Index in = 0;
            bool inside = true;
            for (int d = 0; d < 3; ++d) {
              const Index i = at[d] * g.stride[d] - g.pad[d] + k[d] * g.dilation[d];
              inside = inside && i >= 0 && i < g.in[d];
              in = in * g.in[d] + i;
            }
            if (!inside) continue;
            f(((b * g.in_channels + o / group_out * group_in + c) * g.in_area()) + in, (o * group_in + c) * taps + t,
              (b * g.out_channels + o) * g.out_area() + p);
          }
}

template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), std::uint32_t, std::make_unsigned_t<T>>;
template <class T>
void add_product(T& sum, T a, T b) {
  using W = Wrapping<T>;
  sum = static_cast<T>(static_cast<W>(static_cast<W>(sum) + static_cast<W>(a) * static_cast<W>(b)));
}

// float32 copies of half operands.
template <class T>
Buffer<float> widened(const TensorBase& t) {
  const std::int64_t n = t.defined() ? t.numel() : 0;
  Buffer<float> copy(n);
  if (n) pointwise::convert(kDtypeOf<T>, Dtype::kFloat32, t.data<T>(), copy.get(), n);
  return copy;
}
template <class T>
void narrow(const Buffer<float>& from, const TensorBase& to) {
  pointwise::convert(Dtype::kFloat32, kDtypeOf<T>, from.get(), to.mutable_data<T>(), to.numel());
}

// body(a, b, extra, out) with pointers of one type among float, double and the integers.
template <class Body>
void with_pointers(const TensorBase& a, const TensorBase& b, const TensorBase& extra, const TensorBase& out,
                   const Body& body) {
  visit(out.dtype(), [&](auto value) {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      const Buffer<float> wide_a = widened<T>(a), wide_b = widened<T>(b), wide_extra = widened<T>(extra);
      const Buffer<float> wide_out(out.numel());
      body(static_cast<const float*>(wide_a.get()), static_cast<const float*>(wide_b.get()),
           extra.defined() ? static_cast<const float*>(wide_extra.get()) : nullptr, wide_out.get());
      narrow<T>(wide_out, out);
    } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      body(a.data<T>(), b.data<T>(), extra.defined() ? extra.data<T>() : nullptr, out.mutable_data<T>());
    }
  });
}

void convolution(const ConvolutionShape& shape, const TensorBase& input, const TensorBase& weight,
                 const TensorBase& bias, const TensorBase& output) {
  const Geometry g = geometry(shape);
  with_pointers(input, weight, bias, output, [&](const auto* x, const auto* w, const auto* b, auto* y) {
    using T = std::remove_reference_t<decltype(*y)>;
    if constexpr (std::is_floating_point_v<T>) {
      run_forward(shape, g, x, w, b, y);
    } else {
      for (Index i = 0; i < output.numel(); ++i)
        y[i] = b ? b[i / g.out_area() % g.out_channels] : T(0);
      for_each_product(g, [&](Index in, Index tap, Index out) { add_product<T>(y[out], x[in], w[tap]); });
    }
  });
}

void convolution_input(const ConvolutionShape& shape, const TensorBase& weight, const TensorBase& grad_output,
                       const TensorBase& grad_input) {
  const Geometry g = geometry(shape);
  with_pointers(weight, grad_output, {}, grad_input, [&](const auto* w, const auto* dy, const auto*, auto* dx) {
    using T = std::remove_reference_t<decltype(*dx)>;
    if constexpr (std::is_floating_point_v<T>) {
      run_input_gradient(shape, g, w, dy, dx);
    } else {
      for (Index i = 0; i < grad_input.numel(); ++i)
        dx[i] = T(0);
      for_each_product(g, [&](Index in, Index tap, Index out) { add_product<T>(dx[in], w[tap], dy[out]); });
    }
  });
}

void convolution_weight(const ConvolutionShape& shape, const TensorBase& input, const TensorBase& grad_output,
                        const TensorBase& grad_weight) {
  const Geometry g = geometry(shape);
  with_pointers(input, grad_output, {}, grad_weight, [&](const auto* x, const auto* dy, const auto*, auto* dw) {
    using T = std::remove_reference_t<decltype(*dw)>;
    if constexpr (std::is_floating_point_v<T>) {
      run_weight_gradient(shape, g, x, dy, dw);
    } else {
      for (Index i = 0; i < grad_weight.numel(); ++i)
        dw[i] = T(0);
      for_each_product(g, [&](Index in, Index tap, Index out) { add_product<T>(dw[tap], x[in], dy[out]); });
    }
  });
}

}  // namespace

const Kernel<void(const ConvolutionShape&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)>
    convolution_kernel{convolution};
const Kernel<void(const ConvolutionShape&, const TensorBase&, const TensorBase&, const TensorBase&)>
    convolution_input_kernel{convolution_input};
const Kernel<void(const ConvolutionShape&, const TensorBase&, const TensorBase&, const TensorBase&)>
    convolution_weight_kernel{convolution_weight};

}  // namespace rushlight
