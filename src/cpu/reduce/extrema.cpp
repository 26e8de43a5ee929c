// Kernels of amax, amin, any, all and exclusive or.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/extrema.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/reduce/monoid-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

struct Max : MaxOp, Plain {};
struct Min : MinOp, Plain {};
struct Any : Plain {  // bool bytes are 0 or 1
  template <class A>
  static constexpr A identity() {
    return A{0};
  }
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    return hn::Or(a, b);
  }
};
struct All : Plain {
  template <class A>
  static constexpr A identity() {
    return A{1};
  }
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    return hn::And(a, b);
  }
};

struct Xor : Plain {
  template <class A>
  static constexpr A identity() {
    return A{0};
  }
  template <class D, class V>
  static HWY_INLINE V combine(D, V a, V b) {
    return hn::Xor(a, b);
  }
};

template <class Op>
const ReduceKernel* ordered(Dtype dtype) {
  static constexpr ReduceKernel kU8 = Monoid<Op, std::uint8_t, std::uint8_t>::kernel(),
                                kI8 = Monoid<Op, std::int8_t, std::int8_t>::kernel(),
                                kI16 = Monoid<Op, std::int16_t, std::int16_t>::kernel(),
                                kI32 = Monoid<Op, std::int32_t, std::int32_t>::kernel(),
                                kI64 = Monoid<Op, std::int64_t, std::int64_t>::kernel(),
                                kU64 = Monoid<Op, std::uint64_t, std::uint64_t>::kernel(),
                                kF32 = Monoid<Op, float, float>::kernel(), kF64 = Monoid<Op, double, double>::kernel(),
                                kF16 = Monoid<Op, Half, float>::kernel(), kBF16 = Monoid<Op, BFloat16, float>::kernel();
  switch (dtype) {
    case Dtype::kBool:
    case Dtype::kUInt8:
      return &kU8;
    case Dtype::kInt8:
      return &kI8;
    case Dtype::kInt16:
      return &kI16;
    case Dtype::kInt32:
      return &kI32;
    case Dtype::kInt64:
      return &kI64;
    case Dtype::kUInt64:
      return &kU64;
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

const ReduceKernel* extremum_kernels(Reduction op, Dtype dtype) {
  static constexpr ReduceKernel kAny = Monoid<Any, std::uint8_t, std::uint8_t>::kernel(),
                                kAll = Monoid<All, std::uint8_t, std::uint8_t>::kernel(),
                                kXor = Monoid<Xor, std::int64_t, std::int64_t>::kernel();
  if (op == Reduction::kMax) return ordered<Max>(dtype);
  if (op == Reduction::kMin) return ordered<Min>(dtype);
  if (op == Reduction::kXor) return dtype == Dtype::kInt64 ? &kXor : nullptr;
  if (dtype != Dtype::kBool) return nullptr;
  return op == Reduction::kAny ? &kAny : &kAll;
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<const ReduceKernel*(Reduction, Dtype)> kExtrema = RL_SIMD_TABLE(extremum_kernels);
const ReduceKernel* find_extremum(Reduction op, Dtype dtype) { return kExtrema(op, dtype); }
}  // namespace rushlight::cpu
#endif
