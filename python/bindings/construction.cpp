// Nested Python sequences, numbers, arrays and tensors into new tensors: shape, dtype, then one
// pass over the data.
#include "construction.h"

#include <cmath>
#include <limits>

#include "array_exchange.h"
#include "number_arguments.h"
#include "rushlight/ops.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

bool is_element(PyObject* object) { return is_number(object) || is_tensor(object); }  // a tensor must have one element

// Lists and tuples give borrowed items; other sequences are turned into one first.
Owned fast_sequence(PyObject* object) { return own(PySequence_Fast(object, "not a sequence")); }

// --- shape
// ------------------------------------------------------------------------------------------

std::vector<std::int64_t> shape_of_data(PyObject* data) {
  std::vector<std::int64_t> sizes;
  Owned current(Py_NewRef(data));
  while (!is_element(current.get()) && is_data_sequence(current.get())) {
    const Py_ssize_t length = PySequence_Size(current.get());
    if (length < 0) throw PythonError{};
    sizes.push_back(length);
    check<ValueError>(sizes.size() <= 128, "too many dimensions '", type_name(current.get()), "'");
    if (!length) break;
    Owned first = own(PySequence_GetItem(current.get(), 0));
    check<TypeError>(first.get() != current.get(), "new(): self-referential lists are incompatible");
    if (PyUnicode_Check(first.get()))
      throw ValueError(std::string("too many dimensions '") + type_name(first.get()) + "'");
    current = std::move(first);
  }
  check(sizes.size() <= kMaxDims, "tensor: more than ", kMaxDims, " dimensions are not supported");
  return sizes;
}

// --- dtype
// ------------------------------------------------------------------------------------------

Dtype dtype_of_number(PyObject* object) {
  if (PyFloat_CheckExact(object)) return default_dtype();
  if (PyBool_Check(object)) return Dtype::kBool;
  if (PyLong_CheckExact(object)) return Dtype::kInt64;
  if (is_tensor(object)) return unwrap(object).dtype();
  if (is_numpy(object)) {  // its own dtype counts
    const Owned array = own(PyObject_CallMethod(numpy_module(), "asarray", "O", object));
    return from_array(array.get(), false).dtype();
  }
  if (PyFloat_Check(object)) return default_dtype();
  if (PyLong_Check(object)) return Dtype::kInt64;
  if (PyComplex_Check(object)) return default_complex_dtype();
  throw RuntimeError(std::string("Could not infer dtype of ") + type_name(object));
}

Dtype infer_dtype(PyObject* data, int depth) {
  if (is_number(data) || is_tensor(data)) return dtype_of_number(data);
  if (is_numpy_array(data)) return from_array(data, false).dtype();
  if (PyUnicode_Check(data) || PyBytes_Check(data))
    throw TypeError(std::string("new(): invalid data type '") + type_name(data) + "'");
  if (!is_data_sequence(data)) throw RuntimeError(std::string("Could not infer dtype of ") + type_name(data));
  check<TypeError>(depth < 128, "new(): self-referential lists are incompatible");
  const Owned items = fast_sequence(data);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  if (!count) return default_dtype();
  bool any = false;
  Dtype result = Dtype::kBool;
  PyTypeObject* last = nullptr;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* item = PySequence_Fast_GET_ITEM(items.get(), i);
    if (Py_TYPE(item) == last) continue;  // a row of numbers of one type is looked at once
    check<TypeError>(item != data, "new(): self-referential lists are incompatible");
    const Dtype type = infer_dtype(item, depth + 1);
    if (PyFloat_CheckExact(item) || PyLong_CheckExact(item)) last = Py_TYPE(item);
    result = any ? promote(result, type) : type;
    any = true;
  }
  return result;
}

// --- elements
// ---------------------------------------------------------------------------------------

[[noreturn, gnu::cold]] void overflow(Dtype type) {
  throw RuntimeError(std::string("value cannot be converted to type ") + name(type) + " without overflow");
}

std::uint64_t unsigned_element(PyObject* item) {
  const Owned index = own(PyNumber_Index(item));
  const unsigned long long value = PyLong_AsUnsignedLongLong(index.get());  // OverflowError for a negative one
  if (value == ~0ull && PyErr_Occurred()) throw PythonError{};
  return value;
}

template <class T>
T integer_element(PyObject* item) {
  constexpr Dtype type = kDtypeOf<T>;
  if (PyFloat_Check(item)) {
    const double value = PyFloat_AS_DOUBLE(item);
    if (!(value > -9.3e18 && value < 1.9e19)) overflow(type);
    if (std::trunc(value) < static_cast<double>(std::numeric_limits<T>::lowest()) ||
        std::trunc(value) > static_cast<double>(std::numeric_limits<T>::max()))
      overflow(type);
    return static_cast<T>(value);
  }
  check<TypeError>(!PyComplex_Check(item), "must be real number, not complex");
  if constexpr (std::is_same_v<T, std::uint64_t>) return unsigned_element(item);
  const std::int64_t value = integer_of(item);
  // An unsigned dtype also takes the negative of each of its values: -1 is 255.
  const bool low = std::is_signed_v<T> ? value < static_cast<std::int64_t>(std::numeric_limits<T>::lowest())
                                       : value < -static_cast<std::int64_t>(std::numeric_limits<T>::max());
  if (low || value > static_cast<std::int64_t>(std::numeric_limits<T>::max())) overflow(type);
  return static_cast<T>(value);
}

double real_element(PyObject* item) {
  if (PyFloat_CheckExact(item)) return PyFloat_AS_DOUBLE(item);
  check<TypeError>(!PyComplex_Check(item), "must be real number, not complex");
  const double value = PyFloat_AsDouble(item);
  if (value == -1.0 && PyErr_Occurred()) throw PythonError{};
  return value;
}

template <class T>
T element(PyObject* item) {
  if (is_tensor(item)) {
    check<ValueError>(unwrap(item).numel() == 1, "only one element tensors can be converted to Python scalars");
    return unwrap(item).item().to<T>();
  }
  if (!is_number(item)) {
    if (PyUnicode_Check(item) || PyBytes_Check(item))
      throw TypeError(std::string("new(): invalid data type '") + type_name(item) + "'");
    if (is_numpy_array(item) && PySequence_Size(item) < 0)
      PyErr_Clear();  // 0-dim: a number
    else
      throw TypeError(std::string("'") + type_name(item) + "' object cannot be interpreted as " +
                      (is_integral(kDtypeOf<T>) ? "an integer" : "a number"));
  }
  if constexpr (std::is_same_v<T, bool>) {
    const int truth = PyObject_IsTrue(item);
    if (truth < 0) throw PythonError{};
    return truth == 1;
  } else if constexpr (std::is_integral_v<T>) {
    return integer_element<T>(item);
  } else if constexpr (is_complex(kDtypeOf<T>)) {
    const Py_complex value = PyComplex_AsCComplex(item);
    if (PyErr_Occurred()) throw PythonError{};
    return Scalar(std::complex<double>(value.real, value.imag)).to<T>();
  } else {
    return T(static_cast<std::conditional_t<std::is_same_v<T, double>, double, float>>(real_element(item)));
  }
}

// Writes `data` with the shape sizes[depth...] to `to`, which moves on.
template <class T>
void fill(PyObject* data, const std::vector<std::int64_t>& sizes, std::size_t depth, T*& to) {
  if (depth == sizes.size()) {
    *to++ = element<T>(data);
    return;
  }
  check<TypeError>(!is_element(data) && is_data_sequence(data), "not a sequence");
  const Owned items = fast_sequence(data);
  const Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  check<ValueError>(count == sizes[depth], "expected sequence of length ", sizes[depth], " at dim ", depth, " (got ",
                    count, ")");
  PyObject* const* each = PySequence_Fast_ITEMS(items.get());
  if (depth + 1 == sizes.size()) {
    for (Py_ssize_t i = 0; i < count; ++i)
      *to++ = element<T>(each[i]);
  } else {
    for (Py_ssize_t i = 0; i < count; ++i)
      fill(each[i], sizes, depth + 1, to);
  }
}

// A tensor or array as asked for: shared where nothing changes and `copy` is not set.
Tensor converted(const Tensor& source, std::optional<Dtype> dtype, std::optional<Device> device, bool copy) {
  const bool same = (!dtype || *dtype == source.dtype()) && (!device || device->type == source.device().type);
  if (same && !copy) return source;
  return _to_copy(source, TensorOptions(dtype ? dtype : std::optional(source.dtype()),
                                        device ? device : std::optional(source.device())));
}

}  // namespace

bool is_data_sequence(PyObject* object) {
  if (PyList_Check(object) || PyTuple_Check(object)) return true;
  if (PyUnicode_Check(object) || PyBytes_Check(object) || PyDict_Check(object) || PyAnySet_Check(object)) return false;
  if (is_tensor(object)) return unwrap(object).dim() > 0;
  if (!PySequence_Check(object)) return false;
  if (PySequence_Size(object) >= 0) return true;
  PyErr_Clear();  // a 0-dim array
  return false;
}

Tensor tensor_from(PyObject* data, std::optional<Dtype> dtype, std::optional<Device> device, bool copy) {
  if (PyUnicode_Check(data) || PyBytes_Check(data))
    throw TypeError(std::string("new(): invalid data type '") + type_name(data) + "'");
  if (is_tensor(data)) return converted(copy ? unwrap(data).detach() : unwrap(data), dtype, device, copy);
  if (is_numpy_array(data))
    return converted(from_array(data, !copy), dtype, device ? device : std::optional(default_device()), copy);
  std::vector<std::int64_t> sizes = shape_of_data(data);
  const Dtype type = dtype ? *dtype : infer_dtype(data, 0);
  Tensor result = empty_tensor(sizes, type);
  if (result.numel() > 0) {
    visit_numbers(type, [&](auto zero) {
      auto* to = result.mutable_data<decltype(zero)>();
      fill(data, sizes, 0, to);
    });
  } else if (sizes.size() > 1) {  // [[], [1]] is ragged all the same
    float nothing = 0, *to = &nothing;
    fill(data, sizes, 0, to);
  }
  const Device where = device ? *device : default_device();
  return where.is_meta() ? _to_copy(result, TensorOptions(where)) : result;
}

}  // namespace rushlight::python
