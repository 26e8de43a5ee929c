// Shared pieces: errors, checked arithmetic, byte cursor, file mapping, dtypes.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
namespace rushlight::io {
// A file cannot be read or written as files of that format can; the message names the entry and the
// offset.
struct Error : std::runtime_error {
  using runtime_error::runtime_error;
};
// The operating system refused: no such file, no permission, disk full.
struct FileError : Error {
  FileError(const std::string& file, int number)
      : Error(std::strerror(number) + std::string(": '") + file + "'"), path(file), code(number) {}
  std::string path;
  int code;  // errno
};
// Every refusal names the entry and the byte offset inside it. Names come from files: what is no UTF-8 or no
// printable character is escaped.
[[noreturn]] void fail(std::string_view where, uint64_t off, const std::string& what);
using Bytes = std::span<const uint8_t>;
inline bool add_ok(uint64_t a, uint64_t b, uint64_t& r) { return !__builtin_add_overflow(a, b, &r); }
inline bool mul_ok(uint64_t a, uint64_t b, uint64_t& r) { return !__builtin_mul_overflow(a, b, &r); }
// True when [off, off+len) lies inside a buffer of `size` bytes; cannot overflow.
inline bool in_range(uint64_t off, uint64_t len, uint64_t size) { return off <= size && len <= size - off; }
// Bytes of an array; false when its dimensions other than 0 multiply to more than a signed 64-bit number of bytes.
inline bool bytes_of_shape(std::span<const uint64_t> shape, uint64_t item, uint64_t& bytes) {
  bool empty = false;
  bytes = item;
  for (uint64_t size : shape) {
    empty |= size == 0;
    if (size && (!mul_ok(bytes, size, bytes) || bytes > uint64_t(INT64_MAX))) return false;
  }
  if (empty) bytes = 0;
  return true;
}

// Little-endian cursor: the only way the parsers touch input bytes.
class Cursor {
 public:
  Cursor(Bytes b, std::string_view where, uint64_t pos = 0) : b_(b), where_(where), pos_(pos) {}
  uint64_t pos() const { return pos_; }
  uint64_t left() const { return b_.size() - pos_; }
  Bytes take(uint64_t n) {
    if (pos_ > b_.size() || n > b_.size() - pos_)
      fail(where_, pos_, "needs " + std::to_string(n) + " bytes, past the end");
    Bytes r = b_.subspan(pos_, n);
    pos_ += n;
    return r;
  }
  uint8_t u8() { return take(1)[0]; }
  uint16_t u16() { return uint16_t(le(2)); }
  uint32_t u32() { return uint32_t(le(4)); }
  uint64_t u64() { return le(8); }
  std::string_view line(size_t max) {  // text up to '\n', which is consumed
    uint64_t s = pos_;
    while (pos_ < b_.size() && b_[pos_] != '\n')
      if (++pos_ - s > max) fail(where_, s, "text argument too long");
    if (pos_ >= b_.size()) fail(where_, s, "unterminated text argument");
    return {reinterpret_cast<const char*>(b_.data()) + s, size_t(pos_++ - s)};
  }

 private:
  uint64_t le(int n) {
    Bytes t = take(n);
    uint64_t v = 0;
    for (int i = 0; i < n; i++)
      v |= uint64_t(t[i]) << (8 * i);
    return v;
  }
  Bytes b_;
  std::string_view where_;
  uint64_t pos_;
};

// Whole file as bytes, by private mapping or by read().
class File {
 public:
  enum class Mode { Map, Read };
  explicit File(const std::string& path, Mode m = Mode::Map);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  Bytes bytes() const { return {p_, n_}; }

 private:
  const uint8_t* p_ = nullptr;
  size_t n_ = 0;
  bool mapped_ = false;
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t[], Free> own_;
};
// Writes a file so that the path holds either the old contents or all of the new: to a temporary file in the same
// folder, which takes the path's place in commit(). Links stay links, and what is no regular file (a pipe, a device)
// is written to directly.
class Sink {
 public:
  explicit Sink(const std::string& path);
  explicit Sink(std::string* memory) : mem_(memory) {}
  ~Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;
  void put(const void* p, size_t n);
  void put(std::string_view s) { put(s.data(), s.size()); }
  uint64_t pos() const { return pos_; }
  void commit();

 private:
  std::string path_, target_, tmp_;  // as given; where links lead; empty tmp_: no temporary file
  int fd_ = -1;
  uint64_t pos_ = 0;
  std::string buf_;
  std::string* mem_ = nullptr;
  void open_temporary(unsigned mode);
  void flush();
  void raw(const char* p, size_t n);
};

enum class FileDtype : uint8_t {
  F32,
  F64,
  F16,
  BF16,
  I8,
  U8,
  I16,
  I32,
  I64,
  Bool,
  C32,
  C64,
  C128,
  U16,
  U32,
  U64,
  F8E4M3FN,
  F8E5M2,
  F8E4M3FNUZ,
  F8E5M2FNUZ,
  F8E8M0,
  F4X2,
  None
};
struct FileDtypeInfo {
  FileDtype t;
  uint8_t size;
  const char* torch;
  const char* storage;
  const char* st;
};
// storage == nullptr: torch has no typed storage class, so it writes UntypedStorage +
// _rebuild_tensor_v3.
inline constexpr FileDtypeInfo kFileDtypes[] = {{FileDtype::F32, 4, "float32", "FloatStorage", "F32"},
                                                {FileDtype::F64, 8, "float64", "DoubleStorage", "F64"},
                                                {FileDtype::F16, 2, "float16", "HalfStorage", "F16"},
                                                {FileDtype::BF16, 2, "bfloat16", "BFloat16Storage", "BF16"},
                                                {FileDtype::I8, 1, "int8", "CharStorage", "I8"},
                                                {FileDtype::U8, 1, "uint8", "ByteStorage", "U8"},
                                                {FileDtype::I16, 2, "int16", "ShortStorage", "I16"},
                                                {FileDtype::I32, 4, "int32", "IntStorage", "I32"},
                                                {FileDtype::I64, 8, "int64", "LongStorage", "I64"},
                                                {FileDtype::Bool, 1, "bool", "BoolStorage", "BOOL"},
                                                {FileDtype::C32, 4, "complex32", nullptr, nullptr},
                                                {FileDtype::C64, 8, "complex64", "ComplexFloatStorage", "C64"},
                                                {FileDtype::C128, 16, "complex128", "ComplexDoubleStorage", nullptr},
                                                {FileDtype::U16, 2, "uint16", nullptr, "U16"},
                                                {FileDtype::U32, 4, "uint32", nullptr, "U32"},
                                                {FileDtype::U64, 8, "uint64", nullptr, "U64"},
                                                {FileDtype::F8E4M3FN, 1, "float8_e4m3fn", nullptr, "F8_E4M3"},
                                                {FileDtype::F8E5M2, 1, "float8_e5m2", nullptr, "F8_E5M2"},
                                                {FileDtype::F8E4M3FNUZ, 1, "float8_e4m3fnuz", nullptr, "F8_E4M3FNUZ"},
                                                {FileDtype::F8E5M2FNUZ, 1, "float8_e5m2fnuz", nullptr, "F8_E5M2FNUZ"},
                                                {FileDtype::F8E8M0, 1, "float8_e8m0fnu", nullptr, "F8_E8M0"},
                                                {FileDtype::F4X2, 1, "float4_e2m1fn_x2", nullptr, nullptr}};
inline const FileDtypeInfo& info(FileDtype t) { return kFileDtypes[size_t(t)]; }
}  // namespace rushlight::io
