// The convolution engine against direct loops in float64: one to three dims, strides, borders,
// dilation, groups.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "cpu/conv/conv.h"
#include "rushlight/parallel.h"

namespace rushlight::conv {
namespace {

struct Case {
  Geometry g;
  std::vector<double> x, w, y;
};

// f(x index, w index, y index) for every product.
template <class F>
void for_each_product(const Geometry& g, const F& f) {
  for (Index b = 0; b < g.batch; ++b)
    for (Index o = 0; o < g.out_channels; ++o)
      for (Index c = 0; c < g.group_in(); ++c)
        for (Index p = 0; p < g.out_area(); ++p)
          for (Index t = 0; t < g.taps(); ++t) {
            const Index at[3] = {p / (g.out[1] * g.out[2]), p / g.out[2] % g.out[1], p % g.out[2]};
            const Index k[3] = {t / (g.kernel[1] * g.kernel[2]), t / g.kernel[2] % g.kernel[1], t % g.kernel[2]};
            Index in = 0;
            bool inside = true;
            for (int d = 0; d < 3; ++d) {
              const Index i = at[d] * g.stride[d] - g.pad[d] + k[d] * g.dilation[d];
              inside = inside && i >= 0 && i < g.in[d];
              in = in * g.in[d] + i;
            }
            if (inside)
              f((b * g.in_channels + o / g.group_out() * g.group_in() + c) * g.in_area() + in,
                (o * g.group_in() + c) * g.taps() + t, (b * g.out_channels + o) * g.out_area() + p);
          }
}

std::mt19937 engine(5);
Index between(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine); }

std::vector<double> values(Index count) {
  std::vector<double> result(static_cast<std::size_t>(count));
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (double& x : result)
    x = uniform(engine);
  return result;
}

Geometry random_geometry(int dims, bool depthwise) {
  Geometry g{};
  g.batch = between(1, 3);
  g.groups = depthwise ? between(2, 6) : between(1, 3);
  g.in_channels = depthwise ? g.groups : g.groups * between(1, 5);
  g.out_channels = depthwise ? g.groups : g.groups * between(1, 9);
  for (int d = 0; d < 3; ++d) {
    const bool used = d >= 3 - dims;
    g.kernel[d] = used ? between(1, 4) : 1;
    g.stride[d] = used ? between(1, 3) : 1;
    g.dilation[d] = used ? between(1, 2) : 1;
    g.pad[d] = used ? between(0, 3) : 0;
    const Index reach = (g.kernel[d] - 1) * g.dilation[d] + 1;
    g.in[d] = used ? std::max<Index>(between(1, d == 2 ? 24 : 9), reach - 2 * g.pad[d]) : 1;
    g.out[d] = (g.in[d] + 2 * g.pad[d] - reach) / g.stride[d] + 1;
  }
  return g;
}

template <class T>
std::vector<T> as(const std::vector<double>& x) {
  return {x.begin(), x.end()};
}

template <class T>
void expect_near(const std::vector<T>& got, const std::vector<double>& want, double tolerance, const char* what) {
  for (std::size_t i = 0; i < want.size(); ++i)
    ASSERT_NEAR(static_cast<double>(got[i]), want[i], tolerance) << what << " at " << i;
}

template <class T>
void check_all(const Geometry& g, bool depthwise, double tolerance) {
  const Index x_size = g.batch * g.in_channels * g.in_area(), w_size = g.out_channels * g.group_in() * g.taps();
  const Index y_size = g.batch * g.out_channels * g.out_area();
  const auto x = values(x_size), w = values(w_size), dy = values(y_size), bias = values(g.out_channels);
  std::vector<double> y(static_cast<std::size_t>(y_size)), dx(static_cast<std::size_t>(x_size)),
      dw(static_cast<std::size_t>(w_size));
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = bias[i / static_cast<std::size_t>(g.out_area()) % static_cast<std::size_t>(g.out_channels)];
  for_each_product(g, [&](Index i, Index t, Index o) {
    const auto xi = static_cast<std::size_t>(i), wi = static_cast<std::size_t>(t), yi = static_cast<std::size_t>(o);
    y[yi] += x[xi] * w[wi];
    dx[xi] += w[wi] * dy[yi];
    dw[wi] += x[xi] * dy[yi];
  });
  const auto tx = as<T>(x), tw = as<T>(w), tdy = as<T>(dy), tb = as<T>(bias);
  std::vector<T> out(y.size(), T(9)), in(dx.size(), T(9)), weights(dw.size(), T(9));
  if (depthwise) {
    depthwise_forward(g, tx.data(), tw.data(), tb.data(), out.data());
    depthwise_input_gradient(g, tw.data(), tdy.data(), in.data());
    depthwise_weight_gradient(g, tx.data(), tdy.data(), weights.data());
  } else {
    forward(g, tx.data(), tw.data(), tb.data(), out.data());
    input_gradient(g, tw.data(), tdy.data(), in.data());
    weight_gradient(g, tx.data(), tdy.data(), weights.data());
  }
  expect_near(out, y, tolerance, "output");
  expect_near(in, dx, tolerance, "input gradient");
  expect_near(weights, dw, 4 * tolerance, "weight gradient");
}

// (outer, rows, columns) with the last two dims exchanged.
std::vector<double> exchanged(const std::vector<double>& x, Index rows, Index columns) {
  std::vector<double> result(x.size());
  for (Index i = 0; i < static_cast<Index>(x.size()); ++i) {
    const Index outer = i / (rows * columns), r = i / columns % rows, c = i % columns;
    result[static_cast<std::size_t>((outer * columns + c) * rows + r)] = x[static_cast<std::size_t>(i)];
  }
  return result;
}

// Channels-last operands against the other order of memory, in float64.
template <class T>
void check_last(const Geometry& g, bool depthwise, double tolerance) {
  const Index x_size = g.batch * g.in_channels * g.in_area(), w_size = g.out_channels * g.group_in() * g.taps();
  const Index y_size = g.batch * g.out_channels * g.out_area();
  const auto x = values(x_size), w = values(w_size), dy = values(y_size), bias = values(g.out_channels);
  std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
  forward(g, x.data(), w.data(), bias.data(), y.data());
  input_gradient(g, w.data(), dy.data(), dx.data());
  weight_gradient(g, x.data(), dy.data(), dw.data());
  const auto x_last = [&](const std::vector<double>& v) { return exchanged(v, g.in_channels, g.in_area()); };
  const auto y_last = [&](const std::vector<double>& v) { return exchanged(v, g.out_channels, g.out_area()); };
  const auto w_last = [&](const std::vector<double>& v) { return exchanged(v, g.group_in(), g.taps()); };
  const auto tx = as<T>(x_last(x)), tw = as<T>(w_last(w)), tdy = as<T>(y_last(dy)), tb = as<T>(bias);
  std::vector<T> out(y.size(), T(9)), in(dx.size(), T(9)), weights(dw.size(), T(9));
  bool reversible = true;
  for (int d = 0; d < 3; ++d)
    reversible = reversible && g.stride[d] == 1 && (g.kernel[d] - 1) * g.dilation[d] >= g.pad[d];
  if (depthwise) {
    depthwise_last_forward(g, tx.data(), tw.data(), tb.data(), out.data());
    depthwise_last_input_gradient(g, tw.data(), tdy.data(), in.data());
    depthwise_last_weight_gradient(g, tx.data(), tdy.data(), weights.data());
  } else {
    last_forward(g, tx.data(), tw.data(), tb.data(), out.data());
    if (reversible) last_input_gradient(g, tw.data(), tdy.data(), in.data());
    last_weight_gradient(g, tx.data(), tdy.data(), weights.data());
  }
  expect_near(out, y_last(y), tolerance, "output");
  if (depthwise || reversible) expect_near(in, x_last(dx), tolerance, "input gradient");
  expect_near(weights, w_last(dw), 4 * tolerance, "weight gradient");
}

class ConvolutionDims : public ::testing::TestWithParam<int> {};

TEST_P(ConvolutionDims, MatchesDirectLoops) {
  for (int i = 0; i < 120; ++i) {
    const Geometry g = random_geometry(GetParam(), false);
    ASSERT_NO_FATAL_FAILURE(check_all<float>(g, false, 2e-4));
    ASSERT_NO_FATAL_FAILURE(check_all<double>(g, false, 1e-11));
  }
}
TEST_P(ConvolutionDims, DepthwiseMatchesDirectLoops) {
  for (int i = 0; i < 120; ++i) {
    const Geometry g = random_geometry(GetParam(), true);
    ASSERT_NO_FATAL_FAILURE(check_all<float>(g, true, 2e-4));
    ASSERT_NO_FATAL_FAILURE(check_all<double>(g, true, 1e-11));
  }
}
TEST_P(ConvolutionDims, ChannelsLastMatchesTheOtherOrder) {
  for (int i = 0; i < 160; ++i) {
    const bool depthwise = i % 2;
    Geometry g = random_geometry(GetParam(), depthwise);
    if (depthwise) {
      g.groups = g.in_channels = g.out_channels = between(2, 40);
    } else {
      g.groups = 1;
      g.in_channels = between(1, 20);
      g.out_channels = between(1, 60);
    }
    if (i % 4 < 2) {  // strides have no reversed form
      for (int d = 0; d < 3; ++d) {
        g.stride[d] = 1;
        g.out[d] = g.in[d] + 2 * g.pad[d] - (g.kernel[d] - 1) * g.dilation[d];
      }
    }
    ASSERT_NO_FATAL_FAILURE(check_last<float>(g, depthwise, 2e-4));
    ASSERT_NO_FATAL_FAILURE(check_last<double>(g, depthwise, 1e-11));
  }
}
TEST_P(ConvolutionDims, DepthwiseKernelsOfThreeByThreeMatchDirectLoops) {
  for (int i = 0; i < 60; ++i) {
    Geometry g = random_geometry(2, true);
    g.kernel[1] = g.kernel[2] = 3;
    for (int d = 1; d < 3; ++d) {
      g.dilation[d] = g.stride[d] = 1;
      g.pad[d] = g.pad[1];
      g.in[d] = between(3, 40);
      g.out[d] = g.in[d] + 2 * g.pad[d] - 2;
    }
    ASSERT_NO_FATAL_FAILURE(check_all<float>(g, true, 2e-4));
    ASSERT_NO_FATAL_FAILURE(check_last<float>(g, true, 2e-4));
  }
}
TEST(Convolution, SmallGroupsInPlanesMatchTheMatrixProduct) {
  for (int i = 0; i < 60; ++i) {
    Geometry g = random_geometry(2, false);
    g.groups = between(1, 4);
    g.in_channels = g.groups * between(1, 5);
    g.out_channels = g.groups * between(1, 5);
    const Index pad = between(0, 2);
    for (int d = 1; d < 3; ++d) {
      g.kernel[d] = 3;
      g.dilation[d] = g.stride[d] = 1;
      g.pad[d] = pad;
      g.in[d] = between(3, 40);
      g.out[d] = g.in[d] + 2 * pad - 2;
    }
    ASSERT_TRUE(g.three_by_three());
    const auto x = values(g.batch * g.in_channels * g.in_area()), w = values(g.out_channels * g.group_in() * 9);
    const auto dy = values(g.batch * g.out_channels * g.out_area()), bias = values(g.out_channels);
    std::vector<double> y(dy.size()), dx(x.size()), dw(w.size());
    forward(g, x.data(), w.data(), bias.data(), y.data());
    input_gradient(g, w.data(), dy.data(), dx.data());
    weight_gradient(g, x.data(), dy.data(), dw.data());
    const auto fx = as<float>(x), fw = as<float>(w), fdy = as<float>(dy), fb = as<float>(bias);
    std::vector<float> out(y.size(), 9), in(x.size(), 9), weights(w.size(), 9);
    planes_forward(g, fx.data(), fw.data(), fb.data(), out.data());
    planes_input_gradient(g, fw.data(), fdy.data(), in.data());
    planes_weight_gradient(g, fx.data(), fdy.data(), weights.data());
    ASSERT_NO_FATAL_FAILURE(expect_near(out, y, 2e-4, "output"));
    ASSERT_NO_FATAL_FAILURE(expect_near(in, dx, 2e-4, "input gradient"));
    ASSERT_NO_FATAL_FAILURE(expect_near(weights, dw, 2e-3, "weight gradient"));
  }
}
INSTANTIATE_TEST_SUITE_P(Dims, ConvolutionDims, ::testing::Values(1, 2, 3));

TEST(Convolution, GivesTheSameBitsForAnyNumberOfThreads) {
  Geometry g{4, 24, 40, 1, {1, 17, 19}, {}, {1, 3, 3}, {1, 2, 1}, {0, 1, 1}, {1, 1, 1}};
  for (int d = 0; d < 3; ++d)
    g.out[d] = (g.in[d] + 2 * g.pad[d] - g.kernel[d]) / g.stride[d] + 1;
  const auto x = as<float>(values(g.batch * g.in_channels * g.in_area())),
             w = as<float>(values(g.out_channels * g.in_channels * 9));
  const auto dy = as<float>(values(g.batch * g.out_channels * g.out_area()));
  std::vector<std::vector<float>> results;
  const int before = num_threads();
  for (int threads : {1, 2, 4}) {
    set_num_threads(threads);
    std::vector<float> y(dy.size()), dx(x.size()), dw(w.size());
    forward<float>(g, x.data(), w.data(), nullptr, y.data());
    input_gradient(g, w.data(), dy.data(), dx.data());
    weight_gradient(g, x.data(), dy.data(), dw.data());
    y.insert(y.end(), dx.begin(), dx.end());
    y.insert(y.end(), dw.begin(), dw.end());
    results.push_back(std::move(y));
  }
  set_num_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
}  // namespace rushlight::conv
