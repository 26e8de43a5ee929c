// `to` in its forms. The copy itself, with its derivative, is `_to_copy`.
#include "rushlight/ops.h"
#include "tensor/memory_format.h"

namespace rushlight {
namespace {

Tensor converted(const Tensor& self, const TensorOptions& wanted, bool non_blocking, bool copy,
                 std::optional<MemoryFormat> format) {
  const bool same_format = !format || *format == MemoryFormat::kPreserve || *format == suggested_format(self);
  const bool same = wanted.dtype_opt().value_or(self.dtype()) == self.dtype() &&
                    wanted.device_opt().value_or(self.device()).type == self.device().type;
  if (same && same_format && !copy) return self;
  return _to_copy(self, wanted, non_blocking, format);
}

}  // namespace

Tensor to(const Tensor& self, Dtype dtype, bool non_blocking, bool copy, std::optional<MemoryFormat> memory_format) {
  return converted(self, TensorOptions(dtype), non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, Device device, Dtype dtype, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return converted(self, TensorOptions(dtype, device), non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, const Tensor& other, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return converted(self, TensorOptions(other.dtype(), other.device()), non_blocking, copy, memory_format);
}

Tensor to(const Tensor& self, const TensorOptions& options, bool non_blocking, bool copy,
          std::optional<MemoryFormat> memory_format) {
  return converted(self, options, non_blocking, copy, memory_format);
}

Tensor _cast_Byte(const Tensor& self, bool non_blocking) { return to(self, Dtype::kUInt8, non_blocking); }
Tensor _cast_Char(const Tensor& self, bool non_blocking) { return to(self, Dtype::kInt8, non_blocking); }
Tensor _cast_Double(const Tensor& self, bool non_blocking) { return to(self, Dtype::kFloat64, non_blocking); }
Tensor _cast_Float(const Tensor& self, bool non_blocking) { return to(self, Dtype::kFloat32, non_blocking); }
Tensor _cast_Half(const Tensor& self, bool non_blocking) { return to(self, Dtype::kFloat16, non_blocking); }
Tensor _cast_Int(const Tensor& self, bool non_blocking) { return to(self, Dtype::kInt32, non_blocking); }
Tensor _cast_Long(const Tensor& self, bool non_blocking) { return to(self, Dtype::kInt64, non_blocking); }
Tensor _cast_Short(const Tensor& self, bool non_blocking) { return to(self, Dtype::kInt16, non_blocking); }

}  // namespace rushlight
