// NumPy in both directions without a copy, through the buffer protocol; NumPy is imported when
// first asked for.
#include "array_exchange.h"

#include <cstring>

#include "ops/sparse.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"

namespace rushlight::python {
namespace {

constexpr const char* kReadOnly =
    "The given %s is not writable, and PyTorch does not support non-writable tensors. This means "
    "writing to this tensor will "
    "result in undefined behavior. You may want to copy the %s to protect its data or make it "
    "writable before converting it "
    "to a tensor. This type of warning will be suppressed for the rest of this program.";

// Foreign memory that a storage borrows.
struct Borrowed {
  Py_buffer view;
};
void give_back(void* context) {
  if (!Py_IsInitialized()) return;
  const GilHeld gil;
  auto* borrowed = static_cast<Borrowed*>(context);
  PyBuffer_Release(&borrowed->view);
  delete borrowed;
}

class View {
 public:
  explicit View(PyObject* object, int flags) : borrowed_(new Borrowed) {
    if (PyObject_GetBuffer(object, &borrowed_->view, flags) < 0) {
      delete std::exchange(borrowed_, nullptr);
      throw PythonError{};
    }
  }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  ~View() {
    if (borrowed_) give_back(borrowed_);
  }
  const Py_buffer* operator->() const { return &borrowed_->view; }
  // The storage takes over the view.
  Storage* storage(void* data, std::size_t bytes) {
    Storage* storage = Storage::borrow(data, bytes, give_back, borrowed_);
    borrowed_ = nullptr;
    storage->exposed = true;
    return storage;
  }

 private:
  Borrowed* borrowed_;
};

void warn_read_only(const char* what, const char* short_name, bool& warned) {
  if (warned) return;
  warned = true;
  need(PyErr_WarnFormat(PyExc_UserWarning, 1, kReadOnly, what, short_name));
}
bool warned_of_array = false;
bool warned_of_buffer = false;

[[noreturn]] void unsupported(PyObject* array) {
  std::string type = "?";
  Owned dtype(PyObject_GetAttrString(array, "dtype"));
  Owned kind(dtype ? PyObject_GetAttrString(dtype.get(), "type") : nullptr);
  if (kind && PyType_Check(kind.get())) type = reinterpret_cast<PyTypeObject*>(kind.get())->tp_name;
  PyErr_Clear();
  throw TypeError("can't convert np.ndarray of type " + type +
                  ". The only supported types are: float64, float32, float16, complex64, "
                  "complex128, int64, int32, int16, "
                  "int8, uint8, and bool.");
}

Tensor over(Storage* storage, void* data, IntArray sizes, const std::int64_t* strides, Dtype dtype) {
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(dtype, thread.modes);
  impl->storage = storage;
  impl->data = data;
  impl->set_shape(sizes, strides);
  return Tensor(impl);
}

}  // namespace

PyObject* numpy_module() {
  static PyObject* numpy = nullptr;
  if (!numpy && !(numpy = PyImport_ImportModule("numpy"))) {
    PyErr_Clear();
    throw RuntimeError("Numpy is not available");
  }
  return numpy;
}

bool is_numpy_array(PyObject* object) {
  static PyObject* array_type = nullptr;
  if (!array_type) {
    for (PyTypeObject* type = Py_TYPE(object); type; type = type->tp_base)
      if (!std::strcmp(type->tp_name, "numpy.ndarray")) array_type = reinterpret_cast<PyObject*>(type);
    if (!array_type) return false;
    Py_INCREF(array_type);
  }
  return PyObject_TypeCheck(object, reinterpret_cast<PyTypeObject*>(array_type));
}

Tensor from_array(PyObject* array, bool warn_if_read_only) {
  if (PyObject_CheckBuffer(array) == 0) unsupported(array);
  std::optional<View> view;
  try {
    view.emplace(array, PyBUF_FORMAT | PyBUF_STRIDES);
  } catch (const PythonError&) {
    PyErr_Clear();
    unsupported(array);  // strings, objects, dates
  }
  const std::optional<Dtype> dtype = dtype_of_format((*view)->format);
  if (!dtype || static_cast<std::size_t>((*view)->itemsize) != item_size(*dtype)) unsupported(array);
  std::vector<std::int64_t> sizes, strides;
  for (int i = 0; i < (*view)->ndim; ++i) {
    const Py_ssize_t size = (*view)->shape[i], step = (*view)->strides[i];
    check<ValueError>(step >= 0 || size <= 1,
                      "At least one stride in the given numpy array is negative, and tensors with "
                      "negative strides are not "
                      "currently supported. (You can probably work around this by making a copy of "
                      "your array  with "
                      "array.copy().) ");
    check<ValueError>(step % (*view)->itemsize == 0 || size <= 1,
                      "given numpy array strides not a multiple of the element byte size. Copy the "
                      "numpy array to reallocate "
                      "the memory.");
    sizes.push_back(size);
    strides.push_back(step >= 0 ? step / (*view)->itemsize : 1);
  }
  if ((*view)->readonly && warn_if_read_only) warn_read_only("NumPy array", "array", warned_of_array);
  std::int64_t last = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    last += (sizes[i] - 1) * strides[i];
  const bool empty = std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
  const auto bytes = empty ? 0 : static_cast<std::size_t>(last + 1) * item_size(*dtype);
  void* data = (*view)->buf;
  return over(view->storage(data, bytes), data, sizes, strides.data(), *dtype);
}

Tensor from_buffer(PyObject* object, Dtype dtype, std::int64_t count, std::int64_t offset, bool warn_if_read_only) {
  check<TypeError>(PyObject_CheckBuffer(object),
                   "object does not implement Python buffer protocol: ", type_name(object));
  View view(object, PyBUF_SIMPLE);
  const auto item = static_cast<std::int64_t>(item_size(dtype));
  const std::int64_t length = view->len;
  check<ValueError>(length > 0 && count != 0, "both buffer length (", length, ") and count (", count,
                    ") must not be 0");
  check<ValueError>(offset >= 0 && offset < length, "offset (", offset,
                    " bytes) must be non-negative and no greater than "
                    "buffer length (",
                    length, " bytes) minus 1");
  check<ValueError>(count > 0 || (length - offset) % item == 0, "buffer length (", length - offset,
                    " bytes) after offset (", offset, " bytes) must be a multiple of element size (", item, ")");
  if (count < 0) count = (length - offset) / item;
  check<ValueError>(offset + count * item <= length, "requested buffer length (", count, " * ", item,
                    " bytes) after offset (", offset, " bytes) must not be greater than actual buffer length (", length,
                    " bytes)");
  if (view->readonly && warn_if_read_only) warn_read_only("buffer", "buffer", warned_of_buffer);
  char* data = static_cast<char*>(view->buf) + offset;
  return over(view.storage(data, static_cast<std::size_t>(count * item)), data, IntArray{count}, nullptr, dtype);
}

PyObject* to_array(const Tensor& tensor, PyObject* self) {
  if (tensor.word() & kBatched) refuse_memory(tensor, "numpy");
  check<TypeError>(!tensor.is_meta(),
                   "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to "
                   "host memory first.");
  check<TypeError>(!(tensor.word() & kSparse), "can't convert ", layout_title(tensor.layout()),
                   " layout tensor to numpy. Use Tensor.to_dense() first.");
  check(!tensor.requires_grad(),
        "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.");
  check<TypeError>(buffer_format(tensor.dtype()), "Got unsupported ScalarType ", scalar_type_name(tensor.dtype()));
  const Owned view = own(PyMemoryView_FromObject(self));
  static PyObject* const asarray = PyUnicode_InternFromString("asarray");
  return PyObject_CallMethodOneArg(numpy_module(), asarray, view.get());
}

namespace {

PyObject* numpy_method(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"force", nullptr};
  int force = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|$p:numpy", const_cast<char**>(keywords), &force)) return nullptr;
  return guarded([&]() -> PyObject* {
    PyObject* result;
    if (may_be_overridden(self) && method_overridden("numpy", self, args, kwargs, &result)) return result;
    const Tensor& tensor = unwrap(self);
    if (!force || !tensor.requires_grad()) return to_array(tensor, self);
    const Owned plain = own(wrap(tensor.detach()));
    return to_array(unwrap(plain.get()), plain.get());
  });
}

// __array__(dtype=None, copy=None), as NumPy 2 calls it.
PyObject* array_method(PyObject* self, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"dtype", "copy", nullptr};
  PyObject *dtype = Py_None, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:__array__", const_cast<char**>(keywords), &dtype, &copy))
    return nullptr;
  return guarded([&]() -> PyObject* {
    Owned array = own(to_array(unwrap(self), self));
    if (dtype != Py_None) {
      const Owned call = own(PyObject_GetAttrString(array.get(), "astype"));
      const Owned positional = own(PyTuple_Pack(1, dtype));
      const Owned named = own(Py_BuildValue("{sO}", "copy", copy == Py_True ? Py_True : Py_False));
      return PyObject_Call(call.get(), positional.get(), named.get());
    }
    return copy == Py_True ? PyObject_CallMethod(array.get(), "copy", nullptr) : array.release();
  });
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}

}  // namespace

PyMethodDef kArrayMethods[] = {
    {"numpy", with_keywords(numpy_method), METH_VARARGS | METH_KEYWORDS, "A NumPy array over the same memory."},
    {"__array__", with_keywords(array_method), METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
