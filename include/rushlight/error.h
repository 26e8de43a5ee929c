// Exceptions; each maps to the Python class of the same name. The throwing code is cold and out of line.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace rushlight {

using RuntimeError = std::runtime_error;
using Error = std::runtime_error;  // libtorch's c10::Error
struct IndexError : std::out_of_range {
  using std::out_of_range::out_of_range;
};
struct TypeError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};
struct ValueError : std::domain_error {
  using std::domain_error::domain_error;
};
struct NotImplementedError : RuntimeError {
  using RuntimeError::RuntimeError;
};
struct LinAlgError : RuntimeError {
  using RuntimeError::RuntimeError;
};
struct OutOfMemoryError : RuntimeError {
  using RuntimeError::RuntimeError;
};
struct OverflowError : std::overflow_error {
  using std::overflow_error::overflow_error;
};

namespace detail {
inline void append(std::string& text, const char* part) { text += part; }
inline void append(std::string& text, const std::string& part) { text += part; }
inline void append(std::string& text, std::string_view part) { text += part; }
inline void append(std::string& text, char part) { text += part; }
inline void append(std::string& text, bool part) { text += part ? "True" : "False"; }
template <class T>
  requires(std::is_arithmetic_v<T>)
void append(std::string& text, T part) {
  text += std::to_string(part);
}
template <class T>
  requires(requires(const T& part) { to_text(part); })
void append(std::string& text, const T& part) {
  text += to_text(part);
}
}  // namespace detail

// `str("narrow: start (", start, ") ...")`: texts, numbers, sizes, dtypes and tensors in a row.
template <class... Parts>
[[gnu::noinline, gnu::cold]] std::string str(const Parts&... parts) {
  std::string text;
  (detail::append(text, parts), ...);
  return text;
}

// Throws when `condition` is false: `check<IndexError>(dim < rank, "select: dim ", dim, ...)`. The parts are made into
// text only then, so pass tensors, sizes and dtypes themselves, not texts of them.
template <class Exception = RuntimeError, class... Parts>
inline void check(bool condition, const Parts&... parts) {
  if (!condition) [[unlikely]]
    throw Exception(str(parts...));
}

}  // namespace rushlight
