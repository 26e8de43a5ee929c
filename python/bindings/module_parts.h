// The parts that module.cpp puts together: each file's setup function.
#pragma once
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <span>

namespace rushlight::python {

bool setup_errors(PyObject* module);          // errors.cpp
bool setup_dtypes(PyObject* module);          // dtype_object.cpp
bool setup_devices(PyObject* module);         // device_object.cpp
bool setup_layouts(PyObject* module);         // layout_object.cpp
bool setup_size(PyObject* module);            // size_object.cpp
bool setup_generator(PyObject* module);       // generator_object.cpp
bool setup_number_info(PyObject* module);     // number_info.cpp
bool setup_torch_function(PyObject* module);  // torch_function.cpp
bool setup_tensor_type(PyObject* module);     // tensor_type.cpp
bool setup_nodes(PyObject* module);           // node_object.cpp
bool setup_function_base(PyObject* module);   // function_base.cpp
bool setup_interpreter(PyObject* module);     // interpreter.cpp
bool setup_module_base(PyObject* module);     // module_base.cpp

// Functions for `_C` and for `_C._VariableFunctions`.
extern PyMethodDef kModeFunctions[];          // mode_functions.cpp
extern PyMethodDef kVmapFunctions[];          // vmap_functions.cpp
extern PyMethodDef kDefaultFunctions[];       // default_functions.cpp: dtype, device, threads, seeds
extern PyMethodDef kConstructionFunctions[];  // construction_functions.cpp: tensor, as_tensor, ...
extern PyMethodDef kPromotionFunctions[];     // promotion_functions.cpp
extern PyMethodDef kAutogradFunctions[];      // autograd_functions.cpp
extern PyMethodDef kAutocastFunctions[];      // autocast_functions.cpp
extern PyMethodDef kSavedHookFunctions[];     // autograd_functions.cpp: `_C._autograd`
extern PyMethodDef kDlpackFunctions[];        // dlpack.cpp
extern PyMethodDef kStorageFunctions[];       // storage_functions.cpp
extern PyMethodDef kOptimizerFunctions[];     // optimizer_functions.cpp

// The modules whose functions are operators: _VariableFunctions, _nn, _linalg, _fft, _special.
std::span<PyObject* const> function_homes();

}  // namespace rushlight::python
