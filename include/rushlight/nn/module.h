// nn::Module: named parameters, buffers and submodules; nn::ModuleHolder: the handle that behaves like PyTorch's.
#pragma once
#include <functional>
#include <ostream>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rushlight/ops.h"

namespace rushlight {

// Names in the order they were added.
template <class T>
class OrderedDict {
 public:
  struct Item : std::pair<std::string, T> {
    using std::pair<std::string, T>::pair;
    const std::string& key() const { return this->first; }
    const T& value() const { return this->second; }
    T& value() { return this->second; }
  };
  void insert(std::string key, T value) {
    check(!contains(key), "OrderedDict: key '", key, "' already defined");
    items_.emplace_back(std::move(key), std::move(value));
  }
  bool contains(const std::string& key) const { return find(key) != nullptr; }
  const T* find(const std::string& key) const {
    for (const Item& item : items_)
      if (item.first == key) return &item.second;
    return nullptr;
  }
  T* find(const std::string& key) { return const_cast<T*>(std::as_const(*this).find(key)); }
  const T& operator[](const std::string& key) const {
    const T* found = find(key);
    check(found, "OrderedDict: key '", key, "' is not defined");
    return *found;
  }
  std::size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  std::vector<T> values() const {
    std::vector<T> all;
    for (const Item& item : items_)
      all.push_back(item.second);
    return all;
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> all;
    for (const Item& item : items_)
      all.push_back(item.first);
    return all;
  }

 private:
  std::vector<Item> items_;
};

namespace nn {

template <class Contained>
class ModuleHolder;

class Module : public std::enable_shared_from_this<Module> {
 public:
  explicit Module(std::string name = "") : name_(std::move(name)) {}
  virtual ~Module() = default;
  Module(const Module&) = default;
  Module& operator=(const Module&) = default;

  // The class's name for printing; the demangled C++ name unless one was given.
  const std::string& name() const;

  // Parameters of this module and, with `recurse`, of those below it; each shared tensor once.
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::shared_ptr<Module>> named_children() const { return children_; }
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  void apply(const std::function<void(Module&)>& function);

  virtual void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const noexcept { return training_; }
  virtual void to(Dtype dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);
  virtual void zero_grad(bool set_to_none = true);

  // Parameters and buffers by dotted name, as Python's state_dict orders them.
  OrderedDict<Tensor> state_dict() const;
  // Copies values in. Throws RuntimeError that lists every missing, unexpected and wrongly shaped entry.
  void load_state_dict(const OrderedDict<Tensor>& state);

  virtual void pretty_print(std::ostream& stream) const;
  template <class Type>
  Type* as() noexcept {
    return dynamic_cast<Type*>(this);
  }

  // Called by constructors of subclasses.
  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  Tensor& register_buffer(std::string name, Tensor tensor);
  template <class Type>
  std::shared_ptr<Type> register_module(std::string name, std::shared_ptr<Type> module) {
    add_child(std::move(name), module);
    return module;
  }
  template <class Type>
  std::shared_ptr<Type> register_module(std::string name, ModuleHolder<Type> holder) {
    add_child(std::move(name), holder.ptr());
    return holder.ptr();
  }

 private:
  void add_child(std::string name, std::shared_ptr<Module> module);
  friend std::ostream& operator<<(std::ostream& stream, const Module& module);
  void print_below(std::ostream& stream, const std::string& indent) const;
  template <class Visit>
  void visit_tensors(const std::string& prefix, bool recurse, const Visit& visit) const;

  OrderedDict<Tensor> parameters_, buffers_;
  OrderedDict<std::shared_ptr<Module>> children_;
  mutable std::string name_;
  bool training_ = true;
};

std::ostream& operator<<(std::ostream& stream, const Module& module);

// A shared handle to a module class: `TORCH_MODULE(Net);` makes `Net` the handle of `NetImpl`.
template <class Contained>
class ModuleHolder {
 public:
  using ContainedType = Contained;
  ModuleHolder() : impl_(std::make_shared<Contained>()) {}
  ModuleHolder(std::nullptr_t) {}
  ModuleHolder(std::shared_ptr<Contained> module) : impl_(std::move(module)) {}
  template <class Head, class... Tail>
    requires(!(std::is_base_of_v<ModuleHolder, std::remove_cvref_t<Head>> && sizeof...(Tail) == 0) &&
             !std::is_same_v<std::remove_cvref_t<Head>, std::nullptr_t> &&
             !std::is_same_v<std::remove_cvref_t<Head>, std::shared_ptr<Contained>>)
  explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(std::make_shared<Contained>(std::forward<Head>(head), std::forward<Tail>(tail)...)) {}

  Contained* operator->() const { return get(); }
  Contained& operator*() const { return *get(); }
  Contained* get() const {
    check(impl_ != nullptr, "Accessing empty ModuleHolder: it was made with nullptr and nothing was assigned yet");
    return impl_.get();
  }
  const std::shared_ptr<Contained>& ptr() const { return impl_; }
  bool is_empty() const noexcept { return impl_ == nullptr; }
  explicit operator bool() const noexcept { return impl_ != nullptr; }
  template <class... Args, class Type = Contained>
  auto operator()(Args&&... args) const -> decltype(std::declval<Type&>().forward(std::forward<Args>(args)...)) {
    return get()->forward(std::forward<Args>(args)...);
  }

 protected:
  std::shared_ptr<Contained> impl_;
};

template <class Contained>
std::ostream& operator<<(std::ostream& stream, const ModuleHolder<Contained>& holder) {
  return stream << *holder;
}

#define TORCH_MODULE(Name)                                         \
  class Name : public ::rushlight::nn::ModuleHolder<Name##Impl> {  \
   public:                                                         \
    using ::rushlight::nn::ModuleHolder<Name##Impl>::ModuleHolder; \
    using Impl = Name##Impl;                                       \
  }

}  // namespace nn
}  // namespace rushlight
