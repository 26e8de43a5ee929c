// Names of nodes of compositions.
#include "autograd/shown_name.h"

#include <map>
#include <mutex>
#include <string>

#include "autograd/node.h"

namespace rushlight {
namespace {

// A node type like `type` that is called `name`. Few exist, and nodes point to them, so they stay.
const NodeType* renamed(const NodeType* type, std::string_view name) {
  static std::mutex guard;
  static auto& types = *new std::map<std::pair<const NodeType*, std::string>, NodeType>;
  const std::lock_guard lock(guard);
  const auto [found, added] = types.try_emplace({type, std::string(name)}, *type);
  if (added) {
    found->second.name = found->first.second.c_str();
    found->second.title = nullptr;
  }
  return &found->second;
}

}  // namespace

void show_as(const Tensor& result, std::string_view name) {
  Node* const node = result.impl()->grad_fn;
  if (node && name != node->name()) node->type = renamed(node->type, name);
}

std::string_view shown_name(const Tensor& tensor) {
  const Node* const node = tensor.impl()->grad_fn;
  return node ? node->name() : std::string_view();
}

void ShownAs::rename(const Tensor& result) const {
  if (result.impl()->grad_fn->sequence > before_) show_as(result, name_);
}

}  // namespace rushlight
