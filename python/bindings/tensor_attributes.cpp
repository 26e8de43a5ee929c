// Attributes of Tensor that are not operators.
#include "autograd/node.h"
#include "node_object.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

PyObject* get_shape(PyObject* self, void*) { return make_size(unwrap(self).sizes()); }
PyObject* get_dtype(PyObject* self, void*) { return wrap(unwrap(self).dtype()); }
PyObject* get_device(PyObject* self, void*) { return wrap(unwrap(self).device()); }
PyObject* get_layout(PyObject* self, void*) { return wrap(unwrap(self).layout()); }
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLongLong(unwrap(self).dim()); }
PyObject* get_itemsize(PyObject* self, void*) { return PyLong_FromSize_t(unwrap(self).itemsize()); }
PyObject* get_is_sparse(PyObject* self, void*) { return PyBool_FromLong(unwrap(self).is_sparse()); }
PyObject* get_is_sparse_csr(PyObject* self, void*) { return PyBool_FromLong(unwrap(self).is_sparse_csr()); }
PyObject* get_nbytes(PyObject* self, void*) {
  if (unwrap(self).is_sparse())
    return guarded([]() -> PyObject* {
      throw RuntimeError(
          "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, add the nbytes "
          "of the indices and values.  If you want the size of the  equivalent dense tensor, multiply numel() by "
          "element_size()");
    });
  return PyLong_FromLongLong(unwrap(self).numel() * static_cast<long long>(unwrap(self).itemsize()));
}

PyObject* get_requires_grad(PyObject* self, void*) { return PyBool_FromLong(unwrap(self).requires_grad()); }
int set_requires_grad(PyObject* self, PyObject* value, void*) {
  return guarded_status([&] {
    check<RuntimeError>(value && PyBool_Check(value), "requires_grad must be a bool");
    Tensor(unwrap(self)).set_requires_grad(value == Py_True);
    return 0;
  });
}
PyObject* get_is_leaf(PyObject* self, void*) {
  return guarded([&] { return PyBool_FromLong(unwrap(self).is_leaf()); });
}
PyObject* get_grad(PyObject* self, void*) { return wrap(unwrap(self).grad()); }
int set_grad(PyObject* self, PyObject* value, void*) {
  return guarded_status([&] {
    const bool none = !value || value == Py_None;
    check<TypeError>(none || is_tensor(value), "assigned grad expected to be a Tensor or None but got grad of type ",
                     none ? "" : type_name(value));
    unwrap(self).set_grad(none ? Tensor() : unwrap(value));
    return 0;
  });
}
PyObject* get_grad_fn(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    if (unwrap(self).is_leaf()) Py_RETURN_NONE;  // also renews the history of a view
    return wrap_node(unwrap(self).impl()->grad_fn);
  });
}
PyObject* get_output_number(PyObject* self, void*) { return PyLong_FromUnsignedLong(unwrap(self).impl()->output); }
PyObject* get_version(PyObject* self, void*) { return PyLong_FromUnsignedLong(unwrap(self).version()); }
PyObject* get_base(PyObject* self, void*) {
  TensorImpl* base = unwrap(self).impl()->base;
  if (!base) Py_RETURN_NONE;
  base->retain();
  return wrap(Tensor(base));
}
PyObject* get_retains_grad(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    return PyBool_FromLong(!tensor.is_leaf() && tensor.impl()->meta && tensor.impl()->meta->retain_id);
  });
}

PyObject* get_data(PyObject* self, void*) {
  return guarded([&] { return wrap(unwrap(self).variable_data()); });
}
int set_data(PyObject* self, PyObject* value, void*) {
  return guarded_status([&] {
    check<TypeError>(value && is_tensor(value), "Variable data has to be a tensor, but got ",
                     value ? type_name(value) : "nothing");
    check(unwrap(self).is_meta() == unwrap(value).is_meta(),
          "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have "
          "incompatible tensor type.");
    unwrap(self).set_data(unwrap(value));
    return 0;
  });
}

PyObject* get_real(PyObject* self, void*) {
  return guarded([&] { return is_complex(unwrap(self).dtype()) ? wrap(real(unwrap(self))) : Py_NewRef(self); });
}
PyObject* get_imag(PyObject* self, void*) {
  return guarded([&] {
    check(is_complex(unwrap(self).dtype()), "imag is not implemented for tensors with non-complex dtypes.");
    return wrap(imag(unwrap(self)));
  });
}
// `x.real = y` and `x.imag = y`.
template <PyObject* (*Get)(PyObject*, void*)>
int set_part(PyObject* self, PyObject* value, void*) {
  return guarded_status([&] {
    check<TypeError>(value && is_tensor(value), "the real and imaginary parts can be set to a Tensor only");
    const Owned part = own(Get(self, nullptr));
    copy_(unwrap(part.get()), unwrap(value));
    return 0;
  });
}

Tensor reversed(const Tensor& tensor) {
  std::vector<std::int64_t> dims;
  for (std::int64_t i = tensor.dim(); i-- > 0;)
    dims.push_back(i);
  return permute(tensor, dims);
}
PyObject* get_T(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    if (tensor.dim() > 2)
      need(PyErr_WarnFormat(PyExc_UserWarning, 1,
                            "The use of `x.T` on tensors of dimension other than 2 to reverse "
                            "their shape is deprecated; use "
                            "`x.mT` to transpose batches of matrices or "
                            "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to "
                            "reverse the dimensions."));
    return wrap(reversed(tensor));
  });
}
PyObject* get_mT(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check(tensor.dim() >= 2, "tensor.mT is only supported on matrices or batches of matrices. Got ", tensor.dim(),
          "-D tensor.");
    return wrap(transpose(tensor, -2, -1));
  });
}
Tensor adjoint_of(const Tensor& tensor) {
  const Tensor swapped = transpose(tensor, -2, -1);
  return is_complex(tensor.dtype()) ? conj(swapped) : swapped;
}
PyObject* get_H(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check(tensor.dim() == 0 || tensor.dim() == 2, "tensor.H is only supported on matrices (2-D tensors). Got ",
          tensor.dim(), "-D tensor.", tensor.dim() > 2 ? " For batches of matrices, consider using tensor.mH" : "");
    return tensor.dim() ? wrap(adjoint_of(tensor)) : Py_NewRef(self);
  });
}
PyObject* get_mH(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = unwrap(self);
    check(tensor.dim() >= 2, "tensor.mH is only supported on matrices or batches of matrices. Got ", tensor.dim(),
          "-D tensor.");
    return wrap(adjoint_of(tensor));
  });
}

PyObject* get_false(PyObject*, void*) { Py_RETURN_FALSE; }
PyObject* get_none(PyObject*, void*) { Py_RETURN_NONE; }
PyObject* get_is_cpu(PyObject* self, void*) { return PyBool_FromLong(!unwrap(self).is_meta()); }
PyObject* get_is_meta(PyObject* self, void*) { return PyBool_FromLong(unwrap(self).is_meta()); }
PyObject* get_address(PyObject* self, void*) { return PyLong_FromVoidPtr(unwrap(self).impl()); }

PyObject* get_dict(PyObject* self, void* context) {
  PyObject* dict = PyObject_GenericGetDict(self, context);
  if (dict) track(self);
  return dict;
}

}  // namespace

PyGetSetDef kTensorAttributes[] = {
    {"shape", get_shape, nullptr, "Sizes of all dimensions.", nullptr},
    {"dtype", get_dtype, nullptr, "Element type.", nullptr},
    {"device", get_device, nullptr, "Where the memory is.", nullptr},
    {"layout", get_layout, nullptr, "How elements lie in memory.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of one element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"requires_grad", get_requires_grad, set_requires_grad, "Whether gradients are computed.", nullptr},
    {"is_leaf", get_is_leaf, nullptr, "Whether the tensor was made by the user, not by a recorded operation.", nullptr},
    {"grad", get_grad, set_grad, "The accumulated gradient, or None.", nullptr},
    {"_grad", get_grad, set_grad, "See `grad`.", nullptr},
    {"grad_fn", get_grad_fn, nullptr, "The node that made this tensor, or None for a leaf.", nullptr},
    {"_grad_fn", get_grad_fn, nullptr, "See `grad_fn`.", nullptr},
    {"output_nr", get_output_number, nullptr, "Which output of `grad_fn` this is.", nullptr},
    {"_version", get_version, nullptr, "Number of changes in place.", nullptr},
    {"_base", get_base, nullptr, "The tensor that this one is a view of, or None.", nullptr},
    {"retains_grad", get_retains_grad, nullptr, "Whether `retain_grad` was called on a tensor that is no leaf.",
     nullptr},
    {"data", get_data, set_data, "The same memory without history.", nullptr},
    {"real", get_real, set_part<get_real>, "The real part.", nullptr},
    {"imag", get_imag, set_part<get_imag>, "The imaginary part.", nullptr},
    {"T", get_T, nullptr, "The dimensions in reverse order.", nullptr},
    {"mT", get_mT, nullptr, "The last two dimensions swapped.", nullptr},
    {"H", get_H, nullptr, "The matrix transposed and conjugated.", nullptr},
    {"mH", get_mH, nullptr, "The last two dimensions swapped, conjugated.", nullptr},
    {"is_cpu", get_is_cpu, nullptr, "Whether the memory is on the CPU.", nullptr},
    {"is_meta", get_is_meta, nullptr, "Whether the tensor is a shape without data.", nullptr},
    {"is_cuda", get_false, nullptr, "Whether the memory is on a CUDA device.", nullptr},
    {"is_mps", get_false, nullptr, "Whether the memory is on an MPS device.", nullptr},
    {"is_xpu", get_false, nullptr, "Whether the memory is on an XPU device.", nullptr},
    {"is_xla", get_false, nullptr, "Whether the memory is on an XLA device.", nullptr},
    {"is_ipu", get_false, nullptr, "Whether the memory is on an IPU device.", nullptr},
    {"is_hpu", get_false, nullptr, "Whether the memory is on an HPU device.", nullptr},
    {"is_mtia", get_false, nullptr, "Whether the memory is on an MTIA device.", nullptr},
    {"is_maia", get_false, nullptr, "Whether the memory is on a MAIA device.", nullptr},
    {"is_vulkan", get_false, nullptr, "Whether the memory is on a Vulkan device.", nullptr},
    {"is_mkldnn", get_false, nullptr, "Whether the layout is that of MKL-DNN.", nullptr},
    {"is_sparse", get_is_sparse, nullptr, "Whether the layout is sparse_coo.", nullptr},
    {"is_sparse_csr", get_is_sparse_csr, nullptr, "Whether the layout is sparse_csr.", nullptr},
    {"is_quantized", get_false, nullptr, "Whether elements are quantised.", nullptr},
    {"is_nested", get_false, nullptr, "Whether the tensor is a nested one.", nullptr},
    {"_has_symbolic_sizes_strides", get_false, nullptr, "Whether sizes are symbols.", nullptr},
    {"_backward_hooks", get_none, nullptr, "Hooks are kept by the graph: always None.", nullptr},
    {"name", get_none, nullptr, "Always None.", nullptr},
    {"volatile", get_false, nullptr, "Without effect.", nullptr},
    {"_cdata", get_address, nullptr, "Address of the tensor's header.", nullptr},
    {"__dict__", get_dict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace rushlight::python
