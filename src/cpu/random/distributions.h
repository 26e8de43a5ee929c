// PyTorch's CPU distributions on a generator: the same values from the same state, and the same
// state afterwards. Outputs are dense runs in memory order. Arguments, dtypes among them, are
// checked by the caller; a dtype that a distribution does not have is left untouched.
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/generator.h"
#include "rushlight/dtype.h"

namespace rushlight::random {

void uniform(GeneratorState& g, Dtype type, void* out, std::size_t n, double from, double to);
// `dense`: the tensor is contiguous. From 16 elements on that selects the block algorithm.
void normal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std, bool dense);

// from ... to - 1
void random_range(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from, std::int64_t to);
// from ... the largest value of the dtype
void random_from(GeneratorState& g, Dtype type, void* out, std::size_t n, std::int64_t from);
void random_integers(GeneratorState& g, Dtype type, void* out, std::size_t n);

// `one` with probability p, else 0
void bernoulli(GeneratorState& g, Dtype type, void* out, std::size_t n, double p, double one = 1);
void bernoulli_tensor(GeneratorState& g, Dtype type, void* out, std::size_t n, Dtype p_type, const void* p);

void exponential(GeneratorState& g, Dtype type, void* out, std::size_t n, double lambda);
void geometric(GeneratorState& g, Dtype type, void* out, std::size_t n, double p);
void cauchy(GeneratorState& g, Dtype type, void* out, std::size_t n, double median, double sigma);
void log_normal(GeneratorState& g, Dtype type, void* out, std::size_t n, double mean, double std);

void rand_perm(GeneratorState& g, Dtype type, void* out, std::size_t n);
void multinomial(GeneratorState& g, Dtype type, const void* p, std::size_t rows, std::size_t categories,
                 std::size_t samples, bool replacement, std::int64_t* out);

std::uint32_t next32(GeneratorState& g);
std::uint64_t next64(GeneratorState& g);  // the first draw is the high half
double next_double(GeneratorState& g);    // uniform of 53 bits
double next_normal(GeneratorState& g);    // one at a time, with the cached second value

// n tempered draws.
void fill_words(Words& words, std::uint32_t* out, std::size_t n);

}  // namespace rushlight::random
