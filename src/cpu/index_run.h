// Runs of elements added to others, for indexed writes of whole blocks.
#pragma once
#include <cstdint>

#include "ops/kernels/index.h"

namespace rushlight {

// to[i] = combine(to[i], from[i]) for n elements.
using RunFunction = void (*)(const void* from, void* to, std::int64_t n);

// Null where the plain loop serves as well.
RunFunction run_of(Combine combine, Dtype dtype);

}  // namespace rushlight
