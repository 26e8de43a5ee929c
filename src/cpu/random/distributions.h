// PyTorch's CPU distributions on a generator: the same values from the same state, and the same
// state afterwards. Outputs are dense runs in memory order. Arguments, dtypes among them, are
// checked by the caller; a dtype that a distribution does not have is left untouched.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/generator.h"
#include "rushlight/dtype.h"

namespace rushlight::random {

void Uniform(GeneratorState& g, Dtype type, void* out, std::size_t n, double from, double to);
// `dense`: the tensor is contiguous. From 16 elements on that selects the block algorithm.
void Normal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std, bool dense);

// from ... to - 1
void RandomRange(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from, std::int64_t to);
// from ... the largest value of the dtype
void RandomFrom(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from);
void Random(GeneratorState& g, Dtype type, void* out, std::size_t n);

// `one` with probability p, else 0
void Bernoulli(GeneratorState& g, Dtype type, void* out, std::size_t n, double p, double one = 1);
void BernoulliTensor(GeneratorState& g, Dtype type, void* out, std::size_t n, Dtype p_type, const void* p);

void Exponential(GeneratorState& g, Dtype type, void* out, std::size_t n, double lambda);
void Geometric(GeneratorState& g, Dtype type, void* out, std::size_t n, double p);
void Cauchy(GeneratorState& g, Dtype type, void* out, std::size_t n, double median, double sigma);
void LogNormal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std);

void RandPerm(GeneratorState& g, Dtype type, void* out, std::size_t n);
void Multinomial(GeneratorState& g, Dtype type, const void* p, std::size_t rows, std::size_t categories,
                 std::size_t samples, bool replacement, std::int64_t* out);

std::uint32_t Next32(GeneratorState& g);
std::uint64_t Next64(GeneratorState& g);  // the first draw is the high half
double NextDouble(GeneratorState& g);     // uniform of 53 bits
double NextNormal(GeneratorState& g);     // one at a time, with the cached second value

// n tempered draws.
void FillWords(Words& words, std::uint32_t* out, std::size_t n);

}  // namespace rushlight::random
