// Mixed-radix passes and the chirp convolution.
#include "cpu/fft/plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <numbers>

namespace rushlight::fft {
namespace {

constexpr std::int64_t kLargestPrime = 23;  // beyond, the convolution is cheaper than radix^2 work
constexpr std::size_t kCachedPlans = 256;

// exp(-2 pi i k / n), exact at the axes.
template <class T>
std::complex<T> root(std::int64_t k, std::int64_t n) {
  k %= n;
  if (4 * k % n == 0) {
    static constexpr std::complex<T> kAxes[4] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    return kAxes[4 * k / n];
  }
  const long double angle =
      -2 * std::numbers::pi_v<long double> * static_cast<long double>(k) / static_cast<long double>(n);
  return {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
}

std::int64_t largest_prime_factor(std::int64_t n) {
  std::int64_t largest = 1;
  for (std::int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p)
      largest = p;
  return n > 1 ? n : largest;
}

std::int64_t smooth_length(std::int64_t least) {
  for (std::int64_t n = least;; ++n)
    if (largest_prime_factor(n) <= 5) return n;
}

// std::complex's product checks for infinities; these are plain.
template <class T>
std::complex<T> times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
template <class T>
std::complex<T> times_minus_i(std::complex<T> a) {
  return {a.imag(), -a.real()};
}

template <class T>
void butterfly(std::complex<T>* x, std::int64_t radix, const std::complex<T>* roots, std::complex<T>* y) {
  using C = std::complex<T>;
  switch (radix) {
    case 2:
      y[0] = x[0] + x[1];
      y[1] = x[0] - x[1];
      return;
    case 3: {
      const T half_root3 = static_cast<T>(0.866025403784438646763723170752936183L);
      const C sum = x[1] + x[2], turned = times_minus_i((x[1] - x[2]) * half_root3);
      const C middle = x[0] - sum * T(0.5);
      y[0] = x[0] + sum;
      y[1] = middle + turned;
      y[2] = middle - turned;
      return;
    }
    case 4: {
      const C a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = times_minus_i(x[1] - x[3]);
      y[0] = a + c;
      y[1] = b + d;
      y[2] = a - c;
      y[3] = b - d;
      return;
    }
    case 5: {
      const T cos1 = static_cast<T>(0.309016994374947424102293417182819059L),
              cos2 = static_cast<T>(-0.809016994374947424102293417182819059L);
      const T sin1 = static_cast<T>(0.951056516295153572116439333379382143L),
              sin2 = static_cast<T>(0.587785252292473129168705954639072769L);
      const C s1 = x[1] + x[4], d1 = times_minus_i(x[1] - x[4]), s2 = x[2] + x[3], d2 = times_minus_i(x[2] - x[3]);
      const C m1 = x[0] + s1 * cos1 + s2 * cos2, m2 = x[0] + s1 * cos2 + s2 * cos1;
      const C n1 = d1 * sin1 + d2 * sin2, n2 = d1 * sin2 - d2 * sin1;
      y[0] = x[0] + s1 + s2;
      y[1] = m1 + n1;
      y[2] = m2 + n2;
      y[3] = m2 - n2;
      y[4] = m1 - n1;
      return;
    }
    default:
      for (std::int64_t j = 0; j < radix; ++j) {
        C sum = x[0];
        for (std::int64_t q = 1; q < radix; ++q)
          sum += times(x[q], roots[j * q % radix]);
        y[j] = sum;
      }
  }
}

}  // namespace

template <class T>
Plan<T>::Plan(std::int64_t length) : length_(length) {
  if (length <= 1) return;
  if (largest_prime_factor(length) > kLargestPrime) {
    convolution_ = of(smooth_length(2 * length - 1));
    const std::int64_t whole = convolution_->length();
    chirp_.resize(static_cast<std::size_t>(length));
    chirp_spectrum_.assign(static_cast<std::size_t>(whole), Complex(0));
    for (std::int64_t k = 0; k < length; ++k) {
      // k^2 modulo 2n keeps the angle small and exact.
      const auto square =
          static_cast<std::int64_t>(static_cast<unsigned __int128>(k) * static_cast<unsigned __int128>(k) %
                                    static_cast<unsigned __int128>(2 * length));
      chirp_[static_cast<std::size_t>(k)] = root<T>(square, 2 * length);
      const Complex conjugate = std::conj(chirp_[static_cast<std::size_t>(k)]);
      chirp_spectrum_[static_cast<std::size_t>(k)] = conjugate;
      if (k) chirp_spectrum_[static_cast<std::size_t>(whole - k)] = conjugate;
    }
    std::vector<Complex> scratch(static_cast<std::size_t>(convolution_->scratch_size()));
    convolution_->forward(chirp_spectrum_.data(), scratch.data());
    for (Complex& value : chirp_spectrum_)
      value /= static_cast<T>(whole);
    return;
  }
  std::int64_t before = 1, rest = length;
  for (const std::int64_t radix : {4, 2, 3, 5})
    for (; rest % radix == 0; rest /= radix, before *= radix)
      add_pass(radix, before);
  for (std::int64_t radix = 7; rest > 1; radix += 2)
    for (; rest % radix == 0; rest /= radix, before *= radix)
      add_pass(radix, before);
}

template <class T>
void Plan<T>::add_pass(std::int64_t radix, std::int64_t before) {
  Pass pass{radix, before, length_ / (before * radix), {}, {}};
  for (std::int64_t j = 1; j < radix; ++j)
    for (std::int64_t i = 0; i < pass.after; ++i)
      pass.twiddles.push_back(root<T>(j * before * i, length_));
  if (radix > 5)
    for (std::int64_t k = 0; k < radix; ++k)
      pass.roots.push_back(root<T>(k, radix));
  passes_.push_back(std::move(pass));
}

template <class T>
void Plan<T>::run_passes(Complex* line, Complex* scratch) const {
  Complex *from = line, *to = scratch;
  Complex x[kLargestPrime], y[kLargestPrime];
  for (const Pass& pass : passes_) {
    const std::int64_t r = pass.radix, before = pass.before, after = pass.after;
    for (std::int64_t k = 0; k < before; ++k) {
      const Complex* in = from + k * r * after;
      Complex* out = to + k * after;
      for (std::int64_t i = 0; i < after; ++i) {
        for (std::int64_t q = 0; q < r; ++q)
          x[q] = in[i + q * after];
        butterfly(x, r, pass.roots.data(), y);
        out[i] = y[0];
        for (std::int64_t j = 1; j < r; ++j)
          out[i + j * before * after] =
              i ? times(y[j], pass.twiddles[static_cast<std::size_t>((j - 1) * after + i)]) : y[j];
      }
    }
    std::swap(from, to);
  }
  if (from != line) std::copy_n(from, length_, line);
}

template <class T>
void Plan<T>::convolve(Complex* line, Complex* scratch) const {
  const std::int64_t whole = convolution_->length();
  Complex* work = scratch + whole;  // the smooth length's own scratch comes first
  for (std::int64_t k = 0; k < length_; ++k)
    work[k] = times(line[k], chirp_[static_cast<std::size_t>(k)]);
  std::fill(work + length_, work + whole, Complex(0));
  convolution_->forward(work, scratch);
  for (std::int64_t k = 0; k < whole; ++k)
    work[k] = times(work[k], chirp_spectrum_[static_cast<std::size_t>(k)]);
  convolution_->backward(work, scratch);
  for (std::int64_t k = 0; k < length_; ++k)
    line[k] = times(work[k], chirp_[static_cast<std::size_t>(k)]);
}

template <class T>
void Plan<T>::forward(Complex* line, Complex* scratch) const {
  if (length_ <= 1) return;
  if (convolution_) return convolve(line, scratch);
  run_passes(line, scratch);
}

template <class T>
void Plan<T>::backward(Complex* line, Complex* scratch) const {
  // Swapping real and imaginary parts before and after turns one direction into the other.
  for (std::int64_t k = 0; k < length_; ++k)
    line[k] = Complex(line[k].imag(), line[k].real());
  forward(line, scratch);
  for (std::int64_t k = 0; k < length_; ++k)
    line[k] = Complex(line[k].imag(), line[k].real());
}

template <class T>
std::shared_ptr<const Plan<T>> Plan<T>::of(std::int64_t length) {
  static std::mutex mutex;
  static auto* plans = new std::map<std::int64_t, std::shared_ptr<const Plan>>;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = plans->find(length); found != plans->end()) return found->second;
  }
  auto plan = std::make_shared<const Plan>(length);
  const std::lock_guard lock(mutex);
  if (plans->size() >= kCachedPlans) plans->clear();
  plans->emplace(length, plan);
  return plan;
}

template class Plan<float>;
template class Plan<double>;

}  // namespace rushlight::fft
