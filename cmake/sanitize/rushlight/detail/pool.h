// Stands in for include/rushlight/detail/pool.h in sanitizer builds: every small object is an allocation of its own, as
// long as it has to be, so that the sanitizers see the first byte past its end and every use after its death.
#pragma once
#include <cstddef>
#include <cstdint>

namespace rushlight {

using Word = std::uint32_t;

// Classes are fine, so that little slack hides an overrun: multiples of 4 bytes up to 64 KiB, then of 64 bytes.
inline constexpr std::size_t kFine = 4, kCoarse = 64, kFineBytes = std::size_t{64} << 10;
constexpr int size_class(std::size_t bytes) {
  return static_cast<int>(bytes <= kFineBytes ? (bytes + kFine - 1) / kFine
                                              : kFineBytes / kFine + (bytes - kFineBytes + kCoarse - 1) / kCoarse);
}
constexpr std::size_t class_bytes(int which) {
  const auto index = static_cast<std::size_t>(which);
  return index <= kFineBytes / kFine ? index * kFine : kFineBytes + (index - kFineBytes / kFine) * kCoarse;
}

struct Thread {
  Word modes = 0;
  std::uint64_t sequence = 0;
};
extern constinit thread_local Thread thread __attribute__((tls_model("initial-exec")));

void* refill(int which);  // one block
void give_back(void* block);

inline void* pool_take(int which) { return refill(which); }
inline void pool_give(void* block, int) { give_back(block); }

}  // namespace rushlight
