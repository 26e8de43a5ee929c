// Shapes and strides of views: shapes with an inferred dimension, and whether a shape fits strides.
#pragma once
#include "tensor/dims.h"

namespace rushlight {

// `shape` with its -1 replaced; throws unless the elements fit.
ShortShape inferred_shape(IntArray shape, std::int64_t numel);
// Strides that show the elements of `self` under `shape` without moving them; nothing where that is impossible.
std::optional<ShortShape> strides_for(const TensorBase& self, IntArray shape);
// Sizes and strides of `expand`; throws where a size does not fit.
std::pair<ShortShape, ShortShape> expanded(const TensorBase& self, IntArray size);
// `start` and `end` of a slice as PyTorch clamps them.
std::pair<std::int64_t, std::int64_t> slice_bounds(std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                                                   std::int64_t size);

}  // namespace rushlight
