// What the files that make up the Tensor type share.
#pragma once
#include "tensor_object.h"

namespace rushlight::python {

// Generated operators first; then these, which replace generated ones of the same name.
extern PyMethodDef kBasicMethods[];          // tensor_methods.cpp: item, tolist, size, stride, ...
extern PyMethodDef kConversionMethods[];     // conversion_methods.cpp: to, float, cpu, ...
extern PyMethodDef kAutogradMethods[];       // autograd_methods.cpp: requires_grad_, register_hook, ...
extern PyMethodDef kSubclassMethods[];       // subclass_methods.cpp: as_subclass, _make_subclass
extern PyMethodDef kArrayMethods[];          // array_exchange.cpp: numpy, __array__
extern PyMethodDef kDlpackMethods[];         // dlpack.cpp
extern PyMethodDef kConstructionMethods[];   // construction_functions.cpp: new_tensor
extern PyMethodDef kNonzeroMethods[];        // nonzero.cpp: also a function
extern PyMethodDef kStorageMethods[];        // storage_functions.cpp: share_memory_
extern PyMethodDef kTorchFunctionMethods[];  // torch_function.cpp
extern PyGetSetDef kTensorAttributes[];      // tensor_attributes.cpp
extern PyBufferProcs kBufferSlots;           // buffer.cpp

void fill_number_slots(PyNumberMethods& slots);  // number_slots.cpp
PyObject* compare_slot(PyObject* a, PyObject* b, int op);
PyObject* new_tensor(PyTypeObject* type, PyObject* args,
                     PyObject* kwargs);              // construction_functions.cpp
PyObject* subscript(PyObject* self, PyObject* key);  // indexing.cpp
int assign_subscript(PyObject* self, PyObject* key, PyObject* value);
void setup_tensor_object();  // tensor_object.cpp

// The same memory and, if recording, history under another header.
Tensor shared(const Tensor& tensor);

}  // namespace rushlight::python
