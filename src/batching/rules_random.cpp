// Rules of operators that draw numbers. vmap says whether samples get the same numbers, each its own, or an error.
#include "batching/batching_call.h"
#include "rushlight/ops.h"

namespace rushlight::batching {
namespace {

constexpr const char* kForbidden =
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' "
    "randomness flags on vmap or perform the randomness operation out of vmap";

bool differs(const Call& call) { return call.level().randomness == Randomness::kDifferent; }

// The numbers of one sample for all of them: the generator goes back to where it was before each.
std::vector<Tensor> repeated(Call& call) {
  Generator& generator = default_generator();
  for (Item& item : call.items())
    if (item.batched) {
      const auto before = generator.get_state();
      std::vector<std::vector<Tensor>> columns;
      const std::vector<Item> items(call.items().begin(), call.items().end());
      for (std::int64_t i = 0; i < call.batch(); ++i) {
        if (i) generator.set_state(before.data(), before.size());
        for (std::size_t k = 0; k < items.size(); ++k)
          if (items[k].batched) call.items()[k] = {select(items[k].tensor, 0, i), false};
        std::vector<Tensor> results = call.invoke();
        columns.resize(results.size());
        for (std::size_t k = 0; k < results.size(); ++k)
          columns[k].push_back(results[k]);
      }
      std::vector<Tensor> stacked;
      for (const auto& column : columns)
        stacked.push_back(rushlight::stack(column, 0));
      return stacked;
    }
  return call.as_they_are(call.invoke());
}

}  // namespace

void check_randomness(const Call& call) { check(call.level().randomness != Randomness::kError, kForbidden); }

std::vector<Tensor> random_sizes(Call& call) {
  if (!differs(call)) return call.as_they_are(call.invoke());
  const Parameter& size = *call.find(Role::kSizes);
  std::vector<std::int64_t> sizes = call.dims_of(size);
  sizes.insert(sizes.begin(), call.batch());
  call.set(size, std::move(sizes));
  return call.invoke();
}

// Results have the shape of the first tensor, whose elements each get a number.
std::vector<Tensor> random_like(Call& call) {
  if (!differs(call)) return repeated(call);
  call.expand(call[0]);
  for (const Parameter& parameter : call.parameters())
    if (parameter.type() == Parameter::Type::kFormat)
      parameter.as<std::optional<MemoryFormat>>() = MemoryFormat::kContiguous;
  return call.invoke();
}

std::vector<Tensor> random_pairs(Call& call) {
  if (!differs(call)) return repeated(call);
  call.align_all();
  call.expand(call[0]);
  return call.invoke();
}

std::vector<Tensor> random_written(Call& call) {
  Item& self = call[0];
  if (!differs(call)) {
    if (!self.batched) return call.invoke();
    const Tensor all = self.tensor;
    self = {empty_like(select(all, 0, 0)), false};
    call.invoke();
    copy_(all, self.tensor);
    return {};
  }
  if (!self.batched)
    need_samples(
        "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same "
        "randomness. If this is necessary for your usage, please file an issue with functorch.");
  return call.invoke();
}

// For operators without a rule of their own.
std::vector<Tensor> random_by_sample(Call& call) { return differs(call) ? call.each_sample() : repeated(call); }

}  // namespace rushlight::batching
