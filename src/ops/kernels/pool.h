// Kernels of pooling over one to three spatial dims.
#pragma once
#include "ops/kernel.h"

namespace rushlight {

// Planes are all dims before the spatial ones; missing spatial dims come first, with size and
// kernel 1.
struct PoolShape {
  std::int64_t planes;
  std::int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];
  std::int64_t channels = 0;  // of channels-last images, whose elements are that far apart; 0: planes one after another
};

// All tensors are contiguous and not empty. Indices count elements of a plane; max_pool_kernel does
// without them where `indices` is undefined (float32, planes of at most 2^30 elements). Channels-last images are
// float32, with planes of that size, for max_pool_kernel and average_pool_kernel alone.
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& out,
                         const TensorBase& indices)>
    max_pool_kernel;
// grad_in += grad_out at the indices; `grad_in` is zero before.
extern const Kernel<void(const TensorBase& grad_out, const TensorBase& indices, const TensorBase& grad_in,
                         std::int64_t planes)>
    max_pool_backward_kernel;

// divisor 0: the number of elements, with or without those of the border.
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& out, bool count_border,
                         std::int64_t divisor)>
    average_pool_kernel;
extern const Kernel<void(const PoolShape& shape, const TensorBase& grad_out, const TensorBase& grad_in,
                         bool count_border, std::int64_t divisor)>
    average_pool_backward_kernel;

// Windows that share the input evenly: floor(i in / out) to ceil((i + 1) in / out).
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& out)> adaptive_average_kernel;
extern const Kernel<void(const PoolShape& shape, const TensorBase& grad_out, const TensorBase& grad_in)>
    adaptive_average_backward_kernel;
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& out,
                         const TensorBase& indices)>
    adaptive_max_kernel;
// `samples`: (planes, spatial dims), uniform numbers that place the windows.
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& samples, const TensorBase& out,
                         const TensorBase& indices)>
    fractional_max_kernel;

// Columns of sliding windows: (planes, taps, windows) from (planes, in), zeros outside; and back,
// adding up.
extern const Kernel<void(const PoolShape& shape, const TensorBase& in, const TensorBase& columns)> im2col_kernel;
extern const Kernel<void(const PoolShape& shape, const TensorBase& columns, const TensorBase& in)> col2im_kernel;

}  // namespace rushlight
