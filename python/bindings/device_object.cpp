// torch.device: a name and an index. Naming a device is free; only cpu and meta can hold tensors.
#include <cstring>
#include <vector>

#include "type_objects.h"

namespace rushlight::python {

PyTypeObject DeviceObjectType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.device"};

namespace {

constexpr const char* kDeviceNames[] = {"cpu",    "cuda", "ipu",  "xpu",  "mkldnn", "opengl",       "opencl",
                                        "ideep",  "hip",  "ve",   "fpga", "maia",   "xla",          "lazy",
                                        "vulkan", "mps",  "meta", "hpu",  "mtia",   "privateuseone"};
constexpr int kCpuKind = 0, kCudaKind = 1, kXpuKind = 3, kMetaKind = 16;

struct Parsed {
  int kind;
  int index;
};

Parsed parse(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view head = text.substr(0, colon);
  int kind = -1;
  for (int i = 0; i < static_cast<int>(std::size(kDeviceNames)); ++i)
    if (head == kDeviceNames[i]) kind = i;
  if (kind < 0) {
    std::string names;
    for (const char* each : kDeviceNames)
      names += (names.empty() ? "" : ", ") + std::string(each);
    throw RuntimeError("Expected one of " + names + " device type at start of device string: " + std::string(head));
  }
  if (colon == std::string_view::npos) return {kind, -1};
  const std::string_view digits = text.substr(colon + 1);
  const bool canonical = !digits.empty() && digits.size() < 4 && (digits.size() == 1 || digits[0] != '0') &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos;
  const int index = canonical ? std::stoi(std::string(digits)) : -1;
  if (!canonical || index > 127) throw RuntimeError("Invalid device string: '" + std::string(text) + "'");
  return {kind, index};
}

std::string_view text_of(PyObject* object) {
  Py_ssize_t size;
  const char* data = PyUnicode_AsUTF8AndSize(object, &size);
  if (!data) throw PythonError{};
  return {data, static_cast<std::size_t>(size)};
}

Parsed parsed_of(PyObject* object) {
  if (is_device(object)) {
    const auto* device = reinterpret_cast<DeviceObject*>(object);
    return {device->kind, device->index};
  }
  if (PyUnicode_Check(object)) return parse(text_of(object));
  throw RuntimeError("Cannot access accelerator device when none is available.");  // a lone index
}

PyObject* make(int kind, int index) {
  auto* device = PyObject_New(DeviceObject, &DeviceObjectType);
  if (!device) return nullptr;
  device->kind = static_cast<std::uint8_t>(kind);
  device->index = static_cast<std::int16_t>(index);
  return reinterpret_cast<PyObject*>(device);
}

PyObject* new_device(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  return guarded([&]() -> PyObject* {
    const Py_ssize_t count = PyTuple_GET_SIZE(args);
    const auto argument = [&](Py_ssize_t position, const char* keyword) -> PyObject* {
      if (position < count) return PyTuple_GET_ITEM(args, position);
      return kwargs ? PyDict_GetItemString(kwargs, keyword) : nullptr;
    };
    PyObject* first = argument(0, "type");
    if (!first) first = argument(0, "device");
    PyObject* index = argument(1, "index");
    const bool index_fits = !index || (PyLong_Check(index) && first && PyUnicode_Check(first));
    if (!first || count > 2 || !is_device_like(first) || !index_fits)
      throw TypeError(
          "device() received an invalid combination of arguments, but expected one of:\n"
          " * (torch.device device)\n * (str type, int index = -1)");
    Parsed parsed = parsed_of(first);
    if (index) {
      if (parsed.index >= 0)
        throw RuntimeError("type (string) must not include an index because index was passed explicitly: " +
                           std::string(text_of(first)));
      const long value = PyLong_AsLong(index);
      if (value < -1 || value > 127)
        throw RuntimeError("Device index must be between 0 and 127, got " + std::to_string(value));
      parsed.index = static_cast<int>(value);
    }
    return make(parsed.kind, parsed.index);
  });
}

PyObject* text(PyObject* self) {
  const auto* device = reinterpret_cast<DeviceObject*>(self);
  if (device->index < 0) return PyUnicode_FromString(kDeviceNames[device->kind]);
  return PyUnicode_FromFormat("%s:%d", kDeviceNames[device->kind], device->index);
}
PyObject* repr(PyObject* self) {
  const auto* device = reinterpret_cast<DeviceObject*>(self);
  if (device->index < 0) return PyUnicode_FromFormat("device(type='%s')", kDeviceNames[device->kind]);
  return PyUnicode_FromFormat("device(type='%s', index=%d)", kDeviceNames[device->kind], device->index);
}
Py_hash_t hash(PyObject* self) {
  const auto* device = reinterpret_cast<DeviceObject*>(self);
  return device->kind * 1000 + device->index + 2;
}
PyObject* compare(PyObject* a, PyObject* b, int op) {
  if (!is_device(a) || !is_device(b)) Py_RETURN_NOTIMPLEMENTED;
  const auto* x = reinterpret_cast<DeviceObject*>(a);
  const auto* y = reinterpret_cast<DeviceObject*>(b);
  const int left = x->kind * 1000 + x->index, right = y->kind * 1000 + y->index;
  Py_RETURN_RICHCOMPARE(left, right, op);
}
PyObject* get_type(PyObject* self, void*) {
  return PyUnicode_InternFromString(kDeviceNames[reinterpret_cast<DeviceObject*>(self)->kind]);
}
PyObject* get_index(PyObject* self, void*) {
  const int index = reinterpret_cast<DeviceObject*>(self)->index;
  if (index < 0) Py_RETURN_NONE;
  return PyLong_FromLong(index);
}
PyGetSetDef kAttributes[] = {
    {"type", get_type, nullptr, "Name of the kind of device.", nullptr},
    {"index", get_index, nullptr, "Which of several, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyObject* make_device(PyObject*, PyObject* args) { return new_device(&DeviceObjectType, args, nullptr); }
PyObject* reduce(PyObject* self, PyObject*) {
  Owned module(PyImport_ImportModule("rushlight._C"));
  if (!module) return nullptr;
  Owned maker(PyObject_GetAttrString(module.get(), "_make_device"));
  Owned description(text(self));
  return maker && description ? Py_BuildValue("O(O)", maker.get(), description.get()) : nullptr;
}
PyObject* copy(PyObject* self, PyObject*) { return Py_NewRef(self); }

// `with torch.device("meta"):` makes it the default for its extent.
std::vector<Device> defaults;
PyObject* enter(PyObject* self, PyObject*) {
  return guarded([&] {
    const Device device = device_of(self);
    defaults.push_back(default_device());
    set_default_device(device);
    return Py_NewRef(self);
  });
}
PyObject* leave(PyObject*, PyObject*) {
  if (!defaults.empty()) {
    set_default_device(defaults.back());
    defaults.pop_back();
  }
  Py_RETURN_NONE;
}
PyMethodDef kMethods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr}, {"__copy__", copy, METH_NOARGS, nullptr},
    {"__deepcopy__", copy, METH_O, nullptr},      {"__enter__", enter, METH_NOARGS, nullptr},
    {"__exit__", leave, METH_VARARGS, nullptr},   {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kFunctions[] = {
    {"_make_device", make_device, METH_VARARGS, "torch.device, under a name that any process can import."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool is_device_like(PyObject* object) {
  return is_device(object) || PyUnicode_Check(object) || (PyLong_Check(object) && !PyBool_Check(object));
}

Device device_of(PyObject* object) {
  const Parsed parsed = parsed_of(object);
  if (parsed.kind == kCpuKind) return {DeviceType::kCpu, parsed.index};
  if (parsed.kind == kMetaKind) return {DeviceType::kMeta, parsed.index};
  const char* name = kDeviceNames[parsed.kind];
  if (parsed.kind == kCudaKind || parsed.kind == kXpuKind) {
    PyErr_Format(PyExc_AssertionError,
                 "Torch not compiled with %s enabled (rushlight computes on the CPU; use device='cpu')",
                 parsed.kind == kCudaKind ? "CUDA" : "XPU");
    throw PythonError{};
  }
  throw NotImplementedError(std::string("device ") + name + ": tensors can be on cpu and meta only; use device='cpu'");
}

PyObject* wrap(Device device) { return make(device.is_meta() ? kMetaKind : kCpuKind, device.index); }

bool setup_devices(PyObject* module) {
  DeviceObjectType.tp_basicsize = sizeof(DeviceObject);
  DeviceObjectType.tp_flags = Py_TPFLAGS_DEFAULT;
  DeviceObjectType.tp_new = new_device;
  DeviceObjectType.tp_repr = repr;
  DeviceObjectType.tp_str = text;
  DeviceObjectType.tp_hash = hash;
  DeviceObjectType.tp_richcompare = compare;
  DeviceObjectType.tp_methods = kMethods;
  DeviceObjectType.tp_getset = kAttributes;
  DeviceObjectType.tp_doc = "Where tensors are: device('cpu'), device('cuda', 0).";
  return PyType_Ready(&DeviceObjectType) == 0 &&
         PyModule_AddObjectRef(module, "device", reinterpret_cast<PyObject*>(&DeviceObjectType)) == 0 &&
         PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace rushlight::python
