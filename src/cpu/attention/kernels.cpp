// Attention kernels on tensors.
#include "ops/kernels/attention.h"

#include "cpu/attention/attention.h"

namespace rushlight {
namespace {

gemm::AttentionShape shape_of(const TensorBase& query, const TensorBase& key, const TensorBase& mask,
                              const AttentionOptions& options) {
  gemm::AttentionShape s{};
  s.heads = query.size(0) * query.size(1);
  s.q_len = query.size(2);
  s.k_len = key.size(2);
  s.dim = query.size(3);
  s.scale = static_cast<float>(options.scale);
  s.causal = options.causal;
  s.heads_per_batch = query.size(1);
  if (mask.defined()) {
    s.mask = mask.data<float>();
    s.mask_batch = mask.stride(0);
    s.mask_head = mask.stride(1);
    s.mask_row = mask.stride(2);
  }
  return s;
}

void attention(const TensorBase& query, const TensorBase& key, const TensorBase& value, const TensorBase& mask,
               const AttentionOptions& options, const TensorBase& output, const TensorBase& lse) {
  gemm::attention(shape_of(query, key, mask, options), query.data<float>(), key.data<float>(), value.data<float>(),
                  output.mutable_data<float>(), lse.mutable_data<float>());
}

void attention_backward(const TensorBase& query, const TensorBase& key, const TensorBase& value, const TensorBase& mask,
                        const AttentionOptions& options, const AttentionSaved& saved, const TensorBase& grad_query,
                        const TensorBase& grad_key, const TensorBase& grad_value) {
  gemm::attention_backward(shape_of(query, key, mask, options), query.data<float>(), key.data<float>(),
                           value.data<float>(), saved.output.data<float>(), saved.lse.data<float>(),
                           saved.grad.data<float>(), grad_query.mutable_data<float>(), grad_key.mutable_data<float>(),
                           grad_value.mutable_data<float>());
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const AttentionOptions&,
                  const TensorBase&, const TensorBase&)>
    attention_kernel{attention};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const AttentionOptions&,
                  const AttentionSaved&, const TensorBase&, const TensorBase&, const TensorBase&)>
    attention_backward_kernel{attention_backward};

}  // namespace rushlight
