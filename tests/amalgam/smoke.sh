#!/bin/bash
# The single file: the same bytes twice, no warnings, and programs over it that predict MXNet's numbers and learn digits.
set -euo pipefail
cd "$(dirname "$0")/../.."
cxx=${CXX:-g++}
out=build/amalgam
flags=(-std=c++17 -O1 -pthread -Wall -Wextra -Werror)
write() { python3 tools/amalgamate.py --write "$@"; }

rm -rf $out
write $out/predict
write $out/again
write $out/cut --model tests/data/predict/small-symbol.json
write $out/checked --model tests/data/predict/small-symbol.json
write $out/train --profile train
cmp $out/predict/mixgrad-all.cc $out/again/mixgrad-all.cc
cmp $out/predict/mixgrad-all.h $out/again/mixgrad-all.h
gcc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c $out/predict/mixgrad-all.h
if command -v clang++-14 > /dev/null; then
  for profile in predict train; do
    clang++-14 -std=c++17 -Wall -Wextra -Werror -fsyntax-only $out/$profile/mixgrad-all.cc
  done
fi

# The predict functions' own tests, against the file instead of the library; more flags for the compiler may follow.
predict() {
  local flags=("${flags[@]}" "${@:2}")
  local data=(-DPREDICT_DATA="\"tests/data/predict\"" -Iinclude -Itests/data/predict)
  "$cxx" "${flags[@]}" -c $out/$1/mixgrad-all.cc -o $out/$1/mixgrad-all.o
  gcc -std=c99 -pedantic -Wall -Wextra -Werror "${data[@]}" -c tests/c/predict.c -o $out/$1/predict.o
  "$cxx" "${flags[@]}" $out/$1/predict.o $out/$1/mixgrad-all.o -o $out/$1/predict
  "$cxx" "${flags[@]}" "${data[@]}" tests/c/predict_threads.cc $out/$1/mixgrad-all.o -o $out/$1/threads
  $out/$1/predict
  $out/$1/threads
}
# What fuzzers found once, and what they begin with, by the programs that they run.
replay() {
  python3 tests/fuzz/seeds.py $out/seeds
  for kind in symbol params model; do
    "$cxx" "${flags[@]}" -I$out/predict tests/fuzz/{steps,${kind}_fuzz,replay}.cc $out/predict/mixgrad-all.o \
      -o $out/replay_$kind
    find $out/seeds/$kind -type f -print0 | xargs -0 $out/replay_$kind 2> $out/replay.log || { tail -n 3 $out/replay.log && exit 1; }
  done
}
train() {
  "$cxx" "${flags[@]}" -I$out/train tests/amalgam/train_lenet.cc $out/train/mixgrad-all.cc -o $out/train/lenet
  $out/train/lenet
}
(
  predict cut
  predict predict
  replay
) &
first=$!
(
  train
  predict checked -O0 -fsanitize=address,undefined -fno-sanitize-recover=all
) &
second=$!
wait $first
wait $second
echo "8 passed"
