#!/usr/bin/env bash
# Fuzzes the single file: run.sh [SECONDS [KIND ...]], with the kinds symbol, cut, params and model (all by default, SECONDS each,
# one after another). FUZZER=libfuzzer (default: clang-14) or afl (Debian's afl++). Ends with 1 when something was found; what was
# found lies in build/fuzz/found, and belongs into tests/fuzz/corpus/KIND (cut: symbol) once it is mended: `make test` replays that.
set -euo pipefail
cd "$(dirname "$0")/../.."
fuzzer=${FUZZER:-libfuzzer}
seconds=${1:-60}
kinds=("${@:2}")
[ ${#kinds[@]} -gt 0 ] || kinds=(symbol cut params model)
out=build/fuzz
objects=$out/$fuzzer
found=$out/found
mkdir -p $objects $found
flags=(-std=c++17 -O1 -gline-tables-only -fno-omit-frame-pointer -pthread -Wno-pass-failed -I$out/source
  -fno-sanitize-recover=all)
case $fuzzer in
  libfuzzer) compiler=clang++-14 flags+=(-fsanitize=fuzzer-no-link,address,undefined) link=-fsanitize=fuzzer ;;
  afl) compiler=afl-clang-fast++ flags+=(-fsanitize=address,undefined) link=-fsanitize=fuzzer ;;
  *) echo "fuzz: FUZZER is '$fuzzer'; expected libfuzzer or afl" && exit 2 ;;
esac
command -v $compiler > /dev/null || { echo "fuzz: $compiler is missing (Debian: clang-14, afl++)" && exit 1; }

python3 tools/amalgamate.py --write $out/source
python3 tools/amalgamate.py --write $out/cut --model tests/data/predict/small-symbol.json \
  --model tests/data/symbols/lenet-symbol.json --model tests/data/symbols/residual-symbol.json
cp -u $out/cut/mixgrad-all.cc $out/source/mixgrad-cut.cc
python3 tests/fuzz/seeds.py $out/seeds --extremes
mkdir -p $out/seeds/cut
cp -u $out/seeds/symbol/* $out/seeds/cut
cp -u tests/fuzz/*.cc tests/fuzz/*.h $out/source
compile() { # the single file takes two minutes; only what changed is compiled
  local key sum
  key=$(cat "$1" $out/source/*.h | sha256sum)
  sum=$objects/$(basename "$1").sum
  [ "$(cat "$sum" 2> /dev/null)" != "$key" ] || return 0
  $compiler "${flags[@]}" -c "$1" -o "$objects/$(basename "$1" .cc).o"
  echo "$key" > "$sum"
}
compile $out/source/mixgrad-all.cc
compile $out/source/steps.cc
for kind in "${kinds[@]}"; do
  parts=(mixgrad-all.o steps.o "${kind}_fuzz.o")
  compile "$out/source/${kind}_fuzz.cc"
  if [ $kind = cut ]; then
    compile $out/source/mixgrad-cut.cc
    nm -g --defined-only $objects/mixgrad-cut.o | awk '/ MX/ { print $3, "cut_" $3 }' > $objects/renamed
    objcopy --redefine-syms=$objects/renamed $objects/mixgrad-cut.o $objects/cut.o
    parts+=(cut.o)
  fi
  if [[ "$fuzzer $kind" =~ ^libfuzzer\ (symbol|cut)$ ]]; then
    compile $out/source/symbol_mutator.cc
    parts+=(symbol_mutator.o)
  fi
  $compiler "${flags[@]}" $link "${parts[@]/#/$objects/}" -o "$objects/$kind" -ldl
done

limits=(-timeout=120 -rss_limit_mb=2500 -malloc_limit_mb=600)
# Parameters at the ends of their types, each network once, up to the first find: the last that the log names.
extremes() {
  echo "extremes: $(ls $out/seeds/extremes | wc -l) networks"
  find $out/seeds/extremes -name '*.json' -print0 |
    xargs -0 -r -n 2000 sh -c '"$@" || exit 255' each $objects/symbol "${limits[@]}" > $out/extremes.log 2>&1 && return
  cp "$(sed -n 's/^Running: //p' $out/extremes.log | tail -n 1)" $found
  return 1
}
libfuzzer_run() {
  local failed=0
  [ "$1" != symbol ] || extremes || failed=1
  mkdir -p $out/corpus/$1
  $objects/$1 $out/corpus/$1 $out/seeds/$1 -dict=$out/seeds/dictionary -artifact_prefix=$found/$1- -max_total_time="$seconds" \
    "${limits[@]}" -max_len=16384 -print_final_stats=1 || failed=1
  return $failed
}
afl_run() {
  export AFL_NO_UI=1 AFL_AUTORESUME=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_FORKSRV_INIT_TMOUT=120000 AFL_HANG_TMOUT=120000
  export AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 # a core pattern that is not ours to change
  export ASAN_OPTIONS=abort_on_error=1:symbolize=0:detect_leaks=0 UBSAN_OPTIONS=abort_on_error=1:symbolize=0:halt_on_error=1
  afl-fuzz -i $out/seeds/$1 -o $out/afl-work/$1 -m none -t 8000+ -x $out/seeds/dictionary -V "$seconds" -- $objects/$1 || return 1
  local crash
  for crash in $out/afl-work/$1/default/crashes/id* $out/afl-work/$1/default/hangs/id*; do
    [ ! -e "$crash" ] || cp "$crash" $found/$1-afl-"$(sha1sum < "$crash" | cut -c1-16)"
  done
}
mkdir -p $out/afl-work
status=0
for kind in "${kinds[@]}"; do ${fuzzer}_run "$kind" || status=1; done
if [ -n "$(ls -A $found)" ]; then
  ls $found
  status=1
fi
exit $status
