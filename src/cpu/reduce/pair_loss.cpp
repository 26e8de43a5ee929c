// Losses between an input and a target: their sum in one pass, their derivative in another.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/pair_loss.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <vector>

#include "cpu/pointwise/functions-inl.h"
#include "cpu/reduce/row-inl.h"
#include "ops/kernels/pair_loss.h"

#ifndef RL_PAIR_LOSS_TABLE
#define RL_PAIR_LOSS_TABLE
namespace rushlight::cpu {
// Functions for one dtype and kind.
struct PairLossFunctions {
  double (*sum)(const void* x, const void* y, Index n, double parameter);
  void (*gradient)(const void* x, const void* y, void* dx, Index n, double parameter, double factor, Write write);
};
}  // namespace rushlight::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {
namespace vm = pointwise::HWY_NAMESPACE::vm;

template <class D>
HWY_INLINE hn::Vec<D> constant(D d, double value) {
  return hn::Set(d, static_cast<hn::TFromD<D>>(value));
}

// Each has loss(d, x, y, parameter) and slope(d, x, y, parameter), the derivative by x. A NaN takes the branch whose
// result is NaN.
struct Squared {
  template <class D, class V>
  static HWY_INLINE V loss(D, V x, V y, V) {
    const V e = hn::Sub(x, y);
    return hn::Mul(e, e);
  }
  template <class D, class V>
  static HWY_INLINE V slope(D, V x, V y, V) {
    const V e = hn::Sub(x, y);
    return hn::Add(e, e);
  }
};
struct SmoothL1 {
  template <class D, class V>
  static HWY_INLINE V loss(D d, V x, V y, V beta) {
    const V z = hn::Abs(hn::Sub(x, y)), half = constant(d, 0.5);
    return hn::IfThenElse(hn::Lt(z, beta), hn::Div(hn::Mul(half, hn::Mul(z, z)), beta), hn::NegMulAdd(half, beta, z));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V y, V beta) {
    const V e = hn::Sub(x, y);
    return hn::IfThenElse(hn::Ge(hn::Abs(e), beta), hn::CopySign(constant(d, 1), e), hn::Div(e, beta));
  }
};
struct Huber {
  template <class D, class V>
  static HWY_INLINE V loss(D d, V x, V y, V delta) {
    const V z = hn::Abs(hn::Sub(x, y)), half = constant(d, 0.5);
    return hn::IfThenElse(hn::Le(z, delta), hn::Mul(half, hn::Mul(z, z)),
                          hn::Mul(delta, hn::NegMulAdd(half, delta, z)));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D, V x, V y, V delta) {
    const V e = hn::Sub(x, y);
    return hn::IfThenElse(hn::Gt(hn::Abs(e), delta), hn::CopySign(delta, e), e);
  }
};
struct Logits {
  template <class D, class V>
  static HWY_INLINE V loss(D d, V x, V y, V) {
    const V left = hn::Mul(hn::Sub(constant(d, 1), y), x);
    return hn::Add(left, vm::LogOnePlusExp(d, hn::Neg(x)));
  }
  template <class D, class V>
  static HWY_INLINE V slope(D d, V x, V y, V) {
    return hn::Sub(vm::Sigmoid(d, x), y);
  }
};

constexpr Index kPiece = 4096;  // elements that are added in their own type

template <class Op, class A>
struct Loss {
  static double sum(const void* x, const void* y, Index n, double parameter) {
    const Tag<A> d;
    const A *p = static_cast<const A*>(x), *q = static_cast<const A*>(y);
    const auto with = constant(d, parameter);
    double total = 0;
    for (Index i = 0; i < n; i += kPiece) {
      const Index m = HWY_MIN(kPiece, n - i), rest = m % kLanes<A>;
      A piece, unused;
      row_sums(p + i, q + i, m - rest, &piece, &unused,
               [&](Index, auto a, auto b, auto& s, auto&) HWY_ATTR { s = hn::Add(s, Op::loss(d, a, b, with)); });
      total += static_cast<double>(piece);
      if (rest == 0) continue;
      // The loss of the zeros behind the end need not be 0.
      const auto last = Op::loss(d, load_part(d, p + i + m - rest, rest), load_part(d, q + i + m - rest, rest), with);
      total += static_cast<double>(
          fold_lanes(AddOp(), d, hn::IfThenElseZero(hn::FirstN(d, static_cast<std::size_t>(rest)), last)));
    }
    return total;
  }

  static void gradient(const void* x, const void* y, void* dx, Index n, double parameter, double factor, Write write) {
    const Tag<A> d;
    const A *p = static_cast<const A*>(x), *q = static_cast<const A*>(y);
    const auto with = constant(d, parameter), by = constant(d, factor);
    map_row<A>(
        n, static_cast<A*>(dx),
        [=](Index i, auto load) HWY_ATTR { return hn::Mul(Op::slope(d, load(p + i), load(q + i), with), by); }, write);
  }
  static constexpr PairLossFunctions kAll = {sum, gradient};
};

template <class A>
const PairLossFunctions* of_kind(PairLoss kind) {
  switch (kind) {
    case PairLoss::kSmoothL1:
      return &Loss<SmoothL1, A>::kAll;
    case PairLoss::kHuber:
      return &Loss<Huber, A>::kAll;
    case PairLoss::kLogits:
      return &Loss<Logits, A>::kAll;
    default:
      return &Loss<Squared, A>::kAll;
  }
}

}  // namespace

const PairLossFunctions* pair_loss_functions(PairLoss kind, Dtype dtype) {
  return dtype == Dtype::kFloat64 ? of_kind<double>(kind) : of_kind<float>(kind);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
namespace {

static constexpr simd::Table<const PairLossFunctions*(PairLoss, Dtype)> kPairLoss = RL_SIMD_TABLE(pair_loss_functions);

// Sums of tasks, cut by shape, are added in order.
void pair_loss(PairLoss kind, const TensorBase& out, const TensorBase& input, const TensorBase& target,
               double parameter, double scale) {
  const Index n = input.numel(), item = static_cast<Index>(input.itemsize());
  const PairLossFunctions& f = *kPairLoss(kind, input.dtype());
  const Index tasks = std::max<Index>(1, (n + kTaskElements - 1) / kTaskElements);
  std::vector<double> sums(static_cast<std::size_t>(tasks));
  parallel_for(tasks, [&](Index t) {
    const Index first = t * kTaskElements, m = std::min(kTaskElements, n - first);
    sums[static_cast<std::size_t>(t)] =
        f.sum(input.data<char>() + first * item, target.data<char>() + first * item, m, parameter);
  });
  double total = 0;
  for (const double sum : sums)
    total += sum;
  if (out.dtype() == Dtype::kFloat64)
    *out.mutable_data<double>() = total * scale;
  else
    *out.mutable_data<float>() = static_cast<float>(total * scale);
}

void pair_loss_gradient(PairLoss kind, const TensorBase& out, const TensorBase& grad, const TensorBase& input,
                        const TensorBase& target, double parameter, double scale) {
  const Index n = input.numel(), item = static_cast<Index>(input.itemsize());
  const PairLossFunctions& f = *kPairLoss(kind, input.dtype());
  const double by = grad.dtype() == Dtype::kFloat64 ? *grad.data<double>() : static_cast<double>(*grad.data<float>());
  const Write write = write_of(n * item);
  parallel_ranges(n, kTaskElements, [&](Index begin, Index end) {
    f.gradient(input.data<char>() + begin * item, target.data<char>() + begin * item,
               out.mutable_data<char>() + begin * item, end - begin, parameter, by * scale, write);
  });
}

}  // namespace
}  // namespace rushlight::cpu

namespace rushlight {
const Kernel<void(PairLoss, const TensorBase&, const TensorBase&, const TensorBase&, double, double)> pair_loss_kernel(
    cpu::pair_loss);
const Kernel<void(PairLoss, const TensorBase&, const TensorBase&, const TensorBase&, const TensorBase&, double, double)>
    pair_loss_gradient_kernel(cpu::pair_loss_gradient);
}  // namespace rushlight
#endif
