// Changes in place, as the engine and the view regeneration need to know them.
#pragma once
#include "autograd/node.h"

namespace rushlight {

// Identities. kOldValue stands for the value of a tensor before it is changed in place, kStandIn for an argument
// under forward mode.
extern const NodeType kOldValue, kStandIn;
struct Identity final : NodeOf<1> {
  explicit Identity(const NodeType& kind) : NodeOf<1>(kind) {}
};
// Links `stand_in`, a fresh header over the same memory, to `tensor`.
void link(const Tensor& stand_in, const Tensor& tensor, const NodeType& kind);

// Where an element of a view lies: sizes, strides and offset in elements of the view's dtype.
struct Geometry {
  explicit Geometry(const TensorImpl& impl);
  std::vector<std::int64_t> sizes, strides;
  std::int64_t offset;
  Dtype dtype;
};
// The view of `base` (its storage starting at `base_offset` elements in the original) with the given geometry.
Tensor view_with(const Tensor& base, const Geometry& geometry, std::int64_t shift);

// Gives `saved`, kept by the operator whose change of a view is part of `slices`, the history that the view has now.
void set_history_of_view(const Tensor& saved, Node& slices);

// Moves retain_grad of a tensor to the node that makes it now.
void move_retained(TensorImpl* impl, Node* from, Node* to, std::uint32_t output);

}  // namespace rushlight
