// Sparse tensors in C++: factories, conversions, products of any number of threads, gradients, files.
#include <gtest/gtest.h>

#include <cstdio>

#include "ops/sparse.h"
#include "rushlight/rushlight.h"

namespace rushlight {
namespace {

Tensor indices_of(std::initializer_list<double> rows, std::initializer_list<double> columns) {
  const Tensor lists[] = {tensor(std::vector<double>(rows), TensorOptions(kInt64)),
                          tensor(std::vector<double>(columns), TensorOptions(kInt64))};
  return stack({lists, 2}, 0);
}
Tensor numbers(std::initializer_list<double> values) {
  return tensor(std::vector<double>(values), TensorOptions(kFloat32));
}
Tensor example() { return sparse_coo_tensor(indices_of({2, 0, 2, 1}, {1, 3, 1, 0}), numbers({1, 2, 3, 4}), {3, 4}); }
bool same(const Tensor& a, const Tensor& b) { return equal(a, b); }

// A matrix of `rows` x `columns` with about one element in eight.
Tensor random_sparse(std::int64_t rows, std::int64_t columns) {
  const Tensor dense = randn({rows, columns});
  return to_sparse(dense.mul(rand({rows, columns}).lt(Scalar(0.125))));
}

TEST(Sparse, CoalesceAddsEqualIndicesInOrder) {
  const Tensor sorted = coalesce(example());
  EXPECT_TRUE(is_coalesced(sorted));
  EXPECT_EQ(_nnz(sorted), 3);
  EXPECT_TRUE(same(indices(sorted), indices_of({0, 1, 2}, {3, 0, 1})));
  EXPECT_TRUE(same(values(sorted), numbers({2, 4, 4})));
}

TEST(Sparse, LayoutsHoldTheSameElements) {
  const Tensor dense = to_dense(example());
  EXPECT_EQ(dense.select(0, 2).select(0, 1).item<float>(), 4);
  for (const Layout layout : {Layout::kSparse, Layout::kSparseCsr, Layout::kSparseCsc}) {
    const Tensor converted = to_sparse(example(), layout);
    EXPECT_EQ(converted.layout(), layout);
    EXPECT_TRUE(same(to_dense(converted), dense));
    EXPECT_TRUE(same(to_dense(to_sparse(dense, layout)), dense));
  }
}

TEST(Sparse, ProductsEqualDenseOnes) {
  for (const std::int64_t width : {1, 3, 16, 37, 130}) {
    const Tensor sparse = random_sparse(53, 41), dense = randn({41, width});
    EXPECT_TRUE(allclose(mm(sparse, dense), mm(to_dense(sparse), dense), 1e-5, 1e-5));
    EXPECT_TRUE(allclose(mm(to_sparse_csr(sparse), dense), mm(to_dense(sparse), dense), 1e-5, 1e-5));
    const Tensor right = randn({width, 53});
    EXPECT_TRUE(allclose(mm(right, sparse), mm(right, to_dense(sparse)), 1e-5, 1e-5));
  }
  const Tensor a = random_sparse(31, 40), b = random_sparse(40, 29);
  EXPECT_TRUE(allclose(to_dense(mm(a, b)), mm(to_dense(a), to_dense(b)), 1e-5, 1e-5));
}

TEST(Sparse, ResultsDoNotDependOnThreads) {
  const Tensor sparse = random_sparse(700, 300), dense = randn({300, 65});
  const Tensor twice = cat(std::vector<Tensor>{sparse_parts(sparse).indices, sparse_parts(sparse).indices}, 1);
  const Tensor uncoalesced = sparse_coo_tensor(
      twice, cat(std::vector<Tensor>{sparse_parts(sparse).values, sparse_parts(sparse).values.neg().exp()}),
      {700, 300});
  const int before = num_threads();
  set_num_threads(1);
  const Tensor product = mm(sparse, dense), sums = values(coalesce(uncoalesced)),
               square = values(mm(sparse.t(), sparse));
  set_num_threads(4);
  EXPECT_TRUE(same(product, mm(sparse, dense)));
  EXPECT_TRUE(same(sums, values(coalesce(uncoalesced))));
  EXPECT_TRUE(same(square, values(mm(sparse.t(), sparse))));
  set_num_threads(before);
}

TEST(Sparse, GradientsReachValuesAndDense) {
  const Tensor leaf = numbers({1, 2, 3, 4}).set_requires_grad(true), dense = randn({4, 2}).set_requires_grad(true);
  const Tensor sparse = sparse_coo_tensor(indices_of({2, 0, 2, 1}, {1, 3, 1, 0}), leaf, {3, 4});
  _sparse_mm(sparse, dense).sum().backward();
  const Tensor row_sums = dense.detach().sum(IntArray{1});
  EXPECT_TRUE(
      allclose(leaf.grad(), row_sums.index_select(0, tensor(std::vector<double>{1, 3, 1, 0}, TensorOptions(kInt64)))));
  EXPECT_TRUE(allclose(dense.grad().select(1, 0), to_dense(example()).sum(IntArray{0})));
}

TEST(Sparse, GradientsAccumulateAcrossLayouts) {
  const Tensor table = ones({5, 2}).set_requires_grad(true);
  const Tensor rows = tensor(std::vector<double>{1, 3, 1}, TensorOptions(kInt64));
  embedding(table, rows, -1, false, true).sum().backward();
  EXPECT_TRUE(table.grad().is_sparse());
  embedding(table, rows, -1, false, true).sum().backward();
  EXPECT_TRUE(table.grad().is_sparse());
  const Tensor twice = to_dense(table.grad());
  EXPECT_EQ(twice.select(0, 1).select(0, 0).item<float>(), 4);
  table.sum().backward();
  EXPECT_FALSE(table.grad().is_sparse());
  EXPECT_TRUE(same(table.grad(), twice.add(Scalar(1))));
}

TEST(Sparse, IndicesOutsideAreRefused) {
  EXPECT_THROW(sparse_coo_tensor(indices_of({3}, {0}), numbers({1}), {3, 4}), RuntimeError);
  EXPECT_THROW(sparse_coo_tensor(indices_of({-1}, {0}), numbers({1}), {3, 4}), RuntimeError);
  const Tensor sparse = example();
  sparse_parts(sparse).indices.fill_(Scalar(99));  // what a program may do to the memory that it gave
  EXPECT_THROW(to_dense(sparse), RuntimeError);
  EXPECT_THROW(coalesce(sparse), RuntimeError);
  EXPECT_THROW(mm(sparse, ones({4, 2})), RuntimeError);
  EXPECT_THROW(mm(sparse, sparse.t()), RuntimeError);
  EXPECT_THROW(add(ones({3, 4}), sparse), RuntimeError);
  EXPECT_THROW(sparse_csr_tensor(tensor({0, 5, 1, 2}, TensorOptions(kInt64)), tensor({0, 1}, TensorOptions(kInt64)),
                                 numbers({1, 2}), {3, 4}),
               RuntimeError);
}

TEST(Sparse, FilesKeepLayoutAndParts) {
  const std::string path = testing::TempDir() + "rushlight_sparse.pt";
  save(std::vector<Tensor>{example(), to_sparse_csr(example()), to_sparse_csc(example())}, path);
  std::vector<Tensor> loaded;
  load(loaded, path);
  ASSERT_EQ(loaded.size(), 3u);
  EXPECT_EQ(loaded[0].layout(), Layout::kSparse);
  EXPECT_FALSE(is_coalesced(loaded[0]));
  EXPECT_EQ(loaded[1].layout(), Layout::kSparseCsr);
  EXPECT_EQ(loaded[2].layout(), Layout::kSparseCsc);
  for (const Tensor& each : loaded)
    EXPECT_TRUE(same(to_dense(each), to_dense(example())));
  std::remove(path.c_str());
}

}  // namespace
}  // namespace rushlight
