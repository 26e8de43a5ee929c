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
// A pair of float16: complex32.
struct ComplexHalf {
  Half re, im;
  ComplexHalf() = default;
  ComplexHalf(ComplexFloat value)  // NOLINT(google-explicit-constructor)
      : re(value.real()), im(value.imag()) {}
  operator ComplexFloat() const { return {re, im}; }
};

// Formats of eight bits, named after their exponent and mantissa. FN: no infinities; UZ: one zero, whose negative is
// the only NaN. What exceeds the largest number becomes that number in e4m3fn, infinity in e5m2, NaN in the others.
enum class Float8Format : std::uint8_t { kE4M3FN, kE5M2, kE4M3FNUZ, kE5M2FNUZ, kE8M0FNU };
template <Float8Format kFormat>
struct Float8 {
  std::uint8_t bits = 0;
  Float8() = default;
  Float8(float value);  // NOLINT(google-explicit-constructor): to nearest, ties to even
  operator float() const;
};
using Float8E4M3FN = Float8<Float8Format::kE4M3FN>;
using Float8E5M2 = Float8<Float8Format::kE5M2>;
using Float8E4M3FNUZ = Float8<Float8Format::kE4M3FNUZ>;
using Float8E5M2FNUZ = Float8<Float8Format::kE5M2FNUZ>;
using Float8E8M0FNU = Float8<Float8Format::kE8M0FNU>;

// X(enumerator, name, name in error texts, bytes, C++ name in error texts), in the order of the enum: by category and
// width. First the dtypes that kernels compute with.
#define RL_COMPUTED_DTYPES(X)                                          \
  X(kBool, "bool", "Bool", 1, "bool")                                  \
  X(kUInt8, "uint8", "Byte", 1, "unsigned char")                       \
  X(kInt8, "int8", "Char", 1, "signed char")                           \
  X(kInt16, "int16", "Short", 2, "short int")                          \
  X(kInt32, "int32", "Int", 4, "int")                                  \
  X(kInt64, "int64", "Long", 8, "long int")                            \
  X(kUInt16, "uint16", "UInt16", 2, "uint16")                          \
  X(kUInt32, "uint32", "UInt32", 4, "uint32")                          \
  X(kUInt64, "uint64", "UInt64", 8, "uint64")                          \
  X(kFloat16, "float16", "Half", 2, "c10::Half")                       \
  X(kBFloat16, "bfloat16", "BFloat16", 2, "c10::BFloat16")             \
  X(kFloat32, "float32", "Float", 4, "float")                          \
  X(kFloat64, "float64", "Double", 8, "double")                        \
  X(kComplex64, "complex64", "ComplexFloat", 8, "c10::complex<float>") \
  X(kComplex128, "complex128", "ComplexDouble", 16, "c10::complex<double>")
// Then those that are only stored: tensors are made, filled, moved, viewed, converted and compared, and what else
// computes refuses them. Numbers in few bits come first; the elements of the others are bytes that mean what the
// program says.
#define RL_STORED_DTYPES(X)                                                              \
  X(kFloat8E4M3FN, "float8_e4m3fn", "Float8_e4m3fn", 1, "c10::Float8_e4m3fn")            \
  X(kFloat8E5M2, "float8_e5m2", "Float8_e5m2", 1, "c10::Float8_e5m2")                    \
  X(kFloat8E4M3FNUZ, "float8_e4m3fnuz", "Float8_e4m3fnuz", 1, "c10::Float8_e4m3fnuz")    \
  X(kFloat8E5M2FNUZ, "float8_e5m2fnuz", "Float8_e5m2fnuz", 1, "c10::Float8_e5m2fnuz")    \
  X(kFloat8E8M0FNU, "float8_e8m0fnu", "Float8_e8m0fnu", 1, "c10::Float8_e8m0fnu")        \
  X(kComplex32, "complex32", "ComplexHalf", 4, "c10::complex<c10::Half>")                \
  X(kFloat4E2M1FNx2, "float4_e2m1fn_x2", "Float4_e2m1fn_x2", 1, "c10::Float4_e2m1fn_x2") \
  X(kUInt1, "uint1", "UInt1", 1, "c10::uint1")                                           \
  X(kUInt2, "uint2", "UInt2", 1, "c10::uint2")                                           \
  X(kUInt3, "uint3", "UInt3", 1, "c10::uint3")                                           \
  X(kUInt4, "uint4", "UInt4", 1, "c10::uint4")                                           \
  X(kUInt5, "uint5", "UInt5", 1, "c10::uint5")                                           \
  X(kUInt6, "uint6", "UInt6", 1, "c10::uint6")                                           \
  X(kUInt7, "uint7", "UInt7", 1, "c10::uint7")                                           \
  X(kInt1, "int1", "Int1", 1, "c10::int1")                                               \
  X(kInt2, "int2", "Int2", 1, "c10::int2")                                               \
  X(kInt3, "int3", "Int3", 1, "c10::int3")                                               \
  X(kInt4, "int4", "Int4", 1, "c10::int4")                                               \
  X(kInt5, "int5", "Int5", 1, "c10::int5")                                               \
  X(kInt6, "int6", "Int6", 1, "c10::int6")                                               \
  X(kInt7, "int7", "Int7", 1, "c10::int7")                                               \
  X(kBits1x8, "bits1x8", "Bits1x8", 1, "c10::bits1x8")                                   \
  X(kBits2x4, "bits2x4", "Bits2x4", 1, "c10::bits2x4")                                   \
  X(kBits4x2, "bits4x2", "Bits4x2", 1, "c10::bits4x2")                                   \
  X(kBits8, "bits8", "Bits8", 1, "c10::bits8")                                           \
  X(kBits16, "bits16", "Bits16", 2, "c10::bits16")                                       \
  X(kQInt8, "qint8", "QInt8", 1, "c10::qint8")                                           \
  X(kQUInt8, "quint8", "QUInt8", 1, "c10::quint8")                                       \
  X(kQInt32, "qint32", "QInt32", 4, "c10::qint32")                                       \
  X(kQUInt4x2, "quint4x2", "QUInt4x2", 1, "c10::quint4x2")                               \
  X(kQUInt2x4, "quint2x4", "QUInt2x4", 1, "c10::quint2x4")
#define RL_DTYPES(X) RL_COMPUTED_DTYPES(X) RL_STORED_DTYPES(X)

enum class Dtype : std::uint8_t {
#define RL_ENUMERATOR(id, ...) id,
  RL_COMPUTED_DTYPES(RL_ENUMERATOR) kStored =
      0x3f,  // no dtype: behind it the bit 0x40 is set, which entry functions test together with their flags
  RL_STORED_DTYPES(RL_ENUMERATOR)
#undef RL_ENUMERATOR
};
using ScalarType = Dtype;  // libtorch's name

#define RL_ONE(...) +1
#define RL_DTYPE(id, ...) Dtype::id,
inline constexpr int kComputedDtypes = RL_COMPUTED_DTYPES(RL_ONE), kDtypes = RL_DTYPES(RL_ONE);
inline constexpr Dtype kAllDtypes[kDtypes] = {RL_DTYPES(RL_DTYPE)};
#undef RL_ONE
#undef RL_DTYPE
constexpr bool is_stored_only(Dtype type) { return type > Dtype::kStored; }
// The place of a dtype in tables.
constexpr int index_of(Dtype type) {
  return static_cast<int>(type) - (is_stored_only(type) ? 0x40 - kComputedDtypes : 0);
}

// RL_FOR_COMPUTED(X) calls X(enumerator, C++ type).
#define RL_FOR_COMPUTED(X)    \
  X(kBool, bool)              \
  X(kUInt8, std::uint8_t)     \
  X(kInt8, std::int8_t)       \
  X(kInt16, std::int16_t)     \
  X(kInt32, std::int32_t)     \
  X(kInt64, std::int64_t)     \
  X(kUInt16, std::uint16_t)   \
  X(kUInt32, std::uint32_t)   \
  X(kUInt64, std::uint64_t)   \
  X(kFloat16, Half)           \
  X(kBFloat16, BFloat16)      \
  X(kFloat32, float)          \
  X(kFloat64, double)         \
  X(kComplex64, ComplexFloat) \
  X(kComplex128, ComplexDouble)
// RL_FOR_FORMATS(X): numbers that are kept in fewer bits and computed with in another dtype.
#define RL_FOR_FORMATS(X)            \
  X(kFloat8E4M3FN, Float8E4M3FN)     \
  X(kFloat8E5M2, Float8E5M2)         \
  X(kFloat8E4M3FNUZ, Float8E4M3FNUZ) \
  X(kFloat8E5M2FNUZ, Float8E5M2FNUZ) \
  X(kFloat8E8M0FNU, Float8E8M0FNU)   \
  X(kComplex32, ComplexHalf)

#define RL_SIZE(id, name, title, bytes, cpp) bytes,
#define RL_NAME(id, name, title, bytes, cpp) name,
#define RL_TITLE(id, name, title, bytes, cpp) title,
#define RL_CPP_NAME(id, name, title, bytes, cpp) cpp,
inline constexpr std::uint8_t kItemSize[kDtypes] = {RL_DTYPES(RL_SIZE)};
inline constexpr const char* kDtypeName[kDtypes] = {RL_DTYPES(RL_NAME)};
// The spelling of PyTorch's error texts: expected scalar type Float but found Double.
inline constexpr const char* kScalarTypeName[kDtypes] = {RL_DTYPES(RL_TITLE)};
// As C++ programs print a dtype.
inline constexpr const char* kCppName[kDtypes] = {RL_DTYPES(RL_CPP_NAME)};
#undef RL_SIZE
#undef RL_NAME
#undef RL_TITLE
#undef RL_CPP_NAME

constexpr std::size_t item_size(Dtype type) { return kItemSize[index_of(type)]; }
constexpr const char* name(Dtype type) { return kDtypeName[index_of(type)]; }
constexpr const char* scalar_type_name(Dtype type) { return kScalarTypeName[index_of(type)]; }
constexpr const char* cpp_name(Dtype type) { return kCppName[index_of(type)]; }
constexpr bool is_complex(Dtype type) {
  return type == Dtype::kComplex64 || type == Dtype::kComplex128 || type == Dtype::kComplex32;
}
constexpr bool is_float8(Dtype type) { return type >= Dtype::kFloat8E4M3FN && type <= Dtype::kFloat8E8M0FNU; }
constexpr bool is_floating(Dtype type) {
  return (type >= Dtype::kFloat16 && type <= Dtype::kFloat64) || is_float8(type) || type == Dtype::kFloat4E2M1FNx2;
}
constexpr bool is_differentiable(Dtype type) {
  return (type >= Dtype::kFloat16 && type <= Dtype::kComplex128) || is_float8(type) || type == Dtype::kComplex32;
}
constexpr bool is_integral(Dtype type, bool with_bool = true) {
  return type <= Dtype::kUInt64 && (with_bool || type != Dtype::kBool);
}
constexpr bool is_reduced_float(Dtype type) { return type == Dtype::kFloat16 || type == Dtype::kBFloat16; }
constexpr bool is_unsigned(Dtype type) {
  return type == Dtype::kUInt8 || (type >= Dtype::kUInt16 && type <= Dtype::kUInt64) ||
         (type >= Dtype::kUInt1 && type <= Dtype::kUInt7);
}
constexpr bool is_signed(Dtype type) {
  return type != Dtype::kBool && !is_unsigned(type) && type != Dtype::kFloat8E8M0FNU;
}
constexpr bool has_numbers(Dtype type) { return type <= Dtype::kComplex32 && type != Dtype::kStored; }

// float16 for complex32, float32 for complex64, float64 for complex128, itself otherwise; and back. bfloat16 and the
// smaller formats have no complex counterpart: float32's is used.
constexpr Dtype to_real(Dtype type) {
  return type == Dtype::kComplex32    ? Dtype::kFloat16
         : type == Dtype::kComplex64  ? Dtype::kFloat32
         : type == Dtype::kComplex128 ? Dtype::kFloat64
                                      : type;
}
constexpr Dtype to_complex(Dtype type) {
  return is_complex(type)          ? type
         : type == Dtype::kFloat16 ? Dtype::kComplex32
         : type == Dtype::kFloat64 ? Dtype::kComplex128
                                   : Dtype::kComplex64;
}
// The dtype that holds every value of `type` and that kernels without `type` itself compute in: a wider one, or `type`.
constexpr Dtype carrier(Dtype type) {
  return is_reduced_float(type) || is_float8(type) ? Dtype::kFloat32
         : type == Dtype::kComplex32               ? Dtype::kComplex64
         : type == Dtype::kUInt16                  ? Dtype::kInt32
         : type == Dtype::kUInt32                  ? Dtype::kInt64
                                                   : type;
}

// The smallest dtype of the highest of the two categories that holds both (both as dimensioned tensors). Raises where
// none does: uint64 with a signed integer, a format of eight bits with any other dtype.
Dtype promote(Dtype a, Dtype b);
// Whether a result of dtype `from` may be written to a tensor of dtype `to`: not down a category.
constexpr bool can_cast(Dtype from, Dtype to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to)) return false;
  return from == Dtype::kBool || to != Dtype::kBool;
}

template <class T>
inline constexpr Dtype kDtypeOf = Dtype::kBool;
#define RL_DTYPE_OF(id, T) \
  template <>              \
  inline constexpr Dtype kDtypeOf<T> = Dtype::id;
RL_FOR_COMPUTED(RL_DTYPE_OF)
RL_FOR_FORMATS(RL_DTYPE_OF)
#undef RL_DTYPE_OF

// Why nothing is computed with a dtype that is only stored, and what to do.
const char* refusal(Dtype type);
[[noreturn]] void refuse_arithmetic(Dtype type);

// Calls `body` with a value of the C++ type of `type`; `body` is a generic lambda. Dtypes that are not computed with
// raise NotImplementedError.
template <class Body>
decltype(auto) visit(Dtype type, Body&& body) {
  switch (type) {
#define RL_CASE(id, T) \
  case Dtype::id:      \
    return body(T{});
    RL_FOR_COMPUTED(RL_CASE)
    default:
      refuse_arithmetic(type);
  }
}
// The same with the formats that are only stored: for reading and writing single numbers.
template <class Body>
decltype(auto) visit_numbers(Dtype type, Body&& body) {
  switch (type) {
    RL_FOR_COMPUTED(RL_CASE)
    RL_FOR_FORMATS(RL_CASE)
    default:
      refuse_arithmetic(type);
  }
}
#undef RL_CASE

}  // namespace rushlight
