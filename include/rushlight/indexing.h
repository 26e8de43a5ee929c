// x.index({Slice(1, 3), None, 0, mask}) and x.index_put_({...}, value), as Python's x[...] and x[...] = value.
#pragma once
#include "rushlight/ops.h"

namespace rushlight {
namespace indexing {

struct NoneType {};
struct EllipsisType {};
inline constexpr NoneType None{};
inline constexpr EllipsisType Ellipsis{};

// start:stop:step; None stands for the end that the sign of step implies.
struct Slice {
  Slice(std::optional<std::int64_t> from = std::nullopt, std::optional<std::int64_t> to = std::nullopt,
        std::int64_t by = 1)
      : start(from), stop(to), step(by) {}
  Slice(NoneType, std::optional<std::int64_t> to = std::nullopt, std::int64_t by = 1) : stop(to), step(by) {}
  Slice(std::optional<std::int64_t> from, NoneType, std::int64_t by = 1) : start(from), step(by) {}
  Slice(NoneType, NoneType, std::int64_t by = 1) : step(by) {}
  std::optional<std::int64_t> start, stop;
  std::int64_t step;
};

class TensorIndex {
 public:
  enum class Kind { kNone, kEllipsis, kInteger, kBoolean, kSlice, kTensor };
  TensorIndex(NoneType) : kind(Kind::kNone) {}
  TensorIndex(EllipsisType) : kind(Kind::kEllipsis) {}
  TensorIndex(const char* dots) : kind(Kind::kEllipsis) {
    check(std::string(dots) == "...", "index: expected \"...\" to represent an ellipsis index, but got \"", dots, "\"");
  }
  TensorIndex(std::int64_t value) : kind(Kind::kInteger), integer(value) {}
  TensorIndex(int value) : TensorIndex(static_cast<std::int64_t>(value)) {}
  template <class T>
    requires(std::is_same_v<T, bool>)
  TensorIndex(T value) : kind(Kind::kBoolean), integer(value) {}
  TensorIndex(Slice value) : kind(Kind::kSlice), slice(value) {}
  TensorIndex(Tensor value) : kind(Kind::kTensor), tensor(std::move(value)) {}
  Kind kind;
  std::int64_t integer = 0;
  Slice slice;
  Tensor tensor;
};

Tensor get(const Tensor& self, const TensorIndex* indices, std::size_t count);
void set(const Tensor& self, const TensorIndex* indices, std::size_t count, const Tensor& value);

}  // namespace indexing
using indexing::TensorIndex;
}  // namespace rushlight
