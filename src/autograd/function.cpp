// Custom functions of C++: a node whose backward is the user's.
#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>

#include "autograd/saved.h"
#include "rushlight/autograd.h"
#include "rushlight/ops.h"

namespace rushlight::autograd {
namespace {

std::string readable(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? text : type.name();
  std::free(text);
  return name;
}

bool contains(const variable_list& list, const Tensor& tensor) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Tensor& entry) { return entry.defined() && entry.is_same(tensor); });
}

}  // namespace

struct CustomNode final : Node {
  static const NodeType kType;
  CustomNode() : Node(kType) {}

  static void apply(Node& base, Tensor* in, Tensor* out);
  static void release(Node& base) {
    for (Saved& saved : static_cast<CustomNode&>(base).saved)
      saved.reset();
  }
  static void destroy(Node& base) { delete static_cast<CustomNode*>(&base); }
  static const char* title_of(const Node& base) { return static_cast<const CustomNode&>(base).title.c_str(); }

  struct Output {
    std::vector<std::int64_t> sizes;
    TensorOptions options;
    bool defined = false;
  };
  AutogradContext context;
  FunctionCall::Backward backward = nullptr;
  std::string title;
  std::vector<Edge> edge_storage;
  std::vector<Tensor> slot_storage;
  std::vector<Saved> saved;
  std::vector<bool> positions;
  std::vector<std::vector<std::int64_t>> input_sizes;
  std::vector<Output> infos;
};
constexpr NodeType CustomNode::kType{"CppNode", apply, release, destroy, false, title_of};

void CustomNode::apply(Node& base, Tensor* in, Tensor* out) {
  auto& node = static_cast<CustomNode&>(base);
  variable_list gradients(in, in + node.outputs);
  if (node.context.materialize_grads_)
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (!gradients[i].defined() && node.infos[i].defined)
        gradients[i] = zeros(node.infos[i].sizes, node.infos[i].options);
  variable_list results = node.backward(&node.context, std::move(gradients));
  while (results.size() > node.positions.size() && !results.back().defined())
    results.pop_back();
  check(results.size() == node.positions.size(), "function ", node.title,
        " returned an incorrect number of gradients (expected ", node.positions.size(), ", got ", results.size(), ")");
  std::size_t edge = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    check(node.positions[i] || !results[i].defined(), "function ", node.title,
          " returned a gradient different from None at position ", i + 1,
          ", but the corresponding forward input was not a Variable");
    if (!node.positions[i]) continue;
    const IntArray wanted(node.input_sizes[edge]);
    if (results[i].defined() && !(results[i].sizes() == wanted)) results[i] = sum_to_size(results[i], wanted);
    out[edge++] = std::move(results[i]);
  }
}

variable_list AutogradContext::get_saved_variables() const {
  if (node_->saved.empty()) return to_save_;
  variable_list values;
  for (const Saved& saved : node_->saved)
    values.push_back(saved.get(*node_));
  return values;
}
bool AutogradContext::needs_input_grad(std::size_t which) const {
  check<IndexError>(which < node_->edge_count, "needs_input_grad: index ", which, " is out of range for ",
                    node_->edge_count, " inputs");
  return node_->edges[which].node != nullptr;
}

FunctionCall::FunctionCall(const std::type_info& function, Backward backward) : node_(new CustomNode) {
  node_->title = readable(function);
  node_->backward = backward;
  node_->context.node_ = node_;
}
FunctionCall::~FunctionCall() { node_->drop(); }

AutogradContext* FunctionCall::begin() {
  node_->positions = positions_;
  node_->edge_storage.resize(inputs_.size());
  node_->edges = node_->edge_storage.data();
  node_->edge_count = static_cast<std::uint32_t>(inputs_.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (!inputs_[i].defined()) {
      node_->input_sizes.emplace_back();
      continue;
    }
    node_->input_sizes.push_back(inputs_[i].sizes().vec());
    if (!(thread.modes & kGradOff)) connect(*node_, i, inputs_[i]);
  }
  return &node_->context;
}

variable_list FunctionCall::finish(variable_list outputs) {
  AutogradContext& context = node_->context;
  const bool records =
      std::any_of(node_->edge_storage.begin(), node_->edge_storage.end(), [](const Edge& edge) { return edge.node; });
  for (const Tensor& dirty : context.dirty_) {
    check(contains(outputs, dirty),
          "Some elements marked as dirty during the forward method were not returned as output. The "
          "inputs that are modified inplace must all be outputs of the Function.");
    check(!records || !dirty.is_leaf() || !dirty.requires_grad(),
          "a leaf Variable that requires grad is being used in an in-place operation.");
    dirty.bump_version("a custom function");
  }
  if (!records) return outputs;
  rushlight::finish(*node_);
  node_->slot_storage.resize(outputs.size());
  node_->slots = node_->slot_storage.data();
  node_->outputs = static_cast<std::uint32_t>(outputs.size());
  const variable_list made = outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Tensor& output = outputs[i];
    if (!output.defined()) {
      node_->infos.emplace_back();
      continue;
    }
    node_->infos.push_back({output.sizes().vec(), output.options(), true});
    const bool dirty = contains(context.dirty_, output);
    // A view made in forward has no history of its own, an input returned as it is has another: both stand alone.
    if (!dirty && (contains(inputs_, output) || output.impl()->base)) output = output.detach();
    if (contains(context.non_differentiable_, made[i]) || !is_differentiable(output.dtype())) continue;
    node_->retain();
    set_history(output, node_, static_cast<std::uint32_t>(i));
  }
  node_->saved = std::vector<Saved>(context.to_save_.size());
  for (std::size_t i = 0; i < context.to_save_.size(); ++i) {
    const Tensor& tensor = context.to_save_[i];
    if (!tensor.defined()) continue;
    std::size_t which = made.size();
    for (std::size_t k = 0; k < made.size(); ++k)
      if (made[k].defined() && made[k].is_same(tensor) && !contains(inputs_, tensor)) which = k;
    if (which < made.size())
      node_->saved[i].keep_output(tensor, static_cast<std::uint32_t>(which), 0);
    else
      node_->saved[i].keep(tensor);
  }
  context.to_save_.clear();
  return outputs;
}

}  // namespace rushlight::autograd
