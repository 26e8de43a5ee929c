// Whole optimizer steps over lists of tensors. They return False, with nothing changed, where the
// operation by operation loop of the caller has to do it.
#include <algorithm>
#include <array>
#include <cmath>

#include "errors.h"
#include "module_parts.h"
#include "optim/one_pass.h"
#include "tensor_object.h"

namespace rushlight::python {
namespace {

// Lists of equal length: parameters, gradients, what is kept of each; null: the method does not keep it.
struct Lists {
  PyObject *params, *grads;
  std::array<PyObject*, 3> kept{};
};

const Tensor& tensor_at(PyObject* list, Py_ssize_t i) { return unwrap(PyList_GET_ITEM(list, i)); }

optim::Kept kept_at(const Lists& lists, Py_ssize_t i) {
  optim::Kept kept{};
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (lists.kept[k]) kept[k] = &tensor_at(lists.kept[k], i);
  return kept;
}

bool are_tensors(PyObject* list, Py_ssize_t count) {
  if (!PyList_CheckExact(list) || PyList_GET_SIZE(list) != count) return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!is_tensor(PyList_GET_ITEM(list, i))) return false;
  return true;
}

bool all_fit(const Lists& lists) {
  if (thread.modes != kGradOff || !PyList_CheckExact(lists.params)) return false;  // nothing records or intercepts
  const Py_ssize_t count = PyList_GET_SIZE(lists.params);
  if (!are_tensors(lists.params, count) || !are_tensors(lists.grads, count)) return false;
  for (PyObject* list : lists.kept)
    if (list && !are_tensors(list, count)) return false;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!optim::fits_one_pass(tensor_at(lists.params, i), tensor_at(lists.grads, i), kept_at(lists, i))) return false;
  return true;
}

// Counters and factors are single numbers of either dtype, one to each parameter.
bool are_numbers(PyObject* list, Py_ssize_t count) {
  if (!are_tensors(list, count)) return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    const Tensor& number = tensor_at(list, i);
    const bool real = number.dtype() == Dtype::kFloat32 || number.dtype() == Dtype::kFloat64;
    if (!optim::is_plain(number) || !real || number.numel() != 1) return false;
  }
  return true;
}
double value_of(const Tensor& number) {
  return number.dtype() == Dtype::kFloat64 ? *number.data<double>() : static_cast<double>(*number.data<float>());
}
// Rounded as it is kept.
double set_value(const Tensor& number, double value) {
  number.bump_version("copy_");
  if (number.dtype() == Dtype::kFloat64) return *number.mutable_data<double>() = value;
  return static_cast<double>(*number.mutable_data<float>() = static_cast<float>(value));
}
// A float32 factor multiplies in float32.
double multiply(const Tensor& number, double factor) {
  const bool wide = number.dtype() == Dtype::kFloat64;
  return set_value(number, value_of(number) * (wide ? factor : static_cast<double>(static_cast<float>(factor))));
}

// Steps all parameters; `prepare(i)` sets what differs between them.
template <class Step, class Prepare>
PyObject* step_all(const StepKernel<Step>& kernel, Step& step, const Lists& lists, const Prepare& prepare) {
  return guarded([&] {
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(lists.params); ++i) {
      prepare(i);
      optim::one_pass(kernel, step, tensor_at(lists.params, i), tensor_at(lists.grads, i), kept_at(lists, i));
    }
    Py_RETURN_TRUE;
  });
}
// The same for methods whose parameters differ in nothing but their step counters.
template <class Step>
PyObject* step_counted(const StepKernel<Step>& kernel, Step& step, const Lists& lists, PyObject* counters) {
  if (!all_fit(lists) || !are_numbers(counters, PyList_GET_SIZE(lists.params))) Py_RETURN_FALSE;
  return step_all(kernel, step, lists, [&](Py_ssize_t i) {
    const Tensor& counter = tensor_at(counters, i);
    step.step = set_value(counter, value_of(counter) + 1);
  });
}
PyObject* kept_or_null(PyObject* list) {
  return PyList_CheckExact(list) && PyList_GET_SIZE(list) == 0 ? nullptr : list;
}

PyObject* fused_sgd(PyObject*, PyObject* args) {
  Lists lists;
  SgdStep step;
  PyObject* buffers;
  int nesterov, maximize;
  if (!PyArg_ParseTuple(args, "OOOddddpp", &lists.params, &lists.grads, &buffers, &step.lr, &step.weight_decay,
                        &step.momentum, &step.dampening, &nesterov, &maximize))
    return nullptr;
  step.nesterov = nesterov != 0;
  step.maximize = maximize != 0;
  if (step.momentum != 0) lists.kept[0] = buffers;
  if (!all_fit(lists)) Py_RETURN_FALSE;
  return step_all(sgd_kernel, step, lists, [](Py_ssize_t) {});
}

// Adam, Adamax and RAdam have the same parameters; those that a method has not are always false.
template <class Step, const StepKernel<Step>& kernel>
PyObject* fused_moments(PyObject*, PyObject* args) {
  Lists lists;
  Step step;
  PyObject *largest, *counters;
  int maximize, decoupled;
  if (!PyArg_ParseTuple(args, "OOOOOOdddddpp", &lists.params, &lists.grads, &lists.kept[0], &lists.kept[1], &largest,
                        &counters, &step.lr, &step.beta1, &step.beta2, &step.weight_decay, &step.eps, &maximize,
                        &decoupled))
    return nullptr;
  lists.kept[2] = kept_or_null(largest);
  step.maximize = maximize != 0;
  step.decoupled = decoupled != 0;
  return step_counted(kernel, step, lists, counters);
}

PyObject* fused_nadam(PyObject*, PyObject* args) {
  Lists lists;
  NadamStep step;
  PyObject *products, *counters;
  double momentum_decay;
  int maximize, decoupled;
  if (!PyArg_ParseTuple(args, "OOOOOOddddddpp", &lists.params, &lists.grads, &lists.kept[0], &lists.kept[1], &products,
                        &counters, &step.lr, &step.beta1, &step.beta2, &step.weight_decay, &step.eps, &momentum_decay,
                        &maximize, &decoupled))
    return nullptr;
  step.maximize = maximize != 0;
  step.decoupled = decoupled != 0;
  const Py_ssize_t count = all_fit(lists) ? PyList_GET_SIZE(lists.params) : -1;
  if (count < 0 || !are_numbers(counters, count) || !are_numbers(products, count)) Py_RETURN_FALSE;
  return step_all(nadam_kernel, step, lists, [&](Py_ssize_t i) {
    const Tensor& counter = tensor_at(counters, i);
    step.step = set_value(counter, value_of(counter) + 1);
    const auto momentum = [&](double at) { return step.beta1 * (1.0 - 0.5 * std::pow(0.96, at * momentum_decay)); };
    step.momentum = momentum(step.step);
    step.next_momentum = momentum(step.step + 1);
    step.product = multiply(tensor_at(products, i), step.momentum);
  });
}

PyObject* fused_adadelta(PyObject*, PyObject* args) {
  Lists lists;
  AdadeltaStep step;
  PyObject* counters;
  int maximize;
  if (!PyArg_ParseTuple(args, "OOOOOddddp", &lists.params, &lists.grads, &lists.kept[0], &lists.kept[1], &counters,
                        &step.lr, &step.rho, &step.eps, &step.weight_decay, &maximize))
    return nullptr;
  step.maximize = maximize != 0;
  return step_counted(adadelta_kernel, step, lists, counters);
}

PyObject* fused_adagrad(PyObject*, PyObject* args) {
  Lists lists;
  AdagradStep step;
  PyObject* counters;
  double lr, lr_decay;
  int maximize;
  if (!PyArg_ParseTuple(args, "OOOOddddp", &lists.params, &lists.grads, &lists.kept[0], &counters, &lr, &lr_decay,
                        &step.eps, &step.weight_decay, &maximize))
    return nullptr;
  step.maximize = maximize != 0;
  if (!all_fit(lists) || !are_numbers(counters, PyList_GET_SIZE(lists.params))) Py_RETURN_FALSE;
  return step_all(adagrad_kernel, step, lists, [&](Py_ssize_t i) {
    const Tensor& counter = tensor_at(counters, i);
    step.step = set_value(counter, value_of(counter) + 1);
    step.lr = lr / (1 + (step.step - 1) * lr_decay);
  });
}

PyObject* fused_rmsprop(PyObject*, PyObject* args) {
  Lists lists;
  RmspropStep step;
  PyObject *means, *buffers, *counters;
  int maximize;
  if (!PyArg_ParseTuple(args, "OOOOOOdddddp", &lists.params, &lists.grads, &lists.kept[0], &means, &buffers, &counters,
                        &step.lr, &step.alpha, &step.eps, &step.weight_decay, &step.momentum, &maximize))
    return nullptr;
  lists.kept[1] = kept_or_null(means);
  lists.kept[2] = kept_or_null(buffers);
  step.maximize = maximize != 0;
  return step_counted(rmsprop_kernel, step, lists, counters);
}

PyObject* fused_rprop(PyObject*, PyObject* args) {
  Lists lists;
  RpropStep step;
  PyObject* counters;
  int maximize;
  if (!PyArg_ParseTuple(args, "OOOOOddddp", &lists.params, &lists.grads, &lists.kept[0], &lists.kept[1], &counters,
                        &step.eta_minus, &step.eta_plus, &step.smallest, &step.largest, &maximize))
    return nullptr;
  step.maximize = maximize != 0;
  return step_counted(rprop_kernel, step, lists, counters);
}

PyObject* fused_asgd(PyObject*, PyObject* args) {
  Lists lists;
  AsgdStep step;
  PyObject *mus, *rates, *counters;
  double lr, alpha, start;
  int maximize;
  if (!PyArg_ParseTuple(args, "OOOOOOdddddp", &lists.params, &lists.grads, &lists.kept[0], &mus, &rates, &counters, &lr,
                        &step.lambda, &alpha, &start, &step.weight_decay, &maximize))
    return nullptr;
  step.maximize = maximize != 0;
  const Py_ssize_t count = all_fit(lists) ? PyList_GET_SIZE(lists.params) : -1;
  if (count < 0 || !are_numbers(mus, count) || !are_numbers(rates, count) || !are_numbers(counters, count))
    Py_RETURN_FALSE;
  return step_all(asgd_kernel, step, lists, [&](Py_ssize_t i) {
    const Tensor &counter = tensor_at(counters, i), &rate = tensor_at(rates, i), &mu = tensor_at(mus, i);
    step.step = set_value(counter, value_of(counter) + 1);
    step.lr = value_of(rate);
    step.mu = value_of(mu);
    set_value(rate, lr / std::pow(1 + step.lambda * lr * step.step, alpha));
    set_value(mu, 1 / std::max(1.0, step.step - start));
  });
}

}  // namespace

#define RL_STEP(name, function, method) \
  {name, function, METH_VARARGS, "One step of " method " over lists of tensors; False: they need the general loop."}
PyMethodDef kOptimizerFunctions[] = {
    RL_STEP("_fused_sgd_", fused_sgd, "SGD"),
    RL_STEP("_fused_adam_", (fused_moments<AdamStep, adam_kernel>), "Adam"),
    RL_STEP("_fused_adamax_", (fused_moments<AdamaxStep, adamax_kernel>), "Adamax"),
    RL_STEP("_fused_radam_", (fused_moments<RadamStep, radam_kernel>), "RAdam"),
    RL_STEP("_fused_nadam_", fused_nadam, "NAdam"),
    RL_STEP("_fused_adadelta_", fused_adadelta, "Adadelta"),
    RL_STEP("_fused_adagrad_", fused_adagrad, "Adagrad"),
    RL_STEP("_fused_rmsprop_", fused_rmsprop, "RMSprop"),
    RL_STEP("_fused_rprop_", fused_rprop, "Rprop"),
    RL_STEP("_fused_asgd_", fused_asgd, "ASGD"),
    {nullptr, nullptr, 0, nullptr},
};
#undef RL_STEP

}  // namespace rushlight::python
