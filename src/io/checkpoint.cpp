// Checkpoints: a zip archive, or a stream of pickles, around tensors.
#include "io/checkpoint.h"
#include <unordered_map>
#include "io/pickle.h"
#include "io/zip.h"
namespace rushlight::io {
static uint64_t item_size(const StorageInfo& s) { return s.dtype == FileDtype::None ? 1 : info(s.dtype).size; }
static Document load_zip(Bytes f, const Limits& lim) {
  ZipReader z(f);
  const ZipEntry* pkl = nullptr;
  for (auto& e : z.entries()) {
    size_t s = e.name.find('/');
    if (s != std::string::npos && e.name.substr(s) == "/data.pkl") {
      if (pkl) fail(e.name, e.header, "two data.pkl entries");
      pkl = &e;
    }
  }
  if (!pkl) fail("zip", 0, "no */data.pkl entry: not a checkpoint");
  const std::string root = pkl->name.substr(0, pkl->name.size() - 8);
  if (z.find(root + "constants.pkl")) fail(root + "constants.pkl", 0, "TorchScript archive: code is never loaded");
  if (auto* bo = z.find(root + "byteorder")) {
    Bytes b = z.data(*bo);
    if (std::string(b.begin(), b.end()) != "little") fail(bo->name, bo->data, "byte order is not little");
  }
  if (pkl->size > lim.pickle_bytes) fail(pkl->name, pkl->data, "pickle over the size limit");
  Document d;
  Bytes p = z.data(*pkl);
  Cursor c(p, pkl->name);
  d.root = unpickle(d, c, pkl->name, lim, true);
  if (c.left()) fail(pkl->name, c.pos(), "bytes after STOP");
  for (StorageInfo& s : d.storages) {
    const bool meta = s.location == "meta";
    auto* e = z.find(root + "data/" + s.key);
    if (!e) fail(pkl->name, s.at, meta ? "meta storage without bytes" : "storage entry data/" + s.key + " is missing");
    if (e->size / item_size(s) != s.numel)
      fail(e->name, e->data,
           "holds " + std::to_string(e->size) + " bytes, pickle declares " + std::to_string(s.numel) + " x " +
               std::to_string(item_size(s)));
    s.bytes = z.data(*e, lim.check_storage_crc);
    s.bound = true;
  }
  validate(d, lim, pkl->name);
  return d;
}
static Document load_stream(Bytes f, const Limits& lim) {
  Cursor c(f, "legacy stream");
  static const uint8_t magic[] = {0x6C, 0xFC, 0x9C, 0x46, 0xF9, 0x20, 0x6A, 0xA8, 0x50, 0x19};
  Limits small = lim;
  small.nodes = 4096;
  small.memo = 4096;
  small.stack = 4096;
  Document head;
  Id m = unpickle(head, c, "legacy magic", small, false);
  if (head.nodes[m].kind != Kind::BigInt || head.nodes[m].s != std::string(magic, magic + 10))
    fail("legacy magic", 0, "neither a zip nor a legacy checkpoint");
  Id v = unpickle(head, c, "legacy protocol", small, false);
  if (head.nodes[v].kind != Kind::Int || head.nodes[v].i != 1001) fail("legacy protocol", c.pos(), "unknown version");
  Id sys = unpickle(head, c, "legacy sys_info", small, false);
  const Value& sn = head.nodes[sys];
  if (sn.kind != Kind::Dict) fail("legacy sys_info", c.pos(), "not a dict");
  bool little = false;
  for (size_t k = 0; k < sn.items.size(); k += 2)
    if (head.nodes[sn.items[k]].s == "little_endian")
      little = head.nodes[sn.items[k + 1]].kind == Kind::Bool && head.nodes[sn.items[k + 1]].flag;
  if (!little) fail("legacy sys_info", c.pos(), "byte order is not little");
  Document d;
  d.root = unpickle(d, c, "legacy data", lim, true);
  Document keys;
  Id kl = unpickle(keys, c, "legacy storage keys", lim, false);
  const Value& kn = keys.nodes[kl];
  if (kn.kind != Kind::List || kn.items.size() != d.storages.size())
    fail("legacy storage keys", c.pos(), "key list does not match the storages");
  std::unordered_map<std::string, size_t> by;
  for (size_t i = 0; i < d.storages.size(); i++)
    by[d.storages[i].key] = i;
  for (Id i : kn.items) {
    const Value& k = keys.nodes[i];
    auto it = k.kind == Kind::Str ? by.find(k.s) : by.end();
    if (it == by.end() || d.storages[it->second].bound)
      fail("legacy storage keys", c.pos(), "unknown or repeated storage key");
    StorageInfo& s = d.storages[it->second];
    uint64_t at = c.pos(), n = c.u64(), nb;
    if (n != s.numel || !mul_ok(n, item_size(s), nb))
      fail("legacy storage " + s.key, at, "size disagrees with the pickle");
    s.bytes = c.take(nb);
    s.bound = true;
  }
  if (c.left()) fail("legacy stream", c.pos(), "bytes left over");
  validate(d, lim, "legacy data");
  return d;
}
Document load_pt(Bytes f, const Limits& lim) {
  if (f.size() >= 4 && std::memcmp(f.data(), "PK\3\4", 4) == 0) return load_zip(f, lim);
  return load_stream(f, lim);
}
Document load_pt_file(const std::string& path, File::Mode m, const Limits& lim) {
  auto f = std::make_shared<File>(path, m);
  Document d = load_pt(f->bytes(), lim);
  d.owner = f;
  return d;
}
void save_pt(const Document& d, Sink& out, const std::string& prefix) {
  Pickled p = pickle(d);
  auto b = [](std::string_view s) { return Bytes(reinterpret_cast<const uint8_t*>(s.data()), s.size()); };
  ZipWriter z(out);
  z.add(prefix + "/data.pkl", b(p.bytes));
  z.add(prefix + "/byteorder", b("little"));
  for (size_t i = 0; i < p.storages.size(); i++)
    z.add(prefix + "/data/" + std::to_string(i), d.storages[p.storages[i]].bytes);
  z.add(prefix + "/version", b("3\n"));
  z.finish();
  out.commit();
}
}  // namespace rushlight::io
