// Rows as tasks: what the row kernels of this folder share outside their loops.
#pragma once
#include <algorithm>

#include "cpu/reduce/reduce.h"
#include "rushlight/parallel.h"

namespace rushlight::cpu {

// Results of this size on bypass the caches.
enum class Write : std::uint8_t { kCached, kStream };
inline Write write_of(Index bytes) { return bytes >= Index{16} << 20 ? Write::kStream : Write::kCached; }

inline Index rows_per_task(Index n) { return std::max<Index>(1, kTaskElements / 2 / std::max<Index>(n, 1)); }

// body(first, last) over the rows, in tasks cut by the length of a row.
template <class Body>
void for_rows(Index rows, Index n, const Body& body) {
  parallel_ranges(rows, rows_per_task(n), body);
}

}  // namespace rushlight::cpu
