// Reductions of runs of one dimension: a task takes some segments, a strip of neighbouring columns at a time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "cpu/reduce/rows.h"
#include "ops/kernels/segment.h"

namespace rushlight::cpu {
namespace {

constexpr Index kStrip = 512;

// What a segment of T carries.
template <class T>
using Carry = std::conditional_t<sizeof(T) == 2, float, double>;

struct Segments {
  const Index* bounds;
  Index count, size, inner;  // segments and elements of the axis, elements behind it
  SegmentStart start;
};

template <class T, class Step>
void reduce_segments(const Segments& at, Index outer, const T* data, T* out, bool mean, const Step& step) {
  using A = Carry<T>;
  const A start = static_cast<A>(static_cast<T>(static_cast<A>(at.start.value)));
  const Index tasks = outer * at.count, work = at.size * at.inner / at.count;
  parallel_ranges(tasks, rows_per_task(work), [&](Index begin, Index end) {
    A carry[kStrip];
    for (Index t = begin; t < end; ++t) {
      const Index o = t / at.count;
      const Index first = at.bounds[t + o], last = at.bounds[t + o + 1];
      for (Index c = 0; c < at.inner; c += kStrip) {
        const Index width = std::min(kStrip, at.inner - c);
        std::fill_n(carry, width, start);
        const T* x = data + (o * at.size + first) * at.inner + c;
        if (at.inner == 1)  // in a register
          carry[0] =
              std::accumulate(x, x + (last - first), start, [&](A a, T v) { return step(a, static_cast<A>(v)); });
        else
          for (Index k = first; k < last; ++k, x += at.inner)
            for (Index i = 0; i < width; ++i)
              carry[i] = step(carry[i], static_cast<A>(x[i]));
        T* y = out + t * at.inner + c;
        const A share = mean && last > first ? static_cast<A>(last - first) : A{1};
        for (Index i = 0; i < width; ++i)
          y[i] = static_cast<T>(last > first ? carry[i] / share : static_cast<A>(at.start.empty));
      }
    }
  });
}

template <class T>
void reduce_as(SegmentReduction op, const Segments& at, Index outer, const T* data, T* out) {
  using A = Carry<T>;
  const auto with = [&](const auto& step) {
    reduce_segments(at, outer, data, out, op == SegmentReduction::kMean, step);
  };
  switch (op) {
    case SegmentReduction::kSum:
    case SegmentReduction::kMean:
      return with([](A a, A x) { return a + x; });
    case SegmentReduction::kProd:
      return with([](A a, A x) { return a * x; });
    case SegmentReduction::kMax:  // NaN wins
      return with([](A a, A x) { return x > a || std::isnan(x) ? x : a; });
    case SegmentReduction::kMin:
      return with([](A a, A x) { return x < a || std::isnan(x) ? x : a; });
  }
}

void segment_reduce_on_cpu(SegmentReduction op, const TensorBase& out, const TensorBase& data, const TensorBase& bounds,
                           SegmentStart start, Index axis) {
  Segments at{bounds.data<Index>(), out.sizes()[static_cast<std::size_t>(axis)],
              data.sizes()[static_cast<std::size_t>(axis)], 1, start};
  Index outer = 1;
  for (Index d = 0; d < out.dim(); ++d)
    if (d != axis) (d < axis ? outer : at.inner) *= out.sizes()[static_cast<std::size_t>(d)];
  const auto as = [&]<class T>(T) { reduce_as(op, at, outer, data.data<T>(), out.mutable_data<T>()); };
  switch (out.dtype()) {
    case Dtype::kFloat64:
      return as(double{});
    case Dtype::kFloat16:
      return as(Half{});
    case Dtype::kBFloat16:
      return as(BFloat16{});
    default:
      return as(float{});
  }
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
constinit const Kernel<void(SegmentReduction, const TensorBase&, const TensorBase&, const TensorBase&, SegmentStart,
                            std::int64_t)>
    segment_reduce_kernel(cpu::segment_reduce_on_cpu);
}  // namespace rushlight
