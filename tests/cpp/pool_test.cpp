// Sliding windows over float32 planes in vectors against plain loops: strides, borders, steps between taps, depth, NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cpu/pool/planes.h"

namespace rushlight::pool {
namespace {

std::mt19937 engine(7);
Index between(Index a, Index b) { return std::uniform_int_distribution<Index>(a, b)(engine); }

PoolShape random_shape(bool average) {
  PoolShape s{};
  s.planes = 1;
  for (int d = 0; d < 3; ++d) {
    s.kernel[d] = between(1, d == 0 ? 2 : 4);
    s.stride[d] = between(1, 3);
    s.dilation[d] = average ? 1 : between(1, 2);
    const Index reach = (s.kernel[d] - 1) * s.dilation[d] + 1;
    s.padding[d] = between(0, reach / 2);
    s.in[d] = between(std::max<Index>(1, reach - 2 * s.padding[d]), d == 2 ? 90 : 5 + reach);
    s.out[d] = (s.in[d] + 2 * s.padding[d] - reach) / s.stride[d] + 1;
  }
  return s;
}

// f(window, element) for every element of every window, in the order of memory.
template <class F>
void for_each_pair(const PoolShape& s, const F& f) {
  for (Index o = 0; o < s.out[0] * s.out[1] * s.out[2]; ++o) {
    const Index at[3] = {o / (s.out[1] * s.out[2]), o / s.out[2] % s.out[1], o % s.out[2]};
    for (Index t = 0; t < s.kernel[0] * s.kernel[1] * s.kernel[2]; ++t) {
      const Index tap[3] = {t / (s.kernel[1] * s.kernel[2]), t / s.kernel[2] % s.kernel[1], t % s.kernel[2]};
      Index element = 0;
      bool inside = true;
      for (int d = 0; d < 3; ++d) {
        const Index i = at[d] * s.stride[d] - s.padding[d] + tap[d] * s.dilation[d];
        inside = inside && i >= 0 && i < s.in[d];
        element = element * s.in[d] + i;
      }
      if (inside) f(static_cast<std::size_t>(o), static_cast<std::size_t>(element));
    }
  }
}

// Exactly as large as needed, so that an address checker sees any overrun.
std::vector<float> values(const Index* sizes) {
  std::vector<float> v(static_cast<std::size_t>(sizes[0] * sizes[1] * sizes[2]));
  for (float& x : v)
    x = static_cast<float>(between(-40, 40));
  return v;
}

TEST(PoolPlanes, MaximaMatchPlainLoops) {
  for (int round = 0; round < 500; ++round) {
    const PoolShape s = random_shape(false);
    std::vector<float> in = values(s.in), out = values(s.out), alone = out;
    if (round % 3 == 0) in[static_cast<std::size_t>(between(0, static_cast<Index>(in.size()) - 1))] = std::nanf("");
    if (round % 5 == 0) std::fill(in.begin(), in.end(), -std::numeric_limits<float>::infinity());
    const Sliding w(s);
    std::vector<float> scratch(static_cast<std::size_t>(w.scratch()));
    std::vector<Index> where(out.size(), -1), wanted(out.size(), -1);
    max_plane(w, in.data(), out.data(), where.data(), scratch.data());
    max_plane(w, in.data(), alone.data(), nullptr, scratch.data());
    std::vector<float> best(out.size(), -std::numeric_limits<float>::infinity());
    for_each_pair(s, [&](std::size_t o, std::size_t i) {
      if (wanted[o] < 0 || in[i] > best[o] || std::isnan(in[i])) {
        wanted[o] = static_cast<Index>(i);
        best[o] = in[i];
      }
    });
    for (std::size_t o = 0; o < out.size(); ++o) {
      if (wanted[o] >= 0) {  // a window between the elements of its border has no position
        ASSERT_EQ(where[o], wanted[o]) << "round " << round;
      }
      ASSERT_TRUE(best[o] == out[o] || (std::isnan(best[o]) && std::isnan(out[o]))) << "round " << round;
      ASSERT_TRUE(best[o] == alone[o] || (std::isnan(best[o]) && std::isnan(alone[o]))) << "round " << round;
    }
  }
}

TEST(PoolPlanes, MeansAndTheirWayBackMatchPlainLoops) {
  for (int round = 0; round < 500; ++round) {
    const PoolShape s = random_shape(true);
    const Sliding w(s);
    Divisors by;
    by.slices.assign(static_cast<std::size_t>(s.out[0] * s.out[1]), 2);
    for (Index x = 0; x < s.out[2] + 16; ++x)
      by.columns.push_back(static_cast<float>(between(1, 2)));
    const std::vector<float> in = values(s.in), grad = values(s.out);
    std::vector<float> scratch(static_cast<std::size_t>(w.scratch())), out = grad, back = in, mean(out.size(), 0),
                                                                       spread(in.size(), 0);
    average_plane(w, by, in.data(), out.data(), scratch.data());
    spread_plane(w, by, grad.data(), back.data(), scratch.data());
    for_each_pair(s, [&](std::size_t o, std::size_t i) {
      const float divisor = 2 * by.columns[o % static_cast<std::size_t>(s.out[2])];
      mean[o] += in[i];
      spread[i] += grad[o] / divisor;
    });
    for (std::size_t o = 0; o < out.size(); ++o)
      mean[o] /= 2 * by.columns[o % static_cast<std::size_t>(s.out[2])];
    ASSERT_EQ(out, mean) << "round " << round;
    ASSERT_EQ(back, spread) << "round " << round;
  }
}

}  // namespace
}  // namespace rushlight::pool
