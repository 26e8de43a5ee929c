// What the bindings do when an impl that has a Python object dies. Null without Python.
#pragma once
#include "rushlight/tensor_base.h"

namespace rushlight {

// Returns true when Python still uses the object: the impl then goes on living, owned by the object.
using ReleaseObject = bool (*)(TensorImpl*);
void set_release_object(ReleaseObject function);

}  // namespace rushlight
