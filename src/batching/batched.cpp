// Batched headers and the levels of vmap.
#include "batching/batched.h"

#include <algorithm>
#include <atomic>

#include "autograd/node.h"
#include "rushlight/ops.h"

namespace rushlight::batching {
namespace {

thread_local std::vector<Level> all_levels;
thread_local std::size_t current_depth = 0;

void set_depth(std::size_t depth) {
  current_depth = depth;
  thread.modes = depth ? thread.modes | kBatching : thread.modes & ~kBatching;
}

}  // namespace

std::vector<Level>& levels() { return all_levels; }
std::size_t depth() { return current_depth; }

std::size_t index_of(std::uint64_t serial) {
  const auto found =
      std::find_if(all_levels.begin(), all_levels.end(), [&](const Level& level) { return level.serial == serial; });
  check(found != all_levels.end(),
        "vmap: a tensor that stands for one sample was used after its vmap had ended, or in another thread; return it "
        "from the function instead");
  return static_cast<std::size_t>(found - all_levels.begin());
}
Level& level_of(const Tensor& batched) { return all_levels[index_of(serial_of(batched))]; }

std::uint64_t enter(std::int64_t size, Randomness randomness) {
  static std::atomic<std::uint64_t> next{1};
  const std::uint64_t serial = next.fetch_add(1, std::memory_order_relaxed);
  all_levels.insert(all_levels.begin() + static_cast<std::ptrdiff_t>(current_depth), {serial, size, randomness, {}});
  set_depth(current_depth + 1);
  return serial;
}
void leave(std::uint64_t serial) {
  const std::size_t at = index_of(serial);
  all_levels.erase(all_levels.begin() + static_cast<std::ptrdiff_t>(at));
  set_depth(at);
}

Below::Below(std::size_t depth) : before_(current_depth), modes_(thread.modes) { set_depth(depth); }
Below::~Below() {
  current_depth = before_;
  thread.modes = (thread.modes & ~kBatching) | (modes_ & kBatching);
}

TensorParts* BatchedParts::clone() const { return new BatchedParts(shallow_copy(value), serial); }

const Tensor& innermost(const Tensor& tensor) {
  const Tensor* at = &tensor;
  while (at->defined() && is_batched(*at))
    at = &value_of(*at);
  return *at;
}

void refresh(const Tensor& header) {
  TensorImpl *impl = header.impl(), *from = value_of(header).impl();
  if (impl->storage != from->storage) {
    from->storage->refs.up();
    impl->storage->release();
    impl->storage = from->storage;
  }
  const std::size_t rank = static_cast<std::size_t>(from->dim) - 1;
  impl->set_shape({from->sizes() + 1, rank}, from->strides() + 1);
  constexpr Word kOfValue = kDtypeMask | kMeta | kInference | kSparse | kTorchFunction;
  impl->word = (impl->word & ~(kOfValue | kContiguous)) | (from->word & kOfValue) | kBatched;
}

Tensor batched(const Tensor& value, std::uint64_t serial) {
  TensorImpl* impl = TensorImpl::make();
  Tensor header(impl);
  impl->word = kBatched;
  value.impl()->storage->refs.up();
  impl->storage = value.impl()->storage;
  impl->data = nullptr;
  impl->parts = new BatchedParts(value, serial);
  refresh(header);
  return header;
}

bool depends_on(const Tensor& tensor, const Level& level) {
  for (const Tensor* at = &tensor; at->defined() && is_batched(*at); at = &value_of(*at))
    if (serial_of(*at) == level.serial) return true;
  return false;
}

Tensor batch_of(const Tensor& tensor, const Level& level) {
  if (is_batched(tensor)) {
    if (serial_of(tensor) == level.serial) return value_of(tensor);
    if (depends_on(tensor, level))  // inside of an inner level, whose batch stays in front
      return batched(movedim(batch_of(value_of(tensor), level), 0, 1), serial_of(tensor));
  }
  std::vector<std::int64_t> sizes = tensor.sizes().vec();
  sizes.insert(sizes.begin(), level.size);
  return expand(unsqueeze(tensor, 0), sizes);
}

Tensor sample_of(const Tensor& tensor, const Level& level) {
  if (is_batched(tensor) && index_of(serial_of(tensor)) > index_of(level.serial))
    return batched(sample_of(movedim(value_of(tensor), 1, 0), level), serial_of(tensor));
  return batched(tensor, level.serial);
}

Tensor on_every_level(const Tensor& tensor) {
  Tensor result = tensor;
  for (std::size_t i = 0; i < current_depth; ++i)
    if (const Level level = all_levels[i]; !depends_on(result, level))
      result = sample_of(batch_of(result, level), level);
  return result;
}

void need_samples(const char* what) { throw NeedsSamples(what); }

}  // namespace rushlight::batching
