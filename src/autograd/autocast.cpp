// Autocast: which operators run in the lower precision, in float32, or in the widest dtype of their arguments.
//
// The lists are those PyTorch documents for CPU. An operator that is on none runs as it is.
#include <algorithm>
#include <atomic>
#include <string_view>

#include "autograd/interpose.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

std::atomic<Dtype> lower{Dtype::kBFloat16};
std::atomic<ProfilerHook> profiler{nullptr};

// Kernels stand for the composite operators that are made of them: `_addmm_nt` for linear and recurrent layers.
constexpr std::string_view kInLower[] = {"_addmm_nt",
                                         "_convolution",
                                         "_mm_nt",
                                         "_prelu_kernel",
                                         "addbmm",
                                         "addmm",
                                         "baddbmm",
                                         "bmm",
                                         "chain_matmul",
                                         "conv1d",
                                         "conv2d",
                                         "conv3d",
                                         "conv_tbc",
                                         "conv_transpose1d",
                                         "conv_transpose2d",
                                         "conv_transpose3d",
                                         "convolution",
                                         "linalg_vecdot",
                                         "linear",
                                         "matmul",
                                         "mm",
                                         "prelu",
                                         "scaled_dot_product_attention"};
constexpr std::string_view kInFloat32[] = {"avg_pool3d",
                                           "binary_cross_entropy",
                                           "bilinear",
                                           "cdist",
                                           "cosine_embedding_loss",
                                           "cross_entropy_loss",
                                           "ctc_loss",
                                           "erfinv",
                                           "fft_fft",
                                           "fft_fft2",
                                           "fft_fftn",
                                           "fft_hfft",
                                           "fft_ifft",
                                           "fft_ifft2",
                                           "fft_ifftn",
                                           "fft_ihfft",
                                           "fft_irfft",
                                           "fft_irfft2",
                                           "fft_irfftn",
                                           "fft_rfft",
                                           "fft_rfft2",
                                           "fft_rfftn",
                                           "grid_sampler",
                                           "hinge_embedding_loss",
                                           "huber_loss",
                                           "kl_div",
                                           "l1_loss",
                                           "linalg_cond",
                                           "linalg_matrix_rank",
                                           "linalg_solve",
                                           "linalg_cholesky",
                                           "linalg_svdvals",
                                           "linalg_eigvals",
                                           "linalg_eigvalsh",
                                           "linalg_inv",
                                           "linalg_householder_product",
                                           "linalg_tensorinv",
                                           "linalg_tensorsolve",
                                           "linalg_svd",
                                           "linalg_qr",
                                           "linalg_eig",
                                           "linalg_eigh",
                                           "linalg_lstsq",
                                           "linalg_inv_ex",
                                           "margin_ranking_loss",
                                           "median",
                                           "mse_loss",
                                           "multi_margin_loss",
                                           "multilabel_margin_loss",
                                           "multilabel_margin_loss_forward",
                                           "nanmedian",
                                           "nanquantile",
                                           "nll_loss",
                                           "nll_loss2d",
                                           "nll_loss_forward",
                                           "nll_loss_nd",
                                           "polar",
                                           "prod",
                                           "quantile",
                                           "renorm",
                                           "replication_pad1d",
                                           "replication_pad2d",
                                           "replication_pad3d",
                                           "smooth_l1_loss",
                                           "soft_margin_loss",
                                           "stft",
                                           "trace",
                                           "triplet_margin_loss",
                                           "view_as_complex"};
constexpr std::string_view kInWidest[] = {"addcdiv", "addcmul", "atan2",      "bilinear", "cat",
                                          "cross",   "dot",     "index_copy", "stack",    "vdot"};

static_assert(std::is_sorted(std::begin(kInLower), std::end(kInLower)));

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

namespace autocast {

Policy policy_of(const char* name) {
  if (contains(kInLower, name)) return Policy::kLower;
  if (contains(kInFloat32, name)) return Policy::kFloat32;
  return contains(kInWidest, name) ? Policy::kWidest : Policy::kNone;
}

Tensor cast(const Tensor& tensor, Dtype to) {
  const bool eligible =
      tensor.defined() && is_floating(tensor.dtype()) && tensor.dtype() != Dtype::kFloat64 && tensor.dtype() != to;
  return eligible ? rushlight::to(tensor, TensorOptions(to)) : tensor;
}

void widest(const Tensor& tensor, Dtype& type) {
  if (tensor.defined() && tensor.dtype() == Dtype::kFloat32) type = Dtype::kFloat32;
}

Dtype lower_dtype() { return lower; }
void set_lower_dtype(Dtype type) {
  check(type == Dtype::kBFloat16 || type == Dtype::kFloat16,
        "autocast: supported dtypes are torch.bfloat16 and torch.float16, not torch.", type);
  lower = type;
}

}  // namespace autocast

void set_profiler_hook(ProfilerHook hook) { profiler = hook; }

ProfilerScope::ProfilerScope(const char* name, std::span<const ProfiledArgument> arguments)
    : name_(thread.modes & kProfiler ? name : nullptr) {
  if (const ProfilerHook hook = profiler; name_ && hook) hook(name_, true, arguments);
}
ProfilerScope::~ProfilerScope() {
  if (const ProfilerHook hook = profiler; name_ && hook) hook(name_, false, {});
}

}  // namespace rushlight
