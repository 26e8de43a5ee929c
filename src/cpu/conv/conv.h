// Convolutions in one to three dimensions as implicit matrix products.
#pragma once
#include "cpu/gemm/gemm.h"

namespace rushlight::conv {

using gemm::Index;

// Three spatial dims; those that a lower-dimensional convolution lacks come first, with size,
// kernel and stride 1.
struct Geometry {
  Index batch, in_channels, out_channels, groups;
  Index in[3], out[3], kernel[3], stride[3], pad[3], dilation[3];
  Index in_area() const { return in[0] * in[1] * in[2]; }
  Index out_area() const { return out[0] * out[1] * out[2]; }
  Index taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  Index group_in() const { return in_channels / groups; }
  Index group_out() const { return out_channels / groups; }
  bool three_by_three() const {  // in two dims, stride 1 and a border of at most 2
    return in[0] == 1 && kernel[0] == 1 && pad[0] == 0 && kernel[1] == 3 && kernel[2] == 3 && stride[1] == 1 &&
           stride[2] == 1 && dilation[1] == 1 && dilation[2] == 1 && pad[1] == pad[2] && pad[1] <= 2;
  }
  bool pointwise() const {  // 1x1 without border; the output padding of a transposed one makes `in` larger
    for (int d = 0; d < 3; ++d)
      if (kernel[d] != 1 || stride[d] != 1 || pad[d] != 0 || in[d] != out[d]) return false;
    return true;
  }
};

// All tensors are dense: x (batch, in_channels, in...), w (out_channels, group_in, kernel...), y
// (batch, out_channels, out...). `bias` may be null. Outputs are overwritten.
template <class T>
void forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y);
template <class T>
void input_gradient(const Geometry& g, const T* w, const T* dy, T* dx);
template <class T>
void weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw);

// Direct loops over planes for three_by_three() in float32, for few channels a group.
void planes_forward(const Geometry& g, const float* x, const float* w, const float* bias, float* y);
void planes_input_gradient(const Geometry& g, const float* w, const float* dy, float* dx);
void planes_weight_gradient(const Geometry& g, const float* x, const float* dy, float* dw);

// Channels of their own (groups == in_channels == out_channels): direct loops over planes.
template <class T>
void depthwise_forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y);
template <class T>
void depthwise_input_gradient(const Geometry& g, const T* w, const T* dy, T* dx);
template <class T>
void depthwise_weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw);

// Channels-last activations: x (batch, in..., in_channels), y (batch, out..., out_channels). Weights of one group are
// (out_channels, kernel..., in_channels), those of depthwise convolutions (channels, kernel...).
template <class T>
void last_forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y);
template <class T>
void last_input_gradient(const Geometry& g, const T* w, const T* dy, T* dx);  // stride 1, pad below the kernel's reach
template <class T>
void last_weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw);
template <class T>
void depthwise_last_forward(const Geometry& g, const T* x, const T* w, const T* bias, T* y);
template <class T>
void depthwise_last_input_gradient(const Geometry& g, const T* w, const T* dy, T* dx);
template <class T>
void depthwise_last_weight_gradient(const Geometry& g, const T* x, const T* dy, T* dw);

}  // namespace rushlight::conv
