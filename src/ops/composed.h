// Tensors made of other tensors (sparse ones): their parts, and what entry functions call for them.
//
// An entry tests `word & kComposed` and calls, instead of its kernel, the function that the catalogue names for
// sparse operands; recording stays as it is.
#pragma once
#include <functional>

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
