// Distances and similarities between vectors.
#include "autograd/shown_name.h"
#include "ops/pointwise.h"
#include "rushlight/ops.h"

namespace rushlight {

Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  const ShownAs shown("NormBackward1");
  const Tensor difference = add(sub(x1, x2), Scalar(eps));
  return shown(norm(difference, std::optional<Scalar>(Scalar(p)), IntArray{difference.dim() - 1}, keepdim));
}

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, std::int64_t dim, double eps) {
  const Dtype common = result_dtype({Operand(x1), Operand(x2)});
  check(is_floating(common), "cosine_similarity: expected common dtype to be floating point, yet common dtype is ",
        scalar_type_name(common));
  const auto typed = [common](const Tensor& x) { return x.dtype() == common ? x : _to_copy(x, TensorOptions(common)); };
  const std::vector<std::int64_t> shape = broadcast_shape(x1.sizes(), x2.sizes(), "cosine_similarity");
  const Tensor a = expand(typed(x1), shape), b = expand(typed(x2), shape);
  const OptionalIntArray along(dim);
  const auto unit = [&](const Tensor& x) {
    return div(x, clamp_min(linalg_vector_norm(x, Scalar(2.0), along, true), Scalar(eps)));
  };
  return sum(mul(unit(a), unit(b)), along, false);
}

Tensor _euclidean_dist(const Tensor& x1, const Tensor& x2) {
  const std::int64_t last_dim = -1;
  const OptionalIntArray last(last_dim);
  const Tensor squares = add(sum(mul(x1, x1), last, true), transpose(sum(mul(x2, x2), last, true), -2, -1));
  const Tensor distances = sub(squares, mul(matmul(x1, transpose(x2, -2, -1)), Scalar(2.0)));
  // The square root has no derivative at zero; such a distance contributes none.
  const Tensor zero = le(distances, Scalar(0.0));
  return where(zero, Scalar(0.0), sqrt(where(zero, Scalar(1.0), distances)));
}

Tensor _cdist_forward(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t> compute_mode) {
  const std::int64_t rows = x1.size(-2), others = x2.size(-2);
  const std::int64_t mode = compute_mode.value_or(0);
  const bool products = p == 2 && (mode == 1 || (mode == 0 && (rows > 25 || others > 25)));
  if (products && x1.size(-1) > 0) return _euclidean_dist(x1, x2);
  const Tensor difference = sub(unsqueeze(x1, -2), unsqueeze(x2, -3));
  if (x1.size(-1) == 0) return sum(difference, OptionalIntArray{-1}, false);
  return linalg_vector_norm(difference, Scalar(p), OptionalIntArray{-1}, false, {});
}

Tensor uncast_cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t> compute_mode) {
  const ShownAs shown("CdistBackward0");
  check(x1.dim() >= 2, "cdist only supports at least 2D tensors, X1 got: ", x1.dim(), "D");
  check(x2.dim() >= 2, "cdist only supports at least 2D tensors, X2 got: ", x2.dim(), "D");
  check(x1.size(-1) == x2.size(-1), "cdist: X1 and X2 must have the same number of columns. X1: ", x1.size(-1),
        " X2: ", x2.size(-1));
  check(p >= 0, "cdist only supports non-negative p values, got ", p);
  const auto check_dtype = [](const Tensor& x, const char* which) {
    check(is_floating(x.dtype()), "cdist only supports floating-point dtypes, ", which,
          " got: ", scalar_type_name(x.dtype()));
    check<NotImplementedError>(!is_reduced_float(x.dtype()), "\"cdist\" not implemented for '",
                               scalar_type_name(x.dtype()), "'");
  };
  check_dtype(x1, "X1"), check_dtype(x2, "X2");
  check(!compute_mode || (*compute_mode >= 0 && *compute_mode <= 2),
        "cdist: possible modes: 0, 1, 2, but was: ", compute_mode.value_or(0));
  return shown(_cdist_forward(x1, x2, p, compute_mode));
}

Tensor pdist(const Tensor& self, double p) {
  const ShownAs shown("PdistBackward0");
  check(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  check(is_floating(self.dtype()), "pdist only supports floating-point dtypes, got: ", scalar_type_name(self.dtype()));
  check(p >= 0, "pdist only supports non-negative p values, got ", p);
  const std::int64_t n = self.size(0);
  const Tensor pairs = triu_indices(n, n, 1);
  const Tensor difference = sub(index_select(self, 0, select(pairs, 0, 0)), index_select(self, 0, select(pairs, 0, 1)));
  if (self.size(1) == 0) return shown(sum(difference, OptionalIntArray{1}, false));
  return shown(linalg_vector_norm(difference, Scalar(p), OptionalIntArray{1}, false, {}));
}

}  // namespace rushlight
