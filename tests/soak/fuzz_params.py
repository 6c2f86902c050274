"""Damaged files of arrays: every one either loads or is refused with an MXNetError, in bounded memory.

fuzz_params.py [mutations] [seed]      100,000 by default

Samples are the files of tests/data/params and safetensors files made here. A mutation truncates, flips bits,
overwrites numbers with hostile ones (huge, negative, off by one), doubles, drops or joins pieces. What loads
is also read to the last element. A crash shows as the death of this program; the last input is then in
build/fuzz_params.last, after its length (8 bytes).
"""

from __future__ import annotations

import os
import random
import struct
import sys
from pathlib import Path

import numpy as np

import mixgrad as mx

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = [
    0,
    1,
    2,
    3,
    7,
    16,
    17,
    127,
    255,
    256,
    1 << 16,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
    1 << 40,
    (1 << 63) - 1,
    1 << 63,
]
HOSTILE += [(1 << 64) - 1, (1 << 64) - 2, 0xF993FAC8, 0xF993FAC9, 0xF993FACA, 0x112, 1 << 61, 1 << 62]
TOKENS = [
    b"{",
    b"}",
    b"[",
    b"]",
    b'"',
    b",",
    b":",
    b"-1",
    b"1e9",
    b"null",
    b"\\u0000",
    b"9223372036854775807",
    b"F64",
    b"BOOL",
]
# A loaded array may be dense where the file is sparse, up to this (read_sparse in cpp/files/params_file.cc).
MAX_GROWTH_BYTES = 64 << 20


def samples() -> list[bytes]:
    """Files that load."""
    files = [path.read_bytes() for path in sorted((ROOT / "tests/data/params").glob("*.params"))]
    arrays = {f"layer{i}_weight": mx.nd.array(np.arange(i * 3).reshape(i, 3)) for i in range(4)}
    arrays["bool"] = mx.nd.array([True, False], dtype="bool")
    arrays["scalar"] = mx.nd.array(3.0)
    arrays["bf"] = mx.nd.ones((3,), dtype=mx.bfloat16)
    files.append(mx.nd.save_tobuffer(arrays, format="safetensors"))
    files.append(mx.nd.save_tobuffer({"x": mx.nd.ones((2, 2))}, format="safetensors"))
    files.append(mx.nd.save_tobuffer({}, format="safetensors"))
    return files


def mutate(data: bytearray, rng: random.Random, others: list[bytes]) -> bytearray:
    """One change, in place or as a new buffer."""
    n = len(data)
    kind = rng.randrange(9)
    at = rng.randrange(n) if n else 0
    if kind == 0 or not n:
        return data[:at]
    if kind == 1:
        data[at] ^= 1 << rng.randrange(8)
    elif kind == 2:
        data[at] = rng.randrange(256)
    elif kind in (3, 4):
        width, code = rng.choice([(8, "<Q"), (4, "<I")])
        at -= at % 4 if rng.random() < 0.8 else 0
        data[at : at + width] = struct.pack(code, rng.choice(HOSTILE) & ((1 << 8 * width) - 1))
    elif kind == 5:
        end = min(n, at + rng.randrange(1, 40))
        data[at:at] = data[at:end] if rng.random() < 0.5 else bytes(end - at)
    elif kind == 6:
        del data[at : at + rng.randrange(1, 20)]
    elif kind == 7:
        other = rng.choice(others)
        data[at:] = other[rng.randrange(len(other) + 1) :]
    else:
        data[at : at + rng.randrange(3)] = rng.choice(TOKENS)
    return data


def resident_bytes() -> int:
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096


def check(data: bytes) -> bool:
    """Loads the bytes and reads all values; True when they were accepted."""
    try:
        loaded = mx.nd.load_frombuffer(data)
    except mx.MXNetError as error:
        assert str(error).startswith("["), error
        return False
    for array in loaded.values() if isinstance(loaded, dict) else loaded:
        if array is not None:
            assert array.asnumpy().size == array.size
    return True


def run(mutations: int, seed: int) -> dict[str, int]:
    """Counts of what happened; raises at the first thing that must not."""
    rng = random.Random(seed)
    originals = samples()
    for data in originals:
        assert check(data)
    folder = ROOT / "build"
    folder.mkdir(exist_ok=True)
    last = os.open(folder / "fuzz_params.last", os.O_CREAT | os.O_WRONLY)
    mx.nd.waitall()
    before = resident_bytes()
    accepted = largest = 0
    for number in range(mutations):
        data = bytearray(rng.choice(originals))
        for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
            data = mutate(data, rng, originals)
        os.pwrite(last, struct.pack("<Q", len(data)) + data, 0)
        accepted += check(bytes(data))
        if number % 256 == 0:
            mx.cpu().empty_cache()  # what the pool keeps for reuse is not this file's
            largest = max(largest, resident_bytes() - before)
            assert largest < MAX_GROWTH_BYTES, f"mutation {number}: {largest} bytes more than at the start"
    os.close(last)
    return {
        "mutations": mutations,
        "accepted": accepted,
        "refused": mutations - accepted,
        "grown bytes": largest,
    }


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    print(run(count, int(sys.argv[2]) if len(sys.argv) > 2 else 1))
