// Transforms of one contiguous complex line of any length.
//
// Lengths are split into factors 4, 2, 3, 5 and small primes (mixed radix, self-sorting passes between two buffers);
// lengths with a large prime factor become a cyclic convolution of a smooth length (Bluestein, IEEE Trans. Audio 1970).
// Twiddles are computed in double and rounded once, so the error grows with the logarithm of the length.
#pragma once
#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace rushlight::fft {

template <class T>
class Plan {
 public:
  using Complex = std::complex<T>;
  explicit Plan(std::int64_t length);

  std::int64_t length() const { return length_; }
  // Elements that `scratch` must hold.
  std::int64_t scratch_size() const { return convolution_ ? 2 * convolution_->length() : length_; }
  // The forward transform (exponent -i), in place.
  void forward(Complex* line, Complex* scratch) const;
  // The backward transform without a factor.
  void backward(Complex* line, Complex* scratch) const;

  // Plans are made once per length and shared by all threads.
  static std::shared_ptr<const Plan> of(std::int64_t length);

 private:
  struct Pass {
    std::int64_t radix, before, after;  // product of the radices before; length / (before * radix)
    std::vector<Complex> twiddles;      // [radix - 1][after]
    std::vector<Complex> roots;         // of unity, for radices without a butterfly of their own
  };
  void run_passes(Complex* line, Complex* scratch) const;
  void convolve(Complex* line, Complex* scratch) const;
  void add_pass(std::int64_t radix, std::int64_t before);

  std::int64_t length_;
  std::vector<Pass> passes_;
  std::shared_ptr<const Plan> convolution_;  // Bluestein: of the smooth length
  std::vector<Complex> chirp_, chirp_spectrum_;
};

}  // namespace rushlight::fft
