// Autocast: which operators run in the lower precision, in float32, or in the widest dtype of their arguments.
//
// The catalogue says it of each operator, after PyTorch's lists for the CPU. An operator that is on none runs as it is.
#include "autograd/autocast.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "autograd/interpose.h"
#include "rushlight/ops.h"

namespace rushlight {
namespace {

std::atomic<Dtype> lower{Dtype::kBFloat16};
std::atomic<ProfilerHook> profiler{nullptr};

// What was cast in the outermost autocast region: a weight is converted once, and its gradients meet at that
// conversion.
struct Cast {
  Tensor source, result;
  std::uint32_t version;
};
thread_local std::unordered_map<const TensorImpl*, Cast> casts;
thread_local bool keep_casts = true;

bool worth_keeping(const Tensor& tensor, Dtype to) {
  const TensorImpl* impl = tensor.impl();
  return keep_casts && !(thread.modes & kGradOff) && to == lower && impl->word & kNeedsGrad && !impl->grad_fn &&
         !impl->base && tensor.dtype() == Dtype::kFloat32;
}

Tensor convert(const Tensor& tensor, Dtype to) {
  if (!worth_keeping(tensor, to)) return rushlight::to(tensor, TensorOptions(to));
  const std::uint32_t version = tensor.impl()->storage->version;
  const auto known = casts.find(tensor.impl());
  if (known != casts.end() && known->second.version == version && known->second.result.dtype() == to)
    return known->second.result;
  Tensor result = rushlight::to(tensor, TensorOptions(to));
  casts.insert_or_assign(tensor.impl(), Cast{tensor, result, version});
  return result;
}

}  // namespace

namespace autocast {

#include "autocast_policies.h"

Policy policy_of(const char* name) {
  const auto at =
      std::ranges::lower_bound(kPolicies, std::string_view(name), {}, &std::pair<std::string_view, Policy>::first);
  return at != std::end(kPolicies) && at->first == name ? at->second : Policy::kNone;
}

Tensor cast(const Tensor& tensor, Dtype to) {
  const bool eligible =
      tensor.defined() && is_floating(tensor.dtype()) && tensor.dtype() != Dtype::kFloat64 && tensor.dtype() != to;
  return eligible ? convert(tensor, to) : tensor;
}

void widest(const Tensor& tensor, Dtype& type) {
  if (!tensor.defined() || !is_floating(tensor.dtype()) || tensor.dtype() == Dtype::kFloat64) return;
  if (tensor.dtype() == Dtype::kFloat32) type = Dtype::kFloat32;
  check(tensor.dtype() == Dtype::kFloat32 || tensor.dtype() == lower,
        "Unexpected floating ScalarType in at::autocast::prioritize: ", tensor.dtype(), " beside ", lower.load());
}

void clear_casts() { casts.clear(); }
bool keeps_casts() { return keep_casts; }
void set_keep_casts(bool keep) { keep_casts = keep; }

Dtype lower_dtype() { return lower; }
void set_lower_dtype(Dtype type) {
  check(type == Dtype::kBFloat16 || type == Dtype::kFloat16,
        "autocast: supported dtypes are torch.bfloat16 and torch.float16, not torch.", type);
  lower = type;
}

}  // namespace autocast

void set_profiler_hook(ProfilerHook hook) { profiler = hook; }

namespace {
thread_local const char* shown_before = nullptr;
}

ShownOnce::ShownOnce(const char* name) { shown_before = name; }
ShownOnce::~ShownOnce() { shown_before = nullptr; }

ProfilerScope::ProfilerScope(const batching::Operation& operation, std::span<const ProfiledArgument> arguments)
    : operation_(operation), shown_(thread.modes & kProfiler) {
  if (shown_before && std::string_view(shown_before) == operation.name) {
    shown_ = false;
    shown_before = nullptr;
  }
  if (const ProfilerHook hook = profiler; shown_ && hook) hook(operation_, true, arguments);
}
void ProfilerScope::end(std::span<const ProfiledArgument> results) {
  if (const ProfilerHook hook = profiler; shown_ && hook) hook(operation_, false, results);
  shown_ = false;
}

}  // namespace rushlight
