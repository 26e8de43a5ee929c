// Kernels of the random operators. Every one fills `out` in the order of its memory, as PyTorch
// does.
#pragma once
#include "core/generator.h"
#include "ops/kernel.h"

namespace rushlight {

enum class Distribution { kUniform, kNormal, kExponential, kCauchy, kLogNormal, kGeometric, kBernoulli };

// `a` and `b`: bounds; mean and std; rate; median and scale; mean and std of the log; success
// probability; the probability and the value of a success.
extern const Kernel<void(const TensorBase& out, GeneratorState& state, Distribution which, double a, double b)>
    draw_kernel;
extern const Kernel<void(const TensorBase& out, GeneratorState& state, std::int64_t from, std::int64_t to)>
    random_range_kernel;
extern const Kernel<void(const TensorBase& out, GeneratorState& state, std::int64_t from)> random_from_kernel;
extern const Kernel<void(const TensorBase& out, GeneratorState& state)> random_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& p, GeneratorState& state)> bernoulli_kernel;
extern const Kernel<void(const TensorBase& out, GeneratorState& state)> randperm_kernel;
// p: (rows, categories) and out: (rows, samples), both contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& p, GeneratorState& state, bool replacement)>
    multinomial_kernel;

// Parameters have the shape of `out`; all are contiguous.
extern const Kernel<void(const TensorBase& out, const TensorBase& rate, GeneratorState& state)> poisson_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& count, const TensorBase& prob, GeneratorState& state)>
    binomial_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& alpha, GeneratorState& state)> standard_gamma_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& alpha, GeneratorState& state)>
    sample_dirichlet_kernel;
// d sample / d alpha at a fixed value of the distribution function.
extern const Kernel<void(const TensorBase& out, const TensorBase& alpha, const TensorBase& sample)>
    standard_gamma_grad_kernel;
extern const Kernel<void(const TensorBase& out, const TensorBase& x, const TensorBase& alpha, const TensorBase& total)>
    dirichlet_grad_kernel;
// Slopes of rrelu in training: `noise` gets a uniform of [lower, upper) where x <= 0 and 1
// elsewhere, `out` x * noise.
extern const Kernel<void(const TensorBase& out, const TensorBase& noise, const TensorBase& x, GeneratorState& state,
                         double lower, double upper)>
    rrelu_kernel;

}  // namespace rushlight
