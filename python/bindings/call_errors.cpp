// What happens when no signature fits a call: other ways to read it, then an error that explains
// it.
#include <cstring>
#include <string>

#include "arguments.h"
#include "keyword_text.h"
#include "rushlight/ops.h"

namespace rushlight::python {
namespace {

const char* const kKindNames[] = {"Tensor",           "tuple of Tensors",
                                  "tuple of Tensors", "Number",
                                  "tuple of Scalars", "int",
                                  "tuple of ints",    "float",
                                  "tuple of floats",  "bool",
                                  "tuple of bools",   "str",
                                  "torch.dtype",      "torch.layout",
                                  "torch.device",     "torch.memory_format",
                                  "torch.Generator"};

bool is_any_of(const char* name, std::initializer_list<const char*> names) {
  for (const char* each : names)
    if (!std::strcmp(each, name)) return true;
  return false;
}

// torch.mul(2, x): arithmetic takes a number where it says Tensor. As a 0-dim tensor of the dtype
// that it has together with the other operand it gives the same result as a number would.
PyObject* as_operand(PyObject* number, const Tensor* other) {
  const Scalar value = number_of(number);
  Dtype type = value.is_floating() ? default_dtype() : value.is_complex() ? default_complex_dtype() : value.type();
  if (other) {
    const Dtype theirs = other->dtype();
    const auto category = [](Dtype t) {
      return is_complex(t) ? 3 : is_floating(t) ? 2 : is_integral(t, false) ? 1 : 0;
    };
    if (category(type) <= category(theirs))
      type = theirs;
    else if (value.is_complex() && is_floating(theirs))
      type = to_complex(theirs);
  }
  return wrap(full({}, value, TensorOptions(type)));
}

// torch.add(x, 2, y) and addcmul(x, 0.5, a, b): the number comes before the tensors in older
// programs. Returns how many tensors precede it, or 0 when the call is not of that kind.
int tensors_before_number(const char* name, PyObject* self, PyObject* const* args, Py_ssize_t count,
                          const char** keyword) {
  const bool scaled = is_any_of(name, {"add", "add_", "sub", "sub_"});
  if (!scaled && !is_any_of(name, {"addcmul", "addcmul_", "addcdiv", "addcdiv_"})) return 0;
  const Py_ssize_t at = self ? 0 : 1, after = scaled ? 1 : 2;
  if (count != at + 1 + after || !is_scalar_argument(args[at]) || is_tensor(args[at])) return 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (i != at && !is_tensor(args[i])) return 0;
  *keyword = scaled ? "alpha" : "value";
  return static_cast<int>(at) + 1;
}

// The words of one signature's refusal. `position` counts from one, without self.
std::string mismatch(const Parameter& parameter, PyObject* value, int position) {
  std::string text = std::string("argument '") + kNames[parameter.name] + "'";
  if (position > 0) text += " (position " + std::to_string(position) + ")";
  const bool list = PyTuple_Check(value) || PyList_Check(value);
  if (list && (parameter.kind == Kind::kTensorList || parameter.kind == Kind::kIntList)) {
    Parameter one = parameter;
    one.kind = parameter.kind == Kind::kTensorList ? Kind::kTensor : Kind::kInt;
    one.flags = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(value); ++i) {
      PyObject* item = PySequence_Fast_GET_ITEM(value, i);
      if (!fits(one, item))
        return text + " must be " + kKindNames[static_cast<int>(parameter.kind)] + ", but found element of type " +
               type_name(item) + " at pos " + std::to_string(i);
    }
  }
  return text + " must be " + kKindNames[static_cast<int>(parameter.kind)] + ", not " + type_name(value);
}

struct Refusal {
  std::string text;
  bool joined;  // reads on from `name()` without a colon
};

Refusal refusal(const Signature& signature, PyObject* self, PyObject* const* args, Py_ssize_t count,
                PyObject* keywords) {
  const int skip = self ? 1 : 0;
  const int given = skip + static_cast<int>(count);
  const bool list = signature.positional && signature.parameters[signature.positional - 1].flags & kVarargs;
  if (given > signature.positional && !list) {
    const int takes = signature.positional - skip;
    return {" takes " + std::to_string(takes) + " positional argument" + (takes == 1 ? "" : "s") + " but " +
                std::to_string(count) + (count == 1 ? " was given" : " were given"),
            true};
  }
  bool seen[kMaxParameters] = {};
  for (int i = 0; i < given && i < signature.positional; ++i) {
    PyObject* value = i < skip ? self : args[i - skip];
    seen[i] = true;
    if (!fits(signature.parameters[i], value)) return {mismatch(signature.parameters[i], value, i + 1 - skip), false};
  }
  for (int i = signature.positional; i < given; ++i)
    if (!is_int_argument(args[i - skip]))
      return {mismatch(signature.parameters[signature.positional - 1], args[i - skip], i + 1 - skip), false};
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i) {
    PyObject* keyword = PyTuple_GET_ITEM(keywords, i);
    const int slot = find_parameter(signature, keyword);
    if (slot < 0) return {" got an unexpected keyword argument '" + keyword_text(keyword) + "'", true};
    if (seen[slot])
      return {std::string(" got multiple values for argument '") + kNames[signature.parameters[slot].name] + "'", true};
    seen[slot] = true;
    if (!fits(signature.parameters[slot], args[count + i]))
      return {mismatch(signature.parameters[slot], args[count + i], 0), false};
  }
  std::string missing;
  int absent = 0;
  for (int i = 0; i < signature.count; ++i)
    if (!seen[i] && !(signature.parameters[i].flags & kOptional)) {
      missing += std::string(absent++ ? ", " : "") + "\"" + kNames[signature.parameters[i].name] + "\"";
    }
  return {" missing " + std::to_string(absent) + " required positional arguments: " + missing, true};
}

// Values are shown by their types: (Tensor, dim=str).
std::string call_text(PyObject* const* args, Py_ssize_t count, PyObject* keywords) {
  std::string text;
  for (Py_ssize_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(type_name(args[i]));
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i) {
    const std::string keyword = keyword_text(PyTuple_GET_ITEM(keywords, i));
    text += (text.empty() ? "" : ", ") + keyword + "=" + type_name(args[count + i]);
  }
  return text;
}

}  // namespace

int Arguments::parse_otherwise(const Function& function, PyObject* self, PyObject* const* args, Py_ssize_t count,
                               PyObject* keywords) {
  const char* number_keyword = nullptr;
  if (const int place = keywords ? 0 : tensors_before_number(function.name, self, args, count, &number_keyword)) {
    std::vector<PyObject*> moved;
    for (Py_ssize_t i = 0; i < count; ++i)
      if (i != place - 1) moved.push_back(args[i]);
    moved.push_back(args[place - 1]);
    const Owned keyword = own(PyUnicode_InternFromString(number_keyword));
    const Owned named = own(PyTuple_Pack(1, keyword.get()));
    need(PyErr_WarnFormat(PyExc_UserWarning, 1,
                          "This overload of %s is deprecated: pass the number as %s=", function.name, number_keyword));
    for (int i = 0; i < function.count; ++i)
      if (bind(function.signatures[i], self, moved.data(), count - 1, named.get())) return i;
  }
  const int operands = self ? 1 : 2;
  const bool of_tensor = self || (count > 1 && (is_tensor(args[0]) || is_tensor(args[1])));
  const bool arithmetic =  // functions that take a number first; of two numbers all but remainder
      is_any_of(function.name,
                {"add", "sub", "mul", "div", "multiply", "subtract", "divide", "true_divide", "floor_divide"}) ||
      (of_tensor && is_any_of(function.name, {"remainder"})) ||
      (self && is_any_of(function.name, {"fmod", "eq", "ne"}));
  if (arithmetic && count >= operands) {
    PyObject* const other = self ? self : args[is_tensor(args[0]) ? 0 : 1];
    std::vector<PyObject*> changed(args, args + count + (keywords ? PyTuple_GET_SIZE(keywords) : 0));
    bool any = false;
    for (int i = 0; i < operands; ++i)
      if (is_number(args[i])) {
        changed[static_cast<std::size_t>(i)] = need(as_operand(args[i], is_tensor(other) ? &unwrap(other) : nullptr));
        keep_alive(changed[static_cast<std::size_t>(i)]);
        any = true;
      }
    for (int i = 0; any && i < function.count; ++i)
      if (bind(function.signatures[i], self, changed.data(), count, keywords)) {
        varargs_ = nullptr;
        return i;
      }
  }
  explain_mismatch(function, self, args, count, keywords);
  return -1;
}

void explain_mismatch(const Function& function, PyObject* self, PyObject* const* args, Py_ssize_t count,
                      PyObject* keywords) {
  if (PyErr_Occurred()) return;
  std::string text = std::string(function.name) + "()";
  if (function.count == 1) {
    const Refusal why = refusal(function.signatures[0], self, args, count, keywords);
    text += (why.joined ? "" : ": ") + why.text + "\n  expected: " + function.name + function.signatures[0].text;
  } else {
    text += " received an invalid combination of arguments - got (" + call_text(args, count, keywords) +
            "), but expected one of:";
    for (int i = 0; i < function.count; ++i) {
      const Refusal why = refusal(function.signatures[i], self, args, count, keywords);
      text += std::string("\n * ") + function.signatures[i].text + "\n      didn't match because " +
              (why.joined ? "it" : "") + why.text;
    }
    text += "\n";
  }
  PyErr_SetString(PyExc_TypeError, text.c_str());
}

}  // namespace rushlight::python
