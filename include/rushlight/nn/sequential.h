// Sequential: modules of one tensor input, one after the other.
#pragma once
#include "rushlight/nn/module.h"

namespace rushlight::nn {

// A step with a name of its own, for Sequential({{"first", Linear(2, 3)}, {"last", ReLU()}}).
struct NamedStep {
  template <class Contained>
  NamedStep(std::string key, const ModuleHolder<Contained>& holder)
      : name(std::move(key)),
        module(holder.ptr()),
        forward([raw = holder.get()](const Tensor& input) { return raw->forward(input); }) {}
  std::string name;
  std::shared_ptr<Module> module;
  std::function<Tensor(const Tensor&)> forward;
};

class SequentialImpl : public Module {
 public:
  SequentialImpl() = default;
  template <class... Modules>
    requires(sizeof...(Modules) > 0)
  explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  SequentialImpl(std::initializer_list<NamedStep> steps) {
    for (const NamedStep& step : steps) {
      register_module(step.name, step.module);
      steps_.push_back(step.forward);
    }
  }

  template <class Contained>
  void push_back(const ModuleHolder<Contained>& holder) {
    push_back(holder.ptr());
  }
  template <class Contained>
  void push_back(std::shared_ptr<Contained> module) {
    push_back(std::to_string(steps_.size()), std::move(module));
  }
  template <class Contained>
  void push_back(std::string name, const ModuleHolder<Contained>& holder) {
    push_back(std::move(name), holder.ptr());
  }
  template <class Contained>
  void push_back(std::string name, std::shared_ptr<Contained> module) {
    steps_.push_back([raw = module.get()](const Tensor& input) { return raw->forward(input); });
    register_module(std::move(name), std::move(module));
  }
  // A module by value becomes a shared one.
  template <class Contained>
    requires(std::is_base_of_v<Module, std::remove_cvref_t<Contained>>)
  void push_back(Contained&& module) {
    push_back(std::make_shared<std::remove_cvref_t<Contained>>(std::forward<Contained>(module)));
  }

  Tensor forward(Tensor input) const {
    check(!steps_.empty(), "Sequential: cannot call forward() on an empty Sequential");
    for (const auto& step : steps_)
      input = step(input);
    return input;
  }
  std::size_t size() const { return steps_.size(); }
  std::shared_ptr<Module> operator[](std::size_t index) const {
    check<IndexError>(index < steps_.size(), "Sequential: index ", index, " is out of range for ", steps_.size(),
                      " modules");
    return children()[index];
  }
  void pretty_print(std::ostream& stream) const override;

 private:
  std::vector<std::function<Tensor(const Tensor&)>> steps_;
};
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedStep> steps) : ModuleHolder(std::make_shared<SequentialImpl>(steps)) {}
};

}  // namespace rushlight::nn
