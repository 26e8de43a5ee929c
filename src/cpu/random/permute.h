// What randperm and multinomial take from the vector code.
#pragma once
#include "cpu/random/distributions.h"

namespace rushlight::random {

// draw % divisor, draw % (divisor - 1), ... for at most 1248 draws; `out` has room for whole
// vectors.
void remainders(Words& w, std::uint32_t* out, std::size_t count, std::uint32_t divisor);
// Conversions of a half type; false for any other.
bool to_floats(Dtype type, const void* in, float* out, std::size_t n);
bool from_floats(Dtype type, const float* in, void* out, std::size_t n);

}  // namespace rushlight::random
