// `Tensor.__dlpack_c_exchange_api__`: DLPack 1.3 for extensions written in C, without a capsule per tensor.
//
// The capsule on the type holds a table of functions. They return 0, or -1 with an exception set; the allocator, which
// may be called without the GIL, tells its caller instead.
#include "dlpack_structures.h"
#include "rushlight/ops.h"
#include "tensor_object.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

using ErrorSetter = void (*)(void* context, const char* kind, const char* message);

struct ExchangeApi {
  struct {
    std::uint32_t major, minor;
    void* older;
  } header;
  int (*allocate)(DLTensor* prototype, DLManagedTensorVersioned** out, void* context, ErrorSetter set_error);
  int (*managed_from_object)(void* object, DLManagedTensorVersioned** out);
  int (*object_from_managed)(DLManagedTensorVersioned* managed, void** out);
  int (*fields_from_object)(void* object, DLTensor* out);
  int (*current_stream)(std::int32_t device_type, std::int32_t device, void** out);
};

int allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* context, ErrorSetter set_error) {
  try {
    check(prototype->device.type == kCpuDevice, "dlpack: memory can be allocated on the CPU only, not on device type ",
          prototype->device.type);
    const IntArray sizes(prototype->shape, static_cast<std::size_t>(prototype->ndim));
    *out = make_managed<DLManagedTensorVersioned>(empty_tensor(sizes, dtype_of(prototype->dtype)));
    return 0;
  } catch (const std::bad_alloc&) {
    set_error(context, "MemoryError", "dlpack: out of memory");
  } catch (const std::exception& error) {
    set_error(context, "RuntimeError", error.what());
  }
  return -1;
}

const Tensor& tensor_of(void* object) {
  auto* given = static_cast<PyObject*>(object);
  check<TypeError>(is_tensor(given), "dlpack: expected a Tensor, got ", type_name(given));
  check_memory(unwrap(given));
  return unwrap(given);
}

int managed_from_object(void* object, DLManagedTensorVersioned** out) {
  return guarded_status([&] {
    *out = make_managed<DLManagedTensorVersioned>(tensor_of(object));
    return 0;
  });
}

int object_from_managed(DLManagedTensorVersioned* managed, void** out) {
  return guarded_status([&] {
    *out = wrap(borrow_managed(managed));
    return 0;
  });
}

// A look at the tensor for as long as the object lives and keeps its shape.
int fields_from_object(void* object, DLTensor* out) {
  return guarded_status([&] {
    const Tensor& tensor = tensor_of(object);
    tensor.impl()->storage->exposed = true;
    *out = {tensor.mutable_data<>(),
            {kCpuDevice, 0},
            static_cast<std::int32_t>(tensor.dim()),
            type_of(tensor.dtype()),
            const_cast<std::int64_t*>(tensor.sizes().data()),
            const_cast<std::int64_t*>(tensor.strides().data()),
            0};
    return 0;
  });
}

int current_stream(std::int32_t device_type, std::int32_t, void** out) {
  *out = nullptr;
  if (device_type == kCpuDevice) return 0;
  PyErr_Format(PyExc_ValueError, "dlpack: there are no streams of device type %d", static_cast<int>(device_type));
  return -1;
}

constinit ExchangeApi api{{kMajorVersion, kMinorVersion, nullptr},
                          allocate,
                          managed_from_object,
                          object_from_managed,
                          fields_from_object,
                          current_stream};

}  // namespace

bool add_exchange_api(PyObject* type) {
  const Owned capsule(PyCapsule_New(&api, "dlpack_exchange_api", nullptr));
  auto* members = reinterpret_cast<PyTypeObject*>(type)->tp_dict;
  return capsule && PyDict_SetItemString(members, "__dlpack_c_exchange_api__", capsule.get()) == 0;
}

}  // namespace rushlight::python
