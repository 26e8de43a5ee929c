// Where and how a new tensor is made: device, layout, memory format, options, random generators.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "rushlight/dtype.h"

namespace rushlight {

enum class DeviceType : std::uint8_t { kCpu, kMeta };

struct Device {
  DeviceType type = DeviceType::kCpu;
  std::int8_t index = -1;  // -1: none given
  constexpr Device(DeviceType kind = DeviceType::kCpu, int which = -1)
      : type(kind), index(static_cast<std::int8_t>(which)) {}
  Device(const char* text) : Device(std::string_view(text)) {}
  Device(std::string_view text);  // "cpu", "cpu:0", "meta"; throws RuntimeError that names the devices that exist
  bool is_cpu() const { return type == DeviceType::kCpu; }
  bool is_meta() const { return type == DeviceType::kMeta; }
  std::string str() const;
  friend bool operator==(const Device&, const Device&) = default;
};
inline std::string to_text(const Device& device) { return device.str(); }
inline std::string to_text(const Dtype& type) { return name(type); }

enum class Layout : std::uint8_t { kStrided, kSparse, kSparseCsr, kSparseCsc };
enum class MemoryFormat : std::uint8_t { kContiguous, kPreserve, kChannelsLast, kChannelsLast3d };

// Immutable bag of options with libtorch's spelling: TensorOptions().dtype(kFloat64).requires_grad(true).
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(Dtype type) : dtype_(type) {}
  TensorOptions(Device device) : device_(device) {}
  TensorOptions(std::optional<Dtype> type, std::optional<Device> device) : dtype_(type), device_(device) {}

  TensorOptions dtype(std::optional<Dtype> type) const {
    auto copy = *this;
    copy.dtype_ = type;
    return copy;
  }
  TensorOptions device(std::optional<Device> where) const {
    auto copy = *this;
    copy.device_ = where;
    return copy;
  }
  TensorOptions requires_grad(bool on) const {
    auto copy = *this;
    copy.requires_grad_ = on;
    return copy;
  }
  TensorOptions layout(Layout kind) const {
    auto copy = *this;
    copy.layout_ = kind;
    return copy;
  }
  TensorOptions memory_format(std::optional<MemoryFormat> format) const {
    auto copy = *this;
    copy.format_ = format;
    return copy;
  }

  std::optional<Dtype> dtype_opt() const { return dtype_; }
  std::optional<Device> device_opt() const { return device_; }
  std::optional<MemoryFormat> memory_format_opt() const { return format_; }
  Dtype dtype() const;    // the default dtype when none was given
  Device device() const;  // the default device when none was given
  Layout layout() const { return layout_; }
  bool requires_grad() const { return requires_grad_; }

 private:
  std::optional<Dtype> dtype_;
  std::optional<Device> device_;
  std::optional<MemoryFormat> format_;
  Layout layout_ = Layout::kStrided;
  bool requires_grad_ = false;
};
inline TensorOptions dtype(Dtype type) { return TensorOptions(type); }
inline TensorOptions device(Device where) { return TensorOptions(where); }
inline TensorOptions requires_grad(bool on = true) { return TensorOptions().requires_grad(on); }

// Process-wide defaults of factories and of promotion of Python floats.
Dtype default_dtype();
void set_default_dtype(Dtype type);  // a floating type; throws TypeError otherwise
Device default_device();
void set_default_device(Device device);
inline Dtype default_complex_dtype() { return to_complex(default_dtype()); }

inline constexpr Dtype kBool = Dtype::kBool, kByte = Dtype::kUInt8, kUInt8 = Dtype::kUInt8, kChar = Dtype::kInt8,
                       kInt8 = Dtype::kInt8, kShort = Dtype::kInt16, kInt16 = Dtype::kInt16, kInt = Dtype::kInt32,
                       kInt32 = Dtype::kInt32, kLong = Dtype::kInt64, kInt64 = Dtype::kInt64, kHalf = Dtype::kFloat16,
                       kFloat16 = Dtype::kFloat16, kBFloat16 = Dtype::kBFloat16, kFloat = Dtype::kFloat32,
                       kFloat32 = Dtype::kFloat32, kDouble = Dtype::kFloat64, kFloat64 = Dtype::kFloat64,
                       kComplexFloat = Dtype::kComplex64, kComplex64 = Dtype::kComplex64,
                       kComplexDouble = Dtype::kComplex128, kComplex128 = Dtype::kComplex128,
                       kComplexHalf = Dtype::kComplex32, kComplex32 = Dtype::kComplex32, kUInt16 = Dtype::kUInt16,
                       kUInt32 = Dtype::kUInt32, kUInt64 = Dtype::kUInt64, kFloat8_e4m3fn = Dtype::kFloat8E4M3FN,
                       kFloat8_e5m2 = Dtype::kFloat8E5M2, kFloat8_e4m3fnuz = Dtype::kFloat8E4M3FNUZ,
                       kFloat8_e5m2fnuz = Dtype::kFloat8E5M2FNUZ, kFloat8_e8m0fnu = Dtype::kFloat8E8M0FNU;
inline constexpr DeviceType kCPU = DeviceType::kCpu, kMetaDevice = DeviceType::kMeta;

}  // namespace rushlight
