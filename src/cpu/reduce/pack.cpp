// Every other element, packed: two vectors become one.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/reduce/pack.cpp"
#include "cpu/simd/targets.h"
#include "hwy/foreach_target.h"

#include <complex>

#include "cpu/reduce/load-inl.h"
#include "cpu/reduce/pack.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::cpu {
namespace HWY_NAMESPACE {
namespace {

template <class T>
void pack(const void* x, Index n, void* to) {
  const T* from = static_cast<const T*>(x);
  T* out = static_cast<T*>(to);
  Index i = 0;
  if constexpr (sizeof(T) == 4 || sizeof(T) == 8) {
    const Tag<T> d;
    constexpr Index kL = kLanes<T>;
    for (; i + kL < n; i += kL)  // the element behind the last may not be ours
      hn::StoreU(hn::ConcatEven(d, hn::LoadU(d, from + 2 * i + kL), hn::LoadU(d, from + 2 * i)), d, out + i);
  }
  for (; i < n; ++i)
    out[i] = from[2 * i];
}

}  // namespace

void pack_items(const void* x, Index item, Index n, void* to) {
  switch (item) {
    case 1:
      return pack<std::uint8_t>(x, n, to);
    case 2:
      return pack<std::uint16_t>(x, n, to);
    case 4:
      return pack<float>(x, n, to);
    case 8:
      return pack<double>(x, n, to);
    default:
      return pack<std::complex<double>>(x, n, to);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::cpu {
static constexpr simd::Table<void(const void*, Index, Index, void*)> kPack = RL_SIMD_TABLE(pack_items);
void pack_every_other(const void* x, Index item, Index n, void* to) { kPack(x, item, n, to); }
}  // namespace rushlight::cpu
#endif
