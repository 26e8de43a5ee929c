// The instruction sets that kernel files are compiled for, and how a kernel is chosen at run time.
//
// A kernel file includes this header before hwy/foreach_target.h and, in its HWY_ONCE part, makes tables:
//   static constexpr simd::Table<void(const float*, float*, std::int64_t)> kExp = RL_SIMD_TABLE(Exp);
//   kExp(in, out, n);   // or kExp.best()
// Baseline is x86-64-v2 (SSE4), then AVX2+FMA, then AVX-512 (F, BW, CD, DQ, VL).
#pragma once

#undef HWY_DISABLED_TARGETS
#ifdef RL_SIMD_ALL
#define HWY_DISABLED_TARGETS (HWY_AVX3_DL | HWY_SSSE3)
#else  // development builds: what the compiler's -march has, nothing else
#define HWY_COMPILE_ONLY_STATIC
#define HWY_DISABLED_TARGETS HWY_AVX3_DL
#endif

namespace rushlight::simd {

enum class Level { kBaseline, kAvx2, kAvx512 };

// The best level of this CPU; RUSHLIGHT_SIMD=baseline|avx2|avx512 lowers it, for tests.
int level();

template <class Signature>
struct Table;
template <class Result, class... Args>
struct Table<Result(Args...)> {
  using Function = Result (*)(Args...);
  Function functions[3];
  Function best() const { return functions[level()]; }
  Result operator()(Args... args) const { return best()(args...); }
};

}  // namespace rushlight::simd

// Names the function of each target's namespace; use it after #if HWY_ONCE, inside namespace rushlight...
#ifdef RL_SIMD_ALL
#define RL_SIMD_TABLE(function)                            \
  {                                                        \
    {                                                      \
      N_SSE4::function, N_AVX2::function, N_AVX3::function \
    }                                                      \
  }
#else
#define RL_SIMD_TABLE(function)                                                 \
  {                                                                             \
    {                                                                           \
      HWY_NAMESPACE::function, HWY_NAMESPACE::function, HWY_NAMESPACE::function \
    }                                                                           \
  }
#endif
