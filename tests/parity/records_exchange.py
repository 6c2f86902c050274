#!/usr/bin/env python3
"""Record files written here are, byte for byte, those that real MXNet writes, and each reads the other's.

    records_exchange.py --mxnet PYTHON [--records N]   10,000 records of 0 to 40 MB, about 600 MB in all
    records_exchange.py --mxnet PYTHON --write FOLDER  the small files of tests/data/records, by real MXNet

PYTHON is an interpreter that can import mxnet 1.9.1. Exit status 0 when everything agrees. The records
follow from their numbers (`records`), in both processes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

MAGIC = struct.pack("<I", 0xCED7230A)
LARGEST = 40 << 20


def records(count: int, largest: int = LARGEST) -> Iterator[bytes]:
    """So many records, most of them short; every thousandth may be of the largest size."""
    for number in range(count):
        rng = random.Random(number)
        size = rng.randrange(largest + 1) if number % 1000 == 7 else rng.randrange(1 << rng.randrange(1, 18))
        data = bytearray(rng.randbytes(size))
        if number % 3 == 0:
            for _ in range(rng.randrange(1, 6)):
                at = rng.randrange(len(data) + 1)
                data[at:at] = MAGIC
        yield bytes(data)


def write(recordio: Any, folder: str, count: int) -> None:
    writer = recordio.MXIndexedRecordIO(f"{folder}.idx", f"{folder}.rec", "w")
    for key, record in enumerate(records(count)):
        writer.write_idx(key, record)
    writer.close()


def check(recordio: Any, folder: str, count: int) -> None:
    reader = recordio.MXIndexedRecordIO(f"{folder}.idx", f"{folder}.rec", "r")
    for key, record in enumerate(records(count)):
        assert reader.read() == record, f"record {key} differs in order"
    assert reader.read() is None
    reader.reset()  # MXNet's reader has no records by key after its end
    for key, record in enumerate(records(count)):
        if key % 10 == 7:
            assert reader.read_idx(key) == record, f"record {key} differs by key"


def write_small(recordio: Any, folder: str) -> None:
    """Files of a few KB for tests/data/records: the magic word in every place, headers with labels."""
    writer = recordio.MXIndexedRecordIO(f"{folder}/magic.idx", f"{folder}/magic.rec", "w")
    for key, record in enumerate(small_records()):
        writer.write_idx(key, record)
    writer.close()
    writer = recordio.MXRecordIO(f"{folder}/headers.rec", "w")
    for header, content in small_headers():
        writer.write(recordio.pack(recordio.IRHeader(*header), content))
    writer.close()


def small_records() -> list[bytes]:
    around = [MAGIC[:n] for n in range(5)] + [b"12345678"[:n] for n in range(9)]
    return [a + b for a in around for b in around] + [MAGIC * n for n in range(5)]


def small_headers() -> list[tuple[tuple[int, Any, int, int], bytes]]:
    return [
        ((0, 4, 2574, 0), b"picture"),
        ((9, 0.1, 2**64 - 1, 7), b""),
        ((0, [1.5], 1, 0), b"one label"),
        ((0, [1.0, -2.0, 3e38], 2, 0), MAGIC),
        ((0, [0.25] * 40, 3, 0), b"many"),
    ]


def digest(path: str) -> str:
    sums = hashlib.sha256()
    with open(path, "rb") as file:
        while piece := file.read(1 << 20):
            sums.update(piece)
    return sums.hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--mxnet", help="interpreter with mxnet 1.9.1")
    parser.add_argument("--records", type=int, default=10000)
    parser.add_argument("--write", metavar="FOLDER")
    parser.add_argument("--peer", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        from mxnet import recordio

        doing, folder = options.peer
        if doing == "small":
            write_small(recordio, folder)
        else:
            {"write": write, "check": check}[doing](recordio, folder, options.records)
        return 0

    def peer(doing: str, folder: str) -> None:
        command = [options.mxnet, __file__, "--records", str(options.records), "--peer", doing, folder]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": ""})

    if options.write:
        peer("small", options.write)
        return 0
    from mixgrad import recordio

    with tempfile.TemporaryDirectory() as folder:
        write(recordio, f"{folder}/here", options.records)
        peer("check", f"{folder}/here")
        peer("write", f"{folder}/there")
        check(recordio, f"{folder}/there", options.records)
        same = all(
            digest(f"{folder}/here.{kind}") == digest(f"{folder}/there.{kind}") for kind in ("rec", "idx")
        )
        size = os.path.getsize(f"{folder}/here.rec")
        print(f"records_exchange: {options.records} records, {size} bytes; {'equal' if same else 'DIFFER'}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
