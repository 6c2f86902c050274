#!/usr/bin/env bash
# Compiles and runs the tests and the example of mixgrad.hpp. Usage: test.sh FOLDER (of libmixgrad, from the top)
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$(realpath "${1:-build/release}")
out=build/languages/cpp
mkdir -p "$out"
for source in test examples/digits; do
  "${CXX:-c++}" -std=c++17 -O1 -Wall -Wextra -pedantic -Werror -Iinclude -Ilanguages/cpp "languages/cpp/$source.cc" \
    -L"$library" -lmixgrad -Wl,-rpath,"$library" -o "$out/$(basename "$source")"
  (cd "$out" && "./$(basename "$source")" ../../../languages/data)
done
