// Joining by runs of memory, triangles, and sequences of numbers.
#include "ops/kernels/shape.h"

#include <algorithm>
#include <cmath>
#include <immintrin.h>

#include "cpu/pointwise/moves.h"
#include "cpu/pointwise/plan.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

constexpr std::int64_t kGrainBytes = 1 << 18;
constexpr std::int64_t kStreamedRow = 2048;  // shorter ones end in partial lines too often

// One element of each part in turn.
void interleave(char* to, std::span<const JoinPart> parts, std::int64_t rounds, std::size_t item) {
  const auto count = static_cast<std::int64_t>(parts.size());
  const auto typed = [&](auto zero) {
    using T = decltype(zero);
    T* out = reinterpret_cast<T*>(to);
    const std::int64_t grain = std::max<std::int64_t>(kGrainBytes / (count * static_cast<std::int64_t>(sizeof(T))), 1);
    parallel_ranges(rounds, grain, [&](std::int64_t begin, std::int64_t end) {
      if (count == 2) {
        const T *a = static_cast<const T*>(parts[0].from), *b = static_cast<const T*>(parts[1].from);
        return pointwise::moves().zip[sizeof(T)](a + begin, b + begin, out + 2 * begin, end - begin);
      }
      for (std::int64_t k = 0; k < count; ++k) {
        const T* from = static_cast<const T*>(parts[static_cast<std::size_t>(k)].from);
        for (std::int64_t i = begin; i < end; ++i)
          out[i * count + k] = from[i];
      }
    });
  };
  switch (item) {
    case 1:
      return typed(std::uint8_t{});
    case 2:
      return typed(std::uint16_t{});
    case 4:
      return typed(std::uint32_t{});
    case 8:
      return typed(std::uint64_t{});
    default:
      return typed(ComplexDouble{});
  }
}

void join_cpu(const TensorBase& out, std::span<const JoinPart> parts, std::int64_t rounds) {
  char* to = static_cast<char*>(out.mutable_data());
  std::int64_t row = 0;
  bool elements = true;
  for (const JoinPart& part : parts) {
    row += part.bytes;
    elements &= part.bytes == static_cast<std::int64_t>(out.itemsize());
  }
  if (elements && rounds > 1) return interleave(to, parts, rounds, out.itemsize());
  const bool streams = 2 * rounds * row >= kStreamBytes && row >= kStreamedRow;
  const auto run = streams ? pointwise::moves().stream : pointwise::moves().run;
  if (rounds == 1) {  // a few large runs: cut each of them
    for (const JoinPart& part : parts) {
      const char* from = static_cast<const char*>(part.from);
      parallel_ranges(part.bytes, kGrainBytes, [&](std::int64_t begin, std::int64_t end) {
        run(from + begin, to + begin, end - begin);
        if (streams) _mm_sfence();
      });
      to += part.bytes;
    }
    return;
  }
  parallel_ranges(rounds, std::max<std::int64_t>(kGrainBytes / std::max<std::int64_t>(row, 1), 1),
                  [&](std::int64_t begin, std::int64_t end) {
                    char* at = to + begin * row;
                    for (std::int64_t round = begin; round < end; ++round)
                      for (const JoinPart& part : parts) {
                        run(static_cast<const char*>(part.from) + round * part.bytes, at, part.bytes);
                        at += part.bytes;
                      }
                    if (streams) _mm_sfence();
                  });
}

void triangle_cpu(const TensorBase& out, const TensorBase& in, std::int64_t diagonal, bool upper) {
  const std::int64_t rows = out.size(-2), columns = out.size(-1);
  const auto item = static_cast<std::int64_t>(out.itemsize());
  const char* from = static_cast<const char*>(in.data());
  char* to = static_cast<char*>(out.mutable_data());
  const std::int64_t all = out.numel() / std::max<std::int64_t>(columns, 1);
  const std::int64_t grain = std::max<std::int64_t>(kGrainBytes / std::max<std::int64_t>(columns * item, 1), 1);
  parallel_ranges(all, grain, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int64_t cut = std::clamp<std::int64_t>(row % rows + diagonal + (upper ? 0 : 1), 0, columns);
      const std::int64_t first = row * columns * item, middle = first + cut * item, last = first + columns * item;
      const auto copy = [&](std::int64_t a, std::int64_t b) { pointwise::moves().run(from + a, to + a, b - a); };
      const auto clear = [&](std::int64_t a, std::int64_t b) {
        std::memset(to + a, 0, static_cast<std::size_t>(b - a));
      };
      if (upper)
        clear(first, middle), copy(middle, last);
      else
        copy(first, middle), clear(middle, last);
    }
  });
}

// The type that sequences of T are computed in; integers wrap around.
template <class T>
using Wide = std::conditional_t<is_integral(kDtypeOf<T>), std::uint64_t,
                                std::conditional_t<is_complex(kDtypeOf<T>), ComplexDouble, double>>;

constexpr std::int64_t kGrain = 1 << 15;

void arange_cpu(const TensorBase& out, const Scalar& start, const Scalar& step) {
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using W = Wide<T>;
    T* to = out.mutable_data<T>();
    const auto wide = [](const Scalar& number) {
      if constexpr (std::is_same_v<W, std::uint64_t>)
        return number.type() == Dtype::kUInt64 ? number.to<W>() : static_cast<W>(number.to_int());
      else
        return number.to<W>();
    };
    const W first = wide(start), by = wide(step);
    parallel_ranges(out.numel(), kGrain, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const W value = first + by * static_cast<W>(static_cast<double>(i));
        if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
          to[i] = T(static_cast<float>(value));
        else
          to[i] = static_cast<T>(value);
      }
    });
  });
}

// A real number as a W, which may be complex.
template <class W>
W real(double value) {
  if constexpr (is_complex(kDtypeOf<W>))
    return W(static_cast<typename W::value_type>(value));
  else
    return static_cast<W>(value);
}

// Element i of `steps` from `first` to `last`, counted from the nearer end; `round` is applied to every operation.
template <class W, class Round, class Put>
void spaced(std::int64_t steps, W first, W last, const Round& round, const Put& put) {
  const W step = round(round(last - first) / round(real<W>(static_cast<double>(steps - 1))));
  parallel_ranges(steps, kGrain, [&](std::int64_t begin, std::int64_t stop) {
    for (std::int64_t i = begin; i < stop; ++i) {
      const bool near_first = i < steps / 2;
      const W way = round(step * round(real<W>(static_cast<double>(near_first ? i : steps - i - 1))));
      put(i, round(near_first ? first + way : last - way));
    }
  });
}

void linspace_cpu(const TensorBase& out, const Scalar& start, const Scalar& end) {
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    // Floats step in their own precision, integers in double.
    using W = std::conditional_t<std::is_same_v<T, float> || is_reduced_float(kDtypeOf<T>), float,
                                 std::conditional_t<is_complex(kDtypeOf<T>), T, double>>;
    T* to = out.mutable_data<T>();
    const std::int64_t steps = out.numel();
    if (steps == 1) {
      *to = start.to<T>();
      return;
    }
    const auto round = [](W value) {
      if constexpr (is_reduced_float(kDtypeOf<T>))
        return static_cast<W>(T(value));
      else
        return value;
    };
    spaced(steps, static_cast<W>(start.to<T>()), static_cast<W>(end.to<T>()), round,
           [to](std::int64_t i, W value) { to[i] = static_cast<T>(value); });
  });
}

void logspace_cpu(const TensorBase& out, const Scalar& start, const Scalar& end, double base) {
  visit(out.dtype(), [&](auto zero) {
    using T = decltype(zero);
    using W = std::conditional_t<is_complex(kDtypeOf<T>), T, double>;
    T* to = out.mutable_data<T>();
    const std::int64_t steps = out.numel();
    const auto put = [to, base](std::int64_t i, W exponent) {
      const W value = std::pow(real<W>(base), exponent);
      if constexpr (is_reduced_float(kDtypeOf<T>))
        to[i] = T(static_cast<float>(value));
      else
        to[i] = static_cast<T>(value);
    };
    if (steps == 1) return put(0, start.to<W>());
    const auto same = [](W value) { return value; };
    spaced(steps, static_cast<W>(start.to<T>()), static_cast<W>(end.to<T>()), same, put);
  });
}

void repeat_interleave_cpu(const TensorBase& out, const TensorBase& repeats) {
  const auto run = [&](auto zero) {
    using T = decltype(zero);
    T* to = out.mutable_data<T>();
    const T* counts = repeats.data<T>();
    for (std::int64_t i = 0; i < repeats.numel(); ++i)
      for (T k = 0; k < counts[i]; ++k)
        *to++ = static_cast<T>(i);
  };
  repeats.dtype() == Dtype::kInt64 ? run(std::int64_t{}) : run(std::int32_t{});
}

}  // namespace

constinit const Kernel<void(const TensorBase&, std::span<const JoinPart>, std::int64_t)> join_kernel{join_cpu};
constinit const Kernel<void(const TensorBase&, const TensorBase&, std::int64_t, bool)> triangle_kernel{triangle_cpu};
constinit const Kernel<void(const TensorBase&, const Scalar&, const Scalar&)> arange_kernel{arange_cpu};
constinit const Kernel<void(const TensorBase&, const Scalar&, const Scalar&)> linspace_kernel{linspace_cpu};
constinit const Kernel<void(const TensorBase&, const Scalar&, const Scalar&, double)> logspace_kernel{logspace_cpu};
constinit const Kernel<void(const TensorBase&, const TensorBase&)> repeat_interleave_kernel{repeat_interleave_cpu};

}  // namespace rushlight
