// Products of bfloat16 matrices by the processor's own instruction for pairs of them.
#pragma once
#include "cpu/gemm/gemm.h"
#include "rushlight/dtype.h"

namespace rushlight::gemm {

// Whether this process may use the instruction (AVX-512 BF16 at the level avx512).
bool has_bfloat16();
// C(m, n) = A(m, k) * B(k, n) with sums in float32, rounded once. C is dense; all sizes are positive.
void gemm_bfloat16(Index m, Index n, Index k, View<BFloat16> a, View<BFloat16> b, BFloat16* c);
void gemm_bfloat16(Index m, Index n, Index k, View<BFloat16> a, View<BFloat16> b, float* c);

}  // namespace rushlight::gemm
