// Vector kernels with bool results, logic, bits and selection.
#include "cpu/pointwise/scalar.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/pointwise/compare.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include "cpu/pointwise/map-inl.h"

#undef RL_LIST
#define RL_LIST(X)                                                                                         \
  X(eq, kTest, (everything<Compare, Eq>), nullptr, complex_numbers::eq, nullptr)                           \
  X(ne, kTest, (everything<Compare, Ne>), nullptr, complex_numbers::ne, nullptr)                           \
  X(lt, kTest, (everything<Compare, Lt>), nullptr, nullptr, nullptr)                                       \
  X(le, kTest, (everything<Compare, Le>), nullptr, nullptr, nullptr)                                       \
  X(gt, kTest, (everything<Compare, Gt>), nullptr, nullptr, nullptr)                                       \
  X(ge, kTest, (everything<Compare, Ge>), nullptr, nullptr, nullptr)                                       \
  X(isnan, kTest, (floats<Test, IsNan>), integer::no, complex_numbers::isnan, nullptr)                     \
  X(isinf, kTest, (floats<Test, IsInf>), integer::no, complex_numbers::isinf, nullptr)                     \
  X(isfinite, kTest, (floats<Test, IsFinite>), integer::yes, complex_numbers::isfinite, nullptr)           \
  X(isposinf, kTest, (floats<Test, IsPosInf>), integer::no, nullptr, nullptr)                              \
  X(isneginf, kTest, (floats<Test, IsNegInf>), integer::no, nullptr, nullptr)                              \
  X(signbit, kTest, signs, integer::no, nullptr, nullptr)                                                  \
  X(isclose, kTest, (floats<Compare, IsClose>), nullptr, nullptr, nullptr)                                 \
  X(logical_and, kTest, (everything<Compare, LogicalAnd>), nullptr, complex_numbers::logical_and, nullptr) \
  X(logical_or, kTest, (everything<Compare, LogicalOr>), nullptr, complex_numbers::logical_or, nullptr)    \
  X(logical_xor, kTest, (everything<Compare, LogicalXor>), nullptr, complex_numbers::logical_xor, nullptr) \
  X(logical_not, kTest, (everything<Test, LogicalNot>), nullptr, complex_numbers::logical_not, nullptr)    \
  X(bitwise_and, kPromote, (bits<Binary, And>), nullptr, nullptr, nullptr)                                 \
  X(bitwise_or, kPromote, (bits<Binary, Or>), nullptr, nullptr, nullptr)                                   \
  X(bitwise_xor, kPromote, (bits<Binary, Xor>), nullptr, nullptr, nullptr)                                 \
  X(bitwise_not, kPromote, (bits<Unary, Not, NotBool>), nullptr, nullptr, nullptr)                         \
  X(where, kWhere, selects, nullptr, complex_numbers::where, nullptr)

HWY_BEFORE_NAMESPACE();
namespace rushlight::pointwise {
namespace HWY_NAMESPACE {
namespace {

#define RL_BODY(...)          \
  template <class D, class V> \
  static HWY_INLINE auto apply(D d, __VA_ARGS__)
struct Eq : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Eq(a, b);
  }
};
// Not Ne: Highway 1.0.3 compares NaN as equal to everything there.
struct Ne : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Not(hn::Eq(a, b));
  }
};
struct Lt : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Lt(a, b);
  }
};
struct Gt : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Gt(a, b);
  }
};
struct Le : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::Le(a, b);
    else
      return hn::Not(hn::Gt(a, b));
  }
};
struct Ge : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    if constexpr (kFloats<D>)
      return hn::Ge(a, b);
    else
      return hn::Not(hn::Lt(a, b));
  }
};
struct IsNan : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Not(hn::Eq(a, a));
  }
};
struct IsInf : Cheap {
  RL_BODY(V a) { return hn::Eq(hn::Abs(a), hn::Inf(d)); }
};
struct IsFinite : Cheap {
  RL_BODY(V a) { return hn::Lt(hn::Abs(a), hn::Inf(d)); }
};
struct IsPosInf : Cheap {
  RL_BODY(V a) { return hn::Eq(a, hn::Inf(d)); }
};
struct IsNegInf : Cheap {
  RL_BODY(V a) { return hn::Eq(a, hn::Neg(hn::Inf(d))); }
};
struct SignBit : Cheap {
  RL_BODY(V a) {
    const hn::RebindToSigned<D> di;
    return hn::RebindMask(d, hn::Lt(hn::BitCast(di, a), hn::Zero(di)));
  }
};
// |a - b| <= atol + rtol |b|, where that is finite; `pairs` is 1 where two NaN are close, else 0.
struct IsClose : With<Cheap, 3> {
  RL_BODY(V a, V b, V rtol, V atol, V pairs) {
    const V gap = hn::Abs(hn::Sub(a, b)), allowed = hn::Add(atol, hn::Abs(hn::Mul(rtol, b)));
    const auto within = hn::And(hn::Le(gap, allowed), hn::Lt(gap, hn::Inf(d)));
    const auto both_nan = hn::Not(hn::Or(hn::Or(hn::Eq(a, a), hn::Eq(b, b)), hn::Eq(pairs, hn::Zero(d))));
    return hn::Or(hn::Or(hn::Eq(a, b), within), both_nan);
  }
};
template <class D, class V>
HWY_INLINE auto is_set(D d, V a) {
  return hn::Not(hn::Eq(a, hn::Zero(d)));
}
struct LogicalAnd : Cheap {
  RL_BODY(V a, V b) { return hn::And(is_set(d, a), is_set(d, b)); }
};
struct LogicalOr : Cheap {
  RL_BODY(V a, V b) { return hn::Or(is_set(d, a), is_set(d, b)); }
};
struct LogicalXor : Cheap {
  RL_BODY(V a, V b) { return hn::Xor(is_set(d, a), is_set(d, b)); }
};
struct LogicalNot : Cheap {
  RL_BODY(V a) { return hn::Eq(a, hn::Zero(d)); }
};
struct And : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::And(a, b);
  }
};
struct Or : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Or(a, b);
  }
};
struct Xor : Cheap {
  RL_BODY(V a, V b) {
    (void)d;
    return hn::Xor(a, b);
  }
};
struct Not : Cheap {
  RL_BODY(V a) {
    (void)d;
    return hn::Not(a);
  }
};
struct NotBool : Cheap {
  RL_BODY(V a) { return hn::Xor(a, hn::Set(d, 1)); }
};
#undef RL_BODY
struct Where : Cheap {
  template <class D, class M, class V>
  static HWY_INLINE V apply(D, M m, V a, V b) {
    return hn::IfThenElse(m, a, b);
  }
};

template <template <class, class> class Form, class F, class OfBool = F>
TileFn bits(Dtype type) {
  return type == Dtype::kBool ? Form<OfBool, std::uint8_t>::kRun : integers<Form, F>(type);
}
TileFn signs(Dtype type) {
  switch (type) {
    case Dtype::kInt8:
      return Test<SignBit, std::int8_t>::kRun;
    case Dtype::kInt16:
      return Test<SignBit, std::int16_t>::kRun;
    case Dtype::kInt32:
      return Test<SignBit, std::int32_t>::kRun;
    case Dtype::kInt64:
      return Test<SignBit, std::int64_t>::kRun;
    default:
      return floats<Test, SignBit>(type);
  }
}
// Selection looks at no value: one kernel per element size.
TileFn selects(Dtype type) {
  switch (item_size(type)) {
    case 1:
      return Select<Where, std::int8_t>::kRun;
    case 2:
      return Select<Where, std::int16_t>::kRun;
    case 4:
      return Select<Where, float>::kRun;
    case 8:
      return Select<Where, double>::kRun;
    default:
      return nullptr;
  }
}

RL_LIST(RL_FIND)

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pointwise
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::pointwise {
RL_LIST(RL_DEFINE)
}  // namespace rushlight::pointwise
#endif
