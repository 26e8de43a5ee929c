// The state of a random generator: MT19937, the cached second normal and the seed.
#pragma once
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>

#include "rushlight/generator.h"

namespace rushlight {

// The engine. `left - 1` words from `next` on are still unused; the twist happens at the draw after
// the last one, as in PyTorch, so that exported states are equal at every moment.
struct Words {
  static constexpr std::size_t kSize = 624;
  alignas(64) std::uint32_t s[kSize + 16];  // the twist mirrors the first words behind the last one
  std::uint32_t left;
  std::uint32_t next;
};

struct GeneratorState {
  static constexpr std::size_t kBytes = 5056;
  static constexpr std::uint64_t kDefaultSeed = 67280421310721;

  explicit GeneratorState(std::uint64_t seed_value = kDefaultSeed) { reseed(seed_value); }
  GeneratorState(const GeneratorState&) = delete;
  GeneratorState& operator=(const GeneratorState&) = delete;

  // Only the low 32 bits reach the engine. Drops the cached normals.
  void reseed(std::uint64_t seed_value);

  std::mutex mutex;  // held by an operator while it draws
  Words words;
  std::optional<double> cached_normal;       // written by the one-at-a-time normals
  std::optional<float> cached_float_normal;  // never written on the CPU, but part of the state
  std::uint64_t seed;
};

}  // namespace rushlight
