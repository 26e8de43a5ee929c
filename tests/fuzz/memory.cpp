// The replaced operator new and delete, which count.
#include "memory.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace rushlight::fuzz {
namespace {

std::atomic<std::size_t> in_use{0}, peak{0};

void* counted(void* block) {
  if (!block) throw std::bad_alloc();
  const std::size_t now = in_use.fetch_add(malloc_usable_size(block)) + malloc_usable_size(block);
  for (std::size_t seen = peak; seen < now && !peak.compare_exchange_weak(seen, now);) {
  }
  return block;
}
void uncounted(void* block) {
  if (block) in_use -= malloc_usable_size(block);
  std::free(block);
}

}  // namespace

PeakMemory::PeakMemory() : before_(in_use) { peak = before_; }
std::size_t PeakMemory::bytes() const { return peak - std::min<std::size_t>(peak, before_); }

}  // namespace rushlight::fuzz

using rushlight::fuzz::counted;
using rushlight::fuzz::uncounted;

void* operator new(std::size_t size) { return counted(std::malloc(size)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  void* block = nullptr;
  return counted(posix_memalign(&block, static_cast<std::size_t>(alignment), size) ? nullptr : block);
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* block = std::malloc(size);
  return block ? counted(block) : nullptr;
}
void operator delete(void* block) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t) noexcept { uncounted(block); }
void operator delete(void* block, std::align_val_t) noexcept { uncounted(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { uncounted(block); }
