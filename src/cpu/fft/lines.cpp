// Transforms of every line of a tensor: gathered into a contiguous buffer, transformed, scattered. Real lines go in
// pairs, one as the real and one as the imaginary part of a complex line.
#include <vector>

#include "cpu/fft/plan.h"
#include "cpu/odometer.h"
#include "ops/kernels/fft.h"
#include "rushlight/parallel.h"

namespace rushlight {
namespace {

constexpr std::int64_t kTaskElements = 1 << 14;

// A tensor's lines along one dimension: their starts in logical order, and the step within.
struct Lines {
  std::vector<std::int64_t> sizes, strides;
  std::int64_t step = 0, length = 0;

  Lines(const TensorBase& tensor, std::int64_t dim) : sizes(tensor.sizes().vec()), strides(tensor.strides().vec()) {
    const auto at = static_cast<std::size_t>(dim);
    step = strides[at];
    length = sizes[at];
    sizes.erase(sizes.begin() + dim);
    strides.erase(strides.begin() + dim);
  }
};

// body(begin, end, starts of `out` lines, starts of `in` lines) over ranges of lines in parallel.
template <class Body>
void for_line_ranges(const Lines& out, const Lines& in, std::int64_t per_line, const Body& body) {
  std::int64_t count = 1;
  for (const std::int64_t size : in.sizes)
    count *= size;
  std::int64_t grain = std::max<std::int64_t>(1, kTaskElements / std::max<std::int64_t>(1, per_line));
  grain += grain & 1;  // pairs stay together
  parallel_ranges(count, grain, [&](std::int64_t begin, std::int64_t end) {
    Odometer<2> walk(in.sizes, {out.strides.data(), in.strides.data()});
    walk.seek(begin);
    std::vector<std::int64_t> starts;
    for (std::int64_t i = begin; i < end; ++i, walk.next()) {
      starts.push_back(walk.offset[0]);
      starts.push_back(walk.offset[1]);
    }
    body(starts);
  });
}

template <class T>
void c2c(const TensorBase& out, const TensorBase& in, std::int64_t dim, bool forward, double factor) {
  using Complex = std::complex<T>;
  const Lines to(out, dim), from(in, dim);
  const auto plan = fft::Plan<T>::of(from.length);
  const auto scale = static_cast<T>(factor);
  for_line_ranges(to, from, from.length, [&](const std::vector<std::int64_t>& starts) {
    std::vector<Complex> line(static_cast<std::size_t>(from.length + plan->scratch_size()));
    Complex* scratch = line.data() + from.length;
    for (std::size_t i = 0; i < starts.size(); i += 2) {
      const Complex* source = in.data<Complex>() + starts[i + 1];
      Complex* target = out.mutable_data<Complex>() + starts[i];
      for (std::int64_t k = 0; k < from.length; ++k)
        line[static_cast<std::size_t>(k)] = source[k * from.step];
      if (forward)
        plan->forward(line.data(), scratch);
      else
        plan->backward(line.data(), scratch);
      for (std::int64_t k = 0; k < to.length; ++k)
        target[k * to.step] = line[static_cast<std::size_t>(k)] * scale;
    }
  });
}

template <class T>
void r2c(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor) {
  using Complex = std::complex<T>;
  const Lines to(out, dim), from(in, dim);
  const std::int64_t n = from.length;
  const auto plan = fft::Plan<T>::of(n);
  const auto half = static_cast<T>(factor * 0.5);
  for_line_ranges(to, from, n, [&](const std::vector<std::int64_t>& starts) {
    std::vector<Complex> line(static_cast<std::size_t>(n + plan->scratch_size()));
    for (std::size_t i = 0; i < starts.size(); i += 4) {
      const bool pair = i + 2 < starts.size();
      const T* a = in.data<T>() + starts[i + 1];
      const T* b = pair ? in.data<T>() + starts[i + 3] : nullptr;
      for (std::int64_t k = 0; k < n; ++k)
        line[static_cast<std::size_t>(k)] = {a[k * from.step], b ? b[k * from.step] : T(0)};
      plan->forward(line.data(), line.data() + n);
      Complex* ta = out.mutable_data<Complex>() + starts[i];
      Complex* tb = pair ? out.mutable_data<Complex>() + starts[i + 2] : nullptr;
      for (std::int64_t k = 0; k < to.length; ++k) {
        const Complex z = line[static_cast<std::size_t>(k)],
                      w = std::conj(line[static_cast<std::size_t>(k ? n - k : 0)]);
        ta[k * to.step] = (z + w) * half;
        if (tb) tb[k * to.step] = Complex((z - w).imag(), -(z - w).real()) * half;
      }
    }
  });
}

template <class T>
void c2r(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor) {
  using Complex = std::complex<T>;
  const Lines to(out, dim), from(in, dim);
  const std::int64_t n = to.length;
  const auto plan = fft::Plan<T>::of(n);
  const auto scale = static_cast<T>(factor);
  for_line_ranges(to, from, n, [&](const std::vector<std::int64_t>& starts) {
    std::vector<Complex> line(static_cast<std::size_t>(n + plan->scratch_size()));
    const auto term = [&](const Complex* source, std::int64_t k) -> Complex {
      if (!source) return Complex(0);
      const Complex value = source[k * from.step];
      return k == 0 || 2 * k == n ? Complex(value.real()) : value;
    };
    for (std::size_t i = 0; i < starts.size(); i += 4) {
      const bool pair = i + 2 < starts.size();
      const Complex* a = in.data<Complex>() + starts[i + 1];
      const Complex* b = pair ? in.data<Complex>() + starts[i + 3] : nullptr;
      for (std::int64_t k = 0; k <= n / 2; ++k) {  // spectrum of a + ib
        const Complex x = term(a, k), y = term(b, k);
        line[static_cast<std::size_t>(k)] = {x.real() - y.imag(), x.imag() + y.real()};
        if (k && k < n - k) line[static_cast<std::size_t>(n - k)] = {x.real() + y.imag(), -x.imag() + y.real()};
      }
      plan->backward(line.data(), line.data() + n);
      T* ta = out.mutable_data<T>() + starts[i];
      T* tb = pair ? out.mutable_data<T>() + starts[i + 2] : nullptr;
      for (std::int64_t k = 0; k < n; ++k) {
        ta[k * to.step] = line[static_cast<std::size_t>(k)].real() * scale;
        if (tb) tb[k * to.step] = line[static_cast<std::size_t>(k)].imag() * scale;
      }
    }
  });
}

void fft_c2c(const TensorBase& out, const TensorBase& in, std::int64_t dim, bool forward, double factor) {
  if (in.numel() == 0) return;
  in.dtype() == Dtype::kComplex64 ? c2c<float>(out, in, dim, forward, factor)
                                  : c2c<double>(out, in, dim, forward, factor);
}
void fft_r2c(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor) {
  if (in.numel() == 0) return;
  in.dtype() == Dtype::kFloat32 ? r2c<float>(out, in, dim, factor) : r2c<double>(out, in, dim, factor);
}
void fft_c2r(const TensorBase& out, const TensorBase& in, std::int64_t dim, double factor) {
  if (out.numel() == 0) return;
  in.dtype() == Dtype::kComplex64 ? c2r<float>(out, in, dim, factor) : c2r<double>(out, in, dim, factor);
}

}  // namespace

constinit const decltype(fft_c2c_kernel) fft_c2c_kernel{fft_c2c};
constinit const decltype(fft_r2c_kernel) fft_r2c_kernel{fft_r2c};
constinit const decltype(fft_c2r_kernel) fft_c2r_kernel{fft_c2r};

}  // namespace rushlight
