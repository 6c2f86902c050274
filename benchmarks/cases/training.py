"""What surrounds a training step: gradients of several devices through a store, and batches."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import uniform

DEVICES = 2


def _store(key: str, kind: str, keys: int, size: int) -> Setup:
    """Sum the gradients of two devices and spread the sums, for each key."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        store = mx.kv.create(kind)
        names = [f"w{i}" for i in range(keys)]
        value = to_array(mx, uniform(size, seed=1))
        store.init(names, [value] * keys)
        contexts = [mx.cpu(d) for d in range(DEVICES)]
        grads = [[value.copyto(ctx) for ctx in contexts] for _ in names]
        outs = [[value.copyto(ctx) for ctx in contexts] for _ in names]

        def call() -> Any:
            for i, name in enumerate(names):
                store.pushpull(name, grads[i], out=outs[i], priority=-i)
            mx.nd.waitall()
            return outs[-1][-1]

        return call

    return setup


ROWS, COLUMNS, BATCH = 20000, 100, 100


def _batches(key: str) -> Setup:
    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        data = to_array(mx, uniform(ROWS, COLUMNS, seed=1))
        it = mx.io.NDArrayIter(data, data[:, 0], BATCH)

        def call() -> Any:
            it.reset()
            for batch in it:
                last = batch.data[0]
            mx.nd.waitall()
            return last

        return call

    return setup


TEXT_ROWS, TEXT_COLUMNS = 50000, 20


def _text(key: str) -> Setup:
    """Read a file of numbers and go over it once."""

    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        path = Path(tempfile.gettempdir()) / "mixgrad_benchmark.csv"
        if not path.exists():
            np.savetxt(path, uniform(TEXT_ROWS, TEXT_COLUMNS, seed=1), delimiter=",", fmt="%.6f")

        def call() -> Any:
            it = mx.io.CSVIter(data_csv=str(path), data_shape=(TEXT_COLUMNS,), batch_size=1000)
            for batch in it:
                last = batch.data[0]
            mx.nd.waitall()
            return last

        return call

    return setup


def _both(make: Any, *args: Any) -> dict[str, Setup]:
    return {key: make(key, *args) for key in ("mixgrad", "mxnet")}


def _store_case(kind: str, keys: int, size: int) -> Case:
    return Case(
        f"kvstore_{kind}_{size}",
        f"store '{kind}', {DEVICES} devices: sum and spread {keys} x {size} floats",
        _both(_store, kind, keys, size),
        count=keys,
        unit="key",
        reads=4 * size * DEVICES,
        writes=4 * size * (DEVICES + 1),
        goal=Goal(("mxnet",)),
        tolerance=1e-6,
    )


CASES = [
    *(_store_case(kind, *sizes) for kind in ("local", "device") for sizes in ((10, 1000000), (100, 1000))),
    Case(
        "ndarray_iter",
        f"NDArrayIter, batches of {BATCH} x {COLUMNS}",
        _both(_batches),
        count=ROWS // BATCH,
        unit="batch",
        reads=4 * BATCH * (COLUMNS + 1),
        writes=4 * BATCH * (COLUMNS + 1),
        goal=Goal(("mxnet",)),
        tolerance=1e-6,
    ),
    Case(
        "csv_iter",
        f"CSVIter, {TEXT_ROWS} rows of {TEXT_COLUMNS}",
        _both(_text),
        count=TEXT_ROWS,
        unit="row",
        reads=9 * TEXT_COLUMNS,
        writes=4 * TEXT_COLUMNS,
        goal=Goal(("mxnet",)),
        tolerance=1e-5,
    ),
]
