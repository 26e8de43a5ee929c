// The destination of an operator: may it be written, does it overlap an input, does it have the right shape.
#pragma once
#include "rushlight/tensor_base.h"

namespace rushlight {

// Gives `out` the sizes of a result: resizes it, with a warning unless it was empty.
void resize_output(const TensorBase& out, IntArray sizes);

// Whether several elements share memory because a stride is 0.
bool is_expanded(const TensorBase& t);
// Refuses an expanded tensor as the destination; `op` begins the text where the caller's name is not added to it.
void check_no_internal_overlap(const TensorBase& out, const char* op = nullptr);
// Of writes in place to an expanded tensor that PyTorch still allows; `example` is the index expression that does it.
void warn_of_expanded(const char* op, const char* example);

enum class Overlap { kNone, kSame, kPartial, kMaybe };
// kSame: the same elements in the same order; kMaybe: the address ranges meet, and strides with gaps leave it open.
Overlap overlap_of(const TensorBase& a, const TensorBase& b);
[[noreturn]] void throw_partial_overlap();

}  // namespace rushlight
