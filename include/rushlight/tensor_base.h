// Storage, TensorImpl and TensorBase: a tensor without its operators, all that kernels need to see.
//
// Kernels include this header and not tensor.h, so that adding an operator does not rebuild them.
#pragma once
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "rushlight/detail/counter.h"
#include "rushlight/detail/pool.h"
#include "rushlight/error.h"
#include "rushlight/int_array.h"
#include "rushlight/options.h"
#include "rushlight/scalar.h"

struct _object;  // PyObject, opaque here

namespace rushlight {

// One word holds dtype, tensor flags and, in the thread's copy, modes: `or` them and test once.
inline constexpr Word kDtypeMask = 0xff;
inline constexpr Word kStoredOnly = 0x40;  // of the dtype: kernels do not compute with it
inline constexpr Word kContiguous = 1u << 8;
inline constexpr Word kNeedsGrad = 1u << 9;       // requires_grad leaf, or has a grad_fn
inline constexpr Word kTorchFunction = 1u << 10;  // subclass that overrides __torch_function__
inline constexpr Word kOwnsObject = 1u << 11;     // the impl keeps its Python object alive
inline constexpr Word kView = 1u << 12;           // view that follows the history of `base`
inline constexpr Word kMeta = 1u << 13;           // device meta: shape without data
inline constexpr Word kInference = 1u << 14;      // made in inference mode
inline constexpr Word kTangent = 1u << 15;        // carries a forward-mode tangent
inline constexpr Word kSparse = 1u << 16;         // elements are in `parts`: COO or compressed rows
inline constexpr Word kBatched = 1u << 17;        // stands for one sample of the batch in `parts`, inside vmap
inline constexpr Word kGradOff = 1u << 24;        // modes from here on
inline constexpr Word kProfiler = 1u << 25;
inline constexpr Word kFunctionMode = 1u << 26;
inline constexpr Word kInferenceMode = 1u << 27;
inline constexpr Word kAutocast = 1u << 28;
inline constexpr Word kAnomaly = 1u << 29;
inline constexpr Word kSavedHooks = 1u << 30;  // saved tensors go through pack and unpack hooks
inline constexpr Word kBatching = 1u << 31;    // inside vmap
// What makes an entry function leave the straight path.
inline constexpr Word kInterposed = kProfiler | kTangent | kAutocast | kBatched | kBatching;
// Tensors that are made of other tensors: their memory must not be read.
inline constexpr Word kComposed = kSparse | kBatched;

constexpr bool needs_grad(Word word) { return (word & (kNeedsGrad | kGradOff | kInferenceMode)) == kNeedsGrad; }
// Whether an operation may have to be recorded: a view counts, since its base may have got a history meanwhile.
constexpr bool may_need_grad(Word word) {
  return (word & (kNeedsGrad | kView)) && !(word & (kGradOff | kInferenceMode));
}
// The flags of a new tensor under the modes of this thread.
constexpr Word new_word(Dtype type, Word modes) {
  static_assert(kInferenceMode >> 13 == kInference);
  return static_cast<Word>(type) | ((modes & kInferenceMode) >> 13);
}

// Header and data share one pooled block when the data is small enough to pool.
struct alignas(64) Storage {
  Counter refs{1};
  std::uint32_t version = 0;
  std::int16_t pooled = -1;  // size class of the whole block, or -1
  bool exposed = false;      // memory was handed out (NumPy, DLPack, data_ptr)
  bool meta = false;         // device meta: `data` is null whatever `bytes` says
  void* data = nullptr;
  std::size_t bytes = 0;
  void (*free)(void* context) = nullptr;  // gives back memory that is not ours
  void* context = nullptr;
  const char* changed_by = nullptr;  // the operator behind the latest version

  static Storage* make(std::size_t bytes);
  static Storage* make_meta(std::size_t bytes);
  // Wraps foreign memory; `free(context)` runs when the last tensor lets go.
  static Storage* borrow(void* data, std::size_t bytes, void (*free)(void*), void* context);
  void resize(std::size_t bytes);  // keeps the common prefix; throws for borrowed memory
  void release() {
    if (refs.down()) destroy();
  }
  void destroy();
};

struct Node;
struct AutogradMeta;

inline constexpr int kInlineDims = 5;
inline constexpr int kMaxDims = 64;

// How a view was made, which decides whether it may be changed in place.
enum class ViewOrigin : std::uint8_t { kOrdinary, kMadeWithoutGrad, kMadeInInference, kOneOfSeveral };

// What a tensor of kComposed is made of.
struct TensorParts {
  virtual ~TensorParts() = default;
};

struct TensorImpl {
  Counter refs{1};
  Word word = 0;
  void* data = nullptr;  // of the first element
  Storage* storage = nullptr;
  std::int64_t numel = 0;
  std::int32_t dim = 0;
  std::uint32_t output = 0;                     // which output of `grad_fn`
  Node* grad_fn = nullptr;                      // owned; null for leaves
  AutogradMeta* meta = nullptr;                 // made on first use: .grad, hooks, view base, tangent
  _object* object = nullptr;                    // the Python object, borrowed unless kOwnsObject
  std::int64_t* heap = nullptr;                 // sizes and strides beyond kInlineDims
  TensorImpl* base = nullptr;                   // owned; the tensor that this is a view of, itself no view
  std::atomic<std::uint32_t> view_version = 0;  // the version at which `grad_fn` of a view was right
  ViewOrigin origin = ViewOrigin::kOrdinary;
  TensorParts* parts = nullptr;  // owned; kComposed only
  std::int64_t inline_sizes[kInlineDims];
  std::int64_t inline_strides[kInlineDims];

  static TensorImpl* make() { return new (pool_take(kClass)) TensorImpl; }
  static const int kClass;
  Dtype dtype() const { return static_cast<Dtype>(word & kDtypeMask); }
  const std::int64_t* sizes() const { return heap ? heap : inline_sizes; }
  const std::int64_t* strides() const { return heap ? heap + dim : inline_strides; }
  void set_shape(IntArray sizes, const std::int64_t* strides);  // null strides: contiguous
  // Becomes what `other` is (storage, shape, dtype), as `x.data = y` does; autograd state stays.
  void take_data(const TensorImpl& other);
  void retain() { refs.up(); }
  void release() {
    if (refs.down()) destroy();
  }
  void destroy();
};
inline constexpr int TensorImpl::kClass = size_class(sizeof(TensorImpl));

class TensorBase {
 public:
  TensorBase() noexcept : impl_(nullptr) {}
  explicit TensorBase(TensorImpl* owned) : impl_(owned) {}
  TensorBase(const TensorBase& other) : impl_(other.impl_) {
    if (impl_) impl_->retain();
  }
  TensorBase(TensorBase&& other) noexcept : impl_(std::exchange(other.impl_, nullptr)) {}
  TensorBase& operator=(TensorBase other) noexcept {
    std::swap(impl_, other.impl_);
    return *this;
  }
  ~TensorBase() {
    if (impl_) impl_->release();
  }

  TensorImpl* impl() const { return impl_; }
  TensorImpl* take() { return std::exchange(impl_, nullptr); }
  bool defined() const { return impl_ != nullptr; }
  bool is_same(const TensorBase& other) const { return impl_ == other.impl_; }
  Word word() const { return impl_ ? impl_->word : 0; }
  Dtype dtype() const { return impl_->dtype(); }
  Dtype scalar_type() const { return impl_->dtype(); }
  Device device() const { return impl_->word & kMeta ? DeviceType::kMeta : DeviceType::kCpu; }
  bool is_meta() const { return impl_->word & kMeta; }
  TensorOptions options() const { return TensorOptions(dtype(), device()); }
  std::int64_t dim() const { return impl_->dim; }
  std::int64_t ndimension() const { return impl_->dim; }
  std::int64_t numel() const { return impl_->numel; }
  std::size_t itemsize() const { return item_size(dtype()); }
  IntArray sizes() const { return {impl_->sizes(), static_cast<std::size_t>(impl_->dim)}; }
  IntArray strides() const { return {impl_->strides(), static_cast<std::size_t>(impl_->dim)}; }
  // Negative dims count from the end; IndexError outside of them.
  std::int64_t size(std::int64_t dim) const { return impl_->sizes()[wrapped(dim, "size")]; }
  std::int64_t stride(std::int64_t dim) const { return impl_->strides()[wrapped(dim, "stride")]; }
  std::int64_t storage_offset() const {
    return impl_->storage->meta ? meta_offset()
                                : (static_cast<char*>(impl_->data) - static_cast<char*>(impl_->storage->data)) /
                                      static_cast<std::int64_t>(itemsize());
  }
  bool is_contiguous() const { return impl_->word & kContiguous; }
  bool is_contiguous(MemoryFormat format) const;
  bool is_non_overlapping_and_dense() const;
  bool is_complex() const { return rushlight::is_complex(dtype()); }
  bool is_floating_point() const { return rushlight::is_floating(dtype()); }
  bool requires_grad() const {
    return impl_->word & kNeedsGrad || (impl_->word & (kView | kBatched) && requires_grad_by_another());
  }
  bool is_inference() const { return impl_->word & kInference; }

  // The accessors of memory: kernels read through one and write through the other.
  template <class T = void>
  const T* data() const {
    return static_cast<const T*>(impl_->data);
  }
  template <class T = void>
  T* mutable_data() const {
    return static_cast<T*>(impl_->data);
  }

  std::string summary() const;  // `float32 tensor of shape [2, 3]`, for error texts
  // Counts a change in place; `by` names the operator in later errors.
  void bump_version(const char* by = nullptr) const {
    ++impl_->storage->version;
    impl_->storage->changed_by = by;
  }
  std::uint32_t version() const { return impl_->storage->version; }

 protected:
  TensorImpl* impl_;

 private:
  bool requires_grad_by_another() const;  // the base of a view, the batch that a sample is of
  std::int64_t meta_offset() const;
  [[noreturn, gnu::cold]] void no_such_dim(std::int64_t dim, const char* op) const;
  std::int64_t wrapped(std::int64_t dim, const char* op) const {
    const std::int64_t at = dim < 0 ? dim + impl_->dim : dim;
    if (static_cast<std::uint64_t>(at) >= static_cast<std::uint64_t>(impl_->dim)) [[unlikely]]
      no_such_dim(dim, op);
    return at;
  }
};
inline std::string to_text(const TensorBase& tensor) { return tensor.summary(); }

inline Storage* Storage::make(std::size_t bytes) {
  extern Storage* make_large_storage(std::size_t);
  const std::size_t whole = sizeof(Storage) + bytes;
  if (bytes > (std::size_t{1} << 20) - sizeof(Storage)) [[unlikely]]
    return make_large_storage(bytes);
  const int which = size_class(whole);
  auto* storage = new (pool_take(which)) Storage;
  storage->pooled = static_cast<std::int16_t>(which);
  storage->data = storage + 1;
  storage->bytes = bytes;
  return storage;
}

// Sets a mode bit for a scope: `ModeScope no_grad(kGradOff);`
class ModeScope {
 public:
  explicit ModeScope(Word on, Word off = 0) : before_(thread.modes) { thread.modes = (thread.modes | on) & ~off; }
  ~ModeScope() { thread.modes = before_; }
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  Word before_;
};
struct NoGradGuard : ModeScope {
  NoGradGuard() : ModeScope(kGradOff) {}
};

}  // namespace rushlight
