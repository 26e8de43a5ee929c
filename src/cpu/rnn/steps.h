// What the two passes over the steps of a recurrent layer share.
#pragma once
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "cpu/gemm/packed.h"
#include "ops/kernels/rnn.h"
#include "rushlight/parallel.h"

namespace rushlight::rnn {

using Index = std::ptrdiff_t;

// Where the rows of the steps are. Sequences are independent, so that tasks take some of them through all steps.
class Steps {
 public:
  explicit Steps(const RnnLayer& layer)
      : batch_sizes_(layer.batch_sizes), reverse_(layer.reverse), batch_(layer.hx.sizes()[0]) {
    first_.reserve(count() + 1);
    first_.push_back(0);
    for (const Index rows : batch_sizes_)
      first_.push_back(first_.back() + rows);
    // By shape alone: two million multiplications are worth a task, and eight rows fill a tile of the product.
    const Index work = first_.back() * layer.w_hh.numel();
    tasks_ = std::clamp<Index>(work >> 21, 1, std::max<Index>(1, (batch_ + 7) / 8));
  }
  std::size_t count() const { return batch_sizes_.size(); }
  Index batch() const { return batch_; }
  Index first(std::size_t step) const { return first_[step]; }
  // The step at a place of the order in which the layer runs.
  std::size_t at(std::size_t place) const { return reverse_ ? count() - 1 - place : place; }
  // How many of the sequences [begin, end) take part in a step, or in the one that ran before it.
  Index active(std::size_t step, Index begin, Index end) const {
    return std::max<Index>(0, std::min<Index>(end, batch_sizes_[step]) - begin);
  }
  bool has_before(std::size_t step) const { return reverse_ ? step + 1 < count() : step > 0; }
  std::size_t before(std::size_t step) const { return reverse_ ? step + 1 : step - 1; }
  // body(begin, end) over the sequences.
  template <class Body>
  void for_sequences(const Body& body) const {
    parallel_for(tasks_, [&](Index task) { body(batch_ * task / tasks_, batch_ * (task + 1) / tasks_); });
  }

 private:
  IntArray batch_sizes_;
  bool reverse_;
  Index batch_, tasks_;
  std::vector<Index> first_;
};

// The right-hand matrix of the products of all steps; packed where there are several.
template <class T>
class StepMatrix {
 public:
  StepMatrix(Index k, Index n, gemm::View<T> b, std::size_t steps) : k_(k), n_(n), b_(b) {
    if (steps > 1) packed_.emplace(k, n, b);
  }
  void multiply(Index rows, const T* a, T* c, Index ldc, bool add, const T* bias = nullptr) const {
    const gemm::View<T> left{a, k_, 1};
    if (packed_)
      packed_->multiply(rows, left, c, ldc, add, bias);
    else
      gemm::gemm(rows, n_, k_, left, b_, c, ldc, add, gemm::Epilogue<T>{nullptr, bias});
  }

 private:
  Index k_, n_;
  gemm::View<T> b_;
  std::optional<gemm::PackedMatrix<T>> packed_;
};

template <class T>
T* row_of(const TensorBase& matrix, Index row) {
  return matrix.mutable_data<T>() + row * matrix.sizes()[1];
}
template <class T>
void copy_rows(T* to, const T* from, Index rows, Index width) {
  if (rows > 0 && to != from) std::memcpy(to, from, static_cast<std::size_t>(rows * width) * sizeof(T));
}

}  // namespace rushlight::rnn
