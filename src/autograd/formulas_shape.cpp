// Derivatives of splits, joins and repetition.
#include "autograd/formulas_shape.h"

#include <algorithm>

#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

// Options of the first gradient that is there.
TensorOptions options_of(const std::vector<Tensor>& grads) {
  for (const Tensor& grad : grads)
    if (grad.defined()) return grad.options();
  return {};
}

bool is_skipped(IntArray shape) { return shape.size() == 1 && shape[0] == 0; }  // by cat

}  // namespace

std::vector<std::int64_t> inverse_permutation(IntArray dims) {
  std::vector<std::int64_t> inverse(dims.size());
  const auto rank = static_cast<std::int64_t>(dims.size());
  for (std::size_t i = 0; i < dims.size(); ++i)
    inverse[static_cast<std::size_t>(dims[i] < 0 ? dims[i] + rank : dims[i])] = static_cast<std::int64_t>(i);
  return inverse;
}

std::vector<std::int64_t> negated(IntArray values) {
  std::vector<std::int64_t> result;
  for (const std::int64_t value : values)
    result.push_back(-value);
  return result;
}

std::vector<std::int64_t> part_sizes(IntArray sizes, std::int64_t split_size, std::int64_t dim) {
  const std::int64_t extent =
      sizes[static_cast<std::size_t>(wrap_dim(dim, static_cast<std::int64_t>(sizes.size()), "split"))];
  std::vector<std::int64_t> parts;
  for (std::int64_t start = 0; start < extent; start += split_size)
    parts.push_back(std::min(split_size, extent - start));
  if (extent == 0) parts.push_back(0);
  return parts;
}

Tensor split_backward(const std::vector<Tensor>& grads, IntArray sizes, IntArray parts, std::int64_t dim) {
  const TensorOptions options = options_of(grads);
  const auto at = static_cast<std::size_t>(wrap_dim(dim, static_cast<std::int64_t>(sizes.size()), "split"));
  std::vector<Tensor> all;
  ShortShape shape(sizes);
  for (std::size_t i = 0; i < grads.size(); ++i) {
    shape[at] = parts[i];
    all.push_back(grads[i].defined() ? grads[i] : zeros(shape, options));
  }
  return cat(all, dim);
}

Tensor unbind_backward(const std::vector<Tensor>& grads, IntArray sizes, std::int64_t dim) {
  const TensorOptions options = options_of(grads);
  ShortShape shape(sizes);
  shape.erase(static_cast<std::size_t>(wrap_dim(dim, static_cast<std::int64_t>(sizes.size()), "unbind")));
  std::vector<Tensor> all;
  for (const Tensor& grad : grads)
    all.push_back(grad.defined() ? grad : zeros(shape, options));
  return stack(all, dim);
}

std::vector<Tensor> cat_backward(const Tensor& grad, const ShapeList& shapes, std::int64_t dim) {
  std::vector<Tensor> parts;
  std::int64_t start = 0;
  for (const IntArray sizes : shapes) {
    if (is_skipped(sizes) && grad.dim() != 1) {
      parts.push_back(zeros({0}, grad.options()));
      continue;
    }
    const std::int64_t rows = sizes[static_cast<std::size_t>(wrap_dim(dim, grad.dim(), "cat"))];
    parts.push_back(slice(grad, dim, start, start + rows, 1));
    start += rows;
  }
  return parts;
}

std::vector<Tensor> block_diag_backward(const Tensor& grad, const ShapeList& shapes) {
  std::vector<Tensor> parts;
  std::int64_t row = 0, column = 0;
  for (const IntArray sizes : shapes) {
    const std::int64_t rows = sizes.size() == 2 ? sizes[0] : 1, columns = sizes.empty() ? 1 : sizes[sizes.size() - 1];
    const Tensor block = slice(slice(grad, 0, row, row + rows, 1), 1, column, column + columns, 1);
    parts.push_back(sizes.size() == 2 ? block : reshape(block, sizes));
    row += rows;
    column += columns;
  }
  return parts;
}

Tensor repeat_backward(const Tensor& grad, IntArray sizes, IntArray repeats) {
  const std::size_t extra = repeats.size() - sizes.size();
  for (const std::int64_t count : repeats)
    if (count == 0) return zeros(sizes, grad.options());
  std::vector<std::int64_t> shape, dims;
  for (std::size_t i = 0; i < repeats.size(); ++i) {
    if (repeats[i] != 1 || i < extra) {
      dims.push_back(static_cast<std::int64_t>(shape.size()));
      shape.push_back(repeats[i]);
    }
    if (i >= extra) shape.push_back(sizes[i - extra]);
  }
  return dims.empty() ? grad : sum(reshape(grad, shape), dims);
}

}  // namespace rushlight
