// save and load of the C++ face, on documents.
#include "rushlight/serialize.h"

#include "io/tensor_document.h"

namespace rushlight {
namespace {

void write(const io::Document& document, const std::string& path) {
  io::Sink sink(path);
  std::string name = path.substr(path.find_last_of('/') + 1);
  if (const auto dot = name.find_last_of('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  io::save_pt(document, sink, name.empty() ? "archive" : name);
}

bool is_dict(io::Kind kind) { return kind == io::Kind::Dict || kind == io::Kind::OrderedDict; }

const io::Value& tensor_value(const io::Document& document, io::Id id, const std::string& path) {
  const io::Value* value = &document.nodes[id];
  if (value->kind == io::Kind::Parameter) value = &document.nodes[value->items[0]];
  check(value->kind == io::Kind::Tensor || value->kind == io::Kind::Sparse, "load: ", path,
        " holds something that is not a tensor where one is expected");
  return *value;
}

void collect(const io::Document& document, io::TensorReader& reader, io::Id id, const std::string& prefix,
             OrderedDict<Tensor>& found) {
  const io::Value& dict = document.nodes[id];
  for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
    const io::Value& key = document.nodes[dict.items[i]];
    if (key.kind != io::Kind::Str) continue;
    const io::Value* value = &document.nodes[dict.items[i + 1]];
    if (value->kind == io::Kind::Parameter) value = &document.nodes[value->items[0]];
    if (value->kind == io::Kind::Tensor || value->kind == io::Kind::Sparse)
      found.insert(prefix + key.s, reader.tensor(*value));
    else if (is_dict(value->kind))
      collect(document, reader, dict.items[i + 1], prefix + key.s + ".", found);
  }
}

}  // namespace

void save(const Tensor& tensor, const std::string& path) {
  io::DocumentWriter writer;
  write(writer.finish(writer.tensor(tensor.detach())), path);
}

void save(const std::vector<Tensor>& tensors, const std::string& path) {
  io::DocumentWriter writer;
  std::vector<io::Id> ids;
  for (const Tensor& tensor : tensors)
    ids.push_back(writer.tensor(tensor.detach()));
  const io::Id list = writer.add(io::Kind::List);
  writer[list].items = std::move(ids);
  write(writer.finish(list), path);
}

void save(const OrderedDict<Tensor>& tensors, const std::string& path) {
  io::DocumentWriter writer;
  std::vector<io::Id> ids;
  for (const auto& [name, tensor] : tensors) {
    ids.push_back(writer.text(io::Kind::Str, name));
    ids.push_back(writer.tensor(tensor.detach()));
  }
  const io::Id dict = writer.add(io::Kind::OrderedDict);
  writer[dict].items = std::move(ids);
  write(writer.finish(dict), path);
}

void save(const nn::Module& module, const std::string& path) { save(module.state_dict(), path); }

void load(Tensor& tensor, const std::string& path) {
  const io::Document document = io::load_pt_file(path, io::File::Mode::Read);
  io::TensorReader reader(document);
  tensor = reader.tensor(tensor_value(document, document.root, path));
}

void load(std::vector<Tensor>& tensors, const std::string& path) {
  const io::Document document = io::load_pt_file(path, io::File::Mode::Read);
  const io::Value& list = document.nodes[document.root];
  check(list.kind == io::Kind::List || list.kind == io::Kind::Tuple, "load: ", path, " holds no list of tensors");
  io::TensorReader reader(document);
  tensors.clear();
  for (const io::Id id : list.items)
    tensors.push_back(reader.tensor(tensor_value(document, id, path)));
}

OrderedDict<Tensor> load_tensors(const std::string& path) {
  const io::Document document = io::load_pt_file(path, io::File::Mode::Read);
  check(is_dict(document.nodes[document.root].kind), "load: ", path, " holds no dict of tensors");
  io::TensorReader reader(document);
  OrderedDict<Tensor> found;
  collect(document, reader, document.root, "", found);
  return found;
}

void load(nn::Module& module, const std::string& path) { module.load_state_dict(load_tensors(path)); }

void save_safetensors(const OrderedDict<Tensor>& tensors, const std::string& path,
                      const std::map<std::string, std::string>& metadata) {
  std::vector<std::pair<std::string, Tensor>> named;
  for (const auto& [name, tensor] : tensors)
    named.emplace_back(name, tensor.detach());
  io::Sink sink(path);
  io::save_safetensors(io::to_safetensors(named, metadata), sink);
}

OrderedDict<Tensor> load_safetensors(const std::string& path) {
  OrderedDict<Tensor> tensors;
  for (auto& [name, tensor] : io::tensors_of(io::load_safetensors_file(path, io::File::Mode::Read)))
    tensors.insert(name, std::move(tensor));
  return tensors;
}

void save_npy(const Tensor& tensor, const std::string& path) {
  const io::NpyArray array = io::to_npy(tensor);
  io::Sink sink(path);
  io::save_npy(array, sink);
}

Tensor load_npy(const std::string& path) { return io::tensor_of(io::load_npy_file(path)); }

void save_npz(const OrderedDict<Tensor>& tensors, const std::string& path) {
  io::NpzArrays arrays;
  for (const auto& [name, tensor] : tensors)
    arrays.emplace_back(name, io::to_npy(tensor));
  io::Sink sink(path);
  io::save_npz(arrays, sink);
}

OrderedDict<Tensor> load_npz(const std::string& path) {
  OrderedDict<Tensor> tensors;
  for (const auto& [name, array] : io::load_npz_file(path))
    tensors.insert(name, io::tensor_of(array));
  return tensors;
}

}  // namespace rushlight
