// Compares derivatives with differences of function values.
//
// Complex inputs and outputs are looked at as pairs of real numbers, so that one comparison serves both.
#include "rushlight/gradcheck.h"

#include <cmath>

#include "rushlight/forward_ad.h"
#include "rushlight/ops.h"

namespace rushlight::autograd {
namespace {

Tensor as_real(const Tensor& tensor) { return tensor.is_complex() ? view_as_real(tensor) : tensor; }

// `function` of real, contiguous float64 inputs, with real outputs: those of a differentiable dtype.
struct RealFunction {
  const Differentiable& function;
  variable_list originals;
  std::vector<std::size_t> checked;  // positions of inputs that require a gradient

  variable_list operator()(const variable_list& reals) const {
    variable_list inputs = originals, outputs;
    for (std::size_t i = 0; i < checked.size(); ++i)
      inputs[checked[i]] = originals[checked[i]].is_complex() ? view_as_complex(reals[i]) : reals[i];
    for (const Tensor& output : function(inputs))
      if (output.defined() && is_differentiable(output.dtype())) outputs.push_back(as_real(output));
    return outputs;
  }
};

double element(const Tensor& tensor, std::int64_t at) { return tensor.data<double>()[at]; }

Tensor plain(const Tensor& tensor) { return clone(tensor.detach(), MemoryFormat::kContiguous); }

void compare(double numerical, double analytical, const GradcheckOptions& options, const char* mode, std::size_t output,
             std::int64_t row, std::size_t input, std::int64_t column) {
  const bool close = std::abs(numerical - analytical) <= options.atol + options.rtol * std::abs(numerical) ||
                     (std::isnan(numerical) && std::isnan(analytical));
  check(close, "Jacobian mismatch for output ", output, " with respect to input ", input, " in ", mode,
        " mode: d output[", row, "] / d input[", column, "] is ", analytical, ", differences give ", numerical);
}

}  // namespace

void gradcheck(const Differentiable& function, const variable_list& inputs, const GradcheckOptions& options) {
  RealFunction real{function, inputs, {}};
  variable_list reals;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].defined() || !inputs[i].requires_grad()) continue;
    check<ValueError>(to_real(inputs[i].dtype()) == Dtype::kFloat64, "gradcheck: input ", i,
                      " must be float64 or complex128, not ", inputs[i].dtype());
    real.checked.push_back(i);
    reals.push_back(plain(as_real(inputs[i].detach())).requires_grad_());
  }
  check<ValueError>(
      !reals.empty(),
      "gradcheck expects at least one input tensor to require gradient, but none of the them have requires_grad=True.");
  const variable_list outputs = real(reals);

  // Differences, for every element of every input.
  std::vector<std::vector<variable_list>> numerical(reals.size());
  {
    const NoGradGuard no_grad;
    for (std::size_t i = 0; i < reals.size(); ++i)
      for (std::int64_t k = 0; k < reals[i].numel(); ++k) {
        variable_list moved = reals;
        const auto at = [&](double step) {
          moved[i] = plain(reals[i]);
          moved[i].mutable_data<double>()[k] += step;
          variable_list values;
          for (const Tensor& value : real(moved))
            values.push_back(plain(value));
          return values;
        };
        variable_list above = at(options.eps);
        const variable_list below = at(-options.eps);
        for (std::size_t o = 0; o < above.size(); ++o)
          above[o] = div(sub(above[o], below[o]), Scalar(2 * options.eps));
        numerical[i].push_back(std::move(above));
      }
  }

  for (std::size_t o = 0; o < outputs.size(); ++o) {
    if (!outputs[o].requires_grad()) continue;
    for (std::int64_t row = 0; row < outputs[o].numel(); ++row) {
      Tensor unit = zeros(outputs[o].sizes(), outputs[o].options());
      unit.mutable_data<double>()[row] = 1;
      const variable_list gradients = grad({outputs[o]}, reals, {unit}, true, false, true);
      for (std::size_t i = 0; i < reals.size(); ++i) {
        const Tensor gradient =
            gradients[i].defined() ? plain(gradients[i]) : zeros(reals[i].sizes(), reals[i].options());
        for (std::int64_t k = 0; k < reals[i].numel(); ++k)
          compare(element(numerical[i][static_cast<std::size_t>(k)][o], row), element(gradient, k), options, "reverse",
                  o, row, i, k);
      }
    }
  }
  if (!options.forward_mode) return;
  for (std::size_t i = 0; i < reals.size(); ++i)
    for (std::int64_t k = 0; k < reals[i].numel(); ++k) {
      const std::int64_t level = forward_ad::enter_dual_level();
      struct Exit {
        std::int64_t level;
        ~Exit() { forward_ad::exit_dual_level(level); }
      } const leave{level};
      Tensor unit = zeros(reals[i].sizes(), reals[i].options());
      unit.mutable_data<double>()[k] = 1;
      variable_list duals;
      for (const Tensor& input : reals)
        duals.push_back(input.detach());
      duals[i] = forward_ad::make_dual(duals[i], unit);
      const variable_list results = real(duals);
      for (std::size_t o = 0; o < results.size(); ++o) {
        const Tensor tangent = tangent_of(results[o]);
        const Tensor dense = tangent.defined() ? plain(tangent) : zeros(results[o].sizes(), results[o].options());
        for (std::int64_t row = 0; row < dense.numel(); ++row)
          compare(element(numerical[i][static_cast<std::size_t>(k)][o], row), element(dense, row), options, "forward",
                  o, row, i, k);
      }
    }
}

void gradgradcheck(const Differentiable& function, const variable_list& inputs, variable_list grad_outputs,
                   const GradcheckOptions& options) {
  if (grad_outputs.empty())
    for (const Tensor& output : function(inputs))
      if (output.defined() && is_differentiable(output.dtype()))
        grad_outputs.push_back(randn(output.sizes(), output.options()).requires_grad_());
  const std::size_t count = inputs.size();
  variable_list all = inputs;
  all.insert(all.end(), grad_outputs.begin(), grad_outputs.end());
  // Differences are taken without recording, but a gradient needs a graph.
  const Differentiable gradients = [&](const variable_list& values) {
    const AutoGradMode recording(true);
    variable_list leaves = values;
    for (std::size_t i = 0; i < leaves.size(); ++i)
      if (all[i].defined() && all[i].requires_grad() && !leaves[i].requires_grad())
        leaves[i] = leaves[i].detach().requires_grad_();
    const variable_list arguments(leaves.begin(), leaves.begin() + static_cast<std::ptrdiff_t>(count));
    const variable_list starts(leaves.begin() + static_cast<std::ptrdiff_t>(count), leaves.end());
    variable_list outputs, wanted;
    for (const Tensor& output : function(arguments))
      if (output.defined() && is_differentiable(output.dtype())) outputs.push_back(output);
    for (std::size_t i = 0; i < count; ++i)
      if (all[i].defined() && all[i].requires_grad()) wanted.push_back(arguments[i]);
    return grad(outputs, wanted, starts, true, true, true);
  };
  gradcheck(gradients, all, options);
}

}  // namespace rushlight::autograd
