// Sparse tensors as operators see them: their parts, how they are made, and orders of their indices.
//
// COO: `indices` [sparse_dim, nnz] and `values` [nnz, dense sizes...]; coalesced: sorted, without duplicates.
// Compressed: `indices` are row (CSR) or column (CSC) pointers, `plain` the other index of each value. The tensors in
// the parts have no history: derivatives go through the operators that make and take apart sparse tensors.
#pragma once
#include "ops/composed.h"

namespace rushlight {

struct SparseParts final : ComposedParts {
  Layout layout = Layout::kSparse;
  bool coalesced = false;
  Tensor indices, plain, values;
  TensorParts* clone() const override { return new SparseParts(*this); }
};

inline bool is_coo(const TensorBase& tensor) { return (tensor.word() & (kSparse | kCompressed)) == kSparse; }
inline bool is_compressed(const TensorBase& tensor) { return tensor.word() & kCompressed; }
inline bool is_sparse(const TensorBase& tensor) { return tensor.word() & kSparse; }
inline SparseParts& sparse_parts(const TensorBase& tensor) { return *static_cast<SparseParts*>(tensor.impl()->parts); }
inline std::int64_t nnz_of(const TensorBase& tensor) { return sparse_parts(tensor).values.sizes()[0]; }
// Dimensions that have indices.
inline std::size_t indexed_dims(const TensorBase& tensor) {
  return is_coo(tensor) ? static_cast<std::size_t>(sparse_parts(tensor).indices.sizes()[0]) : 2;
}

// Without checks: indices are in range and fit `values` and `sizes`.
Tensor make_coo(const Tensor& indices, const Tensor& values, IntArray sizes, bool coalesced);
Tensor make_compressed(Layout layout, const Tensor& pointers, const Tensor& plain, const Tensor& values,
                       IntArray sizes);
Tensor empty_coo(IntArray sizes, std::size_t indexed, Dtype dtype);
Tensor empty_compressed(Layout layout, IntArray sizes, Dtype dtype);
// The pattern of `like` under other values.
Tensor with_values(const Tensor& like, const Tensor& values);
// `self` becomes what `value` is, of its own dtype; values stay in place where the pattern is the same.
void store_sparse(const Tensor& self, const Tensor& value, const char* name);

// Sparse, SparseCsr, Strided: layouts as PyTorch's error texts spell them.
const char* layout_title(Layout layout);
void need_coo(const Tensor& self, const char* op);

// Throws where an index is outside of the first `sizes` or pointers do not ascend: indices are memory that a program
// may have changed.
void check_indices(const Tensor& indices, IntArray sizes, const char* op);
void check_compressed(const Tensor& self, const char* op);

// Places in a dense tensor of `sizes` whose dimensions are those of `indices`; checked.
Tensor flat_indices(const Tensor& indices, IntArray sizes, const char* op);
// Keys in ascending order, equal ones together in their order.
struct Segments {
  Tensor order, starts;  // starts has one more entry than there are segments
  std::int64_t count = 0;
  bool trivial = false;  // the keys ascend already, each once
};
Segments segments_of(const Tensor& keys, std::int64_t limit);
// Rows of `values` added up segment by segment.
Tensor segment_sums(const Tensor& values, const Segments& segments);
// Indices in order, each once: `self` where it is known to be so.
Tensor coalesced(const Tensor& self);

// A sparse matrix by rows, whatever its layout; int64.
struct Rows {
  Tensor pointers, columns, values;
};
Rows rows_of(const Tensor& matrix, const char* op);
// The row of each element of compressed pointers.
Tensor expanded(const Tensor& pointers, std::int64_t count);
Tensor pointers_of(const Tensor& rows, std::int64_t count);
// The indices of any sparse tensor as those of COO.
Tensor coo_indices(const Tensor& self);
// The same elements in another layout, without history.
Tensor as_coo(const Tensor& self);
Tensor as_compressed(const Tensor& self, Layout layout);
Tensor as_layout(const Tensor& self, Layout layout);
// sparse_mask and values at indices, without history.
Tensor taken(const Tensor& self, const Tensor& indices);

}  // namespace rushlight
