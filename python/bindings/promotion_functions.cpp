// torch.result_type, promote_types, can_cast, and functions that tell about a tensor as its methods
// do.
#include "arguments.h"
#include "module_parts.h"
#include "ops/pointwise.h"

namespace rushlight::python {
namespace {

Dtype dtype_at(PyObject* object, const char* function, int position) {
  check<TypeError>(is_dtype_argument(object), function, "(): argument 'type", position, "' (position ", position,
                   ") must be torch.dtype, not ", type_name(object));
  return dtype_argument(object);
}
PyObject* promote_types(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"type1", "type2", nullptr};
  PyObject *a, *b;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:promote_types", const_cast<char**>(keywords), &a, &b))
    return nullptr;
  return guarded([&] { return wrap(promote(dtype_at(a, "promote_types", 1), dtype_at(b, "promote_types", 2))); });
}
PyObject* can_cast_function(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"from_", "to", nullptr};
  PyObject *from, *to;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:can_cast", const_cast<char**>(keywords), &from, &to))
    return nullptr;
  return guarded([&] { return PyBool_FromLong(can_cast(dtype_at(from, "can_cast", 1), dtype_at(to, "can_cast", 2))); });
}
// An operand refers to its number, which therefore has to live in the caller.
Operand operand(PyObject* object, Scalar& number, int position) {
  check<TypeError>(is_tensor(object) || is_number(object), "result_type(): argument ", position,
                   " must be Tensor or Number, not ", type_name(object));
  if (is_tensor(object)) return unwrap(object);
  number = number_of(object);
  return number;
}
PyObject* result_type(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"tensor1", "tensor2", nullptr};
  PyObject *a, *b;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO:result_type", const_cast<char**>(keywords), &a, &b))
    return nullptr;
  return guarded([&] {
    Scalar first, second;
    return wrap(result_dtype({operand(a, first, 1), operand(b, second, 2)}));
  });
}

// torch.numel(x) and its like: the method of the argument.
template <const char* Method>
PyObject* method_of_argument(PyObject*, PyObject* args, PyObject* kwargs) {
  static const char* keywords[] = {"input", nullptr};
  PyObject* input;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O", const_cast<char**>(keywords), &input)) return nullptr;
  if (!is_tensor(input) && !has_torch_function(input))
    return PyErr_Format(PyExc_TypeError, "%s(): argument 'input' (position 1) must be Tensor, not %s", Method,
                        type_name(input));
  return PyObject_CallMethod(input, Method, nullptr);
}
constexpr char kNumel[] = "numel", kFloating[] = "is_floating_point", kComplex[] = "is_complex",
               kSigned[] = "is_signed", kInferenceName[] = "is_inference", kConj[] = "is_conj", kNeg[] = "is_neg",
               kDetach[] = "detach", kDetachInPlace[] = "detach_", kResolveConj[] = "resolve_conj",
               kResolveNeg[] = "resolve_neg";
template <const char* Method>
PyMethodDef row(const char* doc) {
  return {Method, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method_of_argument<Method>)),
          METH_VARARGS | METH_KEYWORDS, doc};
}

PyCFunction with_keywords(PyObject* (*method)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method));
}
constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

}  // namespace

PyMethodDef kPromotionFunctions[] = {
    {"promote_types", with_keywords(promote_types), kKeywords, "The smallest dtype that holds both."},
    {"can_cast", with_keywords(can_cast_function), kKeywords,
     "Whether results of one dtype may be written to another."},
    {"result_type", with_keywords(result_type), kKeywords, "The dtype of arithmetic between two tensors or numbers."},
    row<kNumel>("Number of elements."),
    row<kFloating>("Whether elements are real floating point numbers."),
    row<kComplex>("Whether elements are complex."),
    row<kSigned>("Whether elements can be negative."),
    row<kInferenceName>("Whether the tensor was made in inference mode."),
    row<kConj>("Whether conjugation is pending: never."),
    row<kNeg>("Whether negation is pending: never."),
    row<kDetach>("The same memory without history."),
    row<kDetachInPlace>("Forgets the history of the tensor."),
    row<kResolveConj>("The tensor: conjugation is never pending."),
    row<kResolveNeg>("The tensor: negation is never pending."),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace rushlight::python
