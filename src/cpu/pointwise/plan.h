// A loop plan: operands of any shape and stride become a small loop nest over tiles. It depends on shapes, strides
// and dtypes only, never on the number of threads.
#pragma once
#include "cpu/pointwise/convert.h"
#include "cpu/pointwise/moves.h"
#include "ops/kernels/pointwise.h"

namespace rushlight::pointwise {

inline constexpr int kMaxOperands = kMaxInputs + 1;

// What the engine looks at in an operand; strides count elements. A number is an operand without dimensions.
struct View {
  char* data;
  Dtype dtype;
  int dim;
  const std::int64_t* sizes;
  const std::int64_t* strides;
};
inline View view_of(const TensorBase& t) {
  const TensorImpl& impl = *t.impl();
  return {static_cast<char*>(impl.data), impl.dtype(), impl.dim, impl.sizes(), impl.strides()};
}

// How an operand reaches the kernel.
enum class Access : std::uint8_t {
  kDirect,   // in place
  kBlock,    // one value a tile, or a row where the kernel runs by rows: a broadcast block
  kScratch,  // gathered or converted into scratch (results: the reverse)
  kStream,   // a result stored past the caches
};

struct Plan {
  Plan() {}     // the arrays are filled as far as they are used
  int dim = 0;  // after merging; dimension 0 is innermost
  int operands = 0;
  Index size[kMaxDims];
  Index stride[kMaxOperands][kMaxDims];  // bytes
  Access access[kMaxOperands];
  Index cols = 1, rows = 1;  // a tile: `cols` of dimension 0 by `rows` of dimension row_dim
  int row_dim = 1;
  bool row_calls = false;  // the kernel runs once a row, since some operand's rows are apart
  Index tiles = 0;
};

// Elements per task where no operand passes through scratch.
inline constexpr Index kChunk = 1 << 16;

enum class Work : std::uint8_t {
  kKernel,
  kInPlace,  // a kernel whose result replaces an operand: its lines are in the caches already
  kCopy,
  kFill,
};

// Operand 0 is the result and fixes the shape; the others broadcast to it. `as[k]` is the dtype that kernels see.
// The shape must not be empty.
void make_plan(Plan& plan, const View* operands, int count, const Dtype* as, Work work);

}  // namespace rushlight::pointwise
