// Text of tensors for C++ streams, in libtorch's layout: aligned numbers, then [ CPUFloatType{2,3} ].
#include <algorithm>
#include <charconv>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "rushlight/tensor_values.h"

namespace rushlight {
namespace {

constexpr int kLineWidth = 80;
constexpr int kDigits = 4;  // behind the point
constexpr int kScientificWidth = 11;

// How the numbers of a vector or matrix are shown.
struct Format {
  enum class Style { kDefault, kFixed, kScientific };
  Style style = Style::kDefault;
  int width = 0;
  double scale = 1;

  void print(std::ostream& stream, double value) const {
    stream << std::setw(width);
    switch (style) {
      case Style::kDefault:
        stream << std::defaultfloat << std::setprecision(6);
        break;
      case Style::kFixed:
        stream << std::fixed << std::setprecision(kDigits);
        break;
      case Style::kScientific:
        stream << std::scientific << std::setprecision(kDigits);
        break;
    }
    stream << value / scale;
  }
};

// Decimal digits before the point; 1 for zero.
int exponent(double value) { return value == 0 ? 1 : static_cast<int>(std::floor(std::log10(value))) + 1; }

Format choose_format(const std::vector<double>& values) {
  double smallest = 0, largest = 0;
  bool any = false, whole = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    whole &= value == std::ceil(value);
    smallest = any ? std::min(smallest, std::abs(value)) : std::abs(value);
    largest = any ? std::max(largest, std::abs(value)) : std::abs(value);
    any = true;
  }
  const int low = exponent(smallest), high = exponent(largest);
  using Style = Format::Style;
  if (whole) return high > 9 ? Format{Style::kScientific, kScientificWidth} : Format{Style::kDefault, high + 1};
  if (high - low > 4) return {Style::kScientific, kScientificWidth};
  if (high > 5 || high < 0) return {Style::kFixed, 7, std::pow(10.0, high - 1)};
  return {Style::kFixed, high == 0 ? 7 : high + 6};
}

void print_matrix(std::ostream& stream, const double* values, std::int64_t rows, std::int64_t columns,
                  const Format& format, int indent) {
  const std::int64_t fit = std::max<std::int64_t>(1, (kLineWidth - indent) / (format.width + 1));
  for (std::int64_t first = 0; first < columns; first += fit) {
    const std::int64_t last = std::min(columns, first + fit);
    if (fit < columns) {
      if (first) stream << '\n';
      stream << "Columns " << first + 1 << " to " << last << std::string(static_cast<std::size_t>(indent), ' ');
    }
    if (format.scale != 1)
      stream << std::defaultfloat << format.scale << " *\n" << std::string(static_cast<std::size_t>(indent), ' ');
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = first; column < last; ++column) {
        if (column > first) stream << ' ';
        format.print(stream, values[row * columns + column]);
      }
      stream << '\n';
      if (row + 1 < rows) stream << std::string(static_cast<std::size_t>(format.scale == 1 ? indent : indent + 1), ' ');
    }
  }
}

// Matrix by matrix, each with a format of its own; the first index changes fastest.
void print_slices(std::ostream& stream, const double* values, IntArray sizes) {
  const std::size_t outer = sizes.size() - 2;
  const std::int64_t rows = sizes[outer], columns = sizes[outer + 1];
  std::vector<std::int64_t> index(outer, 0);
  for (bool first = true;; first = false) {
    if (!first) stream << '\n';
    stream << '(';
    for (const std::int64_t position : index)
      stream << position + 1 << ',';
    stream << ".,.) = \n";
    std::int64_t at = 0;
    for (std::size_t d = 0; d < outer; ++d)
      at = at * sizes[d] + index[d];
    const double* matrix = values + at * rows * columns;
    print_matrix(stream, matrix, rows, columns, choose_format({matrix, matrix + rows * columns}), 1);
    std::size_t d = 0;
    while (d < outer && ++index[d] == sizes[d])
      index[d++] = 0;
    if (d == outer) return;
  }
}

// The fewest digits that read back as the same number, plain between 1e-4 and 1e16.
std::string shortest(double value) {
  char text[64];
  if (!std::isfinite(value)) return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
  const double size = std::abs(value);
  const auto layout =
      size == 0 || (size >= 1e-4 && size < 1e16) ? std::chars_format::fixed : std::chars_format::scientific;
  return {text, std::to_chars(text, text + sizeof(text), value, layout).ptr};
}

std::vector<double> values_of(const Tensor& tensor) {
  const NoGradGuard guard;
  const Tensor plain = tensor.detach();
  const Tensor wide = (plain.is_complex() ? real(plain) : plain).to(kDouble).contiguous();
  return {wide.data<double>(), wide.data<double>() + wide.numel()};
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const Tensor& tensor) {
  if (!tensor.defined()) return stream << "[ Tensor (undefined) ]";
  std::ostringstream text;
  if (!tensor.is_meta() && tensor.numel() > 0) {
    const std::vector<double> values = values_of(tensor);
    if (tensor.dim() == 0) {
      const Scalar item = tensor.item();
      if (item.is_integral())
        text << (item.is_boolean() ? Scalar(item.to_int()) : item) << '\n';
      else
        text << shortest(values[0]) << '\n';
    } else {
      const Format format = choose_format(values);
      if (tensor.dim() == 1) {
        if (format.scale != 1) text << format.scale << " *\n";
        for (const double value : values) {
          format.print(text, value);
          text << '\n';
        }
      } else if (tensor.dim() == 2) {
        print_matrix(text, values.data(), tensor.size(0), tensor.size(1), format, 0);
      } else {
        print_slices(text, values.data(), tensor.sizes());
      }
    }
  }
  text << "[ " << (tensor.is_meta() ? "Meta" : "CPU") << scalar_type_name(tensor.dtype()) << "Type{";
  for (std::int64_t d = 0; d < tensor.dim(); ++d)
    text << (d ? "," : "") << tensor.size(d);
  return stream << text.str() << "} ]";
}

std::ostream& operator<<(std::ostream& stream, IntArray sizes) { return stream << to_text(sizes); }

std::ostream& operator<<(std::ostream& stream, Dtype type) { return stream << cpp_name(type); }

std::ostream& operator<<(std::ostream& stream, const Device& device) { return stream << device.str(); }

std::ostream& operator<<(std::ostream& stream, const Scalar& value) {
  if (value.is_boolean()) return stream << (value.to<bool>() ? "true" : "false");
  if (value.is_complex()) return stream << value.to<ComplexDouble>();
  if (value.type() == Dtype::kUInt64) return stream << value.to<std::uint64_t>();
  return value.is_floating() ? stream << value.to_double() : stream << value.to_int();
}

}  // namespace rushlight
