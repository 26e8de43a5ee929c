// Scratch memory of one call, from the caching allocator.
#pragma once
#include "rushlight/tensor_base.h"

namespace rushlight {

template <class T>
class Buffer {
 public:
  explicit Buffer(std::int64_t count)
      : storage_(Storage::make(static_cast<std::size_t>(count > 0 ? count : 1) * sizeof(T))) {}
  ~Buffer() {
    if (storage_) storage_->release();
  }
  Buffer(Buffer&& other) noexcept : storage_(std::exchange(other.storage_, nullptr)) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  T* get() const { return static_cast<T*>(storage_->data); }
  T& operator[](std::int64_t i) const { return get()[i]; }

 private:
  Storage* storage_;
};

}  // namespace rushlight
