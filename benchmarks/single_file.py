"""The single file against ncnn and ONNX Runtime: one image, one thread, in turn in one process.

    python benchmarks/single_file.py

writes the single file (docs/amalgamation.md), compiles it, and measures in an interpreter that has ncnn,
onnxruntime and onnx: the first call makes one in benchmarks/.envs, or --python names one. All libraries get
the same graph, parameters and image; their answers are compared before anything is timed. With `--prepare`
nothing is measured, with `--measure` nothing is built: the machine may be quiet in between.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from bench import environments, machine
from bench.case import Call
from bench.graph import network, parameter, stored, write
from bench.inputs import uniform
from bench.ncnn_network import ncnn_prediction
from bench.onnx_network import onnx_prediction

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "single_file"
NETWORKS = {"resnet50": "ResNet-50", "mobilenet_v2": "MobileNet v2", "squeezenet": "SqueezeNet 1.0"}
SHAPE = (1, 3, 224, 224)
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def prepare(compiler: str) -> None:
    """Builds the single file as a shared library, and writes the networks."""
    import mixgrad as mx

    FOLDER.mkdir(parents=True, exist_ok=True)
    subprocess.run([sys.executable, "tools/amalgamate.py", "--write", str(FOLDER)], cwd=ROOT, check=True)
    flags = ["-std=c++17", "-O3", "-pthread", "-shared", "-fPIC"]
    library = ["mixgrad-all.cc", "-o", "libmixgrad.so"]
    subprocess.run([compiler, *flags, *library], cwd=FOLDER, check=True)
    for model in NETWORKS:
        write(model, SHAPE)
        net = network(mx, model).get_children()[0]  # what goes into softmax
        states = set(net.list_auxiliary_states())
        _, shapes = stored(model)
        named = {
            f"{'aux' if name in states else 'arg'}:{name}": mx.nd.array(parameter(name, shape, i))
            for i, (name, shape) in enumerate(shapes.items())
        }
        net.save(str(FOLDER / f"{model}-symbol.json"))
        mx.nd.save(str(FOLDER / f"{model}.params"), named)


def single_file_prediction(model: str, image: Any) -> Call:
    """A call that predicts one image through MXNet's predict functions."""
    import numpy as np

    lib = ctypes.CDLL(str(FOLDER / "libmixgrad.so"))
    lib.MXGetLastError.restype = ctypes.c_char_p
    floats = ctypes.POINTER(ctypes.c_float)

    def check(status: int) -> None:
        if status != 0:
            raise RuntimeError(lib.MXGetLastError().decode())

    handle = ctypes.c_void_p()
    text = (FOLDER / f"{model}-symbol.json").read_bytes()
    params = (FOLDER / f"{model}.params").read_bytes()
    key, starts = (ctypes.c_char_p * 1)(b"data"), (ctypes.c_uint32 * 2)(0, 4)
    extents = (ctypes.c_uint32 * 4)(*SHAPE)
    check(lib.MXPredCreate(text, params, len(params), 1, 0, 1, key, starts, extents, ctypes.byref(handle)))
    out = np.empty((1, 1000), np.float32)
    data, result = image.ctypes.data_as(floats), out.ctypes.data_as(floats)

    def call() -> Any:
        check(lib.MXPredSetInput(handle, b"data", data, image.size))
        check(lib.MXPredForward(handle))
        check(lib.MXPredGetOutput(handle, 0, result, out.size))
        return out

    return call


def measure(rounds: int, calls: int) -> None:
    """Prints medians in milliseconds; libraries take turns, `calls` predictions at a time."""
    import numpy as np

    about = machine.describe(ROOT)
    print(f"Measured {about['date']} at commit {about['commit']} on {about['processor']}, one thread:\n")
    print("| one thread | single file | ncnn | ONNX Runtime | of ncnn's speed | of ONNX Runtime's |")
    print("|---|---|---|---|---|---|")
    for model, title in NETWORKS.items():
        image = np.ascontiguousarray(uniform(*SHAPE, seed=1), np.float32)
        made = [
            prediction(model, image)
            for prediction in (single_file_prediction, ncnn_prediction, onnx_prediction)
        ]
        first, *others = (np.asarray(call()).ravel().copy() for call in made)
        for other in others:
            if not np.abs(first - other).max() <= 1e-3 * np.abs(first).max():
                raise RuntimeError(f"[{model}] libraries disagree: {first[:3]} and {other[:3]}")
        times: list[list[float]] = [[] for _ in made]
        for turn in range(rounds + 1):  # the first warms up
            for call, found in zip(made, times):
                for _ in range(calls):
                    started = time.perf_counter()
                    call()
                    if turn > 0:
                        found.append(1e3 * (time.perf_counter() - started))
        own, ncnn, onnx = (statistics.median(found) for found in times)
        print(f"| {title} | {own:.2f} ms | {ncnn:.2f} | {onnx:.2f} | {ncnn / own:.2f} | {onnx / own:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--python", help="has ncnn, onnxruntime and onnx (default: one in benchmarks/.envs)")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--calls", type=int, default=8, help="predictions of a library in a round")
    parser.add_argument("--prepare", action="store_true", help="only build the file and write the networks")
    parser.add_argument("--measure", action="store_true", help="only measure, in this interpreter")
    options = parser.parse_args()
    if options.measure:
        return measure(options.rounds, options.calls)
    prepare(options.compiler)
    if options.prepare:
        return None
    numbers = ["--rounds", str(options.rounds), "--calls", str(options.calls)]
    one = {**os.environ, **dict.fromkeys(THREADS, "1")}
    python = options.python or environments.make("single_file")
    subprocess.run([python, __file__, "--measure", *numbers], env=one, check=True)
    return None


if __name__ == "__main__":
    main()
