// Python types around values that are not tensors: dtype, device, layout, memory_format, Size,
// Generator.
#pragma once
#include <optional>

#include "errors.h"
#include "rushlight/generator.h"
#include "rushlight/options.h"
#include "tensor_object.h"

namespace rushlight::python {

struct DtypeObject {
  PyObject_HEAD Dtype dtype;
};
extern PyTypeObject DtypeType;
extern DtypeObject kDtypeObjects[kDtypes];
inline bool is_dtype(PyObject* object) { return Py_TYPE(object) == &DtypeType; }
inline Dtype dtype_of(PyObject* object) { return reinterpret_cast<DtypeObject*>(object)->dtype; }
inline PyObject* borrowed(Dtype type) { return reinterpret_cast<PyObject*>(&kDtypeObjects[index_of(type)]); }

// Every device name of PyTorch can be an object; only cpu and meta can hold tensors.
struct DeviceObject {
  PyObject_HEAD std::uint8_t kind;  // index into kDeviceNames
  std::int16_t index;               // -1: none
};
extern PyTypeObject DeviceObjectType;
inline bool is_device(PyObject* object) { return Py_TYPE(object) == &DeviceObjectType; }
bool is_device_like(PyObject* object);  // device, str or int
Device device_of(PyObject* object);     // throws for what holds no tensors here
PyObject* wrap(Device device);

struct NamedObject {  // torch.strided, torch.channels_last: singletons that print their name
  PyObject_HEAD const char* name;
  int value;
};
extern PyTypeObject LayoutType, MemoryFormatType;
inline bool is_layout(PyObject* object) { return Py_TYPE(object) == &LayoutType; }
inline bool is_memory_format(PyObject* object) { return Py_TYPE(object) == &MemoryFormatType; }
Layout layout_of(PyObject* object);  // throws for layouts that tensors cannot have here
MemoryFormat memory_format_of(PyObject* object);
PyObject* wrap(Layout layout);
PyObject* wrap(MemoryFormat format);

extern PyTypeObject SizeType;
PyObject* make_size(IntArray sizes);
PyObject* make_tuple(IntArray numbers);

struct GeneratorObject {
  PyObject_HEAD Generator generator;
  PyObject* weakrefs;
};
extern PyTypeObject GeneratorType;
bool is_generator(PyObject* object);
const Generator& generator_of(PyObject* object);

bool setup_dtypes(PyObject* module);
bool setup_devices(PyObject* module);
bool setup_layouts(PyObject* module);
bool setup_size(PyObject* module);
bool setup_generator(PyObject* module);
bool setup_number_info(PyObject* module);  // finfo, iinfo

}  // namespace rushlight::python
