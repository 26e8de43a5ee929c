// Kernels of sum, nansum and mean.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/sum.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/monoid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

struct Sum : AddOp, Plain {
  template <class A>
  static constexpr A identity() {
    return A{0};
  }
};
struct Mean : Sum {
  template <class A>
  static A finish(A a, Index n, double) {
    return a / static_cast<A>(n);
  }
};
struct NanSum : Sum {
  template <class D, class V>
  static HWY_INLINE V map(D, V x, double) {
    return hn::IfThenZeroElse(hn::IsNaN(x), x);
  }
};

template <class Op>
const ReduceKernel* floating(Dtype dtype) {
  static constexpr ReduceKernel kF32 = Monoid<Op, float, float>::kernel(), kF64 = Monoid<Op, double, double>::kernel(),
                                kF16 = Monoid<Op, Half, float>::kernel(), kBF16 = Monoid<Op, BFloat16, float>::kernel();
  switch (dtype) {
    case Dtype::kFloat32:
      return &kF32;
    case Dtype::kFloat64:
      return &kF64;
    case Dtype::kFloat16:
      return &kF16;
    case Dtype::kBFloat16:
      return &kBF16;
    default:
      return nullptr;
  }
}

}  // namespace

const ReduceKernel* sum_kernels(Reduction op, Dtype dtype) {
  static constexpr ReduceKernel kBool = Monoid<Sum, std::uint8_t, std::int64_t>::kernel(),
                                kI8 = Monoid<Sum, std::int8_t, std::int64_t>::kernel(),
                                kI16 = Monoid<Sum, std::int16_t, std::int64_t>::kernel(),
                                kI32 = Monoid<Sum, std::int32_t, std::int64_t>::kernel(),
                                kI64 = Monoid<Sum, std::int64_t, std::int64_t>::kernel();  // uint64 wraps alike
  if (op == Reduction::kMean) return floating<Mean>(dtype);
  if (op == Reduction::kNanSum && is_floating(dtype)) return floating<NanSum>(dtype);
  switch (dtype) {
    case Dtype::kBool:
    case Dtype::kUInt8:
      return &kBool;
    case Dtype::kInt8:
      return &kI8;
    case Dtype::kInt16:
      return &kI16;
    case Dtype::kInt32:
      return &kI32;
    case Dtype::kInt64:
    case Dtype::kUInt64:
      return &kI64;
    default:
      return floating<Sum>(dtype);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<const ReduceKernel*(Reduction, Dtype)> kSum = RL_SIMD_TABLE(sum_kernels);
const ReduceKernel* find_sum(Reduction op, Dtype dtype) { return kSum(op, dtype); }
}  // namespace rushlight::cpu
#endif
