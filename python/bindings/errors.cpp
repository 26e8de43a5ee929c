// Which Python exception stands for which C++ exception.
#include "errors.h"

#include <new>

#include "batching/batched.h"
#include "rushlight/error.h"

namespace rushlight::python {
namespace {
PyObject* linalg_error;
PyObject* out_of_memory_error;
PyObject* needs_samples;
}  // namespace

void raise_current() {
  try {
    throw;
  } catch (const PythonError&) {
  } catch (const IndexError& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const TypeError& error) {
    PyErr_SetString(PyExc_TypeError, error.what());
  } catch (const ValueError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const OverflowError& error) {
    PyErr_SetString(PyExc_OverflowError, error.what());
  } catch (const batching::NeedsSamples& error) {
    PyErr_SetString(needs_samples, error.what());
  } catch (const NotImplementedError& error) {
    PyErr_SetString(PyExc_NotImplementedError, error.what());
  } catch (const LinAlgError& error) {
    PyErr_SetString(linalg_error, error.what());
  } catch (const OutOfMemoryError& error) {
    PyErr_SetString(out_of_memory_error, error.what());
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_SystemError, "an exception that is not a std::exception left C++");
  }
}

bool setup_errors(PyObject* module) {
  linalg_error = PyErr_NewExceptionWithDoc("torch._C._LinAlgError",
                                           "A matrix that the operation cannot work with: singular, not positive "
                                           "definite, or without convergence.",
                                           PyExc_RuntimeError, nullptr);
  out_of_memory_error = PyErr_NewExceptionWithDoc("torch.OutOfMemoryError", "No memory of the size that was asked for.",
                                                  PyExc_RuntimeError, nullptr);
  needs_samples = PyErr_NewExceptionWithDoc("torch._C._NeedsSamples",
                                            "Raised inside vmap by what cannot be done for all samples at once.",
                                            PyExc_RuntimeError, nullptr);
  return linalg_error && out_of_memory_error && needs_samples &&
         PyModule_AddObjectRef(module, "_NeedsSamples", needs_samples) == 0 &&
         PyModule_AddObjectRef(module, "_LinAlgError", linalg_error) == 0 &&
         PyModule_AddObjectRef(module, "OutOfMemoryError", out_of_memory_error) == 0;
}

}  // namespace rushlight::python
