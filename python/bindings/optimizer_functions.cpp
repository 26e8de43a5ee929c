// Whole optimizer steps over lists of tensors. They return False, with nothing changed, where the
// operation by operation loop of the caller has to do it.
#include <array>

#include "errors.h"
#include "module_parts.h"
#include "ops/kernels/optim.h"
#include "tensor_object.h"

namespace rushlight::python {
namespace {

constexpr Word kSpecial = kTorchFunction | kMeta | kTangent | kComposed;

// Lists of equal length: parameter, gradient and state of each step.
template <std::size_t N>
using Lists = std::array<PyObject*, N>;

const Tensor& tensor_at(PyObject* list, Py_ssize_t i) { return unwrap(PyList_GET_ITEM(list, i)); }

bool is_plain(PyObject* object, Word excluded) {
  return is_tensor(object) && !(unwrap(object).word() & excluded) && unwrap(object).word() & kContiguous;
}

// Whether the tensors at `i` are dense, of one shape and one of the two dtypes, and apart in memory.
template <std::size_t N>
bool fits(const Lists<N>& lists, Py_ssize_t i) {
  for (std::size_t k = 0; k < N; ++k)
    if (!is_plain(PyList_GET_ITEM(lists[k], i), k == 1 ? kSpecial : kSpecial | kView | kInference)) return false;
  const Tensor& param = tensor_at(lists[0], i);
  if (param.dtype() != Dtype::kFloat32 && param.dtype() != Dtype::kFloat64) return false;
  for (std::size_t k = 1; k < N; ++k) {
    const Tensor& tensor = tensor_at(lists[k], i);
    if (tensor.dtype() != param.dtype() || tensor.sizes() != param.sizes()) return false;
    for (std::size_t j = 0; j < k; ++j)
      if (tensor.impl()->storage == tensor_at(lists[j], i).impl()->storage) return false;
  }
  return true;
}

template <std::size_t N>
bool all_fit(const Lists<N>& lists) {
  if (thread.modes != kGradOff) return false;  // nothing records, nothing intercepts
  for (PyObject* list : lists)
    if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) != PyList_GET_SIZE(lists[0])) return false;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lists[0]); ++i)
    if (!fits(lists, i)) return false;
  return true;
}

PyObject* fused_sgd(PyObject*, PyObject* args) {
  PyObject *params, *grads, *buffers;
  SgdStep step;
  int nesterov, maximize;
  if (!PyArg_ParseTuple(args, "OOOddddpp", &params, &grads, &buffers, &step.lr, &step.weight_decay, &step.momentum,
                        &step.dampening, &nesterov, &maximize))
    return nullptr;
  step.nesterov = nesterov != 0;
  step.maximize = maximize != 0;
  const bool has_buffers = step.momentum != 0;
  if (has_buffers ? !all_fit<3>({params, grads, buffers}) : !all_fit<2>({params, grads})) Py_RETURN_FALSE;
  return guarded([&] {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params); ++i) {
      const Tensor& param = tensor_at(params, i);
      const Tensor* buffer = has_buffers ? &tensor_at(buffers, i) : nullptr;
      sgd_kernel(param.device(), param, tensor_at(grads, i), buffer, step);
      param.bump_version("add_");
      if (buffer) buffer->bump_version("add_");
    }
    Py_RETURN_TRUE;
  });
}

// Counters are single numbers of either dtype, one to each parameter.
bool are_counters(PyObject* list, Py_ssize_t count) {
  if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) != count) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* const item = PyList_GET_ITEM(list, i);
    if (!is_plain(item, kSpecial | kView | kInference) || unwrap(item).numel() != 1) return false;
    const Dtype dtype = unwrap(item).dtype();
    if (dtype != Dtype::kFloat32 && dtype != Dtype::kFloat64) return false;
  }
  return true;
}
double count_up(const Tensor& counter) {
  counter.bump_version("add_");
  if (counter.dtype() == Dtype::kFloat64) return *counter.mutable_data<double>() += 1;
  return static_cast<double>(*counter.mutable_data<float>() += 1);
}

PyObject* fused_adam(PyObject*, PyObject* args) {
  PyObject *params, *grads, *first, *second, *counters;
  AdamStep step;
  int maximize, decoupled;
  if (!PyArg_ParseTuple(args, "OOOOOdddddpp", &params, &grads, &first, &second, &counters, &step.lr, &step.beta1,
                        &step.beta2, &step.weight_decay, &step.eps, &maximize, &decoupled))
    return nullptr;
  step.maximize = maximize != 0;
  step.decoupled = decoupled != 0;
  if (!all_fit<4>({params, grads, first, second}) || !are_counters(counters, PyList_GET_SIZE(params))) Py_RETURN_FALSE;
  return guarded([&] {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(params); ++i) {
      const Tensor &param = tensor_at(params, i), &m = tensor_at(first, i);
      const Tensor& v = tensor_at(second, i);
      step.step = count_up(tensor_at(counters, i));
      adam_kernel(param.device(), param, tensor_at(grads, i), m, v, step);
      m.bump_version("lerp_");
      v.bump_version("addcmul_");
      param.bump_version("addcdiv_");
    }
    Py_RETURN_TRUE;
  });
}

}  // namespace

PyMethodDef kOptimizerFunctions[] = {
    {"_fused_sgd_", fused_sgd, METH_VARARGS,
     "One step of SGD over lists of tensors; False: they need the general loop."},
    {"_fused_adam_", fused_adam, METH_VARARGS,
     "One step of Adam over lists of tensors; False: they need the general loop."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
