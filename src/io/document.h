// What a checkpoint holds, as plain data. Nodes live in one arena and refer to each other by
// index, so hostile input cannot cause deep destructors, leaks by cycles or dangling pointers.
#pragma once
#include <deque>
#include "io/bytes.h"
namespace rushlight::io {
using Id = uint32_t;
inline constexpr Id kNone = 0xFFFFFFFF;
enum class Kind : uint8_t {
  None,
  Bool,
  Int,
  BigInt,
  Float,
  Complex,
  Str,
  ByteString,
  ByteArray,
  List,
  Tuple,
  Dict,
  OrderedDict,
  Counter,
  Set,
  Size,
  Dtype,
  Device,
  Layout,
  Storage,
  Tensor,
  Parameter,
  Sparse,
  Global,  // only during parsing; never in a finished document
  PersId
};
struct Value {
  Kind kind = Kind::None;
  bool flag = false;  // Bool value; Parameter: requires_grad
  uint32_t ref = 0;   // Tensor/Storage: table index; Dtype: FileDtype; Global: G
  Id attrs = kNone;   // OrderedDict: instance attributes (_metadata); Tensor: state
  union {
    int64_t i = 0;
    double d;
  };
  double im = 0;
  std::string s;          // Str/Bytes/ByteArray/BigInt/Device/Layout
  std::vector<Id> items;  // dicts: key, value, key, value...
};
struct StorageInfo {
  std::string key, location;
  FileDtype dtype = FileDtype::None; /* None: untyped */
  uint64_t numel = 0, at = 0;
  Bytes bytes;
  bool bound = false;
};
struct TensorInfo {
  uint32_t storage = kNone;  // kNone: meta tensor
  FileDtype dtype = FileDtype::F32;
  bool requires_grad = false, conj = false, neg = false;
  uint64_t offset = 0, at = 0;
  std::vector<int64_t> sizes, strides;
  uint64_t numel = 0, extent = 0;  // extent: elements from offset to one past the last one reached
};
struct Limits {
  uint64_t pickle_bytes = 256u << 20, nodes = 8u << 20, memo = 8u << 20, stack = 4u << 20, depth = 500, dims = 64;
  uint64_t logical_bytes = uint64_t(1) << 46;  // one tensor, after stride-0 expansion
  bool check_storage_crc = true;
};
struct Document {
  std::deque<Value> nodes;
  std::vector<StorageInfo> storages;
  std::vector<TensorInfo> tensors;
  Id root = kNone;
  std::shared_ptr<const void> owner;  // keeps the mapped file alive for StorageInfo::bytes
  Id add(Value n) {
    nodes.push_back(std::move(n));
    return Id(nodes.size() - 1);
  }
  const uint8_t* data(const TensorInfo& t) const {
    return t.storage == kNone || !t.numel ? nullptr : storages[t.storage].bytes.data() + t.offset * info(t.dtype).size;
  }
};
// Sets numel/extent; refuses negative, overflowing or rank-mismatched geometry.
void set_geometry(TensorInfo& t, const Limits& lim, std::string_view where);
// Refuses tensors that reach outside their storage, bad sparse indices, cycles and deep nesting.
void validate(Document& d, const Limits& lim, std::string_view where);
}  // namespace rushlight::io
