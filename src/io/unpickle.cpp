// The pickle machine: builds data from opcodes. A name table maps the few known globals to
// enumerators; there are no callbacks and nothing is imported.
#include <bit>
#include <unordered_map>
#include "io/pickle.h"
namespace rushlight::io {
namespace {
enum class G : uint32_t {
  OrderedDict,
  Counter,
  Set,
  ByteArray,
  BytesType,
  Complex,
  Encode,
  Size,
  Device,
  GetLayout,
  Tensor,
  Parameter,
  RebuildTensor,
  RebuildV2,
  RebuildV3,
  RebuildParameter,
  RebuildFromType,
  RebuildSparse,
  RebuildMeta,
  UntypedStorage,
  TypedStorageBase /* + FileDtype */
};
struct Entry {
  Kind kind;
  uint32_t ref;
};
const std::unordered_map<std::string, Entry>& table() {
  static const auto* t = [] {
    auto* m = new std::unordered_map<std::string, Entry>;
    auto g = [&](const char* n, G v) { (*m)[n] = {Kind::Global, uint32_t(v)}; };
    g("collections OrderedDict", G::OrderedDict);
    g("collections Counter", G::Counter);
    for (const char* b : {"builtins", "__builtin__"}) {
      std::string p = std::string(b) + " ";
      g((p + "set").c_str(), G::Set);
      g((p + "bytearray").c_str(), G::ByteArray);
      g((p + "bytes").c_str(), G::BytesType);
      g((p + "complex").c_str(), G::Complex);
    }
    g("_codecs encode", G::Encode);
    g("torch Size", G::Size);
    g("torch device", G::Device);
    g("torch.serialization _get_layout", G::GetLayout);
    g("torch Tensor", G::Tensor);
    g("torch._tensor Tensor", G::Tensor);
    g("torch.nn.parameter Parameter", G::Parameter);
    g("torch.nn.parameter Buffer", G::Tensor);
    g("torch._utils _rebuild_tensor", G::RebuildTensor);
    g("torch._utils _rebuild_tensor_v2", G::RebuildV2);
    g("torch._utils _rebuild_tensor_v3", G::RebuildV3);
    g("torch._utils _rebuild_parameter", G::RebuildParameter);
    g("torch._tensor _rebuild_from_type_v2", G::RebuildFromType);
    g("torch._utils _rebuild_sparse_tensor", G::RebuildSparse);
    g("torch._utils _rebuild_meta_tensor_no_storage", G::RebuildMeta);
    g("torch.storage UntypedStorage", G::UntypedStorage);
    g("torch UntypedStorage", G::UntypedStorage);
    for (auto& d : kFileDtypes) {
      (*m)[std::string("torch ") + d.torch] = {Kind::Dtype, uint32_t(d.t)};
      if (d.storage)
        (*m)[std::string("torch ") + d.storage] = {Kind::Global, uint32_t(G::TypedStorageBase) + uint32_t(d.t)};
    }
    return m;
  }();
  return *t;
}
bool utf8_ok(Bytes b) {  // surrogates allowed, as Python's surrogatepass writes them
  for (size_t i = 0; i < b.size();) {
    uint8_t c = b[i];
    size_t n = c < 0x80                          ? 0
               : (c & 0xE0) == 0xC0 && c >= 0xC2 ? 1
               : (c & 0xF0) == 0xE0              ? 2
               : (c & 0xF8) == 0xF0 && c <= 0xF4 ? 3
                                                 : 9;
    if (n == 9 || n >= b.size() - i) return false;
    for (size_t k = 1; k <= n; k++)
      if ((b[i + k] & 0xC0) != 0x80) return false;
    if ((c == 0xE0 && b[i + 1] < 0xA0) || (c == 0xF0 && b[i + 1] < 0x90) || (c == 0xF4 && b[i + 1] > 0x8F))
      return false;
    i += n + 1;
  }
  return true;
}
class Machine {
 public:
  Machine(Document& d, Cursor& c, std::string_view w, const Limits& l, bool p)
      : d_(d), c_(c), w_(w), lim_(l), pers_(p) {
    budget_ = (1u << 20) + 64 * c.left();
  }
  Id run();

 private:
  Document& d_;
  Cursor& c_;
  std::string_view w_;
  const Limits& lim_;
  bool pers_;
  std::vector<Id> stack_;
  std::vector<size_t> marks_;
  std::unordered_map<uint32_t, Id> memo_;
  std::unordered_map<Id, std::unordered_map<std::string, size_t>> index_;  // per dict: canonical key -> position
  std::unordered_map<std::string, uint32_t> storage_by_key_;
  uint64_t budget_, op_ = 0;
  Id none_ = kNone, yes_ = kNone, no_ = kNone;

  [[noreturn]] void bad(const std::string& m) { fail(w_, op_, m); }
  // Work that one short opcode can repeat (copies, key hashing) is paid from a budget linear in the
  // input.
  void charge(uint64_t n) {
    if (n > budget_) bad("too much repeated work for the input size");
    budget_ -= n;
  }
  Value& N(Id i) { return d_.nodes[i]; }
  Id make(Kind k) {
    if (d_.nodes.size() >= lim_.nodes) bad("too many values");
    Value n;
    n.kind = k;
    return d_.add(std::move(n));
  }
  Id text(Kind k, Bytes b) {
    if (k == Kind::Str && !utf8_ok(b)) bad("string is not UTF-8");
    Id i = make(k);
    N(i).s.assign(b.begin(), b.end());
    return i;
  }
  Id num(int64_t v) {
    Id i = make(Kind::Int);
    N(i).i = v;
    return i;
  }
  void push(Id i) {
    if (stack_.size() >= lim_.stack) bad("stack limit");
    stack_.push_back(i);
  }
  Id pop() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) bad("stack underflow");
    Id i = stack_.back();
    stack_.pop_back();
    return i;
  }
  Id top() {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) bad("stack underflow");
    return stack_.back();
  }
  std::vector<Id> pop_mark() {
    if (marks_.empty()) bad("no mark");
    std::vector<Id> v(stack_.begin() + long(marks_.back()), stack_.end());
    stack_.resize(marks_.back());
    marks_.pop_back();
    return v;
  }
  void memo_put(uint64_t k) {
    if (k >= lim_.memo || memo_.size() >= lim_.memo) bad("memo index " + std::to_string(k) + " over the limit");
    memo_[uint32_t(k)] = top();
  }
  Id memo_get(uint64_t k) {
    auto i = k > 0xFFFFFFFF ? memo_.end() : memo_.find(uint32_t(k));
    if (i == memo_.end()) bad("memo index " + std::to_string(k) + " not set");
    return i->second;
  }
  void tuple(size_t n) {
    std::vector<Id> v(n);
    for (size_t k = n; k--;)
      v[k] = pop();
    Id i = make(Kind::Tuple);
    N(i).items = std::move(v);
    push(i);
  }
  static bool is_dict(Kind k) { return k == Kind::Dict || k == Kind::OrderedDict || k == Kind::Counter; }
  void key(Id i, std::string& out, int depth) {
    Value& n = N(i);
    size_t before = out.size();
    switch (n.kind) {
      case Kind::None:
        out += 'N';
        break;
      case Kind::Bool:
        out += "I" + std::to_string(int(n.flag)) + ";";
        break;
      case Kind::Int:
        out += "I" + std::to_string(n.i) + ";";
        break;
      case Kind::Float:  // 2.0 and 2 are one key in Python
        if (n.d >= -9e15 && n.d <= 9e15 && n.d == double(int64_t(n.d)))
          out += "I" + std::to_string(int64_t(n.d)) + ";";
        else {
          out += 'F';
          out.append(reinterpret_cast<const char*>(&n.d), 8);
        }
        break;
      case Kind::BigInt:
      case Kind::Str:
      case Kind::ByteString:
      case Kind::Device:
        charge(n.s.size());
        out += char('a' + int(n.kind));
        out += std::to_string(n.s.size()) + ":" + n.s;
        break;
      case Kind::Dtype:
        out += "D" + std::to_string(n.ref) + ";";
        break;
      case Kind::Tuple:
      case Kind::Size:
        if (depth > 8) bad("dict key nested too deeply");
        out += '(';
        for (Id c : n.items) {
          key(c, out, depth + 1);
          if (out.size() > (1u << 20)) bad("dict key too large");
        }
        out += ')';
        break;
      default:
        bad("unhashable or unsupported dict key");
    }
    charge(out.size() - before);
  }
  void set_item(Id dict, Id k, Id v) {
    std::string s;
    key(k, s, 0);
    auto& ix = index_[dict];
    auto& it = N(dict).items;
    auto [p, fresh] = ix.emplace(std::move(s), it.size());
    if (fresh) {
      it.push_back(k);
      it.push_back(v);
    } else
      it[p->second + 1] = v;
  }
  Id global(std::string_view mod, std::string_view name) {
    std::string full = std::string(mod) + " " + std::string(name);
    auto i = table().find(full);
    if (i == table().end()) bad("global '" + full.substr(0, 120) + "' is not in the name table; nothing was run");
    Id n = make(i->second.kind);
    N(n).ref = i->second.ref;
    return n;
  }
  int64_t integer(Id i, const char* what) {
    if (N(i).kind != Kind::Int) bad(std::string(what) + " is not an integer");
    return N(i).i;
  }
  bool boolean(Id i, const char* what) {
    if (N(i).kind != Kind::Bool) bad(std::string(what) + " is not a bool");
    return N(i).flag;
  }
  std::vector<int64_t> ints(Id i, const char* what) {
    Value& n = N(i);
    if (n.kind != Kind::Tuple && n.kind != Kind::Size) bad(std::string(what) + " is not a tuple");
    if (n.items.size() > lim_.dims) bad(std::string(what) + " has too many dimensions");
    std::vector<int64_t> v;
    for (Id c : n.items)
      v.push_back(integer(c, what));
    return v;
  }
  void no_hooks(Id i) {
    Value& n = N(i);
    if (n.kind == Kind::None) return;
    if (!is_dict(n.kind) || !n.items.empty()) bad("backward hooks are refused");
  }
  void persistent();
  Id reduce(Id f, Id args);
  Id rebuild(G g, const std::vector<Id>& a);
  void build();
};
void Machine::persistent() {
  Id p = pop();
  if (!pers_) bad("persistent id not allowed here");
  auto a = N(p).items;
  if (N(p).kind != Kind::Tuple || (a.size() != 5 && a.size() != 6) || N(a[0]).kind != Kind::Str ||
      N(a[0]).s != "storage" || N(a[1]).kind != Kind::Global || N(a[2]).kind != Kind::Str ||
      N(a[3]).kind != Kind::Str || N(a[4]).kind != Kind::Int || N(a[4]).i < 0)
    bad("malformed storage id");
  if (a.size() == 6 && N(a[5]).kind != Kind::None) bad("storage views of torch < 0.4 are not supported");
  uint32_t g = N(a[1]).ref;
  StorageInfo s;
  if (g >= uint32_t(G::TypedStorageBase))
    s.dtype = FileDtype(g - uint32_t(G::TypedStorageBase));
  else if (g != uint32_t(G::UntypedStorage))
    bad("storage id names something that is not a storage class");
  s.key = N(a[2]).s;
  s.location = N(a[3]).s;
  s.numel = uint64_t(N(a[4]).i);
  s.at = op_;
  if (s.key.empty() || s.key.size() > 64 ||
      s.key.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") != std::string::npos)
    bad("bad storage key");
  if (s.location.size() > 64) bad("bad storage location");
  auto [it, fresh] = storage_by_key_.emplace(s.key, uint32_t(d_.storages.size()));
  if (fresh)
    d_.storages.push_back(s);
  else {
    auto& o = d_.storages[it->second];
    if (o.dtype != s.dtype || o.numel != s.numel || o.location != s.location)
      bad("storage " + s.key + " declared twice with different type or size");
  }
  Id n = make(Kind::Storage);
  N(n).ref = it->second;
  push(n);
}
Id Machine::rebuild(G g, const std::vector<Id>& a) {
  auto need = [&](size_t lo, size_t hi) {
    if (a.size() < lo || a.size() > hi) bad("wrong argument count for a rebuild function");
  };
  TensorInfo t;
  t.at = op_;
  if (g == G::RebuildMeta) {
    need(4, 4);
    if (N(a[0]).kind != Kind::Dtype) bad("dtype expected");
    t.dtype = FileDtype(N(a[0]).ref);
    t.sizes = ints(a[1], "size");
    t.strides = ints(a[2], "stride");
    t.requires_grad = boolean(a[3], "requires_grad");
  } else {
    need(g == G::RebuildTensor ? 4 : g == G::RebuildV2 ? 6 : 7, g == G::RebuildTensor ? 4 : g == G::RebuildV2 ? 7 : 8);
    if (N(a[0]).kind != Kind::Storage) bad("tensor storage expected");
    t.storage = N(a[0]).ref;
    int64_t off = integer(a[1], "offset");
    if (off < 0) bad("negative storage offset");
    t.offset = uint64_t(off);
    t.sizes = ints(a[2], "size");
    t.strides = ints(a[3], "stride");
    t.dtype = d_.storages[t.storage].dtype;
    if (g != G::RebuildTensor) {
      t.requires_grad = boolean(a[4], "requires_grad");
      no_hooks(a[5]);
    }
    size_t meta = 6;
    if (g == G::RebuildV3) {
      if (N(a[6]).kind != Kind::Dtype) bad("dtype expected");
      t.dtype = FileDtype(N(a[6]).ref);
      meta = 7;
    }
    if (a.size() > meta && N(a[meta]).kind != Kind::None) {
      Value& m = N(a[meta]);
      if (!is_dict(m.kind)) bad("tensor metadata is not a dict");
      for (size_t k = 0; k < m.items.size(); k += 2) {
        if (N(m.items[k]).kind != Kind::Str) bad("tensor metadata key is not a string");
        const std::string& s = N(m.items[k]).s;
        bool v = boolean(m.items[k + 1], "tensor metadata");
        if (s == "conj")
          t.conj = v;
        else if (s == "neg")
          t.neg = v;
        else
          bad("unknown tensor metadata");
      }
    }
    if (t.dtype == FileDtype::None) bad("untyped storage under a typed tensor");
  }
  set_geometry(t, lim_, w_);
  d_.tensors.push_back(std::move(t));
  Id n = make(Kind::Tensor);
  N(n).ref = uint32_t(d_.tensors.size() - 1);
  return n;
}
Id Machine::reduce(Id f, Id args) {
  if (N(f).kind != Kind::Global) bad("REDUCE on something that is not a known function");
  if (N(args).kind != Kind::Tuple) bad("REDUCE arguments are not a tuple");
  charge(N(args).items.size());
  const std::vector<Id> a = N(args).items;
  const G g = G(N(f).ref);
  auto need = [&](size_t lo, size_t hi) {
    if (a.size() < lo || a.size() > hi) bad("wrong argument count");
  };
  switch (g) {
    case G::OrderedDict:
    case G::Counter: {
      need(0, 1);
      Id n = make(g == G::Counter ? Kind::Counter : Kind::OrderedDict);
      if (a.empty()) return n;
      Value& src = N(a[0]);
      charge(src.items.size());
      if (is_dict(src.kind)) {
        for (size_t k = 0; k + 1 < src.items.size(); k += 2)
          set_item(n, src.items[k], src.items[k + 1]);
        return n;
      }
      if (g == G::Counter || src.kind != Kind::List) bad("dict or list of pairs expected");
      for (Id p : src.items) {
        if ((N(p).kind != Kind::List && N(p).kind != Kind::Tuple) || N(p).items.size() != 2) bad("pair expected");
        set_item(n, N(p).items[0], N(p).items[1]);
      }
      return n;
    }
    case G::Set: {
      need(0, 1);
      Id n = make(Kind::Set);
      if (a.empty()) return n;
      if (N(a[0]).kind != Kind::List && N(a[0]).kind != Kind::Tuple) bad("list expected");
      charge(N(a[0]).items.size());
      std::unordered_map<std::string, bool> seen;
      for (Id c : N(a[0]).items) {
        std::string s;
        key(c, s, 0);
        if (seen.emplace(std::move(s), true).second) N(n).items.push_back(c);
      }
      return n;
    }
    case G::BytesType:
      need(0, 0);
      return make(Kind::ByteString);
    case G::Encode:
    case G::ByteArray: {
      if (g == G::ByteArray) {
        need(0, 2);
        if (a.empty()) return make(Kind::ByteArray);
      } else
        need(2, 2);
      charge(N(a[0]).s.size());
      Id n = make(g == G::Encode ? Kind::ByteString : Kind::ByteArray);
      if (a.size() == 1) {
        if (N(a[0]).kind != Kind::ByteString) bad("bytes expected");
        N(n).s = N(a[0]).s;
        return n;
      }
      if (N(a[0]).kind != Kind::Str || N(a[1]).kind != Kind::Str || (N(a[1]).s != "latin1" && N(a[1]).s != "latin-1"))
        bad("only latin1 text to bytes is known");
      const std::string& s = N(a[0]).s;
      std::string out;
      for (size_t k = 0; k < s.size(); k++) {  // s is valid UTF-8
        uint8_t c = uint8_t(s[k]);
        if (c < 0x80)
          out += char(c);
        else if (c <= 0xC3)
          out += char((c & 3) << 6 | (uint8_t(s[++k]) & 0x3F));
        else
          bad("character outside latin1");
      }
      N(n).s = std::move(out);
      return n;
    }
    case G::Complex: {
      need(2, 2);
      if (N(a[0]).kind != Kind::Float || N(a[1]).kind != Kind::Float) bad("two floats expected");
      Id n = make(Kind::Complex);
      N(n).d = N(a[0]).d;
      N(n).im = N(a[1]).d;
      return n;
    }
    case G::Size: {
      need(1, 1);
      auto v = ints(a[0], "torch.Size");
      Id n = make(Kind::Size);
      N(n).items = N(a[0]).items;
      return n;
    }
    case G::Device: {
      need(1, 2);
      if (N(a[0]).kind != Kind::Str || N(a[0]).s.size() > 32 || N(a[0]).s.empty()) bad("device name expected");
      Id n = make(Kind::Device);
      N(n).s = N(a[0]).s;
      for (char ch : N(n).s)
        if (!((ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9') || ch == ':')) bad("bad device name");
      if (a.size() == 2) {
        int64_t v = integer(a[1], "device index");
        if (v < 0 || v > 4095 || N(n).s.find(':') != std::string::npos) bad("bad device index");
        N(n).s += ":" + std::to_string(v);
      }
      return n;
    }
    case G::GetLayout: {
      need(1, 1);
      if (N(a[0]).kind != Kind::Str) bad("layout name expected");
      const std::string& s = N(a[0]).s;
      if (s != "torch.strided" && s != "torch.sparse_coo" && s != "torch.sparse_csr" && s != "torch.sparse_csc")
        bad("layout not supported");
      Id n = make(Kind::Layout);
      N(n).s = s;
      return n;
    }
    case G::RebuildTensor:
    case G::RebuildV2:
    case G::RebuildV3:
    case G::RebuildMeta:
      return rebuild(g, a);
    case G::RebuildParameter: {
      need(3, 3);
      if (N(a[0]).kind != Kind::Tensor) bad("tensor expected");
      no_hooks(a[2]);
      bool rg = boolean(a[1], "requires_grad");
      Id n = make(Kind::Parameter);
      N(n).flag = rg;
      N(n).items = {a[0]};
      return n;
    }
    case G::RebuildFromType: {
      need(4, 4);
      if (N(a[0]).kind != Kind::Global || N(a[1]).kind != Kind::Global || N(a[2]).kind != Kind::Tuple)
        bad("malformed _rebuild_from_type_v2");
      G inner = G(N(a[0]).ref);
      if (inner != G::RebuildTensor && inner != G::RebuildV2 && inner != G::RebuildV3 && inner != G::RebuildMeta)
        bad("only plain tensors may carry attributes");
      if (G(N(a[1]).ref) != G::Tensor) bad("tensor subclass refused");
      if (!is_dict(N(a[3]).kind)) bad("tensor attributes are not a dict");
      charge(N(a[2]).items.size());
      Id n = rebuild(inner, std::vector<Id>(N(a[2]).items));
      N(n).attrs = a[3];
      return n;
    }
    case G::RebuildSparse: {
      need(2, 2);
      if (N(a[0]).kind != Kind::Layout || N(a[1]).kind != Kind::Tuple) bad("malformed sparse tensor");
      const std::string lay = N(a[0]).s;
      auto& it = N(a[1]).items;
      const bool coo = lay == "torch.sparse_coo";
      if (lay == "torch.strided" || (coo ? it.size() != 3 && it.size() != 4 : it.size() != 4))
        bad("malformed sparse tensor");
      size_t nt = coo ? 2 : 3;
      for (size_t k = 0; k < nt; k++)
        if (N(it[k]).kind != Kind::Tensor) bad("sparse part is not a tensor");
      for (int64_t v : ints(it[nt], "sparse size"))
        if (v < 0) bad("negative sparse size");
      if (coo && it.size() == 4) (void)boolean(it[3], "is_coalesced");
      Id n = make(Kind::Sparse);
      N(n).s = lay;
      N(n).items = N(a[1]).items;
      return n;
    }
    default:
      bad("this global is a type, not a function");
  }
}
void Machine::build() {
  Id state = pop(), obj = top();
  if (N(obj).kind != Kind::OrderedDict) bad("BUILD is only known for OrderedDict");
  if (N(state).kind != Kind::Dict) bad("BUILD state is not a dict");
  N(obj).attrs = state;
}
Id Machine::run() {
  none_ = make(Kind::None);
  yes_ = make(Kind::Bool);
  N(yes_).flag = true;
  no_ = make(Kind::Bool);
  op_ = c_.pos();
  if (c_.u8() != 0x80) bad("pickle does not start with PROTO");
  uint8_t proto = c_.u8();
  if (proto < 2 || proto > 5) bad("pickle protocol " + std::to_string(proto) + " not supported");
  for (;;) {
    op_ = c_.pos();
    uint8_t op = c_.u8();
    switch (op) {
      case '.': {
        Id r = pop();
        if (!stack_.empty() || !marks_.empty()) bad("values left on the stack");
        return r;
      }
      case '(':
        if (marks_.size() >= lim_.stack) bad("mark limit");
        marks_.push_back(stack_.size());
        break;
      case 'N':
        push(none_);
        break;
      case 0x88:
        push(yes_);
        break;
      case 0x89:
        push(no_);
        break;
      case 'K':
        push(num(c_.u8()));
        break;
      case 'M':
        push(num(c_.u16()));
        break;
      case 'J':
        push(num(int32_t(c_.u32())));
        break;
      case 0x8A: {
        Bytes b = c_.take(c_.u8());
        if (b.size() <= 8) {
          uint64_t v = b.empty() || !(b.back() & 0x80) ? 0 : ~uint64_t(0);
          for (size_t k = 0; k < b.size(); k++)
            v = (v & ~(uint64_t(0xFF) << 8 * k)) | uint64_t(b[k]) << 8 * k;
          push(num(int64_t(v)));
        } else {
          Id i = make(Kind::BigInt);
          N(i).s.assign(b.begin(), b.end());
          push(i);
        }
        break;
      }
      case 'G': {
        Bytes b = c_.take(8);
        uint64_t v = 0;
        for (uint8_t x : b)
          v = v << 8 | x;
        Id i = make(Kind::Float);
        N(i).d = std::bit_cast<double>(v);
        push(i);
        break;
      }
      case 'X':
        push(text(Kind::Str, c_.take(c_.u32())));
        break;
      case 0x8C:
        push(text(Kind::Str, c_.take(c_.u8())));
        break;
      case 0x8D:
        push(text(Kind::Str, c_.take(c_.u64())));
        break;
      case 'B':
        push(text(Kind::ByteString, c_.take(c_.u32())));
        break;
      case 'C':
        push(text(Kind::ByteString, c_.take(c_.u8())));
        break;
      case 0x8E:
        push(text(Kind::ByteString, c_.take(c_.u64())));
        break;
      case 0x96:
        push(text(Kind::ByteArray, c_.take(c_.u64())));
        break;
      case ')':
        tuple(0);
        break;
      case 0x85:
        tuple(1);
        break;
      case 0x86:
        tuple(2);
        break;
      case 0x87:
        tuple(3);
        break;
      case 't': {
        auto v = pop_mark();
        Id i = make(Kind::Tuple);
        N(i).items = std::move(v);
        push(i);
        break;
      }
      case ']':
        push(make(Kind::List));
        break;
      case '}':
        push(make(Kind::Dict));
        break;
      case 0x8F:
        push(make(Kind::Set));
        break;
      case 'a': {
        Id v = pop();
        if (N(top()).kind != Kind::List) bad("APPEND on something that is not a list");
        N(top()).items.push_back(v);
        break;
      }
      case 'e': {
        auto v = pop_mark();
        if (N(top()).kind != Kind::List) bad("APPENDS on something that is not a list");
        auto& it = N(top()).items;
        it.insert(it.end(), v.begin(), v.end());
        break;
      }
      case 0x90: {
        auto v = pop_mark();
        Id s = top();
        if (N(s).kind != Kind::Set) bad("ADDITEMS on something that is not a set");
        for (Id x : v) {
          std::string k;
          key(x, k, 0);
          if (index_[s].emplace(std::move(k), 0).second) N(s).items.push_back(x);
        }
        break;
      }
      case 's': {
        Id v = pop(), k = pop();
        if (!is_dict(N(top()).kind)) bad("SETITEM on something that is not a dict");
        set_item(top(), k, v);
        break;
      }
      case 'u': {
        auto v = pop_mark();
        if (!is_dict(N(top()).kind)) bad("SETITEMS on something that is not a dict");
        if (v.size() % 2) bad("odd number of SETITEMS values");
        for (size_t k = 0; k < v.size(); k += 2)
          set_item(top(), v[k], v[k + 1]);
        break;
      }
      case 'q':
        memo_put(c_.u8());
        break;
      case 'r':
        memo_put(c_.u32());
        break;
      case 0x94:
        memo_put(memo_.size());
        break;
      case 'h':
        push(memo_get(c_.u8()));
        break;
      case 'j':
        push(memo_get(c_.u32()));
        break;
      case 'c': {
        auto m = c_.line(128);
        auto n = c_.line(128);
        push(global(m, n));
        break;
      }
      case 0x93: {
        Id n = pop(), m = pop();
        if (N(m).kind != Kind::Str || N(n).kind != Kind::Str) bad("STACK_GLOBAL needs two strings");
        charge(N(m).s.size() + N(n).s.size());
        push(global(N(m).s, N(n).s));
        break;
      }
      case 'R': {
        Id a = pop(), f = pop();
        push(reduce(f, a));
        break;
      }
      case 'Q':
        persistent();
        break;
      case 'b':
        build();
        break;
      case 0x95: {
        uint64_t n = c_.u64();
        if (n > c_.left()) bad("frame runs past the end");
        break;
      }
      default: {
        static const char* hex = "0123456789abcdef";
        bad(std::string("opcode 0x") + hex[op >> 4] + hex[op & 15] + " is refused");
      }
    }
  }
}
}  // namespace
Id unpickle(Document& d, Cursor& c, std::string_view w, const Limits& l, bool p) {
  return Machine(d, c, w, l, p).run();
}
}  // namespace rushlight::io
