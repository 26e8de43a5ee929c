// The matrix product engine against a float64 reference: every path, strides wider than needed,
// both transposes, sums, biases, edges of tiles; and the same bits for any number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "cpu/gemm/bfloat16.h"
#include "cpu/gemm/gemm.h"
#include "rushlight/parallel.h"

namespace rushlight::gemm {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Index between(Index low, Index high) { return std::uniform_int_distribution<Index>(low, high)(engine_); }
  bool coin() { return between(0, 1) == 1; }
  template <class T>
  std::vector<T> values(Index count) {
    std::vector<T> result(static_cast<std::size_t>(count));
    std::uniform_real_distribution<T> uniform(-1, 1);
    for (T& x : result)
      x = uniform(engine_);
    return result;
  }

 private:
  std::mt19937 engine_;
};

// One random product of the given sizes; returns the largest error relative to the sum of
// magnitudes.
template <class T>
double error_of(Random& random, Path path, Index m, Index n, Index k) {
  const bool ta = path != Path::kDot && random.coin();
  const bool tb = path == Path::kDot || (path != Path::kDirect && random.coin());
  const Index lda = (ta ? m : k) + random.between(0, 9), ldb = (tb ? k : n) + random.between(0, 9);
  const Index ldc = n + random.between(0, 9);
  // Exactly as large as needed, so that an address checker sees any overrun.
  const auto a = random.values<T>(((ta ? k : m) - 1) * lda + (ta ? m : k));
  const auto b = random.values<T>(((tb ? n : k) - 1) * ldb + (tb ? k : n));
  const auto before = random.values<T>((m - 1) * ldc + n), row_bias = random.values<T>(m),
             col_bias = random.values<T>(n);
  const bool add = random.coin();
  Epilogue<T> ep;
  if (random.coin()) ep.row_bias = row_bias.data();
  if (random.coin()) ep.col_bias = col_bias.data();
  const View<T> va = ta ? View<T>{a.data(), 1, lda} : View<T>{a.data(), lda, 1};
  const View<T> vb = tb ? View<T>{b.data(), 1, ldb} : View<T>{b.data(), ldb, 1};
  auto c = before;
  gemm(m, n, k, va, vb, c.data(), ldc, add, ep, path);
  double worst = 0;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < ldc && i * ldc + j < static_cast<Index>(c.size()); ++j) {
      const auto at = static_cast<std::size_t>(i * ldc + j);
      if (j >= n) {
        EXPECT_EQ(c[at], before[at]) << "wrote beside the result";
        continue;
      }
      double sum = add ? static_cast<double>(before[at]) : 0, magnitude = 1;
      for (Index x = 0; x < k; ++x) {
        const double product =
            static_cast<double>(va.p[i * va.rs + x * va.cs]) * static_cast<double>(vb.p[x * vb.rs + j * vb.cs]);
        sum += product;
        magnitude += std::fabs(product);
      }
      if (ep.row_bias) sum += static_cast<double>(ep.row_bias[i]);
      if (ep.col_bias) sum += static_cast<double>(ep.col_bias[j]);
      worst = std::max(worst, std::fabs(sum - static_cast<double>(c[at])) / magnitude);
    }
  }
  return worst;
}

class GemmPath : public ::testing::TestWithParam<Path> {};

TEST_P(GemmPath, MatchesReferenceForRandomSizes) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const bool big = i % 20 == 0;
    const Index m = random.between(1, big ? 300 : 70), n = random.between(1, big ? 700 : 70),
                k = random.between(0, big ? 900 : 70);
    EXPECT_LT(error_of<float>(random, GetParam(), m, n, std::max<Index>(k, 1)), 5e-7) << m << " x " << n << " x " << k;
    EXPECT_LT(error_of<double>(random, GetParam(), m, n, std::max<Index>(k, 1)), 1e-15)
        << m << " x " << n << " x " << k;
  }
}

TEST_P(GemmPath, CoversEveryTileEdge) {
  Random random(2);
  for (Index m : {1, 2, 7, 8, 9, 17})
    for (Index n : {1, 3, 4, 5, 15, 16, 17, 31, 33, 47, 48, 49, 95, 97})
      for (Index k : {1, 2, 15, 16, 17, 33})
        EXPECT_LT(error_of<float>(random, GetParam(), m, n, k), 5e-7);
}

INSTANTIATE_TEST_SUITE_P(Paths, GemmPath, ::testing::Values(Path::kAny, Path::kPacked, Path::kDirect, Path::kDot));

TEST(Gemm, RowsAndDotProductsMatchReference) {
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const Index n = round % 3 ? random.between(1, 300) : 1, k = random.between(1, round % 7 ? 200 : 150000 / n);
    EXPECT_LT(error_of<float>(random, Path::kAny, 1, n, k), 2e-6) << "1x" << n << "x" << k;
    EXPECT_LT(error_of<double>(random, Path::kAny, 1, n, k), 1e-14) << "1x" << n << "x" << k;
  }
}

TEST(Gemm, OuterProductsMatchReference) {
  Random random(13);
  for (int round = 0; round < 40; ++round)
    EXPECT_LT(error_of<float>(random, Path::kAny, random.between(1, 90), random.between(1, 90), 1), 2e-6);
}

TEST(Gemm, Bfloat16MatchesReference) {
  if (!has_bfloat16()) GTEST_SKIP() << "this processor has no AVX-512 BF16";
  Random random(12);
  for (int round = 0; round < 120; ++round) {
    const Index m = random.between(1, 40), n = random.between(1, 220), k = random.between(1, round % 9 ? 80 : 2100);
    const bool ta = random.coin(), tb = random.coin();
    const Index lda = (ta ? m : k) + random.between(0, 3), ldb = (tb ? k : n) + random.between(0, 3);
    const auto rounded = [&](Index count) {
      const auto wide = random.values<float>(count);
      return std::vector<BFloat16>(wide.begin(), wide.end());
    };
    const auto a = rounded(((ta ? k : m) - 1) * lda + (ta ? m : k)),
               b = rounded(((tb ? n : k) - 1) * ldb + (tb ? k : n));
    const View<BFloat16> va = ta ? View<BFloat16>{a.data(), 1, lda} : View<BFloat16>{a.data(), lda, 1};
    const View<BFloat16> vb = tb ? View<BFloat16>{b.data(), 1, ldb} : View<BFloat16>{b.data(), ldb, 1};
    std::vector<BFloat16> c(static_cast<std::size_t>(m * n));
    std::vector<float> wide(c.size());
    gemm_bfloat16(m, n, k, va, vb, c.data());
    gemm_bfloat16(m, n, k, va, vb, wide.data());
    for (Index i = 0; i < m * n; ++i) {
      double sum = 0, magnitude = 1;
      for (Index x = 0; x < k; ++x) {
        const double product = static_cast<double>(static_cast<float>(va.p[i / n * va.rs + x * va.cs])) *
                               static_cast<double>(static_cast<float>(vb.p[x * vb.rs + i % n * vb.cs]));
        sum += product;
        magnitude += std::fabs(product);
      }
      const auto at = static_cast<std::size_t>(i);
      ASSERT_NEAR(static_cast<double>(wide[at]), sum, 2e-6 * magnitude) << m << "x" << n << "x" << k;
      ASSERT_EQ(c[at].bits, BFloat16(wide[at]).bits);
    }
  }
}

TEST(Gemm, OverwritesNanUnlessItAdds) {
  const float a[2] = {1, 2}, b[2] = {3, 4};
  float c = std::nanf("");
  gemm(1, 1, 2, View<float>{a, 2, 1}, View<float>{b, 1, 1}, &c, 1);
  EXPECT_EQ(c, 11);
}

TEST(Gemm, WithoutProductsIsTheBias) {
  const float bias[3] = {1, 2, 3};
  std::vector<float> c(6, 7);
  Epilogue<float> ep;
  ep.col_bias = bias;
  gemm(2, 3, 0, View<float>{nullptr, 0, 0}, View<float>{nullptr, 0, 0}, c.data(), 3, false, ep);
  EXPECT_EQ(c, (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(Gemm, GivesTheSameBitsForAnyNumberOfThreads) {
  Random random(3);
  const struct {
    Index m, n, k;
  } shapes[] = {{1, 3000, 1000}, {700, 900, 800}, {64, 2000, 2000}, {2000, 40, 600}};
  const int before = num_threads();
  for (const auto& s : shapes) {
    const auto a = random.values<float>(s.m * s.k), b = random.values<float>(s.k * s.n);
    std::vector<std::vector<float>> results;
    for (int threads : {1, 2, 4}) {
      set_num_threads(threads);
      for (const bool transposed : {false, true}) {
        std::vector<float> c(static_cast<std::size_t>(s.m * s.n));
        const View<float> vb = transposed ? View<float>{b.data(), 1, s.k} : View<float>{b.data(), s.n, 1};
        gemm(s.m, s.n, s.k, View<float>{a.data(), s.k, 1}, vb, c.data(), s.n);
        results.push_back(std::move(c));
      }
    }
    for (std::size_t i = 2; i < results.size(); ++i)
      EXPECT_EQ(0, std::memcmp(results[i].data(), results[i % 2].data(), results[i].size() * sizeof(float)));
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace rushlight::gemm
