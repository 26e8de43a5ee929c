// The zip format with zip64, every header checked against its twin.
#include "io/zip.h"
#include <zlib.h>
#include <algorithm>
namespace rushlight::io {
static constexpr uint64_t kMaxEntries = 1u << 20;
static constexpr uint16_t kDeflated = 8;                          // method
static constexpr uint16_t kEncrypted = 0x2041, kSizesFollow = 8;  // flags
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
namespace {
struct Directory {
  uint64_t offset, size, count;
};
// The end record must close the file exactly: with a free comment two readers could pick two records.
uint64_t find_end_record(Bytes f) {
  const uint64_t n = f.size();
  if (n < 22) fail("zip", 0, "too short");
  for (uint64_t p = n - 22, stop = n > 22 + 65535 ? n - 22 - 65535 : 0;; --p) {
    if (std::memcmp(f.data() + p, "PK\5\6", 4) == 0) {
      if (p + 22 + (f[p + 20] | f[p + 21] << 8) != n) fail("zip", p, "end record does not close the file");
      return p;
    }
    if (p == stop) fail("zip", n, "no end-of-central-directory record");
  }
}
// Replaces the 32-bit fields by those of the zip64 end record; returns where that starts.
uint64_t read_zip64_end(Bytes f, uint64_t eocd, Directory& d) {
  Cursor l(f, "zip64 locator", eocd - 16);
  uint32_t d0 = l.u32();
  uint64_t at = l.u64();
  uint32_t disks = l.u32();
  if (d0 || disks > 1) fail("zip64 locator", eocd - 20, "multi-disk archive");
  if (!in_range(at, 56, eocd - 20)) fail("zip64 locator", eocd - 20, "end record offset out of range");
  Cursor e(f, "zip64 end record", at);
  if (e.u32() != 0x06064b50) fail("zip64 end record", at, "bad signature");
  uint64_t rec = e.u64();
  e.take(4);  // versions
  if (rec != eocd - 20 - at - 12) fail("zip64 end record", at, "bad record size");
  uint32_t a = e.u32(), b = e.u32();
  uint64_t c1 = e.u64(), c2 = e.u64(), s = e.u64(), o = e.u64();
  if (a || b || c1 != c2) fail("zip64 end record", at, "multi-disk archive");
  if ((d.count != 0xFFFF && d.count != c1) || (d.size != 0xFFFFFFFF && d.size != s) ||
      (d.offset != 0xFFFFFFFF && d.offset != o))
    fail("zip64 end record", at, "disagrees with the 32-bit end record");
  d = {o, s, c1};
  return at;
}
Directory find_directory(Bytes f) {
  const uint64_t eocd = find_end_record(f);
  Cursor c(f, "zip end record", eocd + 4);
  uint32_t disk = c.u16(), cd_disk = c.u16(), n_here = c.u16();
  Directory d;
  d.count = c.u16();
  d.size = c.u32();
  d.offset = c.u32();
  uint64_t limit = eocd;
  if (disk || cd_disk || n_here != d.count) fail("zip end record", eocd, "multi-disk archive");
  if (eocd >= 20 && std::memcmp(f.data() + eocd - 20, "PK\6\7", 4) == 0)
    limit = read_zip64_end(f, eocd, d);
  else if (d.count == 0xFFFF || d.size == 0xFFFFFFFF || d.offset == 0xFFFFFFFF)
    fail("zip end record", eocd, "zip64 archive without locator");
  if (!in_range(d.offset, d.size, limit) || d.offset + d.size != limit)
    fail("zip end record", eocd, "central directory out of range");
  if (d.count > kMaxEntries || d.count > d.size / 46)
    fail("zip end record", eocd, "entry count does not fit the directory");
  return d;
}
struct Fields {  // of an entry, as both of its headers give them
  uint16_t flags, method;
  uint32_t crc;
  Bytes name;
};
// Where the entry's data starts; refuses a local header that disagrees with the directory's.
uint64_t check_local_header(Bytes f, const ZipEntry& e, const Fields& want, uint64_t directory_at) {
  const uint64_t off = e.header;
  Cursor h(f, "zip local header", off);
  if (h.u32() != 0x04034b50) fail(e.name, off, "bad local header signature");
  h.u16();
  uint16_t flags = h.u16(), method = h.u16();
  h.u32();
  uint32_t crc = h.u32();
  uint64_t packed = h.u32(), size = h.u32();
  uint16_t name = h.u16(), extra = h.u16();
  if (method != want.method || (flags & kEncrypted)) fail(e.name, off, "local header disagrees on method");
  if (name != want.name.size() || !in_range(off + 30, uint64_t(name) + extra, directory_at) ||
      std::memcmp(f.data() + off + 30, want.name.data(), name) != 0)
    fail(e.name, off, "local header disagrees on name");
  if (!(flags & kSizesFollow)) {
    zip64_extra(f.subspan(off + 30 + name, extra), off, &size, &packed, nullptr);
    if (crc != e.crc || packed != e.packed || size != e.size)
      fail(e.name, off, "local header disagrees on size or checksum");
  }
  return off + 30 + name + extra;
}
}  // namespace
ZipReader::ZipReader(Bytes f, ZipMethods methods) : f_(f) {
  const Directory directory = find_directory(f);
  const uint64_t end = directory.offset + directory.size;
  Cursor d(f.first(end), "zip central directory", directory.offset);
  e_.reserve(directory.count);
  for (uint64_t i = 0; i < directory.count; i++)
    read_entry(d, directory.offset, methods);
  if (d.pos() != end) fail("zip central directory", d.pos(), "bytes left over");
  check_overlap();
}
void ZipReader::read_entry(Cursor& d, uint64_t directory_at, ZipMethods methods) {
  const uint64_t at = d.pos();
  if (d.u32() != 0x02014b50) fail("zip central directory", at, "bad signature");
  d.take(4);  // versions
  Fields fields;
  fields.flags = d.u16();
  fields.method = d.u16();
  d.u32();
  ZipEntry e;
  e.crc = fields.crc = d.u32();
  e.packed = d.u32();
  e.size = d.u32();
  uint16_t name = d.u16(), extra = d.u16(), comment = d.u16(), disk = d.u16();
  d.take(6);  // attributes
  e.header = d.u32();
  fields.name = d.take(name);
  Bytes extras = d.take(extra);
  d.take(comment);
  e.name.assign(fields.name.begin(), fields.name.end());
  zip64_extra(extras, at, &e.size, &e.packed, &e.header);
  if (e.name.empty() || e.name.find('\0') != std::string::npos) fail("zip central directory", at, "bad entry name");
  if (fields.flags & kEncrypted) fail(e.name, at, "encrypted entry");
  e.deflated = fields.method == kDeflated;
  if (fields.method != 0 && (!e.deflated || methods == ZipMethods::Stored))
    fail(e.name, at,
         "compressed entry (method " + std::to_string(fields.method) + "); only stored " +
             (methods == ZipMethods::Stored ? "entries are read" : "and deflated entries are read"));
  if (!e.deflated && e.packed != e.size) fail(e.name, at, "stored entry with two sizes");
  if (disk != 0 && disk != 0xFFFF) fail(e.name, at, "multi-disk entry");
  if (!in_range(e.header, 30, directory_at)) fail(e.name, at, "local header offset out of range");
  e.data = check_local_header(f_, e, fields, directory_at);
  if (!in_range(e.data, e.packed, directory_at)) fail(e.name, e.header, "entry data runs past the central directory");
  if (!by_name_.emplace(e.name, e_.size()).second) fail(e.name, at, "duplicate entry name");
  e_.push_back(std::move(e));
}
void ZipReader::check_overlap() const {
  std::vector<const ZipEntry*> s;
  for (auto& e : e_)
    s.push_back(&e);
  std::sort(s.begin(), s.end(), [](auto a, auto b) { return a->header < b->header; });
  for (size_t i = 1; i < s.size(); i++)
    if (s[i]->header < s[i - 1]->data + s[i - 1]->packed)
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
std::shared_ptr<const uint8_t[]> ZipReader::inflate(const ZipEntry& e) const {
  constexpr uint64_t kMostPerByte = 1032;  // 258 bytes for a length and a distance of one bit each
  if (e.size / kMostPerByte > e.packed)
    fail(e.name, e.data, std::to_string(e.packed) + " packed bytes cannot hold " + std::to_string(e.size));
  auto out = std::make_shared_for_overwrite<uint8_t[]>(e.size);
  z_stream z{};
  if (::inflateInit2(&z, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::inflateEnd)> end(&z, ::inflateEnd);
  uint64_t in_left = e.packed, out_left = e.size;
  z.next_in = const_cast<Bytef*>(f_.data() + e.data);
  z.next_out = out.get();
  const auto refill = [](uInt& room, uint64_t& left) {  // zlib counts in 32 bits
    if (room) return;
    room = uInt(std::min<uint64_t>(left, 1u << 30));
    left -= room;
  };
  int state = Z_OK;
  while (state == Z_OK) {
    refill(z.avail_in, in_left);
    refill(z.avail_out, out_left);
    state = ::inflate(&z, Z_NO_FLUSH);
  }
  const uint64_t made = e.size - out_left - z.avail_out, read = e.packed - in_left - z.avail_in;
  if (state != Z_STREAM_END || made != e.size || read != e.packed)
    fail(e.name, e.data + read, "damaged deflate stream, or one of another size than the archive says");
  if (crc32_of({out.get(), e.size}) != e.crc) fail(e.name, e.data, "checksum mismatch");
  return out;
}
static void le(std::string& o, uint64_t v, int n) {
  for (int i = 0; i < n; i++)
    o += char(v >> (8 * i));
}
void ZipWriter::add(const std::string& name, std::initializer_list<Bytes> parts) {
  constexpr unsigned align = 64;
  if (name.size() > 65535) fail(name, 0, "entry name too long");
  ZipEntry e;
  e.name = name;
  e.header = s_.pos();
  for (Bytes part : parts) {
    e.size += part.size();
    e.crc = uint32_t(::crc32_z(e.crc, part.data(), part.size()));
  }
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
  for (Bytes part : parts)
    s_.put(part.data(), part.size());
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
