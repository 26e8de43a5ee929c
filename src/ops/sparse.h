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

// Without checks: indices are in range and fit `values` and `sizes`.
Tensor make_coo(const Tensor& indices, const Tensor& values, IntArray sizes, bool coalesced);
Tensor make_compressed(Layout layout, const Tensor& pointers, const Tensor& plain, const Tensor& values,
                       IntArray sizes);
// The pattern of `like` under other values.
Tensor with_values(const Tensor& like, const Tensor& values);

// Indices in order, each once: `self` where it is known to be so.
Tensor coalesced(const Tensor& self);

// `self` becomes what `value` is, of its own dtype; values stay in place where the pattern is the same.
void store_sparse(const Tensor& self, const Tensor& value, const char* name);

// Sparse, SparseCsr, Strided: layouts as PyTorch's error texts spell them.
const char* layout_title(Layout layout);

}  // namespace rushlight
