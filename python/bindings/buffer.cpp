// The buffer protocol of Tensor: memoryview(x) and NumPy's fast path see its memory.
#include <cstring>

#include "array_exchange.h"
#include "ops/composed.h"
#include "tensor_type.h"

namespace rushlight::python {
namespace {

// NumPy has two types of 64 bits, long and long long; its default, which prints without its name, is long where that
// has 64 bits.
constexpr const char* kInt64Format = sizeof(long) == 8 ? "l" : "q";
constexpr const char* kUInt64Format = sizeof(long) == 8 ? "L" : "Q";
// By index_of; null where the protocol has no letter, as for the dtypes behind these.
constexpr const char* kFormats[kComputedDtypes] = {"?",           "B", "b",     "h", "i", kInt64Format, "H", "I",
                                                   kUInt64Format, "e", nullptr, "f", "d", "Zf",         "Zd"};

// What a view keeps: sizes and strides in bytes, and the storage, which may be replaced in the
// tensor meanwhile.
struct Export {
  Storage* storage;
  Py_ssize_t numbers[1];
};

int get_buffer(PyObject* self, Py_buffer* view, int flags) {
  const Tensor& tensor = unwrap(self);
  if (tensor.word() & kBatched) {
    view->obj = nullptr;
    return guarded_status([&]() -> int { refuse_memory(tensor, "buffer"); });
  }
  const char* format = buffer_format(tensor.dtype());
  const char* refused = tensor.is_meta()            ? "a meta tensor has no memory"
                        : tensor.word() & kComposed ? "a sparse tensor has no memory of its own; use to_dense()"
                        : tensor.requires_grad()    ? "the tensor requires grad; use tensor.detach()"
                        : !format ? "elements of this dtype have no buffer format; view them as integers"
                        : !tensor.is_contiguous() && (flags & PyBUF_STRIDES) != PyBUF_STRIDES
                            ? "the tensor is not contiguous"
                            : nullptr;
  if (refused) {
    PyErr_Format(PyExc_BufferError, "buffer: %s", refused);
    view->obj = nullptr;
    return -1;
  }
  const auto rank = static_cast<std::size_t>(tensor.dim());
  auto* kept = static_cast<Export*>(PyMem_Malloc(sizeof(Export) + 2 * rank * sizeof(Py_ssize_t)));
  if (!kept) {
    PyErr_NoMemory();
    view->obj = nullptr;
    return -1;
  }
  const auto item = static_cast<Py_ssize_t>(tensor.itemsize());
  for (std::size_t i = 0; i < rank; ++i) {
    kept->numbers[i] = tensor.sizes()[i];
    kept->numbers[rank + i] = tensor.strides()[i] * item;
  }
  kept->storage = tensor.impl()->storage;
  kept->storage->refs.up();
  kept->storage->exposed = true;
  view->obj = Py_NewRef(self);
  view->buf = tensor.mutable_data<>();
  view->len = tensor.numel() * item;
  view->itemsize = item;
  view->readonly = 0;
  view->ndim = static_cast<int>(rank);
  view->format = flags & PyBUF_FORMAT ? const_cast<char*>(format) : nullptr;
  view->shape = flags & PyBUF_ND ? kept->numbers : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? kept->numbers + rank : nullptr;
  view->suboffsets = nullptr;
  view->internal = kept;
  return 0;
}

void release_buffer(PyObject*, Py_buffer* view) {
  auto* kept = static_cast<Export*>(view->internal);
  kept->storage->release();
  PyMem_Free(kept);
}

}  // namespace

PyBufferProcs kBufferSlots{get_buffer, release_buffer};

const char* buffer_format(Dtype dtype) { return is_stored_only(dtype) ? nullptr : kFormats[index_of(dtype)]; }

std::optional<Dtype> dtype_of_format(const char* format) {
  if (!format) return Dtype::kUInt8;
  if (*format == '>' || *format == '!')
    throw ValueError(
        "given numpy array has byte order different from the native byte order. Conversion between "
        "byte orders "
        "is currently not supported.");
  if (*format == '<' || *format == '=' || *format == '@') ++format;
  if (!std::strcmp(format, "l")) return sizeof(long) == 8 ? Dtype::kInt64 : Dtype::kInt32;
  if (!std::strcmp(format, "q")) return Dtype::kInt64;
  if (!std::strcmp(format, "L")) return sizeof(long) == 8 ? Dtype::kUInt64 : Dtype::kUInt32;
  if (!std::strcmp(format, "Q")) return Dtype::kUInt64;
  if (!std::strcmp(format, "c")) return Dtype::kUInt8;
  for (int i = 0; i < kComputedDtypes; ++i)
    if (kFormats[i] && !std::strcmp(format, kFormats[i])) return static_cast<Dtype>(i);
  return std::nullopt;
}

}  // namespace rushlight::python
