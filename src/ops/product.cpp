// Matrix products: argument checks and result shapes of mm, bmm, mv, dot and the add* forms.
#include <string>

#include "ops/element_name.h"
#include "ops/kernels/product.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

const Scalar kOne(1), kZero(0);

// Products of numbers in eight bits are taken in float32 and rounded once.
bool goes_through_float32(Dtype type) { return is_float8(type) && type != Dtype::kFloat8E8M0FNU; }
Tensor in_float32(const Tensor& t) { return t.to(Dtype::kFloat32); }

void check_known(const Tensor& t, const char* kernel) {
  const Dtype type = t.dtype();
  check<NotImplementedError>(type != Dtype::kBool && (!is_stored_only(type) || goes_through_float32(type)), "\"",
                             kernel, "\" not implemented for '", scalar_type_name(type), "'");
}

// Prints as `2x3`.
struct By {
  const Tensor& matrix;
};
std::string to_text(By t) { return str(t.matrix.size(-2), "x", t.matrix.size(-1)); }

// `self` seen with `sizes` by zero strides; undefined where beta is 0, since its values do not
// matter then.
TensorBase expanded(const Tensor& self, IntArray sizes, const Scalar& beta, const char* op) {
  const auto rank = static_cast<std::int64_t>(sizes.size());
  check(self.dim() <= rank, op, ": expand(", self, ", size=", sizes, "): the number of sizes provided (", rank,
        ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), ")");
  std::vector<std::int64_t> strides(sizes.size(), 0);
  const std::int64_t lead = rank - self.dim();
  for (std::int64_t i = 0; i < self.dim(); ++i) {
    const auto at = static_cast<std::size_t>(lead + i);
    const std::int64_t size = self.size(i);
    check(size == sizes[at] || size == 1, op, ": The expanded size of the tensor (", sizes[at],
          ") must match the existing size (", size, ") at non-singleton dimension ", lead + i,
          ".  Target sizes: ", sizes, ".  Tensor sizes: ", self.sizes());
    if (size != 1) strides[at] = self.stride(i);
  }
  if (beta.is_zero()) return {};
  if (self.sizes() == sizes) return self;
  return alias(self, sizes, strides.data(), 0);
}

TensorBase transposed(const Tensor& t) {
  const std::int64_t sizes[2] = {t.size(1), t.size(0)}, strides[2] = {t.stride(1), t.stride(0)};
  return alias(t, IntArray(std::span(sizes)), strides, 0);
}
// A vector as a matrix of one column, or of one row.
TensorBase column(const Tensor& t) {
  const std::int64_t sizes[2] = {t.size(0), 1}, strides[2] = {t.stride(0), 1};
  return alias(t, IntArray(std::span(sizes)), strides, 0);
}
TensorBase row(const Tensor& t) {
  const std::int64_t sizes[2] = {1, t.size(0)}, strides[2] = {1, t.stride(0)};
  return alias(t, IntArray(std::span(sizes)), strides, 0);
}

void check_matrices(const Tensor& a, const Tensor& b, const char* op) {
  check(a.dtype() == b.dtype(), op, ": expected m1 and m2 to have the same dtype, but got: ", element_name(a.dtype()),
        " != ", element_name(b.dtype()));
  check(a.size(1) == b.size(0), op, ": mat1 and mat2 shapes cannot be multiplied (", By{a}, " and ", By{b}, ")");
  check_known(a, "addmm_impl_cpu_");
}

// As PyTorch says it: the second factor of a linear layer is its transposed weight.
void check_linear(const Tensor& input, const Tensor& weight) {
  check(input.dtype() == weight.dtype(),
        "linear: expected m1 and m2 to have the same dtype, but got: ", element_name(input.dtype()),
        " != ", element_name(weight.dtype()));
  check(input.size(1) == weight.size(1), "linear: mat1 and mat2 shapes cannot be multiplied (", By{input}, " and ",
        weight.size(1), "x", weight.size(0), "); the weight takes ", weight.size(1), " features, the input has ",
        input.size(1));
  check_known(input, "addmm_impl_cpu_");
}

void check_batches(const Tensor& a, const Tensor& b, const char* kernel) {
  check(a.dim() == 3, kernel, ": batch1 must be a 3D tensor, got ", a);
  check(b.dim() == 3, kernel, ": batch2 must be a 3D tensor, got ", b);
  check(a.size(0) == b.size(0) && a.size(2) == b.size(1), kernel,
        ": Expected size for first two dimensions of batch2 tensor to be: [", a.size(0), ", ", a.size(2),
        "] but got: [", b.size(0), ", ", b.size(1), "].");
}

Tensor dot_product(const Tensor& a, const Tensor& b, const char* op) {
  check(a.dim() == 1 && b.dim() == 1, op, ": 1D tensors expected, but got ", a.dim(), "D and ", b.dim(), "D tensors");
  check(a.dtype() == b.dtype(), op, " : expected both vectors to have same dtype, but found ",
        scalar_type_name(a.dtype()), " and ", scalar_type_name(b.dtype()));
  check(a.numel() == b.numel(), op, ": inconsistent tensor size, expected tensor [", a.numel(), "] and src [",
        b.numel(), "] to have the same number of elements, but got ", a.numel(), " and ", b.numel(),
        " elements respectively");
  check_known(a, "dot");
  const Tensor result = empty_tensor({}, a.dtype(), a.device());
  const std::int64_t ones[2] = {1, 1};
  const TensorBase out = alias(result, IntArray(std::span(ones)), ones, 0);
  product_kernel(a.device(), out, row(a), column(b), TensorBase(), kZero, kOne);
  return result;
}

void check_integral_factor(const Tensor& self, const Scalar& factor, const char* name) {
  check(!is_integral(self.dtype()) || factor.is_integral(), "addr: For integral input tensors, argument ", name,
        " must not be a floating point number.");
}

}  // namespace

namespace ops {

Tensor mm(const Tensor& self, const Tensor& mat2) {
  check(self.dim() == 2, "mm: self must be a matrix, got ", self);
  check(mat2.dim() == 2, "mm: mat2 must be a matrix, got ", mat2);
  check_matrices(self, mat2, "mm");
  if (goes_through_float32(self.dtype())) {
    const NoGradGuard no_grad;
    return ops::mm(in_float32(self), in_float32(mat2)).to(self.dtype());
  }
  const Tensor result = empty_tensor({self.size(0), mat2.size(1)}, self.dtype(), self.device());
  product_kernel(self.device(), result, self, mat2, TensorBase(), kZero, kOne);
  return result;
}

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta, const Scalar& alpha) {
  check(mat1.dim() == 2, "addmm: mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
  check(mat2.dim() == 2, "addmm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
  check_matrices(mat1, mat2, "addmm");
  check(self.dtype() == mat2.dtype(), "addmm: self and mat2 must have the same dtype, but got ",
        scalar_type_name(self.dtype()), " and ", scalar_type_name(mat2.dtype()));
  if (goes_through_float32(self.dtype())) {
    const NoGradGuard no_grad;
    return ops::addmm(in_float32(self), in_float32(mat1), in_float32(mat2), beta, alpha).to(self.dtype());
  }
  const std::int64_t sizes[2] = {mat1.size(0), mat2.size(1)};
  const TensorBase added = expanded(self, IntArray(std::span(sizes)), beta, "addmm");
  const Tensor result = empty_tensor(IntArray(std::span(sizes)), self.dtype(), self.device());
  product_kernel(self.device(), result, mat1, mat2, added, beta, alpha);
  return result;
}

Tensor _mm_nt(const Tensor& self, const Tensor& mat2) {
  check_linear(self, mat2);
  if (goes_through_float32(self.dtype())) {
    const NoGradGuard no_grad;
    return ops::_mm_nt(in_float32(self), in_float32(mat2)).to(self.dtype());
  }
  const Tensor result = empty_tensor({self.size(0), mat2.size(0)}, self.dtype(), self.device());
  product_kernel(self.device(), result, self, transposed(mat2), TensorBase(), kZero, kOne);
  return result;
}

Tensor _addmm_nt(const Tensor& self, const Tensor& mat1, const Tensor& mat2) {
  check(self.dtype() == mat2.dtype(), "linear: self and mat2 must have the same dtype, but got ",
        scalar_type_name(self.dtype()), " and ", scalar_type_name(mat2.dtype()));
  check(mat1.dtype() == mat2.dtype(), "linear: mat1 and mat2 must have the same dtype, but got ",
        scalar_type_name(mat1.dtype()), " and ", scalar_type_name(mat2.dtype()));
  check_linear(mat1, mat2);
  if (goes_through_float32(self.dtype())) {
    const NoGradGuard no_grad;
    return ops::_addmm_nt(in_float32(self), in_float32(mat1), in_float32(mat2)).to(self.dtype());
  }
  const std::int64_t sizes[2] = {mat1.size(0), mat2.size(0)};
  const TensorBase added = expanded(self, IntArray(std::span(sizes)), kOne, "linear");
  const Tensor result = empty_tensor(IntArray(std::span(sizes)), self.dtype(), self.device());
  product_kernel(self.device(), result, mat1, transposed(mat2), added, kOne, kOne);
  return result;
}

Tensor bmm(const Tensor& self, const Tensor& mat2) {
  check_batches(self, mat2, "bmm");
  check(self.dtype() == mat2.dtype(), "bmm: expected scalar type ", scalar_type_name(self.dtype()), " but found ",
        scalar_type_name(mat2.dtype()));
  check_known(self, "bmm");
  const Tensor result = empty_tensor({self.size(0), self.size(1), mat2.size(2)}, self.dtype(), self.device());
  product_kernel(self.device(), result, self, mat2, TensorBase(), kZero, kOne);
  return result;
}

Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
               const Scalar& alpha) {
  check_batches(batch1, batch2, "baddbmm");
  check(self.dtype() == batch1.dtype() && batch1.dtype() == batch2.dtype(),
        "baddbmm: Input dtypes must be the same, got: input ", element_name(self.dtype()),
        ", batch1: ", element_name(batch1.dtype()), ", batch2: ", element_name(batch2.dtype()));
  check_known(self, "baddbmm");
  const std::int64_t sizes[3] = {batch1.size(0), batch1.size(1), batch2.size(2)};
  const TensorBase added = expanded(self, IntArray(std::span(sizes)), beta, "baddbmm");
  const Tensor result = empty_tensor(IntArray(std::span(sizes)), self.dtype(), self.device());
  product_kernel(self.device(), result, batch1, batch2, added, beta, alpha);
  return result;
}

// The sum of products is one product of the batches side by side.
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta, const Scalar& alpha) {
  check(batch1.dim() == 3, "addbmm: batch1 must be a 3D tensor, got ", batch1);
  check(batch2.dim() == 3, "addbmm: batch2 must be a 3D tensor, got ", batch2);
  check(batch1.size(0) == batch2.size(0), "addbmm: batch1 and batch2 must have same number of batches, got ",
        batch1.size(0), " and ", batch2.size(0));
  check(batch1.size(2) == batch2.size(1), "addbmm: Incompatible matrix sizes for bmm (", By{batch1}, " and ",
        By{batch2}, ")");
  const NoGradGuard no_grad;
  const std::int64_t inner = batch1.size(0) * batch1.size(2);
  return ops::addmm(self, batch1.permute({1, 0, 2}).reshape({batch1.size(1), inner}),
                    batch2.reshape({inner, batch2.size(2)}), beta, alpha);
}

Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta, const Scalar& alpha) {
  check(mat.dim() == 2 && vec.dim() == 1 && self.dim() <= 1, "addmv: vector + matrix @ vector expected, got ",
        self.dim(), ", ", mat.dim(), ", ", vec.dim());
  check(mat.size(1) == vec.size(0) && (mat.size(0) == self.numel() || self.numel() == 1),
        "addmv: size mismatch, got input (", self.numel(), "), mat (", By{mat}, "), vec (", vec.size(0), ")");
  check(self.dtype() == mat.dtype() && mat.dtype() == vec.dtype(),
        "addmv: addmv input tensors must have the same dtype, but got ", scalar_type_name(self.dtype()), ", ",
        scalar_type_name(mat.dtype()), ", and ", scalar_type_name(vec.dtype()));
  check_known(self, "addmv_impl_cpu");
  const Tensor result = empty_tensor({mat.size(0)}, self.dtype(), self.device());
  TensorBase added;
  if (!beta.is_zero()) {
    const std::int64_t sizes[2] = {mat.size(0), 1};
    const std::int64_t strides[2] = {self.numel() == 1 || self.dim() == 0 ? 0 : self.stride(0), 1};
    added = alias(self, IntArray(std::span(sizes)), strides, 0);
  }
  product_kernel(self.device(), column(result), mat, column(vec), added, beta, alpha);
  return result;
}

Tensor mv(const Tensor& self, const Tensor& vec) {
  check(self.dim() == 2 && vec.dim() == 1, "mv: vector + matrix @ vector expected, got 1, ", self.dim(), ", ",
        vec.dim());
  check(self.size(1) == vec.size(0), "mv: size mismatch, got input (", self.size(0), "), mat (", By{self}, "), vec (",
        vec.size(0), ")");
  check(self.dtype() == vec.dtype(), "mv: addmv input tensors must have the same dtype, but got ",
        scalar_type_name(vec.dtype()), ", ", scalar_type_name(self.dtype()), ", and ", scalar_type_name(vec.dtype()));
  check_known(self, "addmv_impl_cpu");
  const Tensor result = empty_tensor({self.size(0)}, self.dtype(), self.device());
  product_kernel(self.device(), column(result), self, column(vec), TensorBase(), kZero, kOne);
  return result;
}

Tensor dot(const Tensor& self, const Tensor& tensor) { return dot_product(self, tensor, "dot"); }

Tensor vdot(const Tensor& self, const Tensor& other) {
  if (!self.is_complex()) return dot_product(self, other, "vdot");
  const NoGradGuard no_grad;
  return dot_product(self.conj(), other, "vdot");
}

Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha) {
  check(vec1.dim() == 1, "addr: Expected 1-D argument vec1, but got ", vec1.dim(), "-D");
  check(vec2.dim() == 1, "addr: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
  const Dtype type = promote(promote(self.dtype(), vec1.dtype()), vec2.dtype());
  if (is_integral(type)) {
    check_integral_factor(self, beta, "beta");
    check_integral_factor(self, alpha, "alpha");
  }
  const NoGradGuard no_grad;
  const std::int64_t sizes[2] = {vec1.size(0), vec2.size(0)};
  static_cast<void>(expanded(self, IntArray(std::span(sizes)), kZero, "addr"));
  if (is_reduced_float(type)) {  // one rounding at the end
    const auto wide = [](const Tensor& t) { return t.to(Dtype::kFloat32); };
    return ops::addr(wide(self), wide(vec1), wide(vec2), beta, alpha).to(type);
  }
  const Tensor product = vec1.to(type).unsqueeze(1).mul(vec2.to(type));
  if (type == Dtype::kBool) {
    const Tensor scaled = alpha.is_zero() ? zeros_like(product) : product;
    return beta.is_zero() ? scaled : scaled.logical_or(self);
  }
  const Tensor scaled = alpha.is_one() ? product : product.mul(alpha);
  if (beta.is_zero()) return scaled;
  return (beta.is_one() ? self : self.to(type).mul(beta)).add(scaled);
}

Tensor linalg_cross(const Tensor& self, const Tensor& other, std::int64_t dim) {
  check(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  check(self.size(dim) == 3 && other.size(dim) == 3, "linalg.cross: inputs dimension ", dim,
        " must have length 3. Got ", self.size(dim), " and ", other.size(dim));
  check(self.dtype() == other.dtype(), "linalg.cross: expected scalar type ", scalar_type_name(self.dtype()),
        " but found ", scalar_type_name(other.dtype()));
  check_known(self, "cross");
  const NoGradGuard no_grad;
  const auto turned = [dim](const Tensor& t, std::int64_t by) { return t.roll(IntArray{by}, IntArray{dim}); };
  return turned(self, -1).mul(turned(other, -2)).sub(turned(self, -2).mul(turned(other, -1)));
}

}  // namespace ops

Tensor _addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                         const Scalar& alpha, bool use_gelu) {
  const Tensor sum = addmm(self, mat1, mat2, beta, alpha);
  return use_gelu ? gelu(sum) : relu(sum);
}

}  // namespace rushlight
