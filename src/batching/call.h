// One call of an operator as a batching rule sees it: tensors and parameters without their types.
//
// A generated entry passes its parameters by reference, so that a rule may change them and run the entry again on
// values. A rule returns the results for all samples, batch first; none when the operator works in place.
#pragma once
#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "rushlight/tensor.h"

namespace rushlight {

// A tensor argument of any kind, as modes see it; other arguments have no kind.
struct ProfiledArgument {
  enum class Kind : std::uint8_t { kOther, kTensor, kOptional, kList, kOptionalList };
  Kind kind;
  const void* value;
};

namespace batching {

// What a parameter means to a rule; the generator gives it by the parameter's name.
enum class Role : std::uint8_t {
  kPlain,
  kDim,     // of the first tensor
  kNewDim,  // of the result, which has one dimension more
  kSizes,   // of the result
  kKeepdim,
  kReduction,  // of a loss
};

class Parameter {
 public:
  enum class Type : std::uint8_t { kOther, kInt, kOptionalInt, kInts, kOptionalInts, kBool, kBools, kFormat };
  template <class T>
  Parameter(T& value, Role role) : at_(const_cast<std::remove_const_t<T>*>(&value)), role_(role), type_(type<T>()) {}
  Role role() const { return role_; }
  Type type() const { return type_; }
  // Of the type that the catalogue says.
  template <class T>
  T& as() const {
    return *static_cast<T*>(at_);
  }

 private:
  template <class T>
  static constexpr Type type() {
    return std::is_same_v<T, std::int64_t>                  ? Type::kInt
           : std::is_same_v<T, std::optional<std::int64_t>> ? Type::kOptionalInt
           : std::is_same_v<T, IntArray>                    ? Type::kInts
           : std::is_same_v<T, OptionalIntArray>            ? Type::kOptionalInts
           : std::is_same_v<T, bool>                        ? Type::kBool
           : std::is_same_v<T, std::span<const bool>>       ? Type::kBools
           : std::is_same_v<T, std::optional<MemoryFormat>> ? Type::kFormat
                                                            : Type::kOther;
  }
  void* at_;
  Role role_;
  Type type_;
};

class Call;
using Rule = std::vector<Tensor> (*)(Call&);

// What an entry says of its operator when it leaves the straight path.
struct Operation {
  const char* name;
  Rule rule = nullptr;  // null: sample by sample
  std::span<const Parameter> parameters = {};
  bool random = false;  // draws numbers: concerns the innermost vmap whatever its operands are
  Operation(const char* op) : name(op) {}
  Operation(const char* op, Rule batching_rule, std::span<const Parameter> list, bool draws)
      : name(op), rule(batching_rule), parameters(list), random(draws) {}
};

// Runs the entry on other tensors: `values` are pointers to arguments of the types that it takes.
using Invoke = void (*)(void* entry, const void* const* values, std::vector<Tensor>& results);

std::vector<Tensor> run_without_types(const Operation& operation, std::span<const ProfiledArgument> arguments,
                                      bool in_place, void* entry, Invoke invoke);
[[noreturn, gnu::cold]] void refuse_number(const char* name);

template <class T>
inline constexpr bool kIsTuple = false;
template <class... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = (std::is_same_v<T, Tensor> && ...);
template <class T>
inline constexpr bool kIsTensors = std::is_same_v<T, Tensor> || std::is_same_v<T, std::vector<Tensor>> || kIsTuple<T>;

inline void put(std::vector<Tensor>& results, Tensor result) { results.push_back(std::move(result)); }
inline void put(std::vector<Tensor>& results, std::vector<Tensor> list) { results = std::move(list); }
template <class... T>
void put(std::vector<Tensor>& results, std::tuple<T...> tuple) {
  std::apply([&](auto&... each) { (results.push_back(std::move(each)), ...); }, tuple);
}
template <class Result>
Result taken(std::vector<Tensor> results) {
  if constexpr (std::is_same_v<Result, Tensor>)
    return std::move(results[0]);
  else if constexpr (std::is_same_v<Result, std::vector<Tensor>>)
    return results;
  else
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return Result(std::move(results[I])...);
    }(std::make_index_sequence<std::tuple_size_v<Result>>());
}

template <class Entry, class... T>
void invoke(void* entry, const void* const* values, std::vector<Tensor>& results) {
  using Result = std::invoke_result_t<Entry&, const T&...>;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    if constexpr (kIsTensors<Result>)
      put(results, (*static_cast<Entry*>(entry))(*static_cast<const T*>(values[I])...));
    else
      (*static_cast<Entry*>(entry))(*static_cast<const T*>(values[I])...);
  }(std::index_sequence_for<T...>());
}

// `seen` are the tensor arguments; the result has the type of the entry's.
template <class Result, class Entry, class... T>
Result run(const Operation& operation, std::span<const ProfiledArgument> seen, Entry& entry) {
  if constexpr (std::is_void_v<Result>) {
    run_without_types(operation, seen, true, &entry, invoke<Entry, T...>);
  } else if constexpr (std::is_reference_v<Result>) {
    run_without_types(operation, seen, true, &entry, invoke<Entry, T...>);
    return *static_cast<const Tensor*>(seen[0].value);
  } else if constexpr (kIsTensors<Result>) {
    return taken<Result>(run_without_types(operation, seen, false, &entry, invoke<Entry, T...>));
  } else {
    refuse_number(operation.name);
  }
}

// Whether an operation with tensors of these flags is one for `run`.
inline bool concerns(const Operation& operation, Word words) {
  return words & kBatched || (operation.random && thread.modes & kBatching);
}

}  // namespace batching
}  // namespace rushlight
