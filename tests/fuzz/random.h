// Random choices of the fuzzer, repeatable from a seed.
#pragma once
#include <bit>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>

namespace rushlight::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::uint64_t word() { return engine_(); }
  std::size_t below(std::size_t count) { return count ? static_cast<std::size_t>(engine_() % count) : 0; }
  bool one_in(std::size_t count) { return below(count) == 0; }
  char letter() { return static_cast<char>(engine_()); }
  template <class Items>
  auto& of(Items& items) {
    return items[below(std::size(items))];
  }
  // A number at the edge of something, or one of any magnitude.
  std::uint64_t edge() {
    static constexpr std::uint64_t kEdges[] = {0,          1,          2,          7,           8,
                                               255,        256,        65535,      65536,       0x7FFFFFFF,
                                               0x80000000, 0xFFFFFFFE, 0xFFFFFFFF, 0x100000000, 0x7FFFFFFFFFFFFFFF,
                                               1ull << 63, ~7ull,      ~0ull,      1ull << 61,  1ull << 62,
                                               1ull << 45, 1ull << 31};
    return one_in(4) ? engine_() >> below(64) : of(kEdges);
  }

 private:
  std::mt19937_64 engine_;
};

// Writes the low bytes of `value`, as far as the text goes.
inline void put_le(std::string& text, std::size_t at, std::uint64_t value, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes && i < 8 && at + i < text.size(); ++i)
    text[at + i] = static_cast<char>(value >> 8 * i);
}
inline std::string le(std::uint64_t value, std::size_t bytes) {
  std::string text(bytes, '\0');
  put_le(text, 0, value, bytes);
  return text;
}

}  // namespace rushlight::fuzz
