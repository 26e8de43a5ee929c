// The caching allocator of tensor memory: statistics and control.
#pragma once
#include <cstddef>

namespace rushlight {

struct MemoryStats {
  std::size_t large_in_use = 0;    // bytes of large blocks held by tensors
  std::size_t large_cached = 0;    // bytes of large blocks kept for reuse
  std::size_t large_peak = 0;      // most bytes of large blocks ever in use
  std::size_t small_reserved = 0;  // bytes carved for small blocks, in use or free
};
MemoryStats memory_stats();
void empty_cache();  // gives cached large blocks back to the system
void reset_peak_memory();

}  // namespace rushlight
