// Functions behind torch.UntypedStorage: the memory of a tensor as bytes, resized, or shared
// between processes.
#include <sys/mman.h>

#include <cstring>

#include "arguments.h"
#include "module_parts.h"
#include "ops/composed.h"
#include "tensor_type.h"

namespace rushlight::python {
namespace {

const Tensor& tensor_argument(PyObject* object, const char* function) {
  check<TypeError>(is_tensor(object), function, ": expected a Tensor, got ", type_name(object));
  need_memory(unwrap(object), function);
  return unwrap(object);
}

// A flat uint8 tensor over the whole memory that a tensor shares.
Tensor bytes_of(const Tensor& tensor) {
  Storage* storage = tensor.impl()->storage;
  storage->refs.up();
  storage->exposed = true;
  TensorImpl* impl = TensorImpl::make();
  impl->word = new_word(Dtype::kUInt8, 0) | (tensor.word() & kMeta);
  impl->storage = storage;
  impl->data = storage->meta ? nullptr : storage->data;
  impl->set_shape(IntArray{static_cast<std::int64_t>(storage->bytes)}, nullptr);
  return Tensor(impl);
}
PyObject* storage_bytes(PyObject*, PyObject* object) {
  return guarded([&] { return wrap(bytes_of(tensor_argument(object, "_storage_bytes"))); });
}

PyObject* storage_resize(PyObject*, PyObject* args) {
  PyObject* object;
  long long size;
  if (!PyArg_ParseTuple(args, "OL:_storage_resize", &object, &size)) return nullptr;
  return guarded([&] {
    const Tensor& tensor = tensor_argument(object, "_storage_resize");
    check(size >= 0, "resize_: a storage cannot have ", size, " bytes");
    tensor.impl()->storage->resize(static_cast<std::size_t>(size));
    Py_RETURN_NONE;
  });
}

// --- memory that child processes share
// ---------------------------------------------------------------

struct Mapping {
  void* data;
  std::size_t bytes;
};
void unmap(void* context) {
  auto* mapping = static_cast<Mapping*>(context);
  munmap(mapping->data, mapping->bytes);
  delete mapping;
}
bool is_shared_storage(const Storage* storage) { return storage->free == unmap; }

// Moves the memory behind one header; views keep the old one, as separate headers do.
void share(const Tensor& tensor) {
  TensorImpl* impl = tensor.impl();
  Storage* old = impl->storage;
  if (is_shared_storage(old) || old->meta) return;
  const std::size_t bytes = old->bytes ? old->bytes : 1;
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw OutOfMemoryError(str("share_memory_: no shared memory of ", bytes, " bytes"));
  std::memcpy(data, old->data, old->bytes);
  const std::ptrdiff_t offset = static_cast<char*>(impl->data) - static_cast<char*>(old->data);
  Storage* fresh = Storage::borrow(data, old->bytes, unmap, new Mapping{data, bytes});
  fresh->version = old->version;
  fresh->exposed = true;
  impl->storage = fresh;
  impl->data = static_cast<char*>(data) + offset;
  old->release();
}
PyObject* share_memory(PyObject* self, PyObject*) {
  return guarded([&] {
    need_memory(unwrap(self), "share_memory_");
    share(unwrap(self));
    return Py_NewRef(self);
  });
}
PyObject* is_shared(PyObject* self, PyObject*) {
  return PyBool_FromLong(is_shared_storage(unwrap(self).impl()->storage));
}
PyObject* storage_share(PyObject*, PyObject* object) {
  return guarded([&] {
    share(tensor_argument(object, "_storage_share"));
    Py_RETURN_NONE;
  });
}
PyObject* storage_is_shared(PyObject*, PyObject* object) {
  return guarded([&] {
    return PyBool_FromLong(is_shared_storage(tensor_argument(object, "_storage_is_shared").impl()->storage));
  });
}
PyObject* storage_address(PyObject*, PyObject* object) {
  return guarded([&] { return PyLong_FromVoidPtr(tensor_argument(object, "_storage_address").impl()->storage); });
}

}  // namespace

PyMethodDef kStorageFunctions[] = {
    {"_storage_bytes", storage_bytes, METH_O, "A flat uint8 tensor over the whole memory that a tensor shares."},
    {"_storage_resize", storage_resize, METH_VARARGS, "Changes the number of bytes behind a tensor."},
    {"_storage_share", storage_share, METH_O, "Moves the memory of a tensor to where child processes share it."},
    {"_storage_is_shared", storage_is_shared, METH_O, "Whether child processes share the memory of a tensor."},
    {"_storage_address", storage_address, METH_O, "A number that tensors over the same memory have in common."},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kStorageMethods[] = {
    {"share_memory_", share_memory, METH_NOARGS, "Moves the memory to where child processes share it."},
    {"is_shared", is_shared, METH_NOARGS, "Whether child processes share the memory."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
