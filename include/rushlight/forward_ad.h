// Forward-mode differentiation: dual tensors carry a tangent through every operator.
#pragma once
#include "rushlight/tensor.h"

namespace rushlight::forward_ad {

// Levels nest like scopes; tangents of a level end with it. One level may be open at a time.
std::int64_t enter_dual_level();
void exit_dual_level(std::int64_t level);

// `tensor` with `tangent` (same shape and dtype; throws otherwise) as a view that shares its memory.
Tensor make_dual(const Tensor& tensor, const Tensor& tangent);
// The primal part and the tangent, undefined where there is none.
std::tuple<Tensor, Tensor> unpack_dual(const Tensor& tensor);

}  // namespace rushlight::forward_ad

namespace rushlight {
// The tangent of a tensor, undefined without one; setting an undefined one removes it.
Tensor tangent_of(const Tensor& tensor);
void set_tangent(const Tensor& tensor, const Tensor& tangent);
}  // namespace rushlight
