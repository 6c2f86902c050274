"""Every kernel whose text is kept compiles for NVIDIA's devices: NVRTC builds code, no device is needed.
Compiled for the processor instead, the same sources give what operators give.

``build/release/kernel_sources`` (tests/kernels) writes the sources as a backend would get them from
kernel_source/kernel_source.h.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = ROOT / "build" / "release" / "kernel_sources"
# The oldest and the newest; MIXGRAD_TEST_ARCHITECTURES="sm_80 sm_90" names others.
ARCHITECTURES = tuple(os.environ.get("MIXGRAD_TEST_ARCHITECTURES", "sm_70 sm_100").split())


def nvrtc_library() -> str:
    """The file of the NVRTC that this Python has, or nothing."""
    try:
        files = metadata.distribution("nvidia-cuda-nvrtc-cu12").files or []
    except metadata.PackageNotFoundError:
        return ""
    return next((str(file.locate()) for file in files if file.name == "libnvrtc.so.12"), "")


LIBRARY = nvrtc_library()
pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="build/release/kernel_sources is not built")
needs_nvrtc = pytest.mark.skipif(not LIBRARY, reason="nvidia-cuda-nvrtc-cu12 is not installed")


@dataclass(frozen=True)
class Entry:
    program: int
    kind: str
    kernel: str
    name: str


@dataclass(frozen=True)
class Sources:
    headers: dict[str, str]
    programs: list[str]
    options: list[str]
    entries: list[Entry]


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Sources:
    folder = tmp_path_factory.mktemp("kernels")
    done = subprocess.run([str(PROGRAM), str(folder)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    options, entries = [], []
    for line in done.stdout.splitlines():
        first, rest = line.split(" ", 1)
        if first == "option":
            options.append(rest)
        else:
            entries.append(Entry(int(first), *rest.split(" ")))
    headers = {
        file.relative_to(folder / "headers").as_posix(): file.read_text(encoding="utf-8")
        for file in sorted((folder / "headers").rglob("*"))
        if file.is_file()
    }
    count = 1 + max(entry.program for entry in entries)
    programs = [(folder / f"{number}.cu").read_text(encoding="utf-8") for number in range(count)]
    return Sources(headers, programs, options, entries)


def encoded(texts: list[str]) -> ctypes.Array[ctypes.c_char_p]:
    return (ctypes.c_char_p * len(texts))(*[text.encode() for text in texts])


def compiled(sources: Sources, text: str, architecture: str) -> tuple[bytes, str]:
    """The device code of one program, or none, and what the compiler says."""
    nvrtc = ctypes.CDLL(LIBRARY)
    program = ctypes.c_void_p()
    names, headers = list(sources.headers), list(sources.headers.values())
    made = nvrtc.nvrtcCreateProgram(
        ctypes.byref(program), text.encode(), b"kernels.cu", len(names), encoded(headers), encoded(names)
    )
    assert made == 0
    try:
        options = [*sources.options, f"--gpu-architecture={architecture}"]
        status = nvrtc.nvrtcCompileProgram(program, len(options), encoded(options))
        size = ctypes.c_size_t()
        assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)) == 0
        log = ctypes.create_string_buffer(size.value)
        assert nvrtc.nvrtcGetProgramLog(program, log) == 0
        if status != 0:
            return b"", log.value.decode()
        assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
        code = ctypes.create_string_buffer(size.value)
        assert nvrtc.nvrtcGetCUBIN(program, code) == 0
        return code.raw, log.value.decode()
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


# What formulas may take from the C library: instructions, and what is taken for rare arguments only.
LIBRARY_FUNCTIONS = {"cos", "fabs", "sin", "sqrt", "tan", "tgamma"}


def test_formulas_call_vectorised_functions(sources: Sources) -> None:
    """A function of the C library keeps a formula out of vector loops, at 20 times their time."""
    called = {word for text in sources.programs for word in re.findall(r"\bstd::(\w+)", text)}
    assert called <= LIBRARY_FUNCTIONS, "formulas call what cpp/kernels/math has (docs/first-operator.md)"


@needs_nvrtc
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_kernel_compiles(sources: Sources, architecture: str) -> None:
    for number, text in enumerate(sources.programs):
        code, log = compiled(sources, text, architecture)
        assert code, log
        missing = [
            entry.name
            for entry in sources.entries
            if entry.program == number and entry.name.encode() + b"\0" not in code
        ]
        assert not missing
    kinds = Counter(kind for kind, _ in {(entry.kind, entry.kernel) for entry in sources.entries})
    print(f"{architecture}: {sum(kinds.values())} kernels, {dict(kinds)}; {len(sources.entries)} entries")


def test_operators_and_hidden_formulas_are_listed(sources: Sources) -> None:
    kernels = {entry.kernel: entry.kind for entry in sources.entries}
    entries = {entry.name for entry in sources.entries}
    assert len(sources.entries) == len(entries)
    assert {"mg_exp_f32", "mg_exp_f64", "mg_relu_i32", "mg_relu_i64", "mg_broadcast_add_f32"} <= entries
    assert "mg_exp_i32" not in entries
    for name in ("optimizer_Sgd", "optimizer_Adam", "optimizer_LambDirection", "optimizer_Ftrl"):
        assert kernels[name] == "update"
    assert kernels["dropout_Dropout"] == kernels["leaky_relu_RandomLeak"] == "random"
    files = Counter(name.rpartition("_")[0] for name in kernels if name.rpartition("_")[2].isdigit())
    assert files["leaky_relu"] >= 12 and files["activation"] >= 5 and files["clip"] == 1


@needs_nvrtc
def test_a_formula_that_devices_cannot_compile_is_found(sources: Sources) -> None:
    program = next(entry.program for entry in sources.entries if entry.kernel == "sigmoid")
    broken = sources.programs[program].replace("math::sigmoid(x)", "math::sigmoid(x, host_only)")
    code, log = compiled(sources, broken, ARCHITECTURES[0])
    assert not code and "host_only" in log


# In place of kernel_source/kernel_prelude.cuh: a grid of one thread.
HOST_PRELUDE = """
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#define __global__
#define MIXGRAD_INLINE inline
namespace mixgrad {
constexpr bool kCompact = false;
}
struct Axis {
  unsigned x;
};
constexpr Axis gridDim{1}, blockDim{1}, blockIdx{0}, threadIdx{0};
"""


@pytest.fixture(scope="module")
def host_entries(sources: Sources, tmp_path_factory: pytest.TempPathFactory) -> dict[str, ctypes._CFuncPtr]:
    compiler = os.environ.get("CXX", "c++")
    if not shutil.which(compiler):
        pytest.skip(f"there is no {compiler}")
    folder = tmp_path_factory.mktemp("host")
    for name, text in {**sources.headers, "kernel_source/kernel_prelude.cuh": HOST_PRELUDE}.items():
        if text or name == "base/cpu.h":  # the compiler has the others
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
    libraries = []
    for number, text in enumerate(sources.programs):
        source, library = folder / f"{number}.cc", folder / f"{number}.so"
        source.write_text(text, encoding="utf-8")
        flags = ["-std=c++17", "-O1", "-w", "-shared", "-fPIC", f"-I{folder}"]
        subprocess.run([compiler, *flags, str(source), "-o", str(library)], check=True)
        libraries.append(ctypes.CDLL(str(library)))
    return {entry.name: libraries[entry.program][entry.name] for entry in sources.entries}


class ScalarParams(ctypes.Structure):
    _fields_ = (("scalar", ctypes.c_double), ("is_int", ctypes.c_bool))


def pointers(*arrays: np.ndarray) -> list[ctypes.c_void_p]:
    return [ctypes.c_void_p(array.ctypes.data) for array in arrays]


def test_kernels_compute_what_operators_do(
    sources: Sources, host_entries: dict[str, ctypes._CFuncPtr]
) -> None:
    random = np.random.default_rng(5)
    types = {"f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64"}
    compared = 0
    for entry in sources.entries:
        function = getattr(mx.nd, entry.kernel, None)
        source = sources.programs[entry.program]
        signature = source[source.index(f" {entry.name}(") :].split("\n", 1)[0]
        scalar = {"scalar": 1.5} if entry.kernel.endswith("_scalar") else {}
        struct = source[: source.index(f" {entry.name}(")].rpartition("struct Params {\n")[2].split("}", 1)[0]
        if entry.kind != "pointwise" or function is None or (struct and not scalar):
            continue  # loops of gradients, and what has parameters of its own
        dtype = types[entry.name.rpartition("_")[2]]
        shape = (3, 50)
        x, y = ((random.random(shape) * 6 - 3).astype(dtype) for _ in range(2))
        inputs = [x, y] if "* y, " in signature else [x]
        out = np.empty_like(x)
        params = [ScalarParams(1.5, False)] if scalar else []  # an empty struct is passed in no register
        host_entries[entry.name](*pointers(*inputs, out), ctypes.c_int64(out.size), *params)
        try:
            expected = function(*(mx.nd.array(a, dtype=dtype) for a in inputs), **scalar).asnumpy()
        except mx.base.DTypeError:  # loops of an operator for other types than all of its names take
            continue
        if expected.dtype != dtype:  # NumPy's operators convert whole numbers before
            continue
        rtol = 1e-12 if dtype == "float64" else 2e-6
        np.testing.assert_allclose(out, expected, rtol=rtol, atol=rtol, err_msg=entry.name)
        compared += 1
    assert compared > 300, compared


def test_an_update_computes_what_its_operator_does(host_entries: dict[str, ctypes._CFuncPtr]) -> None:
    weight, grad, mean, var = np.random.default_rng(3).random((4, 100)).astype("float32")
    arrays = [mx.nd.array(a) for a in (weight, grad, mean, var)]
    mx.nd.adam_update(*arrays, lr=0.1, wd=0.01, beta1=0.75, beta2=0.5, epsilon=1e-3, out=arrays[0])
    # struct Adam: lr, wd, epsilon; moments: beta1, 1 - beta1, beta2, 1 - beta2; bounded: scale, limit
    formula = (ctypes.c_float * 9)(0.1, 0.01, 1e-3, 0.75, 0.25, 0.5, 0.5, 1, float("inf"))
    adam = type("Adam", (ctypes.Structure,), {"_fields_": [("values", ctypes.c_float * 9)]})
    places = pointers(weight, grad, weight, mean, var)
    host_entries["mg_optimizer_Adam_f32"](*places, ctypes.c_int64(100), adam(formula))
    for got, expected in zip((weight, mean, var), (arrays[0], arrays[2], arrays[3])):
        np.testing.assert_allclose(got, expected.asnumpy(), rtol=2e-6, atol=1e-6)
