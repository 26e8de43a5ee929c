// From the typed entry to a rule and back.
#include "batching/batching_call.h"

#include <algorithm>

#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight::batching {
namespace {

using Kind = ProfiledArgument::Kind;

// Calls `see` with every tensor of an argument, undefined ones included.
template <class See>
void visit_tensors(const ProfiledArgument& argument, See see) {
  if (argument.kind == Kind::kTensor) see(*static_cast<const Tensor*>(argument.value));
  if (argument.kind == Kind::kOptional) {
    const auto& given = *static_cast<const std::optional<Tensor>*>(argument.value);
    see(given ? *given : Tensor());
  }
  if (argument.kind == Kind::kList)
    for (const Tensor& tensor : *static_cast<const TensorList*>(argument.value))
      see(tensor);
  if (argument.kind == Kind::kOptionalList)
    for (const auto& given : *static_cast<const OptionalTensorList*>(argument.value))
      see(given ? *given : Tensor());
}

// The innermost level that an argument is batched at, or the innermost there is.
std::size_t level_for(const Operation& operation, std::span<const ProfiledArgument> arguments) {
  if (operation.random && depth()) return depth() - 1;
  std::size_t highest = 0;
  for (const ProfiledArgument& argument : arguments)
    visit_tensors(argument, [&](const Tensor& tensor) {
      if (tensor.word() & kBatched) highest = std::max(highest, index_of(serial_of(tensor)));
    });
  return highest;
}

constexpr const char* kUnbatchedSelf =
    ": inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor `other` in extra_args that "
    "has more elements than `self`. This happened due to `other` being vmapped over but `self` not being vmapped over "
    "in a vmap. Please try to use out-of-place operators instead of inplace arithmetic. If said operator is being "
    "called inside the PyTorch framework, please file a bug report instead.";

}  // namespace

Call::Call(const Operation& operation, std::span<const ProfiledArgument> arguments, bool in_place, void* entry,
           Invoke call)
    : operation_(operation),
      arguments_(arguments),
      in_place_(in_place),
      entry_(entry),
      invoke_(call),
      level_index_(level_for(operation, arguments)) {
  const Level& at = levels()[level_index_];
  level_.serial = at.serial;
  level_.size = at.size;
  level_.randomness = at.randomness;
  starts_.reserve(arguments.size() + 1);
  items_.reserve(arguments.size());
  for (const ProfiledArgument& argument : arguments) {
    starts_.push_back(items_.size());
    visit_tensors(argument, [&](const Tensor& tensor) {
      const bool mine = tensor.word() & kBatched && serial_of(tensor) == level_.serial;
      items_.push_back({mine ? value_of(tensor) : tensor, mine});
    });
  }
  starts_.push_back(items_.size());
}

const Parameter* Call::find(Role role) const {
  for (const Parameter& parameter : operation_.parameters)
    if (parameter.role() == role) return &parameter;
  return nullptr;
}
IntArray Call::keep(std::vector<std::int64_t> list) {
  if (lists_.empty()) lists_.reserve(8);
  lists_.push_back(std::move(list));
  return lists_.back();
}
void Call::set(const Parameter& parameter, std::vector<std::int64_t> list) {
  if (parameter.type() == Parameter::Type::kOptionalInts)
    parameter.as<OptionalIntArray>() = OptionalIntArray(keep(std::move(list)));
  else
    parameter.as<IntArray>() = keep(std::move(list));
}
std::vector<std::int64_t> Call::dims_of(const Parameter& parameter) const {
  switch (parameter.type()) {
    case Parameter::Type::kInt:
      return {parameter.as<std::int64_t>()};
    case Parameter::Type::kOptionalInt: {
      const auto& dim = parameter.as<std::optional<std::int64_t>>();
      return dim ? std::vector<std::int64_t>{*dim} : std::vector<std::int64_t>{};
    }
    case Parameter::Type::kInts:
      return parameter.as<IntArray>().vec();
    case Parameter::Type::kOptionalInts: {
      const auto& dims = parameter.as<OptionalIntArray>();
      return dims ? dims->vec() : std::vector<std::int64_t>{};
    }
    default:
      return {};
  }
}
void Call::set_dims(const Parameter& parameter, std::vector<std::int64_t> dims) {
  if (parameter.type() == Parameter::Type::kInt)
    parameter.as<std::int64_t>() = dims[0];
  else if (parameter.type() == Parameter::Type::kOptionalInt)
    parameter.as<std::optional<std::int64_t>>() = dims[0];
  else
    set(parameter, std::move(dims));
}

const Tensor& Call::expand(Item& item) {
  if (item.batched || !item.defined()) return item.tensor;
  std::vector<std::int64_t> sizes = item.tensor.sizes().vec();
  sizes.insert(sizes.begin(), level_.size);
  item.tensor = rushlight::expand(unsqueeze(item.tensor, 0), sizes);
  item.batched = true;
  return item.tensor;
}
void Call::expand_all() {
  for (Item& item : items_)
    expand(item);
}
void Call::align(Item& item, std::int64_t rank) {
  if (!item.batched || item.rank() >= rank) return;
  std::vector<std::int64_t> sizes = item.tensor.sizes().vec(), strides = item.tensor.strides().vec();
  const auto missing = static_cast<std::size_t>(rank - item.rank());
  sizes.insert(sizes.begin() + 1, missing, 1);
  item.tensor = view(item.tensor, sizes);  // ones fit any strides
}
std::int64_t Call::highest_rank() const {
  std::int64_t highest = 0;
  for (const Item& item : items_)
    if (item.defined()) highest = std::max(highest, item.rank());
  return highest;
}
void Call::align_all() {
  const std::int64_t rank = highest_rank();
  for (Item& item : items_)
    align(item, rank);
}

std::vector<Tensor> Call::invoke_on(std::span<const Item> items) {
  struct Typed {
    std::optional<Tensor> optional;
    std::vector<Tensor> tensors;
    std::vector<std::optional<Tensor>> optionals;
    TensorList list;
    OptionalTensorList optional_list;
  };
  constexpr std::size_t kMost = 32;
  check(arguments_.size() <= kMost, operation_.name, ": too many tensors for vmap");
  const void* values[kMost];
  std::vector<Typed> typed;
  if (std::any_of(arguments_.begin(), arguments_.end(), [](const auto& a) { return a.kind != Kind::kTensor; }))
    typed.resize(arguments_.size());
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const std::span<const Item> own = items.subspan(starts_[i], starts_[i + 1] - starts_[i]);
    switch (arguments_[i].kind) {
      case Kind::kTensor:
        values[i] = &own[0].tensor;
        break;
      case Kind::kOptional:
        if (own[0].defined()) typed[i].optional = own[0].tensor;
        values[i] = &typed[i].optional;
        break;
      case Kind::kList:
        for (const Item& item : own)
          typed[i].tensors.push_back(item.tensor);
        typed[i].list = typed[i].tensors;
        values[i] = &typed[i].list;
        break;
      case Kind::kOptionalList:
        for (const Item& item : own)
          typed[i].optionals.push_back(item.defined() ? std::optional<Tensor>(item.tensor) : std::nullopt);
        typed[i].optional_list = typed[i].optionals;
        values[i] = &typed[i].optional_list;
        break;
      case Kind::kOther:
        values[i] = arguments_[i].value;
    }
  }
  std::vector<Tensor> results;
  invoke_(entry_, values, results);
  return results;
}
std::vector<Tensor> Call::invoke() { return invoke_on(items_); }

std::vector<Item> Call::sample(std::int64_t which) const {
  std::vector<Item> items(items_);
  for (Item& item : items)
    if (item.batched) item = {select(item.tensor, 0, which), false};
  return items;
}

// On copies: what is saved of one sample must not count as changed when the next one is written.
void Call::change_each_sample() {
  std::vector<Tensor> changed;
  for (std::int64_t i = 0; i < level_.size; ++i) {
    std::vector<Item> items = sample(i);
    const Tensor& self = items[0].tensor = clone(items[0].tensor);
    const std::vector<std::int64_t> sizes = self.sizes().vec();
    invoke_on(items);
    if (!(self.sizes() == IntArray(sizes))) need_samples("vmap: an operator changes the shape of a sample in place");
    changed.push_back(self);
  }
  copy_(items_[0].tensor, rushlight::stack(changed, 0));
}

std::vector<Tensor> Call::each_sample() {
  if (in_place_ && items_[0].batched) {
    change_each_sample();
    return {};
  }
  std::vector<std::vector<Tensor>> columns;
  for (std::int64_t i = 0; i < level_.size; ++i) {
    const std::vector<Item> items = sample(i);
    std::vector<Tensor> results = invoke_on(items);
    if (i == 0) columns.resize(results.size());
    if (results.size() != columns.size()) need_samples("vmap: samples give lists of different lengths");
    for (std::size_t k = 0; k < results.size(); ++k) {
      const Tensor& result = results[k];
      if (i > 0 && result.defined() && columns[k][0].defined() &&
          !(result.sizes() == columns[k][0].sizes() && result.dtype() == columns[k][0].dtype()))
        need_samples("vmap: the shape of a result depends on the values of the sample");
      columns[k].push_back(std::move(results[k]));
    }
  }
  std::vector<Tensor> stacked;
  for (const std::vector<Tensor>& column : columns)
    stacked.push_back(column[0].defined() ? rushlight::stack(column, 0) : Tensor());
  return stacked;
}

namespace {

void note_written(const Tensor& self, std::size_t which) {
  Level& level = levels()[which];
  const auto& inputs = level.inputs;
  if (std::find(inputs.begin(), inputs.end(), self.impl()->storage) != inputs.end()) level.wrote_input = true;
}

bool has_sparse(std::span<const Item> items) {
  return std::any_of(items.begin(), items.end(), [](const Item& item) { return item.tensor.word() & kSparse; });
}

}  // namespace

std::vector<Tensor> run_without_types(const Operation& operation, std::span<const ProfiledArgument> arguments,
                                      bool in_place, void* entry, Invoke invoke) {
  Call call(operation, arguments, in_place, entry, invoke);
  const Below below(call.level_index());
  const ModeScope plain(0, kAutocast);
  const std::uint64_t serial = call.level().serial;
  if (in_place && !call.items().empty() && !call[0].batched && !operation.random)
    throw NeedsSamples(str("vmap: ", operation.name, kUnbatchedSelf));
  if (operation.random) check_randomness(call);
  const bool ruled = operation.rule && !has_sparse(call.items());
  std::vector<Tensor> results = ruled              ? operation.rule(call)
                                : operation.random ? random_by_sample(call)
                                                   : call.each_sample();
  if (in_place) {
    if (!call.items().empty()) note_written(call[0].tensor, call.level_index());
    if (!arguments.empty() && arguments[0].kind == Kind::kTensor)
      if (const Tensor& self = *static_cast<const Tensor*>(arguments[0].value); is_batched(self)) refresh(self);
    return {};
  }
  if (call.wraps())
    for (Tensor& result : results)
      if (result.defined()) result = batched(result, serial);
  return results;
}

void refuse_number(const char* name) {
  throw NeedsSamples(str("vmap: ", name, " gives a number of Python, which cannot differ between samples"));
}

Tensor split_batch(const Tensor& value, std::int64_t batch, std::int64_t dim) {
  std::vector<std::int64_t> sizes = value.sizes().vec();
  const auto at = static_cast<std::size_t>(dim);
  sizes[at] = batch ? sizes[at] / batch : 0;
  sizes.insert(sizes.begin() + dim, batch);
  return reshape(value, sizes);
}
Tensor merge_batch(const Tensor& value, std::int64_t dim) {
  std::vector<std::int64_t> sizes = value.sizes().vec();
  const auto at = static_cast<std::size_t>(dim);
  sizes[at] *= sizes[at + 1];
  sizes.erase(sizes.begin() + dim + 1);
  return reshape(value, sizes);
}

}  // namespace rushlight::batching
