// Functions behind torch.autocast and the profiler: modes that stand between a call and its
// operator.
#include <map>
#include <string>

#include "arguments.h"
#include "autograd/autocast.h"
#include "autograd/interpose.h"
#include "module_parts.h"

namespace rushlight::python {
namespace {

thread_local int nesting = 0;

// What programs say about autocast on devices that are not there: kept, without effect.
struct OtherDevice {
  bool on = false;
  Dtype dtype = Dtype::kFloat16;
};
OtherDevice& other_device(PyObject* device) {
  static std::map<std::string, OtherDevice> devices = {{"hpu", {false, Dtype::kBFloat16}},
                                                       {"xla", {false, Dtype::kBFloat16}}};
  const char* name = device ? PyUnicode_AsUTF8(device) : "cuda";
  if (!name) throw PythonError{};
  return devices[name];
}

bool is_cpu(PyObject* device) {
  return !device || (PyUnicode_Check(device) && PyUnicode_CompareWithASCIIString(device, "cpu") == 0);
}

// (device_type, enabled), or the older (enabled).
PyObject* set_enabled(PyObject*, PyObject* args) {
  PyObject *first, *second = nullptr;
  if (!PyArg_ParseTuple(args, "O|O:set_autocast_enabled", &first, &second)) return nullptr;
  const int on = PyObject_IsTrue(second ? second : first);
  if (on < 0) return nullptr;
  return guarded([&] {
    if (second && is_cpu(first))
      thread.modes = on ? thread.modes | kAutocast : thread.modes & ~kAutocast;
    else
      other_device(second ? first : nullptr).on = on;
    Py_RETURN_NONE;
  });
}
PyObject* is_enabled(PyObject*, PyObject* args) {
  PyObject* device = nullptr;
  if (!PyArg_ParseTuple(args, "|O:is_autocast_enabled", &device)) return nullptr;
  return guarded([&] {
    return PyBool_FromLong(device && is_cpu(device) ? (thread.modes & kAutocast) != 0 : other_device(device).on);
  });
}
PyObject* is_cpu_enabled(PyObject*, PyObject*) { return PyBool_FromLong(thread.modes & kAutocast); }
PyObject* get_dtype(PyObject*, PyObject* args) {
  PyObject* device = nullptr;
  if (!PyArg_ParseTuple(args, "|O:get_autocast_dtype", &device)) return nullptr;
  return guarded([&] { return wrap(is_cpu(device) ? autocast::lower_dtype() : other_device(device).dtype); });
}
PyObject* get_cpu_dtype(PyObject*, PyObject*) { return wrap(autocast::lower_dtype()); }
PyObject* set_dtype(PyObject*, PyObject* args) {
  PyObject *device, *dtype;
  if (!PyArg_ParseTuple(args, "OO!:set_autocast_dtype", &device, &DtypeType, &dtype)) return nullptr;
  return guarded([&] {
    if (is_cpu(device))
      autocast::set_lower_dtype(dtype_of(dtype));
    else
      other_device(device).dtype = dtype_of(dtype);
    Py_RETURN_NONE;
  });
}
PyObject* is_available(PyObject*, PyObject* device) { return PyBool_FromLong(is_cpu(device)); }
PyObject* enter(PyObject*, PyObject*) { return PyLong_FromLong(++nesting); }
PyObject* leave(PyObject*, PyObject*) { return PyLong_FromLong(--nesting); }
PyObject* clear_cache(PyObject*, PyObject*) {
  autocast::clear_casts();
  Py_RETURN_NONE;
}
PyObject* is_cache_enabled(PyObject*, PyObject*) { return PyBool_FromLong(autocast::keeps_casts()); }
PyObject* set_cache_enabled(PyObject*, PyObject* on) {
  const int truth = PyObject_IsTrue(on);
  if (truth < 0) return nullptr;
  autocast::set_keep_casts(truth != 0);
  Py_RETURN_NONE;
}

// --- profiler
// ---------------------------------------------------------------------------------------

PyObject* profiler_callable = nullptr;
bool profiler_wants_shapes = false;

PyObject* shape_of(const Tensor& tensor) {
  if (!tensor.defined()) return PyList_New(0);
  const IntArray sizes = tensor.sizes();
  PyObject* shape = PyList_New(static_cast<Py_ssize_t>(sizes.size()));
  for (std::size_t i = 0; shape && i < sizes.size(); ++i)
    PyList_SET_ITEM(shape, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(sizes[i]));
  return shape;
}
PyObject* shape_of(const std::optional<Tensor>& tensor) { return tensor ? shape_of(*tensor) : PyList_New(0); }
template <class List>
PyObject* shapes_of(const List& tensors) {
  PyObject* shapes = PyList_New(0);
  for (const auto& tensor : tensors) {
    const Owned shape(shape_of(tensor));
    if (!shape || PyList_Append(shapes, shape.get()) < 0) break;
  }
  return shapes;
}
PyObject* shapes_of(const ProfiledArgument& argument) {
  switch (argument.kind) {
    case ProfiledArgument::Kind::kTensor:
      return shape_of(*static_cast<const Tensor*>(argument.value));
    case ProfiledArgument::Kind::kOptional:
      return shape_of(*static_cast<const std::optional<Tensor>*>(argument.value));
    case ProfiledArgument::Kind::kList:
      return shapes_of(*static_cast<const TensorList*>(argument.value));
    case ProfiledArgument::Kind::kOptionalList:
      return shapes_of(*static_cast<const OptionalTensorList*>(argument.value));
    case ProfiledArgument::Kind::kOther:
      break;
  }
  return PyList_New(0);
}

template <class List, class Convert>
PyObject* tuple_of(const List& list, Convert convert) {
  PyObject* result = PyTuple_New(static_cast<Py_ssize_t>(list.size()));
  for (std::size_t i = 0; result && i < list.size(); ++i)
    PyTuple_SET_ITEM(result, static_cast<Py_ssize_t>(i), convert(list[i]));
  return result;
}
// Of a parameter that is no tensor: numbers, truth values and tuples of them; None for anything else.
PyObject* value_of(const batching::Parameter& parameter) {
  using Type = batching::Parameter::Type;
  switch (parameter.type()) {
    case Type::kInt:
      return PyLong_FromLongLong(parameter.as<std::int64_t>());
    case Type::kInts:
      return tuple_of(parameter.as<IntArray>(), PyLong_FromLongLong);
    case Type::kBool:
      return PyBool_FromLong(parameter.as<bool>());
    case Type::kBools:
      return tuple_of(parameter.as<std::span<const bool>>(), PyBool_FromLong);
    default:
      return Py_NewRef(Py_None);
  }
}

void profile(const batching::Operation& operation, bool start, std::span<const ProfiledArgument> tensors) {
  const GilHeld gil;
  if (!profiler_callable) return;
  const ModeScope outside(0, kProfiler);
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);  // of an operator that failed: what is called must not see it
  Owned shapes(profiler_wants_shapes ? PyList_New(0) : Py_NewRef(Py_None));
  if (profiler_wants_shapes)
    for (const ProfiledArgument& tensor : tensors) {
      const Owned shape(shapes_of(tensor));
      if (shape) PyList_Append(shapes.get(), shape.get());
    }
  const auto listed = start && profiler_wants_shapes ? operation.parameters : std::span<const batching::Parameter>();
  const Owned parameters(tuple_of(listed, value_of));
  Owned result(PyObject_CallFunction(profiler_callable, "sOOO", operation.name, start ? Py_True : Py_False,
                                     shapes.get(), parameters.get()));
  if (!result) PyErr_WriteUnraisable(profiler_callable);
  PyErr_Restore(type, value, trace);
}
// _set_profiler(callable, shapes=False): called with (name, True, shapes of tensors, other parameters) before and with
// (name, False, shapes of results, ()) after each operator of the threads that profile. Without `shapes`, None and ().
PyObject* set_profiler(PyObject*, PyObject* args) {
  PyObject* callable = nullptr;
  int shapes = 0;
  if (!PyArg_ParseTuple(args, "O|p:_set_profiler", &callable, &shapes)) return nullptr;
  if (callable != Py_None && !PyCallable_Check(callable))
    return PyErr_Format(PyExc_TypeError, "_set_profiler: expected a callable or None, got %s", type_name(callable));
  const bool on = callable != Py_None;
  Py_XSETREF(profiler_callable, on ? Py_NewRef(callable) : nullptr);
  profiler_wants_shapes = shapes != 0;
  set_profiler_hook(on ? profile : nullptr);
  thread.modes = on ? thread.modes | kProfiler : thread.modes & ~kProfiler;
  Py_RETURN_NONE;
}
// _profile_thread(on): whether operators of the calling thread are given to the profiler.
PyObject* profile_thread(PyObject*, PyObject* on) {
  const int truth = PyObject_IsTrue(on);
  if (truth < 0) return nullptr;
  thread.modes = truth ? thread.modes | kProfiler : thread.modes & ~kProfiler;
  Py_RETURN_NONE;
}

}  // namespace

PyMethodDef kAutocastFunctions[] = {
    {"set_autocast_enabled", set_enabled, METH_VARARGS, "Turns autocast on or off for a kind of device."},
    {"is_autocast_enabled", is_enabled, METH_VARARGS, "Whether autocast is on for a kind of device."},
    {"is_autocast_cpu_enabled", is_cpu_enabled, METH_NOARGS, "Whether autocast is on for the CPU."},
    {"get_autocast_dtype", get_dtype, METH_VARARGS, "The lower precision that autocast uses."},
    {"get_autocast_cpu_dtype", get_cpu_dtype, METH_NOARGS, "The lower precision that autocast uses on the CPU."},
    {"set_autocast_dtype", set_dtype, METH_VARARGS, "Sets the lower precision that autocast uses."},
    {"_is_autocast_available", is_available, METH_O, "Whether a kind of device has autocast."},
    {"autocast_increment_nesting", enter, METH_NOARGS, "Enters one more autocast context; returns how many there are."},
    {"autocast_decrement_nesting", leave, METH_NOARGS, "Leaves an autocast context; returns how many there are."},
    {"clear_autocast_cache", clear_cache, METH_NOARGS, "Forgets the converted weights that autocast keeps."},
    {"is_autocast_cache_enabled", is_cache_enabled, METH_NOARGS, "Whether autocast keeps converted weights."},
    {"set_autocast_cache_enabled", set_cache_enabled, METH_O, "Whether autocast is to keep converted weights."},
    {"_set_profiler", set_profiler, METH_VARARGS, "Calls a function before and after each operator; None: no longer."},
    {"_profile_thread", profile_thread, METH_O, "Whether operators of the calling thread are profiled."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
