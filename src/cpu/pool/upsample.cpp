// Resampling along one dimension by a table of taps: the entry by dtype.
#include "ops/kernels/upsample.h"

#include <algorithm>

#include "cpu/pool/resample.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using Index = std::int64_t;
using pool::Lines;
using pool::WeightedTaps;

Lines lines_of(const TensorBase& in, const TensorBase& out, Index dim) {
  Lines l{1, in.size(dim), out.size(dim), 1};
  for (Index d = 0; d < in.dim(); ++d) {
    if (d < dim) l.outer *= in.size(d);
    if (d > dim) l.inner *= in.size(d);
  }
  return l;
}

// Bytes are only ever copied: other filters go through float32.
void resample_bytes(const Lines& l, const std::uint8_t* in, std::uint8_t* out, const Taps& table) {
  parallel_ranges(l.outer, std::max<Index>(1, 32768 / std::max<Index>(1, l.out * l.inner)),
                  [&](Index begin, Index end) {
                    for (Index o = begin; o < end; ++o)
                      for (Index i = 0; i < l.out; ++i)
                        std::copy_n(in + (o * l.in + table.index[static_cast<std::size_t>(i)]) * l.inner, l.inner,
                                    out + (o * l.out + i) * l.inner);
                  });
}

void resample(const TensorBase& in, const TensorBase& out, Index dim, const Taps& table) {
  const Lines l = lines_of(in, out, dim);
  if (in.dtype() == Dtype::kFloat32)
    pool::resample(l, in.data<float>(), out.mutable_data<float>(), WeightedTaps<float>(table));
  else if (in.dtype() == Dtype::kFloat64)
    pool::resample(l, in.data<double>(), out.mutable_data<double>(), WeightedTaps<double>(table));
  else
    resample_bytes(l, in.data<std::uint8_t>(), out.mutable_data<std::uint8_t>(), table);
}

void resample_backward(const TensorBase& grad_out, const TensorBase& grad_in, Index dim, const Taps& table) {
  const Lines l = lines_of(grad_in, grad_out, dim);
  if (grad_out.dtype() == Dtype::kFloat32)
    pool::resample_backward(l, grad_out.data<float>(), grad_in.mutable_data<float>(), WeightedTaps<float>(table));
  else
    pool::resample_backward(l, grad_out.data<double>(), grad_in.mutable_data<double>(), WeightedTaps<double>(table));
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, std::int64_t, const Taps&)> resample_kernel{resample};
const Kernel<void(const TensorBase&, const TensorBase&, std::int64_t, const Taps&)> resample_backward_kernel{
    resample_backward};

}  // namespace rushlight
