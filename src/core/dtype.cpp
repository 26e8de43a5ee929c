// Conversions of the half types, promotion, devices and process-wide defaults.
#include "rushlight/dtype.h"

#include <atomic>
#include <bit>
#include <cmath>
#include <string>

#include "core/float8.h"
#include "rushlight/error.h"
#include "rushlight/int_array.h"
#include "rushlight/options.h"

namespace rushlight {

Half::Half(float value) {  // round to nearest even
  const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = word >> 16 & 0x8000u, magnitude = word & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    bits = static_cast<std::uint16_t>(sign | 0x7e00u);
  } else if (magnitude >= 0x477ff000u) {  // 65520 and above round to infinity
    bits = static_cast<std::uint16_t>(sign | 0x7c00u);
  } else if (magnitude >= 0x38800000u) {
    const std::uint32_t rounded = magnitude + 0xfffu + (magnitude >> 13 & 1u);
    bits = static_cast<std::uint16_t>(sign | (rounded - 0x38000000u) >> 13);
  } else {  // subnormal: adding 0.5 aligns the last bit, and the FPU rounds
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    bits = static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000u));
  }
}

Half::operator float() const {
  const std::uint32_t sign = (bits & 0x8000u) << 16, magnitude = bits & 0x7fffu;
  if (magnitude >= 0x7c00u) return std::bit_cast<float>(sign | 0x7f800000u | (magnitude & 0x3ffu) << 13);
  if (magnitude >= 0x400u) return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000u));
  const float value = static_cast<float>(magnitude) * 0x1p-24f;
  return sign ? -value : value;
}

BFloat16::BFloat16(float value) {
  const std::uint32_t word = std::bit_cast<std::uint32_t>(value);
  bits = static_cast<std::uint16_t>(std::isnan(value) ? 0x7fc0u : (word + 0x7fffu + (word >> 16 & 1u)) >> 16);
}

template <Float8Format kFormat>
Float8<kFormat>::Float8(float value) : bits(float8::encode<kFormat>(value)) {}
template <Float8Format kFormat>
Float8<kFormat>::operator float() const {
  return float8::kDecoded<kFormat>[bits];
}
template struct Float8<Float8Format::kE4M3FN>;
template struct Float8<Float8Format::kE5M2>;
template struct Float8<Float8Format::kE4M3FNUZ>;
template struct Float8<Float8Format::kE5M2FNUZ>;
template struct Float8<Float8Format::kE8M0FNU>;

const char* refusal(Dtype type) {
  return has_numbers(type) ? "tensors of this dtype are stored, moved and converted; compute in another one, as in "
                             "x.to(torch.float32)"
                           : "its elements are bytes without a numeric meaning; view them as integers, as in "
                             "x.view(torch.uint8)";
}

void refuse_arithmetic(Dtype type) {
  throw NotImplementedError(
      str("the operation is not implemented for '", scalar_type_name(type), "': ", refusal(type)));
}

namespace {

// For integers of which one is uint16, uint32 or uint64, `b`; `a` stands before it in the enum.
Dtype promote_unsigned(Dtype a, Dtype b) {
  if (!is_signed(a)) return b;
  if (item_size(a) > item_size(b)) return a;
  check(b != Dtype::kUInt64, "Promotion for uint16, uint32, uint64 types is not supported, attempted to promote ",
        scalar_type_name(b), " and ", scalar_type_name(a), ": no integer dtype holds the values of both; convert one");
  return b == Dtype::kUInt16 ? Dtype::kInt32 : Dtype::kInt64;
}

}  // namespace

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  if (a > b) std::swap(a, b);  // enum order is by category, then by width, and complex32 last
  check(!is_float8(a) && !is_float8(b), "Promotion for Float8 Types is not supported, attempted to promote ",
        scalar_type_name(a), " and ", scalar_type_name(b), "; convert one of them");
  check(has_numbers(a) && has_numbers(b), "Promotion from ", scalar_type_name(a), " and ", scalar_type_name(b),
        " is unsupported: dtypes without numeric meaning have no common one");
  if (is_integral(b) && b >= Dtype::kUInt16) return promote_unsigned(a, b);
  if (b == Dtype::kComplex32) return is_integral(a) ? b : to_complex(a);
  if (is_complex(b) && a == Dtype::kFloat64) return Dtype::kComplex128;
  if (a == Dtype::kFloat16 && b == Dtype::kBFloat16) return Dtype::kFloat32;
  if (a == Dtype::kUInt8 && b == Dtype::kInt8) return Dtype::kInt16;
  return b;
}

Device::Device(std::string_view text) {
  const std::string_view kind = text.substr(0, text.find(':'));
  if (kind == "cpu")
    type = DeviceType::kCpu;
  else if (kind == "meta")
    type = DeviceType::kMeta;
  else
    throw RuntimeError(
        rushlight::str("device '", std::string(text), "' is not available: this build has the devices cpu and meta ",
                       "(Expected one of cpu, meta device type at start of device string: ", std::string(kind), ")"));
  if (kind.size() == text.size()) return;
  const std::string digits(text.substr(kind.size() + 1));
  const bool number =
      !digits.empty() && digits.size() < 3 && digits.find_first_not_of("0123456789") == std::string::npos;
  check(number, "Invalid device string: '", text, "'");
  index = static_cast<std::int8_t>(std::stoi(digits));
}

std::string Device::str() const {
  const std::string kind = type == DeviceType::kCpu ? "cpu" : "meta";
  return index < 0 ? kind : kind + ":" + std::to_string(index);
}

std::string to_text(const IntArray& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + std::to_string(list[i]);
  return text + "]";
}

namespace {
constinit std::atomic<Dtype> the_default_dtype{Dtype::kFloat32};
constinit std::atomic<Device> the_default_device{Device(DeviceType::kCpu)};
}  // namespace

Dtype default_dtype() { return the_default_dtype.load(std::memory_order_relaxed); }
void set_default_dtype(Dtype type) {
  check<TypeError>(is_floating(type) && !is_stored_only(type),
                   "set_default_dtype: only floating-point types that compute are supported as the default type, not ",
                   type);
  the_default_dtype = type;
}
Device default_device() { return the_default_device.load(std::memory_order_relaxed); }
void set_default_device(Device device) { the_default_device = device; }
Dtype TensorOptions::dtype() const { return dtype_.value_or(default_dtype()); }
Device TensorOptions::device() const { return device_.value_or(default_device()); }

}  // namespace rushlight
