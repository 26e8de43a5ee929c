// Pooling of float32 rows in vectors: the output columns whose windows lie inside the row.
#pragma once
#include <cstdint>

namespace rushlight::pool {

// One output row. Rows of the window are y, y + y_step, ... below y_end of a plane of `width`
// columns; output column i starts at column first + i * stride, for i in [from, to), with `taps`
// columns `tap_step` apart. stride is 1 or 2.
struct Row {
  const float* plane;
  std::int64_t width, y, y_end, y_step;
  std::int64_t first, stride, taps, tap_step;
  std::int64_t from, to;
  std::int64_t end;  // elements of the plane that may be read
};

// Returns the column it came to: the caller does the rest. `where` may be null; the last NaN wins.
std::int64_t max_row(const Row& row, float* out, std::int64_t* where);
std::int64_t average_row(const Row& row, float divisor, float* out);

}  // namespace rushlight::pool
