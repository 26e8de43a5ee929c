// The product of two matrices: C(m, n) = A(m, k) * B(k, n) (+ C), with a fused bias.
#pragma once
#include <cstddef>

namespace rushlight::gemm {

using Index = std::ptrdiff_t;

// A read-only matrix: element (i, j) is p[i * rs + j * cs]. A transpose swaps the strides.
template <class T>
struct View {
  const T* p;
  Index rs, cs;
};

template <class T>
struct Epilogue {
  const T* row_bias = nullptr;  // one value a row of C (convolution)
  const T* col_bias = nullptr;  // one value a column of C (linear)
};

// How B is read: by the choice of the engine, or, for tests, packed, in place by rows, in place by
// columns. A path that the strides do not allow falls back to the packed one.
enum class Path { kAny, kPacked, kDirect, kDot };

// `add` keeps what C holds; otherwise C is overwritten, whatever it holds. Large products use the
// thread pool.
void gemm(Index m, Index n, Index k, View<float> a, View<float> b, float* c, Index ldc, bool add = false,
          const Epilogue<float>& ep = {}, Path path = Path::kAny);
void gemm(Index m, Index n, Index k, View<double> a, View<double> b, double* c, Index ldc, bool add = false,
          const Epilogue<double>& ep = {}, Path path = Path::kAny);

}  // namespace rushlight::gemm
