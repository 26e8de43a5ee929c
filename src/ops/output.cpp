#include "ops/output.h"

#include "ops/composed.h"
#include "rushlight/warning.h"

namespace rushlight {
namespace {

// First and last byte that a tensor touches, relative to nothing.
std::pair<const char*, const char*> extent(const TensorBase& t) {
  const char* low = t.data<char>();
  const char* high = low;
  for (std::size_t d = 0; d < t.sizes().size(); ++d)
    high += (t.sizes()[d] - 1) * t.strides()[d] * static_cast<std::int64_t>(t.itemsize());
  return {low, high + t.itemsize()};
}

}  // namespace

void resize_output(const TensorBase& out, IntArray sizes) {
  if (out.sizes() == sizes) return;
  need_memory(out, "resize_");
  if (out.numel() != 0)
    warn(str("An output with one or more elements was resized since it had shape ", out.sizes(),
             ", which does not match the required output shape ", sizes,
             ". Pass an empty tensor or one of the result's shape as out="));
  std::int64_t count = 1;
  for (const std::int64_t size : sizes)
    count *= size;
  TensorImpl& impl = *out.impl();
  Storage& storage = *impl.storage;
  const std::int64_t offset = out.storage_offset();
  const std::size_t needed = static_cast<std::size_t>(offset + count) * out.itemsize();
  if (needed > storage.bytes) storage.resize(needed);
  if (storage.data) impl.data = static_cast<char*>(storage.data) + static_cast<std::size_t>(offset) * out.itemsize();
  const std::vector<std::int64_t> kept = sizes.vec();  // `sizes` may be the tensor's own
  impl.set_shape(kept, nullptr);
}

bool is_expanded(const TensorBase& t) {
  if (t.is_contiguous() || t.word() & kComposed || t.numel() == 0) return false;
  for (std::size_t d = 0; d < t.sizes().size(); ++d)
    if (t.strides()[d] == 0 && t.sizes()[d] > 1) return true;
  return false;
}

void check_no_internal_overlap(const TensorBase& out, const char* op) {
  check(!is_expanded(out), op ? op : "", op ? ": " : "",
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation.");
}

void warn_of_expanded(const char* op, const char* example) {
  warn(str("Use of ", op,
           " on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
           "applies to advanced indexing e.g. ",
           example));
}

Overlap overlap_of(const TensorBase& a, const TensorBase& b) {
  if (a.is_same(b)) return Overlap::kSame;
  if ((a.word() | b.word()) & kComposed) return Overlap::kNone;
  if (a.impl()->storage != b.impl()->storage || a.numel() == 0 || b.numel() == 0 || a.is_meta()) return Overlap::kNone;
  const auto [a_low, a_high] = extent(a);
  const auto [b_low, b_high] = extent(b);
  if (a_high <= b_low || b_high <= a_low) return Overlap::kNone;
  if (a_low == b_low && a.dtype() == b.dtype() && a.sizes() == b.sizes() && a.strides() == b.strides())
    return Overlap::kSame;
  if (a.is_non_overlapping_and_dense() && b.is_non_overlapping_and_dense()) return Overlap::kPartial;
  return Overlap::kMaybe;
}

void throw_partial_overlap() {
  throw RuntimeError(
      "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
      "location. Please clone() the tensor before performing the operation.");
}

}  // namespace rushlight
