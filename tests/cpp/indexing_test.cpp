// The C++ face of tensors: values written out, indexing, memory of the caller, gradients, errors.
#include <gtest/gtest.h>

#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

using namespace indexing;

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}
#define EXPECT_ERROR(text, call) \
  EXPECT_NE(error_of([&] { call; }).find(text), std::string::npos) << error_of([&] { call; })

Tensor numbers() { return arange(24, kInt64).reshape({2, 3, 4}); }

TEST(index, views_of_basic_indices) {
  const Tensor x = numbers();
  EXPECT_TRUE(equal(x.index({0, Slice(1, None), Slice(None, None, 2)}), tensor({{4, 6}, {8, 10}})));
  EXPECT_TRUE(equal(x.index({Ellipsis, -1}), tensor({{3, 7, 11}, {15, 19, 23}})));
  EXPECT_TRUE(equal(x.index({"...", 0}), x.select(2, 0)));
  EXPECT_EQ(x.index({None, 1}).sizes(), IntArray({1, 3, 4}));
  EXPECT_EQ(x.index({Slice(), None, 1, Ellipsis, None}).sizes(), IntArray({2, 1, 4, 1}));
  EXPECT_EQ(x.index({1, 2, 3}).item<int>(), 23);
  EXPECT_TRUE(equal(x[1][2], x.index({1, 2})));
  x.index({0}).zero_();
  EXPECT_EQ(x.sum().item<std::int64_t>(), 210);
}

TEST(index, tensors_and_masks) {
  const Tensor x = numbers();
  EXPECT_TRUE(equal(x.index({x > 20}), tensor({21, 22, 23})));
  EXPECT_TRUE(equal(x.index({tensor({1, 0}), 2}), tensor({{20, 21, 22, 23}, {8, 9, 10, 11}})));
  EXPECT_TRUE(equal(x.index({Slice(), tensor({0, 2}), tensor({1, 3})}), tensor({{1, 11}, {13, 23}})));
  EXPECT_TRUE(
      equal(x.index({Ellipsis, tensor({true, false, false, true})}), x.index({Ellipsis, Slice(None, None, 3)})));
  EXPECT_TRUE(equal(
      x.index({0, tensor({{true, false, false, false}, {false, true, false, false}, {false, false, false, true}})}),
      tensor({0, 5, 11})));
  EXPECT_EQ(x.index({true}).sizes(), IntArray({1, 2, 3, 4}));
  EXPECT_TRUE(equal(x[tensor({1})], x.narrow(0, 1, 1)));
}

TEST(index, assignment) {
  Tensor x = numbers();
  x.index_put_({0, Slice(), 1}, 100);
  EXPECT_EQ(x.index({0, 2, 1}).item<int>(), 100);
  x.index_put_({x < 3}, -1);
  EXPECT_EQ(x.index({0, 0, 0}).item<int>(), -1);
  x.index_put_({1, tensor({0, 2})}, ones({4}, kInt64));
  EXPECT_EQ(x[1].sum().item<int>(), 4 + 4 + 16 + 17 + 18 + 19);
  x[0] = 7;
  EXPECT_EQ(x[0].sum().item<int>(), 84);
  x[0][1] = tensor({1, 2, 3, 4});
  EXPECT_EQ(x[0].sum().item<int>(), 84 - 28 + 10);
  x = tensor({1, 2});
  EXPECT_EQ(x.numel(), 2);
}

TEST(index, errors) {
  const Tensor x = numbers();
  EXPECT_ERROR("too many indices for tensor of dimension 3", x.index({0, 0, 0, 0}));
  EXPECT_ERROR("out of", x.index({5}));
  EXPECT_ERROR("ellipsis", x.index({"..", 0}));
  EXPECT_ERROR("step", x.index({Slice(None, None, -1)}));
  EXPECT_THROW(x.index({tensor({9})}), IndexError);
}

TEST(index, gradients_pass_through) {
  const Tensor x = tensor({1.0, 2.0, 3.0}, requires_grad());
  x.index({tensor({0, 0, 2})}).sum().backward();
  EXPECT_TRUE(equal(x.grad(), tensor({2.0, 0.0, 1.0})));
}

TEST(written_values, choose_dtypes) {
  EXPECT_EQ(tensor({1, 2}).dtype(), kInt64);
  EXPECT_EQ(tensor({1.0, 2.0}).dtype(), kFloat32);
  EXPECT_EQ(tensor({true}).dtype(), kBool);
  EXPECT_EQ(tensor({{1, 2}, {3, 4}}, kDouble).dtype(), kDouble);
  EXPECT_EQ(tensor(std::vector<float>{1, 2}).sizes(), IntArray({2}));
  EXPECT_EQ(tensor(3).dim(), 0);
  EXPECT_ERROR("sizes", tensor({{1, 2}, {3}}));
}

TEST(dims, a_lone_number_is_a_list_of_one) {
  const Tensor x = numbers().to(kFloat);
  EXPECT_EQ(x.sum(0).sizes(), IntArray({3, 4}));
  EXPECT_EQ(x.mean(1).sizes(), IntArray({2, 4}));
  EXPECT_EQ(x.logsumexp(-1).sizes(), IntArray({2, 3}));
  EXPECT_EQ(sum(x, {0, 2}).sizes(), IntArray({3}));
}

TEST(memory, accessor_and_from_blob) {
  std::vector<float> memory{1, 2, 3, 4, 5, 6};
  Tensor x = from_blob(memory.data(), {2, 3});
  auto a = x.accessor<float, 2>();
  a[1][2] = 60;
  EXPECT_EQ(memory[5], 60);
  EXPECT_EQ((x.t().accessor<float, 2>()[2][1]), 60);
  EXPECT_ERROR("expected scalar type Double but found Float", (x.accessor<double, 2>()));
  EXPECT_ERROR("expected 1 dims but tensor has 2", (x.accessor<float, 1>()));
  EXPECT_EQ(x.nbytes(), 24u);
}

TEST(gradients, hooks_and_higher_order) {
  const Tensor x = tensor({1.0, 2.0, 3.0}, requires_grad());
  const Tensor first = autograd::grad({(x * x * x).sum()}, {x}, {}, true, true)[0];
  const Tensor second = autograd::grad({first.sum()}, {x}, {}, true, true)[0];
  EXPECT_TRUE(equal(second, tensor({6.0, 12.0, 18.0})));
  EXPECT_TRUE(equal(autograd::grad({second.sum()}, {x})[0], tensor({6.0, 6.0, 6.0})));
  int seen = 0;
  const auto handle = x.register_hook([&](const Tensor& grad) {
    ++seen;
    return grad * 10;
  });
  (x * 2).sum().backward();
  EXPECT_TRUE(equal(x.grad(), tensor({20.0, 20.0, 20.0})));
  x.remove_hook(handle);
  x.register_hook([&](const Tensor&) { ++seen; });
  x.mutable_grad() = Tensor();
  (x * 2).sum().backward();
  EXPECT_TRUE(equal(x.grad(), tensor({2.0, 2.0, 2.0})));
  EXPECT_EQ(seen, 2);
}

struct Cube : autograd::Function<Cube> {
  static Tensor forward(autograd::AutogradContext* ctx, Tensor x, double factor) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return x * x * x * factor;
  }
  static autograd::variable_list backward(autograd::AutogradContext* ctx, autograd::variable_list grads) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {grads[0] * 3 * x * x * std::any_cast<double>(ctx->saved_data["factor"]), Tensor()};
  }
};

TEST(gradients, of_ones_own_function) {
  const Tensor x = tensor({1.0, 2.0}, requires_grad());
  const Tensor first = autograd::grad({Cube::apply(x, 2.0).sum()}, {x}, {}, true, true)[0];
  EXPECT_TRUE(equal(first, tensor({6.0, 24.0})));
  first.sum().backward();
  EXPECT_TRUE(equal(x.grad(), tensor({12.0, 24.0})));
}

TEST(modes, no_grad_and_inference) {
  const Tensor x = ones({2}, requires_grad());
  {
    const NoGradGuard guard;
    EXPECT_FALSE((x * 2).requires_grad());
    EXPECT_FALSE(GradMode::is_enabled());
    const AutoGradMode on(true);
    EXPECT_TRUE((x * 2).requires_grad());
  }
  const InferenceMode guard;
  EXPECT_TRUE((x * 2).is_inference());
}

TEST(errors, name_dtypes_devices_and_shapes) {
  EXPECT_ERROR("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", mm(ones({2, 3}), ones({2, 3})));
  EXPECT_ERROR("same dtype", mm(ones({2, 2}), ones({2, 2}, kDouble)));
  EXPECT_ERROR("must match", ones({2, 3}) + ones({2, 4}));
  EXPECT_ERROR("cuda", Device("cuda"));
  EXPECT_THROW(ones({2}).sum(3), IndexError);
}

TEST(namespaces, hold_thin_functions) { EXPECT_NEAR(linalg::vector_norm(eye(4)).item<double>(), 2, 1e-6); }

}  // namespace
}  // namespace rushlight
