// Pooling by windows: maxima with their positions, averages, adaptive and fractional windows,
// sliding columns.
#include "ops/kernels/pool.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "cpu/gemm/buffer.h"
#include "cpu/pool/planes.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using Index = std::int64_t;

// One dimension of a window: elements from, from + step, ... below to.
struct Range {
  Index from, to, step;
};

template <class T>
using Wide = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <class T>
constexpr bool is_number() {
  return !std::is_same_v<T, bool> && !std::is_same_v<T, ComplexFloat> && !std::is_same_v<T, ComplexDouble>;
}

Index area(const Index* sizes) { return sizes[0] * sizes[1] * sizes[2]; }

// body(plane) over all planes, in groups of about 16 thousand elements.
template <class Body>
void for_planes(const PoolShape& s, const Body& body) {
  const Index work = std::max<Index>(1, std::max(area(s.in), area(s.out)));
  parallel_ranges(s.planes, std::max<Index>(1, 16384 / work), [&](Index begin, Index end) {
    for (Index p = begin; p < end; ++p)
      body(p);
  });
}

// The windows of each output position along every dim, clipped to the input.
struct Windows {
  std::vector<Range> of[3];

  static Windows sliding(const PoolShape& s) {
    Windows w;
    for (int d = 0; d < 3; ++d)
      for (Index i = 0; i < s.out[d]; ++i) {
        Index from = i * s.stride[d] - s.padding[d];
        const Index to = std::min(from + (s.kernel[d] - 1) * s.dilation[d] + 1, s.in[d]);
        if (from < 0) from += (-from + s.dilation[d] - 1) / s.dilation[d] * s.dilation[d];
        w.of[d].push_back({from, to, s.dilation[d]});
      }
    return w;
  }
  static Windows adaptive(const PoolShape& s) {
    Windows w;
    for (int d = 0; d < 3; ++d)
      for (Index i = 0; i < s.out[d]; ++i)
        w.of[d].push_back({i * s.in[d] / s.out[d], ((i + 1) * s.in[d] + s.out[d] - 1) / s.out[d], 1});
    return w;
  }
};

// f(output position, z, y, x ranges)
template <class F>
void for_windows(const PoolShape& s, const Windows& w, const F& f) {
  Index at = 0;
  for (Index z = 0; z < s.out[0]; ++z)
    for (Index y = 0; y < s.out[1]; ++y)
      for (Index x = 0; x < s.out[2]; ++x, ++at)
        f(at, w.of[0][static_cast<std::size_t>(z)], w.of[1][static_cast<std::size_t>(y)],
          w.of[2][static_cast<std::size_t>(x)]);
}

// The largest element of a window and where it is. The last NaN wins over everything.
template <class T>
void largest(const PoolShape& s, const T* in, const Range& z, const Range& y, const Range& x, T& value, Index& where) {
  using W = Wide<T>;
  W best =
      std::numeric_limits<W>::has_infinity ? -std::numeric_limits<W>::infinity() : std::numeric_limits<W>::lowest();
  where = (z.from * s.in[1] + y.from) * s.in[2] + x.from;
  for (Index iz = z.from; iz < z.to; iz += z.step)
    for (Index iy = y.from; iy < y.to; iy += y.step) {
      const Index row = (iz * s.in[1] + iy) * s.in[2];
      for (Index ix = x.from; ix < x.to; ix += x.step) {
        const W v = static_cast<W>(in[row + ix]);
        if (v > best || v != v) {
          best = v;
          where = row + ix;
        }
      }
    }
  value = static_cast<T>(best);
}

// Whether sliding windows of float32 go in vectors: positions have 32 bits.
bool in_vectors(const PoolShape& s, Dtype type) { return type == Dtype::kFloat32 && area(s.in) <= (Index{1} << 30); }

// body(plane, scratch) over all planes, in groups of about 16 thousand elements.
template <class Body>
void for_sliding_planes(const pool::Sliding& w, const Body& body) {
  const PoolShape& s = w.shape;
  const Index work = std::max<Index>(1, std::max(area(s.in), area(s.out)));
  parallel_ranges(s.planes, std::max<Index>(1, 16384 / work), [&](Index begin, Index end) {
    const Buffer<float> scratch(w.scratch());
    for (Index p = begin; p < end; ++p)
      body(p, scratch.get());
  });
}

// body(image) over channels-last images.
template <class Body>
void for_images(const PoolShape& s, const Body& body) {
  parallel_for(s.planes / s.channels, body);
}

void max_planes(const PoolShape& s, const TensorBase& in, const TensorBase& out, const TensorBase& indices) {
  const pool::Sliding w(s);
  Index* const where = indices.defined() ? indices.mutable_data<Index>() : nullptr;
  if (s.channels)
    return for_images(s, [&](Index i) {
      const Index o = i * s.channels * area(s.out);
      pool::max_image(w, s.channels, in.data<float>() + i * s.channels * area(s.in), out.mutable_data<float>() + o,
                      where ? where + o : nullptr);
    });
  for_sliding_planes(w, [&](Index p, float* scratch) {
    pool::max_plane(w, in.data<float>() + p * area(s.in), out.mutable_data<float>() + p * area(s.out),
                    where ? where + p * area(s.out) : nullptr, scratch);
  });
}

template <class T>
void max_windows(const PoolShape& s, const Windows& w, const TensorBase& in, const TensorBase& out,
                 const TensorBase& indices) {
  for_planes(s, [&](Index p) {
    const T* from = in.data<T>() + p * area(s.in);
    T* to = out.mutable_data<T>() + p * area(s.out);
    Index* at = indices.mutable_data<Index>() + p * area(s.out);
    for_windows(s, w, [&](Index o, const Range& z, const Range& y, const Range& x) {
      largest(s, from, z, y, x, to[o], at[o]);
    });
  });
}

void max_of_windows(const PoolShape& s, const Windows& w, const TensorBase& in, const TensorBase& out,
                    const TensorBase& indices) {
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>()) max_windows<T>(s, w, in, out, indices);
  });
}

void max_pool(const PoolShape& s, const TensorBase& in, const TensorBase& out, const TensorBase& indices) {
  if (in_vectors(s, in.dtype())) return max_planes(s, in, out, indices);
  max_of_windows(s, Windows::sliding(s), in, out, indices);
}
void adaptive_max(const PoolShape& s, const TensorBase& in, const TensorBase& out, const TensorBase& indices) {
  max_of_windows(s, Windows::adaptive(s), in, out, indices);
}

void max_pool_backward(const TensorBase& grad_out, const TensorBase& indices, const TensorBase& grad_in, Index planes) {
  const Index n = grad_out.numel() / planes, m = grad_in.numel() / planes;
  visit(grad_out.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>()) {
      parallel_ranges(planes, std::max<Index>(1, 16384 / m), [&](Index begin, Index end) {
        for (Index p = begin; p < end; ++p) {
          const T* from = grad_out.data<T>() + p * n;
          const Index* at = indices.data<Index>() + p * n;
          T* to = grad_in.mutable_data<T>() + p * m;
          for (Index i = 0; i < n; ++i)
            if (at[i] >= 0 && at[i] < m) to[at[i]] = static_cast<T>(to[at[i]] + from[i]);
        }
      });
    }
  });
}

// What the sum of a window is divided by.
struct Divisors {
  std::vector<Index> clipped[3], whole[3];  // elements inside, and with the border
  bool count_border;
  Index fixed;
  Divisors(const PoolShape& s, bool border, Index divisor) : count_border(border), fixed(divisor) {
    for (int d = 0; d < 3; ++d)
      for (Index i = 0; i < s.out[d]; ++i) {
        const Index from = i * s.stride[d] - s.padding[d], to = std::min(from + s.kernel[d], s.in[d] + s.padding[d]);
        whole[d].push_back(to - from);
        clipped[d].push_back(std::min(to, s.in[d]) - std::max<Index>(from, 0));
      }
  }
  Index of(const PoolShape& s, Index o) const {
    if (fixed) return fixed;
    const auto& sizes = count_border ? whole : clipped;
    return sizes[0][static_cast<std::size_t>(o / (s.out[1] * s.out[2]))] *
           sizes[1][static_cast<std::size_t>(o / s.out[2] % s.out[1])] *
           sizes[2][static_cast<std::size_t>(o % s.out[2])];
  }
  // As products of one factor for each output row and one for each column. An empty window is divided by 1.
  pool::Divisors factors(const PoolShape& s) const {
    const auto& sizes = count_border ? whole : clipped;
    pool::Divisors by;
    for (const Index z : sizes[0])
      for (const Index y : sizes[1])
        by.slices.push_back(fixed ? static_cast<float>(fixed) : static_cast<float>(z * y));
    by.columns.assign((static_cast<std::size_t>(s.out[2]) + 15) / 16 * 16, 1.0f);
    for (std::size_t x = 0; x < sizes[2].size(); ++x)
      if (!fixed && sizes[2][x] > 0) by.columns[x] = static_cast<float>(sizes[2][x]);
    return by;
  }
};

template <class T, class DivisorOf>
void average_windows(const PoolShape& s, const Windows& w, const TensorBase& in, const TensorBase& out,
                     const DivisorOf& divisor) {
  for_planes(s, [&](Index p) {
    const T* from = in.data<T>() + p * area(s.in);
    T* to = out.mutable_data<T>() + p * area(s.out);
    for_windows(s, w, [&](Index o, const Range& z, const Range& y, const Range& x) {
      using W = Wide<T>;
      W sum = 0;
      for (Index iz = z.from; iz < z.to; ++iz)
        for (Index iy = y.from; iy < y.to; ++iy) {
          const T* row = from + (iz * s.in[1] + iy) * s.in[2];
          for (Index ix = x.from; ix < x.to; ++ix)
            sum += static_cast<W>(row[ix]);
        }
      const bool empty = z.from >= z.to || y.from >= y.to || x.from >= x.to;
      to[o] = empty ? T(0) : static_cast<T>(sum / static_cast<W>(divisor(o, z, y, x)));
    });
  });
}

template <class T, class DivisorOf>
void spread_windows(const PoolShape& s, const Windows& w, const TensorBase& grad_out, const TensorBase& grad_in,
                    const DivisorOf& divisor) {
  for_planes(s, [&](Index p) {
    using W = Wide<T>;
    const Index size = area(s.in);
    const T* from = grad_out.data<T>() + p * area(s.out);
    T* const plane = grad_in.mutable_data<T>() + p * size;
    std::vector<W> wide;
    W* sums;
    if constexpr (std::is_same_v<W, T>) {
      sums = plane;
      std::fill_n(sums, size, W(0));
    } else {
      wide.assign(static_cast<std::size_t>(size), W(0));
      sums = wide.data();
    }
    for_windows(s, w, [&](Index o, const Range& z, const Range& y, const Range& x) {
      if (z.from >= z.to || y.from >= y.to || x.from >= x.to) return;
      const W share = static_cast<W>(from[o]) / static_cast<W>(divisor(o, z, y, x));
      for (Index iz = z.from; iz < z.to; ++iz)
        for (Index iy = y.from; iy < y.to; ++iy) {
          W* row = sums + (iz * s.in[1] + iy) * s.in[2];
          for (Index ix = x.from; ix < x.to; ++ix)
            row[ix] += share;
        }
    });
    if constexpr (!std::is_same_v<W, T>)
      for (Index i = 0; i < size; ++i)
        plane[i] = static_cast<T>(sums[i]);
  });
}

Index count_of(const Range& r) { return r.to - r.from; }

void average_planes(const PoolShape& s, const Divisors& divisors, const TensorBase& in, const TensorBase& out) {
  const pool::Sliding w(s);
  const pool::Divisors by = divisors.factors(s);
  if (s.channels)
    return for_images(s, [&](Index i) {
      pool::average_image(w, by, s.channels, in.data<float>() + i * s.channels * area(s.in),
                          out.mutable_data<float>() + i * s.channels * area(s.out));
    });
  for_sliding_planes(w, [&](Index p, float* scratch) {
    pool::average_plane(w, by, in.data<float>() + p * area(s.in), out.mutable_data<float>() + p * area(s.out), scratch);
  });
}
void spread_planes(const PoolShape& s, const Divisors& divisors, const TensorBase& grad_out,
                   const TensorBase& grad_in) {
  const pool::Sliding w(s);
  const pool::Divisors by = divisors.factors(s);
  for_sliding_planes(w, [&](Index p, float* scratch) {
    pool::spread_plane(w, by, grad_out.data<float>() + p * area(s.out), grad_in.mutable_data<float>() + p * area(s.in),
                       scratch);
  });
}

void average_pool(const PoolShape& s, const TensorBase& in, const TensorBase& out, bool count_border, Index divisor) {
  const Divisors divisors(s, count_border, divisor);
  if (in_vectors(s, in.dtype())) return average_planes(s, divisors, in, out);
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>())
      average_windows<T>(s, Windows::sliding(s), in, out, [&](Index o, auto&&...) { return divisors.of(s, o); });
  });
}
void average_pool_backward(const PoolShape& s, const TensorBase& grad_out, const TensorBase& grad_in, bool count_border,
                           Index divisor) {
  const Divisors divisors(s, count_border, divisor);
  if (in_vectors(s, grad_out.dtype())) return spread_planes(s, divisors, grad_out, grad_in);
  visit(grad_out.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>())
      spread_windows<T>(s, Windows::sliding(s), grad_out, grad_in,
                        [&](Index o, auto&&...) { return divisors.of(s, o); });
  });
}
// Windows that share the input without overlap are sliding ones.
bool evenly(const PoolShape& s) {
  for (int d = 0; d < 3; ++d)
    if (s.in[d] % s.out[d] != 0) return false;
  return true;
}
PoolShape sliding_form(PoolShape s) {
  for (int d = 0; d < 3; ++d)
    s.kernel[d] = s.stride[d] = s.in[d] / s.out[d];
  return s;
}
void adaptive_average(const PoolShape& s, const TensorBase& in, const TensorBase& out) {
  if (in.dtype() == Dtype::kFloat32 && evenly(s)) return average_pool(sliding_form(s), in, out, false, 0);
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>())
      average_windows<T>(s, Windows::adaptive(s), in, out, [](Index, const Range& z, const Range& y, const Range& x) {
        return count_of(z) * count_of(y) * count_of(x);
      });
  });
}
void adaptive_average_backward(const PoolShape& s, const TensorBase& grad_out, const TensorBase& grad_in) {
  if (grad_out.dtype() == Dtype::kFloat32 && evenly(s))
    return average_pool_backward(sliding_form(s), grad_out, grad_in, false, 0);
  visit(grad_out.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>())
      spread_windows<T>(s, Windows::adaptive(s), grad_out, grad_in,
                        [](Index, const Range& z, const Range& y, const Range& x) {
                          return count_of(z) * count_of(y) * count_of(x);
                        });
  });
}

// Starts of windows from one uniform number: floor((i + sample) alpha) - floor(sample alpha), the
// last one at the end; every operation is rounded to T.
template <class T>
void fractional_windows(const PoolShape& s, const TensorBase& in, const TensorBase& samples, const TensorBase& out,
                        const TensorBase& indices) {
  const Index dims = samples.size(-1);
  for_planes(s, [&](Index p) {
    using W = Wide<T>;
    Windows w;
    for (int d = 0; d < 3; ++d) {
      const Index dim = d - 3 + dims,
                  which = dims == 2 ? 1 - dim : dim;  // width first in two dimensions
      const W sample = dim < 0 ? W(0) : static_cast<W>(samples.data<T>()[p * dims + which]);
      const Index room = s.in[d] - s.kernel[d];
      const auto in_t = [](W value) { return static_cast<W>(T(value)); };
      const W alpha = s.out[d] > 1 ? in_t(in_t(static_cast<W>(room)) / in_t(static_cast<W>(s.out[d] - 1))) : W(0);
      for (Index i = 0; i < s.out[d]; ++i) {
        Index from = room;
        if (i + 1 < s.out[d])
          from = static_cast<Index>(in_t(in_t(in_t(static_cast<W>(i)) + sample) * alpha)) -
                 static_cast<Index>(in_t(sample * alpha));
        w.of[d].push_back({from, from + s.kernel[d], 1});
      }
    }
    const T* from = in.data<T>() + p * area(s.in);
    T* to = out.mutable_data<T>() + p * area(s.out);
    Index* at = indices.mutable_data<Index>() + p * area(s.out);
    for_windows(s, w, [&](Index o, const Range& z, const Range& y, const Range& x) {
      largest(s, from, z, y, x, to[o], at[o]);
    });
  });
}
void fractional_max(const PoolShape& s, const TensorBase& in, const TensorBase& samples, const TensorBase& out,
                    const TensorBase& indices) {
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (is_number<T>() && !std::is_integral_v<T>) fractional_windows<T>(s, in, samples, out, indices);
  });
}

// f(row of windows under one tap, input row or -1, first and last window inside, input column of window 0): windows
// outside read the border.
template <class F>
void for_tap_rows(const PoolShape& s, const F& f) {
  const Index taps = area(s.kernel);
  Index row = 0;
  for (Index tap = 0; tap < taps; ++tap) {
    const Index k[3] = {tap / (s.kernel[1] * s.kernel[2]), tap / s.kernel[2] % s.kernel[1], tap % s.kernel[2]};
    const Index shift = k[2] * s.dilation[2] - s.padding[2], room = s.in[2] - shift;
    const Index from = shift >= 0 ? 0 : std::min(s.out[2], (-shift + s.stride[2] - 1) / s.stride[2]);
    const Index to = room <= 0 ? from : std::clamp((room + s.stride[2] - 1) / s.stride[2], from, s.out[2]);
    for (Index z = 0; z < s.out[0]; ++z)
      for (Index y = 0; y < s.out[1]; ++y, ++row) {
        const Index iz = z * s.stride[0] - s.padding[0] + k[0] * s.dilation[0];
        const Index iy = y * s.stride[1] - s.padding[1] + k[1] * s.dilation[1];
        const bool inside = iz >= 0 && iz < s.in[0] && iy >= 0 && iy < s.in[1];
        f(row, inside ? iz * s.in[1] + iy : -1, from, to, shift);
      }
  }
}

template <class T>
void unfold_plane(const PoolShape& s, const T* in, T* columns) {
  for_tap_rows(s, [&](Index row, Index in_row, Index from, Index to, Index shift) {
    T* const out = columns + row * s.out[2];
    if (in_row < 0) {
      std::fill_n(out, s.out[2], T(0));
      return;
    }
    const T* const line = in + in_row * s.in[2] + shift;
    std::fill_n(out, from, T(0));
    if (s.stride[2] == 1)
      std::copy_n(line + from, to - from, out + from);
    else
      for (Index x = from; x < to; ++x)
        out[x] = line[x * s.stride[2]];
    std::fill_n(out + to, s.out[2] - to, T(0));
  });
}

template <class T>
void fold_plane(const PoolShape& s, const T* columns, T* in) {
  std::fill_n(in, area(s.in), T(0));
  for_tap_rows(s, [&](Index row, Index in_row, Index from, Index to, Index shift) {
    if (in_row < 0) return;
    const T* const out = columns + row * s.out[2];
    T* const line = in + in_row * s.in[2] + shift;
    if (s.stride[2] == 1)
      for (Index x = from; x < to; ++x)
        line[x] = static_cast<T>(line[x] + out[x]);
    else
      for (Index x = from; x < to; ++x)
        line[x * s.stride[2]] = static_cast<T>(line[x * s.stride[2]] + out[x]);
  });
}

void im2col(const PoolShape& s, const TensorBase& in, const TensorBase& columns) {
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    parallel_for(s.planes, [&](Index p) {
      unfold_plane(s, in.data<T>() + p * area(s.in), columns.mutable_data<T>() + p * area(s.kernel) * area(s.out));
    });
  });
}

void col2im(const PoolShape& s, const TensorBase& columns, const TensorBase& in) {
  visit(in.dtype(), [&](auto t) {
    using T = decltype(t);
    if constexpr (!std::is_same_v<T, bool>)
      parallel_for(s.planes, [&](Index p) {
        fold_plane(s, columns.data<T>() + p * area(s.kernel) * area(s.out), in.mutable_data<T>() + p * area(s.in));
      });
  });
}

}  // namespace

const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&, const TensorBase&)> max_pool_kernel{max_pool};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, std::int64_t)> max_pool_backward_kernel{
    max_pool_backward};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&, bool, std::int64_t)> average_pool_kernel{
    average_pool};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&, bool, std::int64_t)>
    average_pool_backward_kernel{average_pool_backward};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&)> adaptive_average_kernel{adaptive_average};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&)> adaptive_average_backward_kernel{
    adaptive_average_backward};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&, const TensorBase&)> adaptive_max_kernel{
    adaptive_max};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&)>
    fractional_max_kernel{fractional_max};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&)> im2col_kernel{im2col};
const Kernel<void(const PoolShape&, const TensorBase&, const TensorBase&)> col2im_kernel{col2im};

}  // namespace rushlight
