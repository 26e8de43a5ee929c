// Gradients: backward, grad, hooks, and differentiable functions of one's own.
#pragma once
#include <any>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>

#include "rushlight/tensor.h"

namespace rushlight::autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;
using tensor_list = variable_list;

// Accumulates gradients of `tensors` into `.grad` of the leaves, or of `inputs` alone. An undefined entry of
// `grad_tensors`, or a missing one, is 1 for a tensor of one element. `retain_graph` defaults to `create_graph`.
void backward(TensorList tensors, TensorList grad_tensors = {}, std::optional<bool> retain_graph = std::nullopt,
              bool create_graph = false, TensorList inputs = {});

// Gradients of `outputs` with respect to `inputs`; undefined for those not reached, which throws unless `allow_unused`.
variable_list grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                   bool allow_unused = false);

// A hook that can be taken away again.
class HookHandle {
 public:
  HookHandle() = default;
  HookHandle(Node* node, std::uint64_t id);  // retains the node
  HookHandle(const HookHandle& other);
  HookHandle& operator=(HookHandle other) noexcept;
  ~HookHandle();
  void remove();
  std::uint64_t id() const { return id_; }

 private:
  Node* node_ = nullptr;
  std::uint64_t id_ = 0;
};

// Calls `hook` with the gradient of `tensor` whenever it is computed; a defined result replaces it.
HookHandle register_hook(const Tensor& tensor, std::function<Tensor(const Tensor&)> hook);
// Calls `hook` with a leaf after a gradient was accumulated into its `.grad`.
HookHandle register_post_accumulate_grad_hook(const Tensor& tensor, std::function<void(const Tensor&)> hook);

// What `forward` and `backward` of a custom function share.
class AutogradContext {
 public:
  AutogradContext() = default;
  AutogradContext(const AutogradContext&) = delete;
  AutogradContext& operator=(const AutogradContext&) = delete;

  void save_for_backward(variable_list to_save) { to_save_ = std::move(to_save); }
  variable_list get_saved_variables() const;  // checked like every saved value: not freed, not changed since
  std::map<std::string, std::any> saved_data;
  // Inputs that forward changed in place; they must be outputs too.
  void mark_dirty(const variable_list& inputs) { dirty_ = inputs; }
  void mark_non_differentiable(const variable_list& outputs) { non_differentiable_ = outputs; }
  // With false, backward gets undefined tensors instead of zeros for outputs nothing depended on.
  void set_materialize_grads(bool value) { materialize_grads_ = value; }
  bool needs_input_grad(std::size_t which) const;  // of the tensor arguments, in order

 private:
  friend struct CustomNode;
  friend class FunctionCall;
  struct CustomNode* node_ = nullptr;
  variable_list to_save_, dirty_, non_differentiable_;
  bool materialize_grads_ = true;
};

// One application of a custom function; Function<T>::apply drives it.
class FunctionCall {
 public:
  using Backward = variable_list (*)(AutogradContext* context, variable_list gradients);
  FunctionCall(const std::type_info& function, Backward backward);
  FunctionCall(const FunctionCall&) = delete;
  FunctionCall& operator=(const FunctionCall&) = delete;
  ~FunctionCall();
  void add(const Tensor& input) {
    inputs_.push_back(input);
    positions_.push_back(true);
  }
  template <class T>
  void add(const T&) {
    positions_.push_back(false);
  }
  AutogradContext* begin();
  variable_list finish(variable_list outputs);

 private:
  struct CustomNode* node_;  // owned
  variable_list inputs_;
  std::vector<bool> positions_;  // which arguments are tensors
};

// A differentiable function of one's own:
//   struct Square : Function<Square> {
//     static Tensor forward(AutogradContext* ctx, Tensor x) { ctx->save_for_backward({x}); return x * x; }
//     static variable_list backward(AutogradContext* ctx, variable_list grads) {
//       return {grads[0] * 2 * ctx->get_saved_variables()[0]};
//     }
//   };
//   Tensor y = Square::apply(x);
// `backward` returns one gradient per argument of `forward`, undefined for those that are no tensors.
template <class T>
struct Function {
  template <class... Args>
  static auto apply(const Args&... args) {
    FunctionCall call(typeid(T), &T::backward);
    (call.add(args), ...);
    AutogradContext* context = call.begin();
    auto outputs = [&] {
      const NoGradGuard no_grad;
      return T::forward(context, args...);
    }();
    if constexpr (std::is_same_v<decltype(outputs), Tensor>)
      return call.finish({outputs})[0];
    else
      return call.finish(std::move(outputs));
  }
};

// Anomaly mode: nodes remember where they were made; with `check_nan`, a backward that returns NaN throws.
void set_detect_anomaly(bool on, bool check_nan = true);
bool is_anomaly_enabled();
bool is_anomaly_check_nan_enabled();

}  // namespace rushlight::autograd

namespace rushlight {

struct AutoGradMode : ModeScope {
  explicit AutoGradMode(bool on) : ModeScope(on ? 0 : kGradOff, on ? kGradOff : 0) {}
};
struct InferenceMode : ModeScope {
  explicit InferenceMode(bool on = true)
      : ModeScope(on ? kInferenceMode | kGradOff : 0,
                  on || !(thread.modes & kInferenceMode) ? 0 : kInferenceMode | kGradOff) {}
};
struct GradMode {
  static bool is_enabled() { return !(thread.modes & kGradOff); }
  static void set_enabled(bool on) { thread.modes = on ? thread.modes & ~kGradOff : thread.modes | kGradOff; }
};

}  // namespace rushlight
