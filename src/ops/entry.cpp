// The cold parts of entry functions.
#include "ops/entry.h"

#include <string>

#include "autograd/shown_name.h"
#include "batching/batched.h"
#include "ops/composed.h"
#include "ops/kernel.h"
#include "ops/kernels/copy.h"
#include "ops/output.h"
#include "rushlight/forward_ad.h"

namespace rushlight {

void no_kernel(Device device) { throw NotImplementedError(str("no kernel for tensors on device ", device)); }

void DeviceCheck::see(const Tensor& operand) {
  if (!operand.defined()) return;
  if (operand.is_meta())
    meta_ = &operand;
  else if (operand.dim() > 0 || (first_ && !numbers_anywhere_))
    cpu_ = &operand;
  first_ = false;
}
void DeviceCheck::finish() const {
  check(!cpu_ || !meta_, name_,
        ": Expected all tensors to be on the same device, but found at least two devices, cpu (",
        cpu_ ? cpu_->summary() : "", ") and meta (", meta_ ? meta_->summary() : "",
        "); move one of them with .to(device)");
}

void no_grad_for_out(const char* name) {
  throw RuntimeError(str(name,
                         "(): functions with out=... arguments don't support automatic differentiation, but one of the "
                         "arguments requires grad."));
}

Tensor copy_for_inplace(const Tensor& self) {
  if (self.word() & kComposed) [[unlikely]] {
    const ModeScope plain(kGradOff);
    return clone(self);
  }
  Tensor copy = empty_like_tensor(self, self.dtype());
  copy_kernel(self.device(), copy, self);
  return copy;
}

const Tensor& assign_(const Tensor& self, const Tensor& value, const char* name) {
  check(value.sizes() == self.sizes(), name, ": output with shape ", self.sizes(),
        " doesn't match the broadcast shape ", value.sizes());
  check(can_cast(value.dtype(), self.dtype()), name, ": result type ", scalar_type_name(value.dtype()),
        " can't be cast to the desired output type ", scalar_type_name(self.dtype()));
  copy_(self, value);
  // The copy is a detail: what shows is the operator, except for a view, whose history is that of its base.
  if (!(thread.modes & kGradOff) && value.impl()->grad_fn && !self.impl()->base) show_as(self, shown_name(value));
  return self;
}

// In place, PyTorch's views have numbers of their own.
static void show_in_place(const Tensor& self) {
  std::string name = self.impl()->grad_fn->name();
  name.back() = static_cast<char>(name.back() + (name.starts_with("Squeeze") ? 3 : 1));
  show_as(self, name);
}

const Tensor& become_(const Tensor& self, const Tensor& view, const char* name) {
  TensorImpl *impl = self.impl(), *from = view.impl();
  if (impl->word & from->word & kBatched) [[unlikely]] {
    become_(batching::value_of(self), batching::value_of(view), name);
    batching::refresh(self);
    return self;
  }
  check_inplace(self, name);
  if (impl == from) return self;
  keep_view_current(impl);
  const bool recording = !(thread.modes & kGradOff) && any_needs_grad(self);
  if (recording) check_recorded_inplace(self, name);
  impl->take_data(*from);
  if (recording && from->grad_fn) {
    Node* old = impl->grad_fn;
    from->grad_fn->retain();
    impl->grad_fn = from->grad_fn;
    impl->output = from->output;
    old->drop();
    show_in_place(self);
  }
  if (from->word & kTangent) set_tangent(self, tangent_of(view));
  self.bump_version(name);
  impl->view_version = impl->storage->version;
  return self;
}

void check_apart(const Tensor& out, const Tensor& input) {
  const Overlap overlap = overlap_of(out, input);
  if (overlap == Overlap::kSame || overlap == Overlap::kPartial) throw_partial_overlap();
}
void check_apart(const Tensor& out, TensorList inputs) {
  for (const Tensor& input : inputs)
    check_apart(out, input);
}
void check_exact_dtype(const Tensor& out, const Tensor& value, const char* name) {
  check(out.dtype() == value.dtype(), name, ": Expected out tensor to have dtype ", value.dtype(), ", but got ",
        out.dtype(), " instead");
}

const Tensor& write_out(const Tensor& out, const Tensor& value, const char* name) {
  if (out.is_same(value)) return out;
  check(can_cast(value.dtype(), out.dtype()), name, ": result type ", scalar_type_name(value.dtype()),
        " can't be cast to the desired output type ", scalar_type_name(out.dtype()));
  check(out.device().type == value.device().type, name, ": expected out tensor to be on device ", value.device(),
        ", got ", out.device());
  if ((out.word() | value.word()) & kComposed) [[unlikely]] {
    store_composed(out, value, name);
    out.bump_version(name);
    return out;
  }
  resize_output(out, value.sizes());
  const ModeScope plain(kGradOff);
  copy_(out, value);
  return out;
}
void write_out(TensorList out, const std::vector<Tensor>& values, const char* name) {
  check(out.size() == values.size(), name, "_out(): expected an out= argument of length ", values.size(), ", got ",
        out.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    write_out(out[i], values[i], name);
}

}  // namespace rushlight
