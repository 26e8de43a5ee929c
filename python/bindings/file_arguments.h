// What the functions of `_C._io` share: sources (a path or bytes), targets (a path, an object with write(), or None for
// bytes) and errors of the operating system.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "io/bytes.h"

namespace rushlight::python {

// Runs `body`, turning refusals of the operating system into OSError with its number.
template <class Body>
PyObject* with_files(Body body) {
  return guarded([&]() -> PyObject* {
    try {
      return body();
    } catch (const io::FileError& error) {
      errno = error.code;
      PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path.c_str());
      return nullptr;
    }
  });
}

// In the encoding of the file system; ValueError for a path that holds a null character.
inline std::string path_of(PyObject* text) {
  const Owned bytes = own(PyUnicode_EncodeFSDefault(text));
  char* chars;
  need(PyBytes_AsStringAndSize(bytes.get(), &chars, nullptr));
  return chars;
}

// Later changes of the buffer must not reach tensors that were checked.
inline std::shared_ptr<std::vector<std::uint8_t>> copy_of_buffer(PyObject* source) {
  Py_buffer view;
  need(PyObject_GetBuffer(source, &view, PyBUF_SIMPLE));
  const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> release(&view, PyBuffer_Release);
  const auto* begin = static_cast<const std::uint8_t*>(view.buf);
  return std::make_shared<std::vector<std::uint8_t>>(begin, begin + view.len);
}

// The archive's root folder is the file's name without its ending, as PyTorch names it.
inline std::string archive_name(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (const auto dot = name.find_last_of('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  return name.empty() ? "archive" : name;
}

// Writes to a path, or to an object with a `write` method.
template <class Save>
PyObject* write_to(PyObject* target, Save save) {
  if (PyUnicode_Check(target)) {
    const std::string path = path_of(target);
    io::Sink sink(path);
    save(sink, archive_name(path));
    Py_RETURN_NONE;
  }
  std::string bytes;
  io::Sink sink(&bytes);
  save(sink, "archive");
  const Owned made = own(PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
  if (target == Py_None) return Py_NewRef(made.get());
  const Owned written = own(PyObject_CallMethod(target, "write", "O", made.get()));
  Py_RETURN_NONE;
}

}  // namespace rushlight::python
