// Matrix products of every dtype on the float32 and float64 engine: half types through float32
// copies, complex types as four real products, integers by plain loops.
#include "ops/kernels/product.h"

#include <algorithm>

#include "cpu/gemm/bfloat16.h"
#include "cpu/gemm/buffer.h"
#include "cpu/gemm/gemm.h"
#include "cpu/pointwise/convert.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

using gemm::Epilogue;
using gemm::Index;
using gemm::View;

// One matrix of a batch.
template <class T>
struct Matrix {
  T* p;
  Index rs, cs;
  T& at(Index i, Index j) const { return p[i * rs + j * cs]; }
};

struct Shape {
  Index m, n, k;
};

std::int64_t stride_of(const TensorBase& t, std::int64_t from_end) {
  return t.strides()[static_cast<std::size_t>(t.dim() - from_end)];
}

template <class T>
Matrix<T> matrix(const TensorBase& t, Index batch) {
  T* p = t.mutable_data<T>();
  if (t.dim() == 3) p += batch * stride_of(t, 3);
  return {p, stride_of(t, 2), stride_of(t, 1)};
}

// f(batch) in groups that are worth a task. A single matrix may use the whole pool itself.
template <class F>
void for_each_matrix(const TensorBase& out, const Shape& s, const F& f) {
  const Index batch = out.dim() == 3 ? out.sizes()[0] : 1;
  const Index work = std::max<Index>(1, s.m * s.n * std::max<Index>(1, s.k));
  parallel_ranges(batch, std::max<Index>(1, (Index{1} << 19) / work), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      f(i);
  });
}

// c = alpha * c + beta * self, or c = beta * self where `alpha` is not given.
template <class T>
void combine(const Shape& s, T* c, const Matrix<const T>& self, T alpha, T beta, bool scale) {
  for (Index i = 0; i < s.m; ++i)
    for (Index j = 0; j < s.n; ++j) {
      const T added = beta * self.at(i, j);
      c[i * s.n + j] = scale ? alpha * c[i * s.n + j] + added : added;
    }
}

template <class T>
void real_product(const Shape& s, const Matrix<const T>& a, const Matrix<const T>& b, T* c, const Matrix<const T>* self,
                  T beta, T alpha) {
  Epilogue<T> ep;
  bool add = false;
  if (self && alpha == 1 && beta == 1 && self->rs == 0 && (self->cs == 1 || s.n == 1)) {
    ep.col_bias = self->p;
  } else if (self && alpha == 1) {
    combine(s, c, *self, alpha, beta, false);
    add = true;
  }
  gemm::gemm(s.m, s.n, s.k, View<T>{a.p, a.rs, a.cs}, View<T>{b.p, b.rs, b.cs}, c, s.n, add, ep);
  if (alpha == 1) return;
  if (self) return combine(s, c, *self, alpha, beta, true);
  for (Index i = 0; i < s.m * s.n; ++i)
    c[i] *= alpha;
}

template <class T>
void product_of(const Shape& s, const TensorBase& out, const TensorBase& a, const TensorBase& b, const TensorBase& self,
                const Scalar& beta, const Scalar& alpha) {
  for_each_matrix(out, s, [&](Index i) {
    Matrix<const T> added{};
    if (self.defined()) added = matrix<const T>(self, i);
    real_product<T>(s, matrix<const T>(a, i), matrix<const T>(b, i), matrix<T>(out, i).p,
                    self.defined() ? &added : nullptr, beta.to<T>(), alpha.to<T>());
  });
}

// A dense row-major float32 copy, in the order of memory where the source is transposed.
template <class T>
Matrix<const float> widen(const Matrix<const T>& from, Index rows, Index columns, float* to) {
  if (from.rs == 1 && from.cs != 1) {
    widen(Matrix<const T>{from.p, from.cs, 1}, columns, rows, to);
    return {to, 1, rows};
  }
  for (Index i = 0; i < rows; ++i) {
    if (from.cs == 1) {
      pointwise::convert(kDtypeOf<T>, Dtype::kFloat32, from.p + i * from.rs, to + i * columns, columns);
      continue;
    }
    for (Index j = 0; j < columns; ++j)
      to[i * columns + j] = static_cast<float>(from.at(i, j));
  }
  return {to, columns, 1};
}

// By the processor's own instruction for bfloat16, where it has one; tells whether it has.
template <class T, class Out>
bool own_product(const Shape& s, const Matrix<const T>& a, const Matrix<const T>& b, Out* c) {
  if constexpr (std::is_same_v<T, BFloat16>) {
    if (s.k == 0 || !gemm::has_bfloat16()) return false;
    gemm::gemm_bfloat16(s.m, s.n, s.k, View<T>{a.p, a.rs, a.cs}, View<T>{b.p, b.rs, b.cs}, c);
    return true;
  }
  return false;
}

template <class T>
void half_product(const Shape& s, const TensorBase& out, const TensorBase& a, const TensorBase& b,
                  const TensorBase& self, const Scalar& beta, const Scalar& alpha) {
  for_each_matrix(out, s, [&](Index i) {
    const float scale = alpha.to<float>(), weight = beta.to<float>();
    T* const c = matrix<T>(out, i).p;
    const Matrix<const T> a_i = matrix<const T>(a, i), b_i = matrix<const T>(b, i);
    const bool plain = scale == 1 && !self.defined();
    if (plain && own_product(s, a_i, b_i, c)) return;
    const Buffer<float> wide_c(s.m * s.n);
    if (!own_product(s, a_i, b_i, wide_c.get())) {
      const Buffer<float> wide_a(s.m * s.k), wide_b(s.k * s.n);
      real_product<float>(s, widen(a_i, s.m, s.k, wide_a.get()), widen(b_i, s.k, s.n, wide_b.get()), wide_c.get(),
                          nullptr, 0, 1);
    }
    Matrix<const T> added{};
    if (self.defined()) added = matrix<const T>(self, i);
    const Buffer<float> beside(s.n);
    for (Index row = 0; row < s.m; ++row) {
      float* const sums = wide_c.get() + row * s.n;
      if (scale != 1)
        for (Index col = 0; col < s.n; ++col)
          sums[col] *= scale;
      if (self.defined()) {
        widen(Matrix<const T>{&added.at(row, 0), 0, added.cs}, 1, s.n, beside.get());
        for (Index col = 0; col < s.n; ++col)
          sums[col] += weight * beside[col];
      }
      pointwise::convert(Dtype::kFloat32, kDtypeOf<T>, sums, c + row * s.n, s.n);
    }
  });
}

// Real and imaginary parts of A are read in place by doubled strides; those of B are copied apart.
template <class T>
void complex_product(const Shape& s, const TensorBase& out, const TensorBase& a, const TensorBase& b,
                     const TensorBase& self, const Scalar& beta, const Scalar& alpha) {
  using C = std::complex<T>;
  const C scale = alpha.to<C>(), weight = beta.to<C>();
  for_each_matrix(out, s, [&](Index i) {
    const Index size = s.k * s.n, area = s.m * s.n;
    const Buffer<T> parts(3 * size), sums(2 * area);
    T *const real = parts.get(), *const imag = real + size, *const minus = imag + size;
    const Matrix<const C> bv = matrix<const C>(b, i), av = matrix<const C>(a, i);
    const bool by_columns = bv.rs == 1 && bv.cs != 1;  // keep the order of memory
    const Index outer = by_columns ? s.n : s.k, inner = by_columns ? s.k : s.n;
    for (Index x = 0; x < outer; ++x)
      for (Index y = 0; y < inner; ++y) {
        const C value = by_columns ? bv.at(y, x) : bv.at(x, y);
        real[x * inner + y] = value.real();
        imag[x * inner + y] = value.imag();
        minus[x * inner + y] = -value.imag();
      }
    const Index rs = by_columns ? 1 : s.n, cs = by_columns ? s.k : 1;
    const T* const base = reinterpret_cast<const T*>(av.p);
    const View<T> a_real{base, 2 * av.rs, 2 * av.cs}, a_imag{base + 1, 2 * av.rs, 2 * av.cs};
    T *const c_real = sums.get(), *const c_imag = c_real + area;
    gemm::gemm(s.m, s.n, s.k, a_real, View<T>{real, rs, cs}, c_real, s.n);
    gemm::gemm(s.m, s.n, s.k, a_imag, View<T>{minus, rs, cs}, c_real, s.n, true);
    gemm::gemm(s.m, s.n, s.k, a_real, View<T>{imag, rs, cs}, c_imag, s.n);
    gemm::gemm(s.m, s.n, s.k, a_imag, View<T>{real, rs, cs}, c_imag, s.n, true);
    C* const c = matrix<C>(out, i).p;
    Matrix<const C> added{};
    if (self.defined()) added = matrix<const C>(self, i);
    for (Index row = 0; row < s.m; ++row)
      for (Index col = 0; col < s.n; ++col) {
        C value(c_real[row * s.n + col], c_imag[row * s.n + col]);
        if (scale != C(1)) value *= scale;
        if (self.defined()) value += weight == C(1) ? added.at(row, col) : weight * added.at(row, col);
        c[row * s.n + col] = value;
      }
  });
}

template <class T>
void integer_product(const Shape& s, const TensorBase& out, const TensorBase& a, const TensorBase& b,
                     const TensorBase& self, const Scalar& beta, const Scalar& alpha) {
  using U = std::make_unsigned_t<T>;  // products wrap
  using W = std::conditional_t<(sizeof(T) < 4), std::uint32_t, U>;
  const W scale = static_cast<W>(alpha.to<T>()), weight = static_cast<W>(beta.to<T>());
  for_each_matrix(out, s, [&](Index i) {
    const Matrix<const T> av = matrix<const T>(a, i), bv = matrix<const T>(b, i);
    T* const c = matrix<T>(out, i).p;
    const Buffer<W> row(s.n);
    for (Index x = 0; x < s.m; ++x) {
      std::fill_n(row.get(), s.n, W(0));
      for (Index z = 0; z < s.k; ++z) {
        const W factor = static_cast<W>(av.at(x, z));
        for (Index y = 0; y < s.n; ++y)
          row[y] += factor * static_cast<W>(bv.at(z, y));
      }
      for (Index y = 0; y < s.n; ++y) {
        W value = scale * row[y];
        if (self.defined()) value += weight * static_cast<W>(matrix<const T>(self, i).at(x, y));
        c[x * s.n + y] = static_cast<T>(value);
      }
    }
  });
}

void product(const TensorBase& out, const TensorBase& a, const TensorBase& b, const TensorBase& self,
             const Scalar& beta, const Scalar& alpha) {
  const Shape s{out.size(-2), out.size(-1), a.size(-1)};
  const bool ignored = beta.is_zero();
  const TensorBase none;
  const TensorBase& added = ignored ? none : self;
  if (out.numel() == 0) return;
  switch (out.dtype()) {
    case Dtype::kFloat32:
      return product_of<float>(s, out, a, b, added, beta, alpha);
    case Dtype::kFloat64:
      return product_of<double>(s, out, a, b, added, beta, alpha);
    case Dtype::kFloat16:
      return half_product<Half>(s, out, a, b, added, beta, alpha);
    case Dtype::kBFloat16:
      return half_product<BFloat16>(s, out, a, b, added, beta, alpha);
    case Dtype::kComplex64:
      return complex_product<float>(s, out, a, b, added, beta, alpha);
    case Dtype::kComplex128:
      return complex_product<double>(s, out, a, b, added, beta, alpha);
    case Dtype::kUInt8:
      return integer_product<std::uint8_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kInt8:
      return integer_product<std::int8_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kInt16:
      return integer_product<std::int16_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kInt32:
      return integer_product<std::int32_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kInt64:
      return integer_product<std::int64_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kUInt16:
      return integer_product<std::uint16_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kUInt32:
      return integer_product<std::uint32_t>(s, out, a, b, added, beta, alpha);
    case Dtype::kUInt64:
      return integer_product<std::uint64_t>(s, out, a, b, added, beta, alpha);
    default:  // refused by the operators
      return;
  }
}

}  // namespace

const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const Scalar&,
                  const Scalar&)>
    product_kernel{product};

}  // namespace rushlight
