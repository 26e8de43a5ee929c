// Tensors made of other tensors (sparse ones): their parts, and what entry functions call for them.
//
// An entry tests `word & kComposed` and calls, instead of its kernel, the function that the catalogue names for
// sparse operands; recording stays as it is.
#pragma once
#include <algorithm>
#include <functional>
#include <optional>

#include "rushlight/tensor.h"

namespace rushlight {

inline constexpr Word kCompressed = 1u << 18;  // with kSparse: rows or columns are compressed

// What a composed tensor is made of; a new header over the same tensors (detach) takes a clone.
struct ComposedParts : TensorParts {
  virtual TensorParts* clone() const = 0;
};

// The layout that an option asks for, in the terms of `word`.
inline Word word_of(const TensorOptions& options) {
  return options.layout() == Layout::kStrided  ? 0
         : options.layout() == Layout::kSparse ? kSparse
                                               : kSparse | kCompressed;
}

// No kernel of `op` computes with such tensors.
[[noreturn, gnu::cold]] void refuse_composed(Word word, const char* op);
template <class Result>
[[noreturn, gnu::cold]] Result refuse_composed(Word word, const char* op) {
  refuse_composed(word, op);
}
// No kernel of `op` computes with a dtype that is only stored, which one of the tensors has.
[[noreturn, gnu::cold]] void refuse_dtype(const char* op, Dtype type);
inline Dtype stored_dtype(const TensorBase& tensor) { return tensor.defined() ? tensor.dtype() : Dtype::kBool; }
inline Dtype stored_dtype(const std::optional<Tensor>& tensor) { return tensor ? stored_dtype(*tensor) : Dtype::kBool; }
template <class List>
  requires requires(const List& list) { list.begin(); }
Dtype stored_dtype(const List& tensors) {
  for (const auto& tensor : tensors)
    if (const Dtype type = stored_dtype(tensor); is_stored_only(type)) return type;
  return Dtype::kBool;
}
template <class Result, class... Operands>
[[noreturn, gnu::cold, gnu::noinline]] Result refuse_dtype(const char* op, const Operands&... operands) {
  refuse_dtype(op, std::max({stored_dtype(operands)...}));
}
// `op` needs the memory of `tensor`, which has none of its own.
[[noreturn, gnu::cold]] void refuse_memory(const TensorBase& tensor, const char* op);
inline void need_memory(const TensorBase& tensor, const char* op) {
  if (tensor.word() & kComposed) [[unlikely]]
    refuse_memory(tensor, op);
}

// A header without memory that owns `parts`; `word` holds the dtype and the flag that says what they are.
Tensor make_composed(TensorParts* parts, IntArray sizes, Word word);
// In place: `self` takes the elements of a result that was computed apart.
void store_composed(const Tensor& self, const Tensor& value, const char* name);

// `function` of the values of a sparse tensor, under its pattern: for operators that map zero to zero.
Tensor sparse_values(const Tensor& self, const std::function<Tensor(const Tensor&)>& function);

}  // namespace rushlight
