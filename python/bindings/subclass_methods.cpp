// Making tensors of subclasses.
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

PyTypeObject* subclass_of(PyObject* cls, const char* method) {
  check<TypeError>(PyType_Check(cls), method, ": cls must be a type (got ", type_name(cls), ")");
  auto* type = reinterpret_cast<PyTypeObject*>(cls);
  check<TypeError>(PyType_IsSubtype(type, &TensorType), method, ": cls must be a subclass of Tensor (got ",
                   type->tp_name, ")");
  return type;
}

// Tensor._make_subclass(cls, data, require_grad=False): the memory of `data` without its history.
PyObject* make_subclass(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"cls",
                                   "data",
                                   "require_grad",
                                   "dispatch_sizes_strides_policy",
                                   "dispatch_device",
                                   "dispatch_layout",
                                   "device_for_backend_keys",
                                   nullptr};
  PyObject *cls, *data, *ignored[4] = {};
  int require_grad = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO!|p$OOOO:_make_subclass", const_cast<char**>(keywords), &cls,
                                   &TensorType, &data, &require_grad, &ignored[0], &ignored[1], &ignored[2],
                                   &ignored[3]))
    return nullptr;
  return guarded([&] {
    PyTypeObject* type = subclass_of(cls, "_make_subclass");
    Tensor tensor = unwrap(data).detach();
    if (require_grad) tensor.set_requires_grad(true);
    return wrap_as(type, std::move(tensor));
  });
}

// x.as_subclass(cls): the same memory and history under another class.
PyObject* as_subclass(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"cls", nullptr};
  PyObject* cls;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:as_subclass", const_cast<char**>(keywords), &cls)) return nullptr;
  return guarded([&] { return wrap_as(subclass_of(cls, "as_subclass"), shared(unwrap(self))); });
}

// Tensor._make_wrapper_subclass(cls, size, *, dtype, device, requires_grad): an object without data
// of its own.
PyObject* make_wrapper_subclass(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"cls",
                                   "size",
                                   "strides",
                                   "storage_offset",
                                   "memory_format",
                                   "dtype",
                                   "layout",
                                   "device",
                                   "pin_memory",
                                   "requires_grad",
                                   "dispatch_sizes_strides_policy",
                                   "dispatch_device",
                                   "dispatch_layout",
                                   nullptr};
  PyObject *cls, *size, *strides = nullptr, *offset = nullptr, *format = nullptr, *dtype = nullptr, *layout = nullptr,
                        *device = nullptr, *pin = nullptr, *ignored[3] = {};
  int requires_grad = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|OO$OOOOOpOOO:_make_wrapper_subclass", const_cast<char**>(keywords),
                                   &cls, &size, &strides, &offset, &format, &dtype, &layout, &device, &pin,
                                   &requires_grad, &ignored[0], &ignored[1], &ignored[2]))
    return nullptr;
  return guarded([&] {
    PyTypeObject* type = subclass_of(cls, "_make_wrapper_subclass");
    const Owned sizes = own(PySequence_Fast(size, "size must be a sequence of ints"));
    std::vector<std::int64_t> numbers;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(sizes.get()); ++i) {
      numbers.push_back(PyLong_AsLongLong(PySequence_Fast_GET_ITEM(sizes.get(), i)));
      if (PyErr_Occurred()) throw PythonError{};
    }
    Tensor tensor =
        empty_tensor(numbers, dtype && is_dtype(dtype) ? dtype_of(dtype) : default_dtype(), Device(DeviceType::kMeta));
    if (requires_grad) tensor.set_requires_grad(true);
    return wrap_as(type, std::move(tensor));
  });
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

}  // namespace

Tensor shared(const Tensor& tensor) { return alias(tensor); }

PyMethodDef kSubclassMethods[] = {
    {"as_subclass", with_keywords(as_subclass), kKeywords, "The same tensor as an object of a subclass."},
    {"_make_subclass", with_keywords(make_subclass), kKeywords | METH_STATIC,
     "The memory of a tensor as an object of a subclass."},
    {"_make_wrapper_subclass", with_keywords(make_wrapper_subclass), kKeywords | METH_STATIC,
     "An object of a subclass with a size and no data."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
