// Strided, transposing, filling and streaming moves.
#pragma once
#include <cstdint>

namespace rushlight::pointwise {

using Index = std::int64_t;

// A broadcast operand is one block of this many bytes that the kernel reads again and again: the most a kernel's loop
// handles at once (four vectors of 64 bytes).
inline constexpr Index kBlockBytes = 256;

// Data movement by element size (1, 2, 4, 8, 16 bytes), strides in bytes.
struct Moves {
  void (*copy[17])(const void* src, Index src_stride, void* dst, Index dst_stride, Index n);
  // dst[i][j] = src[j][i] for i < rows, j < cols; both row-major with the given row strides.
  void (*transpose[17])(const void* src, Index src_row, void* dst, Index dst_row, Index rows, Index cols);
  // dst = a[0], b[0], a[1], b[1], ... to a[n - 1], b[n - 1].
  void (*zip[17])(const void* a, const void* b, void* dst, Index n);
  void (*run)(const void* src, void* dst, Index bytes);     // that do not overlap
  void (*stream)(const void* src, void* dst, Index bytes);  // stores past the caches; a fence must follow
  void (*fill[17])(const void* value, void* dst, Index n);
  // kBlockBytes of each of n values, one after another, aligned to 64.
  void (*blocks[17])(const void* values, Index stride, void* dst, Index n);
};
const Moves& moves();

}  // namespace rushlight::pointwise
