// PyTorch checkpoints: zip files (read and write) and the older pickle stream (read only).
#pragma once
#include "io/document.h"
namespace rushlight::io {
Document load_pt(Bytes file, const Limits& lim = {});
Document load_pt_file(const std::string& path, File::Mode m = File::Mode::Map, const Limits& lim = {});
void save_pt(const Document& d, Sink& out, const std::string& prefix = "archive");
}  // namespace rushlight::io
