// torch.tensor, as_tensor, asarray, from_numpy, frombuffer and Tensor(...), Tensor.new_tensor.
#include "arguments.h"
#include "array_exchange.h"
#include "construction.h"
#include "dlpack.h"
#include "module_parts.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"

namespace rushlight::python {
namespace {

// Keyword and positional arguments of a constructor, checked by type.
struct Request {
  PyObject* data = nullptr;
  PyObject* dtype = Py_None;
  PyObject* device = Py_None;
  PyObject* requires_grad = Py_False;
  PyObject* pin_memory = Py_False;
  PyObject* names = Py_None;
  PyObject* copy = Py_None;
  PyObject* layout = Py_None;

  void check_types(const char* function) const {
    check<TypeError>(dtype == Py_None || is_dtype_argument(dtype), function,
                     "(): argument 'dtype' must be torch.dtype, not ", type_name(dtype));
    check<TypeError>(device == Py_None || is_device_like(device), function,
                     "(): argument 'device' must be torch.device, not ", type_name(device));
    check<TypeError>(requires_grad == Py_None || PyBool_Check(requires_grad), function,
                     "(): argument 'requires_grad' must be bool, not ", type_name(requires_grad));
  }
  std::optional<Dtype> type() const { return dtype == Py_None ? std::nullopt : std::optional(dtype_argument(dtype)); }
  std::optional<Device> where() const { return device == Py_None ? std::nullopt : std::optional(device_of(device)); }
  PyObject* finish(Tensor tensor) const {
    if (requires_grad == Py_True) tensor.set_requires_grad(true);
    return wrap(std::move(tensor));
  }
};

PyObject* tensor_function(PyObject*, PyObject* args, PyObject* kwargs) {
  PyObject* overridden;
  if (function_overridden("tensor", args, kwargs, &overridden)) return overridden;
  static const char* keywords[] = {"data", "dtype", "device", "requires_grad", "pin_memory", "names", nullptr};
  Request request;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOOOO:tensor", const_cast<char**>(keywords), &request.data,
                                   &request.dtype, &request.device, &request.requires_grad, &request.pin_memory,
                                   &request.names))
    return nullptr;
  return guarded([&] {
    request.check_types("tensor");
    if (is_tensor(request.data))
      need(PyErr_WarnEx(PyExc_UserWarning,
                        "To copy construct from a tensor, it is recommended to use "
                        "sourceTensor.detach().clone() or "
                        "sourceTensor.detach().clone().requires_grad_(True), rather than "
                        "torch.tensor(sourceTensor).",
                        1));
    const ModeScope no_grad(kGradOff);
    return request.finish(tensor_from(request.data, request.type(), request.where(), true));
  });
}

PyObject* as_tensor_function(PyObject*, PyObject* args, PyObject* kwargs) {
  PyObject* overridden;
  if (function_overridden("as_tensor", args, kwargs, &overridden)) return overridden;
  static const char* keywords[] = {"data", "dtype", "device", nullptr};
  Request request;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|OO:as_tensor", const_cast<char**>(keywords), &request.data,
                                   &request.dtype, &request.device))
    return nullptr;
  return guarded([&] {
    request.check_types("as_tensor");
    return wrap(tensor_from(request.data, request.type(), request.where(), false));
  });
}

// asarray(obj, *, dtype=None, device=None, copy=None, requires_grad=False): shares memory unless
// `copy`; copy=False insists. Without `requires_grad` the history of a tensor is kept.
PyObject* asarray_function(PyObject*, PyObject* args, PyObject* kwargs) {
  PyObject* overridden;
  if (function_overridden("asarray", args, kwargs, &overridden)) return overridden;
  static const char* keywords[] = {"obj", "dtype", "device", "copy", "requires_grad", nullptr};
  Request request;
  request.requires_grad = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOOO:asarray", const_cast<char**>(keywords), &request.data,
                                   &request.dtype, &request.device, &request.copy, &request.requires_grad))
    return nullptr;
  return guarded([&]() -> PyObject* {
    request.check_types("asarray");
    PyObject* data = request.data;
    const bool copy = request.copy == Py_True;
    Tensor made;
    bool shared_memory = true;
    if (is_tensor(data) || is_numpy_array(data)) {
      const Tensor source = is_tensor(data) ? unwrap(data) : from_array(data, !copy);
      made = tensor_from(data, request.type(), request.where(), copy);
      shared_memory =
          made.impl()->storage == source.impl()->storage || (!copy && is_numpy_array(data) && !request.type());
    } else if (PyObject_HasAttrString(data, "__dlpack__")) {
      const Tensor source = from_dlpack(data, Py_None, copy ? Py_True : Py_None);
      const Owned wrapped = own(wrap(source));
      made = tensor_from(wrapped.get(), request.type(), request.where(), false);
    } else if (PyObject_CheckBuffer(data)) {
      made = from_buffer(data, request.type().value_or(default_dtype()), -1, 0);
      if (copy) made = clone(made);
    } else {
      check<ValueError>(request.copy != Py_False, "can't alias arbitrary sequence into a tensor.");
      made = tensor_from(data, request.type(), request.where(), true);
    }
    check<ValueError>(request.copy != Py_False || shared_memory,
                      "can't alias tensor with a different dtype or device.");
    if (request.requires_grad == Py_False && made.requires_grad()) made = made.detach();
    return request.finish(std::move(made));
  });
}

PyObject* from_numpy_function(PyObject*, PyObject* array) {
  return guarded([&] {
    check<TypeError>(is_numpy_array(array), "expected np.ndarray (got ", type_name(array), ")");
    return wrap(from_array(array));
  });
}

PyObject* frombuffer_function(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"buffer", "dtype", "count", "offset", "requires_grad", nullptr};
  Request request;
  long long count = -1, offset = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OLLO:frombuffer", const_cast<char**>(keywords), &request.data,
                                   &request.dtype, &count, &offset, &request.requires_grad))
    return nullptr;
  return guarded([&] {
    request.check_types("frombuffer");
    check<TypeError>(request.dtype != Py_None, "frombuffer() missing 1 required keyword argument: \"dtype\"");
    return request.finish(from_buffer(request.data, *request.type(), count, offset));
  });
}

PyObject* new_tensor_method(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"data", "dtype", "device", "requires_grad", "layout", "pin_memory", nullptr};
  Request request;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$OOOOO:new_tensor", const_cast<char**>(keywords), &request.data,
                                   &request.dtype, &request.device, &request.requires_grad, &request.layout,
                                   &request.pin_memory))
    return nullptr;
  return guarded([&] {
    request.check_types("new_tensor");
    if (is_tensor(request.data))
      need(PyErr_WarnEx(PyExc_UserWarning,
                        "To copy construct from a tensor, it is recommended to use "
                        "sourceTensor.detach().clone() or "
                        "sourceTensor.detach().clone().requires_grad_(True), rather than "
                        "tensor.new_tensor(sourceTensor).",
                        1));
    const Tensor& like = unwrap(self);
    const ModeScope no_grad(kGradOff);
    return request.finish(tensor_from(request.data, request.type().value_or(like.dtype()),
                                      request.where().value_or(like.device()), true));
  });
}

// --- Tensor(...) and the other legacy constructors
// ---------------------------------------------------

// _legacy_new(dtype, device, args): sizes give zeros, data its copy, a tensor the tensor itself.
Tensor legacy(PyObject* args, Dtype dtype, Device device) {
  const Py_ssize_t count = PyTuple_GET_SIZE(args);
  PyObject* first = count ? PyTuple_GET_ITEM(args, 0) : nullptr;
  const bool size = count == 1 && Py_TYPE(first) == &SizeType;
  if (count == 1 && !size && !is_int_argument(first)) {
    if (is_tensor(first)) return shared(unwrap(first));
    if (PyUnicode_Check(first) || PyBytes_Check(first))
      throw TypeError(std::string("new(): invalid data type '") + type_name(first) + "'");
    check<TypeError>(is_data_sequence(first) || is_numpy_array(first), "new(): data must be a sequence (got ",
                     type_name(first), ")");
    return tensor_from(first, dtype, device, true);
  }
  PyObject* sizes = size ? first : args;
  std::vector<std::int64_t> numbers;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sizes); ++i) {
    PyObject* item = PyTuple_GET_ITEM(sizes, i);
    check<TypeError>(is_int_argument(item), "new(): argument 'size' failed to unpack the object at pos ", i + 1,
                     " with error \"type must be tuple of ints,but got ", type_name(item), "\"");
    numbers.push_back(integer_of(item));
  }
  if (!count) numbers.push_back(0);
  return zeros(numbers, TensorOptions(dtype, device));
}

PyObject* legacy_new(PyObject*, PyObject* args) {
  PyObject *dtype, *device, *arguments;
  if (!PyArg_ParseTuple(args, "O!OO!:_legacy_new", &DtypeType, &dtype, &device, &PyTuple_Type, &arguments))
    return nullptr;
  return guarded([&] {
    const ModeScope no_grad(kGradOff);
    return wrap(legacy(arguments, dtype_of(dtype), device == Py_None ? Device(DeviceType::kCpu) : device_of(device)));
  });
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

}  // namespace

PyObject* new_tensor(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    PyObject* device = kwargs ? PyDict_GetItemString(kwargs, "device") : nullptr;
    PyObject* data = kwargs ? PyDict_GetItemString(kwargs, "data") : nullptr;
    if (type == &TensorType)
      check<TypeError>(!kwargs || PyDict_GET_SIZE(kwargs) == (device != nullptr) + (data != nullptr),
                       "new(): only 'device' and 'data' are keyword arguments of Tensor()");
    const Owned lone = data ? own(PyTuple_Pack(1, data)) : Owned();
    PyObject* given = data && !PyTuple_GET_SIZE(args) ? lone.get() : args;
    const bool plain = !PyTuple_GET_SIZE(given) || !is_tensor(PyTuple_GET_ITEM(given, 0));
    const ModeScope mode(plain ? kGradOff : 0);  // a tensor as data keeps its history
    return wrap_as(type,
                   legacy(given, default_dtype(), device && device != Py_None ? device_of(device) : default_device()));
  });
}

PyMethodDef kConstructionFunctions[] = {
    {"tensor", with_keywords(tensor_function), kKeywords,
     "A new tensor with a copy of data: nested lists, an array, numbers."},
    {"as_tensor", with_keywords(as_tensor_function), kKeywords,
     "A tensor of data, sharing memory with arrays and tensors."},
    {"asarray", with_keywords(asarray_function), kKeywords, "A tensor of data, sharing memory where it can."},
    {"from_numpy", from_numpy_function, METH_O, "A tensor over the memory of a NumPy array."},
    {"frombuffer", with_keywords(frombuffer_function), kKeywords, "A flat tensor over the memory of a buffer."},
    {"_legacy_new", legacy_new, METH_VARARGS, "What FloatTensor(...) and Tensor.new(...) make."},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kConstructionMethods[] = {
    {"new_tensor", with_keywords(new_tensor_method), kKeywords,
     "A tensor with a copy of data and this tensor's dtype and device."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
