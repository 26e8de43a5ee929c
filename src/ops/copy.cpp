// Copies and fills in place.
#include <cmath>
#include <limits>

#include "ops/kernels/copy.h"
#include "ops/output.h"
#include "ops/pointwise.h"
#include "ops/scalar_range.h"
#include "rushlight/warning.h"

namespace rushlight::ops {

void copy_(const Tensor& self, const Tensor& src, bool) {
  if (self.is_same(src)) return;
  const std::vector<std::int64_t> shape = broadcast_shape(self.sizes(), src.sizes(), "copy_");
  check(self.sizes() == IntArray(shape), "copy_: output with shape ", self.sizes(),
        " doesn't match the broadcast shape ", IntArray(shape));
  check_no_internal_overlap(self);
  if (src.is_complex() && !self.is_complex() && self.dtype() != Dtype::kBool)
    warn("Casting complex values to real discards the imaginary part");
  if (self.is_meta() || src.is_meta()) {
    check<NotImplementedError>(self.is_meta(), "copy_: Cannot copy out of meta tensor; no data!");
    return;
  }
  switch (overlap_of(self, src)) {
    case Overlap::kSame:
      return;
    case Overlap::kPartial:
      throw_partial_overlap();
    case Overlap::kMaybe: {
      const Tensor apart = empty_tensor(src.sizes(), src.dtype());
      copy_kernel(apart.device(), apart, src);
      return copy_kernel(self.device(), self, apart);
    }
    case Overlap::kNone:
      return copy_kernel(self.device(), self, src);
  }
}

// Elements that share memory get the same value: an expanded tensor may be filled.
void fill_(const Tensor& self, const Scalar& value) {
  check_fits(value, self.dtype());
  fill_kernel(self.device(), self, value);
}

void fill_(const Tensor& self, const Tensor& value) {
  check(value.dim() == 0, "fill_ only supports 0-dimension value tensor but got tensor with ", value.dim(),
        " dimensions.");
  copy_(self, value, false);
}

void zero_(const Tensor& self) { fill_kernel(self.device(), self, Scalar(0)); }

void fill_diagonal_(const Tensor& self, const Scalar& fill_value, bool wrap) {
  check(self.dim() >= 2, "fill_diagonal_: dimensions must larger than 1");
  for (const std::int64_t size : self.sizes())
    check(self.dim() == 2 || size == self.sizes()[0],
          "fill_diagonal_: all dimensions of input must be of equal length");
  check_fits(fill_value, self.dtype());
  std::int64_t step = 0, rows = self.sizes()[0];
  for (const std::int64_t stride : self.strides())
    step += stride;
  const std::int64_t columns = self.sizes()[1];
  std::int64_t count = std::min(rows, columns);
  const auto fill = [&](std::int64_t length, std::int64_t offset) {
    const std::int64_t sizes[] = {length}, strides[] = {step};
    const Tensor diagonal = alias(self, IntArray(std::span<const std::int64_t>(sizes)), strides, offset);
    fill_kernel(self.device(), diagonal, fill_value);
  };
  fill(count, 0);
  // A tall matrix starts anew after one row without a diagonal element.
  if (wrap && self.dim() == 2)
    for (std::int64_t row = columns + 1; row < rows; row += columns + 1)
      fill(std::min(columns, rows - row), row * self.strides()[0]);
}

}  // namespace rushlight::ops
