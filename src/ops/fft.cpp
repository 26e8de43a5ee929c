// Fourier transforms: three primitives over several dimensions, and everything else in terms of them.
#include <algorithm>
#include <cmath>

#include "ops/kernels/fft.h"
#include "rushlight/ops.h"
#include "tensor/dims.h"

namespace rushlight {
namespace {

enum Normalization : std::int64_t { kNone, kByRootN, kByN };

double factor_of(std::int64_t normalization, std::int64_t count) {
  if (normalization == kNone) return 1;
  const auto n = static_cast<double>(count);
  return normalization == kByRootN ? 1 / std::sqrt(n) : 1 / n;
}

std::int64_t element_count(const Tensor& tensor, IntArray dims) {
  std::int64_t count = 1;
  for (const std::int64_t dim : dims)
    count *= tensor.size(dim);
  return count;
}

void check_transform_type(const Tensor& self, const char* op) {
  check(!is_reduced_float(self.dtype()), op, ": Unsupported dtype ", scalar_type_name(self.dtype()),
        " (transforms exist in single and double precision)");
}

}  // namespace

namespace ops {

Tensor _fft_c2c(const Tensor& self, IntArray dim, std::int64_t normalization, bool forward) {
  check(self.is_complex(), "_fft_c2c: expected a complex tensor, got ", self);
  Tensor result = empty_tensor(self.sizes(), self.dtype(), self.device());
  double factor = factor_of(normalization, element_count(self, dim));
  const Tensor* from = &self;
  for (std::size_t i = dim.size(); i-- > 0; from = &result, factor = 1)
    fft_c2c_kernel(self.device(), result, *from, wrap_dim(dim[i], self.dim(), "_fft_c2c"), forward, factor);
  return result;
}

Tensor _fft_r2c(const Tensor& self, IntArray dim, std::int64_t normalization, bool onesided) {
  check(self.is_floating_point(), "_fft_r2c: expected a real floating point tensor, got ", self);
  const std::int64_t last = wrap_dim(dim.back(), self.dim(), "_fft_r2c");
  const std::int64_t n = self.size(last);
  std::vector<std::int64_t> sizes = self.sizes().vec();
  sizes[static_cast<std::size_t>(last)] = n / 2 + 1;
  const Dtype type = to_complex(self.dtype());
  Tensor half = empty_tensor(sizes, type, self.device());
  fft_r2c_kernel(self.device(), half, self, last, factor_of(normalization, element_count(self, dim)));
  for (std::size_t i = dim.size() - 1; i-- > 0;)
    fft_c2c_kernel(self.device(), half, half, wrap_dim(dim[i], self.dim(), "_fft_r2c"), true, 1);
  if (onesided) return half;
  // The other half is the conjugate, mirrored in every transformed dimension.
  const NoGradGuard guard;
  Tensor whole = empty_tensor(self.sizes(), type, self.device());
  whole.narrow(last, 0, n / 2 + 1).copy_(half);
  const std::int64_t rest = n - (n / 2 + 1);
  if (rest > 0) {
    Tensor mirrored = half.narrow(last, 1, rest).flip({last}).conj_physical();
    for (std::size_t i = 0; i + 1 < dim.size(); ++i)
      mirrored = mirrored.flip({dim[i]}).roll({1}, {dim[i]});
    whole.narrow(last, n / 2 + 1, rest).copy_(mirrored);
  }
  return whole;
}

Tensor _fft_c2r(const Tensor& self, IntArray dim, std::int64_t normalization, std::int64_t last_dim_size) {
  check(self.is_complex(), "_fft_c2r: expected a complex tensor, got ", self);
  const std::int64_t last = wrap_dim(dim.back(), self.dim(), "_fft_c2r");
  std::vector<std::int64_t> sizes = self.sizes().vec();
  sizes[static_cast<std::size_t>(last)] = last_dim_size;
  Tensor result = empty_tensor(sizes, to_real(self.dtype()), self.device());
  Tensor spectrum = self;
  if (dim.size() > 1) {
    spectrum = empty_tensor(self.sizes(), self.dtype(), self.device());
    const Tensor* from = &self;
    for (std::size_t i = dim.size() - 1; i-- > 0; from = &spectrum)
      fft_c2c_kernel(self.device(), spectrum, *from, wrap_dim(dim[i], self.dim(), "_fft_c2r"), false, 1);
  }
  std::int64_t count = 1;
  for (const std::int64_t d : dim)
    count *= sizes[static_cast<std::size_t>(wrap_dim(d, self.dim(), "_fft_c2r"))];
  fft_c2r_kernel(self.device(), result, spectrum, last, factor_of(normalization, count));
  return result;
}

}  // namespace ops

namespace {

std::int64_t normalization_of(std::optional<std::string_view> norm, bool forward, const char* op) {
  const std::string_view mode = norm.value_or("backward");
  if (mode == "backward") return forward ? kNone : kByN;
  if (mode == "forward") return forward ? kByN : kNone;
  check(mode == "ortho", op, ": Invalid normalization mode: \"", mode, "\"; use backward, ortho or forward");
  return kByRootN;
}

Tensor promoted(const Tensor& self, bool complex, const char* op) {
  check_transform_type(self, op);
  Dtype type = is_integral(self.dtype()) ? default_dtype() : self.dtype();
  if (complex) type = to_complex(type);
  return self.to(type);
}

// Cut or filled with zeros at the end of `dim` to `size`.
Tensor resized(const Tensor& self, std::int64_t dim, std::int64_t size, const char* op) {
  check(size >= 1, op, ": Invalid number of data points (", size, ") specified");
  const std::int64_t have = self.size(dim);
  if (have == size) return self;
  if (have > size) return self.narrow(dim, 0, size);
  std::vector<std::int64_t> pad(static_cast<std::size_t>(2 * (self.dim() - dim)), 0);
  pad.back() = size - have;
  return constant_pad_nd(self, pad);
}

std::int64_t dimension(const Tensor& self, std::int64_t dim, const char* op) {
  check<IndexError>(self.dim() > 0, op, ": Dimension specified as ", dim, " but tensor has no dimensions");
  return wrap_dim(dim, self.dim(), op);
}

// The dimensions and lengths of a transform over several dimensions.
struct Extent {
  std::vector<std::int64_t> dims, sizes;  // size -1: as the input has it
};
Extent extent_of(const Tensor& self, const OptionalIntArray& s, const OptionalIntArray& dim, const char* op) {
  Extent extent;
  if (dim) {
    for (const std::int64_t d : *dim)
      extent.dims.push_back(dimension(self, d, op));
    std::vector<std::int64_t> sorted = extent.dims;
    std::sort(sorted.begin(), sorted.end());
    check(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), op, ": FFT dims must be unique");
  } else {
    const std::int64_t count = s ? static_cast<std::int64_t>(s->size()) : self.dim();
    check(count <= self.dim(), op, ": Got shape with ", count, " values but input tensor only has ", self.dim(),
          " dimensions.");
    for (std::int64_t d = self.dim() - count; d < self.dim(); ++d)
      extent.dims.push_back(d);
  }
  check(!s || s->size() == extent.dims.size(), op, ": When given, dim and shape arguments must have the same length");
  for (std::size_t i = 0; i < extent.dims.size(); ++i) {
    const std::int64_t size = s ? (*s)[i] : -1;
    check(size == -1 || size >= 1, op, ": Invalid number of data points (", size, ") specified");
    if (size == -1)
      check(self.size(extent.dims[i]) >= 1, op, ": Invalid number of data points (", self.size(extent.dims[i]),
            ") specified");
    extent.sizes.push_back(size);
  }
  return extent;
}
Tensor resized(Tensor self, const Extent& extent, const char* op, std::size_t skip_last = 0) {
  for (std::size_t i = 0; i + skip_last < extent.dims.size(); ++i)
    if (extent.sizes[i] != -1) self = resized(self, extent.dims[i], extent.sizes[i], op);
  return self;
}

using Norm = std::optional<std::string_view>;

Tensor c2c(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm, bool forward,
           const char* op) {
  const Tensor input = promoted(self, true, op);
  dim = dimension(self, dim, op);
  return _fft_c2c(resized(input, dim, n.value_or(input.size(dim)), op), {dim}, normalization_of(norm, forward, op),
                  forward);
}
Tensor c2cn(const Tensor& self, const OptionalIntArray& s, const OptionalIntArray& dim, Norm norm, bool forward,
            const char* op) {
  const Tensor input = promoted(self, true, op);
  const Extent extent = extent_of(input, s, dim, op);
  if (extent.dims.empty()) return input.clone();
  return _fft_c2c(resized(input, extent, op), extent.dims, normalization_of(norm, forward, op), forward);
}
Tensor r2cn(const Tensor& self, const OptionalIntArray& s, const OptionalIntArray& dim, Norm norm, bool forward,
            const char* op) {
  check(!self.is_complex(), op, " expects a real input tensor, but got ", scalar_type_name(self.dtype()));
  const Tensor input = promoted(self, false, op);
  const Extent extent = extent_of(input, s, dim, op);
  check(!extent.dims.empty(), op, " must transform at least one axis");
  const Tensor result = _fft_r2c(resized(input, extent, op), extent.dims, normalization_of(norm, forward, op), true);
  return forward ? result : result.conj_physical();
}
Tensor c2rn(const Tensor& self, const OptionalIntArray& s, const OptionalIntArray& dim, Norm norm, bool forward,
            const char* op) {
  Tensor input = promoted(self, true, op);
  const Extent extent = extent_of(input, s, dim, op);
  check(!extent.dims.empty(), op, " must transform at least one axis");
  const std::int64_t last = extent.dims.back();
  const std::int64_t size = extent.sizes.back() != -1 ? extent.sizes.back() : 2 * (input.size(last) - 1);
  check(size >= 1, op, ": Invalid number of data points (", size, ") specified");
  input = resized(resized(input, extent, op, 1), last, size / 2 + 1, op);
  if (forward) input = input.conj_physical();
  return _fft_c2r(input, extent.dims, normalization_of(norm, forward, op), size);
}
OptionalIntArray as_list(const std::optional<std::int64_t>& n) { return n ? OptionalIntArray(*n) : OptionalIntArray(); }

}  // namespace

Tensor uncast_fft_fft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return c2c(self, n, dim, norm, true, "fft");
}
Tensor uncast_fft_ifft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return c2c(self, n, dim, norm, false, "ifft");
}
Tensor uncast_fft_rfft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return r2cn(self, as_list(n), dim, norm, true, "rfft");
}
Tensor uncast_fft_ihfft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return r2cn(self, as_list(n), dim, norm, false, "ihfft");
}
Tensor uncast_fft_irfft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return c2rn(self, as_list(n), dim, norm, false, "irfft");
}
Tensor uncast_fft_hfft(const Tensor& self, std::optional<std::int64_t> n, std::int64_t dim, Norm norm) {
  return c2rn(self, as_list(n), dim, norm, true, "hfft");
}
Tensor uncast_fft_fftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  return c2cn(self, s, dim, norm, true, "fftn");
}
Tensor uncast_fft_ifftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  return c2cn(self, s, dim, norm, false, "ifftn");
}
Tensor uncast_fft_rfftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  return r2cn(self, s, dim, norm, true, "rfftn");
}
Tensor uncast_fft_irfftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  return c2rn(self, s, dim, norm, false, "irfftn");
}
Tensor uncast_fft_fft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return c2cn(self, s, dim, norm, true, "fft2");
}
Tensor uncast_fft_ifft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return c2cn(self, s, dim, norm, false, "ifft2");
}
Tensor uncast_fft_rfft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return r2cn(self, s, dim, norm, true, "rfft2");
}
Tensor uncast_fft_irfft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return c2rn(self, s, dim, norm, false, "irfft2");
}

// Hermitian transforms over several dimensions: complex ones over all but the last.
Tensor fft_hfftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  const Tensor input = promoted(self, true, "hfftn");
  const Extent extent = extent_of(input, s, dim, "hfftn");
  check(!extent.dims.empty(), "hfftn must transform at least one axis");
  const std::int64_t last = extent.dims.back();
  const std::int64_t size = extent.sizes.back() != -1 ? extent.sizes.back() : 2 * (input.size(last) - 1);
  check(size >= 1, "hfftn: Invalid number of data points (", size, ") specified");
  Tensor work = resized(resized(input, extent, "hfftn", 1), last, size / 2 + 1, "hfftn");
  const std::int64_t normalization = normalization_of(norm, true, "hfftn");
  const std::vector<std::int64_t> others(extent.dims.begin(), extent.dims.end() - 1);
  if (!others.empty()) work = _fft_c2c(work, others, normalization, true);
  return _fft_c2r(work.conj_physical(), {last}, normalization, size);
}
Tensor fft_ihfftn(const Tensor& self, OptionalIntArray s, OptionalIntArray dim, Norm norm) {
  check(!self.is_complex(), "ihfftn expects a real input tensor, but got ", scalar_type_name(self.dtype()));
  const Tensor input = promoted(self, false, "ihfftn");
  const Extent extent = extent_of(input, s, dim, "ihfftn");
  check(!extent.dims.empty(), "ihfftn must transform at least one axis");
  const std::int64_t normalization = normalization_of(norm, false, "ihfftn");
  const Tensor half =
      _fft_r2c(resized(input, extent, "ihfftn"), {extent.dims.back()}, normalization, true).conj_physical();
  const std::vector<std::int64_t> others(extent.dims.begin(), extent.dims.end() - 1);
  return others.empty() ? half : _fft_c2c(half, others, normalization, false);
}
Tensor fft_hfft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return fft_hfftn(self, s, dim, norm);
}
Tensor fft_ihfft2(const Tensor& self, OptionalIntArray s, IntArray dim, Norm norm) {
  return fft_ihfftn(self, s, dim, norm);
}

namespace {
TensorOptions with_real_dtype(const TensorOptions& options) {
  const TensorOptions plain = options.requires_grad(false);
  return plain.dtype_opt() ? plain : plain.dtype(default_dtype());
}
}  // namespace
namespace ops {
Tensor fft_fftfreq(std::int64_t n, double d, const TensorOptions& given) {
  const TensorOptions options = with_real_dtype(given);
  const Tensor positive = arange((n + 1) / 2, options), negative = arange(-(n / 2), 0, options);
  return cat({positive, negative}).mul_(1.0 / (static_cast<double>(n) * d));
}
Tensor fft_rfftfreq(std::int64_t n, double d, const TensorOptions& options) {
  return arange(n / 2 + 1, with_real_dtype(options)).mul_(1.0 / (static_cast<double>(n) * d));
}
}  // namespace ops

namespace {
Tensor shifted(const Tensor& self, const OptionalIntArray& dim, bool forward) {
  std::vector<std::int64_t> dims, shifts;
  if (dim)
    dims = dim->vec();
  else
    for (std::int64_t d = 0; d < self.dim(); ++d)
      dims.push_back(d);
  for (const std::int64_t d : dims)
    shifts.push_back(forward ? self.size(d) / 2 : (self.size(d) + 1) / 2);
  return dims.empty() ? self.clone() : self.roll(shifts, dims);
}
}  // namespace
Tensor fft_fftshift(const Tensor& self, OptionalIntArray dim) { return shifted(self, dim, true); }
Tensor fft_ifftshift(const Tensor& self, OptionalIntArray dim) { return shifted(self, dim, false); }

// --- short-time transforms ------------------------------------------------------------------------------

namespace {

// The window, centred among zeros where it is shorter than the transform; ones when none is given.
Tensor whole_window(const std::optional<Tensor>& window, std::int64_t win_length, std::int64_t n_fft,
                    const TensorOptions& options, const char* op) {
  check(win_length > 0 && win_length <= n_fft, op,
        ": expected 0 < win_length <= n_fft, but got win_length=", win_length, ", n_fft=", n_fft);
  if (window && window->defined())
    check(window->dim() == 1 && window->size(0) == win_length, op,
          ": expected a 1D window tensor of size equal to win_length=", win_length, ", but got window with size ",
          window->sizes());
  Tensor whole = window && window->defined() ? *window : ones({win_length}, options);
  if (win_length == n_fft) return whole;
  const std::int64_t left = (n_fft - win_length) / 2;
  return constant_pad_nd(whole, {left, n_fft - win_length - left});
}

// Sums frames [batch, frame, n_fft] into lines where frame k starts at k * hop.
Tensor overlap_add(const Tensor& frames, std::int64_t hop) {
  const std::int64_t count = frames.size(1), n_fft = frames.size(2);
  const TensorOptions places(kInt64, frames.device());
  const Tensor at = (arange(count, places) * hop).unsqueeze(1) + arange(n_fft, places);
  return zeros({frames.size(0), n_fft + hop * (count - 1)}, frames.options())
      .index_add(1, at.reshape({-1}), frames.reshape({frames.size(0), -1}));
}

}  // namespace

Tensor uncast_stft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                   std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool normalized,
                   std::optional<bool> onesided, std::optional<bool> return_complex,
                   std::optional<bool> align_to_window) {
  return stft(self, n_fft, hop_length, win_length, window, false, "reflect", normalized, onesided, return_complex,
              align_to_window);
}

Tensor uncast_stft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
                   std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center,
                   std::string_view pad_mode, bool normalized, std::optional<bool> onesided,
                   std::optional<bool> return_complex, std::optional<bool>) {
  const bool window_complex = window && window->defined() && window->is_complex();
  const bool complex = self.is_complex() || window_complex;
  check(return_complex || complex,
        "stft requires the return_complex parameter be given for real inputs, and will further require that "
        "return_complex=True");
  check(self.is_floating_point() || self.is_complex(),
        "stft: expected a tensor of floating point or complex values, got ", self);
  check(self.dim() == 1 || self.dim() == 2, "stft: expected a 1D or 2D tensor, got ", self);
  const bool batched = self.dim() == 2;
  Tensor input = batched ? self : self.unsqueeze(0);
  if (center) input = pad(input.unsqueeze(0), {n_fft / 2, n_fft / 2}, pad_mode).squeeze(0);
  const std::int64_t length = input.size(1), hop = hop_length.value_or(n_fft / 4);
  check(n_fft > 0 && n_fft <= length, "stft: expected 0 < n_fft < ", length, ", but got n_fft=", n_fft);
  check(hop > 0, "stft: expected hop_length > 0, but got hop_length=", hop);
  const bool one = onesided.value_or(!complex);
  check(!one || !complex, "stft: Cannot have onesided output if window or input is complex");
  Tensor frames = input.unfold(1, n_fft, hop);
  if ((window && window->defined()) || win_length.value_or(n_fft) != n_fft)
    frames = frames * whole_window(window, win_length.value_or(n_fft), n_fft, self.options(), "stft");
  const std::int64_t normalization = normalized ? kByRootN : kNone;
  Tensor spectrum =
      frames.is_complex() ? _fft_c2c(frames, {2}, normalization, true) : _fft_r2c(frames, {2}, normalization, one);
  spectrum = spectrum.transpose(1, 2);
  if (!batched) spectrum = spectrum.squeeze(0);
  return return_complex.value_or(complex) ? spectrum : view_as_real(spectrum);
}

Tensor istft(const Tensor& self, std::int64_t n_fft, std::optional<std::int64_t> hop_length,
             std::optional<std::int64_t> win_length, const std::optional<Tensor>& window, bool center, bool normalized,
             std::optional<bool> onesided, std::optional<std::int64_t> length, bool return_complex) {
  check(self.is_complex(),
        "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  check(self.dim() == 2 || self.dim() == 3, "istft: expected a tensor with 2 or 3 dimensions, but got ", self);
  check(self.numel() > 0, "istft: input tensor cannot be empty.");
  const bool batched = self.dim() == 3;
  const Tensor input = batched ? self : self.unsqueeze(0);
  const std::int64_t bins = input.size(1), hop = hop_length.value_or(n_fft / 4), width = win_length.value_or(n_fft);
  const bool one = onesided.value_or(bins != n_fft);
  check(bins == (one ? n_fft / 2 + 1 : n_fft),
        "istft: expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 or n_fft "
        "when onesided is ",
        one, ", but got ", bins);
  check(hop > 0 && hop <= width, "istft: expected 0 < hop_length <= win_length, but got hop_length=", hop,
        ", win_length=", width);
  check(!(return_complex && one), "istft: cannot have onesided output if window or input is complex");
  const Dtype real_type = to_real(self.dtype());
  const Tensor whole = whole_window(window, width, n_fft, TensorOptions(real_type, self.device()), "istft");
  check(return_complex || !whole.is_complex(), "istft: Complex windows are incompatible with return_complex=False");
  const std::int64_t normalization = normalized ? kByRootN : kByN;
  Tensor frames = input.transpose(1, 2);
  if (return_complex) {
    frames = _fft_c2c(frames, {2}, normalization, false);
  } else {
    if (!one) frames = frames.narrow(2, 0, n_fft / 2 + 1);
    frames = _fft_c2r(frames, {2}, normalization, n_fft);
  }
  Tensor line = overlap_add(frames * whole, hop);
  const Tensor squares = (whole * whole).expand({1, frames.size(1), n_fft});
  Tensor envelope = overlap_add(squares, hop);
  const std::int64_t total = line.size(1), start = center ? n_fft / 2 : 0;
  const std::int64_t end = std::min(total, length ? start + *length : center ? total - n_fft / 2 : total);
  line = line.narrow(1, start, end - start);
  envelope = envelope.narrow(1, start, end - start);
  check(envelope.detach().abs().min().item().to_double() > 1e-11, "istft: window overlap add min: 1");
  line = line / envelope;
  if (length && *length > line.size(1)) line = constant_pad_nd(line, {0, *length - line.size(1)});
  return batched ? line : line.squeeze(0);
}

}  // namespace rushlight
