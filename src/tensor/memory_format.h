// Strides of memory formats.
#pragma once
#include "tensor/dims.h"

namespace rushlight {

// Dense strides of `sizes` in `format` (not preserve); throws where the rank does not fit the format.
ShortShape format_strides(IntArray sizes, MemoryFormat format);
// Dense strides whose order follows the strides of another tensor of the same sizes.
ShortShape dense_strides_like(IntArray sizes, IntArray strides);
// Channels-last when the strides of `tensor` say so, else contiguous.
MemoryFormat suggested_format(const TensorBase& tensor);
// The strides that empty_like gives: those of `like` when it is dense, else dense in the same order.
ShortShape preserved_strides(const TensorBase& like);
// The strides of a result in `format` made from `like`.
ShortShape result_strides(const TensorBase& like, std::optional<MemoryFormat> format);

}  // namespace rushlight
