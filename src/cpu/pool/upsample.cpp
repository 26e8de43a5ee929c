// Resampling along one dimension by a table of taps.
#include "ops/kernels/upsample.h"

#include <algorithm>
#include <type_traits>

#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using Index = std::int64_t;

struct Lines {
  Index outer = 1, in, out, inner = 1;
  Lines(const TensorBase& in_tensor, const TensorBase& out_tensor, Index dim)
      : in(in_tensor.size(dim)), out(out_tensor.size(dim)) {
    for (Index d = 0; d < in_tensor.dim(); ++d) {
      if (d < dim) outer *= in_tensor.size(d);
      if (d > dim) inner *= in_tensor.size(d);
    }
  }
  Index grain() const { return std::max<Index>(1, 32768 / std::max<Index>(1, std::max(in, out) * inner)); }
};

// Along the last dim: single elements.
template <class T>
void resample_row(const Lines& l, const T* from, T* to, const Taps& table, const std::vector<T>& weights) {
  const Index* index = table.index.data();
  const T* w = weights.data();
  if (weights.empty()) {
    for (Index i = 0; i < l.out; ++i)
      to[i] = from[index[i]];
  } else if (table.taps == 2) {
    for (Index i = 0; i < l.out; ++i)
      to[i] = static_cast<T>(w[2 * i] * from[index[2 * i]] + w[2 * i + 1] * from[index[2 * i + 1]]);
  } else {
    for (Index i = 0; i < l.out; ++i, index += table.taps, w += table.taps) {
      T sum = static_cast<T>(w[0] * from[index[0]]);
      for (Index t = 1; t < table.taps; ++t)
        sum = static_cast<T>(sum + w[t] * from[index[t]]);
      to[i] = sum;
    }
  }
}

// Along another dim: lines of `inner` elements.
template <class T>
void resample_plane(const Lines& l, const T* from, T* to, const Taps& table, const std::vector<T>& weights) {
  for (Index i = 0; i < l.out; ++i, to += l.inner) {
    const Index* index = table.index.data() + i * table.taps;
    const T* first = from + index[0] * l.inner;
    if (weights.empty()) {
      std::copy_n(first, l.inner, to);
      continue;
    }
    const T* w = weights.data() + i * table.taps;
    if (table.taps == 2) {
      const T* second = from + index[1] * l.inner;
      for (Index x = 0; x < l.inner; ++x)
        to[x] = static_cast<T>(w[0] * first[x] + w[1] * second[x]);
      continue;
    }
    for (Index x = 0; x < l.inner; ++x)
      to[x] = static_cast<T>(w[0] * first[x]);
    for (Index t = 1; t < table.taps; ++t) {
      const T* line = from + index[t] * l.inner;
      for (Index x = 0; x < l.inner; ++x)
        to[x] = static_cast<T>(to[x] + w[t] * line[x]);
    }
  }
}

template <class T>
void resample_lines(const Lines& l, const T* in, T* out, const Taps& table) {
  const std::vector<T> weights(table.weight.begin(), table.weight.end());
  parallel_ranges(l.outer, l.grain(), [&](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      const T* from = in + o * l.in * l.inner;
      T* to = out + o * l.out * l.inner;
      if (l.inner == 1)
        resample_row(l, from, to, table, weights);
      else
        resample_plane(l, from, to, table, weights);
    }
  });
}

template <class T>
void resample_lines_backward(const Lines& l, const T* grad_out, T* grad_in, const Taps& table) {
  std::vector<T> weights(table.weight.begin(), table.weight.end());
  parallel_ranges(l.outer, l.grain(), [&](Index begin, Index end) {
    for (Index o = begin; o < end; ++o) {
      const T* from = grad_out + o * l.out * l.inner;
      T* to = grad_in + o * l.in * l.inner;
      std::fill_n(to, l.in * l.inner, T(0));
      for (Index i = 0; i < l.out; ++i, from += l.inner)
        for (Index t = 0; t < table.taps; ++t) {
          T* line = to + table.index[static_cast<std::size_t>(i * table.taps + t)] * l.inner;
          const T w = weights.empty() ? T(1) : weights[static_cast<std::size_t>(i * table.taps + t)];
          for (Index x = 0; x < l.inner; ++x)
            line[x] += w * from[x];
        }
    }
  });
}

void resample(const TensorBase& in, const TensorBase& out, Index dim, const Taps& table) {
  const Lines lines(in, out, dim);
  switch (in.dtype()) {
    case Dtype::kFloat32:
      return resample_lines(lines, in.data<float>(), out.mutable_data<float>(), table);
    case Dtype::kFloat64:
      return resample_lines(lines, in.data<double>(), out.mutable_data<double>(), table);
    case Dtype::kUInt8:
      return resample_lines(lines, in.data<std::uint8_t>(), out.mutable_data<std::uint8_t>(), table);
    default:
      return;
  }
}

void resample_backward(const TensorBase& grad_out, const TensorBase& grad_in, Index dim, const Taps& table) {
  const Lines lines(grad_in, grad_out, dim);
  if (grad_out.dtype() == Dtype::kFloat32)
    resample_lines_backward(lines, grad_out.data<float>(), grad_in.mutable_data<float>(), table);
  else
    resample_lines_backward(lines, grad_out.data<double>(), grad_in.mutable_data<double>(), table);
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, std::int64_t, const Taps&)> resample_kernel{resample};
const Kernel<void(const TensorBase&, const TensorBase&, std::int64_t, const Taps&)> resample_backward_kernel{
    resample_backward};

}  // namespace rushlight
