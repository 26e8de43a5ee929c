// Cells of an evenly spaced axis.
#pragma once
#include "cpu/reduce/reduce.h"

namespace rushlight::cpu {

// The cell of each of n points among `bins` between low and high, which may be one off by rounding; `bins` for points
// outside and for NaN. Fewer than 2^24 bins.
void find_cells(const float* x, Index n, float low, float high, Index bins, std::int32_t* cells);
void find_cells(const double* x, Index n, double low, double high, Index bins, std::int32_t* cells);

}  // namespace rushlight::cpu
