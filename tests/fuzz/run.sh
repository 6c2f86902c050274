#!/usr/bin/env bash
# Fuzzes the readers of files: run.sh [seconds [params|symbol|model]]. Needs clang with libFuzzer; symbol files need every
# operator, which takes minutes to build. Inputs that reach new code are kept in build/fuzz/corpus; what once failed lies in
# tests/fuzz/corpus and is replayed first.
set -euo pipefail
cd "$(dirname "$0")/../.."
compiler=${CLANGXX:-clang++-14}
command -v "$compiler" > /dev/null || { echo "fuzz: $compiler is missing"; exit 1; }
folder=build/fuzz
what=${2:-params}
mkdir -p $folder/corpus/$what $folder/objects
floors="cpp/base cpp/device cpp/storage cpp/engine cpp/op cpp/array"
seeds="tests/fuzz/corpus tests/data/params"
if [ "$what" = symbol ]; then
  floors="cpp/base cpp/device cpp/op cpp/ops cpp/graph"
  seeds=tests/data/symbols
fi
if [ "$what" = model ]; then seeds="tests/fuzz/corpus tests/data/models"; fi
flags="-std=c++17 -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -Wno-pass-failed \
  -DMIXGRAD_ONEDNN=0 -DMIXGRAD_OPENMP=0 -DMIXGRAD_TRAINING=1 -DMIXGRAD_TEXTS=1 -DMIXGRAD_COMPACT=0 -Icpp -Iinclude"
export compiler flags folder
compile() { object=$folder/objects/$(echo "$1" | tr / _).o; [ "$object" -nt "$1" ] || $compiler $flags -c "$1" -o "$object"; }
export -f compile
# shellcheck disable=SC2086
sources=$(find $floors -name '*.cc' -not -path '*/onednn/*'; echo "tests/fuzz/${what}_fuzz.cc")
echo "$sources" | xargs -P "${JOBS:-2}" -I{} bash -c 'compile {}'
objects=$(for source in $sources; do echo "$folder/objects/$(echo "$source" | tr / _).o"; done)
# shellcheck disable=SC2086
"$compiler" -fsanitize=fuzzer,address,undefined $objects -o "$folder/${what}_fuzz" -pthread -ldl
# shellcheck disable=SC2086
"$folder/${what}_fuzz" "$folder/corpus/$what" $seeds \
  -max_total_time="${1:-60}" -rss_limit_mb=1024 -max_len=16384 -print_final_stats=1
