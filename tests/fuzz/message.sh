#!/usr/bin/env bash
# Fuzzes what other processes send (docs/transport.md): message.sh mutate [COUNT [SEED]], so many mutated frames under AddressSanitizer and
# UndefinedBehaviorSanitizer (CXX, else c++); or message.sh [SECONDS [RUNS]], with libFuzzer of clang-14 under AddressSanitizer
# and UndefinedBehaviorSanitizer, until one of the limits is reached. Ends with 1 when something was found; what was found lies in
# build/fuzz/message/found, and belongs into tests/fuzz/corpus/message once it is mended.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/fuzz/message
compiler=clang++-14 sanitizers=fuzzer-no-link,address,undefined
if [ "${1:-}" = mutate ]; then
  out=build/fuzz/message-mutate
  compiler=${CXX:-c++} sanitizers=address,undefined
fi
mkdir -p $out/corpus $out/found
command -v $compiler > /dev/null || { echo "fuzz: $compiler is missing (Debian: clang-14)" && exit 1; }
flags=(-std=c++17 -O1 -g1 -fno-omit-frame-pointer -pthread -Icpp -Iinclude -Itests/fuzz
  -fsanitize=$sanitizers -fno-sanitize-recover=all
  -DMIXGRAD_ALL_LOOPS=1 -DMIXGRAD_COMPACT=0 -DMIXGRAD_QUEUES=1 -DMIXGRAD_TEXTS=1 -DMIXGRAD_TRAINING=1)
parts=()
# What the decoder stands on, and nothing else of the library.
for source in cpp/base/*.cc cpp/device/*.cc $(ls cpp/storage/*.cc | grep -v /direct.cc) \
  cpp/net/{address,assembly,message,piece}.cc; do
  object=$out/$(echo "$source" | tr / _).o
  if [ ! -e "$object" ] || [ -n "$(find cpp/base cpp/device cpp/storage cpp/net "$source" -newer "$object" \( -name '*.h' -o -path "$source" \))" ]; then
    $compiler "${flags[@]}" -c "$source" -o "$object"
  fi
  parts+=("$object")
done
if [ "${1:-}" = mutate ]; then
  $compiler "${flags[@]}" "${parts[@]}" tests/fuzz/message_fuzz.cc tests/fuzz/message_mutate.cc -o $out/message_mutate -ldl -lrt
  exec $out/message_mutate "${@:2}"
fi
$compiler "${flags[@]}" -fsanitize=fuzzer "${parts[@]}" tests/fuzz/message_fuzz.cc -o $out/message_fuzz -ldl -lrt
python3 tests/fuzz/message_seeds.py $out/seeds
$out/message_fuzz $out/corpus $out/seeds tests/fuzz/corpus/message -max_len=100000 -max_total_time="${1:-60}" -runs="${2:--1}" \
  -print_final_stats=1 -artifact_prefix=$out/found/ -timeout=20 -rss_limit_mb=1000
