// libtorch's spelling: programs that include <torch/torch.h> find rushlight under the names torch, at and c10. The
// CMake target rushlight::torch_names puts this folder on the include path.
#pragma once
#include "rushlight/rushlight.h"

namespace c10 {
using namespace rushlight;
using std::nullopt;
using std::optional;
using Error = std::exception;  // IndexError, TypeError and ValueError too
// No such device is built: programs name it behind cuda::is_available().
inline constexpr DeviceType kCUDA = static_cast<DeviceType>(2);
inline constexpr Dtype kF16 = kFloat16, kBF16 = kBFloat16, kF32 = kFloat32, kF64 = kFloat64, kU8 = kUInt8, kI8 = kInt8,
                       kI16 = kInt16, kI32 = kInt32, kI64 = kInt64;
using Float8_e4m3fn = Float8E4M3FN;
using Float8_e5m2 = Float8E5M2;
using Float8_e4m3fnuz = Float8E4M3FNUZ;
using Float8_e5m2fnuz = Float8E5M2FNUZ;
using Float8_e8m0fnu = Float8E8M0FNU;
// for (const auto i : c10::irange(3))
inline auto irange(std::int64_t begin, std::int64_t end) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = begin; i < end; ++i)
    all.push_back(i);
  return all;
}
inline auto irange(std::int64_t end) { return irange(0, end); }
}  // namespace c10
namespace at = c10;
namespace torch = c10;

#define TORCH_CHECK(condition, ...) ::rushlight::check(static_cast<bool>(condition) __VA_OPT__(, ) __VA_ARGS__)
#define AT_ASSERT(condition) ::rushlight::check(static_cast<bool>(condition), #condition " failed")
