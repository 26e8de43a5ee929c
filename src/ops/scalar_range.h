// Whether a number can be stored in a dtype.
#pragma once
#include "rushlight/error.h"
#include "rushlight/scalar.h"

namespace rushlight {

// Throws where `value` lies outside of what `type` holds: 300 in uint8, infinity or 0.5i in an integer.
void check_fits(const Scalar& value, Dtype type);

}  // namespace rushlight
