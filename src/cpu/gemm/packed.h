// A right-hand matrix that is packed once and multiplied many times, such as the recurrent weights of a layer.
#pragma once
#include "cpu/gemm/buffer.h"
#include "cpu/gemm/gemm.h"

namespace rushlight::gemm {

template <class T>
class PackedMatrix {
 public:
  PackedMatrix(Index k, Index n, View<T> b);
  // C(m, n) = A(m, k) * B (+ C) (+ a bias of every column). Large products use the thread pool; the result does not
  // depend on it, nor on how the rows are cut into calls.
  void multiply(Index m, View<T> a, T* c, Index ldc, bool add, const T* col_bias = nullptr) const;

 private:
  Index k_, n_;
  Buffer<T> panels_;
};

extern template class PackedMatrix<float>;
extern template class PackedMatrix<double>;

}  // namespace rushlight::gemm
