// Finding and loading the LAPACK library.
#include "cpu/lapack/library.h"

#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "rushlight/error.h"

namespace rushlight::lapack {
namespace {

struct Library {
  void* handle = nullptr;
  std::string prefix;
};

std::string own_folder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void*>(&routine), &info) || !info.dli_fname) return "";
  const std::string path = info.dli_fname;
  return path.substr(0, path.find_last_of('/') + 1);
}

Library load() {
  std::string candidates[] = {std::getenv("RUSHLIGHT_OPENBLAS") ? std::getenv("RUSHLIGHT_OPENBLAS") : "",
                              own_folder() + "libscipy_openblas.so", "libopenblas.so.0", "liblapack.so.3"};
  for (const std::string& path : candidates) {
    if (path.empty()) continue;
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) continue;
    for (const char* prefix : {"scipy_", ""}) {
      if (!dlsym(handle, (std::string(prefix) + "dgetrf_").c_str())) continue;
      if (void* threads = dlsym(handle, (std::string(prefix) + "openblas_set_num_threads").c_str()))
        reinterpret_cast<void (*)(int)>(threads)(1);
      return {handle, prefix};
    }
  }
  return {};
}

}  // namespace

void* routine(const char* name) {
  static const Library library = load();
  check(library.handle,
        "linalg: no LAPACK library was found. Install the package scipy-openblas32 or libopenblas0, or name a library "
        "in RUSHLIGHT_OPENBLAS");
  void* address = dlsym(library.handle, (library.prefix + name + "_").c_str());
  check(address, "linalg: the LAPACK library has no routine ", name);
  return address;
}

}  // namespace rushlight::lapack
