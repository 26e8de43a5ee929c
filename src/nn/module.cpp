// nn::Module.
#include "rushlight/nn/module.h"

#include <cxxabi.h>

#include <cstdlib>
#include <ostream>
#include <set>
#include <sstream>
#include <typeinfo>

namespace rushlight::nn {

const std::string& Module::name() const {
  if (name_.empty()) {
    int status = 0;
    char* text = abi::__cxa_demangle(typeid(*this).name(), nullptr, nullptr, &status);
    name_ = status == 0 ? text : typeid(*this).name();
    std::free(text);
  }
  return name_;
}

template <class Visit>
void Module::visit_tensors(const std::string& prefix, bool recurse, const Visit& visit) const {
  visit(prefix, *this);
  if (!recurse) return;
  for (const auto& [name, child] : children_)
    child->visit_tensors(prefix + name + ".", true, visit);
}

namespace {

// Adds the tensors of one dict under a prefix, each shared one once.
class Collector {
 public:
  void add(const std::string& prefix, const OrderedDict<Tensor>& from) {
    for (const auto& [name, tensor] : from)
      if (tensor.defined() && seen_.insert(tensor.impl()).second) found.insert(prefix + name, tensor);
  }
  OrderedDict<Tensor> found;

 private:
  std::set<const TensorImpl*> seen_;
};

}  // namespace

OrderedDict<Tensor> Module::named_parameters(bool recurse) const {
  Collector collect;
  visit_tensors("", recurse,
                [&](const std::string& prefix, const Module& module) { collect.add(prefix, module.parameters_); });
  return collect.found;
}
OrderedDict<Tensor> Module::named_buffers(bool recurse) const {
  Collector collect;
  visit_tensors("", recurse,
                [&](const std::string& prefix, const Module& module) { collect.add(prefix, module.buffers_); });
  return collect.found;
}
std::vector<Tensor> Module::parameters(bool recurse) const { return named_parameters(recurse).values(); }
std::vector<Tensor> Module::buffers(bool recurse) const { return named_buffers(recurse).values(); }

std::vector<std::shared_ptr<Module>> Module::children() const { return children_.values(); }

std::vector<std::shared_ptr<Module>> Module::modules(bool include_self) const {
  std::vector<std::shared_ptr<Module>> all;
  if (include_self) all.push_back(const_cast<Module*>(this)->shared_from_this());
  for (const auto& [name, child] : children_)
    for (auto& below : child->modules())
      all.push_back(std::move(below));
  return all;
}

void Module::apply(const std::function<void(Module&)>& function) {
  for (auto& [name, child] : children_)
    child->apply(function);
  function(*this);
}

void Module::train(bool on) {
  for (auto& [name, child] : children_)
    child->train(on);
  training_ = on;
}

void Module::to(Dtype dtype, bool) {
  const NoGradGuard guard;
  visit_tensors("", true, [&](const std::string&, const Module& module) {
    for (const auto* dict : {&module.parameters_, &module.buffers_})
      for (const auto& [name, tensor] : *dict)
        if (tensor.defined() && is_differentiable(tensor.dtype())) tensor.set_data(tensor.detach().to(dtype));
  });
}
void Module::to(Device device, bool) {
  const NoGradGuard guard;
  visit_tensors("", true, [&](const std::string&, const Module& module) {
    for (const auto* dict : {&module.parameters_, &module.buffers_})
      for (const auto& [name, tensor] : *dict)
        if (tensor.defined()) tensor.set_data(tensor.detach().to(device, tensor.dtype()));
  });
}

void Module::zero_grad(bool set_to_none) {
  for (Tensor& parameter : parameters()) {
    if (!parameter.grad().defined()) continue;
    if (set_to_none)
      parameter.set_grad({});
    else
      parameter.grad().detach().zero_();
  }
}

OrderedDict<Tensor> Module::state_dict() const {
  OrderedDict<Tensor> state;
  visit_tensors("", true, [&](const std::string& prefix, const Module& module) {
    for (const auto* dict : {&module.parameters_, &module.buffers_})
      for (const auto& [name, tensor] : *dict)
        if (tensor.defined()) state.insert(prefix + name, tensor.detach());
  });
  return state;
}

void Module::load_state_dict(const OrderedDict<Tensor>& state) {
  std::ostringstream wrong;
  const OrderedDict<Tensor> own = state_dict();
  const NoGradGuard guard;
  for (const auto& [name, tensor] : own) {
    const Tensor* given = state.find(name);
    if (!given)
      wrong << "\n  missing key: " << name;
    else if (!(given->sizes() == tensor.sizes()))
      wrong << "\n  size mismatch for " << name << ": the file has " << to_text(given->sizes()) << ", the module "
            << to_text(tensor.sizes());
  }
  for (const auto& [name, tensor] : state)
    if (!own.contains(name)) wrong << "\n  unexpected key: " << name;
  check(wrong.str().empty(), "Error(s) in loading state_dict for ", name(), ":", wrong.str());
  for (const auto& [name, tensor] : own)
    tensor.copy_(state[name]);
}

Tensor& Module::register_parameter(std::string name, Tensor tensor, bool requires_grad) {
  check(!name.empty() && name.find('.') == std::string::npos,
        "register_parameter: a name must be neither empty nor contain a dot, got '", name, "'");
  if (tensor.defined()) tensor.set_requires_grad(requires_grad);
  parameters_.insert(name, std::move(tensor));
  return *parameters_.find(name);
}

Tensor& Module::register_buffer(std::string name, Tensor tensor) {
  check(!name.empty() && name.find('.') == std::string::npos,
        "register_buffer: a name must be neither empty nor contain a dot, got '", name, "'");
  buffers_.insert(name, std::move(tensor));
  return *buffers_.find(name);
}

void Module::add_child(std::string name, std::shared_ptr<Module> module) {
  check(!name.empty() && name.find('.') == std::string::npos,
        "register_module: a name must be neither empty nor contain a dot, got '", name, "'");
  check(module != nullptr, "register_module: module '", name, "' is empty");
  children_.insert(std::move(name), std::move(module));
}

void Module::pretty_print(std::ostream& stream) const { stream << name(); }

void Module::print_below(std::ostream& stream, const std::string& indent) const {
  pretty_print(stream);
  if (children_.is_empty()) return;
  stream << "(\n";
  for (const auto& [name, child] : children_) {
    stream << indent << "  (" << name << "): ";
    child->print_below(stream, indent + "  ");
    stream << '\n';
  }
  stream << indent << ')';
}

std::ostream& operator<<(std::ostream& stream, const Module& module) {
  module.print_below(stream, "");
  return stream;
}

}  // namespace rushlight::nn
