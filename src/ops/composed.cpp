#include "ops/composed.h"

#include "batching/batched.h"
#include "ops/kernels/copy.h"
#include "ops/sparse.h"
#include "rushlight/ops.h"

namespace rushlight {

void refuse_composed(Word word, const char* op) {
  if (word & kBatched)
    throw batching::NeedsSamples(str("vmap: It looks like you're calling ", op,
                                     " in a form that needs the elements of one sample. We don't support vmap over "
                                     "that, please try to rewrite what you're doing with other operations"));
  throw NotImplementedError(str("Could not run 'aten::", op, "' with arguments from the '",
                                word & kCompressed ? "SparseCsrCPU" : "SparseCPU", "' backend: ", op,
                                " has no form for tensors of a sparse layout; convert them with .to_dense() first"));
}

void refuse_dtype(const char* op, Dtype type) {
  throw NotImplementedError(str("\"", op, "\" not implemented for '", scalar_type_name(type), "': ", refusal(type)));
}

void refuse_memory(const TensorBase& tensor, const char* op) {
  if (tensor.word() & kBatched)
    throw batching::NeedsSamples(str("vmap: ", op, " needs the memory of one sample, which has none of its own"));
  throw NotImplementedError(str(op, ": Cannot access storage of ",
                                tensor.word() & kCompressed ? "SparseCsrTensorImpl" : "SparseTensorImpl",
                                ": its elements are in other tensors; call .to_dense() first"));
}

Tensor make_composed(TensorParts* parts, IntArray sizes, Word word) {
  TensorImpl* impl = TensorImpl::make();
  impl->storage = Storage::make(0);  // counts versions
  impl->storage->data = nullptr;
  impl->word = new_word(static_cast<Dtype>(word & kDtypeMask), thread.modes) | word;
  impl->parts = parts;
  Tensor result(impl);
  impl->set_shape(sizes, nullptr);
  impl->word &= ~kContiguous;
  return result;
}

void store_composed(const Tensor& self, const Tensor& value, const char* name) {
  if ((self.word() | value.word()) & kBatched) refuse_composed(kBatched, name);
  check(can_cast(value.dtype(), self.dtype()), name, ": result type ", scalar_type_name(value.dtype()),
        " can't be cast to the desired output type ", scalar_type_name(self.dtype()));
  if (self.word() & kSparse) return store_sparse(self, value, name);
  check(!(value.word() & kSparse), name, ": the result is sparse and cannot be written into a dense tensor");
  check(value.sizes() == self.sizes(), name, ": output with shape ", self.sizes(),
        " doesn't match the broadcast shape ", value.sizes());
  copy_kernel(self.device(), self, value);
}

}  // namespace rushlight
