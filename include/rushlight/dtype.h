// Element types: their names, sizes, C++ types and the promotion of two of them.
#pragma once
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace rushlight {

// float16 and bfloat16 are storage formats: arithmetic converts to float and rounds once on the way back.
struct Half {
  std::uint16_t bits = 0;
  Half() = default;
  Half(float value);  // NOLINT(google-explicit-constructor): converts like a number
  operator float() const;
};
struct BFloat16 {
  std::uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float value);  // NOLINT(google-explicit-constructor)
  operator float() const {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    return value;
  }
};
using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;

enum class Dtype : std::uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};
using ScalarType = Dtype;  // libtorch's name
inline constexpr int kDtypes = 12;

// RL_FOR_DTYPES(X) calls X(enumerator, C++ type, name, name in error texts) for each dtype in enum order.
#define RL_FOR_DTYPES(X)                                   \
  X(kBool, bool, "bool", "Bool")                           \
  X(kUInt8, std::uint8_t, "uint8", "Byte")                 \
  X(kInt8, std::int8_t, "int8", "Char")                    \
  X(kInt16, std::int16_t, "int16", "Short")                \
  X(kInt32, std::int32_t, "int32", "Int")                  \
  X(kInt64, std::int64_t, "int64", "Long")                 \
  X(kFloat16, Half, "float16", "Half")                     \
  X(kBFloat16, BFloat16, "bfloat16", "BFloat16")           \
  X(kFloat32, float, "float32", "Float")                   \
  X(kFloat64, double, "float64", "Double")                 \
  X(kComplex64, ComplexFloat, "complex64", "ComplexFloat") \
  X(kComplex128, ComplexDouble, "complex128", "ComplexDouble")

inline constexpr std::size_t kItemSize[kDtypes] = {1, 1, 1, 2, 4, 8, 2, 2, 4, 8, 8, 16};
inline constexpr const char* kDtypeName[kDtypes] = {"bool",    "uint8",   "int8",      "int16",
                                                    "int32",   "int64",   "float16",   "bfloat16",
                                                    "float32", "float64", "complex64", "complex128"};
// The spelling of PyTorch's error texts: expected scalar type Float but found Double.
inline constexpr const char* kScalarTypeName[kDtypes] = {"Bool",  "Byte",   "Char",         "Short",
                                                         "Int",   "Long",   "Half",         "BFloat16",
                                                         "Float", "Double", "ComplexFloat", "ComplexDouble"};

constexpr std::size_t item_size(Dtype type) { return kItemSize[static_cast<int>(type)]; }
constexpr const char* name(Dtype type) { return kDtypeName[static_cast<int>(type)]; }
constexpr const char* scalar_type_name(Dtype type) { return kScalarTypeName[static_cast<int>(type)]; }
constexpr bool is_complex(Dtype type) { return type >= Dtype::kComplex64; }
constexpr bool is_floating(Dtype type) { return type >= Dtype::kFloat16 && type <= Dtype::kFloat64; }
constexpr bool is_differentiable(Dtype type) { return type >= Dtype::kFloat16; }
constexpr bool is_integral(Dtype type, bool with_bool = true) {
  return type <= Dtype::kInt64 && (with_bool || type != Dtype::kBool);
}
constexpr bool is_reduced_float(Dtype type) { return type == Dtype::kFloat16 || type == Dtype::kBFloat16; }
constexpr bool is_signed(Dtype type) { return type >= Dtype::kInt8; }

// float32 for complex64, float64 for complex128, itself otherwise; and back. Half types have no complex
// counterpart here, so float32's is used.
constexpr Dtype to_real(Dtype type) {
  return type == Dtype::kComplex64 ? Dtype::kFloat32 : type == Dtype::kComplex128 ? Dtype::kFloat64 : type;
}
constexpr Dtype to_complex(Dtype type) {
  return is_complex(type) ? type : type == Dtype::kFloat64 ? Dtype::kComplex128 : Dtype::kComplex64;
}

// The smallest dtype of the highest of the two categories that holds both (both as dimensioned tensors).
Dtype promote(Dtype a, Dtype b);
// Whether a result of dtype `from` may be written to a tensor of dtype `to`: not down a category.
constexpr bool can_cast(Dtype from, Dtype to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to)) return false;
  return from == Dtype::kBool || to != Dtype::kBool;
}

template <class T>
inline constexpr Dtype kDtypeOf = Dtype::kBool;
template <>
inline constexpr Dtype kDtypeOf<std::uint8_t> = Dtype::kUInt8;
template <>
inline constexpr Dtype kDtypeOf<std::int8_t> = Dtype::kInt8;
template <>
inline constexpr Dtype kDtypeOf<std::int16_t> = Dtype::kInt16;
template <>
inline constexpr Dtype kDtypeOf<std::int32_t> = Dtype::kInt32;
template <>
inline constexpr Dtype kDtypeOf<std::int64_t> = Dtype::kInt64;
template <>
inline constexpr Dtype kDtypeOf<Half> = Dtype::kFloat16;
template <>
inline constexpr Dtype kDtypeOf<BFloat16> = Dtype::kBFloat16;
template <>
inline constexpr Dtype kDtypeOf<float> = Dtype::kFloat32;
template <>
inline constexpr Dtype kDtypeOf<double> = Dtype::kFloat64;
template <>
inline constexpr Dtype kDtypeOf<ComplexFloat> = Dtype::kComplex64;
template <>
inline constexpr Dtype kDtypeOf<ComplexDouble> = Dtype::kComplex128;

// Calls `body` with a value of the C++ type of `type`; `body` is a generic lambda.
template <class Body>
decltype(auto) visit(Dtype type, Body&& body) {
  switch (type) {
#define RL_CASE(id, T, text, title) \
  case Dtype::id:                   \
    return body(T{});
    RL_FOR_DTYPES(RL_CASE)
#undef RL_CASE
  }
  __builtin_unreachable();
}

}  // namespace rushlight
