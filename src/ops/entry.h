// What generated entry functions and nodes include: modes, records, saved values, formula vocabulary.
#pragma once
#include <array>
#include <tuple>
#include <type_traits>
#include <utility>

#include "autograd/interpose.h"
#include "autograd/node.h"
#include "autograd/saved.h"
#include "ops/output.h"
#include "rushlight/ops.h"

namespace rushlight {

// Owns a node until its results do: saving an input may throw.
template <class T>
class NewNode {
 public:
  NewNode() : node_(make_node<T>()) {}
  NewNode(const NewNode&) = delete;
  NewNode& operator=(const NewNode&) = delete;
  ~NewNode() {
    if (node_) node_->drop();
  }
  T& operator*() const { return *node_; }
  T* operator->() const { return node_; }
  T* release() { return std::exchange(node_, nullptr); }

 private:
  T* node_;
};

// Refuses a call with tensors of device meta and of the CPU, called once some tensor is of meta. Numbers in tensors of
// the CPU may stand beside meta ones, but as the first operand only where `numbers_anywhere` says so. So may indices.
class DeviceCheck {
 public:
  DeviceCheck(const char* name, bool numbers_anywhere) : name_(name), numbers_anywhere_(numbers_anywhere) {}
  template <class... T>
  void operator()(const T&... operands) {
    (see(operands), ...);
    finish();
  }

 private:
  void see(const Tensor& operand);
  void see(const std::optional<Tensor>& operand) {
    if (operand) see(*operand);
  }
  void see(TensorList operands) {
    for (const Tensor& operand : operands)
      see(operand);
  }
  void see(OptionalTensorList indices) {
    for (const auto& index : indices)
      if (index && index->defined() && index->is_meta()) see(*index);
  }
  void finish() const;

  const char* name_;
  bool numbers_anywhere_;
  bool first_ = true;
  const Tensor *cpu_ = nullptr, *meta_ = nullptr;
};

[[noreturn]] void no_grad_for_out(const char* name);
// A dense copy without history, for operators that are written in place.
Tensor copy_for_inplace(const Tensor& self);
// `self.copy_(value)` in the name of an in-place operator: shape and dtype of the value must fit.
const Tensor& assign_(const Tensor& self, const Tensor& value, const char* name);
// `self` becomes a view of what it was (t_, squeeze_, ...): shape and history change, elements do not move.
const Tensor& become_(const Tensor& self, const Tensor& view, const char* name);
// `out=`: resizes `out`, checks that the dtype fits, copies.
const Tensor& write_out(const Tensor& out, const Tensor& value, const char* name);
void write_out(TensorList out, const std::vector<Tensor>& values, const char* name);
// Throws where elements of `out` share memory with each other or with an input.
void check_apart(const Tensor& out, const Tensor& input);
inline void check_apart(const Tensor& out, const std::optional<Tensor>& input) {
  if (input) check_apart(out, *input);
}
void check_apart(const Tensor& out, TensorList inputs);
void check_exact_dtype(const Tensor& out, const Tensor& value, const char* name);
// `out: apart`, for operators whose destination must share no memory with what they read.
template <class... Inputs>
const Tensor& write_out_apart(const Tensor& out, const Tensor& value, const char* name, const Inputs&... inputs) {
  check_no_internal_overlap(out);
  resize_output(out, value.sizes());  // before the inputs: the memory of `out` may grow into theirs
  (check_apart(out, inputs), ...);
  return write_out(out, value, name);
}
// `out: exact`: of the dtype of the result, besides.
template <class... Inputs>
const Tensor& write_out_exactly(const Tensor& out, const Tensor& value, const char* name, const Inputs&... inputs) {
  check_exact_dtype(out, value, name);
  return write_out_apart(out, value, name, inputs...);
}
// Options for a result that is written to `out`.
inline TensorOptions options_like(const Tensor& out, const TensorOptions& options) {
  return options.dtype_opt() ? options : options.dtype(out.dtype());
}

// Moves gradients of a list of inputs, or of a tuple of inputs, to the outputs of a node.
inline void spread(std::vector<Tensor> gradients, Tensor* out) { std::move(gradients.begin(), gradients.end(), out); }
template <class... Tensors>
void spread(std::tuple<Tensors...> gradients, Tensor* out) {
  std::apply([&](auto&... gradient) { ((*out++ = std::move(gradient)), ...); }, gradients);
}

}  // namespace rushlight
