#!/usr/bin/env bash
# Builds the package's WebAssembly modules with emscripten: lib/wasm/full.* (all of it) and lib/wasm/predict.* (predictions only).
# What is already built from the same sources is left alone. Usage: build.sh [full] [predict]
set -euo pipefail
cd "$(dirname "$0")/../.."
export NODE_PATH=${NODE_PATH:-/usr/share/nodejs}  # where Debian keeps what emscripten asks of Node
# Where there is a ccache, sources that it has seen in any tree compile at once.
if command -v ccache > /dev/null; then export EM_COMPILER_WRAPPER=${EM_COMPILER_WRAPPER:-ccache}; fi
compile=(-std=c++17 -msimd128 -fwasm-exceptions -Wno-pass-failed)
link=(-O2 -msimd128 -fwasm-exceptions -sMODULARIZE -sEXPORT_ES6 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB
  -sFILESYSTEM=0 -sWASM_BIGINT -sENVIRONMENT=web,worker '-sINCOMING_MODULE_JS_API=["wasmBinary"]' -sEXPORTED_RUNTIME_METHODS=)
report='const { brotliCompressSync, gzipSync } = require("zlib"), bytes = require("fs").readFileSync(process.argv[2]);
console.log(`${process.argv[1]}: ${bytes.length} bytes; compressed ${gzipSync(bytes, { level: 9 }).length} by gzip, ` +
  `${brotliCompressSync(bytes).length} by brotli`);'
declare -A profiles=([full]=train [predict]=predict) levels=([full]=-O2 [predict]=-O3)

# The functions of the C header that the package's code names and this profile has, and what gives them memory.
exports() {
  printf '["_malloc","_free"'
  comm -12 <(grep -o '\bmg_[a-z0-9_]*(' "$1" | tr -d '(' | sort -u) \
    <(grep -oh '\bmg_[a-z0-9_]*' languages/js/lib/*.js | sort -u) | sed 's/.*/,"_&"/' | tr -d '\n'
  printf ']\n'
}

# Whether a file was made from other input than this; leaves a note of the input beside it.
changed() {
  [ "$(cat "$1.from" 2> /dev/null)" != "$2" ] || [ ! -f "$1" ]
}

build() {
  local out=build/languages/js/$1 sum
  mkdir -p "$out" languages/js/lib/wasm
  python3 tools/amalgamate.py --write "$out" --profile "${profiles[$1]}"
  exports "$out/mixgrad-all.h" > "$out/exports.json"
  local flags=("${compile[@]}" "${levels[$1]}")
  sum=$(printf '%s ' "${flags[@]}" | cat - "$out/mixgrad-all.cc" | sha256sum)
  if changed "$out/mixgrad.o" "$sum"; then
    em++ "${flags[@]}" -c "$out/mixgrad-all.cc" -o "$out/mixgrad.o"
    printf '%s' "$sum" > "$out/mixgrad.o.from"
  fi
  sum=$(printf '%s ' "${link[@]}" | cat - "$out/mixgrad.o.from" "$out/exports.json" | sha256sum)
  if changed "$out/$1.wasm" "$sum"; then
    em++ "${link[@]}" "$out/mixgrad.o" -sEXPORTED_FUNCTIONS=@"$out/exports.json" -o "$out/$1.js"
    printf '%s' "$sum" > "$out/$1.wasm.from"
  fi
  cp "$out/$1.js" "$out/$1.wasm" languages/js/lib/wasm/
  node -e "$report" "$1" "$out/$1.wasm"
}

[ $# -gt 0 ] || set -- full predict
jobs=()
for name; do
  build "$name" &
  jobs+=($!)
done
for job in "${jobs[@]}"; do wait "$job"; done
