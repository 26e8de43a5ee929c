// What nodes show of the values that they saved (`grad_fn._saved_self`). The generator lists the fields of every node.
#pragma once
#include <variant>

#include "autograd/saved.h"

namespace rushlight {

enum class SavedKind : std::uint8_t {
  kTensor,
  kTensors,
  kShape,
  kDims,
  kInteger,
  kOptionalInteger,
  kBoolean,
  kOptionalBoolean,
  kReal,
  kOptionalReal,
  kReals,
  kNumber,
  kOptionalNumber,
  kNumbers,
  kDtype,
  kOptionalDtype,
  kText,
  kOptionalText,
};

struct SavedField {
  const char* name;
  SavedKind kind;
  std::uint32_t offset;  // in the node
};

template <class T>
inline constexpr SavedKind saved_kind = T::no_such_kind;
template <>
inline constexpr SavedKind saved_kind<Saved> = SavedKind::kTensor;
template <>
inline constexpr SavedKind saved_kind<SavedList> = SavedKind::kTensors;
template <>
inline constexpr SavedKind saved_kind<Shape> = SavedKind::kShape;
template <>
inline constexpr SavedKind saved_kind<SavedDims> = SavedKind::kDims;
template <>
inline constexpr SavedKind saved_kind<std::int64_t> = SavedKind::kInteger;
template <>
inline constexpr SavedKind saved_kind<std::optional<std::int64_t>> = SavedKind::kOptionalInteger;
template <>
inline constexpr SavedKind saved_kind<bool> = SavedKind::kBoolean;
template <>
inline constexpr SavedKind saved_kind<std::optional<bool>> = SavedKind::kOptionalBoolean;
template <>
inline constexpr SavedKind saved_kind<double> = SavedKind::kReal;
template <>
inline constexpr SavedKind saved_kind<std::optional<double>> = SavedKind::kOptionalReal;
template <>
inline constexpr SavedKind saved_kind<SavedReals> = SavedKind::kReals;
template <>
inline constexpr SavedKind saved_kind<Scalar> = SavedKind::kNumber;
template <>
inline constexpr SavedKind saved_kind<std::optional<Scalar>> = SavedKind::kOptionalNumber;
template <>
inline constexpr SavedKind saved_kind<std::vector<Scalar>> = SavedKind::kNumbers;
template <>
inline constexpr SavedKind saved_kind<Dtype> = SavedKind::kDtype;
template <>
inline constexpr SavedKind saved_kind<std::optional<Dtype>> = SavedKind::kOptionalDtype;
template <>
inline constexpr SavedKind saved_kind<std::string> = SavedKind::kText;
template <>
inline constexpr SavedKind saved_kind<std::optional<std::string>> = SavedKind::kOptionalText;

// Nothing, where the call needed no such value.
using SavedValue = std::variant<std::monostate, Tensor, std::vector<Tensor>, std::vector<std::int64_t>,
                                std::vector<double>, std::vector<Scalar>, Scalar, Dtype, std::string>;
// Throws for a tensor that was freed or changed since.
SavedValue saved_value(Node& node, const SavedField& field);

// The tensors of a field, unread; none for other kinds.
std::vector<Saved*> saved_tensors(Node& node, const SavedField& field);

}  // namespace rushlight
