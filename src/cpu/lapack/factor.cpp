// Batches of matrices through LAPACK's factorisations, one matrix a task.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "cpu/lapack/library.h"
#include "ops/kernels/lapack.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using Type = T;
};
template <class T>
using Real = typename RealOf<T>::Type;
template <class T>
inline constexpr bool kComplex = !std::is_same_v<T, Real<T>>;

int narrow(std::int64_t size) {
  check(size <= std::numeric_limits<int>::max(),
        "linalg: matrices with more than 2^31 rows or columns are not supported");
  return static_cast<int>(size);
}

// The matrices of a batch in columns: rows m, columns n, element pointers.
template <class T>
struct Matrices {
  explicit Matrices(const TensorBase& columns)
      : data(columns.mutable_data<T>()),
        m(narrow(columns.size(-1))),
        n(narrow(columns.size(-2))),
        count(m && n ? columns.numel() / (static_cast<std::int64_t>(m) * n) : 0),
        lead(std::max(1, m)) {}
  T* operator[](std::int64_t b) const { return data + b * m * n; }
  T* data;
  int m, n;
  std::int64_t count;
  int lead;
};

template <class T>
T* row(const TensorBase& tensor, std::int64_t b) {
  return tensor.mutable_data<T>() + (tensor.dim() ? b * tensor.size(-1) : 0);
}

template <class Body>
void visit_linalg(Dtype type, const Body& body) {
  switch (type) {
    case Dtype::kFloat32:
      return body(float{});
    case Dtype::kFloat64:
      return body(double{});
    case Dtype::kComplex64:
      return body(ComplexFloat{});
    default:
      return body(ComplexDouble{});
  }
}

// The optimal workspace that a first call with size -1 reports in work[0].
template <class T>
int work_size(T reported) {
  return std::max(1, static_cast<int>(std::real(reported)));
}

void lu_factor(const TensorBase& a, const TensorBase& pivots, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int m = matrices.m, n = matrices.n, lead = matrices.lead;
      RL_LAPACK(T, getrf, &m, &n, matrices[b], &lead, row<int>(pivots, b), infos.mutable_data<int>() + b);
    });
  });
}

void lu_solve(const TensorBase& lu, const TensorBase& pivots, const TensorBase& b, char trans) {
  visit_linalg(lu.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> factors(lu), sides(b);
    parallel_for(sides.count, [&](std::int64_t i) {
      int n = factors.n, columns = sides.n, lead = factors.lead, lead_b = sides.lead, info = 0;
      char op = trans;
      RL_LAPACK(T, getrs, &op, &n, &columns, factors[i], &lead, row<int>(pivots, i), sides[i], &lead_b, &info);
    });
  });
}

template <class T>
void clear_triangle(T* a, int n, bool upper) {  // what the factorisation does not write
  for (int column = 0; column < n; ++column)
    for (int r = upper ? column + 1 : 0; r < (upper ? n : column); ++r)
      a[static_cast<std::int64_t>(column) * n + r] = T(0);
}

void cholesky(const TensorBase& a, bool upper, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int n = matrices.n, lead = matrices.lead;
      char side = upper ? 'U' : 'L';
      RL_LAPACK(T, potrf, &side, &n, matrices[b], &lead, infos.mutable_data<int>() + b);
      clear_triangle(matrices[b], n, upper);
    });
  });
}

void cholesky_inverse(const TensorBase& a, bool upper, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int n = matrices.n, lead = matrices.lead;
      char side = upper ? 'U' : 'L';
      T* x = matrices[b];
      RL_LAPACK(T, potri, &side, &n, x, &lead, infos.mutable_data<int>() + b);
      for (std::int64_t column = 0; column < n; ++column)
        for (std::int64_t r = 0; r < column; ++r) {
          T& above = x[column * n + r];
          T& below = x[r * n + column];
          if constexpr (kComplex<T>)
            (upper ? below : above) = std::conj(upper ? above : below);
          else
            (upper ? below : above) = upper ? above : below;
        }
    });
  });
}

void cholesky_solve(const TensorBase& a, const TensorBase& b, bool upper, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> factors(a), sides(b);
    parallel_for(sides.count, [&](std::int64_t i) {
      int n = factors.n, columns = sides.n, lead = factors.lead, lead_b = sides.lead;
      char side = upper ? 'U' : 'L';
      RL_LAPACK(T, potrs, &side, &n, &columns, factors[i], &lead, sides[i], &lead_b, infos.mutable_data<int>() + i);
    });
  });
}

void triangular_solve(const TensorBase& a, const TensorBase& b, bool left, bool upper, char trans, bool unit) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> factors(a), sides(b);
    parallel_for(sides.count, [&](std::int64_t i) {
      char side = left ? 'L' : 'R', triangle = upper ? 'U' : 'L', op = trans, diagonal = unit ? 'U' : 'N';
      int m = sides.m, n = sides.n, lead = factors.lead, lead_b = sides.lead;
      T one = T(1);
      RL_LAPACK(T, trsm, &side, &triangle, &op, &diagonal, &m, &n, &one, factors[i], &lead, sides[i], &lead_b);
    });
  });
}

void qr_factor(const TensorBase& a, const TensorBase& tau) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int m = matrices.m, n = matrices.n, lead = matrices.lead, size = -1, info = 0;
      T query{};
      RL_LAPACK(T, geqrf, &m, &n, matrices[b], &lead, row<T>(tau, b), &query, &size, &info);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      RL_LAPACK(T, geqrf, &m, &n, matrices[b], &lead, row<T>(tau, b), work.data(), &size, &info);
    });
  });
}

void qr_product(const TensorBase& a, const TensorBase& tau) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int m = matrices.m, n = matrices.n, k = narrow(tau.size(-1)), lead = matrices.lead, size = -1, info = 0;
      T query{};
      const auto run = [&](T* work) {
        if constexpr (kComplex<T>)
          RL_LAPACK(T, ungqr, &m, &n, &k, matrices[b], &lead, row<T>(tau, b), work, &size, &info);
        else
          RL_LAPACK(T, orgqr, &m, &n, &k, matrices[b], &lead, row<T>(tau, b), work, &size, &info);
      };
      run(&query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      run(work.data());
    });
  });
}

void qr_multiply(const TensorBase& a, const TensorBase& tau, const TensorBase& c, bool left, bool transpose) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> reflectors(a), targets(c);
    parallel_for(targets.count, [&](std::int64_t b) {
      int m = targets.m, n = targets.n, k = narrow(tau.size(-1)), lead = reflectors.lead, lead_c = targets.lead,
          size = -1, info = 0;
      char side = left ? 'L' : 'R', op = !transpose ? 'N' : kComplex<T> ? 'C' : 'T';
      T query{};
      const auto run = [&](T* work) {
        if constexpr (kComplex<T>)
          RL_LAPACK(T, unmqr, &side, &op, &m, &n, &k, reflectors[b], &lead, row<T>(tau, b), targets[b], &lead_c, work,
                    &size, &info);
        else
          RL_LAPACK(T, ormqr, &side, &op, &m, &n, &k, reflectors[b], &lead, row<T>(tau, b), targets[b], &lead_c, work,
                    &size, &info);
      };
      run(&query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      run(work.data());
    });
  });
}

void svd(const TensorBase& a, char job, const TensorBase& s, const TensorBase& u, const TensorBase& vh,
         const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int m = matrices.m, n = matrices.n, lead = matrices.lead, size = -1;
      const int least = std::min(m, n), most = std::max(m, n);
      int lead_u = m, lead_v = job == 'A' ? n : std::max(1, least);
      char kind = job;
      T dummy{};
      T* left = job == 'N' ? &dummy : u.mutable_data<T>() + b * u.size(-1) * u.size(-2);
      T* right = job == 'N' ? &dummy : vh.mutable_data<T>() + b * vh.size(-1) * vh.size(-2);
      std::vector<int> integers(static_cast<std::size_t>(8 * least));
      std::vector<R> reals(kComplex<T>
                               ? static_cast<std::size_t>(std::max(5 * least * least + 5 * least,
                                                                   2 * most * least + 2 * least * least + least))
                               : 1);
      int* info = infos.mutable_data<int>() + b;
      const auto run = [&](T* work) {
        if constexpr (kComplex<T>)
          RL_LAPACK(T, gesdd, &kind, &m, &n, matrices[b], &lead, row<R>(s, b), left, &lead_u, right, &lead_v, work,
                    &size, reals.data(), integers.data(), info);
        else
          RL_LAPACK(T, gesdd, &kind, &m, &n, matrices[b], &lead, row<R>(s, b), left, &lead_u, right, &lead_v, work,
                    &size, integers.data(), info);
      };
      T query{};
      run(&query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      run(work.data());
    });
  });
}

void eigh(const TensorBase& a, bool upper, bool vectors, const TensorBase& w, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int n = matrices.n, lead = matrices.lead, size = -1, real_size = -1, integer_size = -1;
      char job = vectors ? 'V' : 'N', side = upper ? 'U' : 'L';
      T query{};
      R real_query{};
      int integer_query = 0;
      int* info = infos.mutable_data<int>() + b;
      const auto run = [&](T* work, R* reals, int* integers) {
        if constexpr (kComplex<T>)
          RL_LAPACK(T, heevd, &job, &side, &n, matrices[b], &lead, row<R>(w, b), work, &size, reals, &real_size,
                    integers, &integer_size, info);
        else
          RL_LAPACK(T, syevd, &job, &side, &n, matrices[b], &lead, row<R>(w, b), work, &size, integers, &integer_size,
                    info);
      };
      run(&query, &real_query, &integer_query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      std::vector<R> reals(static_cast<std::size_t>(real_size = std::max(1, static_cast<int>(real_query))));
      std::vector<int> integers(static_cast<std::size_t>(integer_size = std::max(1, integer_query)));
      run(work.data(), reals.data(), integers.data());
    });
  });
}

// LAPACK gives a conjugate pair of a real matrix as two columns: real and imaginary part.
template <class R>
void unpack_pairs(int n, const R* re, const R* im, const R* packed, std::complex<R>* w, std::complex<R>* vectors) {
  for (int j = 0; j < n; ++j)
    w[j] = {re[j], im[j]};
  if (!vectors) return;
  for (int j = 0; j < n; ++j) {
    const bool pair = im[j] != 0 && j + 1 < n;
    for (int i = 0; i < n; ++i) {
      const R x = packed[static_cast<std::int64_t>(j) * n + i],
              y = pair ? packed[static_cast<std::int64_t>(j + 1) * n + i] : R(0);
      vectors[static_cast<std::int64_t>(j) * n + i] = {x, y};
      if (pair) vectors[static_cast<std::int64_t>(j + 1) * n + i] = {x, -y};
    }
    j += pair;
  }
}

void eig(const TensorBase& a, bool with_vectors, const TensorBase& w, const TensorBase& vectors,
         const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    using C = std::complex<R>;
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int n = matrices.n, lead = matrices.lead, size = -1, one = 1;
      char no = 'N', job = with_vectors ? 'V' : 'N';
      int* info = infos.mutable_data<int>() + b;
      C* values = row<C>(w, b);
      C* out = with_vectors ? vectors.mutable_data<C>() + b * n * n : nullptr;
      T query{}, dummy{};
      if constexpr (kComplex<T>) {
        std::vector<R> reals(static_cast<std::size_t>(2 * n));
        int lead_v = std::max(1, n);
        const auto run = [&](T* work) {
          RL_LAPACK(T, geev, &no, &job, &n, matrices[b], &lead, values, &dummy, &one, with_vectors ? out : &dummy,
                    &lead_v, work, &size, reals.data(), info);
        };
        run(&query);
        std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
        run(work.data());
      } else {
        std::vector<T> re(static_cast<std::size_t>(n)), im(static_cast<std::size_t>(n)),
            packed(with_vectors ? static_cast<std::size_t>(n) * static_cast<std::size_t>(n) : 1);
        int lead_v = std::max(1, n);
        const auto run = [&](T* work) {
          RL_LAPACK(T, geev, &no, &job, &n, matrices[b], &lead, re.data(), im.data(), &dummy, &one, packed.data(),
                    &lead_v, work, &size, info);
        };
        run(&query);
        std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
        run(work.data());
        unpack_pairs(n, re.data(), im.data(), packed.data(), values, out);
      }
    });
  });
}

void ldl_factor(const TensorBase& a, bool hermitian, const TensorBase& pivots, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> matrices(a);
    parallel_for(matrices.count, [&](std::int64_t b) {
      int n = matrices.n, lead = matrices.lead, size = -1;
      char side = 'L';
      int* info = infos.mutable_data<int>() + b;
      T query{};
      const auto run = [&](T* work) {
        if constexpr (kComplex<T>)
          if (hermitian)
            return RL_LAPACK(T, hetrf, &side, &n, matrices[b], &lead, row<int>(pivots, b), work, &size, info);
        RL_LAPACK(T, sytrf, &side, &n, matrices[b], &lead, row<int>(pivots, b), work, &size, info);
      };
      run(&query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      run(work.data());
    });
  });
}

void ldl_solve(const TensorBase& a, bool hermitian, const TensorBase& pivots, const TensorBase& b) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const Matrices<T> factors(a), sides(b);
    parallel_for(sides.count, [&](std::int64_t i) {
      int n = factors.n, columns = sides.n, lead = factors.lead, lead_b = sides.lead, info = 0;
      char side = 'L';
      if constexpr (kComplex<T>)
        if (hermitian)
          return RL_LAPACK(T, hetrs, &side, &n, &columns, factors[i], &lead, row<int>(pivots, i), sides[i], &lead_b,
                           &info);
      RL_LAPACK(T, sytrs, &side, &n, &columns, factors[i], &lead, row<int>(pivots, i), sides[i], &lead_b, &info);
    });
  });
}

void lstsq(const TensorBase& a, const TensorBase& b, double rcond, char driver, const TensorBase& ranks,
           const TensorBase& s, const TensorBase& infos) {
  visit_linalg(a.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    const Matrices<T> matrices(a), sides(b);
    parallel_for(matrices.count, [&](std::int64_t i) {
      int m = matrices.m, n = matrices.n, columns = sides.n, lead = matrices.lead, lead_b = sides.lead, size = -1,
          rank = 0;
      R condition = static_cast<R>(rcond), real_query{};
      int integer_query = 0;
      char no = 'N';
      int* info = infos.mutable_data<int>() + i;
      std::vector<R> values(static_cast<std::size_t>(std::min(m, n) + 1)),
          reals(static_cast<std::size_t>(std::max({5 * std::min(m, n), 2 * n, 1})));
      std::vector<int> integers(static_cast<std::size_t>(std::max(n, 1)));
      T query{};
      const auto run = [&](T* work, R* more, int* whole) {
        if (driver == 'n')
          return RL_LAPACK(T, gels, &no, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, work, &size, info);
        if constexpr (kComplex<T>) {
          if (driver == 'y')
            return RL_LAPACK(T, gelsy, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, integers.data(),
                             &condition, &rank, work, &size, reals.data(), info);
          if (driver == 's')
            return RL_LAPACK(T, gelss, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, values.data(),
                             &condition, &rank, work, &size, reals.data(), info);
          RL_LAPACK(T, gelsd, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, values.data(), &condition, &rank,
                    work, &size, more, whole, info);
        } else {
          if (driver == 'y')
            return RL_LAPACK(T, gelsy, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, integers.data(),
                             &condition, &rank, work, &size, info);
          if (driver == 's')
            return RL_LAPACK(T, gelss, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, values.data(),
                             &condition, &rank, work, &size, info);
          RL_LAPACK(T, gelsd, &m, &n, &columns, matrices[i], &lead, sides[i], &lead_b, values.data(), &condition, &rank,
                    work, &size, whole, info);
        }
      };
      run(&query, &real_query, &integer_query);
      std::vector<T> work(static_cast<std::size_t>(size = work_size(query)));
      std::vector<R> more(static_cast<std::size_t>(std::max(1, static_cast<int>(real_query))));
      std::vector<int> whole(static_cast<std::size_t>(std::max(1, integer_query)));
      run(work.data(), more.data(), whole.data());
      if (ranks.numel()) ranks.mutable_data<std::int64_t>()[i] = rank;
      if (s.numel()) std::copy_n(values.begin(), std::min(m, n), row<R>(s, i));
    });
  });
}

}  // namespace

#define RL_DEFINE(name) \
  constinit const decltype(name##_kernel) name##_kernel { name }
RL_DEFINE(lu_factor);
RL_DEFINE(lu_solve);
RL_DEFINE(cholesky);
RL_DEFINE(cholesky_inverse);
RL_DEFINE(cholesky_solve);
RL_DEFINE(triangular_solve);
RL_DEFINE(qr_factor);
RL_DEFINE(qr_product);
RL_DEFINE(qr_multiply);
RL_DEFINE(svd);
RL_DEFINE(eigh);
RL_DEFINE(eig);
RL_DEFINE(ldl_factor);
RL_DEFINE(ldl_solve);
RL_DEFINE(lstsq);
#undef RL_DEFINE

}  // namespace rushlight
