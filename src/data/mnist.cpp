// MNIST's IDX files: big-endian magic number, counts, then bytes.
#include <fstream>

#include "rushlight/data/datasets.h"

namespace rushlight::data::datasets {
namespace {

std::int64_t read_number(std::ifstream& file, const std::string& path) {
  unsigned char bytes[4];
  check(static_cast<bool>(file.read(reinterpret_cast<char*>(bytes), 4)), "MNIST: ", path, " ends in its header");
  return bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

Tensor read_idx(const std::string& path, std::int64_t magic, std::size_t dims) {
  std::ifstream file(path, std::ios::binary);
  check(static_cast<bool>(file), "MNIST: error opening file at ", path,
        "; unpack the four IDX files of the data set there");
  check(read_number(file, path) == magic, "MNIST: ", path, " is no IDX file of ", dims, " dimensions");
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < dims; ++i)
    sizes.push_back(read_number(file, path));
  Tensor values = empty_tensor(sizes, kUInt8);
  check(static_cast<bool>(file.read(values.mutable_data<char>(), values.numel())), "MNIST: ", path, " is cut short");
  return values;
}

}  // namespace

MNIST::MNIST(const std::string& root, Mode mode) : mode_(mode) {
  const std::string stem =
      root + (root.empty() || root.back() == '/' ? "" : "/") + (mode == Mode::kTrain ? "train" : "t10k");
  images_ = read_idx(stem + "-images-idx3-ubyte", 0x803, 3).unsqueeze(1).to(kFloat32).div_(255);
  targets_ = read_idx(stem + "-labels-idx1-ubyte", 0x801, 1).to(kInt64);
  check(images_.size(0) == targets_.size(0), "MNIST: ", images_.size(0), " images but ", targets_.size(0),
        " labels in ", root);
}

}  // namespace rushlight::data::datasets
