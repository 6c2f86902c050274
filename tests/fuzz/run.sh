#!/usr/bin/env bash
# Fuzzes the readers of array files: run.sh [seconds]. Needs clang with libFuzzer. Inputs that reach new code are kept in
# build/fuzz/corpus; what once failed lies in tests/fuzz/corpus and is replayed first.
set -euo pipefail
cd "$(dirname "$0")/../.."
compiler=${CLANGXX:-clang++-14}
command -v "$compiler" > /dev/null || { echo "fuzz: $compiler is missing"; exit 1; }
folder=build/fuzz
mkdir -p $folder/corpus
sources=$(find cpp/base cpp/array cpp/storage cpp/device cpp/engine -name '*.cc')
# shellcheck disable=SC2086
"$compiler" -std=c++17 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
  -DMIXGRAD_ONEDNN=0 -DMIXGRAD_OPENMP=0 -Icpp -Iinclude $sources tests/fuzz/params_fuzz.cc \
  -o $folder/params_fuzz -pthread -ldl
$folder/params_fuzz $folder/corpus tests/fuzz/corpus tests/data/params \
  -max_total_time="${1:-60}" -rss_limit_mb=1024 -max_len=4096 -print_final_stats=1
