// torch.Size: the tuple of a tensor's sizes.
#include "type_objects.h"

namespace rushlight::python {

PyTypeObject SizeType{PyVarObject_HEAD_INIT(nullptr, 0) "torch.Size"};

namespace {

PyNumberMethods number_slots{};
PySequenceMethods sequence_slots{};
PyMappingMethods mapping_slots{};

PyObject* fill(PyObject* tuple, IntArray numbers) {
  if (!tuple) return nullptr;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* number = PyLong_FromLongLong(numbers[i]);
    if (!number) {
      Py_DECREF(tuple);
      return nullptr;
    }
    PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), number);
  }
  return tuple;
}

// A plain tuple as a Size.
PyObject* from_tuple(PyObject* tuple) {
  if (!tuple || !PyTuple_Check(tuple)) return tuple;
  const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
  PyObject* size = SizeType.tp_alloc(&SizeType, count);
  if (size)
    for (Py_ssize_t i = 0; i < count; ++i)
      PyTuple_SET_ITEM(size, i, Py_NewRef(PyTuple_GET_ITEM(tuple, i)));
  Py_DECREF(tuple);
  return size;
}

PyObject* new_size(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  Owned size(PyTuple_Type.tp_new(type, args, kwargs));
  if (!size) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(size.get()); ++i) {
    PyObject* item = PyTuple_GET_ITEM(size.get(), i);
    if (PyLong_Check(item)) continue;
    if (PyIndex_Check(item)) {
      PyObject* number = PyNumber_Index(item);
      if (!number) return nullptr;
      PyTuple_SET_ITEM(size.get(), i, number);
      Py_DECREF(item);
      continue;
    }
    return PyErr_Format(PyExc_TypeError, "torch.Size() takes an iterable of 'int' (item %zd is '%s')", i,
                        Py_TYPE(item)->tp_name);
  }
  return size.release();
}

PyObject* repr(PyObject* self) {
  Owned list(PySequence_List(self));
  Owned text(list ? PyObject_Repr(list.get()) : nullptr);
  return text ? PyUnicode_FromFormat("torch.Size(%U)", text.get()) : nullptr;
}

PyObject* concatenate(PyObject* a, PyObject* b) {
  if (!PyTuple_Check(a) || !PyTuple_Check(b))
    return PyErr_Format(PyExc_TypeError, "can only concatenate tuple (not \"%s\") to torch.Size",
                        Py_TYPE(PyTuple_Check(a) ? b : a)->tp_name);
  return from_tuple(PyTuple_Type.tp_as_sequence->sq_concat(a, b));
}
// Python tries number slots first, so that `(3,) + size` reaches this one too.
PyObject* add(PyObject* a, PyObject* b) {
  if (!PyTuple_Check(a) || !PyTuple_Check(b)) Py_RETURN_NOTIMPLEMENTED;
  return concatenate(a, b);
}
PyObject* repeat(PyObject* self, Py_ssize_t count) {
  return from_tuple(PyTuple_Type.tp_as_sequence->sq_repeat(self, count));
}
PyObject* subscript(PyObject* self, PyObject* key) {
  PyObject* item = PyTuple_Type.tp_as_mapping->mp_subscript(self, key);
  return PySlice_Check(key) ? from_tuple(item) : item;
}

PyObject* numel(PyObject* self, PyObject*) {
  std::int64_t count = 1;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i)
    count *= PyLong_AsLongLong(PyTuple_GET_ITEM(self, i));
  return PyErr_Occurred() ? nullptr : PyLong_FromLongLong(count);
}
PyObject* make_size_from(PyObject*, PyObject* numbers) {
  return PyObject_CallOneArg(reinterpret_cast<PyObject*>(&SizeType), numbers);
}
PyObject* reduce(PyObject* self, PyObject*) {
  Owned module(PyImport_ImportModule("rushlight._C"));
  Owned maker(module ? PyObject_GetAttrString(module.get(), "_make_size") : nullptr);
  Owned list(PySequence_List(self));
  Owned plain(list ? PyList_AsTuple(list.get()) : nullptr);
  return maker && plain ? Py_BuildValue("O(O)", maker.get(), plain.get()) : nullptr;
}
PyObject* copy(PyObject* self, PyObject*) { return Py_NewRef(self); }
PyMethodDef kMethods[] = {
    {"numel", numel, METH_NOARGS, "Number of elements of a tensor of this size."},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"__copy__", copy, METH_NOARGS, nullptr},
    {"__deepcopy__", copy, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef kFunctions[] = {
    {"_make_size", make_size_from, METH_O, "torch.Size, under a name that any process can import."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyObject* make_size(IntArray sizes) {
  return fill(SizeType.tp_alloc(&SizeType, static_cast<Py_ssize_t>(sizes.size())), sizes);
}
PyObject* make_tuple(IntArray numbers) { return fill(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())), numbers); }

bool setup_size(PyObject* module) {
  number_slots.nb_add = add;
  sequence_slots.sq_concat = concatenate;
  sequence_slots.sq_repeat = repeat;
  mapping_slots.mp_subscript = subscript;
  SizeType.tp_base = &PyTuple_Type;
  SizeType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  SizeType.tp_new = new_size;
  SizeType.tp_repr = repr;
  SizeType.tp_as_number = &number_slots;
  SizeType.tp_as_sequence = &sequence_slots;
  SizeType.tp_as_mapping = &mapping_slots;
  SizeType.tp_methods = kMethods;
  SizeType.tp_doc = "The sizes of a tensor: a tuple of ints.";
  return PyType_Ready(&SizeType) == 0 &&
         PyModule_AddObjectRef(module, "Size", reinterpret_cast<PyObject*>(&SizeType)) == 0 &&
         PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace rushlight::python
