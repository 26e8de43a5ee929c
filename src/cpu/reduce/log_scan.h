// Running logsumexp of floats.
#pragma once
#include "cpu/reduce/reduce.h"

namespace rushlight::cpu {

// out = log of the running sums of exp(x) along the middle of outer x size x inner elements. Whether it was done: long
// lines that are few are better scanned one after the other.
bool scan_log_sums(const float* x, float* out, Index outer, Index size, Index inner);

}  // namespace rushlight::cpu
