// Tensors of written-out values, and of memory of the caller.
#include "rushlight/tensor_values.h"

namespace rushlight {

NestedNumbers::NestedNumbers(std::initializer_list<NestedNumbers> list) {
  sizes_.push_back(static_cast<std::int64_t>(list.size()));
  if (list.size() == 0) return;
  const NestedNumbers& first = *list.begin();
  sizes_.insert(sizes_.end(), first.sizes_.begin(), first.sizes_.end());
  for (const NestedNumbers& item : list) {
    check(item.sizes_ == first.sizes_, "tensor: expected all sub-lists to have sizes ", IntArray(first.sizes_),
          ", but got sub-list with sizes ", IntArray(item.sizes_));
    values_.insert(values_.end(), item.values_.begin(), item.values_.end());
  }
}

Tensor tensor(const NestedNumbers& values, const TensorOptions& options) {
  Dtype natural = values.values().empty() ? default_dtype() : kBool;
  for (const Scalar& value : values.values())
    natural = promote(natural, value.is_floating()  ? default_dtype()
                               : value.is_complex() ? default_complex_dtype()
                                                    : value.type());
  const Dtype type = options.dtype_opt().value_or(natural);
  Tensor result = empty_tensor(values.sizes(), type, {});
  visit_numbers(type, [&](auto zero) {
    using T = decltype(zero);
    T* to = result.mutable_data<T>();
    for (const Scalar& value : values.values())
      *to++ = value.to<T>();
  });
  if (options.device().is_meta()) return empty_tensor(values.sizes(), type, options.device());
  if (options.requires_grad()) result.set_requires_grad(true);
  return result;
}

Tensor from_blob(void* data, IntArray sizes, const TensorOptions& options) {
  std::vector<std::int64_t> strides(sizes.size(), 1);
  for (std::size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  return from_blob(data, sizes, strides, options);
}

Tensor from_blob(void* data, IntArray sizes, IntArray strides, const TensorOptions& options) {
  check(sizes.size() == strides.size(), "from_blob: sizes ", sizes, " and strides ", strides,
        " must have the same length");
  std::int64_t last = 0;
  bool none = false;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    check(sizes[i] >= 0 && strides[i] >= 0, "from_blob: sizes ", sizes, " and strides ", strides,
          " must not be negative");
    none |= sizes[i] == 0;
    last += (sizes[i] - 1) * strides[i];
  }
  const std::size_t bytes = none ? 0 : static_cast<std::size_t>(last + 1) * item_size(options.dtype());
  TensorImpl* impl = TensorImpl::make();
  Tensor result(impl);
  impl->word = static_cast<Word>(options.dtype());
  impl->storage = Storage::borrow(data, bytes, [](void*) {}, nullptr);
  impl->storage->exposed = true;
  impl->data = data;
  impl->set_shape(sizes, strides.data());
  if (options.requires_grad()) result.set_requires_grad(true);
  return result;
}

}  // namespace rushlight
