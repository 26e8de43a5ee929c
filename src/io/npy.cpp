// npy: a magic number, a Python dict as text, then bytes. npz: a zip archive of them.
#include "io/npy.h"
#include <algorithm>
#include <set>
#include "io/zip.h"
namespace rushlight::io {
namespace {
constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMaxDims = 64, kAlignment = 64;

struct Code {
  FileDtype dtype;
  const char* text;  // kind and bytes per element
};
constexpr Code kCodes[] = {{FileDtype::F32, "f4"}, {FileDtype::F64, "f8"},   {FileDtype::F16, "f2"},
                           {FileDtype::I8, "i1"},  {FileDtype::U8, "u1"},    {FileDtype::I16, "i2"},
                           {FileDtype::I32, "i4"}, {FileDtype::I64, "i8"},   {FileDtype::Bool, "b1"},
                           {FileDtype::C64, "c8"}, {FileDtype::C128, "c16"}, {FileDtype::U16, "u2"},
                           {FileDtype::U32, "u4"}, {FileDtype::U64, "u8"}};

// Reads exactly {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }, keys in any order.
class HeaderReader {
 public:
  HeaderReader(Bytes text, uint64_t at, std::string_view where)
      : text_(reinterpret_cast<const char*>(text.data()), text.size()), at_(at), where_(where) {}
  bool big_endian = false;

  void read(NpyArray& array) {
    expect('{');
    bool descr = false, order = false, shape = false;
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      bool* seen = key == "descr" ? &descr : key == "fortran_order" ? &order : key == "shape" ? &shape : nullptr;
      if (!seen || *seen) bad("unknown or repeated key '" + std::string(key.substr(0, 80)) + "'");
      *seen = true;
      if (seen == &descr)
        array.dtype = dtype();
      else if (seen == &order)
        array.fortran = boolean();
      else
        array.shape = sizes();
      if (!accept(',') && peek() != '}') bad("expected ',' or '}'");
    }
    skip_space();
    if (pos_ != text_.size()) bad("text after the header's dict");
    if (!descr || !order || !shape) bad("descr, fortran_order or shape is missing");
  }

 private:
  [[noreturn]] void bad(const std::string& what) { fail(where_, at_ + pos_, "npy header: " + what); }
  void skip_space() {
    while (pos_ < text_.size() && (text_[pos_] == ' ' || text_[pos_] == '\n'))
      pos_++;
  }
  char peek() {
    skip_space();
    return pos_ < text_.size() ? text_[pos_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    pos_++;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) bad(std::string("expected '") + c + "'");
  }
  bool accept_word(std::string_view word) {
    skip_space();
    if (!text_.substr(pos_).starts_with(word)) return false;
    pos_ += word.size();
    return true;
  }
  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') bad("expected text in quotes");
    const size_t start = ++pos_, end = text_.find(quote, start);
    if (end == text_.npos) bad("text without an end");
    pos_ = end + 1;
    return text_.substr(start, end - start);
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    bad("fortran_order is neither True nor False");
  }
  uint64_t number() {
    if (peek() < '0' || peek() > '9') bad("shape holds something that is not a whole number from 0 on");
    uint64_t value = 0;
    for (; pos_ < text_.size() && text_[pos_] >= '0' && text_[pos_] <= '9'; pos_++)
      if (!mul_ok(value, 10, value) || !add_ok(value, uint64_t(text_[pos_] - '0'), value)) bad("size overflows");
    if (pos_ < text_.size() && text_[pos_] == 'L') pos_++;  // as Python 2 wrote long integers
    return value;
  }
  std::vector<uint64_t> sizes() {
    std::vector<uint64_t> shape;
    expect('(');
    while (!accept(')')) {
      if (shape.size() == kMaxDims) bad("more than 64 dimensions");
      shape.push_back(number());
      if (!accept(',') && peek() != ')') bad("expected ',' or ')'");
    }
    return shape;
  }
  FileDtype dtype() {
    if (peek() == '[') bad("arrays of records are not supported; save each field as an array of its own");
    const std::string_view descr = string();
    const char order = descr.empty() ? '\0' : descr[0];
    const std::string_view code = order == '<' || order == '>' || order == '|' ? descr.substr(1) : descr;
    if (code.starts_with('O'))
      bad("arrays of Python objects are refused: reading them could run code; save numbers instead");
    for (const Code& known : kCodes)
      if (code == known.text && (order != '|' || info(known.dtype).size == 1) && code.size() != descr.size()) {
        big_endian = order == '>';
        return known.dtype;
      }
    bad("dtype '" + std::string(descr.substr(0, 32)) + "' is not supported: only bool, integers, floats and complex");
  }

  std::string_view text_;
  uint64_t at_;
  std::string_view where_;
  size_t pos_ = 0;
};

// The bytes with the order inside each number turned round.
void swap_bytes(NpyArray& array) {
  const bool complex = array.dtype == FileDtype::C64 || array.dtype == FileDtype::C128;
  const size_t unit = info(array.dtype).size / (complex ? 2 : 1), count = array.bytes.size();
  if (unit == 1 || !count) return;
  auto turned = std::make_shared_for_overwrite<uint8_t[]>(count);
  for (size_t i = 0; i < count; i += unit)
    std::reverse_copy(array.bytes.begin() + long(i), array.bytes.begin() + long(i + unit), turned.get() + i);
  array.bytes = {turned.get(), count};
  array.owner = turned;
}

std::string header(const NpyArray& array) {
  const Code* code =
      std::find_if(std::begin(kCodes), std::end(kCodes), [&](auto& c) { return c.dtype == array.dtype; });
  if (code == std::end(kCodes))
    throw Error("npy: NumPy has no " + std::string(info(array.dtype).torch) +
                "; convert the tensor first, or view it as integers of the same width");
  std::string shape = "(";
  for (size_t i = 0; i < array.shape.size(); i++)
    shape += (i ? ", " : "") + std::to_string(array.shape[i]);
  shape += array.shape.size() == 1 ? ",)" : ")";
  std::string text = "{'descr': '" + std::string(info(array.dtype).size == 1 ? "|" : "<") + code->text +
                     "', 'fortran_order': " + (array.fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
  if (!array.shape.empty()) {  // room for the growing dimension to take 21 digits, as NumPy leaves it
    const size_t digits = std::to_string(array.fortran ? array.shape.back() : array.shape.front()).size();
    text.append(digits < 21 ? 21 - digits : 0, ' ');
  }
  constexpr size_t kPrefix = 10;  // magic, version 1.0, length
  text.append(kAlignment - (kPrefix + text.size() + 1) % kAlignment, ' ');
  text += '\n';
  std::string out(kMagic, 6);
  out += {'\1', '\0', char(text.size() & 255), char(text.size() >> 8)};
  return out + text;
}

Bytes bytes_of(const std::string& text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

void check_size(const NpyArray& array, std::string_view where) {
  uint64_t bytes;
  if (!bytes_of_shape(array.shape, info(array.dtype).size, bytes) || bytes != array.bytes.size())
    throw Error(std::string(where) + ": shape and number of bytes disagree");
}
}  // namespace

NpyArray load_npy(Bytes file, std::string_view where) {
  Cursor c(file, where);
  if (std::memcmp(c.take(6).data(), kMagic, 6) != 0)
    fail(where, 0, "not an npy array: it does not start with \\x93NUMPY");
  const uint8_t major = c.u8(), minor = c.u8();
  if (major < 1 || major > 3 || minor != 0)
    fail(where, 6, "npy version " + std::to_string(major) + "." + std::to_string(minor) + " is not known");
  const uint64_t length = major == 1 ? c.u16() : c.u32(), at = c.pos();
  NpyArray array;
  HeaderReader reader(c.take(length), at, where);
  reader.read(array);
  uint64_t bytes;
  if (!bytes_of_shape(array.shape, info(array.dtype).size, bytes)) fail(where, at, "npy header: shape overflows");
  array.bytes = c.take(bytes);
  if (c.left()) fail(where, c.pos(), std::to_string(c.left()) + " bytes after the array");
  if (reader.big_endian) swap_bytes(array);
  return array;
}
NpyArray load_npy_file(const std::string& path) {
  auto file = std::make_shared<File>(path, File::Mode::Read);
  NpyArray array = load_npy(file->bytes());
  if (!array.owner) array.owner = file;
  return array;
}
void save_npy(const NpyArray& array, Sink& out) {
  check_size(array, "npy");
  out.put(header(array));
  out.put(array.bytes.data(), array.bytes.size());
  out.commit();
}

NpzArrays load_npz(Bytes file) {
  const ZipReader zip(file, ZipMethods::StoredOrDeflated);
  NpzArrays arrays;
  for (const ZipEntry& entry : zip.entries()) {
    if (!entry.name.ends_with(".npy")) fail(entry.name, entry.header, "not an array: its name does not end in .npy");
    std::shared_ptr<const uint8_t[]> inflated;
    if (entry.deflated) inflated = zip.inflate(entry);
    NpyArray array = load_npy(inflated ? Bytes(inflated.get(), entry.size) : zip.data(entry), entry.name);
    if (!array.owner) array.owner = std::move(inflated);
    arrays.emplace_back(entry.name.substr(0, entry.name.size() - 4), std::move(array));
  }
  return arrays;
}
NpzArrays load_npz_file(const std::string& path) {
  auto file = std::make_shared<File>(path, File::Mode::Read);
  NpzArrays arrays = load_npz(file->bytes());
  for (auto& [name, array] : arrays)
    if (!array.owner) array.owner = file;
  return arrays;
}
void save_npz(const NpzArrays& arrays, Sink& out) {
  std::set<std::string_view> names;
  ZipWriter zip(out);
  for (const auto& [name, array] : arrays) {
    if (name.find('\0') != name.npos || !names.insert(name).second)
      throw Error("npz: bad or repeated name '" + name + "'");
    check_size(array, "npz: array '" + name + "'");
    zip.add(name + ".npy", {bytes_of(header(array)), array.bytes});
  }
  zip.finish();
  out.commit();
}
}  // namespace rushlight::io
