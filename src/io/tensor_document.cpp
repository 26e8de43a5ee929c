// Between checkpoints as data and tensors.
#include "io/tensor_document.h"

#include <algorithm>
#include <set>

#include "ops/sparse.h"
#include "rushlight/ops.h"
#include "rushlight/sparse.h"

namespace rushlight::io {
namespace {

constexpr std::size_t kAlignment = 16;  // what element types need; files written by PyTorch align to 64

using Owner = std::shared_ptr<const void>;

// A storage over part of a file. Bytes that lie badly (old files) are copied.
Storage* storage_over(Bytes bytes, const Owner& owner) {
  auto* data = const_cast<std::uint8_t*>(bytes.data());  // private pages, or a buffer of our own
  if (!owner || reinterpret_cast<std::uintptr_t>(data) % kAlignment) {
    Storage* copy = Storage::make(bytes.size());
    if (!bytes.empty()) std::memcpy(copy->data, bytes.data(), bytes.size());
    return copy;
  }
  return Storage::borrow(
      data, bytes.size(), [](void* context) { delete static_cast<Owner*>(context); }, new Owner(owner));
}

Tensor tensor_over(Storage* storage, Dtype type, IntArray sizes, const std::int64_t* strides, std::uint64_t offset) {
  TensorImpl* impl = TensorImpl::make();
  Tensor tensor(impl);
  impl->word = static_cast<Word>(type) | (storage->meta ? kMeta : 0);
  storage->refs.up();
  impl->storage = storage;
  impl->data = storage->data ? static_cast<char*>(storage->data) + offset * item_size(type) : nullptr;
  impl->set_shape(sizes, strides);
  return tensor;
}

}  // namespace

// Kernels rely on truth values being 0 or 1, and a file may hold any byte. Its pages are private, or a buffer of our
// own.
static void settle_truth_values(const Tensor& tensor, std::uint64_t extent) {
  if (tensor.dtype() != kBool || !extent) return;
  auto* bytes = tensor.mutable_data<std::uint8_t>();
  for (std::uint64_t i = 0; i < extent; ++i)
    if (bytes[i] > 1) bytes[i] = 1;
}

Dtype dtype_of(FileDtype type) {
  for (const Dtype known : kAllDtypes)
    if (std::strcmp(name(known), info(type).torch) == 0) return known;
  throw RuntimeError(str("load: tensors of dtype ", info(type).torch, " are not supported"));
}

FileDtype file_dtype_of(Dtype type) {
  for (const FileDtypeInfo& known : kFileDtypes)
    if (std::strcmp(known.torch, name(type)) == 0) return known.t;
  throw RuntimeError(str("save: no file format has a name for dtype ", name(type), "; save x.view(torch.uint8)"));
}

TensorReader::~TensorReader() {
  for (Storage* storage : storages_)
    if (storage) storage->release();
}

Storage* TensorReader::storage(std::uint32_t index) {
  Storage*& made = storages_[index];
  if (!made) made = storage_over(document_.storages[index].bytes, document_.owner);
  return made;
}

Tensor TensorReader::tensor(std::uint32_t index) {
  const TensorInfo& from = document_.tensors[index];
  const Dtype type = dtype_of(from.dtype);
  Tensor tensor;
  if (from.storage == kNone) {
    tensor = empty_strided_tensor(from.sizes, from.strides, type, DeviceType::kMeta);
  } else {
    tensor = tensor_over(storage(from.storage), type, from.sizes, from.strides.data(), from.offset);
    settle_truth_values(tensor, from.extent);
  }
  check(!from.conj && !from.neg,
        "load: a tensor saved as a lazy conjugate or negative is not supported; save its "
        "resolve_conj() or resolve_neg()");
  if (from.requires_grad) tensor.set_requires_grad(true);
  return tensor;
}

Id DocumentWriter::text(Kind kind, std::string text) {
  const Id id = add(kind);
  document_.nodes[id].s = std::move(text);
  return id;
}
Id DocumentWriter::integer(std::int64_t value) {
  const Id id = add(Kind::Int);
  document_.nodes[id].i = value;
  return id;
}
Id DocumentWriter::boolean(bool value) {
  const Id id = add(Kind::Bool);
  document_.nodes[id].flag = value;
  return id;
}
Id DocumentWriter::number(double value) {
  const Id id = add(Kind::Float);
  document_.nodes[id].d = value;
  return id;
}

Tensor TensorReader::sparse(const Value& value) {
  const auto part = [&](std::size_t i) { return tensor(document_.nodes[value.items[i]].ref); };
  const bool coo = value.s == "torch.sparse_coo";
  std::vector<std::int64_t> size;
  for (const Id id : document_.nodes[value.items[coo ? 2 : 3]].items)
    size.push_back(document_.nodes[id].i);
  if (!coo)
    return _sparse_compressed_tensor_unsafe(part(0), part(1), part(2), size,
                                            value.s == "torch.sparse_csr" ? Layout::kSparseCsr : Layout::kSparseCsc);
  const Tensor indices = part(0), values = part(1);
  const bool claimed = value.items.size() == 4 && document_.nodes[value.items[3]].flag;
  if (claimed) _validate_sparse_coo_tensor_args(indices, values, size, true);
  return _sparse_coo_tensor_unsafe(indices, values, size, claimed);
}

Id DocumentWriter::sparse(const Tensor& tensor) {
  const SparseParts& parts = sparse_parts(tensor);
  const bool coo = is_coo(tensor);
  std::vector<Id> items{this->tensor(parts.indices), this->tensor(coo ? parts.values : parts.plain)};
  if (!coo) items.push_back(this->tensor(parts.values));
  std::vector<Id> sizes;
  for (const std::int64_t size : tensor.sizes())
    sizes.push_back(integer(size));
  const Id size = add(Kind::Size);
  document_.nodes[size].items = std::move(sizes);
  items.push_back(size);
  if (coo) items.push_back(boolean(parts.coalesced));
  const Id id = text(Kind::Sparse, coo                                  ? "torch.sparse_coo"
                                   : parts.layout == Layout::kSparseCsr ? "torch.sparse_csr"
                                                                        : "torch.sparse_csc");
  document_.nodes[id].items = std::move(items);
  return id;
}

Id DocumentWriter::tensor(const Tensor& tensor) {
  if (is_sparse(tensor)) return sparse(tensor);
  TensorInfo to;
  to.dtype = file_dtype_of(tensor.dtype());
  to.requires_grad = tensor.requires_grad();
  to.sizes = tensor.sizes().vec();
  to.strides = tensor.strides().vec();
  if (!tensor.is_meta()) {
    const Storage* storage = tensor.impl()->storage;
    const auto [found, fresh] = storages_.emplace(storage, static_cast<std::uint32_t>(document_.storages.size()));
    if (fresh) {
      StorageInfo entry;
      entry.location = "cpu";
      entry.dtype = to.dtype;
      entry.bytes = Bytes(static_cast<const std::uint8_t*>(storage->data), storage->bytes);
      entry.numel = storage->bytes / tensor.itemsize();
      document_.storages.push_back(std::move(entry));
    }
    StorageInfo& entry = document_.storages[found->second];
    if (entry.dtype != to.dtype ||
        !info(to.dtype).storage) {  // two dtypes, or one without a class: the file says bytes
      entry.dtype = FileDtype::None;
      entry.numel = entry.bytes.size();
    }
    to.storage = found->second;
    to.offset = static_cast<std::uint64_t>(tensor.storage_offset());
  }
  document_.tensors.push_back(std::move(to));
  const Id id = add(Kind::Tensor);
  document_.nodes[id].ref = static_cast<std::uint32_t>(document_.tensors.size() - 1);
  return id;
}

const Document& DocumentWriter::finish(Id root) {
  document_.root = root;
  return document_;
}

std::vector<std::pair<std::string, Tensor>> tensors_of(const StFile& file) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (const StTensor& entry : file.tensors) {
    const std::vector<std::int64_t> sizes(entry.shape.begin(), entry.shape.end());
    Storage* storage = storage_over(entry.bytes, file.owner);
    tensors.emplace_back(entry.name, tensor_over(storage, dtype_of(entry.dtype), sizes, nullptr, 0));
    settle_truth_values(tensors.back().second, entry.bytes.size());
    storage->release();
  }
  return tensors;
}

StFile to_safetensors(const std::vector<std::pair<std::string, Tensor>>& tensors,
                      std::map<std::string, std::string> metadata) {
  StFile file;
  file.metadata = std::move(metadata);
  std::set<const Storage*> seen;
  for (const auto& [name, tensor] : tensors) {
    check(!is_sparse(tensor), "safetensors: tensor '", name, "' is sparse; save its to_dense(), or its parts");
    check(!tensor.is_meta(), "safetensors: tensor '", name, "' is on device meta and has no data");
    check(tensor.is_contiguous(), "safetensors: tensor '", name, "' is not contiguous; call .contiguous() first");
    check(seen.insert(tensor.impl()->storage).second || tensor.numel() == 0, "safetensors: tensor '", name,
          "' shares memory with another one; clone() it first");
    file.tensors.push_back(
        {name,
         file_dtype_of(tensor.dtype()),
         {tensor.sizes().begin(), tensor.sizes().end()},
         Bytes(tensor.data<std::uint8_t>(), static_cast<std::size_t>(tensor.numel()) * tensor.itemsize())});
  }
  return file;
}

Tensor tensor_of(const NpyArray& array) {
  std::vector<std::int64_t> sizes(array.shape.begin(), array.shape.end()), strides(sizes.size());
  std::int64_t step = 1;  // an empty array's sizes may multiply to anything, but overflow was refused
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    strides[i] = step;
    step *= std::max<std::int64_t>(sizes[i], 1);
  }
  Storage* storage = storage_over(array.bytes, array.owner);
  const std::int64_t* chosen = array.fortran ? strides.data() : nullptr;
  const Tensor tensor = tensor_over(storage, dtype_of(array.dtype), sizes, chosen, 0);
  settle_truth_values(tensor, array.bytes.size());
  storage->release();
  return tensor;
}

static bool is_column_major(const Tensor& tensor) {
  std::int64_t step = 1;
  for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
    if (tensor.size(dim) != 1 && tensor.stride(dim) != step) return false;
    step *= tensor.size(dim);
  }
  return true;
}

NpyArray to_npy(const Tensor& tensor) {
  check(!tensor.is_meta(), "npy: a tensor on device meta has no data to save");
  NpyArray array;
  array.fortran = !tensor.is_contiguous() && is_column_major(tensor);
  auto dense = std::make_shared<Tensor>(array.fortran ? tensor.detach() : tensor.detach().contiguous());
  array.dtype = file_dtype_of(tensor.dtype());
  array.shape.assign(tensor.sizes().begin(), tensor.sizes().end());
  array.bytes = Bytes(dense->data<std::uint8_t>(), static_cast<std::size_t>(tensor.numel()) * tensor.itemsize());
  array.owner = std::move(dense);
  return array;
}

}  // namespace rushlight::io
