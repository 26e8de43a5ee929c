// libtorch's spelling: programs that include <torch/torch.h> find rushlight under the names torch, at and c10. The CMake
// target rushlight::torch_names puts this folder on the include path.
#pragma once
#include "rushlight/rushlight.h"

namespace torch = rushlight;
namespace at = rushlight;
namespace c10 = rushlight;
