"""Calls of operators and training steps under several numbers of threads: prints what gives other bits.

`python equal_bits.py cases` runs every row of tests/python/cases/, `shapes SEED` random calls that are large
enough to be divided, `training NAME STEPS` steps of a network. The caller sets MIXGRAD_ENGINE, and
MIXGRAD_DIVIDE_ALL so that short loops are divided too.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mixgrad as mx

THREADS = (1, 2, 3, 4, 8)
FEW_THREADS = (1, 3, 8)
Run = Callable[[], list[Any]]


def digest(arrays: list[Any]) -> str:
    found = hashlib.sha256()
    for array in arrays:
        found.update(np.ascontiguousarray(array).tobytes())
    return found.hexdigest()


def differing(run: Run, numbers: tuple[int, ...]) -> str:
    """Which numbers of threads give other bits than one thread; empty if none."""
    found = []
    for threads in numbers:
        mx.engine.set_num_threads(threads)
        found.append(digest(run()))
    return " ".join(str(t) for t, bits in zip(numbers, found) if bits != found[0])


# --- the table of cases


def cases() -> Iterator[tuple[str, Run]]:
    sys.path.insert(0, str(Path(__file__).parent / "operators"))
    import test_operators as table

    for case in table.CASES:
        if case.fails:
            continue
        for dtype in ("float32", "float64", "float16"):
            if dtype not in case.dtypes:
                continue

            def both(case: Any = case, dtype: str = dtype) -> list[Any]:
                run = table.Run(case, dtype)
                inputs = run.arrays()
                found = [table.decode(out) for out in run.call(inputs)]
                found += [table.decode(inputs[i]) for i in run.operator.mutates if i < len(inputs)]
                which = run.grad_inputs()
                return found + (run.gradients(which) if which else [])

            yield f"{case.id} {dtype}", both


# --- random calls of some size


def shapes(seed: int) -> Iterator[tuple[str, Run]]:
    draw = np.random.default_rng(seed)

    def some(low: int, high: int, step: int = 1) -> int:
        return int(draw.integers(low, high + 1)) * step

    def call(op: str, *given: tuple[int, ...], dtype: str = "float32", **params: Any) -> Any:
        own = int(draw.integers(1 << 30))

        def run() -> list[Any]:
            rng = np.random.default_rng(own)
            mx.random.seed(5)
            inputs = [mx.nd.array(rng.uniform(-1, 1, shape), dtype=dtype) for shape in given]
            for array in inputs:
                array.attach_grad()
            with mx.autograd.record():
                outs = getattr(mx.nd, op)(*inputs, **params)
            outs = outs if isinstance(outs, list) else [outs]
            mx.autograd.backward(
                outs, [mx.nd.array(rng.uniform(-1, 1, o.shape), dtype=o.dtype) for o in outs]
            )
            return [a.asnumpy() for a in outs + [array.grad for array in inputs]]

        return f"{op} {given} {dtype} {params}", run

    for dtype in ("float32", "float64", "float16"):
        m, n, k = some(1, 300), some(1, 300), some(200, 2500)
        yield call("dot", (m, k), (k, n), dtype=dtype)
        yield call("dot", (k, m), (k, n), dtype=dtype, transpose_a=True)
        yield call("dot", (1, k), (k, n), dtype=dtype)
        b, h = some(2, 9), some(20, 200)
        yield call("batch_dot", (b, h, 70), (b, 70, h), dtype=dtype)
        yield call("FullyConnected", (m, k), (n, k), (n,), dtype=dtype, num_hidden=n)
        for _ in range(3):
            groups, kernel, stride = some(1, 3), some(1, 3), some(1, 2)
            channels, filters, size = groups * some(1, 40), groups * some(1, 40), some(8, 40)
            window = {"kernel": (kernel,) * 2, "stride": (stride,) * 2, "pad": (kernel // 2,) * 2}
            data, weight = (some(1, 8), channels, size, size), (filters, channels // groups, kernel, kernel)
            more = {"num_filter": filters, "num_group": groups, "dtype": dtype}
            yield call("Convolution", data, weight, (filters,), **window, **more)
            back = (filters, channels // groups, kernel, kernel)
            yield call("Deconvolution", (data[0], filters, size, size), back, num_filter=channels,
                       num_group=groups, no_bias=True, dtype=dtype, **window)  # fmt: skip
        last = {"kernel": (3, 3), "layout": "NHWC", "no_bias": True, "pad": (1, 1)}
        yield call("Convolution", (4, 20, 20, 48), (64, 3, 3, 48), dtype=dtype, num_filter=64, **last)
        yield call("Convolution", (2, 24, 6, 20, 20), (32, 24, 3, 3, 3), dtype=dtype, kernel=(3, 3, 3),
                   num_filter=32, no_bias=True)  # fmt: skip
        channels = 8 * some(1, 8)
        deep = {
            "kernel": (3, 3),
            "pad": (1, 1),
            "num_filter": channels,
            "num_group": channels,
            "no_bias": True,
        }
        yield call("Convolution", (4, channels, 30, 31), (channels, 1, 3, 3), dtype=dtype, **deep)
        image = (some(2, 8), some(3, 40), some(10, 50), some(10, 50))
        yield call("BatchNorm", image, *[(image[1],)] * 4, dtype=dtype, fix_gamma=False)
        yield call("InstanceNorm", image, *[(image[1],)] * 2, dtype=dtype)
        yield call("L2Normalization", image, dtype=dtype)
        yield call("LRN", image, dtype=dtype, nsize=5)
        yield call("Pooling", image, dtype=dtype, kernel=(3, 3), pool_type="avg", pad=(1, 1))
        yield call("Pooling", image, dtype=dtype, kernel=(3, 3), pool_type="max", stride=(2, 2))
        yield call("LeakyReLU", image, (image[1],), dtype=dtype, act_type="prelu")
        rows, width = some(100, 3000), some(3, 900)
        for op in ("softmax", "log_softmax", "sum", "mean", "norm", "exp", "sigmoid", "erf", "cumsum"):
            yield call(
                op, (rows, width), dtype=dtype, **({} if op in ("exp", "sigmoid", "erf") else {"axis": -1})
            )
        for op in ("softmax", "sum", "norm", "prod", "max"):
            yield call(op, (rows, width), dtype=dtype, axis=0)
        yield call("sum", (rows * width,), dtype=dtype)
        yield call("LayerNorm", (rows, width), (width,), (width,), dtype=dtype)
        yield call("broadcast_mul", (rows, width), (1, width), dtype=dtype)
        yield call("broadcast_div", (rows, width), (rows, 1), dtype=dtype)
        yield call("Dropout", (rows, width), dtype=dtype, mode="always")
        if dtype != "float16":
            yield call("linalg_gemm2", (3, 120, 90), (3, 90, 130), dtype=dtype)
            yield call("linalg_syrk", (2, 150, 140), dtype=dtype)
            for mode in ("lstm", "gru", "rnn_tanh"):
                gates = {"lstm": 4, "gru": 3, "rnn_tanh": 1}[mode]
                hidden, fed, steps, batch = some(3, 12, 8), some(3, 12, 8), some(2, 6), some(8, 40)
                size = gates * hidden * (fed + hidden + 2)
                states = [(1, batch, hidden)] * (2 if mode == "lstm" else 1)
                yield call("RNN", (steps, batch, fed), (size,), *states, dtype=dtype, state_size=hidden,
                           num_layers=1, mode=mode)  # fmt: skip
        rng = np.random.default_rng(some(0, 1 << 20))
        words = mx.nd.array(rng.integers(0, 50, (40, 70)))

        def embedding(words: Any = words, dtype: str = dtype) -> list[Any]:
            rng = np.random.default_rng(3)
            weight = mx.nd.array(rng.uniform(-1, 1, (50, 96)), dtype=dtype)
            weight.attach_grad()
            with mx.autograd.record():
                out = mx.nd.Embedding(words, weight, input_dim=50, output_dim=96)
            out.backward(mx.nd.array(rng.uniform(-1, 1, out.shape), dtype=dtype))
            return [weight.grad.asnumpy()]

        yield f"Embedding {dtype}", embedding


# --- training


def small_resnet() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """ResNet-18 with a quarter of its channels."""
    from mixgrad import sym

    def convolve(data: Any, name: str, filters: int, kernel: int, stride: int) -> Any:
        data = sym.Convolution(data, num_filter=filters, kernel=(kernel, kernel), stride=(stride, stride),
                               pad=(kernel // 2, kernel // 2), no_bias=True, name=name)  # fmt: skip
        return sym.BatchNorm(data, fix_gamma=False, name=f"{name}_norm")

    data = sym.Activation(convolve(sym.Variable("data"), "first", 32, 3, 1), act_type="relu")
    for stage, filters in enumerate((32, 48, 64, 128)):
        for unit in range(2):
            stride = 2 if stage and not unit else 1
            name = f"stage{stage}_unit{unit}"
            inner = sym.Activation(convolve(data, f"{name}_a", filters, 3, stride), act_type="relu")
            inner = convolve(inner, f"{name}_b", filters, 3, 1)
            aside = convolve(data, f"{name}_c", filters, 1, stride) if stride == 2 else data
            data = sym.Activation(inner + aside, act_type="relu")
    data = sym.Pooling(data, global_pool=True, pool_type="avg", kernel=(1, 1))
    data = sym.FullyConnected(data, num_hidden=10, name="last")
    return sym.SoftmaxOutput(data, name="softmax"), {"data": (8, 3, 32, 32), "softmax_label": (8,)}


def whole_resnet() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """ResNet-18 as it is trained on ImageNet, with small batches."""
    return mx.models.get_symbol("resnet-18"), {"data": (4, 3, 224, 224), "softmax_label": (4,)}


def lstm() -> tuple[Any, dict[str, tuple[int, ...]]]:
    from mixgrad import sym

    data = sym.Embedding(sym.Variable("data"), input_dim=10, output_dim=48, name="words")
    states = [sym.Variable(name) for name in ("rnn_parameters", "h0", "c0")]
    data = sym.transpose(data, axes=(1, 0, 2))
    data = sym.RNN(data, *states, state_size=64, num_layers=2, mode="lstm", p=0.2, name="rnn")
    data = sym.FullyConnected(sym.mean(data, axis=0), num_hidden=10, name="last")
    size = 4 * 64 * (48 + 64 + 2) + 4 * 64 * (64 + 64 + 2)
    shapes = {"data": (24, 12), "rnn_parameters": (size,), "h0": (2, 24, 64), "c0": (2, 24, 64)}
    return sym.SoftmaxOutput(data, name="softmax"), {**shapes, "softmax_label": (24,)}


def transformer() -> tuple[Any, dict[str, tuple[int, ...]]]:
    """One layer: attention of 4 heads, then two products, each around a sum and a norm."""
    from mixgrad import sym

    width, heads, length, batch = 64, 4, 24, 8

    def dense(data: Any, units: int, name: str) -> Any:
        return sym.FullyConnected(data, num_hidden=units, flatten=False, name=name)

    data = sym.Variable("data")  # (length, batch, width)
    joint = dense(data, 3 * width, "joint")
    scores = sym.contrib.interleaved_matmul_selfatt_qk(joint, heads=heads)
    weights = sym.Dropout(sym.softmax(scores, axis=-1), p=0.1)
    seen = sym.contrib.interleaved_matmul_selfatt_valatt(joint, weights, heads=heads)
    data = sym.LayerNorm(data + dense(seen, width, "out"), name="norm0")
    inner = sym.LeakyReLU(dense(data, 4 * width, "up"), act_type="gelu")
    data = sym.LayerNorm(data + dense(inner, width, "down"), name="norm1")
    data = sym.FullyConnected(sym.mean(data, axis=0), num_hidden=10, name="last")
    shapes = {"data": (length, batch, width), "softmax_label": (batch,)}
    return sym.SoftmaxOutput(data, name="softmax"), shapes


NETWORKS = {"small-resnet": small_resnet, "resnet-18": whole_resnet, "lstm": lstm, "transformer": transformer}


def train(name: str, steps: int) -> list[Any]:
    symbol, given = NETWORKS[name]()
    rng = np.random.default_rng(1)
    mx.random.seed(2)
    whole = {"softmax_label", "data"} if name == "lstm" else {"softmax_label"}
    inputs = {
        key: rng.integers(0, 10, shape) if key in whole else rng.uniform(-1, 1, shape)
        for key, shape in given.items()
    }
    fixed = {key: "null" for key in given if key != "rnn_parameters"}
    executor = symbol.simple_bind(
        mx.cpu(), grad_req={a: fixed.get(a, "write") for a in symbol.list_arguments()}, **given
    )
    for key, array in executor.arg_dict.items():
        value = inputs[key] if key in inputs else rng.uniform(-0.15, 0.15, array.shape)
        array[:] = np.ones(array.shape) if key.endswith("gamma") else value
    for key, array in executor.aux_dict.items():
        array[:] = 1 if key.endswith("var") else 0
    momenta = {
        key: mx.nd.zeros(array.shape) for key, array in executor.grad_dict.items() if array is not None
    }
    for _ in range(steps):
        executor.forward(is_train=True)
        executor.backward()
        for key, momentum in momenta.items():
            weight = executor.arg_dict[key]
            mx.nd.sgd_mom_update(weight, executor.grad_dict[key], momentum, lr=0.05, momentum=0.9, out=weight)
    found = [executor.arg_dict[key] for key in sorted(momenta)] + list(executor.aux_dict.values())
    return [array.asnumpy() for array in found + list(executor.outputs)]


def main() -> None:
    what = sys.argv[1]
    assert not mx.is_deterministic()  # the promise needs no switch
    if what == "training":
        runs: Iterator[tuple[str, Run]] = iter([(sys.argv[2], lambda: train(sys.argv[2], int(sys.argv[3])))])
    else:
        runs = cases() if what == "cases" else shapes(int(sys.argv[2]))
    count = 0
    for name, run in runs:
        count += 1
        numbers = THREADS if what == "training" or "float32" in name else FEW_THREADS
        if others := differing(run, numbers):
            print(f"{name}: other bits with {others} threads")
    print(f"{count} compared")


if __name__ == "__main__":
    main()
