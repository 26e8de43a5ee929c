// What several threads do at once: the pool, kernels of each family, backward, allocator, generators, first uses.
// The sanitizer build with threads (./dev test --sanitize) runs these tests to find races; elsewhere they check
// results.
#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "autograd/interpose.h"
#include "rushlight/allocator.h"
#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

constexpr int kThreads = 4;

// body(thread) in several threads that start together.
void together(const std::function<void(int)>& body, int count = kThreads) {
  std::atomic<int> ready{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      ++ready;
      while (ready < count)
        std::this_thread::yield();
      body(i);
    });
  for (auto& thread : threads)
    thread.join();
}

struct FourThreads {
  FourThreads() : before(get_num_threads()) { set_num_threads(kThreads); }
  ~FourThreads() { set_num_threads(before); }
  const int before;
};

TEST(threads, loops_run_every_task_once_nested_or_not) {
  const FourThreads four;
  std::vector<std::atomic<int>> counts(1000);
  parallel_for(100, [&](std::int64_t outer) {
    parallel_for(10, [&](std::int64_t inner) { ++counts[static_cast<std::size_t>(outer * 10 + inner)]; });
  });
  for (const auto& count : counts)
    EXPECT_EQ(count, 1);
  std::atomic<std::int64_t> sum{0};
  together([&](int) {
    for (int i = 0; i < 50; ++i)
      parallel_for(20, [&](std::int64_t task) { sum += task; });
  });
  EXPECT_EQ(sum, kThreads * 50 * 190);
}

TEST(threads, exceptions_of_tasks_reach_the_caller) {
  const FourThreads four;
  for (int i = 0; i < 20; ++i)
    EXPECT_THROW(parallel_for(100,
                              [&](std::int64_t task) {
                                if (task % 7 == 3) throw std::bad_alloc();
                              }),
                 std::bad_alloc);
  EXPECT_FALSE(in_parallel_region());
  std::atomic<int> done{0};
  parallel_for(100, [&](std::int64_t) { ++done; });
  EXPECT_EQ(done, 100);
}

TEST(threads, number_of_threads_changes_under_running_loops) {
  const FourThreads four;
  const Tensor x = randn({64, 1024});
  const Tensor expected = x.exp();
  together([&](int which) {
    for (int i = 0; i < 20; ++i)
      if (which == 0)
        set_num_threads(1 + i % 4);
      else
        EXPECT_TRUE(equal(x.exp(), expected));
  });
}

// One parallel kernel of each family, with a gradient where there is one.
struct Family {
  const char* name;
  std::function<Tensor(const Tensor& x)> compute;  // of a float32 tensor [16, 8, 24, 24]
  bool differentiable = true;
};

Tensor with_weights(const Tensor& x, IntArray sizes) {
  Generator generator = make_generator();
  generator.manual_seed(3);
  return randn(sizes, generator, x.options()) * 0.1;
}

std::vector<Family> families() {
  const auto rows = [](const Tensor& x) { return x.reshape({16 * 8, 24 * 24}); };
  const auto index = [](const Tensor& x) { return (x.reshape({16 * 8, 24 * 24}).argsort(-1, false)); };
  return {
      {"pointwise", [](const Tensor& x) { return (x.sigmoid() * x + x.abs().sqrt()).tanh(); }},
      {"pointwise strided", [](const Tensor& x) { return x.permute({3, 1, 2, 0}) * x.permute({2, 1, 3, 0}).exp(); }},
      {"convert", [](const Tensor& x) { return x.to(kBFloat16).to(kDouble); }},
      {"integer", [](const Tensor& x) { return floor_divide((x * 100).to(kInt64), 7).bitwise_xor(5); }, false},
      {"sum", [=](const Tensor& x) { return rows(x).sum(0) + x.sum().exp().clamp_max(2); }},
      {"mean and variance", [](const Tensor& x) { return x.mean({0, 2}) * x.var(true); }},
      {"extrema", [=](const Tensor& x) { return rows(x).amax({1}) - rows(x).amin({0}).mean(); }},
      {"softmax", [=](const Tensor& x) { return rows(x).softmax(1) * rows(x).log_softmax(0); }},
      {"scan", [=](const Tensor& x) { return rows(x).cumsum(1) + rows(x).cumsum(0); }},
      {"sort", [=](const Tensor& x) { return std::get<0>(rows(x).sort(1)); }},
      {"norms", [](const Tensor& x) { return layer_norm(x, {24, 24}) + group_norm(x, 4); }},
      {"batch norm", [](const Tensor& x) { return batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5, false); }},
      {"product", [=](const Tensor& x) { return mm(rows(x), rows(x).t()); }},
      {"batched product", [](const Tensor& x) { return matmul(x, x.transpose(2, 3)); }},
      {"convolution", [](const Tensor& x) { return conv2d(x, with_weights(x, {12, 8, 3, 3}), {}, {1}, IntArray{1}); }},
      {"depthwise",
       [](const Tensor& x) { return conv2d(x, with_weights(x, {8, 1, 3, 3}), {}, {1}, IntArray{1}, {1}, 8); }},
      {"transposed convolution", [](const Tensor& x) { return conv_transpose2d(x, with_weights(x, {8, 4, 3, 3})); }},
      {"pools", [](const Tensor& x) { return max_pool2d(x, {2, 2}) + avg_pool2d(x, {2, 2}); }},
      {"upsample", [](const Tensor& x) { return upsample_bilinear2d(x, IntArray{40, 40}, false); }},
      {"attention", [](const Tensor& x) { return scaled_dot_product_attention(x, x, x); }},
      {"gather", [=](const Tensor& x) { return rows(x).gather(1, index(x)); }},
      {"index_select", [=](const Tensor& x) { return rows(x).index_select(0, arange(127, -1, -1)); }},
      {"scatter", [=](const Tensor& x) { return zeros_like(rows(x)).scatter_add(1, index(x), rows(x)); }},
      {"embedding", [=](const Tensor& x) { return embedding(rows(x), arange(4000).remainder(128)); }},
      {"mask", [=](const Tensor& x) { return x.masked_select(x > 0); }},
      {"fft", [=](const Tensor& x) { return view_as_real(fft_rfft(rows(x))) + 0; }},
      {"inverse", [](const Tensor& x) { return linalg_inv(matmul(x, x.transpose(2, 3)) + eye(24)); }},
      {"loss", [=](const Tensor& x) { return cross_entropy_loss(rows(x), arange(128)); }},
  };
}

TEST(threads, kernels_give_the_same_bits_with_four_threads) {
  manual_seed(1);
  const Tensor input = randn({16, 8, 24, 24});
  const auto run = [&](const Family& family) {
    const Tensor x = input.clone().requires_grad_(family.differentiable);
    const Tensor y = family.compute(x);
    if (family.differentiable) y.sum().backward();
    return std::pair(y.detach(), x.grad());
  };
  for (const Family& family : families()) {
    SCOPED_TRACE(family.name);
    set_num_threads(1);
    const auto expected = run(family);
    const FourThreads four;
    const auto found = run(family);
    EXPECT_TRUE(equal(found.first, expected.first));
    if (family.differentiable) {
      EXPECT_TRUE(equal(found.second, expected.second));
    }
  }
}

TEST(threads, kernels_of_every_family_at_once) {
  const FourThreads four;
  manual_seed(1);
  const Tensor x = randn({16, 8, 24, 24});
  const std::vector<Family> all = families();
  std::vector<Tensor> expected;
  for (const Family& family : all)
    expected.push_back(family.compute(x));
  together([&](int which) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t at = (i + static_cast<std::size_t>(which) * 7) % all.size();
      EXPECT_TRUE(equal(all[at].compute(x), expected[at])) << all[at].name;
    }
  });
}

TEST(threads, random_numbers_are_drawn_once) {
  const FourThreads four;
  manual_seed(5);
  for (int i = 0; i < kThreads * 20; ++i)
    rand({100});
  const auto expected = default_generator().get_state();
  manual_seed(5);
  together([](int) {
    for (int i = 0; i < 20; ++i)
      rand({100});
  });
  EXPECT_EQ(default_generator().get_state(), expected);
  together([](int which) {
    for (int i = 0; i < 20; ++i)
      which ? randn({200}) : (manual_seed(7), randperm(300).to(kFloat));
  });
}

TEST(threads, backward_of_graphs_that_share_leaves) {
  const FourThreads four;
  const Tensor leaf = ones({50, 50}, requires_grad());
  together([&](int) {
    for (int i = 0; i < 25; ++i)
      (leaf * 2).sum().backward();
  });
  EXPECT_TRUE(equal(leaf.grad(), full({50, 50}, 2.0 * kThreads * 25)));
}

TEST(threads, backward_through_one_graph) {
  const Tensor leaf = ones({20, 20}, requires_grad());
  const Tensor shared = (leaf * leaf).exp();
  together([&](int) {
    for (int i = 0; i < 10; ++i)
      (shared * 3).sum().backward({}, true);
  });
  const Tensor expected = full({20, 20}, 1.0).exp() * (6.0 * kThreads * 10);
  EXPECT_TRUE(allclose(leaf.grad(), expected));
}

TEST(threads, gradients_of_different_inputs_of_one_graph) {
  const Tensor a = ones({20}, requires_grad()), b = full({20}, 2.0).requires_grad_();
  const Tensor y = (a * b).sum();
  together([&](int which) {
    for (int i = 0; i < 20; ++i) {
      const auto gradient = autograd::grad({y}, {which % 2 ? a : b}, {}, true);
      EXPECT_TRUE(equal(gradient[0], (which % 2 ? b : a).detach()));
    }
  });
}

TEST(threads, views_of_a_changed_base_are_read) {
  for (int round = 0; round < 20; ++round) {
    const Tensor leaf = ones({10}, requires_grad()), base = leaf * 1, view = base.narrow(0, 2, 4);
    base.mul_(3);
    std::vector<Tensor> results(kThreads);
    together([&](int which) { results[static_cast<std::size_t>(which)] = (view * 2).sum(); });
    Tensor total = results[0];
    for (int i = 1; i < kThreads; ++i)
      total = total + results[static_cast<std::size_t>(i)];
    total.backward();
    EXPECT_EQ(leaf.grad().sum().item<double>(), 4.0 * 6 * kThreads);
  }
}

// A queue between threads, as a data loader has it.
class Queue {
 public:
  void put(Tensor tensor) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tensors_.size() < 8; });
    tensors_.push_back(std::move(tensor));
    changed_.notify_all();
  }
  Tensor take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !tensors_.empty(); });
    Tensor tensor = std::move(tensors_.front());
    tensors_.pop_front();
    changed_.notify_all();
    return tensor;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Tensor> tensors_;
};

TEST(threads, producers_and_consumers_share_no_memory_by_mistake) {
  Queue queue;
  constexpr int kBatches = 60;
  std::atomic<std::int64_t> sum{0};
  together([&](int which) {
    for (int i = 0; i < kBatches; ++i)
      if (which % 2)
        queue.put(full({i % 3 ? 100 : 400000}, which + i, kInt64));  // small blocks and large ones
      else
        sum += queue.take()[99].item<std::int64_t>();
  });
  EXPECT_EQ(sum, kBatches * (kBatches - 1) + (1 + 3) * kBatches);
}

TEST(threads, memory_is_freed_by_other_threads) {
  for (const std::int64_t count : {1, 100, 10000, 1000000}) {
    std::vector<Tensor> made(kThreads);
    for (int round = 0; round < 5; ++round) {
      together([&](int which) { made[static_cast<std::size_t>(which)] = full({count}, which); });
      together([&](int which) {
        Tensor& other = made[static_cast<std::size_t>((which + 1) % kThreads)];
        EXPECT_EQ(other[-1].item<int>(), (which + 1) % kThreads);
        other = {};
        if (which == 0) empty_cache();
        EXPECT_GE(memory_stats().large_peak, memory_stats().large_in_use / 2);
      });
    }
  }
}

TEST(threads, one_tensor_is_shared_and_dropped_by_all) {
  for (int round = 0; round < 50; ++round) {
    Tensor shared = ones({10}, requires_grad()) * 2;
    std::vector<Tensor> copies(kThreads, shared);
    shared = {};
    together([&](int which) {
      Tensor mine = std::move(copies[static_cast<std::size_t>(which)]);
      EXPECT_EQ(mine.detach().sum().item<int>(), 20);
    });
  }
}

std::atomic<int> profiled{0};
void count_call(const batching::Operation&, bool, std::span<const ProfiledArgument>) { ++profiled; }

TEST(threads, profiler_is_switched_beside_running_operators) {
  const Tensor x = randn({100});
  together([&](int which) {
    for (int i = 0; i < 50; ++i)
      if (which == 0) {
        set_profiler_hook(i % 2 ? nullptr : count_call);
      } else {
        const ModeScope profile(kProfiler);
        x.exp().sum();
      }
  });
  set_profiler_hook(nullptr);
}

TEST(threads, modes_belong_to_a_thread) {
  const Tensor x = ones({3}, requires_grad());
  together([&](int which) {
    for (int i = 0; i < 20; ++i)
      if (which % 2) {
        const NoGradGuard guard;
        EXPECT_FALSE((x * 2).requires_grad());
      } else {
        EXPECT_TRUE((x * 2).requires_grad());
      }
  });
}

TEST(threads, models_train_side_by_side) {
  const FourThreads four;
  std::vector<Tensor> results(kThreads);
  together([&](int which) {
    Generator generator = make_generator();
    generator.manual_seed(11);
    const Tensor w = randn({32, 64}, generator).requires_grad_(), v = randn({64, 4}, generator).requires_grad_();
    const Tensor x = randn({100, 32}, generator);
    optim::Adam optimizer(std::vector<Tensor>{w, v}, 0.01);
    for (int step = 0; step < 10; ++step) {
      optimizer.zero_grad();
      cross_entropy_loss(mm(mm(x, w).relu(), v), arange(100).remainder(4)).backward();
      optimizer.step();
    }
    results[static_cast<std::size_t>(which)] = w.detach();
  });
  for (int i = 1; i < kThreads; ++i)
    EXPECT_TRUE(equal(results[static_cast<std::size_t>(i)], results[0]));
}

// Runs as a process of its own under ctest, so that these are first uses: tables, plans, LAPACK.
TEST(threads, first_uses_at_once) {
  const Tensor square = eye(8, kDouble) * 2;
  together([&](int) {
    EXPECT_TRUE(allclose(linalg_inv(square), square / 4));
    EXPECT_EQ(fft_fft(ones({37})).size(0), 37);
    EXPECT_EQ(rand({3}).numel(), 3);
    EXPECT_EQ(lgamma(ones({3})).sum().item<int>(), 0);
  });
}

}  // namespace
}  // namespace rushlight
