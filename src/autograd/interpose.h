// What stands between a call and the straight path: profiler, autocast, vmap, forward mode.
//
// A generated entry leaves the straight path with what a mode must know of its operator and a call that takes the
// operator's tensors, so that a mode may replace them:
//   if (word & kInterposed) [[unlikely]]
//     return interpose({"mul", batching::pointwise, {}, false},
//                      [&](const Tensor& self, const Tensor& other) -> Tensor { return mul(self, other); }, self,
//                      other);
#pragma once
#include <array>
#include <span>
#include <tuple>
#include <type_traits>

#include "autograd/node.h"
#include "batching/call.h"

namespace rushlight {

template <class T>
ProfiledArgument profiled(const T& argument) {
  using Kind = ProfiledArgument::Kind;
  return {std::is_same_v<T, Tensor>                  ? Kind::kTensor
          : std::is_same_v<T, std::optional<Tensor>> ? Kind::kOptional
          : std::is_same_v<T, TensorList>            ? Kind::kList
          : std::is_same_v<T, OptionalTensorList>    ? Kind::kOptionalList
                                                     : Kind::kOther,
          &argument};
}

// Called for every operator while kProfiler is set: with its tensors before it runs (start), with its results after.
using ProfilerHook = void (*)(const batching::Operation& operation, bool start,
                              std::span<const ProfiledArgument> tensors);
void set_profiler_hook(ProfilerHook hook);

namespace forward {

// One run of an operator under forward mode: hands out primals that record, then computes the tangents.
class Run {
 public:
  // `self` is the tensor that an in-place operator changes, or null.
  Run(const char* name, const Tensor* self);
  ~Run();
  Tensor primal(const Tensor& tensor);  // the stand-in of an argument
  void start();                         // recording on; call after the primals were made
  // Gives tangents to the results; in place, history and tangent to `self`.
  void finish(const std::vector<Tensor*>& results);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The stand-ins of one argument; lists need room to live in.
template <class T>
struct Argument {
  const T& value;
  Argument(Run&, const T& original) : value(original) {}
};
template <>
struct Argument<Tensor> {
  Tensor value;
  Argument(Run& run, const Tensor& original) : value(run.primal(original)) {}
};
template <>
struct Argument<std::optional<Tensor>> {
  std::optional<Tensor> value;
  Argument(Run& run, const std::optional<Tensor>& original) {
    if (original) value = run.primal(*original);
  }
};
template <>
struct Argument<TensorList> {
  std::vector<Tensor> list;
  TensorList value;
  Argument(Run& run, TensorList original) {
    for (const Tensor& tensor : original)
      list.push_back(run.primal(tensor));
    value = list;
  }
  Argument(const Argument&) = delete;
};
template <>
struct Argument<OptionalTensorList> {
  std::vector<std::optional<Tensor>> list;
  OptionalTensorList value;
  Argument(Run& run, OptionalTensorList original) {
    for (const auto& tensor : original)
      list.push_back(tensor ? std::optional<Tensor>(run.primal(*tensor)) : std::nullopt);
    value = list;
  }
  Argument(const Argument&) = delete;
};

inline void collect(std::vector<Tensor*>& results, Tensor& result) { results.push_back(&result); }
inline void collect(std::vector<Tensor*>& results, std::vector<Tensor>& list) {
  for (Tensor& result : list)
    results.push_back(&result);
}
template <class T>
void collect(std::vector<Tensor*>&, T&) {}
template <class... T>
void collect(std::vector<Tensor*>& results, std::tuple<T...>& tuple) {
  std::apply([&](auto&... each) { (collect(results, each), ...); }, tuple);
}

template <class T>
const Tensor* first_tensor(const T& first) {
  if constexpr (std::is_same_v<T, Tensor>)
    return &first;
  else
    return nullptr;
}

// Whether an argument has a tangent of the open level; removes those of levels that ended.
bool has_tangent(const Tensor& tensor);
inline bool has_tangent(const std::optional<Tensor>& tensor) { return tensor && has_tangent(*tensor); }
template <class T>
bool has_tangent(const ListView<T>& tensors) {
  bool any = false;
  for (const auto& tensor : tensors)
    any |= has_tangent(tensor);
  return any;
}
template <class T>
bool has_tangent(const T&) {
  return false;
}

template <class Entry, class First, class... Args>
decltype(auto) run(const char* name, Entry entry, const First& first, const Args&... args) {
  using Result = decltype(entry(first, args...));
  constexpr bool in_place = std::is_reference_v<Result> || std::is_void_v<Result>;
  Run forward(name, in_place ? first_tensor(first) : nullptr);
  const ModeScope below(0, kInterposed);
  return [&](auto&&... argument) -> Result {
    forward.start();
    if constexpr (in_place) {
      entry(argument.value...);
      forward.finish({});
      if constexpr (std::is_reference_v<Result>) return first;
    } else {
      Result result = entry(argument.value...);
      std::vector<Tensor*> results;
      collect(results, result);
      forward.finish(results);
      return result;
    }
  }(Argument<First>(forward, first), Argument<Args>(forward, args)...);
}

}  // namespace forward

namespace autocast {

// What autocast does with the floating point arguments of an operator.
enum class Policy : std::uint8_t { kNone, kLower, kFloat32, kWidest };
Policy policy_of(const char* name);
Tensor cast(const Tensor& tensor, Dtype to);
void widest(const Tensor& tensor, Dtype& type);
Dtype lower_dtype();
void set_lower_dtype(Dtype type);

template <class T>
struct Argument {
  const T& value;
  Argument(Dtype, const T& original) : value(original) {}
};
template <>
struct Argument<Tensor> {
  Tensor value;
  Argument(Dtype to, const Tensor& original) : value(cast(original, to)) {}
};
template <>
struct Argument<std::optional<Tensor>> {
  std::optional<Tensor> value;
  Argument(Dtype to, const std::optional<Tensor>& original) {
    if (original) value = cast(*original, to);
  }
};
template <>
struct Argument<TensorList> {
  std::vector<Tensor> list;
  TensorList value;
  Argument(Dtype to, TensorList original) {
    for (const Tensor& tensor : original)
      list.push_back(cast(tensor, to));
    value = list;
  }
  Argument(const Argument&) = delete;
};

template <class T>
void note_widest(const T&, Dtype&) {}
inline void note_widest(const Tensor& tensor, Dtype& type) { widest(tensor, type); }
inline void note_widest(const std::optional<Tensor>& tensor, Dtype& type) {
  if (tensor) widest(*tensor, type);
}
inline void note_widest(const TensorList& tensors, Dtype& type) {
  for (const Tensor& tensor : tensors)
    widest(tensor, type);
}

}  // namespace autocast

// Shows an operator to the profiler.
class ProfilerScope {
 public:
  explicit ProfilerScope(const batching::Operation& operation, std::span<const ProfiledArgument> arguments = {});
  ~ProfilerScope() { end({}); }
  ProfilerScope(const ProfilerScope&) = delete;
  ProfilerScope& operator=(const ProfilerScope&) = delete;
  void end(std::span<const ProfiledArgument> results);

 private:
  batching::Operation operation_;
  bool shown_;
};
// While it lives, the next scope of that operator shows nothing: autocast enters an operator twice.
class ShownOnce {
 public:
  explicit ShownOnce(const char* name);
  ~ShownOnce();
  ShownOnce(const ShownOnce&) = delete;
  ShownOnce& operator=(const ShownOnce&) = delete;
};

template <class T>
std::array<ProfiledArgument, 1> results_of(const T& result) {
  return {profiled(result)};
}
template <class... T>
std::array<ProfiledArgument, sizeof...(T)> results_of(const std::tuple<T...>& results) {
  return std::apply([](const auto&... each) { return std::array<ProfiledArgument, sizeof...(T)>{profiled(each)...}; },
                    results);
}

inline Word word_of(const Tensor& tensor) { return tensor.word(); }
inline Word word_of(const std::optional<Tensor>& tensor) { return tensor ? tensor->word() : 0; }
inline Word word_of(const TensorList& tensors) {
  Word word = 0;
  for (const Tensor& tensor : tensors)
    word |= tensor.word();
  return word;
}
inline Word word_of(const OptionalTensorList& tensors) {
  Word word = 0;
  for (const auto& tensor : tensors)
    word |= word_of(tensor);
  return word;
}

template <class Entry>
auto interpose(const batching::Operation& operation, Entry entry) -> decltype(entry()) {
  const ProfilerScope scope(operation.name);
  if (batching::concerns(operation, 0)) return batching::run<decltype(entry()), Entry>(operation, {}, entry);
  const ModeScope below(0, kInterposed);
  return entry();
}

template <class Entry, class First, class... Args>
auto pass_modes(const batching::Operation& operation, std::span<const ProfiledArgument> seen, Entry entry,
                const First& first, const Args&... args) -> decltype(entry(first, args...)) {
  using Result = decltype(entry(first, args...));
  const char* const name = operation.name;
  if constexpr (!std::is_reference_v<Result> && !std::is_void_v<Result>) {
    if (thread.modes & kAutocast) {
      const autocast::Policy policy = autocast::policy_of(name);
      if (policy != autocast::Policy::kNone) {
        Dtype to = policy == autocast::Policy::kFloat32 ? Dtype::kFloat32 : autocast::lower_dtype();
        if (policy == autocast::Policy::kWidest) {
          autocast::note_widest(first, to);
          (autocast::note_widest(args, to), ...);
        }
        const ModeScope plain(0, kAutocast);
        const ShownOnce shown(name);
        return [&](auto&&... argument) -> Result { return entry(argument.value...); }(
                                           autocast::Argument<First>(to, first), autocast::Argument<Args>(to, args)...);
      }
    }
  }
  if (batching::concerns(operation, word_of(first) | (word_of(args) | ... | Word{0})))
    return batching::run<Result, Entry, First, Args...>(operation, seen, entry);
  if (forward::has_tangent(first) | (forward::has_tangent(args) | ... | false))
    return static_cast<Result>(forward::run(name, entry, first, args...));
  const ModeScope below(0, kInterposed);
  return entry(first, args...);
}

template <class Entry, class First, class... Args>
[[gnu::noinline, gnu::cold]] auto interpose(const batching::Operation& operation, Entry entry, const First& first,
                                            const Args&... args) -> decltype(entry(first, args...)) {
  using Result = decltype(entry(first, args...));
  const ProfiledArgument seen[] = {profiled(first), profiled(args)...};
  ProfilerScope scope(operation, seen);
  if constexpr (std::is_reference_v<Result> || std::is_void_v<Result>) {
    return pass_modes(operation, seen, entry, first, args...);
  } else {
    Result result = pass_modes(operation, seen, entry, first, args...);
    scope.end(results_of(result));
    return result;
  }
}
// The same for in-place entries, which return their first argument.
template <class Entry, class... Args>
decltype(auto) interpose_inplace(const batching::Operation& operation, Entry entry, const Args&... args) {
  return interpose(operation, entry, args...);
}

}  // namespace rushlight
