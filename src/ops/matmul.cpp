// Composite products: matmul, linear, bilinear, tensordot, kron, chains, cross.
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "autograd/shown_name.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

using Sizes = std::vector<std::int64_t>;

Sizes leading(const Tensor& t, std::int64_t drop) {
  Sizes sizes = t.sizes().vec();
  sizes.resize(static_cast<std::size_t>(t.dim() - drop));
  return sizes;
}

std::int64_t count(const Sizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

Sizes broadcast_batches(const Sizes& a, const Sizes& b) {
  Sizes result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1, y = i < b.size() ? b[b.size() - 1 - i] : 1;
    check(x == y || x == 1 || y == 1, "matmul: The size of tensor a (", x, ") must match the size of tensor b (", y,
          ") at non-singleton dimension ", result.size() - 1 - i);
    result[result.size() - 1 - i] = x == 1 ? y : x;
  }
  return result;
}

Tensor as_batch(const Tensor& t, const Sizes& batch, std::int64_t rows, std::int64_t columns) {
  Sizes full = batch;
  full.insert(full.end(), {rows, columns});
  return t.expand(full).reshape({count(batch), rows, columns});
}

// (a..., m, k) x (k, n): one product of all the rows.
Tensor folded(const Tensor& a, const Tensor& b) {
  Sizes sizes = leading(a, 1);
  const Tensor rows = a.reshape({count(sizes), a.size(-1)});
  if (b.dim() == 1) return _unsafe_view(rows.mv(b), sizes);
  sizes.push_back(b.size(1));
  return _unsafe_view(rows.mm(b), sizes);
}

// Splits the chain so that the number of multiplications is least; order[i][j] is where i..j is
// split.
struct ChainOrder {
  std::vector<std::vector<std::size_t>> split;
  explicit ChainOrder(const std::vector<Tensor>& t) : split(t.size(), std::vector<std::size_t>(t.size(), 0)) {
    const std::size_t n = t.size();
    std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
    for (std::size_t length = 1; length < n; ++length)
      for (std::size_t i = 0; i + length < n; ++i) {
        const std::size_t j = i + length;
        cost[i][j] = std::numeric_limits<double>::infinity();
        for (std::size_t k = i; k < j; ++k) {
          const double total =
              cost[i][k] + cost[k + 1][j] +
              static_cast<double>(t[i].size(0)) * static_cast<double>(t[k].size(1)) * static_cast<double>(t[j].size(1));
          if (total < cost[i][j]) cost[i][j] = total, split[i][j] = k;
        }
      }
  }
  Tensor multiply(const std::vector<Tensor>& t, std::size_t i, std::size_t j) const {
    if (i == j) return t[i];
    return multiply(t, i, split[i][j]).mm(multiply(t, split[i][j] + 1, j));
  }
};

void check_dims(const Sizes& dims, const char* what) {
  for (std::size_t i = 0; i < dims.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      check(dims[i] != dims[j], "tensordot: dim ", dims[i], " appears multiple times in the list of ", what);
}

std::int64_t wrapped(std::int64_t dim, const Tensor& t) {
  check<IndexError>(dim >= -t.dim() && dim < t.dim(), "Dimension out of range (expected to be in range of [", -t.dim(),
                    ", ", t.dim() - 1, "], but got ", dim, ")");
  return dim < 0 ? dim + t.dim() : dim;
}

}  // namespace

Tensor uncast_matmul(const Tensor& self, const Tensor& other) {
  const std::int64_t a = self.dim(), b = other.dim();
  check(a > 0 && b > 0, "both arguments to matmul need to be at least 1D, but they are ", a, "D and ", b, "D");
  if (a == 1 && b == 1) return self.dot(other);
  if (a == 2 && b == 1) return self.mv(other);
  if (a == 1 && b == 2) {
    const ShownAs shown("SqueezeBackward4");
    return shown(self.unsqueeze(0).mm(other).squeeze(0));
  }
  if (a == 2 && b == 2) return self.mm(other);
  if (b <= 2) return folded(self, other);
  if (a == 1) {
    const Sizes batch = leading(other, 2);
    Sizes sizes = batch;
    sizes.push_back(other.size(-1));
    const Tensor row = self.reshape({1, 1, self.size(0)});
    const Tensor matrices = other.reshape({count(batch), other.size(-2), other.size(-1)});
    return _unsafe_view(row.expand({count(batch), 1, self.size(0)}).bmm(matrices), sizes);
  }
  const Sizes batch = broadcast_batches(leading(self, 2), leading(other, 2));
  // One matrix times several: PyTorch folds those and turns the result.
  const ShownAs shown(count(leading(self, 2)) == 1 && count(batch) > 1 ? "CloneBackward0" : "UnsafeViewBackward0");
  const Tensor product =
      as_batch(self, batch, self.size(-2), self.size(-1)).bmm(as_batch(other, batch, other.size(-2), other.size(-1)));
  Sizes sizes = batch;
  sizes.insert(sizes.end(), {self.size(-2), other.size(-1)});
  return shown(batch.size() == 1 ? product : _unsafe_view(product, sizes));
}
Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return matmul(self, other); }

Tensor uncast_linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
  const bool biased = bias && bias->defined();
  if (weight.dim() != 2 || input.dim() == 0) {
    check(weight.dim() <= 2, "linear: t() expects a tensor with <= 2 dimensions, but self is ", weight.dim(), "D");
    const Tensor product = matmul(input, weight.t());
    return biased ? product.add(*bias) : product;
  }
  if (input.dim() == 2) return biased ? _addmm_nt(*bias, input, weight) : _mm_nt(input, weight);
  const ShownAs shown(input.dim() == 1 && !biased ? "SqueezeBackward4"
                      : biased                    ? "ViewBackward0"
                                                  : "UnsafeViewBackward0");
  Sizes sizes = leading(input, 1);
  const Tensor rows = input.reshape({count(sizes), input.size(-1)});
  sizes.push_back(weight.size(0));
  return shown(biased ? _addmm_nt(*bias, rows, weight).view(sizes) : _unsafe_view(_mm_nt(rows, weight), sizes));
}

Tensor uncast_bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight,
                       const std::optional<Tensor>& bias) {
  check(input1.dim() == input2.dim() && input1.dim() > 0, "bilinear(): input dimensions do not match: got ",
        input1.dim(), " and ", input2.dim());
  check(weight.dim() == 3, "bilinear(): weight must be a 3D tensor, got ", weight);
  for (std::int64_t i = 0; i + 1 < input1.dim(); ++i)
    check(input1.size(i) == input2.size(i), "bilinear(): input batch dimensions do not match at dim ", i, ": got ",
          input1.size(i), " and ", input2.size(i));
  check(input1.size(-1) == weight.size(1), "bilinear(): input1 size does not match weight size: got ", input1.size(-1),
        " but expected ", weight.size(1));
  check(input2.size(-1) == weight.size(2), "bilinear(): input2 size does not match weight size: got ", input2.size(-1),
        " but expected ", weight.size(2));
  const bool biased = bias && bias->defined();
  check(!biased || bias->size(0) == weight.size(0), "bilinear(): bias size does not match weight size: got ",
        biased ? bias->size(0) : 0, " but expected ", weight.size(0));
  Sizes sizes = leading(input1, 1);
  const std::int64_t rows = count(sizes), out = weight.size(0), in1 = weight.size(1), in2 = weight.size(2);
  sizes.push_back(out);
  const Tensor left = input1.reshape({rows, in1}), right = input2.reshape({rows, in2, 1});
  const Tensor inner = left.mm(weight.permute({1, 0, 2}).reshape({in1, out * in2})).view({rows, out, in2});
  const Tensor product = inner.bmm(right).view(sizes);
  return biased ? product.add(*bias) : product;
}

Tensor _trilinear(const Tensor& i1, const Tensor& i2, const Tensor& i3, IntArray expand1, IntArray expand2,
                  IntArray expand3, IntArray sumdim, std::int64_t unroll_dim) {
  const std::int64_t rank = i1.dim() + static_cast<std::int64_t>(expand1.size());
  check(unroll_dim >= 0 && unroll_dim < rank, "_trilinear: unroll_dim must be in [0,", rank - 1, "]");
  const auto opened = [](const Tensor& t, IntArray dims) {
    Tensor result = t;
    for (const std::int64_t dim : dims)
      result = result.unsqueeze(dim);
    return result;
  };
  const Tensor product = opened(i1, expand1).mul(opened(i2, expand2)).mul(opened(i3, expand3));
  return sumdim.empty() ? product : product.sum(sumdim);
}

Tensor outer(const Tensor& self, const Tensor& vec2) {
  check(self.dim() == 1, "outer: Expected 1-D argument self, but got ", self.dim(), "-D");
  check(vec2.dim() == 1, "outer: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
  const Tensor column = self.reshape({self.size(0), 1});
  // Without derivatives a product of one term writes whole rows, which is faster than to broadcast.
  const Word word = thread.modes | self.word() | vec2.word();
  const bool real =
      self.dtype() == vec2.dtype() && (self.dtype() == Dtype::kFloat32 || self.dtype() == Dtype::kFloat64);
  if (real && vec2.numel() > 1 && !(word & kInterposed) && !may_need_grad(word)) return column.mm(vec2.unsqueeze(0));
  return column.mul(vec2);
}
Tensor ger(const Tensor& self, const Tensor& vec2) { return outer(self, vec2); }

Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return self.mul(other);
  check(self.dtype() == other.dtype(), "inner: both inputs should have same dtype, got ", name(self.dtype()), " and ",
        name(other.dtype()));
  check(self.size(-1) == other.size(-1), "inner() the last dimension must match on both input tensors but got shapes ",
        self.sizes(), " and ", other.sizes());
  if (self.dim() == 1 && other.dim() == 1) {
    const ShownAs shown("ViewBackward0");
    return shown(self.dot(other));
  }
  return tensordot(self, other, IntArray{-1}, IntArray{-1});
}

Tensor tensordot(const Tensor& self, const Tensor& other, IntArray dims_self, IntArray dims_other) {
  check(dims_self.size() == dims_other.size(), "tensordot: both dimension lists should have same length");
  check(self.dtype() == other.dtype(), "tensordot: both inputs should have same dtype, got ", name(self.dtype()),
        " and ", name(other.dtype()));
  Tensor a = self, b = other;
  Sizes left, right;
  std::int64_t inner_size = 1;
  for (std::size_t i = 0; i < dims_self.size(); ++i) {
    left.push_back(wrapped(dims_self[i], self));
    right.push_back(wrapped(dims_other[i], other));
    const std::int64_t x = self.size(left[i]), y = other.size(right[i]);
    check(x == y || x == 1 || y == 1, "tensordot: contracted dimensions need to match, but first has size ", x,
          " in dim ", dims_self[i], " and second has size ", y, " in dim ", dims_other[i]);
    // A dimension of one element meets the sum over the other operand's dimension.
    if (x != y && y == 1) a = a.sum(IntArray{left[i]}, true, a.dtype());
    if (x != y && x == 1) b = b.sum(IntArray{right[i]}, true, b.dtype());
    inner_size *= std::min(x, y);
  }
  check_dims(left, "dims_self");
  check_dims(right, "dims_other");
  Sizes a_order, b_order = right, sizes;
  const auto listed = [](const Sizes& dims, std::int64_t dim) {
    return std::find(dims.begin(), dims.end(), dim) != dims.end();
  };
  std::int64_t rows = 1, columns = 1;
  for (std::int64_t i = 0; i < a.dim(); ++i)
    if (!listed(left, i)) a_order.push_back(i), sizes.push_back(a.size(i)), rows *= a.size(i);
  a_order.insert(a_order.end(), left.begin(), left.end());
  for (std::int64_t i = 0; i < b.dim(); ++i)
    if (!listed(right, i)) b_order.push_back(i), sizes.push_back(b.size(i)), columns *= b.size(i);
  return a.permute(a_order)
      .reshape({rows, inner_size})
      .mm(b.permute(b_order).reshape({inner_size, columns}))
      .reshape(sizes);
}

Tensor kron(const Tensor& self, const Tensor& other) {
  const std::int64_t rank = std::max(self.dim(), other.dim());
  Sizes a, b, sizes;
  for (std::int64_t i = 0; i < rank; ++i) {
    const std::int64_t x = i + self.dim() - rank, y = i + other.dim() - rank;
    const std::int64_t m = x < 0 ? 1 : self.size(x), n = y < 0 ? 1 : other.size(y);
    a.insert(a.end(), {m, 1});
    b.insert(b.end(), {1, n});
    sizes.push_back(m * n);
  }
  const ShownAs shown("UnsafeViewBackward0");
  return shown(self.reshape(a).mul(other.reshape(b)).reshape(sizes));
}

Tensor linalg_multi_dot(TensorList tensors) {
  const std::size_t n = tensors.size();
  check(n >= 2, "multi_dot(): expected at least 2 tensors but got ", n);
  std::vector<Tensor> t(tensors.begin(), tensors.end());
  Sizes sizes;
  check(t[0].dim() == 1 || t[0].dim() == 2, "multi_dot(): the first tensor must be 1D or 2D but got ", t[0].dim(), "D");
  check(t[n - 1].dim() == 1 || t[n - 1].dim() == 2, "multi_dot(): the last tensor must be 1D or 2D but got ",
        t[n - 1].dim(), "D");
  if (t[0].dim() == 1)
    t[0] = t[0].unsqueeze(0);
  else
    sizes.push_back(t[0].size(0));
  if (t[n - 1].dim() == 1)
    t[n - 1] = t[n - 1].unsqueeze(-1);
  else
    sizes.push_back(t[n - 1].size(1));
  for (std::size_t i = 1; i < n; ++i) {
    check(t[i].dim() == 2, "multi_dot(): tensor ", i, " must be 2D but got ", t[i].dim(), "D");
    check(t[i].dtype() == t[0].dtype(), "multi_dot(): all tensors must have be the same dtype but tensor 0 is ",
          name(t[0].dtype()), " and tensor ", i, " ", name(t[i].dtype()));
    check(t[i - 1].size(1) == t[i].size(0), "multi_dot(): tensors ", i - 1, " and ", i, " with shapes ",
          tensors[i - 1].sizes(), " and ", tensors[i].sizes(), " cannot be multiplied");
  }
  return ChainOrder(t).multiply(t, 0, n - 1).view(sizes);
}

Tensor chain_matmul(TensorList matrices) {
  check(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  for (const Tensor& m : matrices)
    check(m.dim() == 2, "chain_matmul(): Tensor dimension is ", m.dim(), ", expected 2 instead.");
  return matrices.size() == 1 ? matrices[0] : linalg_multi_dot(matrices);
}

Tensor uncast_linalg_vecdot(const Tensor& x, const Tensor& y, std::int64_t dim) {
  check(x.is_floating_point() || x.is_complex(),
        "linalg.vecdot: Expected a floating point or complex tensor as input. "
        "Got ",
        scalar_type_name(x.dtype()));
  return x.conj().mul(y).sum(IntArray{dim});
}

Tensor cross(const Tensor& self, const Tensor& other, std::optional<std::int64_t> dim) {
  if (dim) return linalg_cross(self, other, *dim);
  for (std::int64_t i = 0; i < self.dim(); ++i)
    if (self.size(i) == 3) return linalg_cross(self, other, i);
  check(false, "cross: no dimension of size 3 in input ", self);
  return {};
}

}  // namespace rushlight
