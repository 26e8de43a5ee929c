// The name of a keyword argument for error texts.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <string>

namespace rushlight::python {

// Names come from callers: one that is no UTF-8 (a lone surrogate) is shown as a question mark.
inline std::string keyword_text(PyObject* keyword) {
  if (const char* text = PyUnicode_AsUTF8(keyword)) return text;
  PyErr_Clear();
  return "?";
}

}  // namespace rushlight::python
