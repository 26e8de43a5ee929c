// The whole library: tensors, operators, autograd, nn, optim, data, files.
#pragma once
#include "rushlight/allocator.h"
#include "rushlight/autograd.h"
#include "rushlight/choices.h"
#include "rushlight/data.h"
#include "rushlight/forward_ad.h"
#include "rushlight/indexing.h"
#include "rushlight/namespaces.h"
#include "rushlight/nn.h"
#include "rushlight/ops.h"
#include "rushlight/optim.h"
#include "rushlight/parallel.h"
#include "rushlight/serialize.h"
#include "rushlight/sparse.h"
#include "rushlight/tensor_values.h"

namespace rushlight::cuda {
inline bool is_available() { return false; }
inline std::size_t device_count() { return 0; }
inline void manual_seed(std::uint64_t) {}  // no such device has a generator here
inline void manual_seed_all(std::uint64_t) {}
}  // namespace rushlight::cuda
