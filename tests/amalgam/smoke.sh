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
write $out/checked --model tests/data/predict/small-symbol.json --model tests/data/symbols/lenet-symbol.json \
  --model tests/data/symbols/residual-symbol.json
write $out/train --profile train
write $out/predict-all --profile predict-all
cmp $out/predict/mixgrad-all.cc $out/again/mixgrad-all.cc
cmp $out/predict/mixgrad-all.h $out/again/mixgrad-all.h
gcc -std=c99 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c $out/predict/mixgrad-all.h
if command -v clang++-14 > /dev/null; then
  for profile in predict predict-all train; do
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
# The same of symbol files, by the file that is cut to networks and under sanitizers, beside the whole one.
replay_cut() {
  nm -g --defined-only $out/checked/mixgrad-all.o | awk '/ MX/ { print $3, "cut_" $3 }' > $out/renamed
  objcopy --redefine-syms=$out/renamed $out/checked/mixgrad-all.o $out/checked/renamed.o
  "$cxx" "${flags[@]}" -fsanitize=address,undefined -I$out/predict tests/fuzz/{steps,cut_fuzz,replay}.cc \
    $out/predict/mixgrad-all.o $out/checked/renamed.o -o $out/replay_cut
  find $out/seeds/symbol -type f -print0 | xargs -0 $out/replay_cut 2> $out/replay_cut.log ||
    { tail -n 30 $out/replay_cut.log && exit 1; }
}
# The file inside a program's own source, and two files in one process: linked by names of their own, and each hidden in a
# shared library.
together() {
  "$cxx" "${flags[@]}" -I$out/cut tests/amalgam/own_source.cc -o $out/own_source
  $out/own_source
  local name kind
  for name in first second; do
    [ $name = first ] && kind=predict/small || kind=symbols/lenet
    write $out/$name --model tests/data/$kind-symbol.json --prefix ${name}_
    "$cxx" "${flags[@]}" -fPIC -c $out/$name/mixgrad-all.cc -o $out/$name.o
    "$cxx" "${flags[@]}" -fPIC -DNAME=${name}_copy -I$out/$name -c tests/amalgam/copy.cc -o $out/$name-copy.o
    write $out/$name-hidden --model tests/data/$kind-symbol.json
    "$cxx" "${flags[@]}" -fPIC -shared -DMG_HIDDEN -DNAME=${name}_copy -I$out/$name-hidden tests/amalgam/copy.cc \
      $out/$name-hidden/mixgrad-all.cc -o $out/lib$name.so
  done
  "$cxx" "${flags[@]}" tests/amalgam/copies.cc $out/{first,second}{,-copy}.o -o $out/copies
  $out/copies
  "$cxx" "${flags[@]}" tests/amalgam/copies.cc -L$out -lfirst -lsecond -Wl,-rpath,"$PWD/$out" -o $out/copies_shared
  $out/copies_shared
}
train() {
  "$cxx" "${flags[@]}" -I$out/train tests/amalgam/train_lenet.cc $out/train/mixgrad-all.cc -o $out/train/lenet
  $out/train/lenet
}
(
  predict cut
  predict predict
  replay
  predict checked -fsanitize=address,undefined -fno-sanitize-recover=all
  replay_cut
) &
first=$!
train &
second=$!
wait -n  # two compilers at a time, and `together` in place of the one that ends first
together
wait $first
wait $second
echo "12 passed"
