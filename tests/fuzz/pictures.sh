#!/usr/bin/env bash
# Fuzzes the readers of pictures' headers and the decoding behind them: pictures.sh [SECONDS], or pictures.sh mutate [FILES] for that
# many mutated JPEG and PNG files. Needs clang-14 and the system's libturbojpeg. What was found lies in build/fuzz/found.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/fuzz
mkdir -p $out/found $out/seeds/picture
sources=(cpp/io/{picture_header,jpeg_header,png_header,tiff_header,decoder,jpeg_library,jpeg_rows,jpeg_warnings,libjpeg,orientation}.cc)
sources+=(cpp/base/{error,fork_mutex}.cc cpp/kernels/scratch.cc)
flags=(-std=c++17 -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -pthread -Icpp -Iinclude)
flags+=(-DMIXGRAD_TRAINING=1 -DMIXGRAD_TEXTS=1 -DMIXGRAD_COMPACT=0 -DMIXGRAD_ALL_LOOPS=1 -DMIXGRAD_QUEUES=1)
if [ "${1:-}" = mutate ]; then
  clang++-14 "${flags[@]}" tests/fuzz/picture_fuzz.cc tests/fuzz/picture_mutate.cc "${sources[@]}" -ldl -o $out/picture_mutate
  exec $out/picture_mutate "${2:-100000}" tests/data/pictures/*.rec
fi
clang++-14 "${flags[@]}" -fsanitize=fuzzer tests/fuzz/picture_fuzz.cc "${sources[@]}" -ldl -o $out/picture_fuzz
python3 tests/fuzz/picture_seeds.py $out/seeds/picture
exec $out/picture_fuzz -max_total_time="${1:-60}" -timeout=20 -max_len=20000 -artifact_prefix=$out/found/picture- $out/seeds/picture
