// Products of matrices in eight bits: scaled float8 ones, and bytes summed in int32.
#include "ops/element_name.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

bool is_one_number(const Tensor& scale) { return scale.numel() == 1; }
bool is_column(const Tensor& scale, std::int64_t rows) {
  return scale.dim() == 2 && scale.size(0) == rows && scale.size(1) == 1 && scale.is_contiguous();
}
bool is_row(const Tensor& scale, std::int64_t columns) {
  return scale.dim() == 2 && scale.size(0) == 1 && scale.size(1) == columns && scale.is_contiguous();
}

// One scale for each matrix, or one for each row of `a` and each column of `b`.
void check_scales(const Tensor& a, const Tensor& b, const Tensor& scale_a, const Tensor& scale_b) {
  const bool types = is_float8(a.dtype()) && is_float8(b.dtype()) && scale_a.dtype() == Dtype::kFloat32 &&
                     scale_b.dtype() == Dtype::kFloat32;
  const bool shapes = (is_one_number(scale_a) && is_one_number(scale_b)) ||
                      (is_column(scale_a, a.size(0)) && is_row(scale_b, b.size(1)));
  check<ValueError>(types && shapes,
                    "_scaled_mm: Invalid scaling configuration.\n"
                    "- For TensorWise scaling, a and b should be float8, scales should be float and singletons.\n"
                    "- For RowWise scaling, a and b should be float8, scales should be float, scale_a should be (",
                    a.size(0), ", 1) and scale_b should be (1, ", b.size(1), "), and both should be contiguous.\n",
                    "Got matrices of ", scalar_type_name(a.dtype()), " and ", scalar_type_name(b.dtype()),
                    " with scales ", scale_a, " and ", scale_b);
}

}  // namespace

namespace ops {

Tensor _scaled_mm(const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b,
                  const std::optional<Tensor>& bias, const std::optional<Tensor>&, std::optional<Dtype> out_dtype,
                  bool) {
  check(self.dim() == 2, "_scaled_mm: mat1 must be a matrix, got ", self);
  check(mat2.dim() == 2, "_scaled_mm: mat2 must be a matrix, got ", mat2);
  check(self.size(1) == mat2.size(0), "_scaled_mm: mat_a and mat_b shapes cannot be multiplied (", self.size(0), "x",
        self.size(1), " and ", mat2.size(0), "x", mat2.size(1), ")");
  check_scales(self, mat2, scale_a, scale_b);
  const bool biased = bias && bias->defined();
  check(!biased || bias->numel() == mat2.size(1), "_scaled_mm: Bias must be size ", mat2.size(1), " but got ",
        biased ? bias->numel() : 0);
  check(!biased || !is_float8(bias->dtype()),
        "_scaled_mm: Promotion for Float8 Types is not supported, attempted to promote Float and ",
        biased ? scalar_type_name(bias->dtype()) : "");
  const NoGradGuard no_grad;
  const Tensor a = self.to(Dtype::kFloat32).mul_(scale_a), b = mat2.to(Dtype::kFloat32).mul_(scale_b);
  const Tensor product = biased ? mm(a, b).add_(*bias) : mm(a, b);
  return product.to(out_dtype.value_or(self.dtype()));
}

Tensor _int_mm(const Tensor& self, const Tensor& mat2) {
  check(self.dim() == 2, "_int_mm: Expected self to be of dimension 2 but got ", self.dim());
  check(mat2.dim() == 2, "_int_mm: Expected mat2 to be of dimension 2 but got ", mat2.dim());
  check(self.size(1) == mat2.size(0), "_int_mm: self.size(1) needs to match mat2.size(0) but got ", self.size(1),
        " and ", mat2.size(0));
  check(self.dtype() == Dtype::kInt8 || self.dtype() == Dtype::kUInt8,
        "_int_mm: Expected self dtype to be int8 or uint8 but got ", element_name(self.dtype()));
  check(mat2.dtype() == Dtype::kInt8, "_int_mm: Expected mat2 dtype to be of type int8 but got ",
        element_name(mat2.dtype()));
  return mm(self.to(Dtype::kInt32), mat2.to(Dtype::kInt32));
}

}  // namespace ops
}  // namespace rushlight
