// The engine: values of gradients, hooks, views and changes in place, threads, depth, forward mode.
#include <gtest/gtest.h>

#include <thread>

#include "autograd/node.h"
#include "autograd/saved.h"
#include "rushlight/forward_ad.h"
#include "rushlight/gradcheck.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using autograd::variable_list;

Tensor vector(std::initializer_list<double> values, bool requires_grad = false) {
  Tensor result = empty_tensor({static_cast<std::int64_t>(values.size())}, Dtype::kFloat64);
  std::copy(values.begin(), values.end(), result.mutable_data<double>());
  if (requires_grad) result.set_requires_grad(true);
  return result;
}

std::vector<double> list(const Tensor& tensor) {
  const Tensor dense = clone(tensor.detach(), MemoryFormat::kContiguous);
  return {dense.data<double>(), dense.data<double>() + dense.numel()};
}
using Doubles = std::vector<double>;

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

TEST(backward, accumulates_into_leaves) {
  const Tensor x = vector({1, 2, 3}, true);
  sum(mul(x, x)).backward();
  EXPECT_EQ(list(x.grad()), (Doubles{2, 4, 6}));
  sum(mul(x, x)).backward();
  EXPECT_EQ(list(x.grad()), (Doubles{4, 8, 12}));
}

TEST(backward, second_time_names_the_node) {
  const Tensor x = vector({1}, true);
  const Tensor y = mul(x, x);
  y.backward();
  EXPECT_ERROR("MulBackward0: Trying to backward through the graph a second time", y.backward());
}

TEST(backward, shapes_of_gradients_are_checked) {
  const Tensor x = vector({1, 2}, true);
  const Tensor y = mul(x, x);
  EXPECT_ERROR("grad can be implicitly created only for scalar outputs", y.backward());
  EXPECT_ERROR("Mismatch in shape", y.backward(vector({1})));
  EXPECT_ERROR("does not require grad", vector({1}).backward());
}

TEST(grad, of_inner_tensors_and_unused_ones) {
  const Tensor x = vector({2}, true), z = vector({1}, true);
  const Tensor y = mul(x, x), w = mul(y, y);
  const variable_list gradients = autograd::grad({w}, {y, x}, {}, true);
  EXPECT_EQ(list(gradients[0]), (Doubles{8}));
  EXPECT_EQ(list(gradients[1]), (Doubles{32}));
  EXPECT_FALSE(x.grad().defined());
  EXPECT_ERROR("appears to not have been used in the graph", autograd::grad({w}, {z}, {}, true));
  EXPECT_FALSE(autograd::grad({w}, {z}, {}, true, false, true)[0].defined());
}

TEST(grad, of_higher_order) {
  const Tensor x = vector({2}, true);
  Tensor y = mul(mul(x, x), mul(x, x));
  for (const double expected : {32.0, 48.0, 48.0, 24.0}) {
    y = autograd::grad({y}, {x}, {}, true, true)[0];
    EXPECT_EQ(list(y), (Doubles{expected}));
  }
}

TEST(backward, inputs_alone) {
  const Tensor a = vector({2}, true), b = vector({3}, true);
  const Tensor y = mul(a, b);
  autograd::backward({y}, {}, true, false, {a});
  EXPECT_EQ(list(a.grad()), (Doubles{3}));
  EXPECT_FALSE(b.grad().defined());
  const Tensor inner = mul(a, a);
  autograd::backward({mul(inner, inner)}, {}, std::nullopt, false, {inner});
  EXPECT_EQ(list(inner.grad()), (Doubles{8}));
}

TEST(backward, converts_to_the_dtype_of_an_input) {
  const Tensor x = to(vector({1, 2}), Dtype::kFloat32).set_requires_grad(true);
  sum(mul(x, vector({3, 4}))).backward();
  EXPECT_EQ(x.grad().dtype(), Dtype::kFloat32);
}

TEST(graph, of_a_million_nodes) {
  const Tensor x = vector({1}, true);
  Tensor y = x;
  for (int i = 0; i < 1000000; ++i)
    y = add(y, Scalar(1));
  y.backward();
  EXPECT_EQ(list(x.grad()), (Doubles{1}));
}

TEST(backward, twice_at_once_over_shared_nodes) {
  const Tensor x = vector({1, 2}, true);
  Tensor shared = x;
  for (int i = 0; i < 200; ++i)
    shared = mul(shared, Scalar(1.0));
  const Tensor a = sum(mul(shared, Scalar(2))), b = sum(mul(shared, Scalar(3)));
  for (int repeat = 0; repeat < 50; ++repeat) {
    x.set_grad({});
    std::thread one([&] { a.backward({}, true); }), two([&] { b.backward({}, true); });
    one.join();
    two.join();
    ASSERT_EQ(list(x.grad()), (Doubles{5, 5}));
  }
}

TEST(hooks, change_gradients_and_go_away) {
  const Tensor x = vector({1}, true);
  const Tensor y = mul(x, Scalar(2));
  std::vector<double> seen;
  auto handle = autograd::register_hook(y, [&](const Tensor& gradient) {
    seen.push_back(list(gradient)[0]);
    return mul(gradient, Scalar(10));
  });
  y.backward({}, true);
  EXPECT_EQ(seen, (Doubles{1}));
  EXPECT_EQ(list(x.grad()), (Doubles{20}));
  handle.remove();
  y.backward();
  EXPECT_EQ(list(x.grad()), (Doubles{22}));
}

TEST(hooks, after_accumulation) {
  const Tensor x = vector({1}, true);
  int calls = 0;
  autograd::register_post_accumulate_grad_hook(x, [&](const Tensor& leaf) {
    ++calls;
    EXPECT_TRUE(leaf.grad().defined());
  });
  add(mul(x, x), x).backward();
  EXPECT_EQ(calls, 1);
}

TEST(hooks, backward_inside_backward) {
  const Tensor x = vector({3}, true), z = vector({4}, true);
  const Tensor y = mul(x, x);
  autograd::register_hook(y, [&](const Tensor&) -> Tensor {
    const AutoGradMode on(true);
    mul(z, z).backward();
    y.backward({}, true);  // over the very nodes that are running
    return {};
  }).remove();
  autograd::register_hook(y, [&](const Tensor&) -> Tensor {
    const AutoGradMode on(true);
    mul(z, z).backward();
    return {};
  });
  y.backward();
  EXPECT_EQ(list(z.grad()), (Doubles{8}));
  EXPECT_EQ(list(x.grad()), (Doubles{6}));
}

TEST(hooks, retain_grad_follows_changes_in_place) {
  const Tensor x = vector({1, 2}, true);
  const Tensor y = mul(x, Scalar(2));
  y.retain_grad();
  mul_(y, Scalar(3));
  sum(y).backward();
  EXPECT_EQ(list(y.grad()), (Doubles{1, 1}));
  EXPECT_EQ(list(x.grad()), (Doubles{6, 6}));
}

TEST(inplace, records_and_refuses) {
  const Tensor x = vector({1, 2}, true);
  EXPECT_ERROR("a leaf Variable that requires grad is being used in an in-place operation", add_(x, Scalar(1)));
  EXPECT_ERROR("a view of a leaf Variable that requires grad is being used in an in-place operation",
               add_(select(x, 0, 0), Scalar(1)));
  const Tensor y = mul(x, Scalar(2));
  mul_(y, vector({2, 4}));
  exp_(y);
  sum(y).backward();
  EXPECT_NEAR(list(x.grad())[0], 4 * std::exp(4), 1e-9);
  const Tensor z = exp(x);
  add_(z, Scalar(1));
  const std::string error = error_of([&] { sum(z).backward(); });
  EXPECT_NE(
      error.find(
          "modified by an inplace operation: [torch.DoubleTensor [2]], which is output 0 of Exp, is at version 1; "
          "expected version 0 instead"),
      std::string::npos)
      << error;
  EXPECT_NE(error.find("add_ changed it"), std::string::npos) << error;
}

TEST(inplace, on_views_becomes_history_of_the_base) {
  const Tensor x = vector({1, 2, 3}, true);
  const Tensor y = mul(x, Scalar(1));
  const Tensor view = slice(y, 0, 0, 2), other = slice(y, 0, 1, 3);
  mul_(view, Scalar(10));
  sum(mul(y, vector({1, 1, 1}))).backward({}, true);
  EXPECT_EQ(list(x.grad()), (Doubles{10, 10, 1}));
  x.set_grad({});
  sum(other).backward({}, true);  // sees the change of the other view
  EXPECT_EQ(list(x.grad()), (Doubles{0, 10, 1}));
  x.set_grad({});
  sum(view).backward();
  EXPECT_EQ(list(x.grad()), (Doubles{10, 10, 0}));
}

TEST(inplace, on_a_view_of_a_plain_tensor) {
  const Tensor w = vector({5, 6}, true);
  const Tensor buffer = zeros({3}, TensorOptions(Dtype::kFloat64));
  const Tensor early = slice(buffer, 0, 0, 3);
  copy_(slice(buffer, 0, 1, 3), w);
  EXPECT_TRUE(buffer.requires_grad());
  EXPECT_TRUE(early.requires_grad());
  sum(mul(early, vector({1, 2, 3}))).backward();
  EXPECT_EQ(list(w.grad()), (Doubles{2, 3}));
}

TEST(inplace, on_one_of_several_views_is_refused) {
  const Tensor x = mul(vector({1, 2}, true), Scalar(1));
  EXPECT_ERROR("This view is the output of a function that returns multiple views", add_(unbind(x)[0], Scalar(1)));
}

TEST(inplace, second_derivatives_through_views) {
  autograd::gradgradcheck(
      [](const variable_list& in) -> variable_list {
        const Tensor y = mul(in[0], in[0]);
        mul_(slice(y, 0, 1, 3), in[1]);
        return {mul(y, y)};
      },
      {vector({1, 2, 3}, true), vector({0.5, -1.5}, true)});
}

TEST(inplace, on_real_views_of_complex_tensors) {
  const Tensor x = reshape(vector({1, 2, 3, 4}), {2, 2}).set_requires_grad(true);
  const Tensor pairs = mul(x, Scalar(1));
  mul_(view_as_complex(pairs), Scalar(ComplexDouble(0, 1)));  // (a, b) becomes (-b, a)
  sum(mul(pairs, Scalar(2))).backward();
  EXPECT_EQ(list(x.grad()), (Doubles{2, -2, 2, -2}));
  const Tensor z = view_as_complex(reshape(vector({1, 2, 3, 4}), {2, 2})).set_requires_grad(true);
  const Tensor y = mul(z, Scalar(1));
  mul_(view_as_real(y), Scalar(3));
  sum(view_as_real(y)).backward();
  EXPECT_EQ(list(view_as_real(z.grad())), (Doubles{3, 3, 3, 3}));
}

TEST(views, cut_transpose_and_expand) {
  autograd::gradcheck(
      [](const variable_list& in) -> variable_list {
        const Tensor x = reshape(in[0], {2, 3});
        return {mul(as_strided(x, {2, 2}, {1, 2}, 1), transpose(as_strided(x, {2, 2}, {1, 1}, 0), 0, 1)),
                expand(unsqueeze(select(x, 0, 1), 0), {2, 3}), unfold(x, 1, 2, 1), diagonal(x, 1)};
      },
      {vector({1, 2, 3, 4, 5, 6}, true)}, {.forward_mode = true});
}

struct Cube : autograd::Function<Cube> {
  static Tensor forward(autograd::AutogradContext* ctx, const Tensor& x, double factor) {
    ctx->save_for_backward({x});
    ctx->saved_data["factor"] = factor;
    return mul(mul(mul(x, x), x), Scalar(factor));
  }
  static variable_list backward(autograd::AutogradContext* ctx, variable_list grads) {
    const Tensor x = ctx->get_saved_variables()[0];
    return {mul(mul(grads[0], mul(x, x)), Scalar(3 * std::any_cast<double>(ctx->saved_data["factor"]))), {}};
  }
};

TEST(function, of_ones_own) {
  const variable_list x = {vector({1, -2}, true)};
  const autograd::Differentiable cube = [](const variable_list& in) -> variable_list {
    return {Cube::apply(in[0], 2.0)};
  };
  autograd::gradcheck(cube, x);
  autograd::gradgradcheck(cube, x);
}

TEST(saved, pass_through_hooks) {
  const Tensor x = vector({3}, true);
  int packed = 0, unpacked = 0;
  auto hooks = std::make_shared<SavedHooks>();
  hooks->pack = [&](const Tensor& tensor) -> std::shared_ptr<void> {
    ++packed;
    return std::make_shared<Tensor>(tensor);
  };
  hooks->unpack = [&](const std::shared_ptr<void>& object) {
    ++unpacked;
    return *static_cast<Tensor*>(object.get());
  };
  push_saved_hooks(hooks);
  const Tensor y = exp(mul(x, x));
  pop_saved_hooks();
  EXPECT_EQ(packed, 3);
  y.backward({}, false, true);  // the hooks' copy of y holds the node that holds it, until the graph is freed
  EXPECT_EQ(unpacked, 3);
  EXPECT_NEAR(list(x.grad())[0], 6 * std::exp(9), 1e-8);
  x.set_grad({});  // the recorded gradient holds x
}

TEST(inference, tensors_stay_out_of_graphs) {
  Tensor made;
  {
    const InferenceMode inference;
    made = add(vector({1}), Scalar(1));
    add_(made, Scalar(1));
  }
  const Tensor x = vector({1}, true);
  EXPECT_TRUE(made.is_inference());
  EXPECT_ERROR("Inference tensors cannot be saved for backward", mul(x, made));
  EXPECT_ERROR("Inplace update to inference tensor outside InferenceMode", add_(made, Scalar(1)));
}

TEST(forward_mode, chains_broadcasts_and_views) {
  autograd::gradcheck(
      [](const variable_list& in) -> variable_list {
        const Tensor matrix = reshape(in[0], {2, 2});
        return {exp(mul(matrix, in[1])), mul(sum(matrix, {0}), select(matrix, 0, 1)), cat({in[0], in[1]}),
                div(in[0], add(mul(in[0], in[0]), Scalar(1)))};
      },
      {vector({1, 2, 3, 4}, true), vector({0.5, -1}, true)}, {.forward_mode = true});
}

TEST(forward_mode, changes_in_place) {
  autograd::gradcheck(
      [](const variable_list& in) -> variable_list {
        const Tensor y = mul(in[0], in[0]);
        mul_(slice(y, 0, 1, 3), in[1]);
        exp_(y);
        return {y};
      },
      {vector({0.1, 0.2, 0.3}, true), vector({0.5, -1.5}, true)}, {.forward_mode = true});
}

TEST(forward_mode, over_reverse_and_under_it) {
  const std::int64_t level = forward_ad::enter_dual_level();
  // d/dx of x^3 along 1 is 3x^2, whose gradient is 6x.
  const Tensor x = vector({2}, true);
  const Tensor dual = forward_ad::make_dual(x, vector({1}));
  const Tensor tangent = tangent_of(mul(mul(dual, dual), dual));
  EXPECT_EQ(list(tangent), (Doubles{12}));
  EXPECT_EQ(list(autograd::grad({tangent}, {x})[0]), (Doubles{12}));
  // The gradient of exp(2x) carries the tangent 4 exp(2x).
  const Tensor z = forward_ad::make_dual(vector({0.5}), vector({1})).requires_grad_();
  const Tensor gradient = autograd::grad({exp(mul(z, Scalar(2)))}, {z})[0];
  EXPECT_NEAR(list(tangent_of(gradient))[0], 4 * std::exp(1), 1e-9);
  forward_ad::exit_dual_level(level);
  EXPECT_FALSE(tangent_of(dual).defined());
}

}  // namespace
}  // namespace rushlight
