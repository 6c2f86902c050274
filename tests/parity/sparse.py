"""Calls on sparse arrays, for real MXNet and for mixgrad: what comes out, how it is stored, its gradients.

`python -m parity.sparse` (from tests/, with an interpreter that has mxnet) keeps MXNet's answers in
sparse.npz; `problems` holds mixgrad against them.
"""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from .case import Array
from .store import load, save
from .stored import COMPACT, CSR, DENSE, ROWS, Call, Stored, csr, dense, rows, run

FILE = Path(__file__).with_name("sparse.npz")
# fmt: off
_UNARY = [
    "abs", "sign", "rint", "ceil", "floor", "trunc", "fix", "round", "sqrt", "square", "cbrt", "sin", "tan",
    "arcsin", "arctan", "degrees", "radians", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p",
    "relu", "negative", "exp", "cos", "cosh", "arccos", "sigmoid", "log", "log2", "log10", "gamma",
    "gammaln", "rsqrt", "rcbrt", "reciprocal", "softsign", "erf", "logical_not", "zeros_like", "ones_like",
    "_copy", "identity", "BlockGrad", "stop_gradient", "make_loss", "shape_array", "size_array", "Flatten",
]
_ZERO = [  # those that MXNet computes on what is stored
    "abs", "sign", "rint", "ceil", "floor", "trunc", "fix", "round", "sqrt", "square", "cbrt", "sin", "tan",
    "arcsin", "arctan", "degrees", "radians", "sinh", "tanh", "arcsinh", "arctanh", "expm1", "log1p",
    "relu", "negative", "_copy", "BlockGrad", "make_loss",
]
_SCALAR = [
    "plus", "minus", "rminus", "mul", "div", "rdiv", "mod", "rmod", "power", "rpower", "maximum", "minimum",
    "hypot", "equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal", "logical_and",
    "logical_or", "logical_xor",
]
_BINARY = [
    "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "_maximum", "_minimum", "_hypot",
    "_power", "_mod", "_equal", "_not_equal", "_greater", "_lesser", "_grad_add", "_scatter_elemwise_div",
]
_BROADCAST = [
    "broadcast_add", "broadcast_sub", "broadcast_mul", "broadcast_div", "broadcast_maximum",
    "broadcast_minimum", "broadcast_power", "broadcast_equal", "broadcast_greater",
]
# fmt: on
_FEW = [csr(4, 5), rows(4, 5)]
_EDGES = [
    csr(4, 5, density=0.0), csr(4, 5, density=1.0), rows(4, 5, density=0.0), rows(4, 5, density=1.0),
    rows(5, 2, 3),
]  # fmt: skip


def _unary() -> Iterator[Call]:
    for op, x in itertools.product(_UNARY, _FEW):
        yield Call(op, (x,))
    for op, x in itertools.product(["abs", "sqrt", "_copy", "zeros_like"], _EDGES):
        yield Call(op, (x,))
    for dtype, op in itertools.product(
        ("float64", "float16", "int32", "int64"), ("abs", "square", "negative", "zeros_like")
    ):
        yield Call(op, (csr(4, 5, dtype=dtype),))
        yield Call(op, (rows(4, 5, dtype=dtype),))
    for op, x in itertools.product(_ZERO, _FEW):
        yield Call(op, (x,), grad=(0,))
    for op, x, head in itertools.product(("abs", "negative", "_copy", "square", "tanh"), _FEW, (CSR, ROWS)):
        yield Call(op, (x,), grad=(0,), head=head)
        yield Call(op, (x,), grad=(0,), stypes=(DENSE,), head=head)
    for x in _FEW:
        for low, high in ((-0.5, 0.5), (0, 0.3), (-0.3, 0), (0.1, 0.2), (-0.2, -0.1)):
            yield Call("clip", (x,), {"a_min": low, "a_max": high})
        yield Call("clip", (x,), {"a_min": -0.5, "a_max": 0.5}, grad=(0,))
        for op in ("method.copy", "method.tostype", "method.astype", "method.asnumpy", "cast_storage"):
            if op == "method.astype":
                for dtype in ("float64", "float16", "int32", "int64"):
                    yield Call(op, (x,), args=(dtype,))
            elif op in ("method.tostype", "cast_storage"):
                for stype in (DENSE, CSR, ROWS):
                    key = {"stype": stype} if op == "cast_storage" else {}
                    yield Call(op, (x,), key, () if key else (stype,))
            else:
                yield Call(op, (x,))
        for dtype in ("float64", "float16", "int32"):
            yield Call("cast", (x,), {"dtype": dtype})
        for op in ("softmax", "argmax", "transpose", "expand_dims", "flip", "sort", "logical_not", "topk"):
            params = {"expand_dims": {"axis": 0}, "flip": {"axis": 0}}.get(op, {})
            yield Call(op, (x,), params)
        yield Call("reshape", (x,), {"shape": (5, 4)})
        yield Call("tile", (x,), {"reps": (2, 1)})
    for dtype, stype in itertools.product(("float32", "float64", "float16", "int32", "int64"), (CSR, ROWS)):
        yield Call("cast_storage", (Stored(stype, (6, 7), dtype),), {"stype": DENSE})
    for x in (
        dense(4, 5),
        dense(4, 5, kind="rows"),
        dense(0, 5),
        dense(5, 0),
        dense(3, 2, 2, kind="rows", below=2),
    ):
        for stype in (CSR, ROWS) if len(x.shape) == 2 else (ROWS,):
            yield Call("cast_storage", (x,), {"stype": stype})
    for stype in (CSR, ROWS):
        yield Call("cast_storage", (dense(4, 5),), {"stype": stype}, grad=(0,))
        yield Call("cast_storage", (Stored(stype, (4, 5)),), {"stype": DENSE}, grad=(0,))


def _scalar() -> Iterator[Call]:
    for op, x, scalar in itertools.product(_SCALAR, _FEW, (2.0, 0.0, -1.5)):
        yield Call(f"_{op}_scalar", (x,), {"scalar": scalar})
    for op, x in itertools.product(("plus", "minus"), _FEW):
        yield Call(f"_scatter_{op}_scalar", (x,), {"scalar": 2.0})
    for x in _FEW:
        for op in ("mul", "div", "plus", "minus", "rminus"):
            yield Call(f"_{op}_scalar", (x,), {"scalar": 2.0}, grad=(0,))
        for op in ("add", "sub", "mul", "truediv", "pow", "gt", "ge", "lt", "le", "eq", "ne"):
            yield Call(f"operator.{op}", (x,), args=(0.5,))
            yield Call(f"operator.{op}", (x,), args=(0.0,))
        yield Call("operator.neg", (x,))
        yield Call("operator.abs", (x,))
    for dtype, stype in itertools.product(("float64", "float16", "int32"), (CSR, ROWS)):
        yield Call("_mul_scalar", (Stored(stype, (4, 5), dtype),), {"scalar": 2.0})


def _binary() -> Iterator[Call]:
    for make in (csr, rows):
        x, y, d = (
            make(4, 5, kind="positive"),
            make(4, 5, density=0.4, kind="positive"),
            dense(4, 5, kind="positive"),
        )
        for op in _BINARY:
            yield Call(op, (x, y))
            yield Call(op, (x, d))
            yield Call(op, (d, x))
        for op in ("add", "sub", "mul", "truediv"):
            yield Call(f"operator.{op}", (x, y))
            yield Call(f"operator.{op}", (x, d))
            yield Call(f"operator.{op}", (d, x))
        for op, d2 in itertools.product(
            _BROADCAST, (dense(5, kind="positive"), dense(1, 5, kind="positive"),
                dense(4, 1, kind="positive"),
                         dense(1, kind="positive"), d)
        ):  # fmt: skip
            yield Call(op, (x, d2))
            yield Call(op, (d2, x))
        for op in _BROADCAST:
            yield Call(op, (x, y))
        for low, high in itertools.product((0.0, 0.5, 1.0), repeat=2):
            for op in ("elemwise_add", "elemwise_sub", "elemwise_mul"):
                yield Call(op, (make(5, 3, density=low, kind="normal"), make(5, 3, density=high)))
        for op, dtype in itertools.product(
            ("elemwise_add", "elemwise_mul"), ("float64", "float16", "int32", "int64")
        ):
            yield Call(op, (make(4, 5, dtype=dtype), make(4, 5, dtype=dtype)))
        for op in ("elemwise_add", "elemwise_sub", "elemwise_mul", "_maximum", "_hypot"):
            yield Call(op, (x, y), grad=(0, 1))
            yield Call(op, (x, y), grad=(0, 1), head=x.stype)
            yield Call(op, (x, d), grad=(0, 1))
            yield Call(op, (d, x), grad=(0, 1))
            yield Call(op, (d, d), grad=(0, 1), stypes=(x.stype, x.stype))
        yield Call("add_n", (x, y, x))
        yield Call("add_n", (x, y, d))
        yield Call("add_n", (d, y, x))
        yield Call("add_n", (x,))
        yield Call("ElementWiseSum", (x, y), grad=(0, 1))
        if make is rows:  # with csr, MXNet writes over what it still reads, and mostly dies
            yield Call("elemwise_add", (x, y), out=0)
        yield Call("elemwise_add", (x, y), out=d)
        yield Call("elemwise_add", (d, d), out=x)
        yield Call("elemwise_mul", (x, d), out=d)
    for op, d in itertools.product(
        ("broadcast_mul", "broadcast_div"), (dense(5, kind="positive"), dense(4, 1))
    ):
        yield Call(op, (csr(4, 5), d), grad=(0,))
        yield Call(op, (csr(4, 5), d), grad=(1,))
    yield Call("elemwise_add", (csr(4, 5), rows(4, 5)))
    yield Call("elemwise_mul", (rows(4, 5), csr(4, 5)))
    yield Call("elemwise_add", (rows(4, 2, 3), rows(4, 2, 3)))
    yield Call("elemwise_mul", (rows(4, 2, 3), rows(4, 2, 3)))
    yield Call("add_n", (rows(4, 2, 3), rows(4, 2, 3), rows(4, 2, 3)))


def _products() -> Iterator[Call]:
    for form in (None, DENSE, ROWS, CSR):
        extra = {"forward_stype": form} if form else {}
        for dtype in ("float32", "float64"):
            a = csr(4, 5, dtype=dtype)
            pairs = (
                ((a, dense(5, 3, dtype=dtype)), {}),
                ((a, dense(4, 3, dtype=dtype)), {"transpose_a": True}),
                ((a, rows(5, 3, dtype=dtype)), {}),
                ((a, rows(4, 3, dtype=dtype)), {"transpose_a": True}),
                ((a, dense(3, 5, dtype=dtype)), {"transpose_b": True}),
                ((dense(2, 4, dtype=dtype), a), {}),
                ((dense(2, 5, dtype=dtype), a), {"transpose_b": True}),
                ((dense(4, 2, dtype=dtype), a), {"transpose_a": True}),
                ((csr(4, 5, dtype=dtype), csr(5, 4, dtype=dtype)), {}),
                ((rows(4, 5, dtype=dtype), dense(5, 2, dtype=dtype)), {}),
            )
            for inputs, params in pairs:
                yield Call("dot", inputs, {**params, **extra})
    for density, transposed in itertools.product((0.0, 1.0), (False, True)):
        inner = 4 if transposed else 5
        yield Call("dot", (csr(4, 5, density=density), dense(inner, 3)), {"transpose_a": transposed})
        yield Call("dot", (csr(4, 5), rows(inner, 3, density=density)), {"transpose_a": transposed})
    yield Call("dot", (csr(4, 5), dense(5, 3)), grad=(1,))
    yield Call("dot", (csr(4, 5), rows(5, 3)), grad=(1,))
    yield Call("dot", (csr(4, 5), dense(5, 3)), grad=(1,), stypes=(ROWS,))
    yield Call("dot", (csr(4, 5), dense(4, 3)), {"transpose_a": True}, grad=(1,))
    yield Call("dot", (csr(4, 5), dense(4, 3)), {"transpose_a": True, "forward_stype": DENSE}, grad=(1,))
    yield Call("dot", (csr(4, 5), rows(4, 3)), {"transpose_a": True}, grad=(1,))
    yield Call("dot", (dense(2, 4), csr(4, 5)), {"forward_stype": DENSE}, grad=(0,))
    yield Call("dot", (dense(2, 5), csr(4, 5)), {"transpose_b": True, "forward_stype": DENSE}, grad=(0,))
    for weight, grad in itertools.product((rows(6, 3, density=1.0), dense(6, 3)), (False, True)):
        params = {"input_dim": 6, "output_dim": 3, "sparse_grad": grad}
        data = dense(4, kind="rows", below=6)
        yield Call("Embedding", (data, weight), params)
        yield Call("Embedding", (data, weight), params, grad=(1,))
        yield Call("Embedding", (data, weight), params, grad=(1,), stypes=(ROWS,))
        yield Call(
            "Embedding", (dense(2, 3, kind="rows", below=6), weight), params, grad=(1,), stypes=(ROWS,)
        )
    yield Call(
        "contrib.SparseEmbedding", (dense(4, kind="rows", below=6), rows(6, 3, density=1.0)),
        {"input_dim": 6, "output_dim": 3}, grad=(1,),
    )  # fmt: skip
    for weight, x in itertools.product((rows(3, 5, density=1.0), dense(3, 5)), (dense(4, 5), csr(4, 5))):
        yield Call("FullyConnected", (x, weight), {"num_hidden": 3, "no_bias": True})
        yield Call("FullyConnected", (x, weight, dense(3)), {"num_hidden": 3})
        if x.stype == DENSE:
            yield Call("FullyConnected", (x, weight), {"num_hidden": 3, "no_bias": True}, grad=(0,))
    for op in ("LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput"):
        yield Call(op, (dense(4, 5), csr(4, 5)))
        yield Call(op, (dense(4, 5), csr(4, 5)), grad=(0,))
    yield Call("SoftmaxOutput", (csr(4, 5), dense(4, kind="rows", below=5)))


def _reductions() -> Iterator[Call]:
    for x in (*_FEW, *_EDGES[:4]):
        for op in ("sum", "mean", "norm", "max", "prod"):
            for params in ({}, {"axis": 0}, {"axis": 1}, {"axis": -1}, {"axis": 0, "keepdims": True},
                           {"axis": 1, "keepdims": True}, {"axis": (0, 1)}, {"keepdims": True}):  # fmt: skip
                if op == "max" and params not in ({}, {"axis": 1}):
                    continue
                yield Call(op, (x,), params)
        for params in (
            {"axis": 1},
            {"axis": 0},
            {"axis": 1, "keepdims": True},
            {"axis": 0, "keepdims": True},
            {},
        ):
            yield Call("_square_sum", (x,), params)
    for x, axis in itertools.product(_FEW, (0, 1)):
        for op in ("sum", "mean"):
            yield Call(op, (x,), {"axis": axis}, grad=(0,))
        yield Call("sum", (x,), {"axis": axis, "exclude": True})
        yield Call("norm", (x,), {"axis": axis, "ord": 1})
    yield Call("norm", (csr(4, 5),), {"ord": 1})
    for keep in (False, True):
        yield Call("_square_sum", (rows(4, 5),), {"axis": 1, "keepdims": keep}, grad=(0,))
        yield Call("_square_sum", (rows(4, 5),), {"axis": 1, "keepdims": keep}, grad=(0,), head=ROWS)
    yield Call("_square_sum", (rows(4, 5),), {"axis": 0}, grad=(0,))
    for dtype in ("float64", "float16", "int32", "int64"):
        yield Call("sum", (csr(4, 5, dtype=dtype),), {"axis": 0})
        yield Call("sum", (csr(4, 5, dtype=dtype),), {"axis": 1})
        yield Call("mean", (csr(4, 5, dtype=dtype),), {"axis": 1})
    for axis in (None, 0, 1):
        for x in (csr(4, 5), csr(4, 5, density=0.0), csr(4, 5, dtype="float64"), rows(4, 5), dense(4, 5)):
            yield Call("contrib.getnnz", (x,), {} if axis is None else {"axis": axis})


def _parts() -> Iterator[Call]:
    for x in _FEW:
        for begin, end in (((1,), (3,)), ((1, 1), (3, 4)), ((0, 0), (4, 5)), ((-2,), (4,)), ((None, 2),
            (None, 4)),
                           ((1, -3), (3, -1))):  # fmt: skip
            yield Call("slice", (x,), {"begin": begin, "end": end})
        yield Call("slice", (x,), {"begin": (0,), "end": (4,), "step": (2,)})
        yield Call("slice_axis", (x,), {"axis": 0, "begin": 1, "end": 3})
        yield Call("slice_axis", (x,), {"axis": 1, "begin": 1, "end": 3})
        for key in (
            slice(1, 3),
            1,
            -1,
            slice(None),
            (slice(1, 3), slice(0, 2)),
            slice(2, 2),
            (1, 2),
            slice(0, 4, 2),
        ):
            yield Call("operator.getitem", (x,), args=(key,))
        yield Call("concat", (x, x), {"dim": 0})
        yield Call("concat", (x, x), {"dim": 1})
        yield Call("concat", (x, dense(4, 5)), {"dim": 0})
        yield Call("stack", (x, x))
        for mode in ("clip", "wrap"):
            yield Call("take", (x, dense(3, kind="rows")), {"mode": mode})
            yield Call("take", (x, dense(3, kind="rows", dtype="int64", below=9)), {"mode": mode})
        yield Call("take", (x, dense(2, 2, kind="rows")))
        yield Call("take", (x, dense(3, kind="rows")), {"axis": 1})
        yield Call("where", (x, dense(4, 5), dense(4, 5)))
        yield Call("where", (x, dense(4, 5), dense(4, 5)), grad=(1, 2))
        yield Call("where", (dense(4, 5), x, dense(4, 5)))
        yield Call("contrib.edge_id", (x, dense(3, kind="rows"), dense(3, kind="rows")))
        yield Call("method.slice", (x,), {"begin": (1,), "end": (3,)})
    for x in (rows(4, 5), rows(4, 2, 3), rows(4, 5, density=0.0)):
        for dtype in ("float32", "int64", "int32"):
            yield Call("sparse.retain", (x, dense(3, kind="rows", dtype=dtype)))
        yield Call("sparse.retain", (x, dense(2, kind="rows")), grad=(0,))
        yield Call("sparse.retain", (x, dense(2, kind="rows")), grad=(0,), head=ROWS)


def _updates() -> Iterator[Call]:
    common = {"lr": 0.1, "wd": 0.01, "rescale_grad": 0.5}
    for name, states, extra in (
        ("sgd_update", 0, {}), ("sgd_mom_update", 1, {"momentum": 0.9}), ("adam_update", 2, {}),
        ("ftrl_update", 2, {}), ("sparse.adagrad_update", 1, {}), ("rmsprop_update", 1, {}),
        ("signsgd_update", 0, {}), ("signum_update", 1, {"momentum": 0.9}),
        ("contrib.group_adagrad_update", 1, {}),
        ("mp_sgd_update", 1, {}), ("nag_mom_update", 1, {"momentum": 0.9}), ("ftml_update", 3, {"t": 1}),
    ):  # fmt: skip
        for weight, gradient, state in itertools.product((DENSE, ROWS), (ROWS, DENSE), (DENSE, ROWS)):
            if (weight, gradient, state) == (DENSE, DENSE, DENSE) or (not states and state == ROWS):
                continue
            shapes = [(5, 3)] * (2 + states)
            if name == "contrib.group_adagrad_update":
                shapes[2] = (5, 1)
            kinds = (weight, gradient, *[state] * states)
            inputs = tuple(
                Stored(kind, shape, density=0.6 if i == 1 else 1.0, kind="positive")
                for i, (kind, shape) in enumerate(zip(kinds, shapes))
            )
            for lazy in (True, False) if name in ("sgd_update", "sgd_mom_update", "adam_update") else (None,):
                params = {**common, **extra, **({} if lazy is None else {"lazy_update": lazy})}
                if name == "contrib.group_adagrad_update":
                    params.pop("wd")
                clip = "clip_grad" if name == "ftml_update" else "clip_gradient"
                for most in (-1.0, 0.3):
                    yield Call(name, inputs, {**params, clip: most}, out=0, state=tuple(range(2, 2 + states)))
            if weight == ROWS:
                few = tuple(Stored(i.stype, i.shape, i.dtype, 0.5, i.kind) for i in inputs)
                yield Call(name, few, {**common, **extra}, out=0, state=tuple(range(2, 2 + states)))
        none = (
            Stored(DENSE, (5, 3)),
            Stored(ROWS, (5, 3), density=0.0),
            *[Stored(DENSE, shapes[2] if states else ())] * states,
        )
        yield Call(name, none, {"lr": 0.1, **extra}, out=0, state=tuple(range(2, 2 + states)))


def _graphs() -> Iterator[Call]:
    """Every neighbour is taken, so that nothing is drawn."""
    graphs = [
        csr(n, n, dtype="int64", density=density, kind="edges")
        for n, density in ((5, 0.5), (8, 0.3), (4, 1.0), (6, 0.2), (3, 0.0), (1, 1.0))
    ]
    for graph in graphs:
        n = graph.shape[0]
        yield Call("contrib.dgl_adjacency", (graph,))
        some = dense(max(n // 2, 1), dtype="int64", kind="distinct", below=n)
        other = dense(1, dtype="int64", kind="distinct", below=n)
        chances = dense(n, kind="positive")
        for mapping in (True, False):
            yield Call("contrib.dgl_subgraph", (graph, some), {"return_mapping": mapping})
            yield Call("contrib.dgl_subgraph", (graph, some, other), {"return_mapping": mapping})
            yield Call(COMPACT, (graph, some), {"return_mapping": mapping, "hops": 1})
            yield Call(COMPACT, (graph, some, other), {"return_mapping": mapping, "hops": 2})
        for hops in (1, 2):
            size = {"num_hops": hops, "num_neighbor": 9, "max_num_vertices": 12}
            uniform, weighed = (f"contrib.dgl_csr_neighbor_{k}_sample" for k in ("uniform", "non_uniform"))
            yield Call(uniform, (graph, some), {"num_args": 2, **size})
            yield Call(uniform, (graph, other, some), {"num_args": 3, **size})
            yield Call(weighed, (graph, chances, some), {"num_args": 3, **size})
        for count in (1, 4):
            ends = tuple(dense(count, kind="rows", dtype="int64", below=n) for _ in range(2))
            yield Call("contrib.edge_id", (graph, *ends))


def _weights() -> Iterator[Call]:
    """Rows of weights: looked up, and updated without a decay (which MXNet refuses for `adagrad`)."""
    for density, shape, kind in (
        (1.0, (3,), ROWS),
        (1.0, (2, 2), ROWS),
        (1.0, (4, 1), ROWS),
        (1.0, (5,), DENSE),
    ):
        weight = Stored(kind, (5, 2), density=density)
        size = {"input_dim": 5, "output_dim": 2}
        yield Call("contrib.SparseEmbedding", (dense(*shape, kind="rows", below=5), weight), size)
        yield Call("contrib.SparseEmbedding", (dense(*shape, kind="rows", below=5), weight), size, grad=(1,))
    for weight, state in itertools.product((DENSE, ROWS), repeat=2):
        for share, options in (
            (0.6, {}),
            (1.0, {"epsilon": 0.5}),
            (0.6, {"rescale_grad": 0.5, "clip_gradient": 0.2}),
            (0.0, {}),
        ):
            inputs = (
                Stored(weight, (5, 3), density=1.0, kind="positive"),
                rows(5, 3, density=share, kind="normal"),
                Stored(state, (5, 3), density=1.0, kind="positive"),
            )
            yield Call("sparse.adagrad_update", inputs, {"lr": 0.1, **options}, out=0, state=(2,))


TABLES = (_unary, _scalar, _binary, _products, _reductions, _parts, _updates, _graphs, _weights)
CALLS: list[Call] = [call for table in TABLES for call in table()]

# Names of calls whose answers differ on purpose, and why.
DIFFERENCES: dict[str, str] = {
    "nag_mom_update|*": "with out=weight MXNet computes the state from the new weight",
    "abs|row*grad(0,)()row": "gradients store rows that are not zero",
    "square|row*grad(0,)()row": "gradients store rows that are not zero",
    "elemwise_mul|row*grad(0,1)()row": "gradients store rows that are not zero",
    "contrib.dgl_graph_compact|*return_mapping=True*": "MXNet never writes the graph's own numbers of edges",
}


def reason(call: Call) -> str:
    """Why mixgrad answers differently; empty where it must not."""
    return next((why for pattern, why in DIFFERENCES.items() if fnmatchcase(call.name, pattern)), "")


def answers(mx: Any, calls: list[Call]) -> dict[str, dict[str, Array]]:
    """What the library says to each call."""
    results = {}
    for call in calls:
        try:
            results[call.name] = run(mx, call)
        except Exception:
            results[call.name] = {"error": np.array(1)}
    return results


def plain(answer: dict[str, Array]) -> dict[str, Array]:
    """Without what has no meaning: the order of stored rows and columns, rows stored twice, room behind."""
    result = dict(answer)
    for key in answer:
        if not key.endswith(".indices"):
            continue
        numbers, starts = answer[key], answer.get(key.replace("indices", "indptr"))
        if starts is None:
            result[key] = np.unique(numbers)
            continue
        if starts.size == 0:
            starts = np.zeros(answer[key[: -len(".indices")]].shape[0] + 1, starts.dtype)
        result[key.replace("indices", "indptr")] = starts
        result[key] = np.concatenate(
            [[], *(np.sort(numbers[a:b]) for a, b in zip(starts, starts[1:]))]
        ).astype(numbers.dtype)
    return result


def compared(ours: dict[str, Array], theirs: dict[str, Array]) -> str:
    """What differs; empty where nothing does."""
    if "error" in theirs:
        return ""
    if "error" in ours:
        return "refused"
    ours, theirs = plain(ours), plain(theirs)
    for key in theirs:
        if key not in ours:
            return f"{key} is not there"
        mine, real = ours[key], theirs[key]
        if real.dtype.kind == "U":
            if mine != real:
                return f"{key} is {mine}, not {real}"
            continue
        if mine.shape != real.shape or mine.dtype != real.dtype:
            return f"{key} is {mine.shape} {mine.dtype}, not {real.shape} {real.dtype}"
        tolerance = 2e-3 if real.dtype == np.float16 else 2e-5 if real.dtype.kind == "f" else 0
        if not np.allclose(
            mine.astype("float64"), real.astype("float64"), tolerance, tolerance, equal_nan=True
        ):
            return f"{key} differs"
    return ""


def problems(mx: Any) -> list[str]:
    """Calls that mixgrad answers otherwise without a reason, and reasons without a difference."""
    theirs, wrong, used = load(FILE), [], set()
    for call in CALLS:
        if call.name not in theirs:
            continue  # MXNet's process died of it
        found = compared(answers(mx, [call])[call.name], theirs[call.name])
        why = reason(call)
        if found and not why:
            wrong.append(f"{call.name}: {found}")
        if found:
            used.add(why)
    return wrong + [f"no difference: {p}" for p, why in DIFFERENCES.items() if why not in used]


def _aside(mx: Any, calls: list[Call], path: Path) -> bool:
    """Asks in a process of its own; False where that died."""
    child = os.fork()
    if child == 0:
        save(path, answers(mx, calls))
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def write(add: bool = False) -> None:
    """Ask MXNet; each operator has a process, and each call where that dies. `add` keeps what is there."""
    import mxnet as mx

    results: dict[str, dict[str, Array]] = load(FILE) if add else {}
    by_op: dict[str, list[Call]] = {}
    for call in CALLS:
        if call.name not in results:
            by_op.setdefault(call.op, []).append(call)
    with TemporaryDirectory() as folder:
        part = Path(folder) / "part.npz"
        for calls in by_op.values():
            groups = [calls] if _aside(mx, calls, part) else [[call] for call in calls]
            for group in groups:
                if len(groups) > 1 and not _aside(mx, group, part):
                    print(f"{group[0].name}: the process died")
                    continue
                results.update(load(part))
    save(FILE, {call.name: results[call.name] for call in CALLS if call.name in results})
    refused = [name for name, answer in results.items() if "error" in answer]
    print(f"{len(results)} calls of {len(CALLS)}, {len(refused)} refused, {FILE.stat().st_size} bytes")
    if "--refused" in sys.argv:
        print("\n".join(refused))


if __name__ == "__main__":
    write("--add" in sys.argv)
