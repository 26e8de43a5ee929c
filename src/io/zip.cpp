// The zip format: stored entries only, zip64, every header checked against its twin.
#include "io/zip.h"
#include <zlib.h>
#include <algorithm>
namespace rushlight::io {
static constexpr uint64_t kMaxEntries = 1u << 20;
uint32_t crc32_of(Bytes b) {
  uLong c = ::crc32(0, nullptr, 0);
  return uint32_t(::crc32_z(c, b.data(), b.size()));
}
// Reads the zip64 extra field; each 64-bit value is present only when its 32-bit twin is all ones.
static void zip64_extra(Bytes extra, uint64_t at, uint64_t* usize, uint64_t* csize, uint64_t* off) {
  const bool need = (usize && *usize == 0xFFFFFFFF) || (csize && *csize == 0xFFFFFFFF) || (off && *off == 0xFFFFFFFF);
  Cursor c(extra, "zip extra field");
  bool seen = false;
  while (c.left() >= 4) {
    uint16_t id = c.u16(), n = c.u16();
    Bytes body = c.take(n);
    if (id != 1) continue;
    if (seen) fail("zip extra field", at, "two zip64 fields");
    seen = true;
    Cursor z(body, "zip64 extra field");
    if (usize && *usize == 0xFFFFFFFF) *usize = z.u64();
    if (csize && *csize == 0xFFFFFFFF) *csize = z.u64();
    if (off && *off == 0xFFFFFFFF) *off = z.u64();
  }
  if (need && !seen) fail("zip extra field", at, "32-bit field is all ones but no zip64 field follows");
}
ZipReader::ZipReader(Bytes f) : f_(f) {
  const uint64_t n = f.size();
  if (n < 22) fail("zip", 0, "too short");
  // The end record must close the file exactly: with a free comment two readers could pick two
  // records.
  uint64_t eocd = n;
  for (uint64_t p = n - 22, stop = n > 22 + 65535 ? n - 22 - 65535 : 0;; --p) {
    if (std::memcmp(f.data() + p, "PK\5\6", 4) == 0) {
      if (p + 22 + (f[p + 20] | f[p + 21] << 8) != n) fail("zip", p, "end record does not close the file");
      eocd = p;
      break;
    }
    if (p == stop) break;
  }
  if (eocd == n) fail("zip", n, "no end-of-central-directory record");
  Cursor c(f, "zip end record", eocd + 4);
  uint32_t disk = c.u16(), cd_disk = c.u16(), n_here = c.u16();
  uint64_t count = c.u16(), cd_size = c.u32(), cd_off = c.u32(), cd_limit = eocd;
  if (disk || cd_disk || n_here != count) fail("zip end record", eocd, "multi-disk archive");
  if (eocd >= 20 && std::memcmp(f.data() + eocd - 20, "PK\6\7", 4) == 0) {
    Cursor l(f, "zip64 locator", eocd - 16);
    uint32_t d0 = l.u32();
    uint64_t at = l.u64();
    uint32_t disks = l.u32();
    if (d0 || disks > 1) fail("zip64 locator", eocd - 20, "multi-disk archive");
    if (!in_range(at, 56, eocd - 20)) fail("zip64 locator", eocd - 20, "end record offset out of range");
    Cursor e(f, "zip64 end record", at);
    if (e.u32() != 0x06064b50) fail("zip64 end record", at, "bad signature");
    uint64_t rec = e.u64();
    e.u16();
    e.u16();
    if (rec != eocd - 20 - at - 12) fail("zip64 end record", at, "bad record size");
    uint32_t a = e.u32(), b = e.u32();
    uint64_t c1 = e.u64(), c2 = e.u64(), s = e.u64(), o = e.u64();
    if (a || b || c1 != c2) fail("zip64 end record", at, "multi-disk archive");
    if ((count != 0xFFFF && count != c1) || (cd_size != 0xFFFFFFFF && cd_size != s) ||
        (cd_off != 0xFFFFFFFF && cd_off != o))
      fail("zip64 end record", at, "disagrees with the 32-bit end record");
    count = c1;
    cd_size = s;
    cd_off = o;
    cd_limit = at;
  } else if (count == 0xFFFF || cd_size == 0xFFFFFFFF || cd_off == 0xFFFFFFFF) {
    fail("zip end record", eocd, "zip64 archive without locator");
  }
  if (!in_range(cd_off, cd_size, cd_limit) || cd_off + cd_size != cd_limit)
    fail("zip end record", eocd, "central directory out of range");
  if (count > kMaxEntries || count > cd_size / 46)
    fail("zip end record", eocd, "entry count does not fit the directory");
  Bytes cd = f.first(cd_off + cd_size);
  Cursor d(cd, "zip central directory", cd_off);
  e_.reserve(count);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = d.pos();
    if (d.u32() != 0x02014b50) fail("zip central directory", at, "bad signature");
    d.u16();
    d.u16();
    uint16_t flags = d.u16(), method = d.u16();
    d.u32();
    ZipEntry e;
    e.crc = d.u32();
    uint64_t cs = d.u32(), us = d.u32();
    uint16_t nl = d.u16(), xl = d.u16(), cl = d.u16();
    uint16_t dn = d.u16();
    d.u16();
    d.u32();
    uint64_t off = d.u32();
    Bytes nm = d.take(nl), ex = d.take(xl);
    d.take(cl);
    e.name.assign(nm.begin(), nm.end());
    zip64_extra(ex, at, &us, &cs, &off);
    if (e.name.empty() || e.name.find('\0') != std::string::npos) fail("zip central directory", at, "bad entry name");
    if (flags & 0x2041) fail(e.name, at, "encrypted entry");
    if (method != 0)
      fail(e.name, at, "compressed entry (method " + std::to_string(method) + "); only stored entries are read");
    if (cs != us) fail(e.name, at, "stored entry with two sizes");
    if (dn != 0 && dn != 0xFFFF) fail(e.name, at, "multi-disk entry");
    e.header = off;
    e.size = us;
    if (!in_range(off, 30, cd_off)) fail(e.name, at, "local header offset out of range");
    Cursor h(f, "zip local header", off);
    if (h.u32() != 0x04034b50) fail(e.name, off, "bad local header signature");
    h.u16();
    uint16_t hf = h.u16(), hm = h.u16();
    h.u32();
    uint32_t hcrc = h.u32();
    uint64_t hcs = h.u32(), hus = h.u32();
    uint16_t hn = h.u16(), hx = h.u16();
    if (hm != 0 || (hf & 0x2041)) fail(e.name, off, "local header disagrees on method");
    if (hn != nl || !in_range(off + 30, uint64_t(hn) + hx, cd_off) ||
        std::memcmp(f.data() + off + 30, nm.data(), hn) != 0)
      fail(e.name, off, "local header disagrees on name");
    if (!(hf & 8)) {
      zip64_extra(f.subspan(off + 30 + hn, hx), off, &hus, &hcs, nullptr);
      if (hcrc != e.crc || hcs != cs || hus != us) fail(e.name, off, "local header disagrees on size or checksum");
    }
    e.data = off + 30 + hn + hx;
    if (!in_range(e.data, e.size, cd_off)) fail(e.name, off, "entry data runs past the central directory");
    if (!by_name_.emplace(e.name, e_.size()).second) fail(e.name, at, "duplicate entry name");
    e_.push_back(std::move(e));
  }
  if (d.pos() != cd_off + cd_size) fail("zip central directory", d.pos(), "bytes left over");
  std::vector<const ZipEntry*> s;
  for (auto& e : e_)
    s.push_back(&e);
  std::sort(s.begin(), s.end(), [](auto a, auto b) { return a->header < b->header; });
  for (size_t i = 1; i < s.size(); i++)
    if (s[i]->header < s[i - 1]->data + s[i - 1]->size)
      fail(s[i]->name, s[i]->header, "overlaps entry " + s[i - 1]->name);
}
const ZipEntry* ZipReader::find(const std::string& n) const {
  auto i = by_name_.find(n);
  return i == by_name_.end() ? nullptr : &e_[i->second];
}
Bytes ZipReader::data(const ZipEntry& e, bool check) const {
  Bytes b = f_.subspan(e.data, e.size);
  if (check && crc32_of(b) != e.crc) fail(e.name, e.data, "checksum mismatch");
  return b;
}
static void le(std::string& o, uint64_t v, int n) {
  for (int i = 0; i < n; i++)
    o += char(v >> (8 * i));
}
void ZipWriter::add(const std::string& name, Bytes data, unsigned align) {
  if (name.size() > 65535) fail(name, 0, "entry name too long");
  ZipEntry e;
  e.name = name;
  e.header = s_.pos();
  e.size = data.size();
  e.crc = crc32_of(data);
  const bool big = e.size >= 0xFFFFFFFF;
  std::string x;
  if (big) {
    le(x, 1, 2);
    le(x, 16, 2);
    le(x, e.size, 8);
    le(x, e.size, 8);
  }
  uint64_t base = e.header + 30 + name.size() + x.size() + 4;  // padding field as torch writes it: "FB", length, Z...
  unsigned pad = unsigned((align - base % align) % align);
  le(x, 'F' | 'B' << 8, 2);
  le(x, pad, 2);
  x.append(pad, 'Z');
  std::string h;
  le(h, 0x04034b50, 4);
  le(h, big ? 45 : 0, 2);
  le(h, 0x800, 2);
  le(h, 0, 2);
  le(h, 0, 4);
  le(h, e.crc, 4);
  le(h, big ? 0xFFFFFFFF : e.size, 4);
  le(h, big ? 0xFFFFFFFF : e.size, 4);
  le(h, name.size(), 2);
  le(h, x.size(), 2);
  h += name;
  h += x;
  e.data = e.header + h.size();
  s_.put(h);
  s_.put(data.data(), data.size());
  e_.push_back(std::move(e));
}
void ZipWriter::finish() {
  uint64_t cd = s_.pos();
  for (auto& e : e_) {
    bool bs = e.size >= 0xFFFFFFFF, bo = e.header >= 0xFFFFFFFF;
    std::string x;
    if (bs || bo) {
      le(x, 1, 2);
      le(x, (bs ? 16 : 0) + (bo ? 8 : 0), 2);
      if (bs) {
        le(x, e.size, 8);
        le(x, e.size, 8);
      }
      if (bo) le(x, e.header, 8);
    }
    std::string h;
    le(h, 0x02014b50, 4);
    le(h, 0, 2);
    le(h, x.empty() ? 0 : 45, 2);
    le(h, 0x800, 2);
    le(h, 0, 2);
    le(h, 0, 4);
    le(h, e.crc, 4);
    le(h, bs ? 0xFFFFFFFF : e.size, 4);
    le(h, bs ? 0xFFFFFFFF : e.size, 4);
    le(h, e.name.size(), 2);
    le(h, x.size(), 2);
    le(h, 0, 2);
    le(h, 0, 2);
    le(h, 0, 2);
    le(h, 0, 4);
    le(h, bo ? 0xFFFFFFFF : e.header, 4);
    s_.put(h + e.name + x);
  }
  uint64_t at = s_.pos(), sz = at - cd, n = e_.size();
  std::string t;
  le(t, 0x06064b50, 4);
  le(t, 44, 8);
  le(t, 45, 2);
  le(t, 45, 2);
  le(t, 0, 4);
  le(t, 0, 4);
  le(t, n, 8);
  le(t, n, 8);
  le(t, sz, 8);
  le(t, cd, 8);
  le(t, 0x07064b50, 4);
  le(t, 0, 4);
  le(t, at, 8);
  le(t, 1, 4);
  uint64_t n16 = n < 0xFFFF ? n : 0xFFFF;
  le(t, 0x06054b50, 4);
  le(t, 0, 4);
  le(t, n16, 2);
  le(t, n16, 2);
  le(t, sz < 0xFFFFFFFF ? sz : 0xFFFFFFFF, 4);
  le(t, cd < 0xFFFFFFFF ? cd : 0xFFFFFFFF, 4);
  le(t, 0, 2);
  s_.put(t);
}
}  // namespace rushlight::io
