// tensor({1.0, 2.0}), tensor({{1, 2}, {3, 4}}), tensor(vector): tensors of written-out values; from_blob; printing.
#pragma once
#include <iosfwd>

#include "rushlight/ops.h"

namespace rushlight {

// Nested braces of numbers, all lists of one level of equal length.
class NestedNumbers {
 public:
  NestedNumbers(Scalar value) : values_{value} {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(std::is_arithmetic_v<T>)
  NestedNumbers(T value) : NestedNumbers(Scalar(value)) {}  // NOLINT(google-explicit-constructor)
  NestedNumbers(std::initializer_list<NestedNumbers> list);
  const std::vector<std::int64_t>& sizes() const { return sizes_; }
  const std::vector<Scalar>& values() const { return values_; }

 private:
  std::vector<std::int64_t> sizes_;
  std::vector<Scalar> values_;
};

// The dtype of the values (bool, int64, the default float or its complex) unless options give one.
Tensor tensor(const NestedNumbers& values, const TensorOptions& options = {});
template <class T>
  requires(std::is_arithmetic_v<T>)
Tensor tensor(const std::vector<T>& values, const TensorOptions& options = {}) {
  const Dtype type = options.dtype_opt().value_or(std::is_floating_point_v<T> ? default_dtype()
                                                  : std::is_same_v<T, bool>   ? kBool
                                                                              : kInt64);
  Tensor result = empty_tensor({static_cast<std::int64_t>(values.size())}, kDtypeOf<T>, {});
  for (std::size_t i = 0; i < values.size(); ++i)
    result.mutable_data<T>()[i] = values[i];
  result = result.to(type);
  if (options.requires_grad()) result.set_requires_grad(true);
  return result;
}
template <class T>
  requires(std::is_arithmetic_v<T>)
Tensor tensor(T value, const TensorOptions& options = {}) {
  return tensor(NestedNumbers(value), options);
}

// A tensor over memory of the caller, who keeps it alive; contiguous unless strides are given.
Tensor from_blob(void* data, IntArray sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArray sizes, IntArray strides, const TensorOptions& options = {});

// libtorch's text: rows of aligned numbers, then [ CPUFloatType{2,3} ].
std::ostream& operator<<(std::ostream& stream, const Tensor& tensor);
std::ostream& operator<<(std::ostream& stream, IntArray sizes);
std::ostream& operator<<(std::ostream& stream, Dtype type);
std::ostream& operator<<(std::ostream& stream, const Device& device);
std::ostream& operator<<(std::ostream& stream, const Scalar& value);

}  // namespace rushlight
