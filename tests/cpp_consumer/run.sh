#!/usr/bin/env bash
# Installs a build, moves the installed tree, builds the consumer against it with CMake and with pkg-config, and compares
# its text with expected.txt, which the same main.cpp printed with libtorch 2.13: run.sh BUILD_FOLDER
set -euo pipefail
build=$(cd "${1:?run.sh BUILD_FOLDER}" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"
lib=$(dirname "$(find "$work/moved" -name 'librushlight.so')")

cmake -S "$here" -B "$work/cmake" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
cmake --build "$work/cmake"
cd "$work"
cmake/consumer >text
diff "$here/expected.txt" text || { echo "cpp_consumer: the text differs from libtorch's (expected.txt)" >&2; exit 1; }

if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH="$lib/pkgconfig"
  echo '#include <rushlight/rushlight.h>
int main() { return rushlight::ones({2, 3}).sum().item<int>() == 6 ? 0 : 1; }' >small.cpp
  g++ -std=c++20 small.cpp -o small $(pkg-config --cflags --libs rushlight)
  LD_LIBRARY_PATH="$lib" ./small
fi
echo "cpp_consumer: same text as libtorch, from a moved installation"
