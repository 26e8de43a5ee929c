// A borrowed list of integers: sizes, strides, dims.
#pragma once
#include <cstdint>
#include <string>
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rushlight {

struct IntArray : std::span<const std::int64_t> {
  using std::span<const std::int64_t>::span;
  IntArray(std::initializer_list<std::int64_t> list) : span(list.begin(), list.size()) {}
  IntArray(std::span<const std::int64_t> list) : span(list) {}
  IntArray(const std::vector<std::int64_t>& list) : span(list.data(), list.size()) {}
  IntArray(const std::int64_t& one) : span(&one, 1) {}  // sum(x, 0): a lone number is a list of one
  std::vector<std::int64_t> vec() const { return {begin(), end()}; }
  friend bool operator==(const IntArray& a, const IntArray& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
  }
};
using IntArrayRef = IntArray;  // libtorch's name

std::string to_text(const IntArray& list);  // [2, 3]

// An optional list that a lone number may stand for: sum(x, 0). (std::optional<IntArray> would keep a pointer to a
// number that is already gone, and so would its constructors if they were inherited.)
struct OptionalIntArray : std::optional<IntArray> {
  OptionalIntArray() = default;
  OptionalIntArray(std::nullopt_t) {}
  OptionalIntArray(const std::optional<IntArray>& list) : optional(list) {}
  OptionalIntArray(const IntArray& list) : optional(list) {}
  OptionalIntArray(const std::int64_t& one) : optional(IntArray(one)) {}
  OptionalIntArray(std::initializer_list<std::int64_t> list) : optional(IntArray(list)) {}
  OptionalIntArray(const std::vector<std::int64_t>& list) : optional(IntArray(list)) {}
};

}  // namespace rushlight
