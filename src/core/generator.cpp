// Generators: seeding of MT19937 and the 5056 bytes of a saved state.
#include "core/generator.h"

#include <cstring>
#include <random>

#include "rushlight/error.h"

namespace rushlight {
namespace {

// get_rng_state() of PyTorch on a little-endian machine.
struct SavedState {
  std::uint64_t seed;
  std::int32_t left;
  std::int32_t seeded;
  std::uint64_t next;
  std::uint64_t words[Words::kSize];
  double normal_x;
  double normal_y;  // the cached double normal
  double normal_rho;
  std::int32_t normal_is_valid;
  float next_float;
  bool next_float_is_valid;
};
static_assert(sizeof(SavedState) == GeneratorState::kBytes);

// 53 bits, so that the seed survives as a Python float as well.
std::uint64_t entropy() {
  std::random_device device;
  const std::uint64_t high = device();
  return ((high << 32) | device()) & ((std::uint64_t{1} << 53) - 1);
}

}  // namespace

void GeneratorState::reseed(std::uint64_t seed_value) {
  seed = seed_value;
  std::uint32_t* s = words.s;
  s[0] = static_cast<std::uint32_t>(seed_value);
  for (std::uint32_t i = 1; i < Words::kSize; ++i)
    s[i] = 1812433253u * (s[i - 1] ^ (s[i - 1] >> 30)) + i;
  words.left = 1;
  words.next = 0;
  cached_normal.reset();
  cached_float_normal.reset();
}

Generator::Generator() : state_(std::make_shared<GeneratorState>()) {}

void Generator::manual_seed(std::uint64_t seed) const {
  const std::lock_guard lock(state_->mutex);
  state_->reseed(seed);
}

std::uint64_t Generator::initial_seed() const {
  const std::lock_guard lock(state_->mutex);
  return state_->seed;
}

std::uint64_t Generator::seed() const {
  const std::uint64_t value = entropy();
  manual_seed(value);
  return value;
}

std::array<std::uint8_t, GeneratorState::kBytes> Generator::get_state() const {
  const std::lock_guard lock(state_->mutex);
  SavedState saved;
  std::memset(&saved, 0, sizeof(saved));  // padding is zero, too
  saved.seed = state_->seed;
  saved.left = static_cast<std::int32_t>(state_->words.left);
  saved.seeded = 1;
  saved.next = state_->words.next;
  for (std::size_t i = 0; i < Words::kSize; ++i)
    saved.words[i] = state_->words.s[i];
  saved.normal_is_valid = state_->cached_normal.has_value();
  saved.normal_y = state_->cached_normal.value_or(0);
  saved.next_float_is_valid = state_->cached_float_normal.has_value();
  saved.next_float = state_->cached_float_normal.value_or(0);
  std::array<std::uint8_t, GeneratorState::kBytes> bytes;
  std::memcpy(bytes.data(), &saved, sizeof(saved));
  return bytes;
}

void Generator::set_state(const std::uint8_t* bytes, std::size_t count) const {
  check(count == GeneratorState::kBytes, "set_state: Expected a CPUGeneratorImplState of size ", GeneratorState::kBytes,
        " but found the input RNG state size to be ", count, "; pass what get_state() returned");
  SavedState saved;
  std::memcpy(&saved, bytes, sizeof(saved));
  const std::int32_t left = saved.left;
  const bool valid = saved.seeded == 1 && left >= 1 && left <= static_cast<std::int32_t>(Words::kSize) &&
                     saved.next <= Words::kSize && saved.next + static_cast<std::uint64_t>(left - 1) <= Words::kSize;
  check(valid, "set_state: Invalid mt19937 state; pass what get_state() returned");
  const std::lock_guard lock(state_->mutex);
  state_->seed = saved.seed;
  state_->words.left = static_cast<std::uint32_t>(left);
  state_->words.next = static_cast<std::uint32_t>(saved.next);
  for (std::size_t i = 0; i < Words::kSize; ++i)
    state_->words.s[i] = static_cast<std::uint32_t>(saved.words[i]);
  state_->cached_normal.reset();
  state_->cached_float_normal.reset();
  if (saved.normal_is_valid) state_->cached_normal = saved.normal_y;
  if (saved.next_float_is_valid) state_->cached_float_normal = saved.next_float;
}

// Seeded at random, as PyTorch's default generator is; never destroyed, since workers may outlive
// main.
Generator& default_generator() {
  static Generator* const generator = new Generator(std::make_shared<GeneratorState>(entropy()));
  return *generator;
}

Generator make_generator() { return Generator(); }

void manual_seed(std::uint64_t seed) { default_generator().manual_seed(seed); }

}  // namespace rushlight
