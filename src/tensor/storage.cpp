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
// A storage whose memory was resized holds the block of another storage, which it owns.
void release_storage(void* storage) { static_cast<Storage*>(storage)->release(); }
}  // namespace

void Storage::resize(std::size_t wanted) {
  if (wanted == bytes) return;
  if (meta) {
    bytes = wanted;
    return;
  }
  check(!free || free == release_storage, "resize_: trying to resize storage that is not resizable");
  Storage* fresh = make(wanted);
  std::memcpy(fresh->data, data, std::min(bytes, wanted));
  if (free) free(context);
  else if (pooled < 0) free_large(data, bytes);  // a small block stays with its header until both go
  free = release_storage;
  context = fresh;
  data = fresh->data;
  bytes = wanted;
}

void Storage::destroy() {
  if (free) [[unlikely]] free(context);
  else if (pooled < 0 && !meta) free_large(data, bytes);
  if (pooled >= 0) [[likely]] return pool_give(this, pooled);
  delete this;
}

}  // namespace rushlight
