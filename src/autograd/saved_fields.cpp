// Reads what nodes saved, by the generated lists of their fields.
#include "autograd/saved_fields.h"

namespace rushlight {
namespace {

template <class T>
const T& member(const Node& node, const SavedField& field) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const char*>(&node) + field.offset);
}

template <class T>
SavedValue optional_member(const Node& node, const SavedField& field) {
  const auto& value = member<std::optional<T>>(node, field);
  if (!value) return {};
  if constexpr (std::is_same_v<T, Dtype> || std::is_same_v<T, std::string>)
    return *value;
  else
    return Scalar(*value);
}

template <class T>
std::vector<T> listed(std::span<const T> values) {
  return {values.begin(), values.end()};
}

}  // namespace

SavedValue saved_value(Node& node, const SavedField& field) {
  switch (field.kind) {
    case SavedKind::kTensor: {
      Tensor tensor = member<Saved>(node, field).get(node);
      return tensor.defined() ? SavedValue(std::move(tensor)) : SavedValue();
    }
    case SavedKind::kTensors:
      if (node.released) freed(node);
      return member<SavedList>(node, field).get(node);
    case SavedKind::kShape:
      return listed(IntArray(member<Shape>(node, field)));
    case SavedKind::kDims: {
      const OptionalIntArray dims = member<SavedDims>(node, field);
      return dims ? SavedValue(listed(*dims)) : SavedValue();
    }
    case SavedKind::kInteger:
      return Scalar(member<std::int64_t>(node, field));
    case SavedKind::kOptionalInteger:
      return optional_member<std::int64_t>(node, field);
    case SavedKind::kBoolean:
      return Scalar(member<bool>(node, field));
    case SavedKind::kOptionalBoolean:
      return optional_member<bool>(node, field);
    case SavedKind::kReal:
      return Scalar(member<double>(node, field));
    case SavedKind::kOptionalReal:
      return optional_member<double>(node, field);
    case SavedKind::kReals: {
      const std::optional<std::span<const double>> values = member<SavedReals>(node, field);
      return values ? SavedValue(listed(*values)) : SavedValue();
    }
    case SavedKind::kNumber:
      return member<Scalar>(node, field);
    case SavedKind::kOptionalNumber:
      return optional_member<Scalar>(node, field);
    case SavedKind::kNumbers:
      return member<std::vector<Scalar>>(node, field);
    case SavedKind::kDtype:
      return member<Dtype>(node, field);
    case SavedKind::kOptionalDtype:
      return optional_member<Dtype>(node, field);
    case SavedKind::kText:
      return member<std::string>(node, field);
    case SavedKind::kOptionalText:
      return optional_member<std::string>(node, field);
  }
  return {};
}

std::vector<Saved*> saved_tensors(Node& node, const SavedField& field) {
  if (field.kind == SavedKind::kTensor) return {const_cast<Saved*>(&member<Saved>(node, field))};
  if (field.kind == SavedKind::kTensors) return const_cast<SavedList&>(member<SavedList>(node, field)).entries();
  return {};
}

}  // namespace rushlight
