// C++ names of element types, as some of PyTorch's error texts have them: float != double.
#pragma once
#include "rushlight/dtype.h"

namespace rushlight {

inline const char* element_name(Dtype type) {
  static constexpr const char* kNames[kDtypes] = {
      "bool",  "unsigned char", "signed char",         "short",
      "int",   "long int",      "c10::Half",           "c10::BFloat16",
      "float", "double",        "c10::complex<float>", "c10::complex<double>"};
  return kNames[static_cast<int>(type)];
}

}  // namespace rushlight
