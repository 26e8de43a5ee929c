// The random kernels: which order a tensor is filled in, and the runs of memory that the
// distributions fill.
#include "ops/kernels/random.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "cpu/random/distributions.h"

namespace rushlight {
namespace {

using random::bernoulli;

// Complex tensors are filled as pairs of reals.
struct RealView {
  Dtype type;
  std::size_t per_element;
};
RealView real_view(Dtype type) { return is_complex(type) ? RealView{to_real(type), 2} : RealView{type, 1}; }

// The elements of a tensor in memory order: dims from the largest stride to the smallest; ties keep
// their order.
struct MemoryOrder {
  std::vector<std::int64_t> sizes, strides;
  explicit MemoryOrder(const TensorBase& t) {
    std::vector<std::int64_t> dims(static_cast<std::size_t>(t.dim()));
    std::iota(dims.begin(), dims.end(), std::int64_t{0});
    std::stable_sort(dims.begin(), dims.end(),
                     [&](std::int64_t a, std::int64_t b) { return at(t.strides(), a) > at(t.strides(), b); });
    for (const std::int64_t dim : dims) {
      sizes.push_back(at(t.sizes(), dim));
      strides.push_back(at(t.strides(), dim));
      order.push_back(dim);
    }
  }
  // f(offset of the element in units of elements, its number), strides by dim of the tensor `t`
  template <class F>
  void for_each(const std::vector<std::int64_t>& steps, const F& f) const {
    std::vector<std::int64_t> index(sizes.size(), 0);
    std::int64_t count = 1, offset = 0;
    for (const std::int64_t size : sizes)
      count *= size;
    for (std::int64_t i = 0; i < count; ++i) {
      f(offset, i);
      for (std::size_t d = sizes.size(); d-- > 0;) {
        offset += steps[d];
        if (++index[d] < sizes[d]) break;
        offset -= steps[d] * sizes[d];
        index[d] = 0;
      }
    }
  }
  // The strides of another tensor of the same shape, in this order.
  std::vector<std::int64_t> steps_of(const TensorBase& other) const {
    std::vector<std::int64_t> steps;
    for (const std::int64_t dim : order)
      steps.push_back(at(other.strides(), dim));
    return steps;
  }

 private:
  static std::int64_t at(IntArray list, std::int64_t i) { return list[static_cast<std::size_t>(i)]; }
  std::vector<std::int64_t> order;
};

void copy_item(char* to, const char* from, std::size_t bytes) {
  switch (bytes) {
    case 1:
      std::memcpy(to, from, 1);
      break;
    case 2:
      std::memcpy(to, from, 2);
      break;
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, 16);
  }
}

// fill(real dtype, memory, count) on the tensor's memory where it is dense, else on a copy in
// memory order.
template <class Fill>
void in_memory_order(const TensorBase& out, const Fill& fill) {
  const auto [type, per_element] = real_view(out.dtype());
  const std::size_t count = static_cast<std::size_t>(out.numel()) * per_element;
  if (count == 0) return;
  if (out.is_contiguous() || out.is_non_overlapping_and_dense()) return fill(type, out.mutable_data(), count);
  const std::size_t item = out.itemsize();
  std::vector<char> dense(static_cast<std::size_t>(out.numel()) * item);
  fill(type, static_cast<void*>(dense.data()), count);
  const MemoryOrder order(out);
  char* const base = out.mutable_data<char>();
  order.for_each(order.strides, [&](std::int64_t offset, std::int64_t i) {
    copy_item(base + offset * static_cast<std::int64_t>(item), dense.data() + static_cast<std::size_t>(i) * item, item);
  });
}

void draw(const TensorBase& out, GeneratorState& g, Distribution which, double a, double b) {
  const bool contiguous = out.is_contiguous();
  in_memory_order(out, [&](Dtype type, void* memory, std::size_t n) {
    switch (which) {
      case Distribution::kUniform:
        return random::uniform(g, type, memory, n, a, b);
      case Distribution::kNormal:
        return random::normal(g, type, memory, n, a, b, contiguous);
      case Distribution::kExponential:
        return random::exponential(g, type, memory, n, a);
      case Distribution::kCauchy:
        return random::cauchy(g, type, memory, n, a, b);
      case Distribution::kLogNormal:
        return random::log_normal(g, type, memory, n, a, b);
      case Distribution::kGeometric:
        return random::geometric(g, type, memory, n, a);
      case Distribution::kBernoulli:
        return random::bernoulli(g, type, memory, n, a, b);
    }
  });
}

void random_range(const TensorBase& out, GeneratorState& g, std::int64_t from, std::int64_t to) {
  in_memory_order(out,
                  [&](Dtype type, void* memory, std::size_t n) { random::random_range(g, type, memory, n, from, to); });
}
void random_from(const TensorBase& out, GeneratorState& g, std::int64_t from) {
  in_memory_order(out, [&](Dtype type, void* memory, std::size_t n) { random::random_from(g, type, memory, n, from); });
}
void random_full(const TensorBase& out, GeneratorState& g) {
  in_memory_order(out, [&](Dtype type, void* memory, std::size_t n) { random::random_integers(g, type, memory, n); });
}

void bernoulli_from(const TensorBase& out, const TensorBase& p, GeneratorState& g) {
  const char* probabilities = p.data<char>();
  std::vector<char> ordered;
  if (!(p.is_contiguous() && out.is_contiguous())) {
    const std::size_t item = p.itemsize();
    ordered.resize(static_cast<std::size_t>(p.numel()) * item);
    const MemoryOrder order(out);
    order.for_each(order.steps_of(p), [&](std::int64_t offset, std::int64_t i) {
      copy_item(ordered.data() + static_cast<std::size_t>(i) * item,
                probabilities + offset * static_cast<std::int64_t>(item), item);
    });
    probabilities = ordered.data();
  }
  in_memory_order(out, [&](Dtype type, void* memory, std::size_t n) {
    random::bernoulli_tensor(g, type, memory, n, p.dtype(), probabilities);
  });
}

void randperm(const TensorBase& out, GeneratorState& g) {
  random::rand_perm(g, out.dtype(), out.mutable_data(), static_cast<std::size_t>(out.numel()));
}

void multinomial(const TensorBase& out, const TensorBase& p, GeneratorState& g, bool replacement) {
  random::multinomial(g, p.dtype(), p.data(), static_cast<std::size_t>(p.size(0)), static_cast<std::size_t>(p.size(1)),
                      static_cast<std::size_t>(out.size(1)), replacement, out.mutable_data<std::int64_t>());
}

template <class T>
void rrelu_typed(T* out, T* noise, const T* x, std::size_t n, GeneratorState& g, double lower, double upper) {
  if constexpr (!std::is_same_v<T, double>) {  // bounds in the dtype of the data
    lower = static_cast<double>(static_cast<float>(T(static_cast<float>(lower))));
    upper = static_cast<double>(static_cast<float>(T(static_cast<float>(upper))));
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (static_cast<double>(x[i]) <= 0) {
      double slope;
      random::uniform(g, Dtype::kFloat64, &slope, 1, lower, upper);
      noise[i] = static_cast<T>(static_cast<float>(slope));
      if constexpr (std::is_same_v<T, double>) noise[i] = slope;
      out[i] = x[i] * noise[i];
    } else {
      noise[i] = T(1.0f);
      out[i] = x[i];
    }
  }
}
void rrelu(const TensorBase& out, const TensorBase& noise, const TensorBase& x, GeneratorState& g, double lower,
           double upper) {
  const auto run = [&](auto t) {
    using T = decltype(t);
    rrelu_typed(out.mutable_data<T>(), noise.mutable_data<T>(), x.data<T>(), static_cast<std::size_t>(x.numel()), g,
                lower, upper);
  };
  switch (x.dtype()) {
    case Dtype::kFloat16:
      return run(Half());
    case Dtype::kBFloat16:
      return run(BFloat16());
    case Dtype::kFloat32:
      return run(float());
    default:
      return run(double());
  }
}

}  // namespace

const Kernel<void(const TensorBase&, GeneratorState&, Distribution, double, double)> draw_kernel{draw};
const Kernel<void(const TensorBase&, GeneratorState&, std::int64_t, std::int64_t)> random_range_kernel{random_range};
const Kernel<void(const TensorBase&, GeneratorState&, std::int64_t)> random_from_kernel{random_from};
const Kernel<void(const TensorBase&, GeneratorState&)> random_kernel{random_full};
const Kernel<void(const TensorBase&, const TensorBase&, GeneratorState&)> bernoulli_kernel{bernoulli_from};
const Kernel<void(const TensorBase&, GeneratorState&)> randperm_kernel{randperm};
const Kernel<void(const TensorBase&, const TensorBase&, GeneratorState&, bool)> multinomial_kernel{multinomial};
const Kernel<void(const TensorBase&, const TensorBase&, const TensorBase&, GeneratorState&, double, double)>
    rrelu_kernel{rrelu};

}  // namespace rushlight
