// Random generators: PyTorch's CPU stream (MT19937), shared by handle.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace rushlight {

class Tensor;

// The state behind a Generator; layout and algorithm are described in src/core/generator.cpp.
struct GeneratorState;

class Generator {
 public:
  Generator();  // seeded with PyTorch's default, 67280421310721
  explicit Generator(std::shared_ptr<GeneratorState> state) : state_(std::move(state)) {}
  GeneratorState& state() const { return *state_; }
  void manual_seed(std::uint64_t seed) const;
  std::uint64_t initial_seed() const;
  std::uint64_t seed() const;                        // seeds from the system's entropy and returns the seed
  std::array<std::uint8_t, 5056> get_state() const;  // PyTorch's byte layout
  void set_state(const std::uint8_t* bytes, std::size_t count) const;  // throws RuntimeError unless valid

 private:
  std::shared_ptr<GeneratorState> state_;
};

Generator& default_generator();
Generator make_generator();
void manual_seed(std::uint64_t seed);
// The generator an operator uses: the given one or the default.
inline const Generator& generator_or_default(const std::optional<Generator>& generator) {
  return generator ? *generator : default_generator();
}

}  // namespace rushlight
