// A Python or C++ number operand: it stays a number down to the kernel.
#pragma once
#include <complex>
#include <concepts>

#include "rushlight/dtype.h"

namespace rushlight {

class Scalar {
 public:
  Scalar() : Scalar(std::int64_t{0}) {}
  Scalar(bool value) : integer_(value), type_(Dtype::kBool) {}
  Scalar(std::integral auto value)
      : integer_(static_cast<std::int64_t>(value)),
        type_(std::unsigned_integral<decltype(value)> && integer_ < 0 ? Dtype::kUInt64 : Dtype::kInt64) {}
  Scalar(std::floating_point auto value) : real_(static_cast<double>(value)), type_(Dtype::kFloat64) {}
  template <class T>
  Scalar(std::complex<T> value)
      : real_(static_cast<double>(value.real())), imag_(static_cast<double>(value.imag())), type_(Dtype::kComplex128) {}
  Scalar(Half value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  Scalar(BFloat16 value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  template <Float8Format kFormat>
  Scalar(Float8<kFormat> value) : Scalar(static_cast<double>(static_cast<float>(value))) {}
  Scalar(ComplexHalf value) : Scalar(static_cast<ComplexFloat>(value)) {}

  // kBool, kInt64, kFloat64 or kComplex128: the category of the number; kUInt64 where no int64 holds an integer.
  Dtype type() const { return type_; }
  bool is_boolean() const { return type_ == Dtype::kBool; }
  bool is_integral(bool with_bool = true) const { return rushlight::is_integral(type_, with_bool); }
  bool is_floating() const { return type_ == Dtype::kFloat64; }
  bool is_complex() const { return type_ == Dtype::kComplex128; }
  bool is_one() const { return is_integral() ? integer_ == 1 : real_ == 1.0 && imag_ == 0.0; }
  bool is_zero() const { return is_integral() ? integer_ == 0 : real_ == 0.0 && imag_ == 0.0; }

  // The value as a `T`; the imaginary part is dropped where T is real, as casts of tensors do.
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, ComplexFloat> || std::is_same_v<T, ComplexDouble>) {
      using Part = typename T::value_type;
      return {to<Part>(), static_cast<Part>(imag_)};
    } else if constexpr (std::is_same_v<T, ComplexHalf>) {
      return T(to<ComplexFloat>());
    } else if constexpr (!std::is_arithmetic_v<T>) {  // half types and formats of eight bits
      return T(to<float>());
    } else {
      if (is_floating() || is_complex()) return static_cast<T>(real_);
      return type_ == Dtype::kUInt64 ? static_cast<T>(static_cast<std::uint64_t>(integer_)) : static_cast<T>(integer_);
    }
  }
  double to_double() const { return to<double>(); }
  std::int64_t to_int() const { return to<std::int64_t>(); }
  Scalar operator-() const {
    if (is_complex()) return std::complex<double>(-real_, -imag_);
    return is_integral() ? Scalar(-integer_) : Scalar(-real_);
  }
  Scalar conj() const { return is_complex() ? Scalar(std::complex<double>(real_, -imag_)) : *this; }

 private:
  union {
    std::int64_t integer_;
    double real_;
  };
  double imag_ = 0;
  Dtype type_;
};

}  // namespace rushlight
