// Tensors made of other tensors: headers share and clone their parts, and nothing reads memory that they do not have.
#include <gtest/gtest.h>

#include "ops/sparse.h"
#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

Tensor diagonal(std::int64_t n) {
  const Tensor at = arange(n, TensorOptions(kInt64));
  return make_coo(stack(std::vector<Tensor>{at, at}), ones({n}), {n, n}, true);
}

TEST(Composed, HeadersCarryTheParts) {
  const Tensor sparse = diagonal(3);
  EXPECT_TRUE(sparse.is_sparse());
  EXPECT_EQ(sparse.layout(), Layout::kSparse);
  EXPECT_EQ(sparse.numel(), 9);
  const Tensor other = sparse.detach();
  EXPECT_TRUE(other.is_sparse());
  EXPECT_NE(other.impl()->parts, sparse.impl()->parts);
  EXPECT_TRUE(sparse_parts(other).values.data() == sparse_parts(sparse).values.data());
  Tensor dense = ones({2});
  dense.set_data(sparse);
  EXPECT_TRUE(dense.is_sparse());
  dense.set_data(ones({2}));
  EXPECT_FALSE(dense.is_sparse());
  EXPECT_EQ(dense.sizes(), IntArray({2}));
}

TEST(Composed, OperatorsWithoutAFormRefuse) {
  const Tensor sparse = diagonal(3);
  EXPECT_THROW(exp(sparse), NotImplementedError);
  EXPECT_THROW(exp_(sparse), NotImplementedError);
  EXPECT_THROW(exp_out(ones({3, 3}), sparse), NotImplementedError);
  EXPECT_THROW(exp_out(sparse, ones({3, 3})), NotImplementedError);
  EXPECT_THROW(sparse.cumsum(0), NotImplementedError);
  EXPECT_THROW(cumsum_out(sparse, ones({3, 3}), 0), RuntimeError);
  EXPECT_THROW(sparse.view({9}), NotImplementedError);
  EXPECT_THROW(full_like(sparse, 2), NotImplementedError);
  EXPECT_THROW(zeros({2, 2}, TensorOptions().layout(Layout::kSparseCsr)).exp(), NotImplementedError);
  EXPECT_THROW(max_pool2d(diagonal(3).detach(), {2}), RuntimeError);
}

TEST(Composed, MemoryIsRefused) {
  const Tensor sparse = diagonal(1);
  EXPECT_THROW(sparse.item(), NotImplementedError);
  EXPECT_THROW(sparse.data_ptr(), RuntimeError);
  EXPECT_THROW(alias(sparse, {1}, nullptr, 0), NotImplementedError);
}

}  // namespace
}  // namespace rushlight
