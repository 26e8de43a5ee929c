// `_C._io`: checkpoints between files and Python objects. Only plain data and tensors are made or written.
#include "checkpoint_file.h"

#include <string>

#include "file_arguments.h"
#include "io/tensor_document.h"
#include "io/zip.h"
#include "type_objects.h"

namespace rushlight::python {
namespace {

using io::Document;
using io::DocumentWriter;
using io::Id;
using io::Kind;
using io::Value;

PyObject* attribute_of(const char* module, const char* name) {
  const Owned imported = own(PyImport_ImportModule(module));
  return need(PyObject_GetAttrString(imported.get(), name));
}

// --- reading ------------------------------------------------------------------------------------------

// Turns a finished document, which has no cycles and limited depth, into objects. Values shared in the file are
// shared objects.
class ObjectReader {
 public:
  explicit ObjectReader(const Document& document)
      : document_(document), tensors_(document), made_(document.nodes.size()) {}

  PyObject* object(Id id) {
    if (made_[id]) return Py_NewRef(made_[id].get());
    Owned result = own(make(document_.nodes[id]));
    made_[id] = Owned(Py_NewRef(result.get()));
    return result.release();
  }

 private:
  PyObject* make(const Value& value) {
    switch (value.kind) {
      case Kind::None:
        Py_RETURN_NONE;
      case Kind::Bool:
        return PyBool_FromLong(value.flag);
      case Kind::Int:
        return PyLong_FromLongLong(value.i);
      case Kind::BigInt:
        return _PyLong_FromByteArray(reinterpret_cast<const unsigned char*>(value.s.data()), value.s.size(), 1, 1);
      case Kind::Float:
        return PyFloat_FromDouble(value.d);
      case Kind::Complex:
        return PyComplex_FromDoubles(value.d, value.im);
      case Kind::Str:
        return PyUnicode_DecodeUTF8(value.s.data(), size(value.s), "surrogatepass");
      case Kind::ByteString:
        return PyBytes_FromStringAndSize(value.s.data(), size(value.s));
      case Kind::ByteArray:
        return PyByteArray_FromStringAndSize(value.s.data(), size(value.s));
      case Kind::List:
        return list(value);
      case Kind::Tuple:
        return PyList_AsTuple(own(list(value)).get());
      case Kind::Size: {
        const Owned items = own(list(value));
        return PyObject_CallOneArg(reinterpret_cast<PyObject*>(&SizeType), items.get());
      }
      case Kind::Set:
        return PySet_New(own(list(value)).get());
      case Kind::Dict:
        return dict(value, PyDict_New());
      case Kind::OrderedDict:
        return dict(value, PyObject_CallNoArgs(own(attribute_of("collections", "OrderedDict")).get()));
      case Kind::Counter:
        return dict(value, PyObject_CallNoArgs(own(attribute_of("collections", "Counter")).get()));
      case Kind::Dtype:
        return wrap(io::dtype_of(static_cast<io::FileDtype>(value.ref)));
      case Kind::Device:
        return PyObject_CallFunction(reinterpret_cast<PyObject*>(&DeviceObjectType), "s", value.s.c_str());
      case Kind::Layout:
        return layout(value.s);
      case Kind::Storage:
        throw RuntimeError("load: a bare storage is not supported; save a tensor over it instead");
      case Kind::Tensor:
        return with_attributes(own(wrap(tensors_.tensor(value.ref))), value);
      case Kind::Parameter:
        return parameter(value);
      case Kind::Sparse:
        return wrap(tensors_.sparse(value));
      default:
        throw RuntimeError("load: the document holds a value that is no data");
    }
  }
  static Py_ssize_t size(const std::string& text) { return static_cast<Py_ssize_t>(text.size()); }

  PyObject* list(const Value& value) {
    Owned result = own(PyList_New(static_cast<Py_ssize_t>(value.items.size())));
    for (std::size_t i = 0; i < value.items.size(); ++i)
      PyList_SET_ITEM(result.get(), static_cast<Py_ssize_t>(i), object(value.items[i]));
    return result.release();
  }
  PyObject* dict(const Value& value, PyObject* fresh) {
    Owned result = own(fresh);
    for (std::size_t i = 0; i + 1 < value.items.size(); i += 2) {
      const Owned key(object(value.items[i])), item(object(value.items[i + 1]));
      need(PyObject_SetItem(result.get(), key.get(), item.get()));
    }
    return with_attributes(std::move(result), value);
  }
  // `_metadata` of a state dict, `__dict__` entries of a tensor.
  PyObject* with_attributes(Owned target, const Value& value) {
    if (value.attrs == io::kNone) return target.release();
    const Owned attributes(object(value.attrs));
    if (PyDict_Check(attributes.get())) {
      PyObject *key, *item;
      for (Py_ssize_t at = 0; PyDict_Next(attributes.get(), &at, &key, &item);)
        if (PyUnicode_Check(key)) need(PyObject_SetAttr(target.get(), key, item));
    }
    return target.release();
  }
  PyObject* parameter(const Value& value) {
    const Owned type = own(attribute_of("rushlight.nn.parameter", "Parameter"));
    const Owned data(object(value.items[0]));
    return PyObject_CallFunction(type.get(), "OO", data.get(), value.flag ? Py_True : Py_False);
  }
  static PyObject* layout(const std::string& name) {
    return attribute_of("rushlight", name.substr(name.find('.') + 1).c_str());
  }

  const Document& document_;
  io::TensorReader tensors_;
  std::vector<Owned> made_;
};

Document read_document(PyObject* source, bool map) {
  if (PyUnicode_Check(source))
    return io::load_pt_file(path_of(source), map ? io::File::Mode::Map : io::File::Mode::Read);
  const auto copy = copy_of_buffer(source);
  Document document = io::load_pt(io::Bytes(*copy));
  document.owner = copy;
  return document;
}

PyObject* read_checkpoint(PyObject*, PyObject* args, PyObject* keywords) {
  return with_files([&]() -> PyObject* {
    static const char* names[] = {"source", "mmap", nullptr};
    PyObject* source;
    int map = 0;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|p", const_cast<char**>(names), &source, &map)) return nullptr;
    const Document document = read_document(source, map);
    return ObjectReader(document).object(document.root);
  });
}

// --- writing ------------------------------------------------------------------------------------------

// Collects objects into a document; throws TypeError for what is no plain data.
class ObjectWriter {
 public:
  ObjectWriter()
      : ordered_dict_(own(attribute_of("collections", "OrderedDict"))),
        counter_(own(attribute_of("collections", "Counter"))) {}

  Id value(PyObject* object) {
    if (const auto found = known_.find(object); found != known_.end()) return found->second;
    check<ValueError>(++depth_ < 400,
                      "save: objects are nested too deeply (more than 400 levels, or a container that holds itself)");
    const Id id = make(object);
    --depth_;
    known_.emplace(object, id);
    return id;
  }
  const Document& finish(PyObject* root) { return writer_.finish(value(root)); }

 private:
  Id make(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (object == Py_None) return writer_.add(Kind::None);
    if (PyBool_Check(object)) return writer_.boolean(object == Py_True);
    if (type == &PyLong_Type) return integer(object);
    if (type == &PyFloat_Type) return writer_.number(PyFloat_AS_DOUBLE(object));
    if (type == &PyComplex_Type) return complex(object);
    if (type == &PyUnicode_Type) return text(object);
    if (type == &PyBytes_Type)
      return writer_.text(Kind::ByteString,
                          {PyBytes_AS_STRING(object), static_cast<std::size_t>(PyBytes_GET_SIZE(object))});
    if (type == &PyByteArray_Type)
      return writer_.text(Kind::ByteArray,
                          {PyByteArray_AS_STRING(object), static_cast<std::size_t>(PyByteArray_GET_SIZE(object))});
    if (type == &PyList_Type) return sequence(Kind::List, object);
    if (type == &PyTuple_Type) return sequence(Kind::Tuple, object);
    if (type == &SizeType) return sequence(Kind::Size, object);
    if (type == &PySet_Type) return sequence(Kind::Set, own(PySequence_List(object)).get());
    if (type == &PyDict_Type) return mapping(Kind::Dict, object);
    if (reinterpret_cast<PyObject*>(type) == ordered_dict_.get()) return mapping(Kind::OrderedDict, object);
    if (reinterpret_cast<PyObject*>(type) == counter_.get()) return mapping(Kind::Counter, object);
    if (is_dtype(object)) {
      const Id id = writer_.add(Kind::Dtype);
      writer_[id].ref = static_cast<std::uint32_t>(io::file_dtype_of(dtype_of(object)));
      return id;
    }
    if (is_device(object)) return writer_.text(Kind::Device, printed(object));
    if (is_layout(object)) return writer_.text(Kind::Layout, printed(object));
    if (is_tensor(object)) return tensor(object);
    throw TypeError(str("save: objects of type ", type->tp_name, " are no plain data"));
  }

  static std::string printed(PyObject* object) {
    const Owned shown = own(PyObject_Str(object));
    const char* chars = PyUnicode_AsUTF8(shown.get());
    return chars ? chars : throw PythonError{};
  }
  Id integer(PyObject* object) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (!overflow) return writer_.integer(number);
    const Owned bits = own(PyObject_CallMethod(object, "bit_length", nullptr));
    const std::size_t bytes = PyLong_AsSize_t(bits.get()) / 8 + 1;
    check<TypeError>(bytes < 256, "save: integers of more than 2,000 bits are no plain data");
    std::string digits(bytes, '\0');
    need(_PyLong_AsByteArray(reinterpret_cast<PyLongObject*>(object), reinterpret_cast<unsigned char*>(digits.data()),
                             bytes, 1, 1));
    return writer_.text(Kind::BigInt, std::move(digits));
  }
  Id complex(PyObject* object) {
    const Id id = writer_.add(Kind::Complex);
    writer_[id].d = PyComplex_RealAsDouble(object);
    writer_[id].im = PyComplex_ImagAsDouble(object);
    return id;
  }
  Id text(PyObject* object) {
    const Owned encoded = own(PyUnicode_AsEncodedString(object, "utf-8", "surrogatepass"));
    return writer_.text(Kind::Str,
                        {PyBytes_AS_STRING(encoded.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(encoded.get()))});
  }
  Id sequence(Kind kind, PyObject* object) {
    const Owned items = own(PySequence_Fast(object, "save: expected a sequence"));
    std::vector<Id> ids;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
      ids.push_back(value(PySequence_Fast_GET_ITEM(items.get(), i)));
    const Id id = writer_.add(kind);
    writer_[id].items = std::move(ids);
    return id;
  }
  Id mapping(Kind kind, PyObject* object) {
    const Owned pairs = own(PyMapping_Items(object));
    std::vector<Id> ids;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(pairs.get()); ++i) {
      PyObject* pair = PyList_GET_ITEM(pairs.get(), i);
      ids.push_back(value(PyTuple_GET_ITEM(pair, 0)));
      ids.push_back(value(PyTuple_GET_ITEM(pair, 1)));
    }
    Id attributes = io::kNone;
    if (kind == Kind::OrderedDict && PyObject_HasAttrString(object, "__dict__")) {
      const Owned dict = own(PyObject_GetAttrString(object, "__dict__"));
      if (PyDict_Size(dict.get()) > 0) {
        kept_.push_back(Owned(Py_NewRef(dict.get())));
        attributes = value(dict.get());
      }
    }
    const Id id = writer_.add(kind);
    writer_[id].items = std::move(ids);
    writer_[id].attrs = attributes;
    return id;
  }
  Id tensor(PyObject* object) {
    const Tensor& tensor = unwrap(object);
    if (is_exact(object)) {
      check<TypeError>(!reinterpret_cast<TensorObject*>(object)->dict,
                       "save: tensors with attributes are no plain data");
      return writer_.tensor(tensor);
    }
    const Owned parameter = own(attribute_of("rushlight.nn.parameter", "Parameter"));
    check<TypeError>(reinterpret_cast<PyObject*>(Py_TYPE(object)) == parameter.get(), "save: tensors of class ",
                     Py_TYPE(object)->tp_name, " are no plain data");
    const Id data = writer_.tensor(tensor.detach());
    const Id id = writer_.add(Kind::Parameter);
    writer_[id].items = {data};
    writer_[id].flag = tensor.requires_grad();
    return id;
  }

  DocumentWriter writer_;
  Owned ordered_dict_, counter_;
  std::unordered_map<PyObject*, Id> known_;
  std::vector<Owned> kept_;  // objects made on the way, whose addresses must stay theirs
  int depth_ = 0;
};

PyObject* write_checkpoint(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *object, *target;
    if (!PyArg_ParseTuple(args, "OO", &object, &target)) return nullptr;
    ObjectWriter writer;
    const Document& document = writer.finish(object);
    return write_to(target, [&](io::Sink& sink, const std::string& name) { io::save_pt(document, sink, name); });
  });
}

// The parts of a checkpoint whose pickle Python wrote: pairs of name and bytes, put into one folder.
PyObject* write_archive(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *parts, *target;
    if (!PyArg_ParseTuple(args, "OO", &parts, &target)) return nullptr;
    const Owned iterator = own(PyObject_GetIter(parts));
    return write_to(target, [&](io::Sink& sink, const std::string& folder) {
      io::ZipWriter zip(sink);
      while (const Owned pair{PyIter_Next(iterator.get())}) {
        const char* name;
        Py_buffer view;
        need(PyArg_ParseTuple(pair.get(), "sy*", &name, &view) ? 0 : -1);
        const std::unique_ptr<Py_buffer, decltype(&PyBuffer_Release)> release(&view, PyBuffer_Release);
        zip.add(folder + "/" + name,
                io::Bytes(static_cast<std::uint8_t*>(view.buf), static_cast<std::size_t>(view.len)));
      }
      if (PyErr_Occurred()) throw PythonError{};
      zip.finish();
      sink.commit();
    });
  });
}

PyObject* write_bytes(PyObject*, PyObject* args) {
  return with_files([&]() -> PyObject* {
    PyObject *buffer, *target;
    if (!PyArg_ParseTuple(args, "OO", &buffer, &target)) return nullptr;
    const auto bytes = copy_of_buffer(buffer);
    return write_to(target, [&](io::Sink& sink, const std::string&) {
      sink.put(bytes->data(), bytes->size());
      sink.commit();
    });
  });
}

PyMethodDef kFunctions[] = {
    {"read_checkpoint", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(read_checkpoint)),
     METH_VARARGS | METH_KEYWORDS,
     "The object in a checkpoint: a path or bytes; mmap=True leaves tensor data in the file."},
    {"write_checkpoint", write_checkpoint, METH_VARARGS,
     "Writes an object to a path or an object with write(); TypeError for what is no plain data."},
    {"write_archive", write_archive, METH_VARARGS,
     "Writes pairs of name and bytes as the members of a checkpoint to a path or an object with write()."},
    {"write_bytes", write_bytes, METH_VARARGS,
     "Writes a buffer to a path, where it replaces a file only when it is complete, or to an object with write()."},
    {nullptr, nullptr, 0, nullptr},
};
PyModuleDef kModule = {PyModuleDef_HEAD_INIT,
                       "rushlight._C._io",
                       "Reading and writing files.",
                       -1,
                       kFunctions,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr};

}  // namespace

bool setup_files(PyObject* module) {
  PyObject* files = PyModule_Create(&kModule);
  return files && PyModule_AddFunctions(files, array_file_functions()) == 0 &&
         PyModule_AddObject(module, "_io", files) == 0;
}

}  // namespace rushlight::python
