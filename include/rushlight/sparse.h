// Generated from catalogue/ by codegen/generate.py; do not edit.
#pragma once
#include "rushlight/ops.h"

namespace rushlight {

// A sparse tensor without elements.
Tensor sparse_coo_tensor(IntArray size, const TensorOptions& options = {});
// A sparse tensor of the smallest sizes that hold the indices.
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, const TensorOptions& options = {}, std::optional<bool> is_coalesced = {});
// A sparse tensor: `indices` has one column, and `values` one entry, for each element.
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, IntArray size, const TensorOptions& options = {}, std::optional<bool> is_coalesced = {});
// A sparse tensor of indices and values that fit.
Tensor _sparse_coo_tensor_unsafe(const Tensor& indices, const Tensor& values, IntArray size, std::optional<bool> is_coalesced = {});
// A sparse tensor of compressed rows or columns, as `layout` says.
Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values, IntArray size, const TensorOptions& options = {});
// The same, of the smallest sizes that hold the indices.
Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values, const TensorOptions& options = {});
// A sparse tensor of compressed rows: the elements of row i are those from crow_indices[i] to crow_indices[i + 1].
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values, IntArray size, const TensorOptions& options = {});
// The same, of the smallest sizes that hold the indices.
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values, const TensorOptions& options = {});
// A sparse tensor of compressed columns: the elements of column i are those from ccol_indices[i] to ccol_indices[i + 1].
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values, IntArray size, const TensorOptions& options = {});
// The same, of the smallest sizes that hold the indices.
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values, const TensorOptions& options = {});
// A sparse tensor of compressed and plain indices and values that fit.
Tensor _sparse_compressed_tensor_unsafe(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values, IntArray size, std::optional<Layout> layout = {});
// Throws where indices do not fit values and sizes.
void _validate_sparse_coo_tensor_args(const Tensor& indices, const Tensor& values, IntArray size, std::optional<bool> is_coalesced = {});
// Throws where compressed indices do not fit values and sizes.
void _validate_sparse_compressed_tensor_args(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values, IntArray size, std::optional<Layout> layout);
// The number of dimensions that have indices.
std::int64_t sparse_dim(const Tensor& self);
// The number of dimensions that each value of a sparse tensor has.
std::int64_t dense_dim(const Tensor& self);
// The number of elements that a sparse tensor states.
std::int64_t _nnz(const Tensor& self);
// Whether indices are sorted and each is there once.
bool is_coalesced(const Tensor& self);
// Says whether indices are sorted and each is there once.
const Tensor& _coalesced_(const Tensor& self, bool coalesced);
// The indices of a coalesced tensor, one column for each element.
Tensor indices(const Tensor& self);
// The values of a sparse tensor.
Tensor values(const Tensor& self);
// The indices, whether coalesced or not.
Tensor _indices(const Tensor& self);
// The values without history, whether coalesced or not.
Tensor _values(const Tensor& self);
// Where each row begins.
Tensor crow_indices(const Tensor& self);
// The column of each element.
Tensor col_indices(const Tensor& self);
// Where each column begins.
Tensor ccol_indices(const Tensor& self);
// The row of each element.
Tensor row_indices(const Tensor& self);
// The values with their history.
Tensor _sparse_values(const Tensor& self);
// Sorts the indices and adds the values of equal ones.
Tensor coalesce(const Tensor& self);
// Sorts the indices and adds the values of equal ones.
Tensor _coalesce(const Tensor& self);
// The tensor with all its elements in memory.
Tensor to_dense(const Tensor& self, std::optional<Dtype> dtype = {}, std::optional<bool> masked_grad = {});
// The elements of a sparse tensor, zeros included.
Tensor _to_dense(const Tensor& self, std::optional<Dtype> dtype = {}, std::optional<bool> masked_grad = {});
// A sparse tensor whose first `sparse_dim` dimensions have indices.
Tensor to_sparse(const Tensor& self, std::int64_t sparse_dim);
// A sparse tensor of the elements that are not zero.
Tensor to_sparse(const Tensor& self, std::optional<Layout> layout = {}, OptionalIntArray blocksize = {}, std::optional<std::int64_t> dense_dim = {});
// A sparse tensor of indices and values.
Tensor to_sparse_coo(const Tensor& self);
// A sparse tensor of compressed rows.
Tensor to_sparse_csr(const Tensor& self, std::optional<std::int64_t> dense_dim = {});
// A sparse tensor of compressed columns.
Tensor to_sparse_csc(const Tensor& self, std::optional<std::int64_t> dense_dim = {});
// The elements that are not zero, by index.
Tensor _to_sparse(const Tensor& self, std::int64_t sparse_dim);
// The elements that are not zero, by index.
Tensor _to_sparse(const Tensor& self);
// The elements that are not zero, by rows.
Tensor _to_sparse_csr(const Tensor& self);
// The elements that are not zero, by columns.
Tensor _to_sparse_csc(const Tensor& self);
// The elements at the indices of `mask`.
Tensor sparse_mask(const Tensor& self, const Tensor& mask);
// The values of a dense or sparse tensor at the indices, zero where a sparse one has none.
Tensor _sparse_take(const Tensor& self, const Tensor& indices);
// Changes the sizes of a sparse tensor; elements stay.
const Tensor& sparse_resize_(const Tensor& self, IntArray size, std::int64_t sparse_dim, std::int64_t dense_dim);
// Changes the sizes of a sparse tensor and drops its elements.
const Tensor& sparse_resize_and_clear_(const Tensor& self, IntArray size, std::int64_t sparse_dim, std::int64_t dense_dim);
// Product of a sparse matrix and a dense or sparse one; the gradient of a sparse operand has its pattern.
Tensor _sparse_mm(const Tensor& sparse, const Tensor& dense);
// Product of a matrix of compressed rows and a dense one whose sums are replaced: sum, mean, amax or amin.
Tensor _sparse_mm(const Tensor& sparse, const Tensor& dense, std::string_view reduce);
// beta * self + alpha * (mat1 @ mat2); the gradient of a sparse operand has its pattern.
Tensor _sparse_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
// Product of two sparse matrices.
Tensor _sparse_sparse_matmul(const Tensor& self, const Tensor& other);
// The same as mm.
Tensor spmm(const Tensor& self, const Tensor& mat2);
// Product of a sparse and a dense matrix as a sparse one.
Tensor smm(const Tensor& self, const Tensor& mat2);
// beta * self + alpha * (mat1 @ mat2) as a sparse matrix.
Tensor sspaddmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
// Product of a sparse and a dense matrix as a sparse tensor of rows.
Tensor hspmm(const Tensor& mat1, const Tensor& mat2);
// Sum of the values of a sparse tensor.
Tensor _sparse_sum(const Tensor& self);
// Sum of the values of a sparse tensor in another dtype.
Tensor _sparse_sum(const Tensor& self, Dtype dtype);
// Sum over dimensions, sparse where a dimension with indices is left.
Tensor _sparse_sum(const Tensor& self, IntArray dim);
// The same in another dtype.
Tensor _sparse_sum(const Tensor& self, IntArray dim, Dtype dtype);
// Softmax along `dim` over the elements that are stated.
Tensor _sparse_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Logarithm of softmax along `dim` over the elements that are stated.
Tensor _sparse_log_softmax(const Tensor& self, std::int64_t dim, std::optional<Dtype> dtype = {});
// Softmax along `dim` over the elements that are stated.
Tensor _sparse_softmax_of(const Tensor& self, std::int64_t dim);
// Logarithm of softmax along `dim` over the elements that are stated.
Tensor _sparse_log_softmax_of(const Tensor& self, std::int64_t dim);
// beta * self + alpha * (mat1 @ mat2) at the indices of `self`, a matrix of compressed rows.
Tensor sparse_sampled_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
const Tensor& sparse_sampled_addmm_out(const Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
// A sparse matrix with the rows of `diagonals` on its diagonals.
Tensor _spdiags(const Tensor& diagonals, const Tensor& offsets, IntArray shape, std::optional<Layout> layout = {});
// Gradient of the table of an embedding as a sparse tensor of the rows that were used.
Tensor embedding_sparse_backward(const Tensor& grad, const Tensor& indices, std::int64_t num_weights, std::int64_t padding_idx, bool scale_grad_by_freq);
// Grows the dimensions to those of `the_template`; a tensor without elements takes any.
const Tensor& resize_as_sparse_(const Tensor& self, const Tensor& the_template);
// Where each of `size` rows begins, from the row of each element.
Tensor _convert_indices_from_coo_to_csr(const Tensor& self, std::int64_t size, bool out_int32 = false);
const Tensor& _convert_indices_from_coo_to_csr_out(const Tensor& out, const Tensor& self, std::int64_t size, bool out_int32 = false);
// The row and column of each element, one column each, behind the indices of the batch.
Tensor _convert_indices_from_csr_to_coo(const Tensor& crow_indices, const Tensor& col_indices, bool out_int32 = false, bool transpose = false);
const Tensor& _convert_indices_from_csr_to_coo_out(const Tensor& out, const Tensor& crow_indices, const Tensor& col_indices, bool out_int32 = false, bool transpose = false);
// The result of `indices`, copied.
Tensor indices_copy(const Tensor& self);
const Tensor& indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `values`, copied.
Tensor values_copy(const Tensor& self);
const Tensor& values_copy_out(const Tensor& out, const Tensor& self);
// The result of `crow_indices`, copied.
Tensor crow_indices_copy(const Tensor& self);
const Tensor& crow_indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `col_indices`, copied.
Tensor col_indices_copy(const Tensor& self);
const Tensor& col_indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `ccol_indices`, copied.
Tensor ccol_indices_copy(const Tensor& self);
const Tensor& ccol_indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `row_indices`, copied.
Tensor row_indices_copy(const Tensor& self);
const Tensor& row_indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `_indices`, copied.
Tensor _indices_copy(const Tensor& self);
const Tensor& _indices_copy_out(const Tensor& out, const Tensor& self);
// The result of `_values`, copied.
Tensor _values_copy(const Tensor& self);
const Tensor& _values_copy_out(const Tensor& out, const Tensor& self);

}  // namespace rushlight
