// safetensors: a JSON header, then bytes.
#include "io/safetensors.h"
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_set>
namespace rushlight::io {
namespace {
constexpr uint64_t kMaxHeader = 100'000'000, kMaxDims = 64;
using nlohmann::json;
// Event reader for exactly {name: {dtype, shape, data_offsets}, __metadata__: {str: str}}.
struct Reader : nlohmann::json_sax<json> {
  enum S { Start, Top, Meta, Info, Shape, Offsets, Done } s = Start;
  struct Raw {
    std::string name, dtype;
    std::vector<uint64_t> shape, off;
    int seen = 0;
  };
  std::vector<Raw> out;
  std::map<std::string, std::string> meta;
  bool has_meta = false;
  std::unordered_set<std::string> names;
  std::string k;
  uint64_t values = 0;
  [[noreturn]] void bad(const std::string& m) {
    fail("safetensors header", 8, m + (out.empty() ? "" : " (near tensor '" + out.back().name.substr(0, 80) + "')"));
  }
  bool null() override { bad("null value"); }
  bool boolean(bool) override { bad("boolean value"); }
  bool number_integer(number_integer_t) override { bad("negative number"); }
  bool number_float(number_float_t, const string_t&) override { bad("number is not a 64-bit unsigned integer"); }
  bool binary(binary_t&) override { bad("binary value"); }
  bool number_unsigned(number_unsigned_t v) override {
    if (s == Shape) {
      if (out.back().shape.size() >= kMaxDims) bad("too many dimensions");
      out.back().shape.push_back(v);
    } else if (s == Offsets) {
      if (out.back().off.size() >= 2) bad("data_offsets needs two numbers");
      out.back().off.push_back(v);
    } else
      bad("unexpected number");
    return true;
  }
  bool string(string_t& v) override {
    if (s == Meta)
      meta[k] = v;
    else if (s == Info && k == "dtype")
      out.back().dtype = v;
    else
      bad("unexpected string");
    return true;
  }
  bool start_object(std::size_t) override {
    if (s == Start)
      s = Top;
    else if (s == Top && k == "__metadata__")
      s = Meta;
    else if (s == Top) {
      s = Info;
      out.push_back({k, {}, {}, {}, 0});
    } else
      bad("unexpected object");
    return true;
  }
  bool key(string_t& v) override {
    k = v;
    if (s == Top) {
      if (!names.insert(v).second) bad("duplicate key '" + v.substr(0, 80) + "'");
    } else if (s == Meta) {
      if (meta.count(v)) bad("duplicate metadata key");
    } else {
      int bit = v == "dtype" ? 1 : v == "shape" ? 2 : v == "data_offsets" ? 4 : 0;
      if (!bit) bad("unknown key '" + v.substr(0, 80) + "'");
      if (out.back().seen & bit) bad("duplicate key '" + v + "'");
      out.back().seen |= bit;
    }
    return true;
  }
  bool end_object() override {
    if (s == Info) {
      if (out.back().seen != 7) bad("dtype, shape or data_offsets missing");
      if (out.back().off.size() != 2) bad("data_offsets needs two numbers");
      s = Top;
    } else if (s == Meta)
      s = Top;
    else
      s = Done;
    return true;
  }
  bool start_array(std::size_t) override {
    if (s != Info) bad("unexpected array");
    if (k == "shape")
      s = Shape;
    else if (k == "data_offsets")
      s = Offsets;
    else
      bad("unexpected array");
    return true;
  }
  bool end_array() override {
    s = Info;
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception& e) override {
    fail("safetensors header", 8 + at, e.what());
  }
};
}  // namespace
StFile load_safetensors(Bytes f) {
  Cursor c(f, "safetensors");
  uint64_t n = c.u64();
  if (n > kMaxHeader) fail("safetensors", 0, "header length " + std::to_string(n) + " over the limit");
  Bytes h = c.take(n);
  if (h.empty() || h[0] != '{') fail("safetensors header", 8, "does not start with '{'");
  Reader r;
  if (!json::sax_parse(h.begin(), h.end(), &r) || r.s != Reader::Done)
    fail("safetensors header", 8, "not a complete object");
  Bytes body = f.subspan(8 + n);
  StFile out;
  out.metadata = std::move(r.meta);
  std::stable_sort(r.out.begin(), r.out.end(), [](auto& a, auto& b) { return a.off < b.off; });
  uint64_t at = 0;
  for (auto& t : r.out) {
    const FileDtypeInfo* di = nullptr;
    for (auto& d : kFileDtypes)
      if (d.st && t.dtype == d.st) di = &d;
    if (!di)
      fail("safetensors header", 8,
           "tensor '" + t.name.substr(0, 80) + "': dtype '" + t.dtype.substr(0, 32) + "' not supported");
    uint64_t nb;
    if (!bytes_of_shape(t.shape, di->size, nb))
      fail("safetensors header", 8, "tensor '" + t.name.substr(0, 80) + "': size overflows");
    if (t.off[0] != at || t.off[1] < t.off[0] || t.off[1] > body.size())
      fail("safetensors header", 8,
           "tensor '" + t.name.substr(0, 80) + "': offsets leave a hole, overlap or run past the end");
    if (t.off[1] - t.off[0] != nb)
      fail("safetensors header", 8, "tensor '" + t.name.substr(0, 80) + "': offsets do not match dtype and shape");
    at = t.off[1];
    out.tensors.push_back({std::move(t.name), di->t, std::move(t.shape), body.subspan(t.off[0], nb)});
  }
  if (at != body.size()) fail("safetensors", 8 + n + at, "bytes after the last tensor");
  return out;
}
StFile load_safetensors_file(const std::string& p, File::Mode m) {
  auto f = std::make_shared<File>(p, m);
  StFile s = load_safetensors(f->bytes());
  s.owner = f;
  return s;
}
void save_safetensors(const StFile& f, Sink& out) {
  std::vector<const StTensor*> v;
  std::set<std::string_view> names;
  for (auto& t : f.tensors) {
    if (t.name == "__metadata__" || !names.insert(t.name).second)
      throw Error("safetensors: bad or duplicate name '" + t.name + "'");
    if (!info(t.dtype).st) throw Error("safetensors: no code for " + std::string(info(t.dtype).torch));
    uint64_t nb;
    if (!bytes_of_shape(t.shape, info(t.dtype).size, nb)) throw Error("safetensors: size overflows");
    if (nb != t.bytes.size()) throw Error("safetensors: tensor '" + t.name + "' has the wrong byte count");
    v.push_back(&t);
  }
  // Order of the reference package: its dtype enum from the back (widest first, so all stay
  // aligned), then name.
  static constexpr FileDtype kOrder[] = {FileDtype::U64, FileDtype::I64, FileDtype::F64, FileDtype::C64,
                                         FileDtype::F32, FileDtype::U32, FileDtype::I32, FileDtype::BF16,
                                         FileDtype::F16, FileDtype::U16, FileDtype::I16};
  auto rank = [](FileDtype t) {
    auto p = std::find(std::begin(kOrder), std::end(kOrder), t);
    return p != std::end(kOrder) ? int(p - kOrder) : t == FileDtype::Bool ? 999 : 100 - int(t == FileDtype::I8);
  };
  std::sort(v.begin(), v.end(), [&](auto a, auto b) {
    int x = rank(a->dtype), y = rank(b->dtype);
    return x != y ? x < y : a->name < b->name;
  });
  nlohmann::ordered_json j = nlohmann::ordered_json::object();
  if (!f.metadata.empty()) j["__metadata__"] = f.metadata;
  uint64_t at = 0;
  for (auto* t : v) {
    j[t->name] = {{"dtype", info(t->dtype).st}, {"shape", t->shape}, {"data_offsets", {at, at + t->bytes.size()}}};
    at += t->bytes.size();
  }
  std::string h = j.dump();
  h.append((8 - h.size() % 8) % 8, ' ');
  if (h.size() > kMaxHeader) throw Error("safetensors: header too large");
  uint8_t len[8];
  for (int i = 0; i < 8; i++)
    len[i] = uint8_t(uint64_t(h.size()) >> (8 * i));
  out.put(len, 8);
  out.put(h);
  for (auto* t : v)
    out.put(t->bytes.data(), t->bytes.size());
  out.commit();
}
}  // namespace rushlight::io
