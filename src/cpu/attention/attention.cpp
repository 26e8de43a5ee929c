// Attention forward and backward on the register tile. One row tile (8 queries) at a time: scores
// of 8 queries against a block of keys stay in L1, the packed keys and the values stream from L2.
#include "cpu/simd/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/attention/attention.cpp"
#include "hwy/foreach_target.h"

#include "cpu/attention/attention.h"
#include "cpu/gemm/gemm-inl.h"
#include "hwy/highway.h"
#include "rushlight/parallel.h"

#include <cmath>
#include <cstring>
#include <limits>

#ifndef RL_CPU_ATTENTION_BLOCKS
#define RL_CPU_ATTENTION_BLOCKS
namespace rushlight::gemm {
constexpr Index kFwdKeys = 528, kFwdRows = 128, kBwdKeys = 192, kBwdRows = 64;
constexpr float kLog2e = 1.44269504088896341f, kInf = std::numeric_limits<float>::infinity();
}  // namespace rushlight::gemm
#endif

HWY_BEFORE_NAMESPACE();
namespace rushlight::gemm {
namespace HWY_NAMESPACE {

constexpr Index kL = kLanes<float>, kPanel = kNV * kL;
inline Index round_up(Index n, Index to) { return ceil_div(n, to) * to; }

// 2^x for x <= 0 or so; exactly 0 below -127, NaN stays. 8e-8 relative.
template <class D>
HWY_INLINE hn::Vec<D> exp2_of(D d, hn::Vec<D> x) {
  const hn::RebindToSigned<D> di;
  x = hn::Max(hn::Set(d, -127.0f), x);                  // this order keeps a NaN
  const auto magic = hn::Set(d, 12582912.0f + 127.0f);  // its low bits become round(x) + 127
  const auto r = hn::Add(x, magic);
  const auto f = hn::Sub(x, hn::Sub(r, magic));
  const auto scale = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(di, r)));
  auto p = hn::MulAdd(hn::Set(d, 0.001327647129073739f), f, hn::Set(d, 0.009675540961325169f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.05550713092088699f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.24022120237350464f));
  p = hn::MulAdd(p, f, hn::Set(d, 0.6931469440460205f));
  p = hn::MulAdd(p, f, hn::Set(d, 1.0f));
  return hn::Mul(p, scale);
}

// K' (dim x keys) as panels of kNV vectors of keys; the last panel may be narrower.
inline void pack_keys(const float* k, Index keys, Index dim, float* dst) {
  const StridedB<float> b{{k, 1, dim}};
  for (Index j = 0; j < keys; j += kPanel) {
    const Index cols = std::min(keys - j, kPanel);
    b.pack(0, dim, j, cols, round_up(cols, kL), dst + j * dim);
  }
}

// c(rows, keys [k0, k0 + n)) = a(rows, dim) * K'; whole vectors are written. k0 is a panel's start.
inline void scores(Index rows, Index dim, const float* a, const float* packed, Index keys, Index k0, Index n, float* c,
                   Index ldc) {
  TileArgs<float> t{};
  t.k = dim;
  t.a = a, t.a_row = dim, t.a_col = 1;
  t.c_row = ldc;
  t.tail = kL;
  for (Index j = 0; j < n; j += kPanel) {
    t.b = packed + (k0 + j) * dim;
    t.b_row = round_up(std::min(keys - k0 - j, kPanel), kL);
    t.c = c + j;
    tile_kernel(0.0f, static_cast<int>(rows), static_cast<int>(ceil_div(std::min(n - j, kPanel), kL)))(t);
  }
}

// c(rows, dim) (+)= a * b for b row-major (k, dim).
inline void row_tile(Index rows, Index dim, Index k, const float* a, Index a_row, Index a_col, const float* b, float* c,
                     bool add) {
  TileArgs<float> t{};
  t.k = k;
  t.a = a, t.a_row = a_row, t.a_col = a_col;
  t.b_row = t.c_row = dim;
  t.add = add;
  const Strips<float> strips(dim);
  for (Index i = 0; i < strips.count; ++i) {
    const Index v0 = strips.First(i), nv = strips.First(i + 1) - v0;
    t.b = b + v0 * kL;
    t.c = c + v0 * kL;
    t.tail = std::min(dim - (v0 + nv - 1) * kL, kL);
    tile_kernel(0.0f, static_cast<int>(rows), static_cast<int>(nv))(t);
  }
}

// In the last vector of n columns the lanes beyond n become `value`. (Scalar stores here would
// stall the vector load that follows.)
HWY_INLINE void fill_tail(float* s, Index n, float value) {
  const hn::ScalableTag<float> d;
  const Index part = n % kL;
  if (part == 0) return;
  float* p = s + n - part;
  hn::StoreU(hn::IfThenElse(hn::FirstN(d, static_cast<std::size_t>(part)), hn::LoadU(d, p), hn::Set(d, value)), d, p);
}

struct RowState {
  float max, sum;
};  // of the scaled scores so far

// s[0, n) becomes e^(c s - max), where the difference is rounded once, so that large scores cost no
// digits; columns [n, to) become 0. Returns the factor for older results.
HWY_NOINLINE float softmax_row(float* HWY_RESTRICT s, Index n, Index to, const float* mask, float scale, bool first,
                               RowState& state) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const Index nv = round_up(n, kL);
  fill_tail(s, n, -kInf);
  float c = scale;
  if (mask || scale <= 0) {
    const V vs = hn::Set(d, c);
    for (Index j = 0; j < nv; j += kL) {
      V x = hn::Mul(hn::LoadU(d, s + j), vs);
      const Index left = std::min(n - j, kL);
      if (mask) x = hn::Add(x, load_part(d, hn::FirstN(d, static_cast<std::size_t>(left)), left, mask + j));
      hn::StoreU(x, d, s + j);
    }
    if (scale <= 0) fill_tail(s, n, -kInf);
    c = 1;
  }
  V m0 = hn::Set(d, -kInf), m1 = m0, m2 = m0, m3 = m0;
  Index j = 0;
  for (; j + 4 * kL <= nv; j += 4 * kL) {
    m0 = hn::Max(m0, hn::LoadU(d, s + j));
    m1 = hn::Max(m1, hn::LoadU(d, s + j + kL));
    m2 = hn::Max(m2, hn::LoadU(d, s + j + 2 * kL));
    m3 = hn::Max(m3, hn::LoadU(d, s + j + 3 * kL));
  }
  for (; j < nv; j += kL)
    m0 = hn::Max(m0, hn::LoadU(d, s + j));
  m0 = hn::Max(hn::Max(m0, m1), hn::Max(m2, m3));
  float top = hn::GetLane(hn::MaxOfLanes(d, m0)) * c;
  if (!first) top = std::max(top, state.max);
  const float base = top == -kInf ? 0.0f : top;
  const V vb = hn::Set(d, base), vc = hn::Set(d, c), l2 = hn::Set(d, kLog2e);
  V s0 = hn::Zero(d), s1 = s0;
  for (j = 0; j + 2 * kL <= nv; j += 2 * kL) {
    const V x0 = exp2_of(d, hn::Mul(hn::MulSub(hn::LoadU(d, s + j), vc, vb), l2));
    const V x1 = exp2_of(d, hn::Mul(hn::MulSub(hn::LoadU(d, s + j + kL), vc, vb), l2));
    hn::StoreU(x0, d, s + j);
    hn::StoreU(x1, d, s + j + kL);
    s0 = hn::Add(s0, x0);
    s1 = hn::Add(s1, x1);
  }
  for (; j < nv; j += kL) {
    const V x0 = exp2_of(d, hn::Mul(hn::MulSub(hn::LoadU(d, s + j), vc, vb), l2));
    hn::StoreU(x0, d, s + j);
    s0 = hn::Add(s0, x0);
  }
  for (j = nv; j < to; ++j)
    s[j] = 0;
  const float sum = hn::GetLane(hn::SumOfLanes(d, hn::Add(s0, s1)));
  float factor = 1;
  if (first) {
    state.sum = sum;
  } else {
    factor = top == state.max ? 1.0f : std::exp(state.max - base);
    state.sum = state.sum * factor + sum;
  }
  state.max = top;
  return factor;
}

HWY_INLINE void scale_row(float* x, Index n, float by) {
  const hn::ScalableTag<float> d;
  const auto v = hn::Set(d, by);
  Index j = 0;
  for (; j + kL <= n; j += kL)
    hn::StoreU(hn::Mul(hn::LoadU(d, x + j), v), d, x + j);
  for (; j < n; ++j)
    x[j] *= by;
}

// Queries [from, to) of one head.
void forward_rows(const AttentionShape& s, Index from, Index to, const float* q, const float* packed, const float* v,
                  const float* mask, float* out, float* lse) {
  const Index ld = kFwdKeys + kL,
              dim = s.dim;  // an odd number of lines: rows fall in different sets
  HWY_ALIGN float p[kMR * (kFwdKeys + kL)];
  RowState state[kFwdRows];
  for (Index q0 = from; q0 < to; q0 += kFwdRows) {
    const Index q1 = std::min(to, q0 + kFwdRows);
    const Index seen = s.causal ? std::min(s.k_len, q1) : s.k_len;
    for (Index k0 = 0; k0 < seen; k0 += kFwdKeys / kPanel * kPanel) {
      const Index keys = std::min(seen - k0, kFwdKeys / kPanel * kPanel);
      for (Index i = q0; i < q1; i += kMR) {
        const Index rows = std::min<Index>(kMR, q1 - i);
        const Index n = s.causal ? std::min(keys, i + rows - k0) : keys;
        if (n <= 0) continue;
        scores(rows, dim, q + i * dim, packed, s.k_len, k0, n, p, ld);
        for (Index r = 0; r < rows; ++r) {
          const Index nr = s.causal ? std::min(n, i + r - k0 + 1) : n;
          if (nr <= 0) {
            std::memset(p + r * ld, 0, static_cast<std::size_t>(n) * sizeof(float));
            continue;
          }
          const float f = softmax_row(p + r * ld, nr, n, mask ? mask + (i + r) * s.mask_row + k0 : nullptr, s.scale,
                                      k0 == 0, state[i + r - q0]);
          if (f != 1) scale_row(out + (i + r) * dim, dim, f);
        }
        row_tile(rows, dim, n, p, ld, 1, v + k0 * dim, out + i * dim, k0 > 0);
      }
    }
    for (Index i = q0; i < q1; ++i) {
      const RowState& st = state[i - q0];
      scale_row(out + i * dim, dim, st.sum == 0 ? 0.0f : 1 / st.sum);
      if (lse) lse[i] = st.sum == 0 ? -kInf : st.max + std::log(st.sum);
    }
  }
}

void attention_f32(const AttentionShape& s, const float* q, const float* k, const float* v, float* out, float* lse) {
  // Few heads are cut by queries; every part packs the keys again.
  const Index tiles = ceil_div(s.q_len, kMR), parts = std::max<Index>(1, std::min(ceil_div(16, s.heads), tiles / 16));
  parallel_for(s.heads * parts, [&](Index task) {
    const Index h = task / parts, part = task % parts;
    const Index kv = h * s.k_len * s.dim, qo = h * s.q_len * s.dim;
    float* packed = static_cast<float*>(
        scratch_of_thread(0, static_cast<std::size_t>(round_up(s.k_len, kL) * s.dim) * sizeof(float)));
    pack_keys(k + kv, s.k_len, s.dim, packed);
    forward_rows(s, split_at(tiles, parts, part) * kMR, std::min(s.q_len, split_at(tiles, parts, part + 1) * kMR),
                 q + qo, packed, v + kv, s.mask_of(h), out + qo, lse ? lse + h * s.q_len : nullptr);
  });
}

// p: scores become probabilities; dp becomes dS = scale * p * (dp - delta). n columns, then zeros.
HWY_NOINLINE void grad_row(float* HWY_RESTRICT p, float* HWY_RESTRICT dp, Index n, Index to, const float* mask,
                           float scale, float lse, float delta) {
  const hn::ScalableTag<float> d;
  using V = hn::Vec<decltype(d)>;
  const Index nv = round_up(n, kL);
  fill_tail(p, n, scale > 0 ? -kInf : kInf);
  const bool dead = lse == -kInf;
  const V c = hn::Set(d, scale), l2 = hn::Set(d, kLog2e);
  const V base = hn::Set(d, dead ? kInf : lse), vs = hn::Set(d, scale), vd = hn::Set(d, scale * delta);
  if (mask) {
    for (Index j = 0; j < n; j += kL) {
      const Index left = std::min(n - j, kL);
      const auto m = load_part(d, hn::FirstN(d, static_cast<std::size_t>(left)), left, mask + j);
      hn::StoreU(hn::MulAdd(hn::LoadU(d, p + j), c, m), d, p + j);
    }
  }
  const V cc = mask ? hn::Set(d, 1.0f) : c;
  for (Index j = 0; j < nv; j += kL) {
    const V x = exp2_of(d, hn::Mul(hn::MulSub(hn::LoadU(d, p + j), cc, base), l2));
    hn::StoreU(x, d, p + j);
    hn::StoreU(hn::Mul(x, hn::MulSub(hn::LoadU(d, dp + j), vs, vd)), d, dp + j);
  }
  for (Index j = nv; j < to; ++j)
    p[j] = dp[j] = 0;
}

void backward_head(const AttentionShape& s, const float* q, const float* k, const float* v, const float* mask,
                   const float* out, const float* lse, const float* dout, float* dq, float* dk, float* dv) {
  const Index dim = s.dim, ld = kBwdKeys + kL, size = round_up(s.k_len, kL) * dim;
  float* kt = static_cast<float*>(scratch_of_thread(0, static_cast<std::size_t>(2 * size + s.q_len) * sizeof(float)));
  float *vt = kt + size, *delta = vt + size;
  float* p = static_cast<float*>(scratch_of_thread(1, static_cast<std::size_t>(2 * kBwdRows * ld) * sizeof(float)));
  float* ds = p + kBwdRows * ld;
  pack_keys(k, s.k_len, dim, kt);
  pack_keys(v, s.k_len, dim, vt);
  for (Index i = 0; i < s.q_len; ++i) {
    float sum = 0;
    const hn::ScalableTag<float> d;
    auto acc = hn::Zero(d);
    Index j = 0;
    for (; j + kL <= dim; j += kL)
      acc = hn::MulAdd(hn::LoadU(d, out + i * dim + j), hn::LoadU(d, dout + i * dim + j), acc);
    for (; j < dim; ++j)
      sum += out[i * dim + j] * dout[i * dim + j];
    delta[i] = sum + hn::GetLane(hn::SumOfLanes(d, acc));
  }
  for (Index k0 = 0; k0 < s.k_len; k0 += kBwdKeys) {
    const Index keys = std::min(s.k_len - k0, kBwdKeys);
    bool first = true;
    for (Index q0 = s.causal ? k0 / kBwdRows * kBwdRows : 0; q0 < s.q_len; q0 += kBwdRows) {
      const Index q1 = std::min(s.q_len, q0 + kBwdRows);
      for (Index i = q0; i < q1; i += kMR) {
        const Index rows = std::min<Index>(kMR, q1 - i), n = s.causal ? std::min(keys, i + rows - k0) : keys;
        if (n <= 0) continue;
        float *pi = p + (i - q0) * ld, *di = ds + (i - q0) * ld;
        scores(rows, dim, q + i * dim, kt, s.k_len, k0, n, pi, ld);
        scores(rows, dim, dout + i * dim, vt, s.k_len, k0, n, di, ld);
        // The key tiles below start at multiples of kMR and read whole tiles: clear up to there.
        const Index clear = std::min(keys, round_up(n, kMR));
        for (Index r = 0; r < rows; ++r) {
          const Index nr = s.causal ? std::max<Index>(0, std::min(n, i + r - k0 + 1)) : n;
          grad_row(pi + r * ld, di + r * ld, nr, clear, mask ? mask + (i + r) * s.mask_row + k0 : nullptr, s.scale,
                   lse[i + r], delta[i + r]);
        }
        row_tile(rows, dim, n, di, ld, 1, k + k0 * dim, dq + i * dim, k0 > 0);
      }
      for (Index j = 0; j < keys; j += kMR) {  // P' and dS' are the same buffers with the strides swapped
        const Index rows = std::min<Index>(kMR, keys - j);
        // Query tiles start at q0 + multiples of kMR; the first that sees key j.
        const Index from = s.causal && k0 + j > q0 ? q0 + (k0 + j - q0) / kMR * kMR : q0;
        if (from >= q1) {
          if (first) {
            std::memset(dv + (k0 + j) * dim, 0, static_cast<std::size_t>(rows * dim) * sizeof(float));
            std::memset(dk + (k0 + j) * dim, 0, static_cast<std::size_t>(rows * dim) * sizeof(float));
          }
          continue;
        }
        const Index at = (from - q0) * ld + j;
        row_tile(rows, dim, q1 - from, p + at, 1, ld, dout + from * dim, dv + (k0 + j) * dim, !first);
        row_tile(rows, dim, q1 - from, ds + at, 1, ld, q + from * dim, dk + (k0 + j) * dim, !first);
      }
      first = false;
    }
    if (first) {  // no query sees these keys
      std::memset(dv + k0 * dim, 0, static_cast<std::size_t>(keys * dim) * sizeof(float));
      std::memset(dk + k0 * dim, 0, static_cast<std::size_t>(keys * dim) * sizeof(float));
    }
  }
}

void attention_backward_f32(const AttentionShape& s, const float* q, const float* k, const float* v, const float* out,
                            const float* lse, const float* dout, float* dq, float* dk, float* dv) {
  parallel_for(s.heads, [&](Index h) {
    const Index kv = h * s.k_len * s.dim, qo = h * s.q_len * s.dim;
    backward_head(s, q + qo, k + kv, v + kv, s.mask_of(h), out + qo, lse + h * s.q_len, dout + qo, dq + qo, dk + kv,
                  dv + kv);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace rushlight::gemm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rushlight::gemm {
void attention(const AttentionShape& s, const float* q, const float* k, const float* v, float* out, float* lse) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::attention_f32)> kTable = RL_SIMD_TABLE(attention_f32);
  kTable(s, q, k, v, out, lse);
}
void attention_backward(const AttentionShape& s, const float* q, const float* k, const float* v, const float* out,
                        const float* lse, const float* dout, float* dq, float* dk, float* dv) {
  static constexpr simd::Table<decltype(HWY_NAMESPACE::attention_backward_f32)> kTable =
      RL_SIMD_TABLE(attention_backward_f32);
  kTable(s, q, k, v, out, lse, dout, dq, dk, dv);
}
}  // namespace rushlight::gemm
#endif
