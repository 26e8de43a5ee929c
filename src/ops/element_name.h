// C++ names of element types, as some of PyTorch's error texts have them: float != double.
#pragma once
#include "rushlight/dtype.h"

namespace rushlight {

inline const char* element_name(Dtype type) { return type == Dtype::kInt16 ? "short" : cpp_name(type); }

}  // namespace rushlight
