// Losses with class indices: negative log likelihood and cross-entropy, with the derivative of the latter.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/class_loss.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <cmath>

#include "cpu/reduce/exp-inl.h"
#include "cpu/reduce/row-inl.h"
#include "ops/kernels/class_loss.h"

#ifndef RL_CLASS_LOSS_TABLE
#define RL_CLASS_LOSS_TABLE
namespace rushlight::cpu {
struct CrossEntropyFunctions {
  void (*lse)(const void* x, void* lse, Index r0, Index r1, Index n);
  void (*backward)(const void* x, const void* lse, const void* coefficient, const Index* target, Index ignored,
                   void* dx, Index r0, Index r1, Index n);
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class A>
struct CrossEntropy {
  static void lse(const void* x, void* out, Index r0, Index r1, Index n) {
    const A* from = static_cast<const A*>(x);
    A next = row_max<A>(from + r0 * n, n);
    for (Index r = r0; r < r1; ++r) {
      const A max = next;
      if (r + 1 < r1) next = row_max<A>(from + (r + 1) * n, n);  // hides the latency of the fold
      static_cast<A*>(out)[r] = max + std::log(sum_exp<A>(from + r * n, n, max));
    }
  }
  static void backward(const void* x, const void* lse, const void* coefficient, const Index* target, Index ignored,
                       void* dx, Index r0, Index r1, Index n) {
    const Tag<A> d;
    for (Index r = r0; r < r1; ++r) {
      const A* p = static_cast<const A*>(x) + r * n;
      A* to = static_cast<A*>(dx) + r * n;
      const A c = static_cast<const A*>(coefficient)[r];
      const auto m = hn::Set(d, static_cast<const A*>(lse)[r]), s = hn::Set(d, c);
      map_row<A>(n, to,
                 [=](Index i, auto load) HWY_ATTR { return hn::Mul(exp_vector(d, hn::Sub(load(p + i), m)), s); });
      if (target[r] != ignored) to[target[r]] -= c;
    }
  }
  static constexpr CrossEntropyFunctions kAll = {lse, backward};
};

}  // namespace

const CrossEntropyFunctions* cross_entropy_functions(Dtype dtype) {
  return dtype == Dtype::kFloat64 ? &CrossEntropy<double>::kAll : &CrossEntropy<float>::kAll;
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const CrossEntropyFunctions*(Dtype)> kCrossEntropy =
    RL_SIMD_TABLE(cross_entropy_functions);

void check_targets(const TensorBase& target, Index classes, Index ignored) {
  const Index* t = target.data<Index>();
  for (Index i = 0; i < target.numel(); ++i)
    check<IndexError>(t[i] == ignored || (t[i] >= 0 && t[i] < classes), "nll_loss: Target ", t[i],
                      " is out of bounds for ", classes, " classes");
}

// pick(i, target): the loss of position i before its weight.
template <class A, class Pick>
void weigh(const TensorBase& losses, const TensorBase& weights, const TensorBase& target, const TensorBase& weight,
           Index ignored, const Pick& pick) {
  const Index* t = target.data<Index>();
  const A* w = weight.defined() ? weight.data<A>() : nullptr;
  A *loss = losses.mutable_data<A>(), *counted = weights.mutable_data<A>();
  parallel_ranges(target.numel(), 4096, [&](Index i0, Index i1) {
    for (Index i = i0; i < i1; ++i) {
      const bool in = t[i] != ignored;
      counted[i] = !in ? A{0} : w ? w[t[i]] : A{1};
      loss[i] = in ? counted[i] * pick(i, t[i]) : A{0};
    }
  });
}

template <class Body>
void visit_real(Dtype dtype, const Body& body) {
  if (dtype == Dtype::kFloat64)
    body(double{});
  else
    body(float{});
}

void nll(const TensorBase& losses, const TensorBase& weights, const TensorBase& in, const TensorBase& target,
         const TensorBase& weight, std::int64_t ignored) {
  const Index classes = in.impl()->sizes()[1], inner = in.impl()->sizes()[2];
  check_targets(target, classes, ignored);
  visit_real(in.dtype(), [&](auto zero) {
    using A = decltype(zero);
    const A* x = in.data<A>();
    weigh<A>(losses, weights, target, weight, ignored,
             [=](Index i, Index t) { return -x[(i / inner * classes + t) * inner + i % inner]; });
  });
}

void cross_entropy(const TensorBase& losses, const TensorBase& weights, const TensorBase& lse, const TensorBase& in,
                   const TensorBase& target, const TensorBase& weight, std::int64_t ignored) {
  const Index rows = in.impl()->sizes()[0], n = in.impl()->sizes()[1];
  check_targets(target, n, ignored);
  if (rows == 0 || n == 0) return;
  const auto f = kCrossEntropy(in.dtype())->lse;
  for_rows(rows, n, [&](Index r0, Index r1) { f(in.data(), lse.mutable_data(), r0, r1, n); });
  visit_real(in.dtype(), [&](auto zero) {
    using A = decltype(zero);
    const A *x = in.data<A>(), *l = lse.data<A>();
    weigh<A>(losses, weights, target, weight, ignored, [=](Index i, Index t) { return l[i] - x[i * n + t]; });
  });
}

void cross_entropy_backward(const TensorBase& grad_in, const TensorBase& coefficient, const TensorBase& in,
                            const TensorBase& target, const TensorBase& lse, std::int64_t ignored) {
  const Index rows = in.impl()->sizes()[0], n = in.impl()->sizes()[1];
  if (in.numel() == 0) return;
  const auto f = kCrossEntropy(in.dtype())->backward;
  for_rows(rows, n, [&](Index r0, Index r1) {
    f(in.data(), lse.data(), coefficient.data(), target.data<Index>(), ignored, grad_in.mutable_data(), r0, r1, n);
  });
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  std::int64_t)>
    nll_kernel(cpu::nll);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  const TensorBase&, std::int64_t)>
    cross_entropy_kernel(cpu::cross_entropy);
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&,
                  std::int64_t)>
    cross_entropy_backward_kernel(cpu::cross_entropy_backward);
}  // namespace rushlight
#endif
