// Conversion between dtypes.
#pragma once
#include "rushlight/dtype.h"

namespace rushlight::pointwise {

using Index = std::int64_t;

// dst[i] = src[i] converted. Null where there is no direct conversion: `convert_through` says which dtype lies between.
using ConvertFn = void (*)(const void* src, void* dst, Index n);
ConvertFn find_convert(Dtype from, Dtype to);
Dtype convert_through(Dtype from, Dtype to);
// Any pair, by way of a third dtype where needed.
void convert(Dtype from, Dtype to, const void* src, void* dst, Index n);

}  // namespace rushlight::pointwise
