// Exchange of tensors by DLPack.
#pragma once
#include "errors.h"
#include "rushlight/tensor.h"

namespace rushlight::python {

// A tensor over the memory of an object with __dlpack__, or of a capsule. `device`: None, or anything for the CPU;
// `copy`: None, True or False. Both are passed on to producers that know them.
Tensor from_dlpack(PyObject* object, PyObject* device, PyObject* copy);

}  // namespace rushlight::python
