// Error bounds of vector mathematics in ULP, on every instruction set of this machine. A sample of all float32 values
// by default; every value with RUSHLIGHT_LONG=1 in the environment.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "cpu/simd/targets.h"
#include "ops/kernels/pointwise.h"

using namespace rushlight;

namespace {

// `level` is an instruction set.
template <class T>
void call(const Pointwise& op, int level, const std::vector<T>& in, std::vector<T>& out) {
  const T params[] = {1, op.name == std::string_view("softplus") ? T(1e30) : T(1), 1};  // and the factors of elu
  TileArgs args;
  args.in[0] = in.data();
  args.moves[0] = 1;
  args.out = out.data();
  args.n = static_cast<std::int64_t>(in.size());
  args.params = params;
  const TileFn vectors = op.vector.functions[level](kDtypeOf<T>);
  (vectors ? vectors : op.plain(kDtypeOf<T>))(args);
}

// Distance in units of the last place of the reference, which is kept in more digits than `got` has.
double ulp_error(float got, double want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : 1e9;
  if (std::abs(want) > 3.4028235677973366e38)
    return std::isinf(got) && (got > 0) == (want > 0) ? 0 : std::abs(got) > 3.3e38f ? 1 : 1e9;
  if (static_cast<double>(got) == want) return 0;
  const double size = std::max(std::abs(want), 1.1754943508222875e-38);
  const double unit = std::ldexp(1.0, std::ilogb(size) - 23);
  return std::abs(static_cast<double>(got) - want) / unit;
}
double ulp_error(double got, long double want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : 1e9;
  if (std::abs(want) > 1.7976931348623157e308L) return std::isinf(got) && (got > 0) == (want > 0) ? 0 : 1e9;
  if (static_cast<long double>(got) == want) return 0;
  const long double size = std::max(std::abs(want), 2.2250738585072014e-308L);
  return static_cast<double>(std::abs(got - want) / std::ldexp(1.0L, std::ilogb(size) - 52));
}

long double softplus(long double x) { return std::max(x, 0.0L) + std::log1p(std::exp(-std::abs(x))); }
// By Halley's steps from a rough guess (S. Winitzki, 2008).
long double erfinv(long double x) {
  const long double a = std::abs(x), rest = 1 - a, log = std::log(rest * (1 + a)), t = 4.33L + log / 2;
  if (!(a < 1)) return a == 1 ? std::copysign(INFINITY, x) : NAN;
  long double y = std::sqrt(std::max(0.0L, std::sqrt(t * t - log / 0.147L) - t));
  for (int i = 0; i < 3; ++i) {
    const long double miss = a < 0.5L ? std::erf(y) - a : rest - std::erfc(y);
    const long double step = miss * 0.886226925452758013649L * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

struct Case {
  const char* name;
  const Pointwise* op;
  long double (*reference)(long double);
  double single, wide;  // bounds for float32 and float64
};
#define RL_CASE(name, single, wide) {#name, &pointwise::name, [](long double x) { return std::name(x); }, single, wide}
const Case kCases[] = {
    RL_CASE(exp, 0.8, 0.55),
    RL_CASE(exp2, 0.8, 0.55),
    RL_CASE(expm1, 0.9, 0.65),
    RL_CASE(log, 0.85, 0.55),
    RL_CASE(log2, 0.85, 0.55),
    RL_CASE(log10, 0.7, 0.55),
    RL_CASE(log1p, 1.1, 0.55),
    RL_CASE(sin, 0.55, 0.55),
    RL_CASE(cos, 0.55, 0.55),
    RL_CASE(tan, 0.65, 0.65),
    RL_CASE(asin, 0.65, 0.65),
    RL_CASE(acos, 0.65, 0.65),
    RL_CASE(atan, 1.06, 0.7),
    RL_CASE(sinh, 0.95, 0.55),
    RL_CASE(cosh, 1.15, 0.55),
    RL_CASE(tanh, 0.8, 0.6),
    RL_CASE(asinh, 0.6, 0.55),
    RL_CASE(acosh, 0.55, 0.55),
    RL_CASE(atanh, 0.6, 0.55),
    RL_CASE(erf, 1.1, 0.7),
    RL_CASE(erfc, 1.1, 1.0),  // 0.75 where results are normal numbers
    {"sigmoid", &pointwise::sigmoid, [](long double x) { return 1 / (1 + std::exp(-x)); }, 2.2, 0.7},
    {"erfinv", &pointwise::erfinv, erfinv, 0.8, 1.5},
    {"elu", &pointwise::elu, [](long double x) { return x > 0 ? x : std::expm1(x); }, 1.1, 0.65},
    {"softplus", &pointwise::softplus, softplus, 2.0, 1.0},
    {"log_sigmoid", &pointwise::log_sigmoid, [](long double x) { return -softplus(-x); }, 2.0, 1.5},
    {"rsqrt", &pointwise::rsqrt, [](long double x) { return 1 / std::sqrt(x); }, 1.5, 1.5},
    {"sqrt", &pointwise::sqrt, [](long double x) { return std::sqrt(x); }, 0.51, 0.51},
};

class PointwiseFunctions : public testing::TestWithParam<Case> {};

// The largest error of a function at `in`, with the number and the instruction set where it is.
template <class T, class Wide>
struct Worst {
  double error = 0;
  T at = 0;
  int level = 0;

  void add(const Case& c, const std::vector<T>& in) {
    std::vector<Wide> want(in.size());
    std::transform(in.begin(), in.end(), want.begin(), [&](T x) { return static_cast<Wide>(c.reference(x)); });
    std::vector<T> out(in.size());
    for (int l = 0; l <= simd::level(); ++l) {
      call(*c.op, l, in, out);
      for (std::size_t i = 0; i < in.size(); ++i)
        if (const double e = ulp_error(out[i], want[i]); e > error) error = e, at = in[i], level = l;
    }
  }
};

TEST_P(PointwiseFunctions, float32_stays_within_its_bound) {
  const Case& c = GetParam();
  const char* wanted = std::getenv("RUSHLIGHT_LONG");
  const std::uint32_t step = wanted && *wanted == '1' ? 1 : 997;
  constexpr std::uint64_t kPiece = 1 << 16;
  Worst<float, double> worst;
  std::vector<float> in;
  for (std::uint64_t begin = 0; begin < std::uint64_t{1} << 32; begin += kPiece * step) {
    in.clear();
    for (std::uint64_t i = begin; i < std::min(begin + kPiece * step, std::uint64_t{1} << 32); i += step)
      in.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(i)));
    worst.add(c, in);
  }
  EXPECT_LE(worst.error, c.single) << c.name << " at " << worst.at << " on level " << worst.level;
}

// Where kernels change the polynomial: about odd multiples of ln2/32, quarters of powers of two and their complements.
TEST_P(PointwiseFunctions, float32_stays_within_its_bound_at_the_edges_of_pieces) {
  std::vector<float> in;
  const auto around = [&](double x) {
    for (int k = -8; k <= 8; ++k) {
      const std::uint32_t bits = std::bit_cast<std::uint32_t>(static_cast<float>(x)) + static_cast<std::uint32_t>(k);
      in.push_back(std::bit_cast<float>(bits)), in.push_back(-in.back());
    }
  };
  for (int k = 1; k < 5000; k += 2)
    around(k * M_LN2 / 32);
  for (int k = 0; k < 26; ++k)
    around(1 - std::ldexp(1.0, -k - 1));
  for (double unit = 0.125; unit < 2; unit *= 2)
    for (int k = 4; k < 9; ++k)
      for (const double scale : {1.0, 0.8, 0.74})
        around((unit * k - (scale < 1 ? 0.5 : 0)) / scale);
  for (const double limit : {3.99, 4.0, 9.3, 10.1, 19.0, 20.0, 87.4, 88.72284, 89.0, 90.0, 103.97, 105.0})
    around(limit);
  Worst<float, double> worst;
  worst.add(GetParam(), in);
  EXPECT_LE(worst.error, GetParam().single) << worst.at << " on level " << worst.level;
}

TEST_P(PointwiseFunctions, zeros_keep_their_signs_and_small_numbers_their_digits) {
  const Case& c = GetParam();
  const std::vector<float> in = {0.0f, -0.0f, 1e-45f, -1e-45f, 3e-45f, -7e-45f, 1.2e-38f, -1e-38f, 1e-30f, -1e-20f};
  std::vector<float> out(in.size());
  for (int level = 0; level <= simd::level(); ++level) {
    call(*c.op, level, in, out);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const float want = static_cast<float>(c.reference(static_cast<long double>(in[i])));
      if (std::isnan(want)) {
        EXPECT_TRUE(std::isnan(out[i])) << c.name << " of " << in[i] << " on level " << level;
        continue;
      }
      EXPECT_LE(ulp_error(out[i], static_cast<double>(want)), 1) << c.name << " of " << in[i] << " on level " << level;
      EXPECT_EQ(std::signbit(out[i]), std::signbit(want)) << c.name << " of " << in[i] << " on level " << level;
    }
  }
}

TEST_P(PointwiseFunctions, float64_stays_within_its_bound) {
  const Case& c = GetParam();
  std::vector<double> in;
  std::uint64_t state = 88172645463325252u;
  for (int i = 0; i < 200000; ++i) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    const double unit = static_cast<double>(state >> 11) * 0x1p-53;
    in.push_back(i % 4 == 0   ? std::bit_cast<double>(state)
                 : i % 4 == 1 ? 2 * unit - 1
                 : i % 4 == 2 ? 80 * (2 * unit - 1)
                              : std::exp(40 * (2 * unit - 1)));
  }
  Worst<double, long double> worst;
  worst.add(c, in);
  EXPECT_LE(worst.error, c.wide) << c.name << " at " << worst.at << " on level " << worst.level;
}

TEST(PointwiseMath, pairs_of_float32_match_the_c_library) {
  struct Pair {
    const char* name;
    const Pointwise* op;
    double (*reference)(double, double);
    double bound;
  };
  const auto remainder = [](double a, double b) {
    const double rest = std::fmod(a, b);
    if (rest == 0) return std::copysign(rest, b);
    return (rest < 0) != (b < 0) ? rest + b : rest;
  };
  const Pair pairs[] = {{"fmod", &pointwise::fmod, [](double a, double b) { return std::fmod(a, b); }, 0},
                        {"remainder", &pointwise::remainder, remainder, 0.5},
                        {"hypot", &pointwise::hypot, [](double a, double b) { return std::hypot(a, b); }, 1},
                        {"atan2", &pointwise::atan2, [](double a, double b) { return std::atan2(a, b); }, 1.15},
                        {"pow", &pointwise::pow, [](double a, double b) { return std::pow(a, b); }, 0.95}};
  const float special[] = {0.0f,   -0.0f, 1.0f,       -1.0f,       INFINITY, -INFINITY, NAN,
                           1e-40f, 3e38f, 2.5f,       -2.0f,       1e30f,    1e-45f,    1e-16f,
                           2e18f,  7.0f,  8388607.0f, 16777217.0f, -3e38f,   1e-30f,    -1e-21f};
  std::vector<float> a, b;
  for (const float x : special)
    for (const float y : special)
      a.push_back(x), b.push_back(y);
  std::uint32_t state = 12345;
  const auto next = [&] { return state = state * 1664525u + 1013904223u; };
  for (int i = 0; i < 200000; ++i) {
    const float x = static_cast<float>(static_cast<double>(next()) * 0x1p-31 - 1),
                y = static_cast<float>(static_cast<double>(next()) * 0x1p-31 - 1);
    a.push_back(i % 3 ? x * 50 : std::bit_cast<float>(next()));
    b.push_back(i % 3 == 1 ? y * 3 : i % 3 == 2 ? y * 40 : std::bit_cast<float>(next()));
  }
  std::vector<float> out(a.size());
  for (const Pair& pair : pairs) {
    TileArgs args;
    args.in[0] = a.data();
    args.in[1] = b.data();
    args.moves[0] = args.moves[1] = 1;
    args.out = out.data();
    args.n = static_cast<std::int64_t>(a.size());
    pair.op->kernel(Dtype::kFloat32)(args);
    double worst = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double want = pair.reference(static_cast<double>(a[i]), static_cast<double>(b[i]));
      const double error = want == 0 && std::signbit(want) != std::signbit(out[i]) ? 1e9 : ulp_error(out[i], want);
      if (error > worst) worst = error, at = i;
    }
    EXPECT_LE(worst, pair.bound) << pair.name << " of " << a[at] << " and " << b[at] << ": " << out[at];
  }
}

// Branches are taken for whole vectors; what a lane becomes must not depend on its neighbours.
TEST(PointwiseMath, results_do_not_depend_on_neighbours) {
  std::vector<float> in;
  for (const float x : {0.0f,   1e-45f, 1e-40f,   1e-30f, 0.3f,       0.75f, 1.0f,  1.5f,  2.0f,     3.5f, 70.0f,
                        399.9f, 400.1f, 99999.0f, 1e6f,   8388608.0f, 1e19f, 1e37f, 3e38f, INFINITY, NAN})
    in.push_back(x), in.push_back(-x);
  std::vector<float> other(in.rbegin(), in.rend()), out(in.size());
  const Pointwise* ops[] = {&pointwise::sin,   &pointwise::cos,   &pointwise::tan,       &pointwise::log2,
                            &pointwise::log10, &pointwise::log1p, &pointwise::rsqrt,     &pointwise::atan,
                            &pointwise::asin,  &pointwise::acos,  &pointwise::digamma,   &pointwise::atan2,
                            &pointwise::hypot, &pointwise::fmod,  &pointwise::remainder, &pointwise::pow};
  for (const Pointwise* op : ops) {
    TileArgs args;
    args.in[0] = in.data();
    args.in[1] = other.data();
    args.moves[0] = args.moves[1] = 1;
    args.out = out.data();
    args.n = static_cast<std::int64_t>(in.size());
    op->kernel(Dtype::kFloat32)(args);
    for (std::size_t i = 0; i < in.size(); ++i) {
      float alone = 0;
      args.in[0] = &in[i];
      args.in[1] = &other[i];
      args.out = &alone;
      args.n = 1;
      op->kernel(Dtype::kFloat32)(args);
      EXPECT_TRUE(std::isnan(alone) ? std::isnan(out[i]) : std::bit_cast<int>(alone) == std::bit_cast<int>(out[i]))
          << op->name << " of " << in[i] << " and " << other[i] << ": " << alone << ", " << out[i];
    }
  }
}

TEST(PointwiseMath, digamma_of_float32_is_near_that_of_float64) {
  struct Part {
    float low, high;
    double bound, least;  // in ULP, where the result is that large: between negative numbers' roots digits cancel
  };
  const Part parts[] = {{1e-44f, 1.0f, 2.2, 0},  {1.0f, 1.4f, 2.4, 0},     {1.4f, 1.5f, 2.1, 0},
                        {1.5f, 3.0f, 2.1, 0},    {3.0f, INFINITY, 2.0, 0}, {-1.0f, -1e-44f, 12, 0.5},
                        {-50.0f, -1.0f, 16, 0.5}};
  for (int level = 0; level <= simd::level(); ++level)
    for (const Part& part : parts) {
      const auto bits = [](float x) { return static_cast<double>(std::bit_cast<std::uint32_t>(x)); };
      std::vector<float> in, out;
      std::vector<double> wide, want;
      for (int i = 0; i < 100000; ++i)
        in.push_back(std::bit_cast<float>(
            static_cast<std::uint32_t>(bits(part.low) + (bits(part.high) - bits(part.low)) * i / 1e5)));
      for (const float x : in)
        wide.push_back(static_cast<double>(x));
      out.resize(in.size());
      want.resize(in.size());
      call(pointwise::digamma, level, in, out);
      call(pointwise::digamma, level, wide, want);
      double worst = 0;
      std::size_t at = 0;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const double error = std::abs(want[i]) < part.least ? 0 : ulp_error(out[i], want[i]);
        if (error > worst) worst = error, at = i;
      }
      EXPECT_LE(worst, part.bound) << "level " << level << ": digamma of " << in[at] << ": " << out[at];
    }
  std::vector<float> in = {0.0f, -0.0f, -1.0f, -2.0f, -8388609.0f, -INFINITY, NAN, INFINITY}, out(in.size());
  for (int level = 0; level <= simd::level(); ++level) {
    call(pointwise::digamma, level, in, out);
    EXPECT_EQ(out[0], -INFINITY);
    EXPECT_EQ(out[1], INFINITY);
    for (std::size_t i = 2; i < 7; ++i)
      EXPECT_TRUE(std::isnan(out[i])) << in[i];
    EXPECT_EQ(out[7], INFINITY);
  }
}

INSTANTIATE_TEST_SUITE_P(Functions, PointwiseFunctions, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

}  // namespace
