// Scaled dot-product attention: the score matrix never exists, only the log-sum-exp is kept.
#pragma once
#include "cpu/gemm/gemm.h"

namespace rushlight::gemm {

struct AttentionShape {
  Index heads;  // batch * heads; q, out: (heads, q_len, dim), k, v: (heads, k_len, dim)
  Index q_len, k_len, dim;
  float scale;
  bool causal = false;          // query i sees the keys 0..i
  const float* mask = nullptr;  // added to the scores; strides of batch, head and row, columns contiguous
  Index mask_batch = 0, mask_head = 0, mask_row = 0, heads_per_batch = 1;
  const float* mask_of(Index h) const {
    return mask ? mask + h / heads_per_batch * mask_batch + h % heads_per_batch * mask_head : nullptr;
  }
};

// lse: (heads, q_len), may be null in inference.
void attention(const AttentionShape& s, const float* q, const float* k, const float* v, float* out, float* lse);
// Overwrites dq, dk, dv. `out` and `lse` are what `attention` returned.
void attention_backward(const AttentionShape& s, const float* q, const float* k, const float* v, const float* out,
                        const float* lse, const float* dout, float* dq, float* dk, float* dv);

}  // namespace rushlight::gemm
