// The number protocol and comparisons of Tensor: operands in either order, tensors or numbers.
#include "array_exchange.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"
#include "tensor_type.h"
#include "torch_function.h"
#include "wrapper.h"

namespace rushlight::python {

namespace {

bool plain(Word word) { return !(word & (kTorchFunction | kFunctionMode)); }

// An operand of another type: NotImplemented, unless it brings its own __torch_function__.
PyObject* foreign(const char* method, PyObject* a, PyObject* b) {
  PyObject* result;
  if ((has_torch_function(a) || has_torch_function(b)) && overridden_operator(method, a, b, &result)) return result;
  Py_RETURN_NOTIMPLEMENTED;
}

// `both`, `right` (tensor, number) and `left` (number, tensor) compute; names are those of Python's
// methods.
template <class Both, class Right, class Left>
PyObject* binary(PyObject* a, PyObject* b, const char* method, const char* reflected, Both both, Right right,
                 Left left) {
  return guarded([&]() -> PyObject* {
    PyObject* result;
    const Word modes = thread.modes;
    if (is_tensor(a)) {
      if (is_tensor(b)) [[likely]] {
        if (!plain(modes | unwrap(a).word() | unwrap(b).word()) && overridden_operator(method, a, b, &result))
          return result;
        return wrap(both(unwrap(a), unwrap(b)));
      }
      if (!is_number(b)) return foreign(method, a, b);
      if (!plain(modes | unwrap(a).word()) && overridden_operator(method, a, b, &result)) return result;
      return wrap(right(unwrap(a), number_of(b)));
    }
    if (!is_number(a)) return foreign(reflected, b, a);
    if (!plain(modes | unwrap(b).word()) && overridden_operator(reflected, b, a, &result)) return result;
    return wrap(left(number_of(a), unwrap(b)));
  });
}

template <class Change>
PyObject* in_place(PyObject* a, PyObject* b, const char* method, Change change) {
  return guarded([&]() -> PyObject* {
    PyObject* result;
    const bool tensor = is_tensor(b);
    if (!tensor && !is_number(b)) return foreign(method, a, b);
    if (!plain(thread.modes | unwrap(a).word() | (tensor ? unwrap(b).word() : 0)) &&
        overridden_operator(method, a, b, &result))
      return result;
    if (tensor)
      change(unwrap(a), unwrap(b));
    else
      change(unwrap(a), number_of(b));
    return Py_NewRef(a);
  });
}

// A call for tensors and one for numbers.
template <class... Call>
struct Either : Call... {
  using Call::operator()...;
};
template <class... Call>
Either(Call...) -> Either<Call...>;

template <class One>
PyObject* unary(PyObject* a, const char* method, One one) {
  return guarded([&]() -> PyObject* {
    PyObject* result;
    if (!plain(thread.modes | unwrap(a).word()) && overridden_operator(method, a, nullptr, &result)) return result;
    return wrap(one(unwrap(a)));
  });
}

// A number as an operand of an operator that has no form for it.
Tensor like(const Scalar& number, const Tensor& other) {
  return full({}, number, TensorOptions(result_dtype({other, number}), other.device()));
}

// PyTorch's tensors refuse most operators with arrays on their left; these three it has.
PyObject* compute_with_array(PyObject* a, PyObject* b, const char* method,
                             Tensor (*compute)(const Tensor&, const Tensor&)) {
  return guarded([&]() -> PyObject* {
    PyObject* result;
    const Tensor& tensor = unwrap(is_tensor(a) ? a : b);
    if (!plain(thread.modes | tensor.word()) &&
        overridden_operator(method, is_tensor(a) ? a : b, is_tensor(a) ? b : a, &result))
      return result;
    return wrap(is_tensor(a) ? compute(tensor, from_array(b, false)) : compute(from_array(a, false), tensor));
  });
}

PyObject* add_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__add__", "__radd__", [](auto& x, auto& y) { return add(x, y); },
      [](auto& x, const Scalar& y) { return add(x, y); }, [](const Scalar& x, auto& y) { return add(y, x); });
}
PyObject* sub_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__sub__", "__rsub__", [](auto& x, auto& y) { return sub(x, y); },
      [](auto& x, const Scalar& y) { return sub(x, y); },
      [](const Scalar& x, auto& y) {
        if constexpr (requires { rsub(y, x); })
          return rsub(y, x);
        else
          return sub(like(x, y), y);
      });
}
PyObject* mul_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__mul__", "__rmul__", [](auto& x, auto& y) { return mul(x, y); },
      [](auto& x, const Scalar& y) { return mul(x, y); }, [](const Scalar& x, auto& y) { return mul(y, x); });
}
PyObject* div_slot(PyObject* a, PyObject* b) {
  if (!is_tensor(a) && is_numpy_array(a)) return compute_with_array(a, b, "__rtruediv__", div);
  return binary(
      a, b, "__truediv__", "__rtruediv__", [](auto& x, auto& y) { return div(x, y); },
      [](auto& x, const Scalar& y) { return div(x, y); },
      [](const Scalar& x, auto& y) { return mul(reciprocal(y), x); });  // as PyTorch rounds it
}
PyObject* floor_divide_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__floordiv__", "__rfloordiv__", [](auto& x, auto& y) { return floor_divide(x, y); },
      [](auto& x, const Scalar& y) { return floor_divide(x, like(y, x)); },
      [](const Scalar& x, auto& y) { return floor_divide(like(x, y), y); });
}
PyObject* remainder_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__mod__", "__rmod__", [](auto& x, auto& y) { return remainder(x, y); },
      [](auto& x, const Scalar& y) { return remainder(x, y); },
      [](const Scalar& x, auto& y) { return remainder(x, y); });
}
PyObject* power_slot(PyObject* a, PyObject* b, PyObject* modulus) {
  if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
  return binary(
      a, b, "__pow__", "__rpow__", [](auto& x, auto& y) { return pow(x, y); },
      [](auto& x, const Scalar& y) { return pow(x, y); }, [](const Scalar& x, auto& y) { return pow(x, y); });
}
PyObject* and_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__and__", "__rand__", [](auto& x, auto& y) { return bitwise_and(x, y); },
      [](auto& x, const Scalar& y) { return bitwise_and(x, y); },
      [](const Scalar& x, auto& y) { return bitwise_and(y, x); });
}
PyObject* or_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__or__", "__ror__", [](auto& x, auto& y) { return bitwise_or(x, y); },
      [](auto& x, const Scalar& y) { return bitwise_or(x, y); },
      [](const Scalar& x, auto& y) { return bitwise_or(y, x); });
}
PyObject* xor_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__xor__", "__rxor__", [](auto& x, auto& y) { return bitwise_xor(x, y); },
      [](auto& x, const Scalar& y) { return bitwise_xor(x, y); },
      [](const Scalar& x, auto& y) { return bitwise_xor(y, x); });
}
PyObject* left_shift_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__lshift__", "__rlshift__", [](auto& x, auto& y) { return bitwise_left_shift(x, y); },
      [](auto& x, const Scalar& y) { return bitwise_left_shift(x, y); },
      [](const Scalar& x, auto& y) { return bitwise_left_shift(x, y); });
}
PyObject* right_shift_slot(PyObject* a, PyObject* b) {
  return binary(
      a, b, "__rshift__", "__rrshift__", [](auto& x, auto& y) { return bitwise_right_shift(x, y); },
      [](auto& x, const Scalar& y) { return bitwise_right_shift(x, y); },
      [](const Scalar& x, auto& y) { return bitwise_right_shift(x, y); });
}
PyObject* matmul_slot(PyObject* a, PyObject* b) {
  return guarded([&]() -> PyObject* {
    if (!is_tensor(a) || !is_tensor(b))
      return is_tensor(a) ? foreign("__matmul__", a, b) : foreign("__rmatmul__", b, a);
    PyObject* result;
    if (!plain(thread.modes | unwrap(a).word() | unwrap(b).word()) && overridden_operator("__matmul__", a, b, &result))
      return result;
    return wrap(matmul(unwrap(a), unwrap(b)));
  });
}

PyObject* add_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__iadd__", [](auto& x, const auto& y) { add_(x, y); });
}
PyObject* sub_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__isub__", [](auto& x, const auto& y) { sub_(x, y); });
}
PyObject* mul_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__imul__", [](auto& x, const auto& y) { mul_(x, y); });
}
PyObject* div_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__itruediv__", [](auto& x, const auto& y) { div_(x, y); });
}
PyObject* floor_divide_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__ifloordiv__",
                  Either{[](auto& x, const Tensor& y) { floor_divide_(x, y); },
                         [](auto& x, const Scalar& y) { floor_divide_(x, like(y, x)); }});
}
PyObject* remainder_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__imod__", [](auto& x, const auto& y) { remainder_(x, y); });
}
PyObject* power_in_place(PyObject* a, PyObject* b, PyObject*) {
  return in_place(
      a, b, "__ipow__",
      Either{[](auto& x, const Tensor& y) { pow_(x, y); }, [](auto& x, const Scalar& y) { copy_(x, pow(x, y)); }});
}
PyObject* and_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__iand__", [](auto& x, const auto& y) { bitwise_and_(x, y); });
}
PyObject* or_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__ior__", [](auto& x, const auto& y) { bitwise_or_(x, y); });
}
PyObject* xor_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__ixor__", [](auto& x, const auto& y) { bitwise_xor_(x, y); });
}
PyObject* left_shift_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__ilshift__", [](auto& x, const auto& y) { bitwise_left_shift_(x, y); });
}
PyObject* right_shift_in_place(PyObject* a, PyObject* b) {
  return in_place(a, b, "__irshift__", [](auto& x, const auto& y) { bitwise_right_shift_(x, y); });
}

PyObject* negative_slot(PyObject* a) {
  return unary(a, "__neg__", [](auto& x) { return neg(x); });
}
PyObject* positive_slot(PyObject* a) {
  return unary(a, "__pos__", [](auto& x) { return positive(x); });
}
PyObject* absolute_slot(PyObject* a) {
  return unary(a, "__abs__", [](auto& x) { return abs(x); });
}
PyObject* invert_slot(PyObject* a) {
  return unary(a, "__invert__", [](auto& x) {
    check<TypeError>(is_integral(x.dtype()),
                     "~ (operator.invert) is only implemented on integer and Boolean-type tensors");
    return bitwise_not(x);
  });
}

}  // namespace

PyObject* compare_slot(PyObject* a, PyObject* b, int op) {
  switch (op) {
    case Py_EQ:
      if (!is_tensor(b) && is_numpy_array(b)) return compute_with_array(a, b, "__eq__", eq);
      return binary(
          a, b, "__eq__", "__eq__", [](auto& x, auto& y) { return eq(x, y); },
          [](auto& x, const Scalar& y) { return eq(x, y); }, [](const Scalar& x, auto& y) { return eq(y, x); });
    case Py_NE:
      if (!is_tensor(b) && is_numpy_array(b)) return compute_with_array(a, b, "__ne__", ne);
      return binary(
          a, b, "__ne__", "__ne__", [](auto& x, auto& y) { return ne(x, y); },
          [](auto& x, const Scalar& y) { return ne(x, y); }, [](const Scalar& x, auto& y) { return ne(y, x); });
    case Py_LT:
      return binary(
          a, b, "__lt__", "__gt__", [](auto& x, auto& y) { return lt(x, y); },
          [](auto& x, const Scalar& y) { return lt(x, y); }, [](const Scalar& x, auto& y) { return gt(y, x); });
    case Py_LE:
      return binary(
          a, b, "__le__", "__ge__", [](auto& x, auto& y) { return le(x, y); },
          [](auto& x, const Scalar& y) { return le(x, y); }, [](const Scalar& x, auto& y) { return ge(y, x); });
    case Py_GT:
      return binary(
          a, b, "__gt__", "__lt__", [](auto& x, auto& y) { return gt(x, y); },
          [](auto& x, const Scalar& y) { return gt(x, y); }, [](const Scalar& x, auto& y) { return lt(y, x); });
    default:
      return binary(
          a, b, "__ge__", "__le__", [](auto& x, auto& y) { return ge(x, y); },
          [](auto& x, const Scalar& y) { return ge(x, y); }, [](const Scalar& x, auto& y) { return le(y, x); });
  }
}

void fill_number_slots(PyNumberMethods& slots) {
  slots.nb_add = add_slot;
  slots.nb_subtract = sub_slot;
  slots.nb_multiply = mul_slot;
  slots.nb_true_divide = div_slot;
  slots.nb_floor_divide = floor_divide_slot;
  slots.nb_remainder = remainder_slot;
  slots.nb_power = power_slot;
  slots.nb_matrix_multiply = matmul_slot;
  slots.nb_and = and_slot;
  slots.nb_or = or_slot;
  slots.nb_xor = xor_slot;
  slots.nb_lshift = left_shift_slot;
  slots.nb_rshift = right_shift_slot;
  slots.nb_inplace_add = add_in_place;
  slots.nb_inplace_subtract = sub_in_place;
  slots.nb_inplace_multiply = mul_in_place;
  slots.nb_inplace_true_divide = div_in_place;
  slots.nb_inplace_floor_divide = floor_divide_in_place;
  slots.nb_inplace_remainder = remainder_in_place;
  slots.nb_inplace_power = power_in_place;
  slots.nb_inplace_and = and_in_place;
  slots.nb_inplace_or = or_in_place;
  slots.nb_inplace_xor = xor_in_place;
  slots.nb_inplace_lshift = left_shift_in_place;
  slots.nb_inplace_rshift = right_shift_in_place;
  slots.nb_negative = negative_slot;
  slots.nb_positive = positive_slot;
  slots.nb_absolute = absolute_slot;
  slots.nb_invert = invert_slot;
}

}  // namespace rushlight::python
