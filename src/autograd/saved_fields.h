// What nodes show of the values that they saved (`grad_fn._saved_self`). The generator lists the fields of every node.
// To show a new type of member: an overload of `shown`.
#pragma once
#include <type_traits>
#include <variant>

#include "autograd/saved.h"

namespace rushlight {

// Nothing, where the call needed no such value.
using SavedValue = std::variant<std::monostate, Tensor, std::vector<Tensor>, std::vector<std::int64_t>,
                                std::vector<double>, std::vector<Scalar>, Scalar, Dtype, std::string>;

SavedValue shown(Node& node, const Saved& tensor);
SavedValue shown(Node& node, const SavedList& tensors);
SavedValue shown(Node& node, const Shape& sizes);
SavedValue shown(Node& node, const SavedDims& dims);
SavedValue shown(Node& node, const SavedReals& values);
template <class T>
SavedValue shown(Node&, const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return Scalar(value);
  else
    return value;
}
template <class T>
SavedValue shown(Node& node, const std::optional<T>& value) {
  return value ? shown(node, *value) : SavedValue();
}

template <class T>
SavedValue read_member(Node& node, const void* member) {
  return shown(node, *static_cast<const T*>(member));
}

struct SavedField {
  const char* name;
  SavedValue (*read)(Node& node, const void* member);
  std::uint32_t offset;  // of the member in the node
};

// Throws for a tensor that was freed or changed since.
SavedValue saved_value(Node& node, const SavedField& field);

// The tensor or the tensors of a field, unread; null for others.
Saved* saved_tensor(Node& node, const SavedField& field);
SavedList* saved_list(Node& node, const SavedField& field);

}  // namespace rushlight
