#!/usr/bin/env bash
# Compiles and runs the tests and the example of the C package. Usage: test.sh FOLDER (of libmixgrad, from the top)
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$(realpath "${1:-build/release}")
out=build/languages/c
mkdir -p "$out"
for source in test examples/digits; do
  "${CC:-cc}" -std=c99 -O1 -Wall -Wextra -pedantic -Werror -Iinclude -Ilanguages/c "languages/c/$source.c" \
    -L"$library" -lmixgrad -lm -Wl,-rpath,"$library" -o "$out/$(basename "$source")"
  "$out/$(basename "$source")" languages/data
done
