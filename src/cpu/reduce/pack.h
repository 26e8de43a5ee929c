// Every other element, packed.
#pragma once
#include "cpu/reduce/reduce.h"

namespace rushlight::cpu {

// to[i] = x[2 i] for n elements of `item` bytes: of complex parts and x[..., ::2].
void pack_every_other(const void* x, Index item, Index n, void* to);

}  // namespace rushlight::cpu
