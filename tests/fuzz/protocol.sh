#!/usr/bin/env bash
# The store's protocol (docs/store-protocol.md): protocol.sh fuzz [SECONDS [RUNS]], any bytes as messages, with libFuzzer under AddressSanitizer
# and UndefinedBehaviorSanitizer of clang-14; protocol.sh mutate [COUNT [SEED]], so many mutated messages under the same sanitizers (CXX, else
# c++); or protocol.sh soak [COUNT [SEED]], so many schedules of faults, optimised and without
# sanitizers (CXX, else c++). Ends with 1 when something was found.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:-fuzz}
out=build/fuzz/protocol-$mode
mkdir -p $out/corpus $out/found
flags=(-std=c++17 -Icpp -Iinclude -Itests/cpp -Itests/fuzz -pthread
  -DMIXGRAD_ALL_LOOPS=1 -DMIXGRAD_COMPACT=0 -DMIXGRAD_QUEUES=1 -DMIXGRAD_TEXTS=1 -DMIXGRAD_TRAINING=1)
case $mode in
  fuzz)
    compiler=clang++-14
    command -v $compiler > /dev/null || { echo "fuzz: $compiler is missing (Debian: clang-14)" && exit 1; }
    flags+=(-O1 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
    sources=(tests/fuzz/protocol_fuzz.cc) link=(-fsanitize=fuzzer)
    ;;
  mutate)
    compiler=${CXX:-c++}
    flags+=(-O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
    sources=(tests/fuzz/protocol_mutate.cc) link=(-fsanitize=address,undefined)
    ;;
  soak)
    compiler=${CXX:-c++}
    flags+=(-O2)
    sources=(tests/soak/protocol_schedules.cc tests/cpp/kvstore_protocol_cluster.cc) link=()
    ;;
  *) echo "protocol.sh: '$mode'; expected fuzz, mutate or soak" && exit 2 ;;
esac
parts=()
# What the protocol stands on, and nothing else of the library.
for source in cpp/base/{error,value}.cc cpp/net/{address,message}.cc cpp/kvstore/protocol/*.cc tests/cpp/kvstore_protocol_program.cc \
  "${sources[@]}"; do
  object=$out/$(basename "$source" .cc).o
  if [ ! -e "$object" ] || [ -n "$(find cpp/base cpp/net cpp/kvstore/protocol tests/cpp tests/fuzz "$source" -newer "$object" \
    \( -name '*.h' -o -path "$source" \))" ]; then
    $compiler "${flags[@]}" -c "$source" -o "$object"
  fi
  parts+=("$object")
done
$compiler "${flags[@]}" "${link[@]}" "${parts[@]}" -o $out/run -ldl
if [ $mode != fuzz ]; then
  $out/run "${@:2}"
else
  $out/run $out/corpus -max_len=4096 -max_total_time="${2:-60}" -runs="${3:--1}" -print_final_stats=1 -artifact_prefix=$out/found/ \
    -timeout=20 -rss_limit_mb=2000
fi
