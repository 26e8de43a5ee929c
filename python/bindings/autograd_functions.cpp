// Functions of `_C` and `_C._autograd`: running backward, saved-tensor hooks, forward mode.
#include "autograd/edges.h"
#include "autograd/saved.h"
#include "hook_callable.h"
#include "module_parts.h"
#include "node_object.h"
#include "number_arguments.h"
#include "rushlight/autograd.h"
#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"

namespace rushlight::python {
namespace {

// Tensors of a tuple; None becomes undefined.
std::vector<Tensor> tensors_of(PyObject* tuple, const char* what) {
  const Owned items = own(PySequence_Fast(tuple, "expected a sequence of tensors"));
  std::vector<Tensor> tensors;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
    check<TypeError>(item == Py_None || is_tensor(item), "element ", i, " of ", what, " must be a Tensor, not ",
                     type_name(item));
    tensors.push_back(item == Py_None ? Tensor() : unwrap(item));
  }
  return tensors;
}

// GradientEdge(node, output_nr): a place in the graph in the stead of a tensor.
bool is_edge(PyObject* object) {
  return PyTuple_Check(object) && PyTuple_GET_SIZE(object) >= 2 && is_node(PyTuple_GET_ITEM(object, 0));
}
bool any_edge(PyObject* list) {
  const Owned items = own(PySequence_Fast(list, "expected a sequence of tensors"));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
    if (is_edge(PySequence_Fast_GET_ITEM(items.get(), i))) return true;
  return false;
}
// The edge of a tensor or GradientEdge, with one reference to its node.
Edge edge_of(PyObject* object, const char* what) {
  if (is_tensor(object)) {
    check(unwrap(object).requires_grad(), what, " does not require grad and does not have a grad_fn");
    return gradient_edge(unwrap(object));
  }
  check<TypeError>(is_edge(object), what, " must be a Tensor or a GradientEdge, not ", type_name(object));
  Node& node = node_of(PyTuple_GET_ITEM(object, 0));
  const std::int64_t output = integer_of(PyTuple_GET_ITEM(object, 1));
  check(output >= 0 && output < node.outputs, what, " has no output ", output);
  node.retain();
  return {&node, static_cast<std::uint32_t>(output)};
}
std::vector<Tensor> run_between_edges(PyObject* tensors, PyObject* gradients, PyObject* inputs, bool keep_graph,
                                      bool create_graph, bool allow_unreachable, bool accumulate) {
  struct Held {
    std::vector<Edge> edges;
    ~Held() {
      for (const Edge& edge : edges)
        edge.node->drop();
    }
    std::vector<Edge> release() { return std::exchange(edges, {}); }
  } roots, targets;
  const Owned given = own(PySequence_Fast(tensors, "expected a sequence of tensors"));
  std::vector<Tensor> starts = tensors_of(gradients, "gradients");
  check(static_cast<std::size_t>(PySequence_Fast_GET_SIZE(given.get())) == starts.size(), "got ",
        PySequence_Fast_GET_SIZE(given.get()), " tensors and ", starts.size(), " gradients");
  for (std::size_t i = 0; i < starts.size(); ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(given.get(), static_cast<Py_ssize_t>(i));
    roots.edges.push_back(edge_of(item, "element of tensors"));
    if (starts[i].defined()) continue;
    check(is_tensor(item) && unwrap(item).numel() == 1, "grad can be implicitly created only for scalar outputs");
    starts[i] = ones_like(unwrap(item).detach());
  }
  if (inputs) {
    const Owned wanted = own(PySequence_Fast(inputs, "expected a sequence of tensors"));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(wanted.get()); ++i)
      targets.edges.push_back(edge_of(PySequence_Fast_GET_ITEM(wanted.get(), i), "element of inputs"));
  }
  std::vector<StartingEdge> from;
  const std::vector<Edge> held = roots.release();
  for (std::size_t i = 0; i < held.size(); ++i)
    from.push_back({held[i], std::move(starts[i])});
  std::vector<Tensor> results =
      backward_from_edges(std::move(from), targets.release(), keep_graph, create_graph, !accumulate);
  for (std::size_t i = 0; !accumulate && i < results.size(); ++i)
    check(allow_unreachable || results[i].defined(), "The differentiated Tensor at index ", i,
          " appears to not have been used in the graph. Set allow_unused=True if this is the "
          "desired behavior.");
  return accumulate ? std::vector<Tensor>() : results;
}

// _run_backward(tensors, grad_tensors, keep_graph, create_graph, inputs=(),
// allow_unreachable=False, accumulate_grad=False)
PyObject* run_backward(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"tensors", "grad_tensors",      "keep_graph",      "create_graph",
                                   "inputs",  "allow_unreachable", "accumulate_grad", nullptr};
  PyObject *tensors, *gradients, *inputs = nullptr;
  int keep_graph, create_graph, allow_unreachable = 0, accumulate = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOpp|Opp:_run_backward", const_cast<char**>(keywords), &tensors,
                                   &gradients, &keep_graph, &create_graph, &inputs, &allow_unreachable, &accumulate))
    return nullptr;
  return guarded([&] {
    if (any_edge(tensors) || (inputs && any_edge(inputs))) {
      std::vector<Tensor> results =
          run_between_edges(tensors, gradients, inputs, keep_graph, create_graph, allow_unreachable, accumulate);
      return wrap_tensors(std::move(results));
    }
    const std::vector<Tensor> roots = tensors_of(tensors, "tensors");
    const std::vector<Tensor> starts = tensors_of(gradients, "gradients");
    const std::vector<Tensor> wanted = inputs ? tensors_of(inputs, "inputs") : std::vector<Tensor>();
    for (std::size_t i = 0; i < roots.size(); ++i)
      check(roots[i].defined() && roots[i].requires_grad(), "element ", i,
            " of tensors does not require grad and does not have a grad_fn");
    std::vector<Tensor> results;
    if (accumulate)
      autograd::backward(roots, starts, keep_graph != 0, create_graph, wanted);
    else
      results = autograd::grad(roots, wanted, starts, keep_graph != 0, create_graph, allow_unreachable);
    return wrap_tensors(std::move(results));
  });
}

PyObject* push_saved_hooks_function(PyObject*, PyObject* args) {
  PyObject *pack, *unpack;
  if (!PyArg_ParseTuple(args, "OO:_push_saved_tensors_default_hooks", &pack, &unpack)) return nullptr;
  return guarded([&] {
    push_saved_hooks(saved_hooks_of(pack, unpack));
    Py_RETURN_NONE;
  });
}
PyObject* pop_saved_hooks_function(PyObject*, PyObject*) {
  return guarded([] {
    pop_saved_hooks();
    Py_RETURN_NONE;
  });
}
PyObject* disable_saved_hooks(PyObject*, PyObject* args) {
  const char* message;
  int fail_if_active = 0;
  if (!PyArg_ParseTuple(args, "s|p", &message, &fail_if_active)) return nullptr;
  set_saved_hooks_error(std::string(message));
  Py_RETURN_NONE;
}
PyObject* enable_saved_hooks(PyObject*, PyObject*) {
  set_saved_hooks_error(std::nullopt);
  Py_RETURN_NONE;
}
PyObject* saved_hooks_message(PyObject*, PyObject*) {
  const auto message = saved_hooks_error();
  if (!message) Py_RETURN_NONE;
  return wrap(*message);
}

PyObject* increment_version(PyObject*, PyObject* tensors) {
  return guarded([&] {
    for (const Tensor& tensor : tensors_of(tensors, "tensors"))
      if (tensor.defined()) tensor.bump_version("increment_version");
    Py_RETURN_NONE;
  });
}

bool forward_on = true;
PyObject* enter_dual_level(PyObject*, PyObject*) {
  return guarded([] { return PyLong_FromLongLong(forward_ad::enter_dual_level()); });
}
PyObject* exit_dual_level(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"level", nullptr};
  long long level = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|L:_exit_dual_level", const_cast<char**>(keywords), &level))
    return nullptr;
  return guarded([&] {
    forward_ad::exit_dual_level(level);
    Py_RETURN_NONE;
  });
}
PyObject* make_dual(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"tensor", "tangent", "level", nullptr};
  PyObject *tensor, *tangent;
  long long level = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!|L:_make_dual", const_cast<char**>(keywords), &TensorType,
                                   &tensor, &TensorType, &tangent, &level))
    return nullptr;
  return guarded([&] { return wrap(forward_ad::make_dual(unwrap(tensor), unwrap(tangent))); });
}
PyObject* unpack_dual(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"tensor", "level", nullptr};
  PyObject* tensor;
  long long level = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|L:_unpack_dual", const_cast<char**>(keywords), &TensorType,
                                   &tensor, &level))
    return nullptr;
  return guarded([&] { return wrap(forward_ad::unpack_dual(unwrap(tensor))); });
}
PyObject* is_forward_enabled(PyObject*, PyObject*) { return PyBool_FromLong(forward_on); }
PyObject* set_forward_enabled(PyObject*, PyObject* on) {
  const int truth = PyObject_IsTrue(on);
  if (truth < 0) return nullptr;
  forward_on = truth;
  Py_RETURN_NONE;
}

PyObject* is_checkpoint_valid(PyObject*, PyObject*) { return PyBool_FromLong(backward_reaches_all_leaves()); }

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

}  // namespace

PyMethodDef kAutogradFunctions[] = {
    {"_run_backward", with_keywords(run_backward), kKeywords,
     "Computes gradients of tensors, into `.grad` or as a tuple."},
    {"_is_checkpoint_valid", is_checkpoint_valid, METH_NOARGS,
     "Whether the backward pass now running computes the gradients of all leaves."},
    {"_increment_version", increment_version, METH_O, "Counts a change in place of each tensor."},
    {"_enter_dual_level", enter_dual_level, METH_NOARGS, "Starts a level of forward mode."},
    {"_exit_dual_level", with_keywords(exit_dual_level), kKeywords, "Ends a level of forward mode."},
    {"_make_dual", with_keywords(make_dual), kKeywords, "A view of a tensor that carries a tangent."},
    {"_unpack_dual", with_keywords(unpack_dual), kKeywords, "The primal part and the tangent."},
    {"_is_fwd_grad_enabled", is_forward_enabled, METH_NOARGS, "Whether forward mode is on."},
    {"_set_fwd_grad_enabled", set_forward_enabled, METH_O, "Turns forward mode on or off."},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kSavedHookFunctions[] = {
    {"_push_saved_tensors_default_hooks", push_saved_hooks_function, METH_VARARGS,
     "Sets hooks on tensors saved from now on."},
    {"_pop_saved_tensors_default_hooks", pop_saved_hooks_function, METH_NOARGS,
     "Ends the latest hooks on saved tensors."},
    {"_saved_tensors_hooks_disable", disable_saved_hooks, METH_VARARGS,
     "Makes hooks on saved tensors an error with a text."},
    {"_saved_tensors_hooks_enable", enable_saved_hooks, METH_NOARGS, "Allows hooks on saved tensors again."},
    {"_saved_tensors_hooks_get_disabled_error_message", saved_hooks_message, METH_NOARGS, "The text, or None."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
