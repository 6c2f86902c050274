#!/usr/bin/env bash
# Installs the R package into build/languages/r and runs its tests. Usage: test.sh FOLDER (of libmixgrad, from the top)
set -euo pipefail
cd "$(dirname "$0")/../.."
MIXGRAD_HOME=$PWD
MIXGRAD_LIB_DIR=$(realpath "${1:-build/release}")
export MIXGRAD_HOME MIXGRAD_LIB_DIR
out=build/languages/r
rm -rf "$out"
mkdir -p "$out/library"
cp -r languages/r "$out/mixgrad"  # R builds beside the sources
R CMD INSTALL --no-docs --no-test-load --library="$out/library" "$out/mixgrad" > "$out/install.log" 2>&1 || {
  cat "$out/install.log"
  exit 1
}
left=$(find "$out/mixgrad" -name '*.o')
if [ -n "$left" ]; then
  echo "R CMD INSTALL leaves $left"
  exit 1
fi
R_LIBS="$PWD/$out/library" Rscript --vanilla languages/r/tests/package.R
