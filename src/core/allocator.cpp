// Small blocks come from thread-local lists refilled by slabs; large ones from one shared cache of huge pages.
// Fresh 4 KB pages cost 100 times what 2 MB pages do here, and reuse costs nothing: facts in docs/architecture.md.
#include "allocator.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

#include "rushlight/allocator.h"
#include "rushlight/detail/pool.h"
#include "rushlight/error.h"

namespace rushlight {

constinit thread_local Thread thread;

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
// A block may be this much larger than asked for (in eighths) before a fresh one is mapped instead.
constexpr std::size_t kSlackEighths = 1;

std::atomic<std::size_t> small_reserved{0};

struct Cache {
  std::mutex mutex;
  std::multimap<std::size_t, void*> blocks;
  std::map<void*, std::size_t> sizes;  // of blocks in use, whose real size may exceed what was asked for
  std::size_t in_use = 0, cached = 0, peak = 0;
};
Cache& cache() {
  static Cache* shared = new Cache;  // tensors may die after static destructors
  return *shared;
}

[[noreturn]] void out_of_memory(std::size_t bytes) {
  throw OutOfMemoryError(str("out of memory: DefaultCPUAllocator: can't allocate memory: you tried to allocate ", bytes,
                             " bytes. Error code 12 (Cannot allocate memory)"));
}

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

#ifdef RUSHLIGHT_SANITIZED  // one allocation each, with the sanitizer's guard zones, and no reuse: see cmake/sanitize

constexpr std::size_t kUnit = 1;
std::size_t cache_limit() { return 0; }
void* map_block(std::size_t bytes) {
  void* block = nullptr;
  return posix_memalign(&block, 64, bytes) ? nullptr : block;
}
void unmap_block(void* block, std::size_t) { std::free(block); }

#else

constexpr std::size_t kUnit = kHugePage;
std::size_t cache_limit() {
  static const std::size_t limit = [] {
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page) / 4 : std::size_t{1} << 30;
  }();
  return limit;
}

void* map_block(std::size_t bytes) {
  const std::size_t whole = bytes + kHugePage;
  void* mapped =
      whole < bytes ? MAP_FAILED : mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* start = static_cast<char*>(mapped);
  const std::size_t head = (kHugePage - reinterpret_cast<std::uintptr_t>(start) % kHugePage) % kHugePage;
  if (head) munmap(start, head);
  if (kHugePage - head) munmap(start + head + bytes, kHugePage - head);
  madvise(start + head, bytes, MADV_HUGEPAGE);
  return start + head;
}
void unmap_block(void* block, std::size_t bytes) { munmap(block, bytes); }

#endif

}  // namespace

#ifdef RUSHLIGHT_SANITIZED  // no slabs and no reuse: see cmake/sanitize

void* refill(int which) {
  void* block = nullptr;
  if (posix_memalign(&block, 64, class_bytes(which))) out_of_memory(class_bytes(which));
  return block;
}
void give_back(void* block) { std::free(block); }

#else

[[gnu::noinline, gnu::cold]] void* refill(int which) {
  const std::size_t bytes = class_bytes(which);
  const std::size_t count = bytes < 4096 ? 65536 / bytes : 1;
  auto* slab = static_cast<char*>(std::aligned_alloc(64, bytes * count));
  if (!slab) out_of_memory(bytes);
  small_reserved.fetch_add(bytes * count, std::memory_order_relaxed);
  for (std::size_t i = 1; i < count; ++i)
    pool_give(slab + i * bytes, which);
  return slab;
}

#endif

void* allocate_large(std::size_t bytes) {
  const std::size_t size = round_up(bytes, kUnit);
  Cache& shared = cache();
  if (size >= bytes) {
    const std::lock_guard lock(shared.mutex);
    auto found = shared.blocks.lower_bound(size);
    std::size_t real = size;
    void* block = nullptr;
    if (found != shared.blocks.end() && found->first - size <= size / 8 * kSlackEighths) {
      real = found->first;
      const auto last = std::prev(shared.blocks.upper_bound(real));  // given back last: it may be in the caches still
      block = last->second;
      shared.blocks.erase(last);
      shared.cached -= real;
    } else {
      block = map_block(size);
    }
    if (block) {
      shared.sizes.emplace(block, real);
      shared.in_use += real;
      shared.peak = std::max(shared.peak, shared.in_use);
      return block;
    }
  }
  empty_cache();
  if (void* block = size >= bytes ? map_block(size) : nullptr) {
    const std::lock_guard lock(shared.mutex);
    shared.sizes.emplace(block, size);
    shared.in_use += size;
    shared.peak = std::max(shared.peak, shared.in_use);
    return block;
  }
  out_of_memory(bytes);
}

void free_large(void* block, std::size_t) noexcept {
  Cache& shared = cache();
  const std::lock_guard lock(shared.mutex);
  const auto found = shared.sizes.find(block);
  const std::size_t size = found->second;
  shared.sizes.erase(found);
  shared.in_use -= size;
  if (shared.cached + size > cache_limit()) {
    unmap_block(block, size);
    return;
  }
  shared.blocks.emplace(size, block);
  shared.cached += size;
}

void empty_cache() {
  Cache& shared = cache();
  const std::lock_guard lock(shared.mutex);
  for (const auto& [size, block] : shared.blocks)
    unmap_block(block, size);
  shared.blocks.clear();
  shared.cached = 0;
}

MemoryStats memory_stats() {
  Cache& shared = cache();
  const std::lock_guard lock(shared.mutex);
  return {shared.in_use, shared.cached, shared.peak, small_reserved.load(std::memory_order_relaxed)};
}

void reset_peak_memory() {
  Cache& shared = cache();
  const std::lock_guard lock(shared.mutex);
  shared.peak = shared.in_use;
}

}  // namespace rushlight
