// Rules of products of matrices and vectors: what differs between samples becomes a batch of matrices.
#include "batching/batching_call.h"
#include "rushlight/ops.h"

namespace rushlight::batching {
namespace {

// `matmul` of values: a matrix that all samples share meets the rows of all of them in one product.
Tensor product(const Item& a, const Item& b) { return matmul(a.tensor, b.tensor); }

Tensor of_vectors(Call& call, std::size_t matrix, std::size_t vector) {
  const Item &m = call[matrix], &v = call[vector];
  if (!v.batched) return matmul(m.tensor, v.tensor);
  if (!m.batched) return matmul(v.tensor, m.tensor.t());
  return squeeze(matmul(m.tensor, unsqueeze(v.tensor, -1)), -1);
}

// beta * self + alpha * made, `self` broadcast to the rank of a sample's result.
std::vector<Tensor> added(Call& call, Tensor made, std::int64_t rank) {
  const Scalar beta = call.parameter<Scalar>(0), alpha = call.parameter<Scalar>(1);
  if (!alpha.is_one()) made = mul(made, alpha);
  if (beta.is_zero()) {
    Item whole{made, call[1].batched || call[2].batched};
    return {call.expand(whole)};
  }
  call.align(call[0], rank);
  const Tensor& self = call[0].tensor;
  return {add(beta.is_one() ? self : mul(self, beta), made)};
}

// Written over `self` where the operator works in place.
std::vector<Tensor> stored(Call& call, std::vector<Tensor> results) {
  if (!call.in_place()) return results;
  copy_(call[0].tensor, results[0]);
  return {};
}

bool have_ranks(Call& call, std::size_t first, std::int64_t a, std::int64_t b) {
  return call[first].rank() == a && call[first + 1].rank() == b;
}

// Shapes that do not fit are for the operator itself to refuse.
bool inner_fits(Call& call, std::size_t first) {
  const IntArray a = call[first].tensor.sizes(), b = call[first + 1].tensor.sizes();
  return a.back() == (call[first + 1].rank() < 2 ? b.back() : b[b.size() - 2]);
}

}  // namespace

std::vector<Tensor> matrix_product(Call& call) {
  const std::int64_t rank = call.name() == "mm" ? 2 : 3;
  if (!have_ranks(call, 0, rank, rank) || !inner_fits(call, 0)) return call.each_sample();
  return {product(call[0], call[1])};
}

std::vector<Tensor> vector_product(Call& call) {
  if (!have_ranks(call, 0, 2, 1) || !inner_fits(call, 0)) return call.each_sample();
  return {of_vectors(call, 0, 1)};
}

std::vector<Tensor> dot_product(Call& call) {
  if (!have_ranks(call, 0, 1, 1) || !inner_fits(call, 0)) return call.each_sample();
  const Tensor a = call.name() == "vdot" ? conj(call[0].tensor) : call[0].tensor;
  const Tensor& b = call[1].tensor;
  if (!call[1].batched) return {matmul(a, b)};
  if (!call[0].batched) return {matmul(b, a)};
  return {squeeze(matmul(unsqueeze(a, -2), unsqueeze(b, -1)), IntArray{-2, -1})};
}

// mat1 @ mat2.T, perhaps with a bias in front.
std::vector<Tensor> transposed_product(Call& call) {
  const bool biased = call.name() == "_addmm_nt";
  Item &a = call[biased], &b = call[biased + 1];
  if (a.rank() != 2 || b.rank() != 2 || a.tensor.sizes().back() != b.tensor.sizes().back()) return call.each_sample();
  if (a.batched && !b.batched && !(biased && call[0].batched)) {  // the rows of all samples in one product
    a.tensor = merge_batch(a.tensor);
    return {split_batch(call.invoke()[0], call.batch())};
  }
  const Tensor made = matmul(a.tensor, b.tensor.mT());
  if (!biased) return {made};
  call.align(call[0], 2);
  return {add(made, call[0].tensor)};
}

std::vector<Tensor> added_product(Call& call) {
  const std::int64_t rank = call.name() == "addmm" || call.name() == "addmm_" ? 2 : 3;
  if (!have_ranks(call, 1, rank, rank) || !inner_fits(call, 1) || call[0].rank() > rank) return call.each_sample();
  return stored(call, added(call, product(call[1], call[2]), rank));
}

std::vector<Tensor> added_vector_product(Call& call) {
  if (!have_ranks(call, 1, 2, 1) || !inner_fits(call, 1) || call[0].rank() > 1) return call.each_sample();
  return stored(call, added(call, of_vectors(call, 1, 2), 1));
}

std::vector<Tensor> added_outer_product(Call& call) {
  if (!have_ranks(call, 1, 1, 1) || call[0].rank() > 2) return call.each_sample();
  const Tensor made = mul(unsqueeze(call[1].tensor, -1), unsqueeze(call[2].tensor, -2));
  return stored(call, added(call, made, 2));
}

std::vector<Tensor> added_batch_product(Call& call) {
  if (!have_ranks(call, 1, 3, 3) || !inner_fits(call, 1) || call[0].rank() > 2) return call.each_sample();
  return stored(call, added(call, sum(product(call[1], call[2]), OptionalIntArray{-3}, false), 2));
}

// --- attention -----------------------------------------------------------------------------------------

// Samples and batches in one dimension.
std::vector<Tensor> attention(Call& call) {
  Item& mask = call[3];
  if (mask.defined() && mask.batched) {
    if (mask.rank() == 4) {
      std::vector<std::int64_t> sizes = mask.tensor.sizes().vec();
      sizes[1] = call[0].tensor.sizes()[call[0].batched];
      mask.tensor = merge_batch(rushlight::expand(mask.tensor, sizes));
    } else {
      return call.each_sample();
    }
  } else if (mask.defined() && mask.rank() > 2 && mask.tensor.sizes()[0] != 1) {
    if (mask.rank() != 4) return call.each_sample();
    mask.tensor = merge_batch(call.expand(mask));
  }
  for (std::size_t i = 0; i < 3; ++i)
    call[i].tensor = merge_batch(call.expand(call[i]));
  std::vector<Tensor> results = call.invoke();
  for (Tensor& result : results)
    result = split_batch(result, call.batch());
  return results;
}

}  // namespace rushlight::batching
