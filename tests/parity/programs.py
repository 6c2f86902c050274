"""What only graphs run, for real MXNet and for mixgrad: loops, branches, operators of the program, copies
between devices, layers with states that calls on arrays cannot give.

`python -m parity.programs` (from tests/, with an interpreter that has mxnet) keeps MXNet's answers in
programs.npz; `problems` holds mixgrad against them. A program is one graph: its outputs, the gradients of its
inputs, and its states after a forward and a backward pass in training.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from . import custom_operators
from .case import Array, Input, integer, normal, uniform, values
from .store import load, save

FILE = Path(__file__).with_name("programs.npz")
Graph = Callable[..., Any]


@dataclass(frozen=True)
class Program:
    """A graph of `build(mx, *inputs)`, by the name of the operator that it is about.

    Parameters
    ----------
    op, tag
        The operator's name, and what tells the programs of one operator apart.
    build
        Gives the symbol from the module and the symbols of the inputs.
    inputs
        What they are.
    states
        What the states are that the graph has besides, in its order.
    whole
        No gradient is taken.
    devices
        Of the groups ``a`` and ``b`` (numbers of processors), where the graph has them.
    """

    op: str
    tag: str
    build: Graph
    inputs: tuple[Input, ...]
    states: tuple[Input, ...] = ()
    whole: bool = False
    devices: tuple[int, ...] = field(default=())

    @property
    def name(self) -> str:
        """Unique and readable."""
        return f"{self.op}|{self.tag}"


def run(mx: Any, program: Program) -> dict[str, Array]:
    """The program's answer; raises what the library raises."""
    custom_operators.register(mx)
    seed = zlib.crc32(program.name.encode()) % (1 << 31)
    names = [f"in{i}" for i in range(len(program.inputs))]
    made = program.build(mx, *[mx.sym.var(name) for name in names])

    def array(given: Input, at: int) -> Any:
        return mx.nd.array(given.build(seed + at), dtype=given.dtype)

    arrays = {name: array(given, i) for i, (name, given) in enumerate(zip(names, program.inputs))}
    states = [array(given, 100 + i) for i, given in enumerate(program.states)]
    gradients = {} if program.whole else {name: a * 0 for name, a in arrays.items()}
    groups = {name: mx.cpu(number) for name, number in zip("ab", program.devices)}
    bound = made.bind(
        mx.cpu(), arrays, gradients, "null" if program.whole else "write", states, group2ctx=groups or None
    )
    outputs = bound.forward(is_train=not program.whole)
    results = {f"out{i}": out.asnumpy() for i, out in enumerate(outputs)}
    if not program.whole:
        random = np.random.RandomState(seed + 50)
        bound.backward([mx.nd.array(random.uniform(-1, 1, o.shape), dtype=o.dtype) for o in outputs])
        results |= {f"grad_{name}": g.asnumpy() for name, g in gradients.items()}
    return results | {f"state{i}": state.asnumpy() for i, state in enumerate(states)}


ROWS, STATE, WEIGHT = normal(4, 3), normal(3), uniform(3, 3, low=-0.7, high=0.7)


def _loops() -> list[Program]:
    def each(tag: str, body: Graph, *inputs: Input, data: int = 1, states: int = 1) -> Program:
        """`body(mx, items, states, *rest)` along the first axis of the first inputs."""

        def build(mx: Any, *given: Any) -> Any:
            items, first, rest = given[:data], given[data : data + states], given[data + states :]
            out, last = mx.sym.contrib.foreach(
                lambda x, s: body(mx, x, s, *rest),
                items[0] if data == 1 else list(items),
                first[0] if states == 1 else list(first),
            )
            outs = out if isinstance(out, list) else [out]
            return mx.sym.Group([*outs, *(last if isinstance(last, list) else [last])])

        return Program("_foreach", tag, build, inputs)

    def layer(mx: Any, x: Any, s: Any, weight: Any) -> Any:
        new = mx.sym.tanh(mx.sym.broadcast_add(mx.sym.dot(x, weight), s))
        return new, new

    def nested(mx: Any, x: Any, s: Any) -> Any:
        inner, last = mx.sym.contrib.foreach(lambda y, t: (y * t, y + t), x, s)
        return mx.sym.sum(inner, axis=0), last

    return [
        each("sums", lambda mx, x, s: (x + s, x + s), ROWS, STATE),
        each("products of two sequences", lambda mx, x, s: (x[0] * s, x[1] + s), ROWS, ROWS, STATE, data=2),
        each("two states", lambda mx, x, s: (x * s[0], [s[1], s[0] + x]), ROWS, STATE, STATE, states=2),
        each("a weight outside", layer, normal(4, 2, 3), normal(2, 3), WEIGHT),
        each("one step", lambda mx, x, s: (mx.sym.exp(x) * s, s), normal(1, 3), STATE),
        each("two outputs", lambda mx, x, s: ([x * 2, s - x], s * x), ROWS, STATE),
        each("a loop inside", nested, normal(3, 2, 3), STATE),
        each(
            "float64", lambda mx, x, s: (x * s, s), normal(4, 3, dtype="float64"), normal(3, dtype="float64")
        ),
    ]


def _repeated() -> list[Program]:
    def repeat(tag: str, test: Graph, step: Graph, *inputs: Input, most: int, variables: int = 2) -> Program:
        """`step(mx, *variables, *rest)` while `test`; of the outputs, the steps that no run leaves out."""

        def build(mx: Any, *given: Any) -> Any:
            rest = given[variables:]
            out, last = mx.sym.contrib.while_loop(
                test, lambda *v: step(mx, *v, *rest), list(given[:variables]), most
            )
            outs = out if isinstance(out, list) else [out]
            first = [mx.sym.slice_axis(o, axis=0, begin=0, end=2) for o in outs]
            return mx.sym.Group([*first, *last])

        return Program("_while_loop", tag, build, inputs)

    count, start = values([0]), normal(1, 3)
    return [
        repeat(
            "ends by itself",
            lambda i, x: i < 3,
            lambda mx, i, x: (x * 2, [i + 1, x * 2]),
            count,
            start,
            most=5,
        ),
        repeat(
            "ends by the limit",
            lambda i, x: i < 9,
            lambda mx, i, x: (mx.sym.broadcast_add(x, i), [i + 1, x * x]),
            count,
            start,
            most=3,
        ),
        repeat(
            "two outputs",
            lambda i, x: i < 2,
            lambda mx, i, x: ([x, mx.sym.broadcast_mul(x, i)], [i + 1, x - 1]),
            count,
            start,
            most=2,
        ),
        repeat(
            "three variables",
            lambda i, x, y: i < 4,
            lambda mx, i, x, y: (x + y, [i + 1, y, x + y]),
            *(count, start, normal(1, 3)),
            most=6,
            variables=3,
        ),
        repeat(
            "a weight outside",
            lambda i, x: i < 3,
            lambda mx, i, x, w: (mx.sym.dot(x, w), [i + 1, mx.sym.tanh(mx.sym.dot(x, w))]),
            *(count, start, WEIGHT),
            most=4,
        ),
        repeat(
            "what is computed decides",
            lambda i, x: x < 50,
            lambda mx, i, x: (x, [i + 1, x * 3]),
            *(count, values([1.0])),
            most=8,
        ),
    ]


def _branches() -> list[Program]:
    def branch(tag: str, test: Graph, then: Graph, other: Graph, *inputs: Input) -> Program:
        def build(mx: Any, *given: Any) -> Any:
            made = mx.sym.contrib.cond(test(mx, *given), lambda: then(mx, *given), lambda: other(mx, *given))
            return mx.sym.Group(list(made)) if isinstance(made, list) else made

        return Program("_cond", tag, build, inputs)

    def sums(mx: Any, x: Any, y: Any) -> Any:
        return mx.sym.sum(x) < mx.sym.sum(y)

    def nested(mx: Any, p: Any, x: Any) -> Any:
        return mx.sym.contrib.cond(p < 2, lambda: mx.sym.exp(x), lambda: x * x)

    one, two = normal(2, 3), normal(2, 3)
    yes, no = values([1]), values([0])
    return [
        branch("yes", lambda mx, p, x: p, lambda mx, p, x: x * 2, lambda mx, p, x: x - 1, yes, one),
        branch("no", lambda mx, p, x: p, lambda mx, p, x: x * 2, lambda mx, p, x: x * x, no, one),
        branch("computed", sums, lambda mx, x, y: x * y, lambda mx, x, y: x - y, one, two),
        branch(
            "the other computed",
            sums,
            lambda mx, y, x: x * y,
            lambda mx, y, x: y,
            uniform(3),
            values([0, 0, -9]),
        ),
        branch(
            "two outputs",
            lambda mx, p, x, y: p,
            lambda mx, p, x, y: [x, y],
            lambda mx, p, x, y: [y, x * y],
            no,
            one,
            two,
        ),
        branch("a branch inside", lambda mx, p, x: p, nested, lambda mx, p, x: x, yes, one),
        branch("unused", lambda mx, p, x, y: p, lambda mx, p, x, y: x, lambda mx, p, x, y: y, yes, one, two),
    ]


def _layers() -> list[Program]:
    image, scale, shift = normal(2, 3, 5, 4), uniform(3, low=0.5, high=1.5), normal(3)
    averages = (normal(3), uniform(3, low=0.5, high=1.5))
    norms: list[dict[str, Any]] = [
        {"fix_gamma": False},
        {"fix_gamma": False, "momentum": 0.5, "eps": 0.01},
        {"fix_gamma": False, "use_global_stats": True},
        {"eps": 0.1},
    ]
    codes: list[dict[str, Any]] = [
        {},
        {"sparseness_target": 0.3},
        {"penalty": 0.5},
        {"momentum": 0.5},
        {"sparseness_target": 0.5, "penalty": 1.0, "momentum": 0.1},
    ]
    programs = [
        Program(
            "BatchNorm_v1",
            f"{params}{' of rows' if len(data.shape) == 2 else ''}",
            lambda mx, x, g, b, p=params: mx.sym.BatchNorm_v1(x, g, b, name="norm", **p),
            (data, scale, shift),
            averages,
        )
        for params in norms
        for data in ((image, normal(4, 3)) if params == norms[0] else (image,))
    ]
    programs.append(
        Program(
            "BatchNorm_v1",
            "predict",
            lambda mx, x, g, b: mx.sym.BatchNorm_v1(x, g, b, fix_gamma=False),
            (image, scale, shift),
            averages,
            whole=True,
        )
    )
    return programs + [
        Program(
            "IdentityAttachKLSparseReg",
            f"{params}",
            lambda mx, x, p=params: mx.sym.IdentityAttachKLSparseReg(x, **p),
            (uniform(4, 3, low=0.1, high=0.9),),
            (uniform(3, low=0.2, high=0.6),),
        )
        for params in codes
    ]


def _quantized() -> list[Program]:
    """MXNet knows the shapes of such products in graphs alone."""
    cases: list[tuple[str, tuple[int, ...], tuple[float, ...], dict[str, Any]]] = [
        ("sums of 32 bits", (2, 4), (-1, 2, -3, 1.5), {}),
        ("8 bits", (2, 4), (-1, 2, -3, 1.5), {"min_calib_range": -6.0, "max_calib_range": 3.0}),
        ("a range too small", (2, 4), (-1, 2, -3, 1.5), {"min_calib_range": -1.5, "max_calib_range": 2.0}),
        ("floats", (2, 4), (-1, 2, -3, 1.5), {"enable_float_output": True}),
        ("one", (1,), (0, 9, -4, 0), {}),
        ("positive", (5, 1, 2), (-1, 1, -1, 1), {"min_calib_range": 0.0, "max_calib_range": 2.0}),
        ("large ranges", (3,), (-1000, 10, -1, 1e-3), {"enable_float_output": True}),
    ]
    return [
        Program(
            "_contrib_quantized_elemwise_mul",
            tag,
            lambda mx, *given, p=params: mx.sym.contrib.quantized_elemwise_mul(*given, **p),
            (
                *(integer(*shape, low=-127, high=128, dtype="int8") for _ in range(2)),
                *(values([end]) for end in ends),
            ),
            whole=True,
        )
        for tag, shape, ends, params in cases
    ]


def _copies() -> list[Program]:
    """Parts of graphs on two devices; MXNet copies what crosses."""

    def placed(tag: str, first: Graph, second: Graph, *inputs: Input) -> Program:
        def build(mx: Any, *given: Any) -> Any:
            with mx.AttrScope(ctx_group="a"):
                here = first(mx, *given)
            with mx.AttrScope(ctx_group="b"):
                return second(mx, here, *given)

        return Program("_CrossDeviceCopy", tag, build, inputs, devices=(0, 1))

    one, two = normal(2, 3), normal(2, 3)
    return [
        placed("there", lambda mx, x: x * 2, lambda mx, h, x: mx.sym.exp(h), one),
        placed("there twice", lambda mx, x, y: x * y, lambda mx, h, x, y: h * h + h, one, two),
        placed("sums of axes", lambda mx, x: mx.sym.sum(x, axis=0), lambda mx, h, x: h * h, one),
        placed(
            "products", lambda mx, x, w: mx.sym.dot(x, w), lambda mx, h, x, w: mx.sym.tanh(h), one, WEIGHT
        ),
        placed("float64", lambda mx, x: mx.sym.sin(x), lambda mx, h, x: h + 1, normal(3, dtype="float64")),
        placed("one number", lambda mx, x: x + 1, lambda mx, h, x: mx.sym.Group([h * 3, h - 1]), normal(1)),
    ]


def _custom() -> list[Program]:
    one, two = normal(2, 3), normal(2, 3)

    def call(tag: str, kind: str, *inputs: Input, states: tuple[Input, ...] = (), **params: Any) -> Program:
        name = f"{custom_operators.PREFIX}{kind}"
        return Program(
            "Custom",
            tag,
            lambda mx, *given: mx.sym.Custom(*given, op_type=name, name="own", **params),
            inputs,
            states,
        )

    return [
        call("one input", "scaled", one, factor=2.5),
        call("another parameter", "scaled", normal(4), factor=-1),
        call("float64", "scaled", normal(3, dtype="float64"), factor=0.5),
        call("two inputs, two outputs", "sum_and_product", one, two),
        call("a loss", "squared_loss", one, two),
        call("a state", "counted", one, states=(values([3.0]),)),
        call("other shapes", "outer", normal(3), normal(2)),
    ]


def _fused() -> list[Program]:
    """Nodes that MXNet's fusion writes into files, and which it can only make by that: it fuses the plain
    operator here, and mixgrad reads the file."""

    def loaded(op: str, heads: int, *inputs: Input) -> Program:
        count = len(inputs)
        nodes: list[dict[str, Any]] = [{"op": "null", "name": f"in{i}", "inputs": []} for i in range(count)]
        reads = [[i, 0, 0] for i in range(count)]
        nodes.append({"op": op, "name": "own", "attrs": {"heads": str(heads)}, "inputs": reads})
        text = json.dumps(
            {
                "nodes": nodes,
                "arg_nodes": list(range(count)),
                "node_row_ptr": list(range(count + 2)),
                "heads": [[count, 0, 0]],
                "attrs": {"mxnet_version": ["int", 10901]},
            }
        )

        def build(mx: Any, *given: Any) -> Any:
            plain = getattr(mx.sym.contrib, op.replace("_sg_mkldnn", "interleaved_matmul"))
            fused = plain(*given, heads=heads).get_backend_symbol("MKLDNN")
            return fused if op in fused.tojson() else mx.sym.load_json(text)

        return Program(op, f"{heads} of {[list(i.shape) for i in inputs]}", build, inputs, whole=True)

    programs = []
    for heads, steps, batch, width in ((2, 4, 2, 5), (1, 3, 1, 4), (3, 2, 2, 2), (2, 1, 3, 1), (4, 5, 1, 8)):
        both = normal(steps, batch, 3 * heads * width)
        weights = uniform(batch * heads, steps, steps)
        programs += [
            loaded("_sg_mkldnn_selfatt_qk", heads, both),
            loaded("_sg_mkldnn_selfatt_valatt", heads, both, weights),
        ]
    return programs


TABLES = (_loops, _repeated, _branches, _layers, _quantized, _copies, _custom, _fused)
PROGRAMS: list[Program] = [program for table in TABLES for program in table()]


# Names of programs whose answers differ on purpose, and why.
DIFFERENCES = {"_contrib_quantized_elemwise_mul|a range too small": "MXNet's 8-bit products wrap"}


def compared(ours: dict[str, Array], theirs: dict[str, Array]) -> str:
    """What differs; empty where nothing does."""
    if set(ours) != set(theirs):
        return f"results {sorted(ours)} instead of {sorted(theirs)}"
    for key, real in theirs.items():
        mine = ours[key]
        if mine.shape != real.shape or mine.dtype != real.dtype:
            return f"{key} is {mine.shape} {mine.dtype}, not {real.shape} {real.dtype}"
        tolerance = {"float32": 1e-4, "float64": 1e-9}.get(real.dtype.name, 0)
        if not np.allclose(mine, real, tolerance, tolerance / 10, equal_nan=True):
            return f"{key} is {mine.ravel()[:6]}, not {real.ravel()[:6]}"
    return ""


def write() -> None:
    """Ask MXNet; each program has a process."""
    import mxnet as mx

    results: dict[str, dict[str, Array]] = {}
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.npz"
        for program in PROGRAMS:
            child = os.fork()
            if child == 0:
                try:
                    save(part, {program.name: run(mx, program)})
                except Exception as error:
                    print(f"{program.name}: {error}", flush=True)
                    os._exit(1)
                os._exit(0)
            if os.waitpid(child, 0)[1] == 0:
                results.update(load(part))
            else:
                print(f"{program.name}: refused, or the process died")
    save(FILE, results)
    print(f"{len(results)} programs of {len(PROGRAMS)}, {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    write()
