// Tensor: one counted pointer with every operator as a method.
#pragma once
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "rushlight/generator.h"
#include "rushlight/tensor_base.h"

namespace rushlight {

class Tensor;
namespace indexing {
class TensorIndex;
}

// A borrowed list: from a vector, an array or `{a, b}`. (std::span needs a complete type.)
template <class T>
class ListView {
 public:
  ListView() = default;
  ListView(const T* data, std::size_t size) : data_(data), size_(size) {}
  ListView(std::initializer_list<T> list) : data_(std::data(list)), size_(list.size()) {}
  ListView(const std::vector<T>& list) : data_(list.data()), size_(list.size()) {}
  template <std::size_t N>
  ListView(const std::array<T, N>& list) : data_(list.data()), size_(N) {}
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return data_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }
  std::vector<T> vec() const { return {begin(), end()}; }

 private:
  const T* data_ = nullptr;
  std::size_t size_ = 0;
};
template <class T>
using ArrayRef = ListView<T>;  // libtorch's name
using TensorList = ListView<Tensor>;
using OptionalTensorList = ListView<std::optional<Tensor>>;

// A tensor's elements as nested indexing reads and writes them.
template <class T, std::size_t N>
class Accessor {
 public:
  Accessor(T* data, const std::int64_t* sizes, const std::int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  decltype(auto) operator[](std::int64_t i) const {
    if constexpr (N == 1)
      return (data_[i * strides_[0]]);
    else
      return Accessor<T, N - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
  }
  std::int64_t size(std::int64_t dim) const { return sizes_[dim]; }
  std::int64_t stride(std::int64_t dim) const { return strides_[dim]; }
  T* data() const { return data_; }

 private:
  T* data_;
  const std::int64_t* sizes_;
  const std::int64_t* strides_;
};

class Tensor : public TensorBase {
 public:
  using TensorBase::TensorBase;
  Tensor(const TensorBase& base) : TensorBase(base) {}
  Tensor(TensorBase&& base) noexcept : TensorBase(std::move(base)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  // x[0] = y and x[0] = 1 write into the view that x[0] is.
  void operator=(const Tensor& value) &&;
  void operator=(Tensor&& value) &&;
  void operator=(const Scalar& value) &&;

  Scalar item() const;  // throws RuntimeError unless there is exactly one element
  template <class T>
  T item() const {
    return item().to<T>();
  }
  template <class T>
  T* data_ptr() const {
    if (impl_->word & kComposed) [[unlikely]]
      refuse_data_ptr();
    impl_->storage->exposed = true;
    return mutable_data<T>();
  }
  void* data_ptr() const { return data_ptr<void>(); }
  template <class T>
  const T* const_data_ptr() const {
    return data<T>();
  }
  // Elements by plain index arithmetic, `a[i][j]`; throws RuntimeError for another dtype or number of dimensions.
  template <class T, std::size_t N>
  Accessor<T, N> accessor() const {
    check_accessor(kDtypeOf<T>, N);
    return {data_ptr<T>(), impl_->sizes(), impl_->strides()};
  }
  bool is_cuda() const { return false; }
  Layout layout() const;
  bool is_sparse() const { return layout() == Layout::kSparse; }
  bool is_sparse_csr() const { return layout() == Layout::kSparseCsr; }
  std::int64_t element_size() const { return static_cast<std::int64_t>(itemsize()); }
  std::size_t nbytes() const { return itemsize() * static_cast<std::size_t>(numel()); }
  Tensor cpu() const { return to(Device(DeviceType::kCpu), dtype()); }
  Tensor to(Device device, bool non_blocking = false, bool copy = false) const {
    return to(device, dtype(), non_blocking, copy);
  }
  Tensor toType(Dtype type) const { return to(type); }

  Tensor& set_requires_grad(bool on);
  const Tensor& requires_grad_(bool on = true) const;
  bool is_leaf() const;
  Tensor grad() const;
  void set_grad(Tensor grad) const;
  Tensor& mutable_grad() const;
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                TensorList inputs = {}) const;
  void retain_grad() const;
  bool is_view() const { return impl_->base; }
  Tensor _base() const;  // the tensor that this is a view of, else undefined
  std::int64_t _version() const { return version(); }
  std::int64_t output_nr() const { return impl_->output; }
  // Calls `hook` with each gradient; a tensor that it returns replaces the gradient. The result is for remove_hook.
  template <class Hook>
  unsigned register_hook(Hook hook) const {
    if constexpr (std::is_void_v<std::invoke_result_t<Hook, const Tensor&>>)
      return add_hook([hook = std::move(hook)](const Tensor& gradient) { return hook(gradient), Tensor(); });
    else
      return add_hook(std::move(hook));
  }
  void remove_hook(unsigned id) const;
  const Tensor& detach_() const;  // forgets its history; throws for views
  Tensor detach() const;          // shares storage and version, no history
  Tensor mT() const;              // the last two dimensions swapped
  Tensor mH() const;              // and conjugated
  Tensor variable_data() const;   // shares storage, own version: `.data` of Python
  void set_data(const Tensor& other) const { impl_->take_data(*other.impl()); }

  // x[i] is select(0, i); the others are those of rushlight/indexing.h.
  Tensor operator[](std::int64_t index) const;
  Tensor operator[](int index) const { return (*this)[static_cast<std::int64_t>(index)]; }
  Tensor operator[](const Tensor& index) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor index(const std::vector<indexing::TensorIndex>& indices) const;
  const Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& value) const;
  const Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) const;
  const Tensor& index_put_(const std::vector<indexing::TensorIndex>& indices, const Tensor& value) const;

#include "rushlight/tensor_methods.h"  // generated: add, add_, sum, ...

 private:
  [[noreturn]] void refuse_data_ptr() const;
  unsigned add_hook(std::function<Tensor(const Tensor&)> hook) const;
  void check_accessor(Dtype type, std::size_t dims) const;
};

// Empty strided memory; sizes are checked (negative, overflow).
Tensor empty_tensor(IntArray sizes, Dtype dtype, Device device = {});
Tensor empty_strided_tensor(IntArray sizes, IntArray strides, Dtype dtype, Device device = {});
// Same sizes, `dtype`, strides in the order of `like` where that is dense (preserve_format).
Tensor empty_like_tensor(const Tensor& like, Dtype dtype);

// A tensor over `source`'s memory with its own sizes and strides (null: contiguous); no autograd.
Tensor alias(const Tensor& source, IntArray sizes, const std::int64_t* strides, std::int64_t offset);

// A contiguous tensor of the shape of a contiguous `shape`: two pool hits and one copy of the header.
inline Tensor empty_like_contiguous(const TensorImpl& shape, Dtype dtype) {
  Storage* storage = Storage::make(static_cast<std::size_t>(shape.numel) * item_size(dtype));
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(dtype, thread.modes) | kContiguous;
  impl->numel = shape.numel;
  impl->dim = shape.dim;
  impl->storage = storage;
  impl->data = storage->data;
  if (shape.heap) [[unlikely]]
    impl->set_shape({shape.heap, static_cast<std::size_t>(shape.dim)}, nullptr);
  else
    std::memcpy(impl->inline_sizes, shape.inline_sizes, 2 * sizeof(shape.inline_sizes));
  return Tensor(impl);
}

}  // namespace rushlight
