// Functions about process-wide settings: default dtype and device, threads, seeds, memory.
#include "arguments.h"
#include "module_parts.h"
#include "rushlight/allocator.h"
#include "rushlight/parallel.h"

namespace rushlight::simd {
int level();  // src/cpu/simd/level.cpp: 0 baseline, 1 AVX2, 2 AVX-512
}

namespace rushlight::python {
namespace {

PyObject* get_default_dtype(PyObject*, PyObject*) { return wrap(default_dtype()); }
PyObject* set_default_dtype_function(PyObject*, PyObject* value) {
  return guarded([&] {
    check<TypeError>(is_dtype(value),
                     "invalid dtype object: only floating-point types are supported as the default type");
    check<TypeError>(is_floating(dtype_of(value)), "only floating-point types are supported as the default type");
    set_default_dtype(dtype_of(value));
    Py_RETURN_NONE;
  });
}
PyObject* get_default_device(PyObject*, PyObject*) { return wrap(default_device()); }
PyObject* set_default_device_function(PyObject*, PyObject* value) {
  return guarded([&] {
    check<TypeError>(value == Py_None || is_device_like(value), "set_default_device: expected a device, got ",
                     type_name(value));
    set_default_device(value == Py_None ? Device(DeviceType::kCpu) : device_of(value));
    Py_RETURN_NONE;
  });
}

PyObject* get_num_threads_function(PyObject*, PyObject*) { return PyLong_FromLong(num_threads()); }
PyObject* set_num_threads_function(PyObject*, PyObject* value) {
  return guarded([&] {
    check<TypeError>(is_int_argument(value), "set_num_threads expects an int, but got ", type_name(value));
    const std::int64_t count = integer_of(value);
    check(count > 0 && count < 100000, "set_num_threads expects a positive integer");
    set_num_threads(static_cast<int>(count));
    Py_RETURN_NONE;
  });
}
PyObject* get_num_interop_threads(PyObject*, PyObject*) { return PyLong_FromLong(1); }
PyObject* set_num_interop_threads(PyObject*, PyObject* value) {
  return guarded([&] {
    check(is_int_argument(value) && integer_of(value) > 0, "set_num_interop_threads expects a positive integer");
    Py_RETURN_NONE;  // operations run on the thread that calls them
  });
}

PyObject* cpu_capability(PyObject*, PyObject*) {
  static constexpr const char* kNames[] = {"DEFAULT", "AVX2", "AVX512"};
  return PyUnicode_FromString(kNames[simd::level()]);
}

PyObject* memory_statistics(PyObject*, PyObject*) {
  const MemoryStats stats = memory_stats();
  return Py_BuildValue("{snsnsnsn}", "large_in_use", stats.large_in_use, "large_cached", stats.large_cached,
                       "large_peak", stats.large_peak, "small_reserved", stats.small_reserved);
}
PyObject* empty_cache_function(PyObject*, PyObject*) {
  empty_cache();
  Py_RETURN_NONE;
}
PyObject* reset_peak_memory_function(PyObject*, PyObject*) {
  reset_peak_memory();
  Py_RETURN_NONE;
}

}  // namespace

PyMethodDef kDefaultFunctions[] = {
    {"get_default_dtype", get_default_dtype, METH_NOARGS, "The dtype of tensors made from Python floats."},
    {"set_default_dtype", set_default_dtype_function, METH_O, "Sets the dtype of tensors made from Python floats."},
    {"_set_default_dtype", set_default_dtype_function, METH_O, "See `set_default_dtype`."},
    {"_get_default_device", get_default_device, METH_NOARGS, "Where new tensors are made."},
    {"_set_default_device", set_default_device_function, METH_O, "Sets where new tensors are made; None: on the CPU."},
    {"get_num_threads", get_num_threads_function, METH_NOARGS,
     "Number of threads that share the work of one operation."},
    {"set_num_threads", set_num_threads_function, METH_O,
     "Sets the number of threads that share the work of one operation."},
    {"get_num_interop_threads", get_num_interop_threads, METH_NOARGS, "Number of operations that run at once: 1."},
    {"set_num_interop_threads", set_num_interop_threads, METH_O, "Without effect: operations run one after another."},
    {"_get_cpu_capability", cpu_capability, METH_NOARGS, "The instruction set that kernels use."},
    {"_memory_stats", memory_statistics, METH_NOARGS, "Bytes in use and cached by the allocator."},
    {"_empty_cache", empty_cache_function, METH_NOARGS, "Gives cached memory back to the system."},
    {"_reset_peak_memory", reset_peak_memory_function, METH_NOARGS, "Starts the peak of memory in use anew."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
