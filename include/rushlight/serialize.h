// save and load: PyTorch's checkpoints of tensors and state dicts, safetensors, and NumPy's arrays. Nothing in a file
// is ever run. A file appears whole or not at all: when writing fails, an older one of the same name stays as it was.
#pragma once
#include <map>

#include "rushlight/nn/module.h"
#include "rushlight/optim.h"

namespace rushlight {

// A tensor, a list of tensors, or tensors by name, as torch.save writes them; Python reads them back as the same.
void save(const Tensor& tensor, const std::string& path);
void save(const std::vector<Tensor>& tensors, const std::string& path);
void save(const OrderedDict<Tensor>& tensors, const std::string& path);
// The module's state dict.
void save(const nn::Module& module, const std::string& path);
template <class Contained>
void save(const nn::ModuleHolder<Contained>& holder, const std::string& path) {
  save(*holder, path);
}
template <class Contained>
  requires(std::is_base_of_v<nn::Module, Contained>)
void save(const std::shared_ptr<Contained>& module, const std::string& path) {
  save(*module, path);
}

// The optimizer's state, for a run that goes on later.
inline void save(const optim::Optimizer& optimizer, const std::string& path) { save(optimizer.state_dict(), path); }

// Throws RuntimeError that names entry and offset when the file is damaged or holds something else.
void load(Tensor& tensor, const std::string& path);
void load(std::vector<Tensor>& tensors, const std::string& path);
void load(nn::Module& module, const std::string& path);
template <class Contained>
void load(const nn::ModuleHolder<Contained>& holder, const std::string& path) {
  load(*holder, path);
}
template <class Contained>
  requires(std::is_base_of_v<nn::Module, Contained>)
void load(const std::shared_ptr<Contained>& module, const std::string& path) {
  load(*module, path);
}
// Every tensor of a (possibly nested) dict of tensors, by dotted name.
OrderedDict<Tensor> load_tensors(const std::string& path);
inline void load(optim::Optimizer& optimizer, const std::string& path) {
  optimizer.load_state_dict(load_tensors(path));
}

void save_safetensors(const OrderedDict<Tensor>& tensors, const std::string& path,
                      const std::map<std::string, std::string>& metadata = {});
OrderedDict<Tensor> load_safetensors(const std::string& path);

// One array of NumPy's, and several by name. Column-major arrays become tensors with such strides, and the other way
// round; bytes of the other order are turned. Throws RuntimeError for arrays of Python objects, text or records, and
// for dtypes that only one side has.
void save_npy(const Tensor& tensor, const std::string& path);
Tensor load_npy(const std::string& path);
void save_npz(const OrderedDict<Tensor>& tensors, const std::string& path);
OrderedDict<Tensor> load_npz(const std::string& path);

}  // namespace rushlight
