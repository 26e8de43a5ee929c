// How much the program allocates with `new`, measured by replacing it.
#pragma once
#include <cstddef>

namespace rushlight::fuzz {

// Bytes in use at most since the object was made, beyond those in use then.
class PeakMemory {
 public:
  PeakMemory();
  std::size_t bytes() const;

 private:
  std::size_t before_;
};

}  // namespace rushlight::fuzz
