// Kernels that read and write where index tensors say.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

enum class Combine : std::uint8_t { kAssign, kAdd, kMul, kMax, kMin };

// `blocks` is a view of the indexed tensor without its indexed dimensions: `before` leading ones, then those that
// follow the index. out[b, j, a] = blocks[b, a] at offsets[j] elements further; out is contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& blocks, std::int64_t before, IntArray offsets)>
    gather_blocks_kernel;

// The reverse: blocks[b, a] at offsets[j] = combine(itself, values[b, j, a]), j in ascending order. `values` is
// contiguous and of the same dtype.
extern const Kernel<void(const TensorBase& blocks, const TensorBase& values, std::int64_t before, IntArray offsets,
                         Combine combine)>
    scatter_blocks_kernel;

// out[i...] = self[i... with index[i...] in place of i[dim]]; `out` has the shape of `index`, which is checked here.
extern const Kernel<void(const TensorBase& out, const TensorBase& self, std::int64_t dim, const TensorBase& index)>
    gather_kernel;

// self[i... with index[i...] in place of i[dim]] = combine(itself, src[i...]), in logical order of `index`.
extern const Kernel<void(const TensorBase& self, std::int64_t dim, const TensorBase& index, const TensorBase& src,
                         Combine combine)>
    scatter_kernel;

// The greatest element of a contiguous int64 tensor, taken as unsigned: beyond every size where one is negative; 0 if
// there is none.
extern const Kernel<void(const TensorBase& index, std::uint64_t* greatest)> greatest_index_kernel;

// How many elements of a contiguous bool tensor are true; their coordinates, row by row, in logical order (out: count x
// dim, int64).
extern const Kernel<void(const TensorBase& mask, std::int64_t* count)> count_true_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& mask)> nonzero_kernel;

// out[k] = self[i], where i are the places at which `mask` (bool, of self's shape) is true, both contiguous; and the
// reverse, for any strides.
extern const Kernel<void(const TensorBase& out, const TensorBase& self, const TensorBase& mask)> masked_select_kernel;
extern const Kernel<void(const TensorBase& self, const TensorBase& mask, const TensorBase& source)>
    masked_scatter_kernel;

}  // namespace rushlight
