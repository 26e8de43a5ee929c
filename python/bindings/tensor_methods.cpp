// Methods of Tensor that tell about it: sizes, numbers, memory.
#include "autograd/node.h"
#include "batching/batched.h"
#include "keyword_text.h"
#include "number_arguments.h"
#include "overridable.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"

namespace rushlight::python {
namespace {

using Values = PyObject* const*;

// The lone optional argument `name` of a method, by position or keyword; null when missing or None.
PyObject* lone_argument(const char* method, const char* name, Values args, Py_ssize_t count, PyObject* keywords) {
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  check<TypeError>(count + named <= 1, method, "() takes at most 1 argument (", count + named, " given)");
  if (named)
    check<TypeError>(PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, 0), name) == 0, method,
                     "() got an unexpected keyword argument '", keyword_text(PyTuple_GET_ITEM(keywords, 0)), "'");
  return count + named && args[0] != Py_None ? args[0] : nullptr;
}
std::int64_t dim_argument(const char* method, PyObject* value) {
  check<TypeError>(is_int_argument(value), method, "(): argument 'dim' (position 1) must be int, not ",
                   type_name(value));
  return integer_of(value);
}
std::int64_t at_dim(const Tensor& tensor, const std::int64_t* values, std::int64_t dim) {
  const std::int64_t rank = tensor.dim(), span = rank ? rank : 1;
  check<IndexError>(dim >= -span && dim < span, "Dimension out of range (expected to be in range of [", -span, ", ",
                    span - 1, "], but got ", dim, ")");
  check<IndexError>(rank > 0, "Dimension specified as ", dim, " but tensor has no dimensions");
  return values[dim < 0 ? dim + rank : dim];
}

// Sparse tensors have no strides, no order in memory and no address.
void check_strided(const Tensor& tensor, const char* what) {
  check(!(tensor.word() & kSparse) || tensor.layout() == Layout::kSparse, "Sparse ",
        tensor.layout() == Layout::kSparseCsc ? "CSC" : "CSR", " tensors do not have ", what);
}
void check_has_data(const Tensor& tensor, const char* what) {
  if (tensor.word() & kBatched) refuse_memory(tensor, what);
  check(!(tensor.word() & kComposed),
        "Cannot access data pointer of Tensor that doesn't have storage; call .to_dense() on a sparse tensor first");
}

PyObject* size(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    PyObject* dim = lone_argument("size", "dim", args, count, keywords);
    if (!dim) return make_size(tensor.sizes());
    return PyLong_FromLongLong(at_dim(tensor, tensor.impl()->sizes(), dim_argument("size", dim)));
  });
}
PyObject* stride(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check_strided(tensor, "strides");
    PyObject* dim = lone_argument("stride", "dim", args, count, keywords);
    if (!dim) return make_tuple(tensor.strides());
    return PyLong_FromLongLong(at_dim(tensor, tensor.impl()->strides(), dim_argument("stride", dim)));
  });
}
PyObject* dim(PyObject* self, PyObject*) { return PyLong_FromLongLong(unwrap(self).dim()); }
PyObject* numel(PyObject* self, PyObject*) { return PyLong_FromLongLong(unwrap(self).numel()); }
PyObject* element_size(PyObject* self, PyObject*) { return PyLong_FromSize_t(unwrap(self).itemsize()); }
PyObject* data_ptr(PyObject* self, PyObject*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check_has_data(tensor, "data_ptr");
    tensor.impl()->storage->exposed = true;
    return PyLong_FromVoidPtr(tensor.is_meta() || !tensor.numel() ? nullptr : tensor.mutable_data<>());
  });
}
PyObject* storage_offset(PyObject* self, PyObject*) {
  return PyLong_FromLongLong(batching::innermost(unwrap(self)).storage_offset());
}
PyObject* is_contiguous(PyObject* self, Values args, Py_ssize_t count, PyObject* keywords) {
  return guarded([&] {
    check_strided(unwrap(self), "is_contiguous");
    PyObject* format = lone_argument("is_contiguous", "memory_format", args, count, keywords);
    if (!format) return PyBool_FromLong(unwrap(self).is_contiguous());
    check<TypeError>(is_memory_format(format),
                     "is_contiguous(): argument 'memory_format' must be torch.memory_format, not ", type_name(format));
    return PyBool_FromLong(unwrap(self).is_contiguous(memory_format_of(format)));
  });
}
PyObject* is_floating_point(PyObject* self, PyObject*) { return PyBool_FromLong(is_floating(unwrap(self).dtype())); }
PyObject* is_complex_method(PyObject* self, PyObject*) { return PyBool_FromLong(is_complex(unwrap(self).dtype())); }
PyObject* is_signed_method(PyObject* self, PyObject*) { return PyBool_FromLong(is_signed(unwrap(self).dtype())); }
PyObject* is_inference(PyObject* self, PyObject*) { return PyBool_FromLong(unwrap(self).is_inference()); }
PyObject* is_view(PyObject* self, PyObject*) { return PyBool_FromLong(unwrap(self).impl()->base != nullptr); }
PyObject* never(PyObject*, PyObject*) { Py_RETURN_FALSE; }
PyObject* get_device(PyObject*, PyObject*) { return PyLong_FromLong(-1); }
PyObject* itself(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* is_set_to(PyObject* self, PyObject* other) {
  return guarded([&] {
    check<TypeError>(is_tensor(other), "is_set_to(): argument 'tensor' (position 1) must be Tensor, not ",
                     type_name(other));
    const Tensor &a = unwrap(self), &b = unwrap(other);
    return PyBool_FromLong(a.impl()->storage == b.impl()->storage && a.storage_offset() == b.storage_offset() &&
                           a.sizes() == b.sizes() && a.strides() == b.strides());
  });
}

PyObject* item(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* { return wrap_number(unwrap(self).item()); });
}

// Nested lists, straight from memory.
template <class T>
PyObject* to_list(const TensorImpl* impl, const T* data, std::int32_t depth) {
  if (depth == impl->dim) return wrap_number(Scalar(*data));
  const std::int64_t count = impl->sizes()[depth], step = impl->strides()[depth];
  Owned list(PyList_New(count));
  for (std::int64_t i = 0; list && i < count; ++i) {
    PyObject* element = to_list(impl, data + i * step, depth + 1);
    if (!element) return nullptr;
    PyList_SET_ITEM(list.get(), i, element);
  }
  return list.release();
}
PyObject* tolist(PyObject* self, PyObject*) {
  return guarded([&]() -> PyObject* {
    const Tensor& tensor = unwrap(self);
    check_has_data(tensor, "tolist");
    check<NotImplementedError>(!tensor.is_meta(), "tolist: Cannot copy out of meta tensor; no data!");
    return visit_numbers(tensor.dtype(),
                         [&](auto zero) { return to_list(tensor.impl(), tensor.data<decltype(zero)>(), 0); });
  });
}
PyObject* to_complex_number(PyObject* self, PyObject*) {
  return guarded([&] {
    check<ValueError>(unwrap(self).numel() == 1, "only one element tensors can be converted to Python scalars");
    const auto value = unwrap(self).item().to<std::complex<double>>();
    return PyComplex_FromDoubles(value.real(), value.imag());
  });
}

template <PyObject* (*Method)(PyObject*, Values, Py_ssize_t, PyObject*)>
PyCFunction fast() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Method));
}
constexpr int kFast = METH_FASTCALL | METH_KEYWORDS;

}  // namespace

PyMethodDef kBasicMethods[] = {
    {"size", fast<overridable<"size", size>>(), kFast, "Sizes of all dimensions, or of one."},
    {"stride", fast<overridable<"stride", stride>>(), kFast,
     "Steps in memory, in elements, of all dimensions, or of one."},
    {"dim", overridable<"dim", dim>, METH_NOARGS, "Number of dimensions."},
    {"ndimension", overridable<"ndimension", dim>, METH_NOARGS, "Number of dimensions."},
    {"numel", overridable<"numel", numel>, METH_NOARGS, "Number of elements."},
    {"nelement", overridable<"nelement", numel>, METH_NOARGS, "Number of elements."},
    {"element_size", overridable<"element_size", element_size>, METH_NOARGS, "Bytes of one element."},
    {"data_ptr", overridable<"data_ptr", data_ptr>, METH_NOARGS, "Address of the first element."},
    {"const_data_ptr", overridable<"const_data_ptr", data_ptr>, METH_NOARGS, "Address of the first element."},
    {"storage_offset", overridable<"storage_offset", storage_offset>, METH_NOARGS,
     "Position of the first element in the memory it shares, in elements."},
    {"is_contiguous", fast<overridable<"is_contiguous", is_contiguous>>(), kFast,
     "Whether elements follow one another in memory, in order."},
    {"is_floating_point", overridable<"is_floating_point", is_floating_point>, METH_NOARGS,
     "Whether elements are real floating point numbers."},
    {"is_complex", overridable<"is_complex", is_complex_method>, METH_NOARGS, "Whether elements are complex."},
    {"is_signed", overridable<"is_signed", is_signed_method>, METH_NOARGS, "Whether elements can be negative."},
    {"is_inference", overridable<"is_inference", is_inference>, METH_NOARGS,
     "Whether the tensor was made in inference mode."},
    {"_is_view", is_view, METH_NOARGS, "Whether the tensor looks at the memory of another."},
    {"_is_zerotensor", never, METH_NOARGS, "Whether the tensor is a zero without memory: never."},
    {"is_conj", never, METH_NOARGS, "Whether conjugation is pending: never, it is done at once."},
    {"is_neg", never, METH_NOARGS, "Whether negation is pending: never, it is done at once."},
    {"is_pinned", never, METH_VARARGS, "Whether the memory is page-locked: never."},
    {"has_names", never, METH_NOARGS, "Whether dimensions have names: never."},
    {"get_device", overridable<"get_device", get_device>, METH_NOARGS, "Index of the device: -1 for the CPU."},
    {"is_set_to", overridable<"is_set_to", is_set_to>, METH_O,
     "Whether both tensors look at the same memory in the same way."},
    {"resolve_conj", overridable<"resolve_conj", itself>, METH_NOARGS, "The tensor: conjugation is never pending."},
    {"resolve_neg", overridable<"resolve_neg", itself>, METH_NOARGS, "The tensor: negation is never pending."},
    {"item", overridable<"item", item>, METH_NOARGS, "The only element as a number."},
    {"tolist", overridable<"tolist", tolist>, METH_NOARGS, "Nested lists of numbers; a 0-dim tensor as a number."},
    {"__complex__", overridable<"__complex__", to_complex_number>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
