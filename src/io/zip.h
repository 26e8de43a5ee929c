// Zip / zip64 with stored entries only.
#pragma once
#include <unordered_map>
#include "io/bytes.h"
namespace rushlight::io {
struct ZipEntry {
  std::string name;
  uint64_t header = 0, data = 0, size = 0;
  uint32_t crc = 0;
};
class ZipReader {
 public:
  explicit ZipReader(Bytes file);  // validates the whole structure, reads no entry data
  const std::vector<ZipEntry>& entries() const { return e_; }
  const ZipEntry* find(const std::string& name) const;
  Bytes data(const ZipEntry& e, bool check_crc = true) const;

 private:
  Bytes f_;
  std::vector<ZipEntry> e_;
  std::unordered_map<std::string, size_t> by_name_;
};
class ZipWriter {
 public:
  explicit ZipWriter(Sink& s) : s_(s) {}
  void add(const std::string& name, Bytes data, unsigned align = 64);
  void finish();

 private:
  Sink& s_;
  std::vector<ZipEntry> e_;
};
uint32_t crc32_of(Bytes b);
}  // namespace rushlight::io
