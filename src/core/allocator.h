// Large blocks of tensor memory: multiples of 2 MB on 2 MB boundaries, cached and reused.
#pragma once
#include <cstddef>

namespace rushlight {

// Throws OutOfMemoryError that names the size. Contents are unspecified.
void* allocate_large(std::size_t bytes);
void free_large(void* block, std::size_t bytes) noexcept;

}  // namespace rushlight
