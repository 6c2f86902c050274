"""Batches, paddings and orders of ``mx.io``."""

from __future__ import annotations

import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-6


def lists(arrays: Any) -> list[Any]:
    return [a.asnumpy().tolist() for a in arrays]


def passes(it: Any, count: int) -> list[Any]:
    out = []
    for _ in range(count):
        out.append([[lists(batch.data), lists(batch.label), batch.pad] for batch in it])
        it.reset()
    return out


def described(it: Any) -> list[Any]:
    every = it.provide_data + it.provide_label
    return [[d.name, list(d.shape), np.dtype(d.dtype).name, d.layout] for d in every]


CASES = [
    (rows, batch, last, shuffle)
    for rows in (1, 4, 5, 7)
    for batch in (1, 2, 3, 5)
    for last in ("pad", "discard", "roll_over")
    for shuffle in (False, True)
    if batch <= rows or last == "pad"  # MXNet fails otherwise
]


def array_iter(mx: Any, case: Any) -> Any:
    rows, batch, last, shuffle = case
    np.random.seed(7)  # noqa: NPY002
    data = np.arange(rows * 2).reshape(rows, 2)
    it = mx.io.NDArrayIter(data, np.arange(rows) * 10, batch, shuffle, last)
    return [described(it), passes(it, 4)]


def several_arrays(mx: Any) -> Any:
    data = [np.arange(6).reshape(6, 1), np.arange(6) + 100]
    label = {"z": np.arange(6), "a": mx.nd.arange(6) * 2}
    it = mx.io.NDArrayIter(data, label, 4, data_name="x")
    return [described(it), passes(it, 2)]


def no_labels(mx: Any) -> Any:
    it = mx.io.NDArrayIter({"x": mx.nd.arange(4, dtype="int32")}, batch_size=2)
    return [described(it), passes(it, 1)]


def stopped_in_the_middle(mx: Any) -> Any:
    it = mx.io.NDArrayIter(np.arange(7), np.arange(7), 3, False, "roll_over")
    out = []
    for stop in (1, 2, 3):
        for _, batch in zip(range(stop), it):
            out.append(batch.data[0].asnumpy().tolist())
        it.reset()
    it.hard_reset()
    return [out, passes(it, 1)]


def resized(mx: Any) -> Any:
    out = []
    for internal in (True, False):
        it = mx.io.ResizeIter(mx.io.NDArrayIter(np.arange(7), np.arange(7), 3), 4, internal)
        out.append([it.batch_size, described(it), passes(it, 3)])
    return out


def prefetched(mx: Any) -> Any:
    parts = [mx.io.NDArrayIter({"data": np.arange(7) + 10 * i}, {"y": np.arange(7)}, 3) for i in range(2)]
    names = [[{"data": "a"}, {"data": "b"}], [{"y": "c"}, {"y": "d"}]]
    it = mx.io.PrefetchingIter(parts, rename_data=names[0], rename_label=names[1])
    return [it.batch_size, described(it), passes(it, 3)]


def csv(mx: Any) -> Any:
    folder = Path(tempfile.mkdtemp())
    (folder / "d").write_text("1,2,-3\n2,3e1,4\r\n\n.5, 4 ,5\n4,5,6\n")
    (folder / "i").write_text("1,2\n3,4\n-5,6\n")
    (folder / "l").write_text("1\n2\n3\n4")
    out = []
    for batch in (1, 2, 3, 4, 6):
        for round_batch in (True, False) if batch < 4 else (True,):
            it = mx.io.CSVIter(
                data_csv=str(folder / "d"), data_shape=(3,), batch_size=batch, round_batch=round_batch
            )
            out.append([described(it), passes(it, 3 if batch < 5 else 2)])  # then MXNet has an empty pass
    it = mx.io.CSVIter(
        data_csv=str(folder / "d"), data_shape=(3, 1), label_csv=str(folder / "l"), batch_size=3
    )
    out.append([described(it), passes(it, 2)])
    it = mx.io.CSVIter(data_csv=str(folder / "i"), data_shape=(2,), batch_size=2, dtype="int32")
    out.append([described(it), passes(it, 2)])
    return out


def libsvm(mx: Any) -> Any:
    folder = Path(tempfile.mkdtemp())
    (folder / "d").write_text("1.0 0:0.5 2:1.2\n-2.0\n-3.0 0:0.6 1:2.4 2:1.2\n4 2:-1.2\n")
    it = mx.io.LibSVMIter(data_libsvm=str(folder / "d"), data_shape=(3,), batch_size=3)
    return [described(it), passes(it, 3)]


def mnist(mx: Any) -> Any:
    folder = Path(tempfile.mkdtemp())
    pixels = np.random.RandomState(0).randint(0, 256, 200).astype("u1")
    (folder / "i").write_bytes(struct.pack(">IIII", 2051, 10, 4, 5) + pixels.tobytes())
    (folder / "l").write_bytes(struct.pack(">II", 2049, 10) + np.arange(10, dtype="u1").tobytes())
    out = []
    for options in ({}, {"flat": True}, *({"num_parts": 3, "part_index": i} for i in range(3))):
        options = {"image": str(folder / "i"), "label": str(folder / "l"), **options}
        it = mx.io.MNISTIter(batch_size=2, shuffle=False, silent=True, **options)
        out.append([described(it), passes(it, 2)])
    return out
