// Kernels of scaled dot-product attention, float32.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

struct AttentionOptions {
  double scale;
  bool causal;  // query i sees the keys 0..i
};

// query and output (batch, heads, queries, dim), key and value (batch, heads, keys, dim), lse
// (batch, heads, queries): contiguous. `mask` is added to the scores: (batch, heads, queries,
// keys), contiguous along keys, or undefined.
extern const Kernel<void(const TensorBase& query, const TensorBase& key, const TensorBase& value,
                         const TensorBase& mask, const AttentionOptions& options, const TensorBase& output,
                         const TensorBase& lse)>
    attention_kernel;

struct AttentionSaved {
  const TensorBase &output, &lse, &grad;
};
extern const Kernel<void(const TensorBase& query, const TensorBase& key, const TensorBase& value,
                         const TensorBase& mask, const AttentionOptions& options, const AttentionSaved& saved,
                         const TensorBase& grad_query, const TensorBase& grad_key, const TensorBase& grad_value)>
    attention_backward_kernel;

}  // namespace rushlight
