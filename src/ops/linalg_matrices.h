// What the linear algebra operators share: checks, matrices column by column, LAPACK's infos as errors.
#pragma once
#include <functional>

#include "rushlight/ops.h"

namespace rushlight::linalg_matrices {

void check_matrices(const Tensor& a, const char* op, const char* what);
void check_square(const Tensor& a, const char* op, const char* what);
void check_real_or_complex(const Tensor& a, const char* op);
void check_type(const Tensor& a, const char* op);  // floating or complex, single or double precision

Tensor swapped(const Tensor& a);     // the last two dimensions exchanged, same memory, no history
Tensor to_columns(const Tensor& a);  // a contiguous copy [..., n, m] of [..., m, n]: matrices column by column
Tensor empty_columns(IntArray batch, std::int64_t m, std::int64_t n, Dtype type, Device device);
Tensor zeros_of(IntArray batch, std::int64_t last, Dtype type, Device device);  // last < 0: none
std::vector<std::int64_t> broadcast_batches(IntArray a, IntArray b);
IntArray batch_of(const Tensor& a);  // all but the last two sizes

// Throws LinAlgError for the first matrix that failed, with its place in the batch.
void check_infos(const Tensor& infos, const char* op, const std::function<std::string(int)>& text);

}  // namespace rushlight::linalg_matrices
