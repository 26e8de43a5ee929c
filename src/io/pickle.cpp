// Writes a document as a pickle of protocol 2, with the opcodes that PyTorch's safe loader accepts.
#include "io/pickle.h"
#include <bit>
namespace rushlight::io {
namespace {
class Pickler {
 public:
  explicit Pickler(const Document& d) : d_(d), memo_(d.nodes.size(), kNone), st_memo_(d.storages.size(), kNone) {}
  Pickled run() {
    o_ = "\x80\x02";
    value(d_.root);
    o_ += '.';
    return {std::move(o_), std::move(order_)};
  }

 private:
  const Document& d_;
  std::string o_;
  std::vector<uint32_t> memo_, st_memo_, order_;
  uint32_t next_ = 0;
  std::vector<std::pair<std::string, uint32_t>> g_memo_;
  void le(uint64_t v, int n) {
    for (int i = 0; i < n; i++)
      o_ += char(v >> (8 * i));
  }
  uint32_t put() {
    uint32_t i = next_++;
    if (i < 256) {
      o_ += 'q';
      le(i, 1);
    } else {
      o_ += 'r';
      le(i, 4);
    }
    return i;
  }
  void get(uint32_t i) {
    if (i < 256) {
      o_ += 'h';
      le(i, 1);
    } else {
      o_ += 'j';
      le(i, 4);
    }
  }
  void global(const std::string& g) {  // "module\nname"
    for (auto& [n, i] : g_memo_)
      if (n == g) return get(i);
    o_ += 'c';
    o_ += g;
    o_ += '\n';
    g_memo_.emplace_back(g, put());
  }
  void integer(int64_t v) {
    if (v >= 0 && v < 256) {
      o_ += 'K';
      le(uint64_t(v), 1);
    } else if (v >= 0 && v < 65536) {
      o_ += 'M';
      le(uint64_t(v), 2);
    } else if (v >= INT32_MIN && v <= INT32_MAX) {
      o_ += 'J';
      le(uint64_t(v), 4);
    } else {
      o_ += "\x8A\x08";
      le(uint64_t(v), 8);
    }
  }
  void str(std::string_view s) {
    if (s.size() > 0xFFFFFFFF) throw Error("string too long for protocol 2");
    o_ += 'X';
    le(s.size(), 4);
    o_ += s;
  }
  void boolean(bool b) { o_ += b ? '\x88' : '\x89'; }
  void empty_od() {
    global("collections\nOrderedDict");
    o_ += ")R";
  }
  void ints(const std::vector<int64_t>& v) {
    o_ += '(';
    for (int64_t x : v)
      integer(x);
    o_ += 't';
  }
  void storage(uint32_t i) {
    const StorageInfo& s = d_.storages[i];
    if (st_memo_[i] != kNone) {
      get(st_memo_[i]);
    } else {
      o_ += '(';
      str("storage");
      global(s.dtype == FileDtype::None ? "torch.storage\nUntypedStorage"
                                        : std::string("torch\n") + info(s.dtype).storage);
      str(std::to_string(order_.size()));
      order_.push_back(i);
      str(s.location);
      integer(int64_t(s.numel));
      o_ += 't';
      st_memo_[i] = put();
    }
    o_ += 'Q';
  }
  void tensor_call(const TensorInfo& t,
                   bool split) {  // function, then arguments; split: stop before REDUCE
    if (t.storage == kNone) {
      global("torch._utils\n_rebuild_meta_tensor_no_storage");
      if (split) global("torch\nTensor");
      o_ += '(';
      global(std::string("torch\n") + info(t.dtype).torch);
      ints(t.sizes);
      ints(t.strides);
      boolean(t.requires_grad);
      o_ += 't';
    } else {
      bool v3 = d_.storages[t.storage].dtype != t.dtype;
      global(v3 ? "torch._utils\n_rebuild_tensor_v3" : "torch._utils\n_rebuild_tensor_v2");
      if (split) global("torch\nTensor");
      o_ += '(';
      storage(t.storage);
      integer(int64_t(t.offset));
      ints(t.sizes);
      ints(t.strides);
      boolean(t.requires_grad);
      empty_od();
      if (v3) global(std::string("torch\n") + info(t.dtype).torch);
      if (t.conj || t.neg) {
        o_ += '}';
        if (t.conj) {
          str("conj");
          o_ += "\x88s";
        }
        if (t.neg) {
          str("neg");
          o_ += "\x88s";
        }
      }
      o_ += 't';
    }
  }
  void list(const std::vector<Id>& v) {
    if (v.empty()) return;
    o_ += '(';
    for (Id c : v)
      value(c);
    o_ += 'e';
  }
  void latin1(const std::string& s) {
    std::string u;
    for (unsigned char c : s)
      if (c < 0x80)
        u += char(c);
      else {
        u += char(0xC0 | c >> 6);
        u += char(0x80 | (c & 0x3F));
      }
    global("_codecs\nencode");
    o_ += '(';
    str(u);
    str("latin1");
    o_ += "tR";
  }
  void value(Id id) {
    const Value& n = d_.nodes[id];
    if (memo_[id] != kNone) return get(memo_[id]);
    switch (n.kind) {
      case Kind::None:
        o_ += 'N';
        return;
      case Kind::Bool:
        boolean(n.flag);
        return;
      case Kind::Int:
        integer(n.i);
        return;
      case Kind::BigInt:
        o_ += '\x8A';
        le(n.s.size(), 1);
        o_ += n.s;
        return;
      case Kind::Float: {
        o_ += 'G';
        uint64_t v = std::bit_cast<uint64_t>(n.d);
        for (int k = 7; k >= 0; k--)
          o_ += char(v >> 8 * k);
        return;
      }
      case Kind::Dtype:
        global(std::string("torch\n") + info(FileDtype(n.ref)).torch);
        return;
      case Kind::Storage:
        storage(n.ref);
        return;
      case Kind::Str:
        str(n.s);
        break;
      case Kind::ByteString:
        latin1(n.s);
        break;
      case Kind::ByteArray:
        global("__builtin__\nbytearray");
        if (n.s.empty())
          o_ += ')';
        else {
          latin1(n.s);
          o_ += '\x85';
        }
        o_ += 'R';
        break;
      case Kind::Complex: {
        global("__builtin__\ncomplex");
        for (double x : {n.d, n.im}) {
          o_ += 'G';
          uint64_t v = std::bit_cast<uint64_t>(x);
          for (int k = 7; k >= 0; k--)
            o_ += char(v >> 8 * k);
        }
        o_ += "\x86R";
        break;
      }
      case Kind::List:
        o_ += ']';
        memo_[id] = put();
        list(n.items);
        return;
      case Kind::Dict:
      case Kind::OrderedDict:
        if (n.kind == Kind::Dict)
          o_ += '}';
        else
          empty_od();
        memo_[id] = put();
        if (!n.items.empty()) {
          o_ += '(';
          for (Id c : n.items)
            value(c);
          o_ += 'u';
        }
        if (n.attrs != kNone) {
          value(n.attrs);
          o_ += 'b';
        }
        return;
      case Kind::Counter:
        global("collections\nCounter");
        o_ += '}';
        if (!n.items.empty()) {
          o_ += '(';
          for (Id c : n.items)
            value(c);
          o_ += 'u';
        }
        o_ += "\x85R";
        break;
      case Kind::Set:
        global("__builtin__\nset");
        o_ += ']';
        list(n.items);
        o_ += "\x85R";
        break;
      case Kind::Tuple:
        if (n.items.empty()) {
          o_ += ')';
          return;
        }
        o_ += '(';
        for (Id c : n.items)
          value(c);
        o_ += 't';
        break;
      case Kind::Size:
        global("torch\nSize");
        o_ += '(';
        for (Id c : n.items)
          value(c);
        o_ += "t\x85R";
        break;
      case Kind::Device: {
        global("torch\ndevice");
        auto p = n.s.find(':');
        str(n.s.substr(0, p));
        if (p == std::string::npos)
          o_ += '\x85';
        else {
          integer(std::stoll(n.s.substr(p + 1)));
          o_ += '\x86';
        }
        o_ += 'R';
        break;
      }
      case Kind::Layout:
        global("torch.serialization\n_get_layout");
        str(n.s);
        o_ += "\x85R";
        break;
      case Kind::Tensor:
        if (n.attrs != kNone) {
          global("torch._tensor\n_rebuild_from_type_v2");
          o_ += '(';
          tensor_call(d_.tensors[n.ref], true);
          value(n.attrs);
          o_ += "tR";
        } else {
          tensor_call(d_.tensors[n.ref], false);
          o_ += 'R';
        }
        break;
      case Kind::Parameter:
        global("torch._utils\n_rebuild_parameter");
        value(n.items[0]);
        boolean(n.flag);
        empty_od();
        o_ += "\x87R";
        break;
      case Kind::Sparse: {
        global("torch._utils\n_rebuild_sparse_tensor");
        global("torch.serialization\n_get_layout");
        str(n.s);
        o_ += "\x85R(";
        for (Id c : n.items)
          value(c);
        o_ += "t\x86R";
        break;
      }
      case Kind::Global:
      case Kind::PersId:
        throw Error("not a value");
    }
    memo_[id] = put();
  }
};
}  // namespace
Pickled pickle(const Document& d) { return Pickler(d).run(); }
}  // namespace rushlight::io
