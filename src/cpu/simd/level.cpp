// Which instruction set this process uses.
#include <cstdlib>
#include <cstring>

#include "cpu/simd/targets.h"

namespace rushlight::simd {
namespace {

int detect() {
  __builtin_cpu_init();
  int best = 0;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) best = 1;
  if (best == 1 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    best = 2;
  if (const char* wanted = std::getenv("RUSHLIGHT_SIMD")) {
    static constexpr const char* kNames[] = {"baseline", "avx2", "avx512"};
    for (int i = 0; i < best; ++i)
      if (!std::strcmp(wanted, kNames[i])) return i;
  }
  return best;
}

}  // namespace

int level() {
  static const int best = detect();
  return best;
}

}  // namespace rushlight::simd
