// `_C._io`: checkpoints, safetensors, npy and npz between files and Python objects.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace rushlight::python {

bool setup_files(PyObject* module);
PyMethodDef* array_file_functions();  // of files that hold nothing but named arrays

}  // namespace rushlight::python
