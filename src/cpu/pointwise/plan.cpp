// Broadcast, drop, sort, merge, choose the tile.
#include "cpu/pointwise/plan.h"

#include <algorithm>

namespace rushlight::pointwise {
namespace {

constexpr Index kTile = 1024;  // elements a tile, where anything lives in scratch: 4 KB of float32
// A tile with a transposed operand has rows of 512 bytes or more and reads four lines at once.
constexpr Index kTransposedColumns = 128, kTransposedBytes = 256;
constexpr Index kRowCall = 64;    // rows from this length on, or of whole vectors, are worth running by themselves
constexpr Index kRowBlocks = 64;  // rows of a tile where each has a broadcast block of its own

// True where dimension a must lie inside dimension b: by the result's strides, ties by the inputs'.
bool inside(const Plan& p, int a, int b) {
  for (int k = 0; k < p.operands; ++k) {
    const Index sa = p.stride[k][a], sb = p.stride[k][b];
    if (sa == 0 || sb == 0 || sa == sb) continue;
    return sa < sb;
  }
  return false;
}

void swap_dims(Plan& p, int a, int b) {
  std::swap(p.size[a], p.size[b]);
  for (int k = 0; k < p.operands; ++k)
    std::swap(p.stride[k][a], p.stride[k][b]);
}

void sort_dims(Plan& p) {
  for (int i = 1; i < p.dim; ++i)
    for (int j = i; j > 0 && inside(p, j, j - 1); --j)
      swap_dims(p, j, j - 1);
}

bool mergeable(const Plan& p, int inner, int outer) {
  for (int k = 0; k < p.operands; ++k)
    if (p.stride[k][outer] != p.stride[k][inner] * p.size[inner]) return false;
  return true;
}

void merge_dims(Plan& p) {
  int last = 0;
  for (int d = 1; d < p.dim; ++d) {
    if (mergeable(p, last, d)) {
      p.size[last] *= p.size[d];
      continue;
    }
    ++last;
    if (last == d) continue;
    p.size[last] = p.size[d];
    for (int k = 0; k < p.operands; ++k)
      p.stride[k][last] = p.stride[k][d];
  }
  p.dim = last + 1;
}

// A dimension along which some input is contiguous although it is not along dimension 0, or 0.
int transposed_dim(const Plan& p, const Index* item) {
  for (int k = 1; k < p.operands; ++k) {
    if (p.stride[k][0] == item[k] || p.stride[k][0] == 0) continue;
    for (int d = 1; d < p.dim; ++d)
      if (p.stride[k][d] == item[k]) return d;
  }
  return 0;
}

void spread_dims(Plan& p, const View* operands, const Index* item) {
  const View& out = operands[0];
  p.dim = 0;
  for (int d = out.dim - 1; d >= 0; --d) {
    if (out.sizes[d] == 1) continue;
    p.size[p.dim] = out.sizes[d];
    for (int k = 0; k < p.operands; ++k) {
      const View& t = operands[k];
      const int e = d - out.dim + t.dim;
      p.stride[k][p.dim] = e >= 0 && t.sizes[e] != 1 ? t.strides[e] * item[k] : 0;
    }
    ++p.dim;
  }
  if (p.dim == 0) {
    p.dim = 1;
    p.size[0] = 1;
    for (int k = 0; k < p.operands; ++k)
      p.stride[k][0] = operands[k].sizes ? item[k] : 0;  // numbers stay blocks
  } else if (p.dim > 1) {
    sort_dims(p);
    merge_dims(p);
  }
}

}  // namespace

void make_plan(Plan& p, const View* operands, int count, const Dtype* as, Work work) {
  p.operands = count;
  Index item[kMaxOperands];
  bool in_scratch = false;
  for (int k = 0; k < count; ++k) {
    item[k] = static_cast<Index>(item_size(operands[k].dtype));
    in_scratch |= operands[k].dtype != as[k];
  }
  spread_dims(p, operands, item);
  const Index n0 = p.size[0];
  const int transposed = p.dim > 1 ? transposed_dim(p, item) : 0;
  bool strided = false;
  Index traffic = 0;
  for (int k = 0; k < count; ++k) {
    strided |= p.stride[k][0] != 0 && p.stride[k][0] != item[k] && n0 != 1;
    Index bytes = item[k];
    for (int d = 0; d < p.dim; ++d)
      if (p.stride[k][d] != 0) bytes *= p.size[d];
    traffic += bytes;
  }
  in_scratch |= strided && work != Work::kCopy;
  const bool by_rows = n0 >= kRowCall || (n0 >= 16 && n0 % 16 == 0);
  bool row_blocks = false;
  for (int k = 1; k < count && p.dim > 1; ++k)
    row_blocks |= p.stride[k][0] == 0 && p.stride[k][1] != 0;
  if (transposed != 0) {
    p.row_dim = transposed;
    p.rows = std::min(p.size[transposed], kTransposedBytes / item[0]);
    p.cols = std::min(n0, kTransposedColumns);
  } else if (p.dim > 1 && (in_scratch ? n0 <= kTile / 2 : n0 <= kChunk / 2)) {
    p.cols = n0;
    p.rows = std::min(p.size[1], (in_scratch || !by_rows ? kTile : kChunk) / n0);
    if (row_blocks && by_rows) p.rows = std::min(p.rows, kRowBlocks);
  } else {
    p.cols = std::min(n0, in_scratch ? kTile : kChunk);
  }

  Index row_stride[kMaxOperands];
  bool apart = false;
  for (int k = 0; k < count; ++k) {
    row_stride[k] = p.rows > 1 ? p.stride[k][p.row_dim] : 0;
    if (k > 0 && p.stride[k][0] == 0) {
      p.access[k] = Access::kBlock;
      apart |= row_stride[k] != 0;
    } else if (operands[k].dtype == as[k] && (p.stride[k][0] == item[k] || n0 == 1)) {
      p.access[k] = Access::kDirect;
      apart |= p.rows > 1 && row_stride[k] != p.cols * item[k];
    } else {
      p.access[k] = Access::kScratch;
    }
  }
  // Long rows are worth a kernel call each; short ones are gathered, so that a call sees a full tile.
  p.row_calls = apart && (by_rows || p.cols < n0);
  if (apart && !p.row_calls) {
    for (int k = 0; k < count; ++k) {
      const bool block = p.access[k] == Access::kBlock;
      if ((block && row_stride[k] != 0) || (p.access[k] == Access::kDirect && row_stride[k] != p.cols * item[k]))
        p.access[k] = Access::kScratch;
    }
  }
  const bool streams = traffic >= kStreamBytes && (work == Work::kKernel || (work == Work::kCopy && !strided));
  if (streams && p.access[0] == Access::kDirect && !p.row_calls) p.access[0] = Access::kStream;

  p.tiles = (n0 + p.cols - 1) / p.cols;
  for (int d = 1; d < p.dim; ++d)
    p.tiles *= d == p.row_dim ? (p.size[d] + p.rows - 1) / p.rows : p.size[d];
}

}  // namespace rushlight::pointwise
