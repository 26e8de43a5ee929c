// Exceptions in both directions: `guarded` around C++ called from Python, PythonError for Python
// called from C++.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace rushlight::python {

struct PythonError {};  // a Python exception is set; nothing else to say

[[gnu::cold]] void raise_current();  // turns the C++ exception being handled into a Python one
bool setup_errors(PyObject* module);

template <class Body>
inline PyObject* guarded(Body body) {
  try {
    return body();
  } catch (...) {
    raise_current();
    return nullptr;
  }
}
// For slots that return a status.
template <class Body>
inline int guarded_status(Body body) {
  try {
    return body();
  } catch (...) {
    raise_current();
    return -1;
  }
}

// Passes a new reference on, or throws when a Python call failed.
inline PyObject* need(PyObject* object) {
  if (!object) [[unlikely]]
    throw PythonError{};
  return object;
}
inline void need(int status) {
  if (status < 0) [[unlikely]]
    throw PythonError{};
}

// An owned reference.
class Owned {
 public:
  Owned() = default;
  explicit Owned(PyObject* object) : object_(object) {}
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owned() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_ = nullptr;
};
inline Owned own(PyObject* new_reference) { return Owned(need(new_reference)); }

// Holds the GIL for a scope on any thread.
class GilHeld {
 public:
  GilHeld() : state_(PyGILState_Ensure()) {}
  ~GilHeld() { PyGILState_Release(state_); }
  GilHeld(const GilHeld&) = delete;
  GilHeld& operator=(const GilHeld&) = delete;

 private:
  PyGILState_STATE state_;
};

}  // namespace rushlight::python
