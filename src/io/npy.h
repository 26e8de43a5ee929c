// npy and npz: NumPy's arrays, one in a file or several in a zip archive.
#pragma once
#include "io/bytes.h"
namespace rushlight::io {
struct NpyArray {
  FileDtype dtype = FileDtype::F32;
  bool fortran = false;  // the first dimension is the one that lies densely
  std::vector<uint64_t> shape;
  Bytes bytes;                        // little-endian
  std::shared_ptr<const void> owner;  // of bytes; null: they lie in the caller's buffer
};
using NpzArrays = std::vector<std::pair<std::string, NpyArray>>;  // names without .npy

NpyArray load_npy(Bytes file, std::string_view where = "npy");
NpyArray load_npy_file(const std::string& path);
void save_npy(const NpyArray& array, Sink& out);  // the bytes that numpy.save writes
NpzArrays load_npz(Bytes file);
NpzArrays load_npz_file(const std::string& path);
void save_npz(const NpzArrays& arrays, Sink& out);
}  // namespace rushlight::io
