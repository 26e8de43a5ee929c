// Rows of a table by index.
#include "ops/kernels/embedding.h"

#include <algorithm>

#include "cpu/pointwise/moves.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

// Rows lie anywhere: those ahead are asked for, up to this many bytes of each.
constexpr std::int64_t kAhead = 2;
constexpr std::size_t kMostAhead = 1024;

void embedding(const TensorBase& weight, const TensorBase& indices, const TensorBase& out) {
  const auto row = static_cast<std::size_t>(weight.size(1)) * weight.itemsize();
  if (row == 0) return;
  const auto* at = indices.data<std::int64_t>();
  const char* table = weight.data<char>();
  char* to = out.mutable_data<char>();
  const auto grain = static_cast<std::int64_t>(1 + (std::size_t{1} << 16) / row);
  const auto copy = pointwise::moves().run;
  const auto source = [&](std::int64_t i) { return table + static_cast<std::size_t>(at[i]) * row; };
  parallel_ranges(indices.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (const auto ahead = i + kAhead; ahead < end)
        for (std::size_t byte = 0; byte < std::min(row, kMostAhead); byte += 64)
          __builtin_prefetch(source(ahead) + byte);
      copy(source(i), to + static_cast<std::size_t>(i) * row, static_cast<std::int64_t>(row));
    }
  });
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&)> embedding_kernel{embedding};

}  // namespace rushlight
