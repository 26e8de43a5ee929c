// The interface between the driver of reductions and their kernels.
#pragma once
#include <cstdint>

#include "ops/kernels/reduce.h"

namespace rushlight::cpu {

using Index = std::int64_t;

// Where the elements of neighbouring results lie: finish() looks up positions of maxima there.
struct Source {
  const void* x;     // of the first result
  Index col_stride;  // from result to result
  int ndim;          // reduced dimensions, innermost first
  const Index *size, *stride;
};

// Results of `finish`: `width` of them, `stride` elements apart; `second` is the index or the mean.
struct Sink {
  void* out;
  Index stride;
  void* second;
  Index second_stride;
  Dtype out_dtype, second_dtype;
};

// One reduction on one type: what the driver needs to know. A "state" is what one output element has gathered so
// far: one value for monoids, (mean, m2, n) for var, (max, sum) for logsumexp, (position, value) for argmax.
// States of `width` neighbouring outputs lie plane by plane.
struct ReduceKernel {
  Index state_bytes;
  int planes;
  // Columns [c0, c1): a run of n contiguous elements each, `stride` apart. `first` is the position of a run's
  // first element.
  void (*inner)(const void* x, Index n, Index stride, Index c0, Index c1, Index width, Index first, void* states,
                double parameter);
  // rows x width elements, rows `stride` apart -> one state a column. No rows: the state of nothing.
  void (*outer)(const void* x, Index stride, Index rows, Index width, Index first, void* states, double parameter);
  void (*combine)(void* a, const void* b, Index width);  // a = a (+) b; a comes first
  // Writes results; `n` elements went into each.
  void (*finish)(const void* states, Index width, Index n, double parameter, const Source& source, const Sink& sink);
};

// Null where the reduction has no kernel for this dtype.
const ReduceKernel* find_sum(Reduction op, Dtype dtype);
const ReduceKernel* find_extremum(Reduction op, Dtype dtype);
const ReduceKernel* find_product(Reduction op, Dtype dtype);
const ReduceKernel* find_moments(Reduction op, Dtype dtype);
const ReduceKernel* find_logsumexp(Reduction op, Dtype dtype);
const ReduceKernel* find_argument(Reduction op, Dtype dtype);

// Writes `count` values of type float, double, std::int64_t or out_dtype's own type as out_dtype, converting.
template <class A>
void store_results(const A* values, Index count, void* out, Index stride, Dtype out_dtype);

// A tensor as the driver sees it. Strides count elements.
struct View {
  const void* data;
  Dtype dtype;
  int dim;
  const Index *sizes, *strides;
};

// Reduces the dimensions in `mask`; `out` (and `second`) have the kept ones, in order.
void reduce(Reduction op, const View& x, std::uint64_t mask, const View& out, const View* second, double parameter);

// The sizes that fix the order of all additions.
inline constexpr Index kBlock = 4096;    // elements of an inner run that become one state
inline constexpr Index kRowChunk = 128;  // rows of an outer reduction that become one state
inline constexpr Index kColTile = 2048;  // columns that one call of `outer` sees at most
inline constexpr Index kTaskElements = 1 << 16;

}  // namespace rushlight::cpu
