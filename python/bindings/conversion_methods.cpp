// Methods of Tensor that convert dtype, device or memory format: to, float, cpu, ...
#include "arguments.h"
#include "keyword_text.h"
#include "overridable.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"

namespace rushlight::python {
namespace {

using Values = PyObject* const*;

struct Conversion {
  std::optional<Dtype> dtype;
  std::optional<Device> device;
  std::optional<MemoryFormat> format;
  bool non_blocking = false;
  bool copy = false;
};

// The tensor itself where nothing changes, as the same Python object.
PyObject* convert(PyObject* self, const Conversion& how) {
  const Tensor& tensor = unwrap(self);
  const bool same_dtype = !how.dtype || *how.dtype == tensor.dtype();
  const bool same_device = !how.device || how.device->type == tensor.device().type;
  const bool same_format = !how.format || *how.format == MemoryFormat::kPreserve || tensor.is_contiguous(*how.format);
  if (same_dtype && same_device && same_format && !how.copy) return Py_NewRef(self);
  return wrap(_to_copy(tensor, TensorOptions(how.dtype, how.device), how.non_blocking, how.format));
}

// Reads positional and keyword arguments of `to` and its like, in any of its three forms.
class Reader {
 public:
  Reader(const char* method, Values args, Py_ssize_t count, PyObject* keywords)
      : method_(method), args_(args), count_(count), keywords_(keywords) {}

  PyObject* positional(Py_ssize_t at) const { return at < count_ ? args_[at] : nullptr; }
  PyObject* keyword(const char* name) {
    for (Py_ssize_t i = 0; keywords_ && i < PyTuple_GET_SIZE(keywords_); ++i)
      if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords_, i), name) == 0) {
        ++used_;
        return args_[count_ + i];
      }
    return nullptr;
  }
  bool flag(const char* name, Py_ssize_t position) {
    PyObject* value = positional(position);
    if (!value) value = keyword(name);
    if (!value) return false;
    check<TypeError>(PyBool_Check(value), method_, "(): argument '", name, "' must be bool, not ", type_name(value));
    return value == Py_True;
  }
  std::optional<MemoryFormat> format() {
    PyObject* value = keyword("memory_format");
    if (!value || value == Py_None) return std::nullopt;
    check<TypeError>(is_memory_format(value), method_, "(): argument 'memory_format' must be torch.memory_format, not ",
                     type_name(value));
    return memory_format_of(value);
  }
  void finish(Py_ssize_t most) const {
    const Py_ssize_t named = keywords_ ? PyTuple_GET_SIZE(keywords_) : 0;
    if (count_ <= most && used_ == named) return;
    std::string given;
    for (Py_ssize_t i = 0; i < count_; ++i)
      given += (i ? ", " : "") + std::string(type_name(args_[i]));
    for (Py_ssize_t i = 0; i < named; ++i)
      given += (given.empty() ? "" : ", ") + keyword_text(PyTuple_GET_ITEM(keywords_, i)) + "=" +
               type_name(args_[count_ + i]);
    throw TypeError(std::string(method_) + "() received an invalid combination of arguments - got (" + given +
                    "), but expected one of:\n * (torch.device device = None, torch.dtype dtype = "
                    "None, bool non_blocking = "
                    "False, bool copy = False, *, torch.memory_format memory_format = None)\n * "
                    "(torch.dtype dtype, bool "
                    "non_blocking = False, bool copy = False, *, torch.memory_format memory_format "
                    "= None)\n * (Tensor "
                    "tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format "
                    "memory_format = None)\n");
  }

 private:
  const char* method_;
  Values args_;
  Py_ssize_t count_;
  PyObject* keywords_;
  Py_ssize_t used_ = 0;
};

Conversion read_to(Reader& reader) {
  Conversion how;
  PyObject* first = reader.positional(0);
  PyObject* other = first && is_tensor(first) ? first : first ? nullptr : reader.keyword("other");
  if (other) {
    check<TypeError>(is_tensor(other), "to(): argument 'other' must be Tensor, not ", type_name(other));
    how.dtype = unwrap(other).dtype();
    how.device = unwrap(other).device();
    how.non_blocking = reader.flag("non_blocking", 1);
    how.copy = reader.flag("copy", 2);
    how.format = reader.format();
    reader.finish(3);
    return how;
  }
  Py_ssize_t next = 0;
  PyObject* device = nullptr;
  PyObject* dtype = nullptr;
  if (first && is_dtype_argument(first)) {
    dtype = first;
    next = 1;
  } else if (first && (first == Py_None || is_device_like(first))) {
    device = first;
    next = 1;
    if (PyObject* second = reader.positional(1); second && (second == Py_None || is_dtype_argument(second))) {
      dtype = second;
      next = 2;
    }
  } else if (first) {
    reader.finish(0);
  }
  if (!device) device = reader.keyword("device");
  if (!dtype) dtype = reader.keyword("dtype");
  check<TypeError>(!dtype || dtype == Py_None || is_dtype_argument(dtype),
                   "to(): argument 'dtype' must be torch.dtype, not ", dtype ? type_name(dtype) : "");
  check<TypeError>(!device || device == Py_None || is_device_like(device),
                   "to(): argument 'device' must be torch.device, not ", device ? type_name(device) : "");
  if (dtype && dtype != Py_None) how.dtype = dtype_argument(dtype);
  if (device && device != Py_None) how.device = device_of(device);
  how.non_blocking = reader.flag("non_blocking", next);
  how.copy = reader.flag("copy", next + 1);
  how.format = reader.format();
  if (PyObject* layout = reader.keyword("layout"); layout && layout != Py_None) {
    check<TypeError>(is_layout(layout), "to(): argument 'layout' must be torch.layout");
    layout_of(layout);
  }
  reader.finish(next + 2);
  return how;
}

bool overridden(const char* method, PyObject* self, Values args, Py_ssize_t count, PyObject* keywords,
                PyObject** result) {
  return may_be_overridden(self) && fast_method_overridden(method, self, args, count, keywords, result);
}

PyObject* to(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    PyObject* result;
    if (overridden("to", self, args, count, keywords, &result)) return result;
    Reader reader("to", args, count, keywords);
    return convert(self, read_to(reader));
  });
}

PyObject* cpu(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    PyObject* result;
    if (overridden("cpu", self, args, count, keywords, &result)) return result;
    Reader reader("cpu", args, count, keywords);
    Conversion how;
    how.device = Device(DeviceType::kCpu);
    how.format = reader.format();
    reader.finish(0);
    return convert(self, how);
  });
}

// x.float() and its like, one function for each dtype.
template <Dtype Type, Name kMethod>
PyObject* to_dtype(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    PyObject* result;
    if (overridden(kMethod.text, self, args, count, keywords, &result)) return result;
    Reader reader(kMethod.text, args, count, keywords);
    Conversion how;
    how.dtype = Type;
    how.format = reader.format();
    reader.finish(0);
    return convert(self, how);
  });
}

PyCFunction fast(PyObject* (*method)(PyObject*, Values, Py_ssize_t, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
constexpr int kFast = METH_FASTCALL | METH_KEYWORDS;
template <Dtype Type, Name kMethod>
PyMethodDef row(const char* doc) {
  return {kMethod.text, fast(to_dtype<Type, kMethod>), kFast, doc};
}

}  // namespace

PyMethodDef kConversionMethods[] = {
    {"to", fast(to), kFast, "The tensor with another dtype or device; itself where nothing changes."},
    {"cpu", fast(cpu), kFast, "The tensor on the CPU."},
    row<Dtype::kBool, "bool">("to(torch.bool)"),
    row<Dtype::kUInt8, "byte">("to(torch.uint8)"),
    row<Dtype::kInt8, "char">("to(torch.int8)"),
    row<Dtype::kInt16, "short">("to(torch.int16)"),
    row<Dtype::kInt32, "int">("to(torch.int32)"),
    row<Dtype::kInt64, "long">("to(torch.int64)"),
    row<Dtype::kFloat16, "half">("to(torch.float16)"),
    row<Dtype::kBFloat16, "bfloat16">("to(torch.bfloat16)"),
    row<Dtype::kFloat32, "float">("to(torch.float32)"),
    row<Dtype::kFloat64, "double">("to(torch.float64)"),
    row<Dtype::kComplex32, "chalf">("to(torch.complex32)"),
    row<Dtype::kComplex64, "cfloat">("to(torch.complex64)"),
    row<Dtype::kComplex128, "cdouble">("to(torch.complex128)"),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
