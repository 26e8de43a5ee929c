// ModuleList and ModuleDict: submodules by position or name, without a forward of their own.
#pragma once
#include "rushlight/nn/module.h"

namespace rushlight::nn {

class ModuleListImpl : public Module {
 public:
  template <class... Modules>
  explicit ModuleListImpl(const Modules&... modules) {
    (push_back(modules), ...);
  }
  template <class Contained>
  void push_back(const ModuleHolder<Contained>& holder) {
    push_back(holder.ptr());
  }
  template <class Contained>
  void push_back(std::shared_ptr<Contained> module) {
    register_module(std::to_string(size()), std::move(module));
  }
  std::size_t size() const { return named_children().size(); }
  bool is_empty() const { return size() == 0; }
  std::shared_ptr<Module> operator[](std::size_t index) const { return ptr(index); }
  std::shared_ptr<Module> ptr(std::size_t index) const {
    check<IndexError>(index < size(), "ModuleList: index ", index, " is out of range for ", size(), " modules");
    return children()[index];
  }
  // The module at `index` as a T; throws TypeError when it is something else.
  template <class T>
  T& at(std::size_t index) const {
    auto* module = ptr(index)->template as<T>();
    check<TypeError>(module != nullptr, "ModuleList: module ", index, " is no ", typeid(T).name());
    return *module;
  }
  auto begin() const { return list().begin(); }
  auto end() const { return list().end(); }
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::ModuleList"; }

 private:
  // Kept here so that iterators of one loop belong to one list.
  const std::vector<std::shared_ptr<Module>>& list() const {
    if (list_.size() != size()) list_ = children();
    return list_;
  }
  mutable std::vector<std::shared_ptr<Module>> list_;
};
TORCH_MODULE(ModuleList);

class ModuleDictImpl : public Module {
 public:
  template <class Contained>
  void insert(std::string key, const ModuleHolder<Contained>& holder) {
    register_module(std::move(key), holder.ptr());
  }
  std::shared_ptr<Module> operator[](const std::string& key) const { return named_children()[key]; }
  bool contains(const std::string& key) const { return named_children().contains(key); }
  std::size_t size() const { return named_children().size(); }
  std::vector<std::string> keys() const { return named_children().keys(); }
  void pretty_print(std::ostream& stream) const override { stream << "torch::nn::ModuleDict"; }
};
TORCH_MODULE(ModuleDict);

}  // namespace rushlight::nn
