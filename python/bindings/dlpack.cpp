// DLPack 1.x in both directions; capsules of version 0 are read, and written for consumers that ask
// for nothing newer.
//
// Structures follow the specification, https://dmlc.github.io/dlpack/latest/.
#include "dlpack.h"

#include <cstring>

#include "module_parts.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

struct DLDevice {
  std::int32_t type, id;
};
struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  struct {
    std::uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(DLManagedTensorVersioned*);
  std::uint64_t flags;
  DLTensor tensor;
};
constexpr std::int32_t kCpuDevice = 1;
constexpr std::uint8_t kIntCode = 0, kUIntCode = 1, kFloatCode = 2, kBFloatCode = 4, kComplexCode = 5, kBoolCode = 6;
constexpr std::uint64_t kReadOnly = 1, kCopied = 2;
constexpr const char* kOld = "dltensor";
constexpr const char* kOldUsed = "used_dltensor";
constexpr const char* kVersioned = "dltensor_versioned";
constexpr const char* kVersionedUsed = "used_dltensor_versioned";

DLDataType type_of(Dtype dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * item_size(dtype));
  if (dtype == Dtype::kBool) return {kBoolCode, 8, 1};
  if (dtype == Dtype::kUInt8) return {kUIntCode, 8, 1};
  if (dtype == Dtype::kBFloat16) return {kBFloatCode, 16, 1};
  if (is_complex(dtype)) return {kComplexCode, bits, 1};
  return {is_floating(dtype) ? kFloatCode : kIntCode, bits, 1};
}
Dtype dtype_of(DLDataType type) {
  check<ValueError>(type.lanes == 1, "from_dlpack: vectors of ", type.lanes, " lanes are not supported");
  for (int i = 0; i < kDtypes; ++i) {
    const DLDataType known = type_of(static_cast<Dtype>(i));
    if (known.code == type.code && known.bits == type.bits) return static_cast<Dtype>(i);
  }
  throw ValueError(str("from_dlpack: elements of type code ", static_cast<int>(type.code), " with ",
                       static_cast<int>(type.bits), " bits are not supported"));
}

// --- out
// --------------------------------------------------------------------------------------------

template <class Managed>
struct Exported {
  Managed managed{};
  Tensor tensor;
  std::vector<std::int64_t> numbers;  // sizes, strides

  static Managed* make(const Tensor& tensor) {
    auto* out = new Exported;
    out->tensor = tensor;
    const auto rank = static_cast<std::size_t>(tensor.dim());
    out->numbers = tensor.sizes().vec();
    for (std::size_t i = 0; i < rank; ++i)
      out->numbers.push_back(tensor.sizes()[i] == 1 ? 1 : tensor.strides()[i]);
    tensor.impl()->storage->exposed = true;
    out->managed.tensor = {tensor.mutable_data<>(),
                           {kCpuDevice, 0},
                           static_cast<std::int32_t>(rank),
                           type_of(tensor.dtype()),
                           out->numbers.data(),
                           out->numbers.data() + rank,
                           0};
    out->managed.context = out;
    out->managed.deleter = [](Managed* managed) { delete static_cast<Exported*>(managed->context); };
    return &out->managed;
  }
};

template <class Managed>
void destroy_capsule(PyObject* capsule) {
  const char* name = PyCapsule_GetName(capsule);
  if (!name || std::strncmp(name, "used_", 5) == 0) return;  // the consumer owns it
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (managed && managed->deleter) managed->deleter(managed);
}

PyObject* to_capsule(const Tensor& tensor, bool versioned, bool copied) {
  if (!versioned) return PyCapsule_New(Exported<DLManagedTensor>::make(tensor), kOld, destroy_capsule<DLManagedTensor>);
  DLManagedTensorVersioned* managed = Exported<DLManagedTensorVersioned>::make(tensor);
  managed->version = {1, 0};
  managed->flags = copied ? kCopied : 0;
  return PyCapsule_New(managed, kVersioned, destroy_capsule<DLManagedTensorVersioned>);
}

void check_exportable(const Tensor& tensor) {
  if (tensor.requires_grad()) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors that require gradient, use tensor.detach()");
    throw PythonError{};
  }
  if (tensor.word() & kComposed) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors with layout other than torch.strided");
    throw PythonError{};
  }
  if (tensor.is_meta()) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors on the meta device: they have no memory");
    throw PythonError{};
  }
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
void give_back(void* context) {
  auto* managed = static_cast<Managed*>(context);
  if (!managed->deleter || !Py_IsInitialized()) return;
  const GilHeld gil;
  managed->deleter(managed);
}

template <class Managed>
Tensor take(PyObject* capsule, const char* name, const char* used) {
  auto* managed = static_cast<Managed*>(PyCapsule_GetPointer(capsule, name));
  if (!managed) throw PythonError{};
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    check<RuntimeError>(managed->version.major <= 1, "from_dlpack: version ", managed->version.major,
                        " is newer than 1");
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>)
    if (managed->flags & kReadOnly)
      need(PyErr_WarnEx(PyExc_UserWarning,
                        "The memory given by DLPack is not writable, and PyTorch does not support "
                        "non-writable tensors: do not write to this tensor, or copy it first.",
                        1));
  const DLTensor& from = managed->tensor;
  check<RuntimeError>(from.device.type == kCpuDevice, "from_dlpack: the memory is on device type ", from.device.type,
                      "; only CPU memory can be shared");
  check(from.ndim >= 0 && from.ndim <= kMaxDims, "from_dlpack: ", from.ndim, " dimensions are not supported");
  const Dtype dtype = dtype_of(from.dtype);
  const IntArray sizes(from.shape, static_cast<std::size_t>(from.ndim));
  std::int64_t last = 0, expected = 1, count = 1;
  for (int i = from.ndim - 1; i >= 0; --i) {
    const std::int64_t step = from.strides ? from.strides[i] : expected;
    check<ValueError>(sizes[static_cast<std::size_t>(i)] >= 0 && (step >= 0 || from.shape[i] <= 1),
                      "from_dlpack: negative sizes and strides are not supported");
    last += (from.shape[i] - 1) * step;
    expected *= from.shape[i];
    count *= from.shape[i];
  }
  char* data = static_cast<char*>(from.data) + from.byte_offset;
  const std::size_t bytes = count ? static_cast<std::size_t>(last + 1) * item_size(dtype) : 0;
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(dtype, thread.modes);
  impl->storage = Storage::borrow(data, bytes, give_back<Managed>, managed);
  impl->storage->exposed = true;
  impl->data = data;
  impl->set_shape(sizes, from.strides);
  PyCapsule_SetName(capsule, used);
  return Tensor(impl);
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
