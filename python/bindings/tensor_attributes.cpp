// Attributes of Tensor that are not operators.
#include "autograd/node.h"
#include "batching/batched.h"
#include "node_object.h"
#include "overridable.h"
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
    const Tensor& tensor = batching::innermost(unwrap(self));
    if (tensor.is_leaf()) Py_RETURN_NONE;  // also renews the history of a view
    return wrap_node(tensor.impl()->grad_fn);
  });
}
PyObject* get_output_number(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(batching::innermost(unwrap(self)).impl()->output);
}
PyObject* get_version(PyObject* self, void*) {
  return guarded([&] {
    check(!unwrap(self).is_inference(), "Inference tensors do not track version counter.");
    return PyLong_FromUnsignedLong(unwrap(self).version());
  });
}
PyObject* get_base(PyObject* self, void*) {
  TensorImpl* base = unwrap(self).impl()->base;
  if (!base) Py_RETURN_NONE;
  base->retain();
  return wrap(Tensor(base));
}
PyObject* get_retains_grad(PyObject* self, void*) {
  return guarded([&] {
    const Tensor& tensor = batching::innermost(unwrap(self));
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
    if ((unwrap(self).word() | unwrap(value).word()) & kBatched)
      batching::need_samples("vmap: assigning .data is for one sample");
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
    if (tensor.dim() == 0)
      need(PyErr_WarnFormat(PyExc_UserWarning, 1,
                            "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases."));
    else if (tensor.dim() != 2)
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
  return guarded([&] { return wrap(mT(unwrap(self))); });
}
PyObject* get_H(PyObject* self, void*) {
  return guarded([&] { return wrap(matrix_H(unwrap(self))); });
}
PyObject* get_mH(PyObject* self, void*) {
  return guarded([&] { return wrap(mH(unwrap(self))); });
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

template <PyObject* (*Get)(PyObject*, void*)>
PyGetSetDef read(const char* name, const char* doc) {
  return {name, overridable_get<Get>, nullptr, doc, const_cast<char*>(name)};
}
template <PyObject* (*Get)(PyObject*, void*), int (*Set)(PyObject*, PyObject*, void*)>
PyGetSetDef changed(const char* name, const char* doc) {
  return {name, overridable_get<Get>, overridable_set<Set>, doc, const_cast<char*>(name)};
}

}  // namespace

PyGetSetDef kTensorAttributes[] = {
    read<get_shape>("shape", "Sizes of all dimensions."),
    read<get_dtype>("dtype", "Element type."),
    read<get_device>("device", "Where the memory is."),
    read<get_layout>("layout", "How elements lie in memory."),
    read<get_ndim>("ndim", "Number of dimensions."),
    read<get_itemsize>("itemsize", "Bytes of one element."),
    read<get_nbytes>("nbytes", "Bytes of all elements."),
    changed<get_requires_grad, set_requires_grad>("requires_grad", "Whether gradients are computed."),
    read<get_is_leaf>("is_leaf", "Whether the tensor was made by the user, not by a recorded operation."),
    changed<get_grad, set_grad>("grad", "The accumulated gradient, or None."),
    changed<get_grad, set_grad>("_grad", "See `grad`."),
    read<get_grad_fn>("grad_fn", "The node that made this tensor, or None for a leaf."),
    read<get_grad_fn>("_grad_fn", "See `grad_fn`."),
    read<get_output_number>("output_nr", "Which output of `grad_fn` this is."),
    read<get_version>("_version", "Number of changes in place."),
    read<get_base>("_base", "The tensor that this one is a view of, or None."),
    read<get_retains_grad>("retains_grad", "Whether `retain_grad` was called on a tensor that is no leaf."),
    changed<get_data, set_data>("data", "The same memory without history."),
    changed<get_real, set_part<get_real>>("real", "The real part."),
    changed<get_imag, set_part<get_imag>>("imag", "The imaginary part."),
    read<get_T>("T", "The dimensions in reverse order."),
    read<get_mT>("mT", "The last two dimensions swapped."),
    read<get_H>("H", "The matrix transposed and conjugated."),
    read<get_mH>("mH", "The last two dimensions swapped, conjugated."),
    read<get_is_cpu>("is_cpu", "Whether the memory is on the CPU."),
    read<get_is_meta>("is_meta", "Whether the tensor is a shape without data."),
    read<get_false>("is_cuda", "Whether the memory is on a CUDA device."),
    read<get_false>("is_mps", "Whether the memory is on an MPS device."),
    read<get_false>("is_xpu", "Whether the memory is on an XPU device."),
    read<get_false>("is_xla", "Whether the memory is on an XLA device."),
    read<get_false>("is_ipu", "Whether the memory is on an IPU device."),
    read<get_false>("is_hpu", "Whether the memory is on an HPU device."),
    read<get_false>("is_mtia", "Whether the memory is on an MTIA device."),
    read<get_false>("is_maia", "Whether the memory is on a MAIA device."),
    read<get_false>("is_vulkan", "Whether the memory is on a Vulkan device."),
    read<get_false>("is_mkldnn", "Whether the layout is that of MKL-DNN."),
    read<get_is_sparse>("is_sparse", "Whether the layout is sparse_coo."),
    read<get_is_sparse_csr>("is_sparse_csr", "Whether the layout is sparse_csr."),
    read<get_false>("is_quantized", "Whether elements are quantised."),
    read<get_false>("is_nested", "Whether the tensor is a nested one."),
    {"_has_symbolic_sizes_strides", get_false, nullptr, "Whether sizes are symbols.", nullptr},
    {"_backward_hooks", get_none, nullptr, "Hooks are kept by the graph: always None.", nullptr},
    read<get_none>("name", "Always None."),
    read<get_false>("volatile", "Without effect."),
    {"_cdata", get_address, nullptr, "Address of the tensor's header.", nullptr},
    {"__dict__", get_dict, PyObject_GenericSetDict, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace rushlight::python
