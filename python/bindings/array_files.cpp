// Files that hold nothing but arrays: safetensors, npy and npz, as dicts of tensors by name.
#include <map>

#include "checkpoint_file.h"
#include "file_arguments.h"
#include "io/tensor_document.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

Owned text(const std::string& utf8) {
  return own(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogateescape"));
}
std::string text_of(PyObject* object, const char* what) {
  check<TypeError>(PyUnicode_Check(object), what, " must be text, not ", Py_TYPE(object)->tp_name);
  Py_ssize_t size;
  const char* chars = PyUnicode_AsUTF8AndSize(object, &size);
  return chars ? std::string(chars, static_cast<std::size_t>(size)) : throw PythonError{};
}

std::vector<std::pair<std::string, Tensor>> named_tensors(PyObject* dict, const char* format) {
  std::vector<std::pair<std::string, Tensor>> named;
  PyObject *key, *value;
  for (Py_ssize_t at = 0; PyDict_Next(dict, &at, &key, &value);) {
    check<TypeError>(is_tensor(value), format, ": values must be tensors, not ", Py_TYPE(value)->tp_name);
    named.emplace_back(text_of(key, str(format, ": a name").c_str()), unwrap(value));
  }
  return named;
}

// --- safetensors ---------------------------------------------------------------------------------------

io::StFile read_safetensors_file(PyObject* source) {
  if (PyUnicode_Check(source)) return io::load_safetensors_file(path_of(source), io::File::Mode::Read);
  const auto copy = copy_of_buffer(source);
  io::StFile file = io::load_safetensors(io::Bytes(*copy));
  file.owner = copy;
  return file;
}

PyObject* read_safetensors(PyObject*, PyObject* source) {
  return with_files([&]() -> PyObject* {
    const io::StFile file = read_safetensors_file(source);
    Owned result = own(PyDict_New());
    for (auto& [name, tensor] : io::tensors_of(file))
      need(PyDict_SetItem(result.get(), text(name).get(), own(wrap(tensor)).get()));
    return result.release();
  });
}

PyObject* safetensors_metadata(PyObject*, PyObject* source) {
  return with_files([&]() -> PyObject* {
    const io::StFile file = read_safetensors_file(source);
    Owned result = own(PyDict_New());
    for (const auto& [key, value] : file.metadata)
      need(PyDict_SetItem(result.get(), text(key).get(), text(value).get()));
    return result.release();
  });
}

PyObject* write_safetensors(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *tensors, *target, *metadata;
    if (!PyArg_ParseTuple(args, "O!OO!", &PyDict_Type, &tensors, &target, &PyDict_Type, &metadata)) return nullptr;
    std::map<std::string, std::string> texts;
    PyObject *key, *value;
    for (Py_ssize_t at = 0; PyDict_Next(metadata, &at, &key, &value);)
      texts.emplace(text_of(key, "safetensors: a metadata key"), text_of(value, "safetensors: metadata"));
    const io::StFile file = io::to_safetensors(named_tensors(tensors, "safetensors"), std::move(texts));
    return write_to(target, [&](io::Sink& sink, const std::string&) { io::save_safetensors(file, sink); });
  });
}

// --- npy and npz ---------------------------------------------------------------------------------------

PyObject* read_npy(PyObject*, PyObject* source) {
  return with_files([&]() -> PyObject* {
    if (PyUnicode_Check(source)) return wrap(io::tensor_of(io::load_npy_file(path_of(source))));
    const auto copy = copy_of_buffer(source);
    io::NpyArray array = io::load_npy(io::Bytes(*copy));
    if (!array.owner) array.owner = copy;
    return wrap(io::tensor_of(array));
  });
}

PyObject* write_npy(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *tensor, *target;
    if (!PyArg_ParseTuple(args, "OO", &tensor, &target)) return nullptr;
    check<TypeError>(is_tensor(tensor), "npy: expected a tensor, not ", Py_TYPE(tensor)->tp_name);
    const io::NpyArray array = io::to_npy(unwrap(tensor));
    return write_to(target, [&](io::Sink& sink, const std::string&) { io::save_npy(array, sink); });
  });
}

PyObject* read_npz(PyObject*, PyObject* source) {
  return with_files([&]() -> PyObject* {
    io::NpzArrays arrays;
    if (PyUnicode_Check(source)) {
      arrays = io::load_npz_file(path_of(source));
    } else {
      const auto copy = copy_of_buffer(source);
      arrays = io::load_npz(io::Bytes(*copy));
      for (auto& [name, array] : arrays)
        if (!array.owner) array.owner = copy;
    }
    Owned result = own(PyDict_New());
    for (const auto& [name, array] : arrays)
      need(PyDict_SetItem(result.get(), text(name).get(), own(wrap(io::tensor_of(array))).get()));
    return result.release();
  });
}

PyObject* write_npz(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *tensors, *target;
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &tensors, &target)) return nullptr;
    io::NpzArrays arrays;
    for (const auto& [name, tensor] : named_tensors(tensors, "npz"))
      arrays.emplace_back(name, io::to_npy(tensor));
    return write_to(target, [&](io::Sink& sink, const std::string&) { io::save_npz(arrays, sink); });
  });
}

PyMethodDef kFunctions[] = {
    {"read_safetensors", read_safetensors, METH_O, "A dict of the tensors in a safetensors file: a path or bytes."},
    {"safetensors_metadata", safetensors_metadata, METH_O, "The text entries of a safetensors file."},
    {"write_safetensors", write_safetensors, METH_VARARGS,
     "Writes a dict of tensors and a dict of texts to a path, or returns bytes for None."},
    {"read_npy", read_npy, METH_O, "The tensor in a file of numpy.save: a path or bytes."},
    {"write_npy", write_npy, METH_VARARGS, "Writes a tensor as numpy.save does to a path, or returns bytes for None."},
    {"read_npz", read_npz, METH_O, "A dict of the tensors in a file of numpy.savez: a path or bytes."},
    {"write_npz", write_npz, METH_VARARGS,
     "Writes a dict of tensors as numpy.savez does to a path, or returns bytes for None."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

PyMethodDef* array_file_functions() { return kFunctions; }

}  // namespace rushlight::python
