#!/bin/sh
# Compare mixgrad with real MXNet 1.9.1: make its environment if there is none, ask it, run mixgrad on the same cases.
#   MIXGRAD_PYTHON  interpreter that has mixgrad (default python3)
#   MXNET_PYTHON    Python 3.11 or older for MXNet's environment (default python3.11, else python3)
#   --golden        also replace golden.npz, programs.npz, second.npz, signatures.json, functions.json and names.json by
#                   what MXNet says now
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
peer="$root/benchmarks/.envs/mxnet"
if [ ! -x "$peer/bin/python" ]; then
  base=${MXNET_PYTHON:-$(command -v python3.11 || command -v python3)}
  "$base" -m venv "$peer"
  "$peer/bin/python" -m pip install --quiet mxnet==1.9.1 "numpy==1.23.5"
fi
cd "$root/tests"
mkdir -p "$root/build"
answers="$root/build/parity.npz"
"$peer/bin/python" -m parity.oracle "$answers"
if [ "${1:-}" = "--golden" ]; then
  cp "$answers" parity/golden.npz
  "$peer/bin/python" -m parity.programs
  "$peer/bin/python" -m parity.second
  "$peer/bin/python" -m parity.signatures
  "$peer/bin/python" -m parity.functions
  "$peer/bin/python" -m parity.names
  "$peer/bin/python" -m parity.op_names
fi
"${MIXGRAD_PYTHON:-python3}" -m parity.compare "$answers" --markdown "$root/build/parity.md"
"${MIXGRAD_PYTHON:-python3}" parity/params_exchange.py --mxnet "$peer/bin/python"
