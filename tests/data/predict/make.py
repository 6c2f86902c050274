"""Writes the stored model and what real MXNet 1.9.1 predicts with it through its own predict functions.

Run by MXNet's Python: make.py FOLDER. Files: small-symbol.json, small.params, and numbers.h for C programs,
which clang-format then breaks into lines.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import mxnet as mx
import numpy as np


def network() -> mx.sym.Symbol:
    data = mx.sym.Variable("data")
    x = mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=8, no_bias=True, name="conv1")
    x = mx.sym.BatchNorm(x, fix_gamma=False, name="bn1")
    x = mx.sym.clip(x, 0, 6, name="relu6")
    y = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=8, num_group=8, name="depthwise")
    x = mx.sym.Activation(x + y, act_type="relu", name="relu2")
    x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool1")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=10, name="fc1")
    return mx.sym.SoftmaxOutput(x, name="softmax")


class Predictor:
    """MXNet's predict functions."""

    def __init__(
        self, lib: ctypes.CDLL, json: str, params: bytes, shape: tuple[int, ...], outputs: list[str]
    ):
        self.lib = lib
        self.handle = ctypes.c_void_p()
        keys = (ctypes.c_char_p * 1)(b"data")
        indptr = (ctypes.c_uint32 * 2)(0, len(shape))
        extents = (ctypes.c_uint32 * len(shape))(*shape)
        names = (ctypes.c_char_p * len(outputs))(*[name.encode() for name in outputs])
        self.check(
            lib.MXPredCreatePartialOut(
                json.encode(),
                params,
                len(params),
                1,
                0,
                1,
                keys,
                indptr,
                extents,
                len(outputs),
                names,
                ctypes.byref(self.handle),
            )
        )

    def check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(self.lib.MXGetLastError().decode())

    def run(self, data: np.ndarray) -> None:
        pointer = data.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self.check(self.lib.MXPredSetInput(self.handle, b"data", pointer, data.size))
        self.check(self.lib.MXPredForward(self.handle))

    def output(self, index: int) -> np.ndarray:
        shape = ctypes.POINTER(ctypes.c_uint32)()
        ndim = ctypes.c_uint32()
        self.check(self.lib.MXPredGetOutputShape(self.handle, index, ctypes.byref(shape), ctypes.byref(ndim)))
        out = np.empty([shape[i] for i in range(ndim.value)], np.float32)
        pointer = out.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
        self.check(self.lib.MXPredGetOutput(self.handle, index, pointer, out.size))
        return out


def main(folder: Path) -> None:
    net = network()
    shapes, _, states = net.infer_shape(data=(2, 3, 8, 8))
    random = np.random.RandomState(7)
    arrays = {}
    for name, shape in zip(net.list_arguments(), shapes):
        if name not in ("data", "softmax_label"):
            arrays[f"arg:{name}"] = mx.nd.array(random.uniform(-0.5, 0.5, shape))
    for name, shape in zip(net.list_auxiliary_states(), states):
        arrays[f"aux:{name}"] = mx.nd.array(random.uniform(0.2, 0.8, shape))
    net.save(str(folder / "small-symbol.json"))
    mx.nd.save(str(folder / "small.params"), arrays)
    json = (folder / "small-symbol.json").read_text()
    params = (folder / "small.params").read_bytes()
    data = ((np.arange(2 * 3 * 8 * 8) * 37 % 101) / 50.0 - 1.0).astype(np.float32).reshape(2, 3, 8, 8)
    lib = ctypes.CDLL(mx.libinfo.find_lib_path()[0])
    lib.MXGetLastError.restype = ctypes.c_char_p
    predictor = Predictor(lib, json, params, data.shape, ["softmax", "fc1"])
    predictor.run(data)
    lines = ["// What MXNet 1.9.1 predicts; written by make.py. Input element i is (37 i % 101) / 50 - 1."]
    for index, name in enumerate(("kSoftmax", "kLayer")):
        numbers = ", ".join(f"{value:.9g}f" for value in predictor.output(index).ravel())
        lines.append(f"static const float {name}[20] = {{{numbers}}};")
    (folder / "numbers.h").write_text("\n".join(lines) + "\n")


main(Path(sys.argv[1]))
