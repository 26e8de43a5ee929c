// Checks that hold for every finished document, whichever format it came from.
#include "io/document.h"
#include <algorithm>
namespace rushlight::io {
void set_geometry(TensorInfo& t, const Limits& lim, std::string_view where) {
  if (t.sizes.size() != t.strides.size()) fail(where, t.at, "tensor sizes and strides differ in rank");
  if (t.sizes.size() > lim.dims) fail(where, t.at, "tensor has too many dimensions");
  uint64_t n = 1, last = 0;
  bool empty = false;
  for (size_t k = 0; k < t.sizes.size(); k++) {
    if (t.sizes[k] < 0) fail(where, t.at, "negative size");
    if (t.strides[k] < 0) fail(where, t.at, "negative stride");
    if (!t.sizes[k]) {
      empty = true;
      continue;
    }
    uint64_t step;
    if (!mul_ok(n, uint64_t(t.sizes[k]), n) || !mul_ok(uint64_t(t.sizes[k] - 1), uint64_t(t.strides[k]), step) ||
        !add_ok(last, step, last))
      fail(where, t.at, "tensor geometry overflows");
  }
  uint64_t bytes;
  if (!mul_ok(n, info(t.dtype).size, bytes) || bytes > lim.logical_bytes) fail(where, t.at, "tensor too large");
  t.numel = empty ? 0 : n;
  if (empty) {
    t.extent = 0;
    return;
  }
  if (!add_ok(last, 1, t.extent)) fail(where, t.at, "tensor geometry overflows");
}
static int64_t load_i64(const Document& d, const TensorInfo& t, uint64_t elem) {
  int64_t v;
  std::memcpy(&v, d.data(t) + elem * 8, 8);
  return v;
}
// Checking an index takes as long as it has elements. They are paid from a budget in proportion to the file, or an
// index that repeats one number, or one shared by many tensors, would take for ever.
struct SparseBudget {
  uint64_t left;
  void pay(const TensorInfo& index, std::string_view w) {
    if (index.numel > left) fail(w, index.at, "too many sparse indices for the size of the file");
    left -= index.numel;
  }
};
static void check_sparse(const Document& d, const Value& n, std::string_view w, SparseBudget& budget) {
  auto ten = [&](Id i) -> const TensorInfo& {
    const Value& x = d.nodes[i];
    if (x.kind != Kind::Tensor) fail(w, 0, "sparse part is not a tensor");
    const TensorInfo& t = d.tensors[x.ref];
    if (t.storage == kNone) fail(w, t.at, "sparse part on meta device");
    return t;
  };
  const bool coo = n.s == "torch.sparse_coo";
  std::vector<int64_t> sz;
  for (Id i : d.nodes[n.items[coo ? 2 : 3]].items)
    sz.push_back(d.nodes[i].i);
  if (coo) {
    const TensorInfo &ix = ten(n.items[0]), &va = ten(n.items[1]);
    if (ix.dtype != FileDtype::I64 || ix.sizes.size() != 2 || va.sizes.empty() || va.sizes[0] != ix.sizes[1] ||
        uint64_t(ix.sizes[0]) > sz.size() || va.sizes.size() - 1 != sz.size() - uint64_t(ix.sizes[0]))
      fail(w, ix.at, "sparse parts do not fit together");
    for (size_t k = 1; k < va.sizes.size(); k++)
      if (va.sizes[k] != sz[size_t(ix.sizes[0]) + k - 1]) fail(w, va.at, "sparse values have the wrong shape");
    budget.pay(ix, w);
    if (ix.numel)
      for (int64_t r = 0; r < ix.sizes[0]; r++)
        for (int64_t c = 0; c < ix.sizes[1]; c++) {
          int64_t v = load_i64(d, ix, uint64_t(r * ix.strides[0] + c * ix.strides[1]));
          if (v < 0 || v >= sz[size_t(r)]) fail(w, ix.at, "sparse index out of range");
        }
    return;
  }
  const TensorInfo &cp = ten(n.items[0]), &ix = ten(n.items[1]), &va = ten(n.items[2]);
  const bool csr = n.s == "torch.sparse_csr";
  if (sz.size() != 2 || cp.dtype != FileDtype::I64 || ix.dtype != FileDtype::I64 || cp.sizes.size() != 1 ||
      ix.sizes.size() != 1 || va.sizes.size() != 1 || va.sizes[0] != ix.sizes[0] || cp.sizes[0] - 1 != sz[csr ? 0 : 1])
    fail(w, cp.at, "sparse parts do not fit together");
  budget.pay(cp, w);
  budget.pay(ix, w);
  int64_t prev = 0;
  for (int64_t k = 0; k < cp.sizes[0]; k++) {
    int64_t v = load_i64(d, cp, uint64_t(k * cp.strides[0]));
    if ((k == 0 && v != 0) || v < prev || v > ix.sizes[0] || (k == cp.sizes[0] - 1 && v != ix.sizes[0]))
      fail(w, cp.at, "bad compressed index");
    prev = v;
  }
  for (int64_t k = 0; k < ix.sizes[0]; k++) {
    int64_t v = load_i64(d, ix, uint64_t(k * ix.strides[0]));
    if (v < 0 || v >= sz[csr ? 1 : 0]) fail(w, ix.at, "sparse index out of range");
  }
}
void validate(Document& d, const Limits& lim, std::string_view w) {
  for (TensorInfo& t : d.tensors) {
    if (t.storage == kNone) continue;
    const StorageInfo& s = d.storages[t.storage];
    if (!s.bound) fail(w, t.at, "storage " + s.key + " has no bytes");
    if (!t.numel) {
      t.offset = 0;
      continue;
    }  // never dereferenced; torch may save an offset past the end here
    uint64_t end, nb;
    if (!add_ok(t.offset, t.extent, end) || !mul_ok(end, info(t.dtype).size, nb) || nb > s.bytes.size())
      fail(w, t.at,
           "tensor needs " + std::to_string(t.offset) + "+" + std::to_string(t.extent) + " elements, storage " + s.key +
               " holds " + std::to_string(s.bytes.size()) + " bytes");
  }
  SparseBudget budget{1u << 20};
  for (const StorageInfo& s : d.storages)
    budget.left += 4 * s.bytes.size();
  // Iterative depth-first walk: refuses cycles, finds the longest path.
  std::vector<uint32_t> depth(d.nodes.size(), 0);  // 0 unseen, kNone open, else height
  struct Frame {
    Id id;
    size_t next;
    uint32_t h;
  };
  std::vector<Frame> st{{d.root, 0, 1}};
  depth[d.root] = kNone;
  while (!st.empty()) {
    Frame& f = st.back();
    const Value& n = d.nodes[f.id];
    size_t extra = n.attrs != kNone;
    if (f.next < n.items.size() + extra) {
      Id c = f.next < n.items.size() ? n.items[f.next] : n.attrs;
      f.next++;
      if (depth[c] == kNone) fail(w, 0, "value contains itself");
      if (depth[c]) {
        f.h = std::max(f.h, depth[c] + 1);
        continue;
      }
      depth[c] = kNone;
      st.push_back({c, 0, 1});
      if (st.size() > lim.depth) fail(w, 0, "nesting deeper than " + std::to_string(lim.depth));
    } else {
      if (n.kind == Kind::Global || n.kind == Kind::PersId) fail(w, 0, "a bare global is not a value");
      if (n.kind == Kind::Sparse) check_sparse(d, n, w, budget);
      uint32_t h = f.h;
      depth[f.id] = h;
      st.pop_back();
      if (h > lim.depth) fail(w, 0, "nesting deeper than " + std::to_string(lim.depth));
      if (!st.empty()) st.back().h = std::max(st.back().h, h + 1);
    }
  }
}
}  // namespace rushlight::io
