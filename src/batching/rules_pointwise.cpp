// Rules of operators that compute element by element.
#include "batching/batching_call.h"
#include "rushlight/ops.h"

namespace rushlight::batching {
namespace {

// Numbers in tensors yield to the dtypes of tensors with dimensions. A batch of numbers has a dimension, so it is
// converted before it can win.
void keep_promotion(Call& call) {
  bool mixed = false, numbers = false;
  std::optional<Dtype> first;
  for (const Item& item : call.items()) {
    if (!item.defined()) continue;
    mixed |= first && *first != item.tensor.dtype();
    first = first ? first : item.tensor.dtype();
    numbers |= item.batched && item.rank() == 0;
  }
  if (!mixed || !numbers || call.name().starts_with("masked_fill")) return;
  const bool chooses = call.name() == "where";
  std::optional<Dtype> with_dims, of_numbers;
  for (const Item& item : call.items()) {
    if (!item.defined() || (chooses && &item == &call[0])) continue;
    std::optional<Dtype>& of = item.rank() ? with_dims : of_numbers;
    of = of ? promote(*of, item.tensor.dtype()) : item.tensor.dtype();
  }
  const auto category = [](Dtype type) { return is_complex(type) ? 3 : is_floating(type) ? 2 : type == kBool ? 0 : 1; };
  const Dtype common = !with_dims                                                   ? *of_numbers
                       : of_numbers && category(*of_numbers) > category(*with_dims) ? promote(*with_dims, *of_numbers)
                                                                                    : *with_dims;
  for (Item& item : call.items())
    if (item.batched && item.rank() == 0 && item.tensor.dtype() != common && !(chooses && &item == &call[0]) &&
        !(call.in_place() && &item == &call[0]))
      item.tensor = _to_copy(item.tensor, TensorOptions(common));
}

}  // namespace

std::vector<Tensor> pointwise(Call& call) {
  keep_promotion(call);
  call.align_all();
  return call.invoke();
}

// One number per sample, where the operator takes a single one.
std::vector<Tensor> filled(Call& call) {
  const std::size_t last = call.arguments() - 1;
  const bool masks = call.name().starts_with("masked_fill");
  if (masks) call.align_all();
  if (!call[last].batched) {
    if (!masks) call.expand(call[0]);
    return call.invoke();
  }
  call.align_all();
  const Tensor& self = call[0].tensor;
  const Tensor value = _to_copy(call[last].tensor, self.options());
  if (!call.in_place()) {
    const std::int64_t rank = call.highest_rank();
    call.expand(call[0]);
    call.align(call[0], rank);
    const Tensor& like = call[0].tensor;
    return {masks ? where(call[1].tensor, value, like) : rushlight::expand(value, like.sizes()).clone()};
  }
  copy_(self, masks ? where(call[1].tensor, value, self) : value);
  return {};
}

// Written over the first tensor, or a copy of it.
std::vector<Tensor> copied(Call& call) {
  if (!call.in_place()) call.expand(call[0]);
  if (call[1].rank() > call[0].rank()) return call.each_sample();
  call.align_all();
  return call.invoke();
}

// The first tensor alone matters, and dimensions in front of it do not.
std::vector<Tensor> leading(Call& call) {
  for (const Parameter& parameter : call.parameters())
    if (parameter.type() == Parameter::Type::kFormat) {
      auto& format = parameter.as<std::optional<MemoryFormat>>();
      if (format && *format != MemoryFormat::kPreserve) format = MemoryFormat::kContiguous;
    }
  if (call[0].rank() > 0 || call.name() != "view") return call.invoke();
  // The last dimension of a view of another dtype changes; a number has none.
  call.align(call[0], 1);
  std::vector<Tensor> results = call.invoke();
  check(results[0].dim() == 2 && results[0].sizes()[1] == 1, std::string(call.name()),
        ": self.dim() cannot be 0 to view numbers as elements of another size");
  return {view(results[0], {call.batch()})};
}

// Reduced per sample: the losses of the elements first.
std::vector<Tensor> elementwise_loss(Call& call) {
  auto& reduction = call.find(Role::kReduction)->as<std::int64_t>();
  const std::int64_t wanted = std::exchange(reduction, 0);
  if (call[0].rank() != call[1].rank()) {
    reduction = wanted;
    return call.each_sample();
  }
  call.align_all();
  call.expand(call[0]);
  Tensor losses = call.invoke()[0];
  if (wanted == 0 || losses.dim() == 1) return {losses};
  std::vector<std::int64_t> dims;
  for (std::int64_t i = 1; i < losses.dim(); ++i)
    dims.push_back(i);
  return {wanted == 1 ? mean(losses, OptionalIntArray(dims), false) : sum(losses, OptionalIntArray(dims), false)};
}

}  // namespace rushlight::batching
