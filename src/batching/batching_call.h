// The call of an operator that a rule works on.
#pragma once
#include "batching/batched.h"
#include "batching/call.h"

namespace rushlight::batching {

// A tensor among the arguments: the value where the operand is batched at the level of the call.
struct Item {
  Tensor tensor;
  bool batched = false;
  bool defined() const { return tensor.defined(); }
  // Dimensions that the operand has for one sample.
  std::int64_t rank() const { return tensor.dim() - batched; }
};

class Call {
 public:
  Call(const Operation& operation, std::span<const ProfiledArgument> arguments, bool in_place, void* entry,
       Invoke invoke);

  std::string_view name() const { return operation_.name; }
  bool in_place() const { return in_place_; }
  bool random() const { return operation_.random; }
  Rule rule() const { return operation_.rule; }
  std::int64_t batch() const { return level_.size; }
  const Level& level() const { return level_; }
  std::size_t level_index() const { return level_index_; }

  // The tensors of all arguments in a row, and those of one argument.
  std::span<Item> items() { return items_; }
  std::size_t arguments() const { return starts_.size() - 1; }
  std::span<Item> list(std::size_t argument) {
    return std::span<Item>(items_).subspan(starts_[argument], starts_[argument + 1] - starts_[argument]);
  }
  Item& operator[](std::size_t argument) { return items_[starts_[argument]]; }
  bool has(std::size_t argument) const { return items_[starts_[argument]].defined(); }
  std::optional<Tensor> optional(std::size_t argument) const {
    const Item& item = items_[starts_[argument]];
    return item.defined() ? std::optional<Tensor>(item.tensor) : std::nullopt;
  }

  std::span<const Parameter> parameters() const { return operation_.parameters; }
  const Parameter* find(Role role) const;
  template <class T>
  T& parameter(std::size_t which) {
    return operation_.parameters[which].as<T>();
  }
  // Lists live as long as the call.
  IntArray keep(std::vector<std::int64_t> list);
  void set(const Parameter& parameter, std::vector<std::int64_t> list);
  // The dims that a parameter gives, as they were written; none where it is None or empty.
  std::vector<std::int64_t> dims_of(const Parameter& parameter) const;
  void set_dims(const Parameter& parameter, std::vector<std::int64_t> dims);

  // Makes an item differ between samples; a tensor that is the same for all is expanded.
  const Tensor& expand(Item& item);
  void expand_all();
  // Ones behind the batch, so that every batched item has `rank` dimensions for one sample.
  void align(Item& item, std::int64_t rank);
  void align_all();
  std::int64_t highest_rank() const;

  std::vector<Tensor> invoke();       // the entry on the items and parameters as they are now
  std::vector<Tensor> each_sample();  // the entry once per sample; results stacked
  // Results that are the same for every sample, or headers already.
  std::vector<Tensor> as_they_are(std::vector<Tensor> results) {
    wraps_ = false;
    return results;
  }
  bool wraps() const { return wraps_; }

 private:
  std::vector<Tensor> invoke_on(std::span<const Item> items);
  std::vector<Item> sample(std::int64_t which) const;
  void change_each_sample();

  const Operation& operation_;
  std::span<const ProfiledArgument> arguments_;
  bool in_place_, wraps_ = true;
  void* entry_;
  Invoke invoke_;
  Level level_;
  std::size_t level_index_;
  std::vector<Item> items_;
  std::vector<std::size_t> starts_;
  std::vector<std::vector<std::int64_t>> lists_;
};

// What every operator that draws numbers goes through; the second for those without a rule of their own.
void check_randomness(const Call& call);
std::vector<Tensor> random_by_sample(Call& call);

// `value` with its dimension 0 in two, and two dimensions in one.
Tensor split_batch(const Tensor& value, std::int64_t batch, std::int64_t dim = 0);
Tensor merge_batch(const Tensor& value, std::int64_t dim = 0);

}  // namespace rushlight::batching
