// Which dimensions a reduction removes and what shape that leaves.
#pragma once
#include "ops/contiguous.h"
#include "ops/kernels/reduce.h"
#include "rushlight/tensor.h"
#include "tensor/dims.h"

namespace rushlight::ops {

using DimMask = std::uint64_t;

// Bits of `dims`; none or an empty list means every dimension. Throws for a dim that is out of range or listed twice.
DimMask dims_mask(const OptionalIntArray& dims, std::int64_t rank, const char* op);
inline DimMask all_dims(std::int64_t rank) { return rank == 0 ? 1 : ~DimMask{0} >> (64 - rank); }

// Sizes that are left, with ones for the dimensions in `mask` where `keepdim`.
std::vector<std::int64_t> reduced_sizes(const Tensor& self, DimMask mask, bool keepdim);

// How many elements go into one result.
std::int64_t reduced_count(const Tensor& self, DimMask mask);

// Throws IndexError when a dimension in `mask` has no elements.
void check_nonempty(const Tensor& self, DimMask mask, const char* op);

// `self` as `dtype`, any strides.
Tensor converted(const Tensor& self, Dtype dtype);

// Runs one reduction; no autograd.
Tensor reduce(Reduction op, const Tensor& self, DimMask mask, bool keepdim, Dtype result, double parameter = 0);
std::tuple<Tensor, Tensor> reduce_both(Reduction op, const Tensor& self, DimMask mask, bool keepdim, Dtype first,
                                       Dtype second, double parameter = 0);

// A tensor seen as outer x size x inner around dimension `dim`.
struct Lines {
  std::int64_t outer = 1, size = 1, inner = 1;
};
Lines lines_of(IntArray sizes, std::int64_t dim);

}  // namespace rushlight::ops
