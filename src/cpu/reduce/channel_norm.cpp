// Batch and group normalisation of [batch, channels, inner] and their derivatives. Both are affine maps whose
// coefficients are constant along a channel, so the passes over data are shared.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/channel_norm.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>
#include <cstring>
#include <vector>

#include "cpu/reduce/row-inl.h"
#include "ops/kernels/norm.h"

#ifndef RL_CHANNEL_NORM_TABLE
#define RL_CHANNEL_NORM_TABLE
namespace rushlight::cpu {
// Passes over runs of n elements for one dtype. Coefficients are one per run, or one per element (`columns`).
struct ChannelPasses {
  void (*moments)(const void* x, Index n, double* mean, double* square);  // of deviations from the mean, summed
  void (*dots)(const void* g, const void* x, Index n, double* sum, double* dot);
  void (*affine)(const void* x, double scale, double shift, void* y, Index n);
  // Coefficients are of the dtype here.
  void (*affine_columns)(const void* x, const void* scale, const void* shift, void* y, Index n);
  // y = g * a + x * b + c
  void (*affine2)(const void* g, const void* x, double a, double b, double c, void* y, Index n);
  void (*affine2_columns)(const void* g, const void* x, const double* a, const double* b, const double* c, void* y,
                          Index n);
  // Adds g and g * x of one row to sums of n columns.
  void (*dots_columns)(const void* g, const void* x, Index n, double* sum, double* dot);
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class A>
struct Passes {
  using V = hn::Vec<Tag<A>>;

  static void moments(const void* x, Index n, double* mean, double* square) {
    const A* p = static_cast<const A*>(x);
    const A m = row_sum<A>(p, n, [](auto v) HWY_ATTR { return v; }) / static_cast<A>(n);
    const V c = hn::Set(Tag<A>(), m);
    *mean = static_cast<double>(m);
    *square = static_cast<double>(row_sum<A>(p, n, [c](auto v) HWY_ATTR {
      const V e = hn::Sub(v, c);
      return hn::Mul(e, e);
    }));
  }
  static void dots(const void* g, const void* x, Index n, double* sum, double* dot) {
    A s, t;
    row_sums(static_cast<const A*>(g), static_cast<const A*>(x), n, &s, &t, [](Index, V gv, V xv, V& p, V& q) HWY_ATTR {
      p = hn::Add(p, gv);
      q = hn::MulAdd(gv, xv, q);
    });
    *sum = static_cast<double>(s);
    *dot = static_cast<double>(t);
  }
  static void affine(const void* x, double scale, double shift, void* y, Index n) {
    const Tag<A> d;
    const A* p = static_cast<const A*>(x);
    const V s = hn::Set(d, static_cast<A>(scale)), t = hn::Set(d, static_cast<A>(shift));
    map_row<A>(n, static_cast<A*>(y), [=](Index i, auto load) HWY_ATTR { return hn::MulAdd(load(p + i), s, t); });
  }
  static void affine_columns(const void* x, const void* scale, const void* shift, void* y, Index n) {
    const A *p = static_cast<const A*>(x), *s = static_cast<const A*>(scale), *t = static_cast<const A*>(shift);
    map_row<A>(n, static_cast<A*>(y),
               [=](Index i, auto load) HWY_ATTR { return hn::MulAdd(load(p + i), load(s + i), load(t + i)); });
  }
  static void affine2(const void* g, const void* x, double a, double b, double c, void* y, Index n) {
    const Tag<A> d;
    const A *p = static_cast<const A*>(g), *q = static_cast<const A*>(x);
    const V va = hn::Set(d, static_cast<A>(a)), vb = hn::Set(d, static_cast<A>(b)), vc = hn::Set(d, static_cast<A>(c));
    map_row<A>(n, static_cast<A*>(y), [=](Index i, auto load) HWY_ATTR {
      return hn::MulAdd(load(p + i), va, hn::MulAdd(load(q + i), vb, vc));
    });
  }
  static void affine2_columns(const void* g, const void* x, const double* a, const double* b, const double* c, void* y,
                              Index n) {
    const A *p = static_cast<const A*>(g), *q = static_cast<const A*>(x);
    for (Index i = 0; i < n; ++i)
      static_cast<A*>(y)[i] =
          static_cast<A>(static_cast<double>(p[i]) * a[i] + static_cast<double>(q[i]) * b[i] + c[i]);
  }
  static void dots_columns(const void* g, const void* x, Index n, double* sum, double* dot) {
    const A *p = static_cast<const A*>(g), *q = static_cast<const A*>(x);
    for (Index i = 0; i < n; ++i) {
      sum[i] += static_cast<double>(p[i]);
      dot[i] += static_cast<double>(p[i]) * static_cast<double>(q[i]);
    }
  }
  static constexpr ChannelPasses kAll = {moments, dots, affine, affine_columns, affine2, affine2_columns, dots_columns};
};

}  // namespace

const ChannelPasses* channel_passes(Dtype dtype) {
  return dtype == Dtype::kFloat64 ? &Passes<double>::kAll : &Passes<float>::kAll;
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const ChannelPasses*(Dtype)> kPasses = RL_SIMD_TABLE(channel_passes);

using Doubles = std::vector<double>;

// A small tensor of float32 or float64 as doubles; `fallback` where it is undefined.
Doubles values_of(const TensorBase& t, Index n, double fallback) {
  Doubles values(static_cast<std::size_t>(n), fallback);
  if (t.defined())
    for (Index i = 0; i < n; ++i)
      values[static_cast<std::size_t>(i)] =
          t.dtype() == Dtype::kFloat64 ? t.data<double>()[i] : static_cast<double>(t.data<float>()[i]);
  return values;
}
void write_values(const Doubles& values, const TensorBase& t) {
  if (t.defined()) store_results(values.data(), static_cast<Index>(values.size()), t.mutable_data(), 1, t.dtype());
}

struct Data {
  const ChannelPasses& passes;
  ChannelShape shape;
  Index item;
  Data(const TensorBase& in, const ChannelShape& s)
      : passes(*kPasses(in.dtype())), shape(s), item(static_cast<Index>(in.itemsize())) {}
  Index runs() const { return shape.batch * shape.channels; }
  const char* at(const TensorBase& t, Index run) const { return t.data<char>() + run * shape.inner * item; }
  char* out(const TensorBase& t, Index run) const { return t.mutable_data<char>() + run * shape.inner * item; }

  // Coefficients in the dtype of the data.
  std::vector<char> typed(const Doubles& values) const {
    std::vector<char> bytes(values.size() * static_cast<std::size_t>(item));
    store_results(values.data(), static_cast<Index>(values.size()), bytes.data(), 1,
                  item == 8 ? Dtype::kFloat64 : Dtype::kFloat32);
    return bytes;
  }

  // y = x * scale + shift; coefficients of run i are number i % period.
  void affine(const TensorBase& x, const TensorBase& y, const Doubles& scale, const Doubles& shift,
              Index period) const {
    if (shape.inner == 1) {  // a batch element is one run with coefficients per element
      const std::vector<char> scales = typed(scale), shifts = typed(shift);
      for_rows(shape.batch, shape.channels, [&](Index b0, Index b1) {
        for (Index b = b0; b < b1; ++b) {
          const Index first = b * shape.channels % period;
          passes.affine_columns(at(x, b * shape.channels), scales.data() + first * item, shifts.data() + first * item,
                                out(y, b * shape.channels), shape.channels);
        }
      });
      return;
    }
    for_rows(runs(), shape.inner, [&](Index r0, Index r1) {
      for (Index r = r0; r < r1; ++r) {
        const auto c = static_cast<std::size_t>(r % period);
        passes.affine(at(x, r), scale[c], shift[c], out(y, r), shape.inner);
      }
    });
  }
  void affine2(const TensorBase& g, const TensorBase& x, const TensorBase& y, const Doubles& a, const Doubles& b,
               const Doubles& c, Index period) const {
    if (shape.inner == 1) {
      for_rows(shape.batch, shape.channels, [&](Index b0, Index b1) {
        for (Index i = b0; i < b1; ++i) {
          const Index run = i * shape.channels, first = run % period;
          passes.affine2_columns(at(g, run), at(x, run), a.data() + first, b.data() + first, c.data() + first,
                                 out(y, run), shape.channels);
        }
      });
      return;
    }
    for_rows(runs(), shape.inner, [&](Index r0, Index r1) {
      for (Index r = r0; r < r1; ++r) {
        const auto k = static_cast<std::size_t>(r % period);
        passes.affine2(at(g, r), at(x, r), a[k], b[k], c[k], out(y, r), shape.inner);
      }
    });
  }
  // Sums of g and of g * x over each channel.
  void channel_dots(const TensorBase& g, const TensorBase& x, Doubles& sum, Doubles& dot) const {
    const auto channels = static_cast<std::size_t>(shape.channels);
    sum.assign(channels, 0);
    dot.assign(channels, 0);
    if (shape.inner > 1) {
      Doubles run_sum, run_dot;
      dots(g, x, run_sum, run_dot);
      for (std::size_t r = 0; r < run_sum.size(); ++r)
        sum[r % channels] += run_sum[r], dot[r % channels] += run_dot[r];
      return;
    }
    parallel_ranges(shape.channels, 64, [&](Index c0, Index c1) {
      for (Index i = 0; i < shape.batch; ++i)
        passes.dots_columns(at(g, i * shape.channels + c0), at(x, i * shape.channels + c0), c1 - c0, sum.data() + c0,
                            dot.data() + c0);
    });
  }
  // Sums of g and of g * x over each run.
  void dots(const TensorBase& g, const TensorBase& x, Doubles& sum, Doubles& dot) const {
    sum.resize(static_cast<std::size_t>(runs()));
    dot.resize(static_cast<std::size_t>(runs()));
    for_rows(runs(), shape.inner, [&](Index r0, Index r1) {
      for (Index r = r0; r < r1; ++r)
        passes.dots(at(g, r), at(x, r), shape.inner, &sum[static_cast<std::size_t>(r)],
                    &dot[static_cast<std::size_t>(r)]);
    });
  }
};

void channel_moments(const TensorBase& mean, const TensorBase& var, const TensorBase& in, const ChannelShape& shape) {
  const Index sizes[] = {shape.batch, shape.channels, shape.inner},
              strides[] = {shape.channels * shape.inner, shape.inner, 1}, one = 1;
  const View means{mean.data(), mean.dtype(), 1, &shape.channels, &one};
  reduce(Reduction::kVarMean, {in.data(), in.dtype(), 3, sizes, strides}, 5,
         {var.data(), var.dtype(), 1, &shape.channels, &one}, &means, 0);
}

void channel_norm(const TensorBase& out, const TensorBase& in, const TensorBase& weight, const TensorBase& bias,
                  const TensorBase& mean, const TensorBase& rstd, const ChannelShape& shape) {
  if (in.numel() == 0) return;
  const Data data(in, shape);
  Doubles scale = values_of(weight, shape.channels, 1), shift = values_of(bias, shape.channels, 0);
  const Doubles m = values_of(mean, shape.channels, 0), s = values_of(rstd, shape.channels, 1);
  for (std::size_t c = 0; c < m.size(); ++c) {
    scale[c] *= s[c];
    shift[c] -= m[c] * scale[c];
  }
  data.affine(in, out, scale, shift, shape.channels);
}

void channel_norm_backward(Statistics statistics, const TensorBase& grad_in, const TensorBase& grad_weight,
                           const TensorBase& grad_bias, const TensorBase& grad, const TensorBase& in,
                           const TensorBase& weight, const TensorBase& mean, const TensorBase& rstd,
                           const ChannelShape& shape) {
  const Data data(in, shape);
  const auto channels = static_cast<std::size_t>(shape.channels);
  const Doubles w = values_of(weight, shape.channels, 1), m = values_of(mean, shape.channels, 0),
                s = values_of(rstd, shape.channels, 1);
  Doubles sum, dot;
  data.channel_dots(grad, in, sum, dot);
  Doubles a(channels), b(channels), c(channels), dw(channels);
  const double by = 1.0 / static_cast<double>(std::max<Index>(1, shape.batch * shape.inner));
  for (std::size_t k = 0; k < channels; ++k) {
    dw[k] = (dot[k] - m[k] * sum[k]) * s[k];  // sum of g * h
    a[k] = w[k] * s[k];
    if (statistics == Statistics::kOfBatch) {
      b[k] = -a[k] * s[k] * dw[k] * by;
      c[k] = -b[k] * m[k] - a[k] * sum[k] * by;
    }
  }
  if (grad_in.defined() && in.numel() > 0) data.affine2(grad, in, grad_in, a, b, c, shape.channels);
  write_values(dw, grad_weight);
  write_values(sum, grad_bias);
}

void group_norm(const TensorBase& out, const TensorBase& mean, const TensorBase& rstd, const TensorBase& in,
                const TensorBase& weight, const TensorBase& bias, const ChannelShape& shape, Index groups, double eps) {
  if (in.numel() == 0) return;
  const Data data(in, shape);
  const Index per_group = shape.channels / groups, n = per_group * shape.inner, rows = shape.batch * groups;
  const Doubles w = values_of(weight, shape.channels, 1), b = values_of(bias, shape.channels, 0);
  Doubles scale(static_cast<std::size_t>(data.runs())), shift(scale.size()), m(static_cast<std::size_t>(rows)),
      s(m.size());
  for_rows(rows, n, [&](Index r0, Index r1) {
    for (Index r = r0; r < r1; ++r) {
      const auto at = static_cast<std::size_t>(r);
      double square;
      data.passes.moments(data.at(in, r * per_group), n, &m[at], &square);
      s[at] = 1.0 / std::sqrt(square / static_cast<double>(n) + eps);
      for (Index k = 0; k < per_group; ++k) {
        const auto run = static_cast<std::size_t>(r * per_group + k),
                   channel = static_cast<std::size_t>(r % groups * per_group + k);
        scale[run] = w[channel] * s[at];
        shift[run] = b[channel] - m[at] * scale[run];
      }
    }
  });
  write_values(m, mean);
  write_values(s, rstd);
  data.affine(in, out, scale, shift, data.runs());
}

void group_norm_backward(const TensorBase& grad_in, const TensorBase& grad_weight, const TensorBase& grad_bias,
                         const TensorBase& grad, const TensorBase& in, const TensorBase& weight, const TensorBase& mean,
                         const TensorBase& rstd, const ChannelShape& shape, Index groups) {
  const Data data(in, shape);
  const Index per_group = shape.channels / groups, n = per_group * shape.inner, rows = shape.batch * groups;
  const Doubles w = values_of(weight, shape.channels, 1), m = values_of(mean, rows, 0), s = values_of(rstd, rows, 1);
  Doubles sum, dot, dw(static_cast<std::size_t>(shape.channels)), db(dw.size());
  data.dots(grad, in, sum, dot);
  Doubles a(sum.size()), b(sum.size()), c(sum.size());
  for (Index r = 0; r < rows; ++r) {
    const auto at = static_cast<std::size_t>(r);
    double total = 0, product = 0;  // of a = g * w, and of a * h
    for (Index k = 0; k < per_group; ++k) {
      const auto run = static_cast<std::size_t>(r * per_group + k),
                 channel = static_cast<std::size_t>(r % groups * per_group + k);
      const double gh = (dot[run] - m[at] * sum[run]) * s[at];
      total += w[channel] * sum[run];
      product += w[channel] * gh;
      dw[channel] += gh;
      db[channel] += sum[run];
    }
    const double by = 1.0 / static_cast<double>(n), slope = -s[at] * s[at] * product * by;
    for (Index k = 0; k < per_group; ++k) {
      const auto run = static_cast<std::size_t>(r * per_group + k),
                 channel = static_cast<std::size_t>(r % groups * per_group + k);
      a[run] = w[channel] * s[at];
      b[run] = slope;
      c[run] = -slope * m[at] - s[at] * total * by;
    }
  }
  if (grad_in.defined() && in.numel() > 0) data.affine2(grad, in, grad_in, a, b, c, data.runs());
  write_values(dw, grad_weight);
  write_values(db, grad_bias);
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const ChannelShape&)> channel_moments_kernel(
    cpu::channel_moments);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const ChannelShape&)>
    channel_norm_kernel(cpu::channel_norm);
const Kernel<void(Statistics, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const ChannelShape&)>
    channel_norm_backward_kernel(cpu::channel_norm_backward);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const ChannelShape&, std::int64_t, double)>
    group_norm_kernel(cpu::group_norm);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, const TensorBase&, const TensorBase&, const ChannelShape&, std::int64_t)>
    group_norm_backward_kernel(cpu::group_norm_backward);
}  // namespace rushlight
#endif
