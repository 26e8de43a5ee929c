// MT19937 in vectors: the twist in place, tempering fused into it where whole blocks are wanted.
#if defined(RL_CPU_RANDOM_ENGINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef RL_CPU_RANDOM_ENGINE_INL_H_
#undef RL_CPU_RANDOM_ENGINE_INL_H_
#else
#define RL_CPU_RANDOM_ENGINE_INL_H_
#endif

#include <algorithm>

#include "core/generator.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rushlight::random {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D32 = hn::ScalableTag<std::uint32_t>;
using V32 = hn::Vec<D32>;
constexpr std::size_t kLanes32 = hn::MaxLanes(D32());
static_assert(Words::kSize % kLanes32 == 0 && kLanes32 <= 16);

HWY_INLINE V32 temper(D32 d, V32 y) {
  y = hn::Xor(y, hn::ShiftRight<11>(y));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<7>(y), hn::Set(d, 0x9d2c5680u)));
  y = hn::Xor(y, hn::And(hn::ShiftLeft<15>(y), hn::Set(d, 0xefc60000u)));
  return hn::Xor(y, hn::ShiftRight<18>(y));
}

HWY_INLINE std::uint32_t temper(std::uint32_t y) {
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  return y ^ (y >> 18);
}

// The next 624 words, and their tempered form in `out` if asked for. Vectors go up to 16 lanes and
// the nearest new word is 227 back, so plain ascending order works; the mirrored start behind the
// end serves the reads that wrap around.
template <bool kTemper>
HWY_INLINE void twist(std::uint32_t* HWY_RESTRICT s, std::uint32_t* HWY_RESTRICT out) {
  const D32 d;
  const V32 upper = hn::Set(d, 0x80000000u), one = hn::Set(d, 1u), a = hn::Set(d, 0x9908b0dfu);
  const auto step = [&](std::size_t i, std::size_t far) HWY_ATTR {
    const V32 next = hn::LoadU(d, s + i + 1);
    // Not IfVecThenElse: before AVX-512 Highway 1.0.3 makes it a choice of bytes.
    const V32 mixed = hn::OrAnd(hn::AndNot(upper, next), upper, hn::Load(d, s + i));
    const V32 odd = hn::IfThenElseZero(hn::TestBit(next, one), a);
    const V32 y = hn::Xor3(hn::LoadU(d, s + far), hn::ShiftRight<1>(mixed), odd);
    hn::Store(y, d, s + i);
    if (i == 0) hn::Store(y, d, s + Words::kSize);
    if constexpr (kTemper) hn::StoreU(temper(d, y), d, out + i);
  };
  std::size_t i = 0;
  for (; i < 227; i += kLanes32)
    step(i, i + 397);
  for (; i < Words::kSize; i += kLanes32)
    step(i, i - 227);
}

HWY_NOINLINE void fill(Words& w, std::uint32_t* HWY_RESTRICT out, std::size_t n) {
  const D32 d;
  while (n != 0) {
    if (w.left == 1) {
      if (n >= Words::kSize) {
        twist<true>(w.s, out);
        w.next = Words::kSize;
        out += Words::kSize;
        n -= Words::kSize;
        continue;
      }
      twist<false>(w.s, nullptr);
      w.left = Words::kSize + 1;
      w.next = 0;
    }
    const std::size_t count = std::min<std::size_t>(n, w.left - 1);
    const std::uint32_t* s = w.s + w.next;
    std::size_t i = 0;
    for (; i + kLanes32 <= count; i += kLanes32)
      hn::StoreU(temper(d, hn::LoadU(d, s + i)), d, out + i);
    for (; i < count; ++i)
      out[i] = temper(s[i]);
    w.left -= static_cast<std::uint32_t>(count);
    w.next += static_cast<std::uint32_t>(count);
    out += count;
    n -= count;
  }
}

// Draws are produced in chunks that stay in the first-level cache.
constexpr std::size_t kChunk = 2 * Words::kSize;

// How many of n draws to take next, a multiple of `unit`: up to the end of the block where that is
// possible, so that whole blocks follow.
HWY_INLINE std::size_t chunk(const Words& w, std::size_t n, std::size_t unit) {
  const std::size_t rest = (w.left - 1) / unit * unit;
  return std::min(n, rest != 0 ? rest : kChunk);
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::random
HWY_AFTER_NAMESPACE();
#endif
