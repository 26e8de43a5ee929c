// Functions that set and read the modes of the calling thread: gradients, inference, autocast,
// anomaly detection.
#include <immintrin.h>

#include "module_parts.h"
#include "rushlight/autograd.h"
#include "tensor_object.h"

namespace rushlight::python {
namespace {

void set_mode(Word bit, bool on) { thread.modes = on ? thread.modes | bit : thread.modes & ~bit; }

// The truth of a bool argument, or an exception.
int flag(PyObject* value, const char* function) {
  if (PyBool_Check(value)) return value == Py_True;
  PyErr_Format(PyExc_TypeError, "%s(): argument 'enabled' (position 1) must be bool, not %s", function,
               type_name(value));
  return -1;
}

PyObject* set_grad_enabled(PyObject*, PyObject* value) {
  const int on = flag(value, "set_grad_enabled");
  if (on < 0) return nullptr;
  set_mode(kGradOff, !on);
  Py_RETURN_NONE;
}
PyObject* is_grad_enabled(PyObject*, PyObject*) { return PyBool_FromLong(!(thread.modes & kGradOff)); }
PyObject* set_inference_mode(PyObject*, PyObject* value) {
  const int on = flag(value, "_set_inference_mode");
  if (on < 0) return nullptr;
  set_mode(kInferenceMode, on);
  Py_RETURN_NONE;
}
PyObject* is_inference_mode_enabled(PyObject*, PyObject*) { return PyBool_FromLong(thread.modes & kInferenceMode); }
PyObject* is_anomaly_enabled(PyObject*, PyObject*) { return PyBool_FromLong(autograd::is_anomaly_enabled()); }
PyObject* is_anomaly_check_nan_enabled(PyObject*, PyObject*) {
  return PyBool_FromLong(autograd::is_anomaly_check_nan_enabled());
}
PyObject* set_anomaly_enabled(PyObject*, PyObject* args) {
  int on, check_nan = 1;
  if (!PyArg_ParseTuple(args, "p|p:set_anomaly_enabled", &on, &check_nan)) return nullptr;
  autograd::set_detect_anomaly(on, check_nan);
  Py_RETURN_NONE;
}

// set_flush_denormal(mode) -> True. Tasks of parallel loops follow the thread that runs the loop.
PyObject* set_flush_denormal(PyObject*, PyObject* value) {
  const int on = flag(value, "set_flush_denormal");
  if (on < 0) return nullptr;
  _MM_SET_FLUSH_ZERO_MODE(on ? _MM_FLUSH_ZERO_ON : _MM_FLUSH_ZERO_OFF);
  _MM_SET_DENORMALS_ZERO_MODE(on ? _MM_DENORMALS_ZERO_ON : _MM_DENORMALS_ZERO_OFF);
  Py_RETURN_TRUE;
}

}  // namespace

PyMethodDef kModeFunctions[] = {
    {"_set_grad_enabled", set_grad_enabled, METH_O, "Turns recording on or off in this thread."},
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS, "Whether operations are recorded in this thread."},
    {"_set_inference_mode", set_inference_mode, METH_O, "Turns inference mode on or off in this thread."},
    {"is_inference_mode_enabled", is_inference_mode_enabled, METH_NOARGS,
     "Whether inference mode is on in this thread."},
    {"is_anomaly_enabled", is_anomaly_enabled, METH_NOARGS, "Whether backward passes are checked."},
    {"is_anomaly_check_nan_enabled", is_anomaly_check_nan_enabled, METH_NOARGS, "Whether NaN in backward is an error."},
    {"set_anomaly_enabled", set_anomaly_enabled, METH_VARARGS, "Turns the checking of backward passes on or off."},
    {"set_flush_denormal", set_flush_denormal, METH_O, "Whether this thread takes subnormal numbers for zero."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
