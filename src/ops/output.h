// The destination of an operator: may it be written, does it overlap an input, does it have the right shape.
#pragma once
#include "rushlight/tensor_base.h"

namespace rushlight {

// Gives `out` the sizes of a result: resizes it, with a warning unless it was empty.
void resize_output(const TensorBase& out, IntArray sizes);

// Throws where several elements of `out` share memory (an expanded tensor).
void check_no_internal_overlap(const TensorBase& out);

enum class Overlap { kNone, kSame, kPartial, kMaybe };
// kSame: the same elements in the same order; kMaybe: the address ranges meet, and strides with gaps leave it open.
Overlap overlap_of(const TensorBase& a, const TensorBase& b);
[[noreturn]] void throw_partial_overlap();

}  // namespace rushlight
