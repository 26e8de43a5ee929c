// Options of layers: fluent setters that read back as getters, and lists that a lone number fills.
#pragma once
#include <array>

#include "rushlight/int_array.h"

namespace rushlight {

// `stride` is 2 in both dimensions from `2`, or {2, 1}.
template <std::size_t N>
class ExpandingArray {
 public:
  ExpandingArray(std::int64_t value) { values_.fill(value); }  // NOLINT(google-explicit-constructor)
  ExpandingArray(std::initializer_list<std::int64_t> list) {
    if (list.size() == 1)
      values_.fill(*list.begin());
    else
      std::copy_n(list.begin(), std::min(N, list.size()), values_.begin());
  }
  operator IntArray() const { return {values_.data(), N}; }
  std::int64_t operator[](std::size_t i) const { return values_[i]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + N; }

 private:
  std::array<std::int64_t, N> values_;
};

// RL_OPTION(bool, bias) = true;  ->  options.bias(false).bias()
#define RL_OPTION(T, name)                       \
 public:                                         \
  auto name(const T& value) -> decltype(*this) { \
    name##_ = value;                             \
    return *this;                                \
  }                                              \
  const T& name() const { return name##_; }      \
                                                 \
 private:                                        \
  T name##_

}  // namespace rushlight
