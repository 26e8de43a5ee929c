// What the library asks of Python: its lock is let go during long loops, warnings and stack traces
// are Python's.
#include "autograd/anomaly.h"
#include "errors.h"
#include "module_parts.h"
#include "rushlight/detail/long_work.h"
#include "rushlight/warning.h"

namespace rushlight::python {
namespace {

// Releasing and retaking the lock costs about 20 ns, and only loops of several tasks, tens of
// microseconds at least, get here.
void* let_go() { return PyGILState_Check() ? PyEval_SaveThread() : nullptr; }
void take_back(void* state) {
  if (state) PyEval_RestoreThread(static_cast<PyThreadState*>(state));
}

void warn_in_python(const std::string& text) {
  const GilHeld gil;
  need(PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1));
}

std::string python_stack() {
  const GilHeld gil;
  Owned traceback(PyImport_ImportModule("traceback"));
  Owned lines(traceback ? PyObject_CallMethod(traceback.get(), "format_stack", nullptr) : nullptr);
  Owned nothing(PyUnicode_FromString(""));
  Owned text(lines && nothing ? PyUnicode_Join(nothing.get(), lines.get()) : nullptr);
  const char* utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  return utf8 ? utf8 : "";
}

}  // namespace

bool setup_interpreter(PyObject*) {
  set_long_work_hooks(let_go, take_back);
  set_warning_handler(warn_in_python);
  set_trace_of_caller(python_stack);
  return true;
}

}  // namespace rushlight::python
