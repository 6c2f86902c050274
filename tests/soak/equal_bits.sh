#!/bin/bash
# 20 training steps of whole networks with 1, 2, 3, 4 and 8 threads, by both engines: equal bits.
set -euo pipefail
cd "$(dirname "$0")/../.."
for engine in serial threaded; do
  for network in resnet-18 lstm transformer; do
    found=$(MIXGRAD_ENGINE=$engine python tests/python/equal_bits.py training $network 20)
    [ "$found" = "1 compared" ] || { echo "$engine: $found" && exit 1; }
    echo "$network, $engine engine: equal bits"
  done
done
