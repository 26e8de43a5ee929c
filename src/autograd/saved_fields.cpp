// Reads what nodes saved, by the generated lists of their fields.
#include "autograd/saved_fields.h"

namespace rushlight {
namespace {

void* member_of(Node& node, const SavedField& field) { return reinterpret_cast<char*>(&node) + field.offset; }

template <class T>
T* member_as(Node& node, const SavedField& field) {
  return field.read == read_member<T> ? static_cast<T*>(member_of(node, field)) : nullptr;
}

template <class T>
std::vector<T> listed(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace

SavedValue shown(Node& node, const Saved& saved) {
  Tensor tensor = saved.get(node);
  return tensor.defined() ? SavedValue(std::move(tensor)) : SavedValue();
}
SavedValue shown(Node& node, const SavedList& tensors) {
  if (node.released) freed(node);
  return tensors.get(node);
}
SavedValue shown(Node&, const Shape& sizes) { return listed(IntArray(sizes)); }
SavedValue shown(Node&, const SavedDims& saved) {
  const OptionalIntArray dims = saved;
  return dims ? SavedValue(listed(*dims)) : SavedValue();
}
SavedValue shown(Node&, const SavedReals& saved) {
  const std::optional<std::span<const double>> values = saved;
  return values ? SavedValue(listed(*values)) : SavedValue();
}

SavedValue saved_value(Node& node, const SavedField& field) { return field.read(node, member_of(node, field)); }

Saved* saved_tensor(Node& node, const SavedField& field) { return member_as<Saved>(node, field); }
SavedList* saved_list(Node& node, const SavedField& field) { return member_as<SavedList>(node, field); }

}  // namespace rushlight
