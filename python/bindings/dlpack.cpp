// DLPack 1.x in both directions; capsules of version 0 are read, and written for consumers that ask
// for nothing newer.
#include "dlpack.h"

#include <cstring>

#include "dlpack_structures.h"
#include "module_parts.h"
#include "ops/composed.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

constexpr const char* kOld = "dltensor";
constexpr const char* kOldUsed = "used_dltensor";
constexpr const char* kVersioned = "dltensor_versioned";
constexpr const char* kVersionedUsed = "used_dltensor_versioned";

// --- out
// --------------------------------------------------------------------------------------------

template <class Managed>
void destroy_capsule(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  if (!name || std::strncmp(name, "used_", 5) == 0) return;  // the consumer owns it
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed && managed->deleter) managed->deleter(managed);
}

PyObject* to_capsule(const Tensor& tensor, bool versioned, bool copied) {
  if (!versioned) return PyCapsule_New(make_managed<DLManagedTensor>(tensor), kOld, destroy_capsule<DLManagedTensor>);
  auto* managed = make_managed<DLManagedTensorVersioned>(tensor);
  managed->flags = copied ? kCopied : 0;
  return PyCapsule_New(managed, kVersioned, destroy_capsule<DLManagedTensorVersioned>);
}

void check_exportable(const Tensor& tensor) {
  if (tensor.word() & kBatched) refuse_memory(tensor, "__dlpack__");
  if (tensor.requires_grad()) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors that require gradient, use tensor.detach()");
    throw PythonError{};
  }
  check_memory(tensor);
}

PyObject* dlpack_method(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"stream", "max_version", "dl_device", "copy", nullptr};
  PyObject *stream = Py_None, *newest = Py_None, *device = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$OOOO:__dlpack__", const_cast<char**>(keywords), &stream, &newest,
                                   &device, &copy))
    return nullptr;
  return guarded([&] {
    check_exportable(unwrap(self));
    if (device != Py_None) {
      int type = 0, id = 0;
      if (!PyArg_ParseTuple(device, "ii", &type, &id)) throw PythonError{};
      if (type != kCpuDevice) {
        PyErr_Format(PyExc_BufferError, "__dlpack__: the tensor is on the CPU and cannot be exported to device type %d",
                     type);
        throw PythonError{};
      }
    }
    bool versioned = false;
    if (newest != Py_None) {
      int major = 0, minor = 0;
      if (!PyArg_ParseTuple(newest, "ii", &major, &minor)) throw PythonError{};
      versioned = major >= 1;
    }
    const bool copied = copy == Py_True;
    return to_capsule(copied ? clone(unwrap(self)) : unwrap(self), versioned, copied);
  });
}
PyObject* dlpack_device_method(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    check<ValueError>(!unwrap(self).is_meta(), "Unknown device type meta for Dlpack");
    return Py_BuildValue("(ii)", kCpuDevice, 0);
  });
}
PyObject* to_dlpack_function(PyObject*, PyObject* object) {
  return guarded([&] {
    check<TypeError>(is_tensor(object), "to_dlpack: expected a Tensor, got ", type_name(object));
    check_exportable(unwrap(object));
    return to_capsule(unwrap(object), false, false);
  });
}

// --- in
// ---------------------------------------------------------------------------------------------

template <class Managed>
Tensor take(PyObject* capsule, const char* name, const char* used) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!managed) throw PythonError{};
  Tensor tensor = borrow_managed(managed);
  PyCapsule_SetName(capsule, used);
  return tensor;
}

Tensor from_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, kVersioned))
    return take<DLManagedTensorVersioned>(capsule, kVersioned, kVersionedUsed);
  check(PyCapsule_IsValid(capsule, kOld),
        "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only "
        "once, so you might have "
        "already constructed a tensor from it once.");
  return take<DLManagedTensor>(capsule, kOld, kOldUsed);
}

PyObject* from_capsule_function(PyObject*, PyObject* capsule) {
  return guarded([&] {
    check<TypeError>(PyCapsule_CheckExact(capsule), "_from_dlpack: expected a capsule, got ", type_name(capsule));
    return wrap(from_capsule(capsule));
  });
}
PyObject* from_dlpack_function(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"ext_tensor", "device", "copy", nullptr};
  PyObject *object, *device = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OO:from_dlpack", const_cast<char**>(keywords), &object, &device,
                                   &copy))
    return nullptr;
  return guarded([&] {
    if (device != Py_None) {
      check<TypeError>(is_device_like(device), "from_dlpack: device must be a device, not ", type_name(device));
      check(device_of(device).is_cpu(), "from_dlpack: memory can be shared on the cpu only");
    }
    return wrap(from_dlpack(object, device, copy));
  });
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

}  // namespace

Tensor from_dlpack(PyObject* object, PyObject* device, PyObject* copy) {
  const bool copied = copy == Py_True;
  if (PyCapsule_CheckExact(object)) return copied ? clone(from_capsule(object)) : from_capsule(object);
  const Owned method = own(PyObject_GetAttrString(object, "__dlpack__"));
  const Owned nothing = own(PyTuple_New(0));
  Owned options = own(Py_BuildValue("{s(ii)}", "max_version", 1, 0));
  if (copy != Py_None) need(PyDict_SetItemString(options.get(), "copy", copy));
  const Owned cpu = own(Py_BuildValue("(ii)", kCpuDevice, 0));
  if (device != Py_None) need(PyDict_SetItemString(options.get(), "dl_device", cpu.get()));
  Owned capsule(PyObject_Call(method.get(), nothing.get(), options.get()));
  if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError)) return from_capsule(need(capsule.get()));
  PyErr_Clear();  // a producer of version 0 knows none of these options, and never copies
  capsule = own(PyObject_CallNoArgs(method.get()));
  return copied ? clone(from_capsule(capsule.get())) : from_capsule(capsule.get());
}

PyMethodDef kDlpackFunctions[] = {
    {"from_dlpack", with_keywords(from_dlpack_function), METH_VARARGS | METH_KEYWORDS,
     "A tensor over the memory of an object that offers it by DLPack."},
    {"_from_dlpack", from_capsule_function, METH_O, "A tensor over the memory of a DLPack capsule."},
    {"_to_dlpack", to_dlpack_function, METH_O, "A DLPack capsule of a tensor."},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kDlpackMethods[] = {
    {"__dlpack__", with_keywords(dlpack_method), METH_VARARGS | METH_KEYWORDS, "A DLPack capsule of the tensor."},
    {"__dlpack_device__", dlpack_device_method, METH_NOARGS, "The DLPack device of the tensor."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
