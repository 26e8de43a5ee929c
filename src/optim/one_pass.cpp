#include "optim/one_pass.h"

namespace rushlight::optim {
namespace {

constexpr Word kSpecial = kTorchFunction | kMeta | kTangent | kComposed;

}  // namespace

bool is_plain(const Tensor& kept) { return !(kept.word() & (kSpecial | kView | kInference)); }

bool fits_one_pass(const Tensor& param, const Tensor& grad, const Kept& kept) {
  const Tensor* const all[] = {&param, &grad, kept[0], kept[1], kept[2]};
  if (param.dtype() != Dtype::kFloat32 && param.dtype() != Dtype::kFloat64) return false;
  for (std::size_t i = 0; i < std::size(all); ++i) {
    if (!all[i]) continue;
    const Tensor& tensor = *all[i];
    if (!(tensor.word() & kContiguous) || tensor.word() & kSpecial) return false;
    if (&tensor != &grad && !is_plain(tensor)) return false;
    if (tensor.dtype() != param.dtype() || tensor.sizes() != param.sizes()) return false;
    for (std::size_t j = 0; j < i; ++j)
      if (all[j] && all[j]->impl()->storage == tensor.impl()->storage) return false;
  }
  return true;
}

}  // namespace rushlight::optim
