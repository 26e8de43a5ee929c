// Cells of an evenly spaced axis.
#pragma once
#include "cpu/reduce/reduce.h"

namespace rushlight::cpu {

// The cell of each of n points among the `bins` between evenly spaced edges; `bins` for points outside and for NaN.
// Fewer than 2^24 bins.
void find_cells(const float* x, Index n, const float* edges, Index bins, std::int32_t* cells);
void find_cells(const double* x, Index n, const double* edges, Index bins, std::int32_t* cells);

}  // namespace rushlight::cpu
