// Exchange of tensors by DLPack.
#pragma once
#include "errors.h"
#include "rushlight/tensor.h"

namespace rushlight::python {

// A tensor over the memory of an object with __dlpack__, or of a capsule. `copy`: None, True or
// False, passed on.
Tensor from_dlpack(PyObject* object, PyObject* copy);

}  // namespace rushlight::python
