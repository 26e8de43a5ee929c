// What the parts of the fuzzer tell each other about a format.
#pragma once
#include <string>
#include <vector>

#include "random.h"

namespace rushlight::fuzz {

enum class Format { kCheckpoint, kLegacy, kPickle, kSafetensors, kNpy, kNpz };
inline constexpr const char* kFormatNames[] = {"pt", "legacy", "pickle", "safetensors", "npy", "npz"};

struct Attack {
  std::string name, file;
  bool valid = false;  // must be accepted; the others must be refused
};

std::vector<std::string> corpus(Format format);  // valid files
std::vector<Attack> attacks(Format format);

// Changes files of one format; keeps what it learns from the corpus.
class Mutator {
 public:
  Mutator(Format format, const std::vector<std::string>& corpus);
  std::string mutated(const std::string& file, Random& random) const;

 private:
  std::string pickle(const std::string& pickle, Random& random) const;
  std::string members(const std::string& archive, Random& random) const;
  Format format_;
  std::vector<std::string> opcodes_;  // of all files, to be spliced in
};

}  // namespace rushlight::fuzz
