// Batched tensors: headers with the shape of one sample that hold the values of all of them, and the levels of vmap.
//
// A level is one vmap that is running in this thread. A batch lies in dimension 0 of the value; the value of an inner
// level may itself be batched at an outer one, never the other way round. Batched headers have no history: derivatives
// are recorded on the innermost values, and what asks for them (requires_grad, backward, ...) looks there.
#pragma once
#include "ops/composed.h"

namespace rushlight::batching {

enum class Randomness : std::uint8_t { kError, kSame, kDifferent };

struct Level {
  std::uint64_t serial;
  std::int64_t size;
  Randomness randomness;
  std::vector<const Storage*> inputs;  // memory that was there before: writing it cannot be repeated
  bool wrote_input = false;
};

struct BatchedParts final : ComposedParts {
  Tensor value;
  std::uint64_t serial;  // of the level
  BatchedParts(Tensor batch, std::uint64_t level) : value(std::move(batch)), serial(level) {}
  TensorParts* clone() const override;
};

inline bool is_batched(const TensorBase& tensor) { return tensor.word() & kBatched; }
inline const Tensor& value_of(const TensorBase& tensor) {
  return static_cast<const BatchedParts*>(tensor.impl()->parts)->value;
}
inline std::uint64_t serial_of(const TensorBase& tensor) {
  return static_cast<const BatchedParts*>(tensor.impl()->parts)->serial;
}
// The tensor below all levels.
const Tensor& innermost(const Tensor& tensor);

// The sample of which `value` holds all, batch first.
Tensor batched(const Tensor& value, std::uint64_t serial);
// Takes over shape and memory of the value of `header` after an operator changed them in place.
void refresh(const Tensor& header);
// The batch of `tensor` at a level, with its dimension first; a tensor that is the same for every sample is expanded.
Tensor batch_of(const Tensor& tensor, const Level& level);
// The inverse: dimension 0 of `tensor` becomes the batch of a level.
Tensor sample_of(const Tensor& tensor, const Level& level);
bool depends_on(const Tensor& tensor, const Level& level);
// `tensor` as if it differed between the samples of every running vmap.
Tensor on_every_level(const Tensor& tensor);

std::uint64_t enter(std::int64_t size, Randomness randomness);
void leave(std::uint64_t serial);
// Running levels, outermost first; those behind `depth()` are suspended while a rule computes for one of them.
std::vector<Level>& levels();
std::size_t depth();
// Throws RuntimeError when the vmap has ended.
std::size_t index_of(std::uint64_t serial);
Level& level_of(const Tensor& batched);

// While one lives, operators run as if only the `depth` outermost levels existed.
class Below {
 public:
  explicit Below(std::size_t depth);
  ~Below();
  Below(const Below&) = delete;
  Below& operator=(const Below&) = delete;

 private:
  std::size_t before_;
  Word modes_;
};

// Whether a derivative must be made of operators, not by a kernel of its own: it is recorded, or the gradients are
// batched.
template <class... Gradients>
bool needs_operators(const Gradients&... gradients) {
  return !(thread.modes & kGradOff) || ((gradients.word() & kBatched) || ...);
}

// Thrown by what cannot be done for all samples at once; vmap then runs its function once per sample.
struct NeedsSamples : RuntimeError {
  using RuntimeError::RuntimeError;
};
[[noreturn, gnu::cold]] void need_samples(const char* what);

}  // namespace rushlight::batching
