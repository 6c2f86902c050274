#!/usr/bin/env python3
"""Arrays written here load bit-equal in real MXNet, which writes the same bytes again; and the reverse.

    params_exchange.py --mxnet PYTHON

PYTHON is an interpreter that can import mxnet 1.9.1. Exit status 0 when every array agrees.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import mixgrad as mx

DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64")
SHAPES = ((3,), (2, 3), (4, 1, 5), (2, 3, 4, 5))

# Runs in MXNet's interpreter: loads, compares with .npy files, writes again, and writes arrays of its own.
PEER = """
import sys, numpy as np, mxnet as mx
folder = sys.argv[1]
loaded = mx.nd.load(folder + '/here.params')
wrong = 0
for name, array in loaded.items():
    expected = np.load(folder + '/' + name.replace(':', '_') + '.npy')
    got = array.asnumpy()
    wrong += got.dtype != expected.dtype or got.shape != expected.shape or got.tobytes() != expected.tobytes()
mx.nd.save(folder + '/again.params', loaded)
both = [mx.nd.array(np.arange(6).reshape(2, 3)), mx.nd.ones((2,), dtype='int32')]
mx.nd.save(folder + '/list.params', both)
print(len(loaded), wrong)
"""


def arrays() -> dict[str, np.ndarray]:
    """Random bits of every dtype that MXNet stores, NaN and infinities among them."""
    random = np.random.default_rng(1)
    made = {}
    for dtype in DTYPES:
        for i, shape in enumerate(SHAPES):
            count = int(np.prod(shape)) * np.dtype(dtype).itemsize
            made[f"{'arg' if i % 2 else 'aux'}:{dtype}_{i}"] = (
                random.integers(0, 256, count, dtype=np.uint8).view(dtype).reshape(shape)
            )
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mxnet", required=True, help="an interpreter that can import mxnet")
    peer = parser.parse_args().mxnet
    with tempfile.TemporaryDirectory() as folder:
        values = arrays()
        for name, value in values.items():
            np.save(f"{folder}/{name.replace(':', '_')}.npy", value)
        mx.nd.save(f"{folder}/here.params", {n: mx.nd.array(v, dtype=v.dtype) for n, v in values.items()})
        done = subprocess.run([peer, "-c", PEER, folder], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            print(done.stderr[-2000:], file=sys.stderr)
            return 1
        count, wrong = (int(word) for word in done.stdout.split())
        here, again = Path(folder, "here.params").read_bytes(), Path(folder, "again.params").read_bytes()
        reloaded = mx.nd.load(f"{folder}/again.params")
        back = sum(reloaded[n].asnumpy().tobytes() != v.tobytes() for n, v in values.items())
        listed = mx.nd.load(f"{folder}/list.params")
        back += not np.array_equal(listed[0].asnumpy(), np.arange(6).reshape(2, 3))
        back += not np.array_equal(listed[1].asnumpy(), np.ones(2)) or listed[1].dtype != np.int32
        print(
            f"{count} arrays written here: {wrong} differ in MXNet; written by MXNet: {back} differ here; "
            f"its file has {'the same' if here == again else 'other'} bytes"
        )
        return 0 if wrong == back == 0 and count == len(values) else 1


if __name__ == "__main__":
    sys.exit(main())
