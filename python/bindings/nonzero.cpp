// nonzero with `as_tuple`, which gives one tensor of indices for each dimension.
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"
#include "wrapper.h"

namespace rushlight::python {

PyObject* py_nonzero(PyObject* self, PyObject* const* args, Py_ssize_t count,
                     PyObject* keywords);  // generated

namespace {

// The keyword `as_tuple` is taken out of the call; everything else is the operator's own.
PyObject* nonzero_function(PyObject* self, PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  const Py_ssize_t named = keywords ? PyTuple_GET_SIZE(keywords) : 0;
  Py_ssize_t at = 0;
  while (at < named && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(keywords, at), "as_tuple") != 0)
    ++at;
  if (at == named) return py_nonzero(self, args, count, keywords);
  return guarded([&]() -> PyObject* {
    PyObject* const as_tuple = args[count + at];
    check<TypeError>(PyBool_Check(as_tuple), "nonzero(): argument 'as_tuple' must be bool, not ", type_name(as_tuple));
    std::vector<PyObject*> rest(args, args + count + named);
    rest.erase(rest.begin() + count + at);
    const Owned before = own(PyTuple_GetSlice(keywords, 0, at));
    const Owned after = own(PyTuple_GetSlice(keywords, at + 1, named));
    const Owned others = own(PySequence_Concat(before.get(), after.get()));
    Owned indices = own(py_nonzero(self, rest.data(), count, named > 1 ? others.get() : nullptr));
    if (as_tuple == Py_False || !is_tensor(indices.get())) return indices.release();
    const Tensor& found = unwrap(indices.get());
    if (found.sizes()[1]) return wrap_tensors(unbind(found, 1));
    return wrap_tensors(
        {zeros({found.sizes()[0]}, TensorOptions(Dtype::kInt64))});  // of a 0-dim tensor, as of one of one dimension
  });
}

}  // namespace

PyMethodDef kNonzeroMethods[] = {
    {"nonzero", as_method(nonzero_function), METH_FASTCALL | METH_KEYWORDS,
     "Indices of the elements that are not zero: a row each, or with `as_tuple` a tensor for each "
     "dimension."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
