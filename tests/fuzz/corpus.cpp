// Valid files of each format: from the library's own writers, and by hand what those do not write.
#include "build.h"
#include "formats.h"
#include "io/checkpoint.h"
#include "io/npy.h"
#include "io/pickle.h"
#include "io/safetensors.h"

namespace rushlight::fuzz {
namespace {

using io::Document;
using io::FileDtype;
using io::Id;
using io::Kind;

const std::string kBytes(256, '\1');
io::Bytes some_bytes(std::size_t count) { return {reinterpret_cast<const std::uint8_t*>(kBytes.data()), count}; }

// Makes documents value by value.
struct Maker {
  Document document;
  Id add(Kind kind, std::vector<Id> items = {}) {
    io::Value value;
    value.kind = kind;
    value.items = std::move(items);
    return document.add(std::move(value));
  }
  Id text(const std::string& text, Kind kind = Kind::Str) {
    const Id id = add(kind);
    document.nodes[id].s = text;
    return id;
  }
  Id number(std::int64_t value) {
    const Id id = add(Kind::Int);
    document.nodes[id].i = value;
    return id;
  }
  Id real(double re, double im = 0, Kind kind = Kind::Float) {
    const Id id = add(kind);
    document.nodes[id].d = re;
    document.nodes[id].im = im;
    return id;
  }
  std::uint32_t storage(FileDtype dtype, std::uint64_t numel) {
    io::StorageInfo info;
    info.key = std::to_string(document.storages.size());
    info.location = "cpu";
    info.dtype = dtype;
    info.numel = numel;
    info.bytes = some_bytes(numel * (dtype == FileDtype::None ? 1 : io::info(dtype).size));
    document.storages.push_back(std::move(info));
    return static_cast<std::uint32_t>(document.storages.size() - 1);
  }
  Id tensor(std::uint32_t storage, FileDtype dtype, std::uint64_t offset, std::vector<std::int64_t> sizes,
            std::vector<std::int64_t> strides, bool conj = false) {
    io::TensorInfo info;
    info.storage = storage;
    info.dtype = dtype;
    info.offset = offset;
    info.sizes = std::move(sizes);
    info.strides = std::move(strides);
    info.conj = conj;
    document.tensors.push_back(std::move(info));
    const Id id = add(Kind::Tensor);
    document.nodes[id].ref = static_cast<std::uint32_t>(document.tensors.size() - 1);
    return id;
  }
  Document finish(Id root) {
    document.root = root;
    return std::move(document);
  }
};

Document state_dict() {
  Maker m;
  const std::uint32_t weights = m.storage(FileDtype::F32, 12);
  const Id w = m.tensor(weights, FileDtype::F32, 0, {3, 4}, {4, 1}),
           view = m.tensor(weights, FileDtype::F32, 1, {2, 3}, {4, 1});
  const Id bias = m.add(Kind::Parameter, {m.tensor(m.storage(FileDtype::F64, 3), FileDtype::F64, 0, {3}, {1})});
  m.document.nodes[bias].flag = true;
  const Id dict = m.add(Kind::OrderedDict, {m.text("weight"), w, m.text("view"), view, m.text("bias"), bias});
  m.document.nodes[dict].attrs = m.add(Kind::Dict, {m.text("_metadata"), m.add(Kind::Dict, {m.text(""), m.number(1)})});
  return m.finish(dict);
}

Document every_dtype() {
  Maker m;
  std::vector<Id> items;
  for (const io::FileDtypeInfo& known : io::kFileDtypes) {
    const bool typed = known.storage != nullptr;
    const std::uint32_t storage = m.storage(typed ? known.t : FileDtype::None, typed ? 4 : 4 * known.size);
    items.push_back(m.tensor(storage, known.t, 0, {2, 2}, {1, 2}, known.t == FileDtype::C64));
    const Id dtype = m.add(Kind::Dtype);
    m.document.nodes[dtype].ref = static_cast<std::uint32_t>(known.t);
    items.push_back(dtype);
  }
  items.push_back(m.tensor(io::kNone, FileDtype::F32, 0, {2, 3}, {3, 1}));             // meta
  items.push_back(m.tensor(m.storage(FileDtype::I64, 1), FileDtype::I64, 0, {}, {}));  // one number
  items.push_back(m.tensor(m.storage(FileDtype::F32, 0), FileDtype::F32, 0, {0, 3}, {3, 1}));
  items.push_back(m.tensor(m.storage(FileDtype::F32, 1), FileDtype::F32, 0, {5, 5}, {0, 0}));
  return m.finish(m.add(Kind::List, std::move(items)));
}

Document every_kind() {
  Maker m;
  const Id shared = m.add(Kind::List, {m.number(1), m.number(-1), m.number(70000), m.number(1LL << 40)});
  return m.finish(m.add(
      Kind::Tuple,
      {shared, shared, m.add(Kind::None), m.add(Kind::Bool),
       m.text("\x01\x02\x03\x04\x05\x06\x07\x08\x09", Kind::BigInt), m.real(1.5), m.real(1, -2, Kind::Complex),
       m.text("text \xc3\xbc"), m.text("bytes\xff", Kind::ByteString), m.text("array", Kind::ByteArray),
       m.add(Kind::Set, {m.number(1), m.number(2)}), m.add(Kind::Counter, {m.text("a"), m.number(3)}),
       m.add(Kind::Size, {m.number(2), m.number(3)}), m.text("cuda:1", Kind::Device),
       m.text("torch.strided", Kind::Layout),
       m.add(Kind::Dict, {m.add(Kind::Tuple, {m.number(1), m.text("k")}), m.add(Kind::Tuple), m.number(2), shared})}));
}

Document sparse_tensors() {
  Maker m;
  const std::uint32_t indices = m.storage(FileDtype::I64, 6);
  m.document.storages[indices].bytes = {reinterpret_cast<const std::uint8_t*>("\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"
                                                                              "\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
                                                                              "\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"),
                                        48};
  const Id values = m.tensor(m.storage(FileDtype::F32, 2), FileDtype::F32, 0, {2}, {1});
  const Id coo = m.add(Kind::Sparse, {m.tensor(indices, FileDtype::I64, 0, {2, 2}, {2, 1}), values,
                                      m.add(Kind::Size, {m.number(2), m.number(3)}), m.add(Kind::Bool)});
  m.document.nodes[coo].s = "torch.sparse_coo";
  const Id csr = m.add(Kind::Sparse,
                       {m.tensor(indices, FileDtype::I64, 0, {2}, {1}), m.tensor(indices, FileDtype::I64, 0, {1}, {1}),
                        m.tensor(m.storage(FileDtype::F32, 1), FileDtype::F32, 0, {1}, {1}),
                        m.add(Kind::Size, {m.number(1), m.number(3)})});
  m.document.nodes[csr].s = "torch.sparse_csr";
  return m.finish(m.add(Kind::List, {coo, csr}));
}

std::vector<Document> documents() {
  std::vector<Document> all;
  all.push_back(state_dict());
  all.push_back(every_dtype());
  all.push_back(every_kind());
  all.push_back(sparse_tensors());
  return all;
}

std::string saved(const Document& document) {
  std::string file;
  io::Sink sink(&file);
  io::save_pt(document, sink);
  return file;
}
std::string saved_as_stream(const Document& document) {
  const io::Pickled pickled = io::pickle(document);
  std::vector<Member> storages;
  for (std::size_t i = 0; i < pickled.storages.size(); ++i) {
    const io::StorageInfo& info = document.storages[pickled.storages[i]];
    storages.push_back({std::to_string(i), le(info.numel, 8) + std::string(info.bytes.begin(), info.bytes.end())});
  }
  return legacy(pickled.bytes, storages);
}

// What later protocols write: frames, short texts, memoized values, names from the stack.
std::string protocol_4() {
  const std::string body =
      "}\x94(\x8c\x01"
      "a\x94]\x94(K\x01M\x10\x27G" +
      std::string("\x3f\xf8\0\0\0\0\0\0", 8) +
      "e\x8c\x01"
      "b\x94\x8c\x0b"
      "collections\x94\x8c\x0bOrderedDict\x94\x93\x94)R\x94\x8c\x01"
      "c\x8f\x94(K\x01K\x02\x90\x8c\x01"
      "d\x8e" +
      le(2, 8) + "xyu.";
  return std::string("\x80\x04\x95", 3) + le(body.size(), 8) + body;
}

std::string saved(const io::NpyArray& array) {
  std::string file;
  io::Sink sink(&file);
  io::save_npy(array, sink);
  return file;
}
std::vector<io::NpyArray> arrays() {
  std::vector<io::NpyArray> all;
  for (const FileDtype dtype : {FileDtype::F32, FileDtype::F64, FileDtype::F16, FileDtype::I8, FileDtype::Bool,
                                FileDtype::I64, FileDtype::C64, FileDtype::C128, FileDtype::U16})
    for (const std::vector<std::uint64_t>& shape : {std::vector<std::uint64_t>{}, {0, 3}, {4}, {2, 3}, {1, 2, 1, 3}}) {
      std::uint64_t count = 1;
      for (const std::uint64_t size : shape)
        count *= size;
      all.push_back({dtype, shape.size() == 2, shape, some_bytes(count * io::info(dtype).size), nullptr});
    }
  return all;
}

}  // namespace

std::vector<std::string> corpus(Format format) {
  std::vector<std::string> files;
  const auto add = [&](std::string file) { files.push_back(std::move(file)); };
  switch (format) {
    case Format::kCheckpoint:
      for (const Document& document : documents())
        add(saved(document));
      add(checkpoint(protocol_4()));
      break;
    case Format::kLegacy:
      for (const Document& document : documents())
        add(saved_as_stream(document));
      break;
    case Format::kPickle:
      for (const Document& document : {state_dict(), every_dtype(), every_kind()})  // the others need bytes
        add(io::pickle(document).bytes);
      add(protocol_4());
      break;
    case Format::kSafetensors: {
      io::StFile file;
      file.metadata = {{"format", "pt"}, {"\xc3\xbc", "\"\\"}};
      for (const io::FileDtypeInfo& known : io::kFileDtypes)
        if (known.st) file.tensors.push_back({known.torch, known.t, {2, 3}, some_bytes(6u * known.size)});
      file.tensors.push_back({"empty", FileDtype::F32, {0, 7}, {}});
      file.tensors.push_back({"one", FileDtype::F64, {}, some_bytes(8)});
      std::string out;
      io::Sink sink(&out);
      io::save_safetensors(file, sink);
      add(out);
      add(safetensors(R"({"a":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}})", kBytes.substr(0, 16)));
      add(safetensors("{}", ""));
      break;
    }
    case Format::kNpy:
      for (const io::NpyArray& array : arrays())
        add(saved(array));
      for (const int version : {2, 3})
        add(npy("{'shape': (3L,), 'fortran_order': True, 'descr': \">i4\"}  \n", kBytes.substr(0, 12), version));
      break;
    case Format::kNpz: {
      io::NpzArrays named;
      std::vector<Member> members;
      for (const io::NpyArray& array : arrays()) {
        named.emplace_back("array_" + std::to_string(named.size()), array);
        if (members.size() < 6) members.push_back({named.back().first + ".npy", saved(array), members.size() % 3 != 0});
      }
      named.resize(5);
      std::string out;
      io::Sink sink(&out);
      io::save_npz(named, sink);
      add(out);
      add(archive(members));
      members.assign(
          1, {"zeros.npy", npy("{'descr': '|u1', 'fortran_order': False, 'shape': (9000,), }", std::string(9000, '\0')),
              true});
      add(archive(members));
      break;
    }
  }
  return files;
}

}  // namespace rushlight::fuzz
