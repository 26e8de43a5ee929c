// DLPack structures from tensors and tensors from DLPack structures.
#include "dlpack_structures.h"

#include "rushlight/ops.h"

namespace rushlight::python {
namespace {

constexpr std::uint8_t kIntCode = 0, kUIntCode = 1, kFloatCode = 2, kBFloatCode = 4, kComplexCode = 5, kBoolCode = 6;
// In the order of the dtypes: e4m3fn, e5m2, e4m3fnuz, e5m2fnuz, e8m0fnu.
constexpr std::uint8_t kFloat8Codes[] = {10, 12, 11, 13, 14};

template <class Managed>
struct Exported {
  Managed managed{};
  Tensor tensor;
  std::vector<std::int64_t> numbers;  // sizes, strides

  static Managed* make(const Tensor& tensor) {
    auto* out = new Exported;
    out->tensor = tensor;
    const auto rank = static_cast<std::size_t>(tensor.dim());
    out->numbers = tensor.sizes().vec();
    for (std::size_t i = 0; i < rank; ++i)
      out->numbers.push_back(tensor.sizes()[i] == 1 ? 1 : tensor.strides()[i]);
    tensor.impl()->storage->exposed = true;
    out->managed.tensor = {tensor.mutable_data<>(),
                           {kCpuDevice, 0},
                           static_cast<std::int32_t>(rank),
                           type_of(tensor.dtype()),
                           out->numbers.data(),
                           out->numbers.data() + rank,
                           0};
    out->managed.context = out;
    out->managed.deleter = [](Managed* managed) { delete static_cast<Exported*>(managed->context); };
    return &out->managed;
  }
};

template <class Managed>
void give_back(void* context) {
  auto* managed = static_cast<Managed*>(context);
  if (!managed->deleter || !Py_IsInitialized()) return;
  const GilHeld gil;
  managed->deleter(managed);
}

}  // namespace

DLDataType type_of(Dtype dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * item_size(dtype));
  if (dtype == Dtype::kBool) return {kBoolCode, 8, 1};
  if (dtype == Dtype::kBFloat16) return {kBFloatCode, 16, 1};
  if (is_float8(dtype)) return {kFloat8Codes[static_cast<int>(dtype) - static_cast<int>(Dtype::kFloat8E4M3FN)], 8, 1};
  if (!has_numbers(dtype)) {
    PyErr_Format(PyExc_BufferError, "DLPack has no type for elements of %s; export x.view(torch.uint8)", name(dtype));
    throw PythonError{};
  }
  if (is_complex(dtype)) return {kComplexCode, bits, 1};
  return {is_floating(dtype) ? kFloatCode : is_unsigned(dtype) ? kUIntCode : kIntCode, bits, 1};
}
Dtype dtype_of(DLDataType type) {
  check<ValueError>(type.lanes == 1, "from_dlpack: vectors of ", type.lanes, " lanes are not supported");
  for (const Dtype dtype : kAllDtypes) {
    if (!has_numbers(dtype)) continue;
    const DLDataType known = type_of(dtype);
    if (known.code == type.code && known.bits == type.bits) return dtype;
  }
  throw ValueError(str("from_dlpack: elements of type code ", static_cast<int>(type.code), " with ",
                       static_cast<int>(type.bits), " bits are not supported"));
}

void check_memory(const Tensor& tensor) {
  if (tensor.word() & kComposed) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors with layout other than torch.strided");
    throw PythonError{};
  }
  if (tensor.is_meta()) {
    PyErr_SetString(PyExc_BufferError, "Can't export tensors on the meta device: they have no memory");
    throw PythonError{};
  }
}

template <class Managed>
Managed* make_managed(const Tensor& tensor) {
  Managed* managed = Exported<Managed>::make(tensor);
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) managed->version = {kMajorVersion, kMinorVersion};
  return managed;
}
template DLManagedTensor* make_managed(const Tensor&);
template DLManagedTensorVersioned* make_managed(const Tensor&);

template <class Managed>
Tensor borrow_managed(Managed* managed) {
  if constexpr (std::is_same_v<Managed, DLManagedTensorVersioned>) {
    check<RuntimeError>(managed->version.major <= kMajorVersion, "from_dlpack: version ", managed->version.major,
                        " is newer than ", kMajorVersion);
    if (managed->flags & kReadOnly)
      need(PyErr_WarnEx(PyExc_UserWarning,
                        "The memory given by DLPack is not writable, and PyTorch does not support "
                        "non-writable tensors: do not write to this tensor, or copy it first.",
                        1));
  }
  const DLTensor& from = managed->tensor;
  check<RuntimeError>(from.device.type == kCpuDevice, "from_dlpack: the memory is on device type ", from.device.type,
                      "; only CPU memory can be shared");
  check(from.ndim >= 0 && from.ndim <= kMaxDims, "from_dlpack: ", from.ndim, " dimensions are not supported");
  const Dtype dtype = dtype_of(from.dtype);
  const IntArray sizes(from.shape, static_cast<std::size_t>(from.ndim));
  std::int64_t last = 0, expected = 1, count = 1;
  for (int i = from.ndim - 1; i >= 0; --i) {
    const std::int64_t step = from.strides ? from.strides[i] : expected;
    check<ValueError>(sizes[static_cast<std::size_t>(i)] >= 0 && (step >= 0 || from.shape[i] <= 1),
                      "from_dlpack: negative sizes and strides are not supported");
    last += (from.shape[i] - 1) * step;
    expected *= from.shape[i];
    count *= from.shape[i];
  }
  char* data = static_cast<char*>(from.data) + from.byte_offset;
  const std::size_t bytes = count ? static_cast<std::size_t>(last + 1) * item_size(dtype) : 0;
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(dtype, thread.modes);
  impl->storage = Storage::borrow(data, bytes, give_back<Managed>, managed);
  impl->storage->exposed = true;
  impl->data = data;
  impl->set_shape(sizes, from.strides);
  return Tensor(impl);
}
template Tensor borrow_managed(DLManagedTensor*);
template Tensor borrow_managed(DLManagedTensorVersioned*);

}  // namespace rushlight::python
