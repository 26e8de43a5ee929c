// Zip and zip64 archives: stored entries, and deflated ones where the caller allows them.
#pragma once
#include <initializer_list>
#include <unordered_map>
#include "io/bytes.h"
namespace rushlight::io {
struct ZipEntry {
  std::string name;
  uint64_t header = 0, data = 0, size = 0, packed = 0;  // packed: bytes in the archive
  uint32_t crc = 0;
  bool deflated = false;
};
enum class ZipMethods { Stored, StoredOrDeflated };
class ZipReader {
 public:
  // Validates the whole structure, reads no entry data.
  explicit ZipReader(Bytes file, ZipMethods methods = ZipMethods::Stored);
  const std::vector<ZipEntry>& entries() const { return e_; }
  const ZipEntry* find(const std::string& name) const;
  Bytes data(const ZipEntry& e, bool check_crc = true) const;  // of a stored entry
  // Of a deflated entry. No more is allocated than so many packed bytes can hold.
  std::shared_ptr<const uint8_t[]> inflate(const ZipEntry& e) const;

 private:
  void read_entry(Cursor& directory, uint64_t directory_at, ZipMethods methods);
  void check_overlap() const;
  Bytes f_;
  std::vector<ZipEntry> e_;
  std::unordered_map<std::string, size_t> by_name_;
};
class ZipWriter {
 public:
  explicit ZipWriter(Sink& s) : s_(s) {}
  void add(const std::string& name, Bytes data) { add(name, {data}); }
  void add(const std::string& name, std::initializer_list<Bytes> parts);  // one entry; its data starts at 64 bytes
  void finish();

 private:
  Sink& s_;
  std::vector<ZipEntry> e_;
};
uint32_t crc32_of(Bytes b);
}  // namespace rushlight::io
