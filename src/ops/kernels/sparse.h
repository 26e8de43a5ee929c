// Orders of sparse indices, and products of sparse matrices. Indices are contiguous int64 and in range.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// The least and the greatest index of each row of `indices` [dims, n], n > 0.
extern const Kernel<void(const TensorBase& indices, std::int64_t* least, std::int64_t* greatest)> index_range_kernel;
// flat[i] = sum of indices[d, i] * strides[d].
extern const Kernel<void(const TensorBase& flat, const TensorBase& indices, IntArray strides)> flatten_indices_kernel;
// The stable order of non-negative keys below `limit`; returns through `sorted` whether they ascend already, each once.
extern const Kernel<void(const TensorBase& order, const TensorBase& keys, std::int64_t limit, bool* sorted)>
    order_kernel;
// starts[s] = where the s-th different key begins in keys[order]; `count` of them. `starts` has room for all and one.
extern const Kernel<void(const TensorBase& starts, const TensorBase& keys, const TensorBase& order,
                         std::int64_t* count)>
    segments_kernel;
// out[s, ...] = sum of values[order[k], ...] for starts[s] <= k < starts[s + 1], in this order.
extern const Kernel<void(const TensorBase& out, const TensorBase& values, const TensorBase& order,
                         const TensorBase& starts)>
    segment_sum_kernel;
// Two lists of keys merged: which[0, k] and which[1, k] are the places of the k-th result in `a` and in `b`, or -1.
extern const Kernel<void(const TensorBase& which, const TensorBase& a, const TensorBase& b, std::int64_t* count)>
    merge_kernel;
// pointers[r] = how many of `rows` are below r.
extern const Kernel<void(const TensorBase& pointers, const TensorBase& rows)> count_pointers_kernel;
// rows[k] = the r with pointers[r] <= k < pointers[r + 1].
extern const Kernel<void(const TensorBase& rows, const TensorBase& pointers)> expand_pointers_kernel;

// out[r, :] = sum of values[k] * dense[columns[k], :] over the k of row r; `dense` and `out` are contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& pointers, const TensorBase& columns,
                         const TensorBase& values, const TensorBase& dense)>
    sparse_dense_kernel;
// out[k] = a[rows[k], :] * b[columns[k], :], summed; `a` and `b` are contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& rows, const TensorBase& columns, const TensorBase& a,
                         const TensorBase& b)>
    sampled_product_kernel;
// Row r of a product of two matrices by rows has counts[r] elements; the second call fills them, columns ascending.
struct SparseRows {
  const TensorBase &pointers, &columns, &values;
};
extern const Kernel<void(const TensorBase& counts, const SparseRows& a, const SparseRows& b, std::int64_t width)>
    sparse_product_counts_kernel;
extern const Kernel<void(const SparseRows& out, const SparseRows& a, const SparseRows& b, std::int64_t width)>
    sparse_product_kernel;

}  // namespace rushlight
