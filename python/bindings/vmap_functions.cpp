// What python/rushlight/_vmap.py stands on: levels, batched tensors, and running below a level.
#include "batching/batched.h"
#include "errors.h"
#include "module_parts.h"
#include "rushlight/ops.h"
#include "tensor_type.h"

namespace rushlight::python {
namespace {

using batching::Level;
using batching::Randomness;

Level& level_with(unsigned long long serial) { return batching::levels()[batching::index_of(serial)]; }

PyObject* enter(PyObject*, PyObject* args) {
  long long size;
  const char* randomness;
  if (!PyArg_ParseTuple(args, "Ls:_vmap_enter", &size, &randomness)) return nullptr;
  return guarded([&] {
    const std::string_view text(randomness);
    const Randomness mode = text == "error"  ? Randomness::kError
                            : text == "same" ? Randomness::kSame
                                             : Randomness::kDifferent;
    return PyLong_FromUnsignedLongLong(batching::enter(size, mode));
  });
}
PyObject* leave(PyObject*, PyObject* serial) {
  return guarded([&]() -> PyObject* {
    batching::leave(PyLong_AsUnsignedLongLong(serial));
    Py_RETURN_NONE;
  });
}
PyObject* wrote_input(PyObject*, PyObject* serial) {
  return guarded([&] { return PyBool_FromLong(level_with(PyLong_AsUnsignedLongLong(serial)).wrote_input); });
}
PyObject* info(PyObject*, PyObject* serial) {
  return guarded([&] {
    const Level& level = level_with(PyLong_AsUnsignedLongLong(serial));
    const char* const names[] = {"error", "same", "different"};
    return Py_BuildValue("Ls", static_cast<long long>(level.size), names[static_cast<int>(level.randomness)]);
  });
}

PyObject* make_batched(PyObject*, PyObject* args) {
  PyObject* object;
  long long dim;
  unsigned long long serial;
  if (!PyArg_ParseTuple(args, "OLK:_vmap_batched", &object, &dim, &serial)) return nullptr;
  return guarded([&] {
    check<TypeError>(is_tensor(object), "_vmap_batched: expected a Tensor");
    const Tensor& tensor = unwrap(object);
    level_with(serial).inputs.push_back(tensor.impl()->storage);
    return wrap(batching::batched(dim ? movedim(tensor, dim, 0) : tensor, serial));
  });
}
PyObject* batch_of(PyObject*, PyObject* args) {
  PyObject* object;
  unsigned long long serial;
  if (!PyArg_ParseTuple(args, "OK:_vmap_batch_of", &object, &serial)) return nullptr;
  return guarded([&] {
    check<TypeError>(is_tensor(object), "_vmap_batch_of: expected a Tensor");
    return wrap(batching::batch_of(unwrap(object), level_with(serial)));
  });
}
PyObject* depends_on(PyObject*, PyObject* args) {
  PyObject* object;
  unsigned long long serial;
  if (!PyArg_ParseTuple(args, "OK:_vmap_depends_on", &object, &serial)) return nullptr;
  return guarded(
      [&] { return PyBool_FromLong(is_tensor(object) && batching::depends_on(unwrap(object), level_with(serial))); });
}

PyObject* level_of(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(object) || !batching::is_batched(unwrap(object))) Py_RETURN_NONE;
    return PyLong_FromUnsignedLongLong(batching::serial_of(unwrap(object)));
  });
}
PyObject* depth_of(PyObject*, PyObject* object) {
  return guarded([&] { return PyLong_FromSize_t(batching::index_of(PyLong_AsUnsignedLongLong(object)) + 1); });
}
PyObject* value_of(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(object) || !batching::is_batched(unwrap(object))) return Py_NewRef(object);
    return wrap(batching::value_of(unwrap(object)));
  });
}
PyObject* innermost(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(object) || !batching::is_batched(unwrap(object))) return Py_NewRef(object);
    return wrap(batching::innermost(unwrap(object)));
  });
}
PyObject* on_every_level(PyObject*, PyObject* object) {
  return guarded([&]() -> PyObject* {
    if (!batching::depth() || !is_tensor(object)) return Py_NewRef(object);
    const Tensor result = batching::on_every_level(unwrap(object));
    return result.is_same(unwrap(object)) ? Py_NewRef(object) : wrap(result);
  });
}

PyObject* call_below(PyObject*, PyObject* args) {
  unsigned long long serial;
  PyObject *function, *arguments;
  if (!PyArg_ParseTuple(args, "KOO!:_vmap_call_below", &serial, &function, &PyTuple_Type, &arguments)) return nullptr;
  return guarded([&] {
    const batching::Below below(batching::index_of(serial));
    return need(PyObject_Call(function, arguments, nullptr));
  });
}

}  // namespace

PyMethodDef kVmapFunctions[] = {
    {"_vmap_enter", enter, METH_VARARGS, "Starts a level of vmap; returns its number."},
    {"_vmap_leave", leave, METH_O, "Ends a level."},
    {"_vmap_wrote_input", wrote_input, METH_O, "Whether an input of the level was changed in place."},
    {"_vmap_info", info, METH_O, "Size and randomness of a level."},
    {"_vmap_batched", make_batched, METH_VARARGS, "The sample of a level whose batch is a tensor along a dimension."},
    {"_vmap_batch_of", batch_of, METH_VARARGS, "The batch of a tensor at a level, in dimension 0."},
    {"_vmap_depends_on", depends_on, METH_VARARGS, "Whether a tensor differs between the samples of a level."},
    {"_vmap_level_of", level_of, METH_O, "The innermost level that a tensor is batched at, or None."},
    {"_vmap_depth_of", depth_of, METH_O, "How many levels there are up to one."},
    {"_vmap_value_of", value_of, METH_O, "The value of a batched tensor at its innermost level; any other as it is."},
    {"_vmap_innermost", innermost, METH_O, "The tensor below all levels."},
    {"_vmap_on_every_level", on_every_level, METH_O, "A tensor as if it differed between samples at every level."},
    {"_vmap_call_below", call_below, METH_VARARGS, "Calls a function as if a level and those inside did not exist."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
