// Gradients: backward, grad, hooks, and differentiable functions of one's own.
#pragma once
#include <any>
#include <map>
#include <memory>
#include <string>

#include "rushlight/tensor.h"

namespace rushlight::autograd {

using Variable = Tensor;
using variable_list = std::vector<Tensor>;

// Accumulates gradients of `tensors` into `.grad` of the leaves, or of `inputs` alone. An undefined entry of
// `grad_tensors`, or a missing one, is 1 for a tensor of one element. `retain_graph` defaults to `create_graph`.
void backward(TensorList tensors, TensorList grad_tensors = {}, std::optional<bool> retain_graph = std::nullopt,
              bool create_graph = false, TensorList inputs = {});

// Gradients of `outputs` with respect to `inputs`; undefined for those not reached, which throws unless `allow_unused`.
variable_list grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                   std::optional<bool> retain_graph = std::nullopt, bool create_graph = false, bool allow_unused = false);

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
      : ModeScope(on ? kInferenceMode | kGradOff : 0, on || !(thread.modes & kInferenceMode) ? 0 : kInferenceMode | kGradOff) {}
};
struct GradMode {
  static bool is_enabled() { return !(thread.modes & kGradOff); }
  static void set_enabled(bool on) { thread.modes = on ? thread.modes & ~kGradOff : thread.modes | kGradOff; }
};

}  // namespace rushlight
