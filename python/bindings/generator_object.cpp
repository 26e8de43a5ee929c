// torch.Generator: a stream of random numbers.
#include <cstring>

#include "rushlight/ops.h"
#include "type_objects.h"

namespace rushlight::python {

PyTypeObject GeneratorType{PyVarObject_HEAD_INIT(nullptr, 0) "torch._C.Generator"};

namespace {

Generator& of(PyObject* self) { return reinterpret_cast<GeneratorObject*>(self)->generator; }

PyObject* make(PyTypeObject* type, Generator generator) {
  auto* object = reinterpret_cast<GeneratorObject*>(type->tp_alloc(type, 0));
  if (!object) return nullptr;
  new (&object->generator) Generator(std::move(generator));
  object->weakrefs = nullptr;
  return reinterpret_cast<PyObject*>(object);
}

PyObject* new_generator(PyTypeObject* type, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"device", nullptr};
  PyObject* device = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:Generator", const_cast<char**>(keywords), &device)) return nullptr;
  return guarded([&]() -> PyObject* {
    if (device && device != Py_None) {
      check<TypeError>(is_device_like(device), "Generator: device must be a device, not ", type_name(device));
      check(device_of(device).is_cpu(), "Generator: random streams exist on the cpu only");
    }
    return make(type, make_generator());
  });
}
void dealloc(PyObject* self) {
  if (reinterpret_cast<GeneratorObject*>(self)->weakrefs) PyObject_ClearWeakRefs(self);
  of(self).~Generator();
  Py_TYPE(self)->tp_free(self);
}

// A seed is any integer of 64 bits; negative ones wrap.
std::uint64_t seed_of(PyObject* number) {
  if (!PyLong_Check(number) && !PyIndex_Check(number))
    throw RuntimeError(std::string("manual_seed expected a long, but got ") + type_name(number));
  const Owned index = own(PyNumber_Index(number));
  int overflow = 0;
  const long long small = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow == 0) return static_cast<std::uint64_t>(small);
  const unsigned long long large = overflow > 0 ? PyLong_AsUnsignedLongLong(index.get()) : ~0ull;
  if (overflow < 0 || (large == ~0ull && PyErr_Occurred())) {
    PyErr_Clear();
    throw ValueError("Overflow when unpacking long long: a seed has 64 bits");
  }
  return large;
}

PyObject* manual_seed_method(PyObject* self, PyObject* number) {
  return guarded([&] {
    of(self).manual_seed(seed_of(number));
    return Py_NewRef(self);
  });
}
PyObject* seed(PyObject* self, PyObject*) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(of(self).seed()); });
}
PyObject* initial_seed(PyObject* self, PyObject*) { return PyLong_FromUnsignedLongLong(of(self).initial_seed()); }
PyObject* get_state(PyObject* self, PyObject*) {
  return guarded([&] {
    const auto bytes = of(self).get_state();
    Tensor state = empty_tensor(IntArray({static_cast<std::int64_t>(bytes.size())}), Dtype::kUInt8);
    std::memcpy(state.mutable_data<std::uint8_t>(), bytes.data(), bytes.size());
    return wrap(std::move(state));
  });
}
PyObject* set_state(PyObject* self, PyObject* state) {
  return guarded([&] {
    check<TypeError>(is_tensor(state) && unwrap(state).dtype() == Dtype::kUInt8,
                     "RNG state must be a torch.ByteTensor");
    const Tensor& bytes = unwrap(state);
    check(bytes.is_contiguous(), "set_state: the state must be contiguous");
    of(self).set_state(bytes.data<std::uint8_t>(), static_cast<std::size_t>(bytes.numel()));
    return Py_NewRef(self);
  });
}
PyObject* clone_state(PyObject* self, PyObject*) {
  return guarded([&] {
    const auto bytes = of(self).get_state();
    Generator copy = make_generator();
    copy.set_state(bytes.data(), bytes.size());
    return make(&GeneratorType, std::move(copy));
  });
}
PyObject* make_from_state(PyObject*, PyObject* state) {
  Owned made(guarded([&] { return make(&GeneratorType, make_generator()); }));
  Owned same(made ? set_state(made.get(), state) : nullptr);
  return same ? made.release() : nullptr;
}
PyObject* reduce(PyObject* self, PyObject*) {
  Owned module(PyImport_ImportModule("rushlight._C"));
  Owned maker(module ? PyObject_GetAttrString(module.get(), "_make_generator") : nullptr);
  Owned state(get_state(self, nullptr));
  return maker && state ? Py_BuildValue("O(O)", maker.get(), state.get()) : nullptr;
}
PyMethodDef kMethods[] = {
    {"manual_seed", manual_seed_method, METH_O, "Starts the stream that belongs to a seed; returns the generator."},
    {"seed", seed, METH_NOARGS, "Starts the stream of a seed taken from the system; returns the seed."},
    {"initial_seed", initial_seed, METH_NOARGS, "The seed that the stream was started with."},
    {"get_state", get_state, METH_NOARGS, "The state as a uint8 tensor."},
    {"set_state", set_state, METH_O, "Continues from a state that `get_state` gave."},
    {"clone_state", clone_state, METH_NOARGS, "Another generator at the same point of the stream."},
    {"graphsafe_get_state", clone_state, METH_NOARGS, "See `clone_state`."},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyObject* get_device(PyObject*, void*) { return wrap(Device(DeviceType::kCpu)); }
PyGetSetDef kAttributes[] = {
    {"device", get_device, nullptr, "Where the stream is computed.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef kFunctions[] = {
    {"_make_generator", make_from_state, METH_O, "A generator with a state; what pickles refer to."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

bool is_generator(PyObject* object) { return PyObject_TypeCheck(object, &GeneratorType); }
const Generator& generator_of(PyObject* object) { return of(object); }

bool setup_generator(PyObject* module) {
  GeneratorType.tp_basicsize = sizeof(GeneratorObject);
  GeneratorType.tp_weaklistoffset = offsetof(GeneratorObject, weakrefs);
  GeneratorType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  GeneratorType.tp_new = new_generator;
  GeneratorType.tp_dealloc = dealloc;
  GeneratorType.tp_methods = kMethods;
  GeneratorType.tp_getset = kAttributes;
  GeneratorType.tp_doc = "A stream of random numbers; operators take it as `generator=`.";
  if (PyType_Ready(&GeneratorType) < 0) return false;
  Owned standard(make(&GeneratorType, default_generator()));
  return standard && PyModule_AddObjectRef(module, "Generator", reinterpret_cast<PyObject*>(&GeneratorType)) == 0 &&
         PyModule_AddObjectRef(module, "default_generator", standard.get()) == 0 &&
         PyModule_AddFunctions(module, kFunctions) == 0;
}

}  // namespace rushlight::python
