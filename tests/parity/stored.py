"""What a call on sparse arrays is: how its inputs are stored, and how what comes out is."""

from __future__ import annotations

import itertools
import zlib
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from .case import Array
from .runner import find

DENSE, CSR, ROWS = "default", "csr", "row_sparse"


@dataclass(frozen=True)
class Stored:
    """An input: its storage type, shape, dtype, the share of its elements (csr) or rows that are stored, and
    what they are: ``normal``, ``unit`` (between 0 and 1), ``positive``, ``rows`` (numbers of rows, below
    ``below``), ``distinct`` (of which none comes twice) or ``edges`` (numbers of a graph's edges)."""

    stype: str
    shape: tuple[int, ...]
    dtype: str = "float32"
    density: float = 0.5
    kind: str = "unit"
    below: int = 4

    def text(self) -> str:
        """Short, for names."""
        shape = "x".join(map(str, self.shape))
        short = {"float32": ""}.get(self.dtype, self.dtype)
        return f"{self.stype[:3]}{shape}{short}{'' if self.density == 0.5 else self.density}{self.kind[0]}"

    def build(self, seed: int) -> Array:
        """All elements, with the same numbers on every NumPy."""
        random = np.random.RandomState(seed)
        if self.kind == "rows":
            return random.randint(0, self.below, self.shape).astype(self.dtype)
        if self.kind == "distinct":
            return np.sort(random.permutation(self.below)[: self.shape[0]]).astype(self.dtype)
        if self.kind == "edges":
            there = (random.uniform(0, 1, self.shape) < self.density) & ~np.eye(*self.shape, dtype=bool)
            return (np.cumsum(there).reshape(self.shape) * there).astype(self.dtype)
        data = {"normal": random.standard_normal, "unit": lambda s: random.uniform(-0.9, 0.9, s)}.get(
            self.kind, lambda s: random.uniform(0.5, 2.0, s)
        )(self.shape)
        if not self.dtype.startswith("float"):
            data = np.round(data * 5)
        if self.stype != DENSE and data.size:
            where = self.shape if self.stype == CSR else (self.shape[0], *[1] * (len(self.shape) - 1))
            data = data * (random.uniform(0, 1, where) < self.density)
        return np.asarray(data).astype(self.dtype)


def csr(*shape: int, **rest: Any) -> Stored:
    """A csr matrix."""
    return Stored(CSR, shape, **rest)


def rows(*shape: int, **rest: Any) -> Stored:
    """A row_sparse array."""
    return Stored(ROWS, shape, **rest)


def dense(*shape: int, **rest: Any) -> Stored:
    """A dense array."""
    return Stored(DENSE, shape, **rest)


@dataclass(frozen=True)
class Call:
    """A call, as case.Case has it; ``grad``: inputs with gradients, and ``stypes`` how these are stored."""

    op: str
    inputs: tuple[Stored, ...]
    params: dict[str, Any] = field(default_factory=dict)
    args: tuple[Any, ...] = ()
    grad: tuple[int, ...] = ()
    stypes: tuple[str | None, ...] = ()
    head: str = DENSE  # storage type of the gradient that arrives
    out: Stored | int | None = None  # an array of its own, or one of the inputs
    state: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """Unique and readable."""
        params = ",".join(f"{k}={v}".replace(" ", "") for k, v in self.params.items())
        args = ",".join(str(a).replace(" ", "") for a in self.args)
        out = "" if self.out is None else f"out={self.out if isinstance(self.out, int) else self.out.text()}"
        grad = f"grad{self.grad}{self.stypes}{self.head[:3]}".replace(" ", "") if self.grad else ""
        parts = [self.op, ",".join(i.text() for i in self.inputs), args, params, out, grad]
        return "|".join(p for p in parts if p)


def stored(mx: Any, spec: Stored, seed: int) -> Any:
    """The input as an array."""
    made = mx.nd.array(spec.build(seed), dtype=spec.dtype)
    return made if spec.stype == DENSE else made.tostype(spec.stype)


def described(array: Any, key: str) -> dict[str, Array]:
    """Everything about an array."""
    result = {key: array.asnumpy(), f"{key}.stype": np.array(array.stype)}
    if array.stype != DENSE:
        result[f"{key}.indices"] = array.indices.asnumpy()
    if array.stype == CSR:
        result[f"{key}.indptr"] = array.indptr.asnumpy()
    return result


COMPACT = "contrib.dgl_graph_compact"


def _clear(samples: list[Any]) -> None:
    """Zeros in the places of vertices that are not there: MXNet writes nothing."""
    vertices = [i for i in samples if i.stype == DENSE and i.shape[0] > samples[-1].shape[0]]
    for i, sample in enumerate(samples):
        if sample.stype == DENSE:
            count = int(vertices[i % len(vertices)].asnumpy()[-1])
            sample[count : samples[-1].shape[0]] = 0


def _compacted(mx: Any, graph: Any, *seeds: Any, return_mapping: bool, hops: int) -> Any:
    """The sampled neighbourhoods of a graph without the vertices that no edge reaches."""
    size = graph.shape[0] + 2
    made = mx.nd.contrib.dgl_csr_neighbor_uniform_sample(
        graph,
        *seeds,
        num_args=1 + len(seeds),
        num_hops=hops,
        num_neighbor=size,
        max_num_vertices=size,
    )
    vertices, parts = made[: len(seeds)], made[len(seeds) : 2 * len(seeds)]
    return mx.nd.contrib.dgl_graph_compact(
        *parts,
        *vertices,
        graph_sizes=tuple(int(v.asnumpy()[-1]) for v in vertices),
        return_mapping=return_mapping,
    )


def run(mx: Any, call: Call) -> dict[str, Array]:
    """The answer to a call; raises what the call raises."""
    seed = zlib.crc32(call.name.encode()) % (1 << 31)
    arrays = [stored(mx, spec, seed + i) for i, spec in enumerate(call.inputs)]
    params = dict(call.params)
    if isinstance(call.out, int):
        params["out"] = arrays[call.out]
    elif call.out:
        params["out"] = stored(mx, call.out, seed + 100)
    function = partial(_compacted, mx) if call.op == COMPACT else find(mx, call.op)
    for i, stype in zip(call.grad, call.stypes or itertools.repeat(None)):
        arrays[i].attach_grad(stype=stype)
    if call.grad:
        with mx.autograd.record():
            made = function(*arrays, *call.args, **params)
        heads = np.random.RandomState(seed + 50).uniform(-1, 1, made.shape)
        head = mx.nd.array(heads, dtype=made.dtype)
        made.backward(head if call.head == DENSE else head.tostype(call.head))
    else:
        made = function(*arrays, *call.args, **params)
    results: dict[str, Array] = {}
    if "neighbor" in call.op:
        _clear(made)
    for i, array in enumerate(made if isinstance(made, (list, tuple)) else [made]):
        if not hasattr(array, "stype"):
            results[f"out{i}"] = np.asarray(array)
            continue
        results.update(described(array, f"out{i}"))
    for i in call.grad:
        results.update(described(arrays[i].grad, f"grad{i}"))
    for i in call.state:
        results.update(described(arrays[i], f"state{i}"))
    return results
