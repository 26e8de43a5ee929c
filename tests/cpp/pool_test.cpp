// Rows of pooling windows in vectors against plain loops: strides, taps, steps between them, NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cpu/pool/planes.h"

namespace rushlight::pool {
namespace {

TEST(PoolRows, MatchPlainLoops) {
  std::mt19937 engine(7);
  const auto between = [&](std::int64_t a, std::int64_t b) {
    return std::uniform_int_distribution<std::int64_t>(a, b)(engine);
  };
  for (int round = 0; round < 500; ++round) {
    const std::int64_t width = between(1, 90), height = between(1, 5), taps = between(1, 4), step = between(1, 2);
    if ((taps - 1) * step + 1 > width) continue;
    // Exactly as large as needed, so that an address checker sees any overrun.
    std::vector<float> plane(static_cast<std::size_t>(width * height));
    for (float& x : plane)
      x = static_cast<float>(between(-40, 40));
    if (round % 3 == 0) plane[static_cast<std::size_t>(between(0, width * height - 1))] = std::nanf("");
    Row row{plane.data(), width, 0, between(1, height), between(1, 2), 0, between(1, 2), taps,
            step,         0,     0, width * height};
    row.y = between(0, row.y_end - 1);
    row.to = (width - ((taps - 1) * step + 1)) / row.stride + 1;
    std::vector<float> out(static_cast<std::size_t>(row.to), 9), mean(static_cast<std::size_t>(row.to), 9);
    std::vector<std::int64_t> where(static_cast<std::size_t>(row.to), -1);
    const std::int64_t done = max_row(row, out.data(), where.data()), averaged = average_row(row, 3, mean.data());
    ASSERT_LE(done, row.to);
    ASSERT_EQ(done, averaged);
    for (std::int64_t i = 0; i < done; ++i) {
      float best = -std::numeric_limits<float>::infinity(), sum = 0;
      std::int64_t at = row.y * width + i * row.stride;
      for (std::int64_t y = row.y; y < row.y_end; y += row.y_step)
        for (std::int64_t t = 0; t < taps; ++t) {
          const std::int64_t element = y * width + i * row.stride + t * step;
          const float v = plane[static_cast<std::size_t>(element)];
          sum += v;
          if (v > best || std::isnan(v)) best = v, at = element;
        }
      const auto k = static_cast<std::size_t>(i);
      ASSERT_EQ(std::isnan(best), std::isnan(out[k]));
      if (!std::isnan(best)) {
        ASSERT_EQ(best, out[k]);
      }
      ASSERT_EQ(at, where[k]);
      if (!std::isnan(sum)) {
        ASSERT_EQ(sum / 3, mean[k]);
      }
    }
  }
}

}  // namespace
}  // namespace rushlight::pool
