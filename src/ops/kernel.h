// A kernel as operators see it: one function per device.
//
// src/ops declares kernels (src/ops/kernels/), a backend defines them. Another backend fills its slot when it is
// loaded; shapes without data (device meta) need no kernel.
#pragma once
#include "rushlight/tensor_base.h"

namespace rushlight {

[[noreturn]] void no_kernel(Device device);

template <class Signature>
class Kernel;
template <class... Args>
class Kernel<void(Args...)> {
 public:
  using Function = void (*)(Args...);
  constexpr explicit Kernel(Function cpu) : cpu_(cpu) {}
  void operator()(Device device, Args... args) const {
    if (device.is_cpu()) [[likely]]
      return cpu_(static_cast<Args>(args)...);
    if (!device.is_meta()) no_kernel(device);
  }

 private:
  Function cpu_;
};

}  // namespace rushlight
