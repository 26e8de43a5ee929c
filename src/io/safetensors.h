// safetensors: full validation on reading, canonical layout on writing.
#pragma once
#include <map>
#include "io/bytes.h"
namespace rushlight::io {
struct StTensor {
  std::string name;
  FileDtype dtype;
  std::vector<uint64_t> shape;
  Bytes bytes;
};
struct StFile {
  std::vector<StTensor> tensors;
  std::map<std::string, std::string> metadata;
  std::shared_ptr<const void> owner;
};
StFile load_safetensors(Bytes file);
StFile load_safetensors_file(const std::string& path, File::Mode m = File::Mode::Map);
void save_safetensors(const StFile& f, Sink& out);
}  // namespace rushlight::io
