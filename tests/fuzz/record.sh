#!/usr/bin/env bash
# Fuzzes files of records (docs/fuzzing.md): record.sh fuzz [SECONDS], with libFuzzer, or record.sh soak [COUNT [SEED]], so many files
# damaged at random. Under AddressSanitizer and UndefinedBehaviorSanitizer of clang-14. Ends with 1 when something was found.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/fuzz/record
mkdir -p $out/corpus $out/found
compiler=clang++-14
command -v $compiler > /dev/null || { echo "fuzz: $compiler is missing (Debian: clang-14)" && exit 1; }
flags=(-std=c++17 -O2 -gline-tables-only -fno-omit-frame-pointer -pthread -Icpp -Iinclude -Itests/fuzz
  -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all
  -DMIXGRAD_ALL_LOOPS=1 -DMIXGRAD_COMPACT=0 -DMIXGRAD_QUEUES=1 -DMIXGRAD_TEXTS=1 -DMIXGRAD_TRAINING=1)
parts=()
# What the library's record files stand on, and nothing else of it.
for source in cpp/base/{error,checksum,file_opener,file_writer,parallel,team,cpu,fork_mutex,at_exit}.cc \
  cpp/io/{byte_source,read_window,image_header,record,record_batch,record_checksums,record_index,record_reader,record_writer,number}.cc \
  tests/fuzz/record_steps.cc; do
  object=$out/$(basename "$source" .cc).o
  if [ ! -e "$object" ] || [ -n "$(find cpp/base cpp/io tests/fuzz "$source" -newer "$object" \( -name '*.h' -o -path "$source" \))" ]; then
    $compiler "${flags[@]}" -c "$source" -o "$object"
  fi
  parts+=("$object")
done
case ${1:-fuzz} in
  fuzz)
    $compiler "${flags[@]}" -fsanitize=fuzzer "${parts[@]}" tests/fuzz/record_fuzz.cc -o $out/record_fuzz -ldl
    $out/record_fuzz $out/corpus tests/data/records -max_len=4096 -max_total_time="${2:-60}" -print_final_stats=1 \
      -artifact_prefix=$out/found/ -timeout=20 -rss_limit_mb=1000
    ;;
  soak)
    $compiler "${flags[@]}" "${parts[@]}" tests/soak/record_mutations.cc -o $out/record_mutations -ldl
    $out/record_mutations "${@:2}"
    ;;
  *) echo "record.sh: '$1'; expected fuzz or soak" && exit 2 ;;
esac
