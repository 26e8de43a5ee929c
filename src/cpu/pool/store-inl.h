// Parts of vectors of results and their positions. Included once per target.
#if defined(RL_CPU_POOL_STORE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_POOL_STORE_INL_H_
#undef RL_CPU_POOL_STORE_INL_H_
#else
#define RL_CPU_POOL_STORE_INL_H_
#endif

#include "cpu/gemm/tile-inl.h"
#include "cpu/pool/planes.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::pool {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using gemm::HWY_NAMESPACE::store_part;
using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;
constexpr Index kLanes = static_cast<Index>(hn::MaxLanes(D()));

HWY_INLINE void store_columns(V v, Index count, float* to) {
  const D d;
  if (count == kLanes) return hn::StoreU(v, d, to);
  store_part(d, v, hn::FirstN(d, static_cast<std::size_t>(count)), count, to);
}

HWY_INLINE void store_positions(hn::Vec<hn::RebindToSigned<D>> at, Index count, Index* to) {
  const hn::RebindToSigned<D> di;
  const hn::Half<decltype(di)> dh;
  const hn::RepartitionToWide<decltype(di)> dw;
  if (count == kLanes) {
    hn::StoreU(hn::PromoteTo(dw, hn::LowerHalf(dh, at)), dw, to);
    hn::StoreU(hn::PromoteTo(dw, hn::UpperHalf(dh, at)), dw, to + kLanes / 2);
    return;
  }
  HWY_ALIGN std::int32_t lanes[kLanes];
  hn::Store(at, di, lanes);
  for (Index i = 0; i < count; ++i)
    to[i] = lanes[i];
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::pool
HWY_AFTER_NAMESPACE();
#endif
