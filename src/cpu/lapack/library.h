// LAPACK and BLAS routines, from a shared library that is loaded on first use.
//
// Looked for in this order: the file that RUSHLIGHT_OPENBLAS names, libscipy_openblas.so beside this library, the
// system's libopenblas and liblapack. OpenBLAS runs on one thread: matrices of a batch are spread over the thread pool.
#pragma once
#include <complex>

namespace rushlight::lapack {

// The address of a routine such as "dgetrf"; throws RuntimeError that says how to get the library.
void* routine(const char* name);

template <class T>
inline constexpr char kLetter = 'd';
template <>
inline constexpr char kLetter<float> = 's';
template <>
inline constexpr char kLetter<std::complex<float>> = 'c';
template <>
inline constexpr char kLetter<std::complex<double>> = 'z';

template <class T>
void* typed_routine(const char* name) {
  char full[16] = {kLetter<T>};
  for (int i = 0; name[i] && i < 14; ++i)
    full[i + 1] = name[i];
  return routine(full);
}

// Calls `name` for element type T; every argument is a pointer, as Fortran wants it.
#define RL_LAPACK(T, name, ...)                                                \
  [&](auto... args) {                                                          \
    static void* const address = ::rushlight::lapack::typed_routine<T>(#name); \
    reinterpret_cast<void (*)(decltype(args)...)>(address)(args...);           \
  }(__VA_ARGS__)

}  // namespace rushlight::lapack
