// The pointwise engine against a plain loop: random shapes, strides, dtypes, broadcasting and thread counts.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ops/kernels/copy.h"
#include "ops/kernels/pointwise.h"
#include "rushlight/parallel.h"
#include "rushlight/tensor.h"

using namespace rushlight;

namespace {

std::mt19937 rng(7);
int rand_int(int low, int high) { return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1)); }
using Sizes = std::vector<std::int64_t>;

double element(const TensorBase& t, const Sizes& index) {
  std::int64_t offset = 0;
  const std::size_t lead = index.size() - t.sizes().size();
  for (std::size_t d = 0; d < t.sizes().size(); ++d)
    if (t.sizes()[d] != 1) offset += index[d + lead] * t.strides()[d];
  return visit(t.dtype(), [&](auto zero) -> double {
    using T = decltype(zero);
    const T value = static_cast<const T*>(t.data())[offset];
    if constexpr (is_complex(kDtypeOf<T>))
      return static_cast<double>(value.real());
    else
      return static_cast<double>(value);
  });
}

// A tensor of random dimension order and gaps; its values are small integers, exact in every dtype.
Tensor make(const Sizes& sizes, Dtype type, bool plain) {
  Sizes order(sizes.size()), strides(sizes.size());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    order[d] = static_cast<std::int64_t>(sizes.size() - 1 - d);
  if (!plain)
    for (std::size_t d = sizes.size(); d-- > 1;)
      std::swap(order[d], order[static_cast<std::size_t>(rand_int(0, static_cast<int>(d)))]);
  std::int64_t stride = plain ? 1 : rand_int(1, 2);
  for (const std::int64_t d : order) {
    strides[static_cast<std::size_t>(d)] = stride;
    stride *= sizes[static_cast<std::size_t>(d)] + (plain ? 0 : rand_int(0, 1));
  }
  const Tensor result = empty_strided_tensor(sizes, strides, type);
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    T* data = static_cast<T*>(result.impl()->storage->data);
    const std::size_t count = result.impl()->storage->bytes / sizeof(T);
    for (std::size_t i = 0; i < count; ++i) {
      const int value = type == Dtype::kBool    ? rand_int(0, 1)
                        : type == Dtype::kUInt8 ? rand_int(0, 15)
                                                : rand_int(-7, 8);
      if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
        data[i] = T(static_cast<float>(value));
      else
        data[i] = static_cast<T>(value);
    }
  });
  return result;
}

template <class Expect>
void compare(const char* what, const TensorBase& out, Expect expect) {
  Sizes index(out.sizes().size(), 0);
  for (;;) {
    ASSERT_EQ(element(out, index), expect(index)) << what << " of " << out.summary();
    std::size_t d = index.size();
    while (d > 0 && ++index[d - 1] == out.sizes()[d - 1])
      index[--d] = 0;
    if (d == 0) return;
  }
}

// What the small values of this test survive.
constexpr Dtype kOperands[] = {Dtype::kBool,    Dtype::kUInt8,   Dtype::kInt8,      Dtype::kInt16,
                               Dtype::kInt32,   Dtype::kInt64,   Dtype::kFloat16,   Dtype::kBFloat16,
                               Dtype::kFloat32, Dtype::kFloat64, Dtype::kComplex64, Dtype::kComplex128};

void random_case() {
  static constexpr Dtype kComputes[] = {Dtype::kFloat32, Dtype::kFloat64, Dtype::kInt32, Dtype::kInt64, Dtype::kInt16};
  const int rank = rand_int(0, 4), long_dim = rand_int(0, 5);
  Sizes sizes;
  for (int d = 0; d < rank; ++d)
    sizes.push_back(d == long_dim ? rand_int(1, 3000) : rand_int(1, rank > 2 ? 9 : 70));
  const Dtype compute = kComputes[rand_int(0, 4)];
  Tensor in[2];
  for (Tensor& t : in) {
    Sizes own(sizes.begin() + (rand_int(0, 3) == 0 ? rand_int(0, rank) : 0), sizes.end());
    for (std::int64_t& size : own)
      if (rand_int(0, 4) == 0) size = 1;
    t = make(own, rand_int(0, 1) ? compute : kOperands[rand_int(0, is_floating(compute) ? 9 : 5)], rand_int(0, 1));
  }
  const auto value = [&](int k, const Sizes& index) { return element(in[k], index); };
  const Operand operands[] = {in[0], in[1]};
  const Tensor out = make(sizes, compute, rand_int(0, 2) != 0);
  run_pointwise(pointwise::add, compute, compute, out, operands, 2, nullptr);
  compare("add", out, [&](const Sizes& i) { return value(0, i) + value(1, i); });
  const Tensor mask = make(sizes, Dtype::kBool, rand_int(0, 1));
  run_pointwise(pointwise::lt, compute, Dtype::kBool, mask, operands, 2, nullptr);
  compare("lt", mask, [&](const Sizes& i) { return value(0, i) < value(1, i) ? 1.0 : 0.0; });
  const Operand choice[] = {mask, in[0], in[1]};
  run_pointwise(pointwise::where, compute, compute, out, choice, 3, nullptr);
  compare("where", out, [&](const Sizes& i) { return value(element(mask, i) != 0 ? 0 : 1, i); });
  const Scalar number(3);
  const Operand with_number[] = {in[0], number};
  run_pointwise(pointwise::mul, compute, compute, out, with_number, 2, nullptr);
  compare("mul", out, [&](const Sizes& i) { return value(0, i) * 3; });
  const Tensor copy = make(sizes, kOperands[rand_int(2, 11)], rand_int(0, 1));
  copy_kernel(copy.device(), copy, in[0]);
  compare("copy", copy, [&](const Sizes& i) { return value(0, i); });
  fill_kernel(copy.device(), copy, Scalar(5));
  compare("fill", copy, [](const Sizes&) { return 5.0; });
}

TEST(PointwiseEngine, random_layouts_match_a_plain_loop) {
  for (const int threads : {1, 2}) {
    set_num_threads(threads);
    for (int i = 0; i < 400 && !testing::Test::HasFatalFailure(); ++i)
      random_case();
  }
}

TEST(PointwiseEngine, results_past_the_cache_are_complete) {
  const Tensor a = empty_tensor({5, 1 << 20}, Dtype::kFloat32), out = empty_tensor({5, 1 << 20}, Dtype::kFloat32);
  fill_kernel(a.device(), a, Scalar(2));
  const Operand operands[] = {a, a};
  run_pointwise(pointwise::add, Dtype::kFloat32, Dtype::kFloat32, out, operands, 2, nullptr);
  const float* data = out.data<float>();
  for (std::int64_t i = 0; i < out.numel(); ++i)
    ASSERT_EQ(data[i], 4.0f) << i;
}

TEST(PointwiseEngine, division_of_integers_by_zero_is_an_error) {
  const Tensor a = empty_tensor({100000}, Dtype::kInt32), zero = empty_tensor({100000}, Dtype::kInt32),
               out = empty_tensor({100000}, Dtype::kInt32);
  fill_kernel(a.device(), a, Scalar(7));
  fill_kernel(a.device(), zero, Scalar(0));
  const Operand operands[] = {a, zero};
  EXPECT_THROW(run_pointwise(pointwise::remainder, Dtype::kInt32, Dtype::kInt32, out, operands, 2, nullptr),
               RuntimeError);
}

}  // namespace
