"""A large matrix product. The fastest repeat of any library in the run is the ceiling of the machine."""

from __future__ import annotations

import ctypes
from importlib import metadata
from typing import Any

from bench.arrays import setup_of, setups_of
from bench.case import Call, Case, Goal
from bench.inputs import uniform

SIDE = 2048


def _inputs() -> list[Any]:
    return [uniform(SIDE, SIDE, seed=1), uniform(SIDE, SIDE, seed=2)]


def _onednn() -> Call:
    """oneDNN's row-major sgemm, from the wheel that ``pip install mixgrad[onednn]`` brings."""
    import numpy as np

    files = metadata.distribution("onednn-cpu-gomp").files or []
    paths = [file.locate() for file in files if file.name == "libdnnl.so.3"]
    if not paths:
        raise FileNotFoundError("[dot] the distribution onednn-cpu-gomp has no libdnnl.so.3")
    sgemm = ctypes.CDLL(str(paths[0])).dnnl_sgemm
    a, b = _inputs()
    c = np.zeros((SIDE, SIDE), np.float32)
    side = ctypes.c_int64(SIDE)
    plain, one, zero = ctypes.c_char(b"N"), ctypes.c_float(1), ctypes.c_float(0)
    pa, pb, pc = (ctypes.c_void_p(array.ctypes.data) for array in (a, b, c))

    def call() -> Any:
        status = sgemm(plain, plain, side, side, side, one, pa, side, pb, side, zero, pc, side)
        if status:
            raise RuntimeError(f"[dot] dnnl_sgemm returned status {status}")
        assert a is not None and b is not None  # they own what pa and pb point to
        return c

    return call


CASES = [
    Case(
        "dot",
        "dot of (2048, 2048) and (2048, 2048)",
        {
            **setups_of(
                _inputs, {"mx": lambda mx, a, b: mx.nd.dot(a, b), "torch": lambda torch, a, b: a @ b}
            ),
            "onednn": _onednn,
            "numpy": setup_of("numpy", _inputs, lambda np, a, b: a @ b),
        },
        reads=2 * 4 * SIDE * SIDE,
        writes=4 * SIDE * SIDE,
        flops=2 * SIDE**3,
        goal=Goal(("torch", "torch_kept")),
        tolerance=1e-3,
    )
]
