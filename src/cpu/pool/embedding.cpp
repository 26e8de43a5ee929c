// Rows of a table by index.
#include "ops/kernels/embedding.h"

#include <cstring>

#include "rushlight/parallel.h"

namespace rushlight {
namespace {

void embedding(const TensorBase& weight, const TensorBase& indices, const TensorBase& out) {
  const auto row = static_cast<std::size_t>(weight.size(1)) * weight.itemsize();
  if (row == 0) return;
  const auto* at = indices.data<std::int64_t>();
  const char* table = weight.data<char>();
  char* to = out.mutable_data<char>();
  const auto grain = static_cast<std::int64_t>(1 + (std::size_t{1} << 16) / row);
  parallel_ranges(indices.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      std::memcpy(to + static_cast<std::size_t>(i) * row, table + static_cast<std::size_t>(at[i]) * row, row);
  });
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&)> embedding_kernel{embedding};

}  // namespace rushlight
