// Between checkpoints as data (document.h) and tensors: reading without copies, writing without
// copies.
#pragma once
#include <unordered_map>

#include "io/checkpoint.h"
#include "io/npy.h"
#include "io/safetensors.h"
#include "rushlight/tensor.h"

namespace rushlight::io {

// The library's dtype of a file's; throws RuntimeError for those that tensors cannot have.
Dtype dtype_of(FileDtype type);
FileDtype file_dtype_of(Dtype type);

// Makes tensors of a finished document. Tensors of one storage share memory, which stays in the
// file's buffer or mapping and keeps it alive.
class TensorReader {
 public:
  explicit TensorReader(const Document& document) : document_(document), storages_(document.storages.size(), nullptr) {}
  ~TensorReader();
  TensorReader(const TensorReader&) = delete;
  TensorReader& operator=(const TensorReader&) = delete;
  Tensor tensor(std::uint32_t index);
  Tensor sparse(const Value& value);
  // Of a value of either kind.
  Tensor tensor(const Value& value) { return value.kind == Kind::Sparse ? sparse(value) : tensor(value.ref); }

 private:
  Storage* storage(std::uint32_t index);
  const Document& document_;
  std::vector<Storage*> storages_;  // one reference each
};

// Collects values into a document. The bytes of tensors are referred to, so the tensors must
// outlive it.
class DocumentWriter {
 public:
  Id add(Kind kind) {
    Value value;
    value.kind = kind;
    return document_.add(std::move(value));
  }
  Id text(Kind kind, std::string text);
  Id integer(std::int64_t value);
  Id boolean(bool value);
  Id number(double value);
  Id tensor(const Tensor& tensor);
  Id sparse(const Tensor& tensor);
  Value& operator[](Id id) { return document_.nodes[id]; }
  const Document& finish(Id root);

 private:
  Document document_;
  std::unordered_map<const Storage*, std::uint32_t> storages_;
};

// Tensors over the bytes of a safetensors file, in the file's order of names.
std::vector<std::pair<std::string, Tensor>> tensors_of(const StFile& file);
// Dense tensors that do not share memory become the entries of a file; throws RuntimeError
// otherwise.
StFile to_safetensors(const std::vector<std::pair<std::string, Tensor>>& tensors,
                      std::map<std::string, std::string> metadata);

// A tensor over the bytes of an array, column-major if the array is.
Tensor tensor_of(const NpyArray& array);
// The array refers to the tensor's memory, or to a dense copy of it, and keeps it alive.
NpyArray to_npy(const Tensor& tensor);

}  // namespace rushlight::io
