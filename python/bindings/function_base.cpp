// Custom functions: `_C._FunctionBase.apply` records a node whose backward is a Python method of
// its context.
//
// The node owns the context object, which only points back, so that a graph dies with its tensors.
// Attributes of the context that lead back to an output form a cycle that the collector sees
// through the output (visit_function).
#include "autograd/node.h"
#include "autograd/saved.h"
#include "hook_callable.h"
#include "module_parts.h"
#include "node_object.h"
#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"
#include "saved_attributes.h"
#include "tensor_type.h"

namespace rushlight::python {
namespace {

PyTypeObject FunctionType{PyVarObject_HEAD_INIT(nullptr, 0) "torch._C._FunctionBase"};

struct FunctionObject {
  NodeObject base;
  PyObject* to_save;
  PyObject* dirty_tensors;
  PyObject* non_differentiable;
  PyObject* saved_for_forward;
  PyObject* needs_input_grad;
  bool materialize_grads;
};
FunctionObject& of(PyObject* self) { return *reinterpret_cast<FunctionObject*>(self); }

// What backward must know of an output: a gradient that is missing becomes zeros like it.
struct OutputInfo {
  bool is_tensor = false;
  std::vector<std::int64_t> sizes;
  Dtype dtype = Dtype::kFloat32;
  Device device;
};

struct PythonNode final : Node {
  static const NodeType kType;
  PythonNode() : Node(kType) {}

  void set_edges(std::size_t count) {
    edge_storage.resize(count);
    edges = edge_storage.data();
    edge_count = static_cast<std::uint32_t>(count);
  }
  void set_outputs(std::size_t count) {
    slot_storage.resize(count);
    slots = slot_storage.data();
    outputs = static_cast<std::uint32_t>(count);
  }

  PyObject* context = nullptr;  // owned
  std::string title;
  std::vector<Edge> edge_storage;
  std::vector<Tensor> slot_storage;
  std::vector<Saved> saved;
  std::vector<int> edge_of_argument;  // -1 for arguments that are no tensors
  std::vector<std::vector<std::int64_t>> input_sizes;
  std::vector<OutputInfo> output_info;
};

Tensor starting_gradient(const PythonNode& node, Tensor gradient, std::size_t which) {
  const OutputInfo& info = node.output_info[which];
  if (gradient.defined() || !info.is_tensor || !of(node.context).materialize_grads) return gradient;
  return zeros(info.sizes, TensorOptions(info.dtype, info.device));
}

bool expands_to(IntArray from, IntArray to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 1; i <= from.size(); ++i)
    if (from[from.size() - i] != to[to.size() - i] && from[from.size() - i] != 1) return false;
  return true;
}

void read_gradients(PythonNode& node, PyObject* result, Tensor* out) {
  const Owned lone = PyTuple_Check(result) ? Owned() : own(PyTuple_Pack(1, result));
  PyObject* list = lone ? lone.get() : result;
  Py_ssize_t given = PyTuple_GET_SIZE(list);
  const auto expected = static_cast<Py_ssize_t>(node.edge_of_argument.size());
  while (given > expected && PyTuple_GET_ITEM(list, given - 1) == Py_None)
    --given;  // more None than needed are fine
  check(given == expected, "function ", node.title, " returned an incorrect number of gradients (expected ", expected,
        ", got ", given, ")");
  for (Py_ssize_t i = 0; i < expected; ++i) {
    PyObject* item = PyTuple_GET_ITEM(list, i);
    if (item == Py_None) continue;
    const int edge = node.edge_of_argument[static_cast<std::size_t>(i)];
    check(edge >= 0, "function ", node.title, " returned a gradient different from None at position ", i + 1,
          ", but the corresponding forward input was not a Variable");
    check<TypeError>(is_tensor(item), "function ", node.title, " returned ", type_name(item), " at position ", i + 1,
                     "; expected a Tensor or None");
    Tensor gradient = unwrap(item);
    const IntArray wanted(node.input_sizes[static_cast<std::size_t>(edge)]);
    if (!(gradient.sizes() == wanted)) {
      check(expands_to(wanted, gradient.sizes()), "Function ", node.title, " returned an invalid gradient at index ", i,
            " - got ", gradient.sizes(), " but expected shape compatible with ", wanted);
      gradient = sum_to_size(gradient, wanted);
    }
    out[edge] = std::move(gradient);
  }
}

void apply_node(Node& base, Tensor* in, Tensor* out) {
  const GilHeld gil;
  auto& node = static_cast<PythonNode&>(base);
  const Owned gradients = own(PyTuple_New(static_cast<Py_ssize_t>(node.outputs)));
  for (std::size_t i = 0; i < node.outputs; ++i)
    PyTuple_SET_ITEM(gradients.get(), static_cast<Py_ssize_t>(i),
                     need(wrap(starting_gradient(node, std::move(in[i]), i))));
  const Owned method = own(PyObject_GetAttrString(node.context, "apply"));
  const Owned result = own(PyObject_Call(method.get(), gradients.get(), nullptr));
  read_gradients(node, result.get(), out);
}
void release_node(Node& base) {
  for (Saved& saved : static_cast<PythonNode&>(base).saved)
    saved.reset();
}
void destroy_python_node(Node& base) {
  auto& node = static_cast<PythonNode&>(base);
  if (node.context && Py_IsInitialized()) {
    const GilHeld gil;
    of(node.context).base.node = nullptr;
    Py_CLEAR(node.context);
  }
  delete &node;
}
const char* title_of(const Node& base) { return static_cast<const PythonNode&>(base).title.c_str(); }
constexpr NodeType PythonNode::kType{"PythonFunction", apply_node, release_node, destroy_python_node, false, title_of};

// --- the context object
// -----------------------------------------------------------------------------

int traverse(PyObject* self, visitproc visit, void* arg) {
  FunctionObject& function = of(self);
  Py_VISIT(function.base.metadata);
  Py_VISIT(function.to_save);
  Py_VISIT(function.dirty_tensors);
  Py_VISIT(function.non_differentiable);
  Py_VISIT(function.saved_for_forward);
  Py_VISIT(function.needs_input_grad);
  return 0;
}
int clear(PyObject* self) {
  FunctionObject& function = of(self);
  Py_CLEAR(function.base.metadata);
  Py_CLEAR(function.to_save);
  Py_CLEAR(function.dirty_tensors);
  Py_CLEAR(function.non_differentiable);
  Py_CLEAR(function.saved_for_forward);
  Py_CLEAR(function.needs_input_grad);
  return 0;
}
void dealloc(PyObject* self) {
  if (PyObject_GC_IsTracked(self)) PyObject_GC_UnTrack(self);
  clear(self);
  Py_TYPE(self)->tp_free(self);
}
PyObject* new_function(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self) of(self).materialize_grads = true;
  return self;
}

template <PyObject* FunctionObject::* Field>
PyObject* get_field(PyObject* self, void*) {
  return Py_NewRef(of(self).*Field ? of(self).*Field : Py_None);
}
template <PyObject* FunctionObject::* Field>
int set_field(PyObject* self, PyObject* value, void*) {
  Py_XSETREF(of(self).*Field, Py_XNewRef(value == Py_None ? nullptr : value));
  return 0;
}
PyObject* get_materialize(PyObject* self, void*) { return PyBool_FromLong(of(self).materialize_grads); }
int set_materialize(PyObject* self, PyObject* value, void*) {
  if (!value || !PyBool_Check(value)) {
    PyErr_Format(PyExc_TypeError, "set_materialize_grads expects a bool");
    return -1;
  }
  of(self).materialize_grads = value == Py_True;
  return 0;
}
// The saved tensors of a context that has its node, each as `object_of` shows it.
template <class ObjectOf>
PyObject* each_saved(PyObject* self, ObjectOf object_of) {
  auto& node = static_cast<PythonNode&>(*of(self).base.node);
  if (node.released) freed(node);
  Owned tuple = own(PyTuple_New(static_cast<Py_ssize_t>(node.saved.size())));
  for (std::size_t i = 0; i < node.saved.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), static_cast<Py_ssize_t>(i), need(object_of(node, node.saved[i])));
  return tuple.release();
}
PyObject* get_saved(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    if (!of(self).base.node) {  // in forward, or without recording
      PyObject* kept = of(self).to_save;
      return kept ? PySequence_Tuple(kept) : PyTuple_New(0);
    }
    return each_saved(self, [](PythonNode& node, Saved& saved) {
      return saved.defined() ? wrap(saved.get(node)) : Py_NewRef(Py_None);
    });
  });
}
PyObject* get_raw_saved(PyObject* self, void*) {
  return guarded([&]() -> PyObject* {
    if (!of(self).base.node) return PyTuple_New(0);
    return each_saved(self, [self](PythonNode&, Saved& saved) { return wrap_saved(self, saved); });
  });
}
PyGetSetDef kAttributes[] = {
    {"_raw_saved_tensors", get_raw_saved, nullptr, "The saved tensors, unread.", nullptr},
    {"saved_tensors", get_saved, nullptr, "What `save_for_backward` was given.", nullptr},
    {"saved_variables", get_saved, nullptr, "See `saved_tensors`.", nullptr},
    {"to_save", get_field<&FunctionObject::to_save>, set_field<&FunctionObject::to_save>, nullptr, nullptr},
    {"dirty_tensors", get_field<&FunctionObject::dirty_tensors>, set_field<&FunctionObject::dirty_tensors>, nullptr,
     nullptr},
    {"non_differentiable", get_field<&FunctionObject::non_differentiable>,
     set_field<&FunctionObject::non_differentiable>, nullptr, nullptr},
    {"saved_for_forward", get_field<&FunctionObject::saved_for_forward>, set_field<&FunctionObject::saved_for_forward>,
     nullptr, nullptr},
    {"needs_input_grad", get_field<&FunctionObject::needs_input_grad>, set_field<&FunctionObject::needs_input_grad>,
     "For each argument of forward, whether it needs a gradient.", nullptr},
    {"materialize_grads", get_materialize, set_materialize, "Whether missing gradients become zeros.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

// --- apply
// ------------------------------------------------------------------------------------------

class Application {
 public:
  Application(PyObject* cls, PyObject* args) : cls_(cls), args_(args) {
    const Owned maker = own(PyObject_GetAttrString(cls, "_backward_cls"));
    context_ = own(PyObject_CallNoArgs(maker.get()));
    check<TypeError>(PyObject_TypeCheck(context_.get(), &FunctionType),
                     "_backward_cls must derive from _C._FunctionBase");
    const Py_ssize_t count = PyTuple_GET_SIZE(args);
    const Owned needs = own(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* item = PyTuple_GET_ITEM(args, i);
      const bool tensor = is_tensor(item);
      const bool differentiable = tensor && any_needs_grad(unwrap(item));
      PyTuple_SET_ITEM(needs.get(), i, PyBool_FromLong(differentiable));
      records_ = records_ || differentiable;
      if (tensor && unwrap(item).word() & kTangent) has_tangent_ = true;
    }
    records_ = records_ && !(thread.modes & kGradOff);
    set_field<&FunctionObject::needs_input_grad>(context_.get(), needs.get(), nullptr);
  }

  PyObject* run() {
    const Owned output = forward();
    const bool single = !PyTuple_Check(output.get());
    const Owned tuple = single ? own(PyTuple_Pack(1, output.get())) : Owned(Py_NewRef(output.get()));
    const Owned results = own(process(tuple.get()));
    if (has_tangent_) push_tangents(results.get());
    if (single) return Py_NewRef(PyTuple_GET_ITEM(results.get(), 0));
    return Py_NewRef(results.get());
  }

 private:
  Owned forward() const {
    const ModeScope no_grad(kGradOff);
    const Owned function = own(PyObject_GetAttrString(cls_, "forward"));
    const Owned setup = own(PyObject_GetAttrString(cls_, "setup_context"));
    static PyObject* const fallback = [] {
      const Owned module(PyImport_ImportModule("rushlight.autograd.function"));
      return module ? PyObject_GetAttrString(module.get(), "_default_setup_context") : nullptr;
    }();
    if (setup.get() == need(fallback)) {
      const Py_ssize_t count = PyTuple_GET_SIZE(args_);
      const Owned with_context = own(PyTuple_New(count + 1));
      PyTuple_SET_ITEM(with_context.get(), 0, Py_NewRef(context_.get()));
      for (Py_ssize_t i = 0; i < count; ++i)
        PyTuple_SET_ITEM(with_context.get(), i + 1, Py_NewRef(PyTuple_GET_ITEM(args_, i)));
      return own(PyObject_Call(function.get(), with_context.get(), nullptr));
    }
    Owned output = own(PyObject_Call(function.get(), args_, nullptr));
    own(PyObject_CallFunctionObjArgs(setup.get(), context_.get(), args_, output.get(), nullptr));
    return output;
  }

  static bool listed(PyObject* list, const Tensor& tensor) {
    if (!list) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list); ++i)
      if (PyObject* item = PyTuple_GET_ITEM(list, i); is_tensor(item) && unwrap(item).is_same(tensor)) return true;
    return false;
  }
  static void check_list(PyObject* list, const char* name) {
    check<TypeError>(!list || PyTuple_Check(list), name, " attribute is expected to be a tuple");
  }

  PythonNode* make_node() const {
    auto* node = new PythonNode;
    node->recording = true;
    node->title = reinterpret_cast<PyTypeObject*>(Py_TYPE(context_.get()))->tp_name;
    node->context = Py_NewRef(context_.get());
    std::vector<Tensor> inputs;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args_); ++i) {
      PyObject* item = PyTuple_GET_ITEM(args_, i);
      node->edge_of_argument.push_back(is_tensor(item) ? static_cast<int>(inputs.size()) : -1);
      if (!is_tensor(item)) continue;
      inputs.push_back(unwrap(item));
      node->input_sizes.push_back(unwrap(item).sizes().vec());
    }
    node->set_edges(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
      connect(*node, i, inputs[i]);
    finish(*node);
    return node;
  }

  // Outputs as the caller gets them: with their history, views of inputs and inputs themselves as
  // new tensors.
  PyObject* process(PyObject* outputs) {
    FunctionObject& context = of(context_.get());
    check_list(context.dirty_tensors, "dirty_tensors");
    check_list(context.non_differentiable, "non_differentiable");
    if (context.to_save) check<TypeError>(PyTuple_Check(context.to_save), "saved tensors are expected to be a tuple");
    const Py_ssize_t count = PyTuple_GET_SIZE(outputs);
    PythonNode* node = records_ ? make_node() : nullptr;
    if (node) {
      node->set_outputs(static_cast<std::size_t>(count));
      node->output_info.resize(static_cast<std::size_t>(count));
      context.base.node = node;
    }
    struct Drop {
      PythonNode* node;
      ~Drop() {
        if (node) node->drop();
      }
    } const maker{node};  // each output holds a reference of its own
    std::vector<std::pair<Tensor, int>> tensors;
    Owned results = own(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* item = PyTuple_GET_ITEM(outputs, i);
      if (!is_tensor(item)) {
        PyTuple_SET_ITEM(results.get(), i, Py_NewRef(item));
        continue;
      }
      const Tensor given = unwrap(item);
      Tensor result = finished(given, node, static_cast<std::uint32_t>(i));
      tensors.emplace_back(given, static_cast<int>(i));
      Owned object = own(wrap(result));
      if (node) track(object.get());
      PyTuple_SET_ITEM(results.get(), i, object.release());
    }
    if (node) save(*node, tensors);
    if (context.dirty_tensors)
      for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(context.dirty_tensors); ++i)
        if (PyObject* item = PyTuple_GET_ITEM(context.dirty_tensors, i); is_tensor(item))
          check(listed(outputs, unwrap(item)),
                "Some elements marked as dirty during the forward method were not returned as "
                "output. The inputs that are modified inplace must all be outputs of the Function.");
    return results.release();
  }

  Tensor finished(const Tensor& given, PythonNode* node, std::uint32_t which) const {
    const FunctionObject& context = of(context_.get());
    const bool dirty = listed(context.dirty_tensors, given);
    const bool differentiable = !listed(context.non_differentiable, given) && is_differentiable(given.dtype());
    const bool is_input = listed(args_, given);
    if (dirty) {
      check(!node || !is_input || !given.is_leaf() || !given.requires_grad(),
            "a leaf Variable that requires grad is being used in an in-place operation.");
      given.bump_version("custom function");
    }
    // A view made in forward has no history of its own; as an output it stands alone.
    Tensor result = !dirty && (is_input || (node && given.impl()->base)) ? shallow_copy(given) : given;
    if (!node) return result;
    OutputInfo& info = node->output_info[which];
    info = {true, result.sizes().vec(), result.dtype(), result.device()};
    if (!differentiable) return result;
    node->retain();
    set_history(result, node, which);
    return result;
  }

  void save(PythonNode& node, const std::vector<std::pair<Tensor, int>>& outputs) const {
    FunctionObject& context = of(context_.get());
    if (!context.to_save) return;
    const Py_ssize_t count = PyTuple_GET_SIZE(context.to_save);
    node.saved.resize(static_cast<std::size_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* item = PyTuple_GET_ITEM(context.to_save, i);
      if (item == Py_None) continue;
      check<TypeError>(is_tensor(item), "save_for_backward can only save variables, but argument ", i, " is of type ",
                       type_name(item));
      const Tensor& tensor = unwrap(item);
      Saved& saved = node.saved[static_cast<std::size_t>(i)];
      int output = -1;
      for (const auto& [made, which] : outputs)
        if (made.is_same(tensor) && !listed(args_, tensor)) output = which;
      if (output >= 0)
        saved.keep_output(tensor, static_cast<std::uint32_t>(output), 0);
      else
        saved.keep(tensor);
    }
    Py_CLEAR(context.to_save);
  }

  // Forward mode: the function's own jvp gives the tangents of its outputs.
  void push_tangents(PyObject* results) const {
    const Py_ssize_t count = PyTuple_GET_SIZE(args_);
    const Owned tangents = own(PyTuple_New(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* item = PyTuple_GET_ITEM(args_, i);
      Tensor tangent = is_tensor(item) ? tangent_of(unwrap(item)) : Tensor();
      if (is_tensor(item) && !tangent.defined() && of(context_.get()).materialize_grads &&
          is_differentiable(unwrap(item).dtype()))
        tangent = zeros_like(unwrap(item).detach());
      PyTuple_SET_ITEM(tangents.get(), i, need(wrap(tangent)));
    }
    const Owned method = own(PyObject_GetAttrString(context_.get(), "apply_jvp"));
    const Owned result = own(PyObject_Call(method.get(), tangents.get(), nullptr));
    const Owned tuple =
        PyTuple_Check(result.get()) ? Owned(Py_NewRef(result.get())) : own(PyTuple_Pack(1, result.get()));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple.get()) && i < PyTuple_GET_SIZE(results); ++i) {
      PyObject *tangent = PyTuple_GET_ITEM(tuple.get(), i), *output = PyTuple_GET_ITEM(results, i);
      if (is_tensor(tangent) && is_tensor(output)) set_tangent(unwrap(output), unwrap(tangent));
    }
  }

  PyObject* cls_;
  PyObject* args_;
  Owned context_;
  bool records_ = false;
  bool has_tangent_ = false;
};

// Samples of vmap are for Python to take apart.
PyObject* apply_to_batches(PyObject* cls, PyObject* args) {
  static PyObject* const apply = [] {
    const Owned module(PyImport_ImportModule("rushlight._batched_function"));
    return module ? PyObject_GetAttrString(module.get(), "apply") : nullptr;
  }();
  return need(PyObject_CallFunctionObjArgs(need(apply), cls, args, nullptr));
}

PyObject* apply_function(PyObject* cls, PyObject* args) {
  return guarded([&] {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i)
      if (PyObject* item = PyTuple_GET_ITEM(args, i); is_tensor(item) && unwrap(item).word() & kBatched)
        return apply_to_batches(cls, args);
    return Application(cls, args).run();
  });
}
PyMethodDef kMethods[] = {
    {"apply", apply_function, METH_VARARGS | METH_CLASS, "Runs forward and records backward."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyObject* context_of(const Node& node) {
  return node.type == &PythonNode::kType ? static_cast<const PythonNode&>(node).context : nullptr;
}
int visit_function(const Node& node, visitproc visit, void* arg) {
  if (PyObject* context = context_of(node)) Py_VISIT(context);
  return 0;
}

bool setup_function_base(PyObject* module) {
  FunctionType.tp_base = &NodeObjectType;
  FunctionType.tp_basicsize = sizeof(FunctionObject);
  FunctionType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC;
  FunctionType.tp_new = new_function;
  FunctionType.tp_dealloc = dealloc;
  FunctionType.tp_traverse = traverse;
  FunctionType.tp_clear = clear;
  FunctionType.tp_methods = kMethods;
  FunctionType.tp_getset = kAttributes;
  FunctionType.tp_doc = "Base of custom functions and of their contexts.";
  return PyType_Ready(&FunctionType) == 0 &&
         PyModule_AddObjectRef(module, "_FunctionBase", reinterpret_cast<PyObject*>(&FunctionType)) == 0;
}

}  // namespace rushlight::python
