// `_C._io`: checkpoints and safetensors between files and Python objects.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace rushlight::python {

bool setup_files(PyObject* module);

}  // namespace rushlight::python
