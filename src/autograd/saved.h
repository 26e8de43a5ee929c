// Values kept for backward: tensors with version checks, optional tensors, lists, shapes and dims.
#pragma once
#include "autograd/node.h"

namespace rushlight {

// Functions behind torch.autograd.graph.saved_tensors_hooks: `pack` makes an object of a tensor, `unpack` a tensor
// of an object, `drop` forgets it. The innermost pair of a thread is used while kSavedHooks is set.
struct SavedHooks {
  std::function<std::shared_ptr<void>(const Tensor&)> pack;
  std::function<Tensor(const std::shared_ptr<void>&)> unpack;
};
void push_saved_hooks(std::shared_ptr<const SavedHooks> hooks);
void pop_saved_hooks();
// While a message is set, saving raises it (disable_saved_tensors_hooks is about hooks themselves).
void set_saved_hooks_error(std::optional<std::string> message);
std::optional<std::string> saved_hooks_error();

[[noreturn]] void freed(const Node& node);  // a second backward, or a read, after the saved values were dropped

// A tensor kept for backward. An output is kept without its history, or node and output would own each other.
class Saved {
 public:
  Saved() = default;
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  Saved(Saved&& other) noexcept;
  ~Saved() {
    if (packed_) reset();
  }

  void keep(const Tensor& tensor) {
    if (!tensor.defined()) return;
    if ((thread.modes & kSavedHooks) | (tensor.word() & kInference)) [[unlikely]]
      return keep_slowly(tensor, 0, -1);
    tensor_ = tensor;
    version_ = tensor.impl()->storage->version;
  }
  void keep(const std::optional<Tensor>& tensor) {
    if (tensor) keep(*tensor);
  }
  void keep_output(const Tensor& tensor, std::uint32_t which, std::uint32_t pending_bumps) {
    if (!tensor.defined()) return;
    if ((thread.modes & kSavedHooks) | (tensor.word() & kInference)) [[unlikely]]
      return keep_slowly(tensor, pending_bumps, static_cast<int>(which));
    tensor_ = shallow_copy(tensor);
    version_ = tensor.impl()->storage->version + pending_bumps;
    output_ = static_cast<std::int16_t>(which);
  }
  // Undefined when nothing was kept; throws when the value was freed or changed since.
  Tensor get(Node& node) const {
    if (packed_ || !tensor_.defined()) [[unlikely]]
      return get_slowly(node);
    if (tensor_.impl()->storage->version != version_) [[unlikely]]
      modified(node);
    if (output_ >= 0 && (!(thread.modes & kGradOff) || node.hooks)) [[unlikely]]
      return with_history(node);
    return tensor_;
  }
  std::optional<Tensor> get_optional(Node& node) const {
    Tensor tensor = get(node);
    return tensor.defined() ? std::optional<Tensor>(std::move(tensor)) : std::nullopt;
  }
  void reset();
  bool defined() const { return packed_ || tensor_.defined(); }
  // Per-tensor hooks of `_raw_saved_*.register_hooks`.
  void register_hooks(Node& node, std::shared_ptr<const SavedHooks> hooks);

 private:
  struct Packed;
  void keep_slowly(const Tensor& tensor, std::uint32_t pending_bumps, int output);
  Tensor get_slowly(Node& node) const;
  [[noreturn]] void modified(const Node& node) const;
  Tensor with_history(Node& node) const;
  Tensor tensor_;
  std::uint32_t version_ = 0;
  std::int16_t output_ = -1;  // which output of the node it is
  Packed* packed_ = nullptr;  // owned; then stands in for `tensor_`
};

// The number in the place of an operand. Like a saved tensor it serves one backward unless the graph is retained.
inline const Scalar& saved_number(const Node& node, const Scalar& number) {
  if (node.released) [[unlikely]]
    freed(node);
  return number;
}

// A list of tensors, defined or not.
class SavedList {
 public:
  void keep(TensorList tensors) {
    saved_.resize(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i)
      saved_[i].keep(tensors[i]);
  }
  void keep(OptionalTensorList tensors) {
    saved_.resize(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i)
      saved_[i].keep(tensors[i]);
  }
  void keep_output(const std::vector<Tensor>& tensors, std::uint32_t pending_bumps) {
    saved_.resize(tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i)
      saved_[i].keep_output(tensors[i], static_cast<std::uint32_t>(i), pending_bumps);
  }
  std::vector<Tensor> get(Node& node) const {
    std::vector<Tensor> tensors;
    for (const Saved& saved : saved_)
      tensors.push_back(saved.get(node));
    return tensors;
  }
  std::vector<std::optional<Tensor>> get_optional(Node& node) const {
    std::vector<std::optional<Tensor>> tensors;
    for (const Saved& saved : saved_)
      tensors.push_back(saved.get_optional(node));
    return tensors;
  }
  void reset() {
    for (Saved& saved : saved_)
      saved.reset();
  }
  std::size_t size() const { return saved_.size(); }
  std::vector<Saved*> entries() {
    std::vector<Saved*> found;
    for (Saved& saved : saved_)
      found.push_back(&saved);
    return found;
  }

 private:
  std::vector<Saved> saved_;
};

// Sizes or dims, inline up to kInlineDims.
class Shape {
 public:
  Shape() = default;
  explicit Shape(IntArray sizes) : count_(static_cast<std::uint32_t>(sizes.size())) {
    if (count_ > kInlineDims) {
      heap_ = std::make_unique<std::int64_t[]>(count_);
      std::copy(sizes.begin(), sizes.end(), heap_.get());
    } else {
      std::copy(sizes.begin(), sizes.end(), inline_);
    }
  }
  Shape(const Shape& other) : Shape(IntArray(other)) {}
  Shape(Shape&&) noexcept = default;
  Shape& operator=(Shape other) noexcept {
    count_ = other.count_;
    std::copy(other.inline_, other.inline_ + kInlineDims, inline_);
    heap_ = std::move(other.heap_);
    return *this;
  }
  Shape& operator=(IntArray sizes) { return *this = Shape(sizes); }
  operator IntArray() const { return {count_ > kInlineDims ? heap_.get() : inline_, static_cast<std::size_t>(count_)}; }
  std::size_t size() const { return count_; }
  std::int64_t rank() const { return count_; }
  std::int64_t count() const {  // elements of a tensor of this shape
    std::int64_t product = 1;
    for (const std::int64_t extent : IntArray(*this))
      product *= extent;
    return product;
  }
  std::int64_t operator[](std::size_t at) const { return IntArray(*this)[at]; }

 private:
  std::uint32_t count_ = 0;
  std::int64_t inline_[kInlineDims] = {};
  std::unique_ptr<std::int64_t[]> heap_;
};
inline Shape shape_of(const Tensor& tensor) { return tensor.defined() ? Shape(tensor.sizes()) : Shape(); }
inline Shape shape_of(const std::optional<Tensor>& tensor) { return tensor ? shape_of(*tensor) : Shape(); }
inline Shape strides_of(const Tensor& tensor) { return Shape(tensor.strides()); }
inline Dtype dtype_of(const Tensor& tensor) { return tensor.defined() ? tensor.dtype() : Dtype::kFloat32; }
inline Dtype dtype_of(const std::optional<Tensor>& tensor) { return tensor ? dtype_of(*tensor) : Dtype::kFloat32; }
using ShapeList = std::vector<Shape>;
using DtypeList = std::vector<Dtype>;
ShapeList shapes_of(TensorList tensors);
DtypeList dtypes_of(TensorList tensors);

class SavedDims {
 public:
  SavedDims& operator=(const OptionalIntArray& dims) {
    given_ = dims.has_value();
    if (dims) dims_ = Shape(*dims);
    return *this;
  }
  operator OptionalIntArray() const {
    OptionalIntArray dims;
    if (given_) dims.emplace(dims_);
    return dims;
  }

 private:
  bool given_ = false;
  Shape dims_;
};

class SavedReals {
 public:
  SavedReals& operator=(const std::optional<std::span<const double>>& values) {
    given_ = values.has_value();
    if (values) values_.assign(values->begin(), values->end());
    return *this;
  }
  operator std::optional<std::span<const double>>() const {
    return given_ ? std::optional<std::span<const double>>(values_) : std::nullopt;
  }

 private:
  bool given_ = false;
  std::vector<double> values_;
};

inline std::optional<std::string> to_string(std::optional<std::string_view> text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

// The shape that a broadcast operand had; empty when it was not broadcast.
class BroadcastFrom {
 public:
  void note(const Tensor& operand, const Tensor& result) {
    if (operand.dim() == result.dim() &&
        std::memcmp(operand.impl()->sizes(), result.impl()->sizes(),
                    sizeof(std::int64_t) * static_cast<std::size_t>(result.dim())) == 0)
      return;
    sizes_ = std::make_unique<Shape>(operand.sizes());
  }
  void note(const std::optional<Tensor>& operand, const Tensor& result) {
    if (operand) note(*operand, result);
  }
  Tensor reduce(Tensor gradient) const {
    return sizes_ && gradient.defined() ? reduced(std::move(gradient)) : gradient;
  }

 private:
  Tensor reduced(Tensor gradient) const;
  std::unique_ptr<Shape> sizes_;
};

}  // namespace rushlight
