// Storages: own memory, small or large, memory of others, and none at all.
#include <cstdlib>

#include "core/allocator.h"
#include "rushlight/tensor_base.h"

namespace rushlight {

Storage* make_large_storage(std::size_t bytes) {
  void* data = allocate_large(bytes);
  auto* storage = new Storage;
  storage->data = data;
  storage->bytes = bytes;
  return storage;
}

Storage* Storage::make_meta(std::size_t bytes) {
  auto* storage = new Storage;
  storage->meta = true;
  storage->bytes = bytes;
  return storage;
}

Storage* Storage::borrow(void* data, std::size_t bytes, void (*free)(void*), void* context) {
  auto* storage = new Storage;
  storage->data = data;
  storage->bytes = bytes;
  storage->free = free;
  storage->context = context;
  return storage;
}

namespace {

// The memory of a storage that was resized: the new block, and older ones that other tensors may still point into.
struct Resized {
  Storage* fresh;
  void* old = nullptr;  // a large block
  std::size_t old_bytes = 0;
  void* before = nullptr;  // the context of an earlier resize
};
void release_resized(void* context) {
  auto* resized = static_cast<Resized*>(context);
  resized->fresh->release();
  if (resized->old) free_large(resized->old, resized->old_bytes);
  if (resized->before) release_resized(resized->before);
  delete resized;
}

}  // namespace

void Storage::resize(std::size_t wanted) {
  if (wanted == bytes) return;
  if (meta) {
    bytes = wanted;
    return;
  }
  check(!free || free == release_resized, "resize_: trying to resize storage that is not resizable");
  Storage* fresh = make(wanted);
  std::memcpy(fresh->data, data, std::min(bytes, wanted));
  auto* resized = new Resized{fresh};
  if (free)
    resized->before = context;
  else if (pooled < 0)
    resized->old = data, resized->old_bytes = bytes;
  free = release_resized;
  context = resized;
  data = fresh->data;
  bytes = wanted;
}

void Storage::destroy() {
  if (free) [[unlikely]]
    free(context);
  else if (pooled < 0 && !meta)
    free_large(data, bytes);
  if (pooled >= 0) [[likely]]
    return pool_give(this, pooled);
  delete this;
}

}  // namespace rushlight
