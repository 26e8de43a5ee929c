// The structures of DLPack 1.3, and what tensors become in them.
//
// They follow the specification, https://dmlc.github.io/dlpack/latest/.
#pragma once
#include <cstdint>

#include "errors.h"
#include "rushlight/tensor.h"

namespace rushlight::python {

struct DLDevice {
  std::int32_t type, id;
};
struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null: contiguous
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void* context;
  void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
  struct {
    std::uint32_t major, minor;
  } version;
  void* context;
  void (*deleter)(DLManagedTensorVersioned*);
  std::uint64_t flags;
  DLTensor tensor;
};
inline constexpr std::uint32_t kMajorVersion = 1, kMinorVersion = 3;
inline constexpr std::int32_t kCpuDevice = 1;
inline constexpr std::uint64_t kReadOnly = 1, kCopied = 2;

DLDataType type_of(Dtype dtype);
Dtype dtype_of(DLDataType type);

// A managed structure over the memory of a tensor, which it keeps alive until its deleter is called.
template <class Managed>
Managed* make_managed(const Tensor& tensor);
extern template DLManagedTensor* make_managed(const Tensor&);
extern template DLManagedTensorVersioned* make_managed(const Tensor&);

// A tensor over the memory of a managed structure, which it takes over: the deleter is called when the memory is free.
// Where this throws, the structure is still the caller's.
template <class Managed>
Tensor borrow_managed(Managed* managed);
extern template Tensor borrow_managed(DLManagedTensor*);
extern template Tensor borrow_managed(DLManagedTensorVersioned*);

// Raises BufferError for what has no memory, or more than one.
void check_memory(const Tensor& tensor);

bool add_exchange_api(PyObject* type);  // dlpack_exchange.cpp: `__dlpack_c_exchange_api__`

}  // namespace rushlight::python
