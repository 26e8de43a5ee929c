// torch.layout and torch.memory_format: named singletons.
#include "type_objects.h"

namespace rushlight::python {

PyTypeObject LayoutType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.layout"};
PyTypeObject MemoryFormatType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.memory_format"};

namespace {

NamedObject layouts[] = {
    {PyObject_HEAD_INIT(nullptr) "strided", static_cast<int>(Layout::kStrided)},
    {PyObject_HEAD_INIT(nullptr) "sparse_coo", static_cast<int>(Layout::kSparse)},
    {PyObject_HEAD_INIT(nullptr) "sparse_csr", static_cast<int>(Layout::kSparseCsr)},
    {PyObject_HEAD_INIT(nullptr) "sparse_csc", static_cast<int>(Layout::kSparseCsc)},
    {PyObject_HEAD_INIT(nullptr) "sparse_bsr", 101},  // names alone: programs compare with them
    {PyObject_HEAD_INIT(nullptr) "sparse_bsc", 102},
    {PyObject_HEAD_INIT(nullptr) "_mkldnn", 103},
    {PyObject_HEAD_INIT(nullptr) "jagged", 104},
};
NamedObject formats[] = {
    {PyObject_HEAD_INIT(nullptr) "contiguous_format", static_cast<int>(MemoryFormat::kContiguous)},
    {PyObject_HEAD_INIT(nullptr) "preserve_format", static_cast<int>(MemoryFormat::kPreserve)},
    {PyObject_HEAD_INIT(nullptr) "channels_last", static_cast<int>(MemoryFormat::kChannelsLast)},
    {PyObject_HEAD_INIT(nullptr) "channels_last_3d", static_cast<int>(MemoryFormat::kChannelsLast3d)},
};

const NamedObject& named(PyObject* object) { return *reinterpret_cast<NamedObject*>(object); }
PyObject* repr(PyObject* self) { return PyUnicode_FromFormat("torch.%s", named(self).name); }
// A global of rushlight._C to the pickle module.
PyObject* reduce(PyObject* self, PyObject*) { return PyUnicode_FromString(named(self).name); }
PyObject* copy(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyObject* get_module(PyObject*, void*) { return PyUnicode_FromString("rushlight._C"); }
PyMethodDef kMethods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__copy__", copy, METH_NOARGS, nullptr},
    {"__deepcopy__", copy, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyGetSetDef kAttributes[] = {
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

bool ready(PyTypeObject& type, const char* name, const char* doc, PyObject* module) {
  type.tp_basicsize = sizeof(NamedObject);
  type.tp_flags = Py_TPFLAGS_DEFAULT;
  type.tp_repr = repr;
  type.tp_methods = kMethods;
  type.tp_getset = kAttributes;
  type.tp_doc = doc;
  return PyType_Ready(&type) == 0 && PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject*>(&type)) == 0;
}

template <std::size_t N>
bool add(NamedObject (&objects)[N], PyTypeObject& type, PyObject* module) {
  for (NamedObject& object : objects) {
    auto* self = reinterpret_cast<PyObject*>(&object);
    PyObject_Init(self, &type);
    if (PyModule_AddObjectRef(module, object.name, self) < 0) return false;
  }
  return true;
}

}  // namespace

Layout layout_of(PyObject* object) {
  if (named(object).value > static_cast<int>(Layout::kSparseCsc))
    throw NotImplementedError(std::string("layout torch.") + named(object).name +
                              ": tensors are strided here; use layout=torch.strided");
  return static_cast<Layout>(named(object).value);
}
MemoryFormat memory_format_of(PyObject* object) { return static_cast<MemoryFormat>(named(object).value); }

PyObject* wrap(Layout layout) { return Py_NewRef(reinterpret_cast<PyObject*>(&layouts[static_cast<int>(layout)])); }
PyObject* wrap(MemoryFormat format) {
  return Py_NewRef(reinterpret_cast<PyObject*>(&formats[static_cast<int>(format)]));
}

bool setup_layouts(PyObject* module) {
  return ready(LayoutType, "layout", "How elements lie in memory.", module) &&
         ready(MemoryFormatType, "memory_format", "Order of the dimensions in memory.", module) &&
         add(layouts, LayoutType, module) && add(formats, MemoryFormatType, module) &&
         PyModule_AddObjectRef(module, "legacy_contiguous_format", reinterpret_cast<PyObject*>(&formats[0])) == 0;
}

}  // namespace rushlight::python
