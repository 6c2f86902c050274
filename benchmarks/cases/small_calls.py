"""The calls that scripts make most, on small arrays: what each costs beside PyTorch and NumPy."""

from __future__ import annotations

import importlib
from typing import Any, Optional

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import integers, uniform

COUNT = 100

# Title, then the statement of mixgrad, of PyTorch and of NumPy: "" where it is mixgrad's, None without one.
# `a` and `b` are (4, 4), `v` and `p` have 4 elements, `x` is (8, 3, 4), `i4` holds 4 indices, `one` one
# element; `n` is an array of NumPy, `lib` the library, `nd` its functions on arrays.
_Row = tuple[str, str, Optional[str], Optional[str]]

_WORDS = {
    "+": "plus",
    "-": "minus",
    "*": "times",
    "/": "over",
    ">": "above",
    "=": "is",
    ":": "to",
    "[": " at ",
    ".": " ",
    "(": " ",
    ",": " ",
    "]": "",
    ")": "",
    "'": "",
}

_INDEXING: list[_Row] = [
    ("a[i]", "y = a[2]", "", ""),
    ("a[i, j]", "y = a[2, 1]", "", ""),
    ("a[i:j]", "y = a[1:3]", "", ""),
    ("a[:, i:j]", "y = a[:, 1:3]", "", ""),
    ("a[-1]", "y = a[-1]", "", ""),
    ("a[::2]", "y = a[::2]", "", ""),
    ("a[:, None]", "y = a[:, None]", "", ""),
    ("x[..., i]", "y = x[..., 1]", "", ""),
    ("a[indices]", "y = a[i4]", "", ""),
    ("a[list]", "y = a[[0, 2]]", "", ""),
    ("a[:] = number", "a[:] = 1.0", "", ""),
    ("a[i] = number", "a[2] = 1.0", "", ""),
    ("a[i, j] = number", "a[2, 1] = 1.0", "", ""),
    ("a[i:j] = array", "a[1:3] = b[1:3]", "", ""),
    ("a[:] = array", "a[:] = b", "", ""),
    ("a[i] = row", "a[2] = v", "", ""),
]

_READING: list[_Row] = [
    ("a.shape", "y = a.shape", "", ""),
    ("a.dtype", "y = a.dtype", "", ""),
    ("a.ndim", "y = a.ndim", "", ""),
    ("a.size", "y = a.size", "y = a.numel()", ""),
    ("len(a)", "y = len(a)", "", ""),
    ("float(one)", "y = float(one)", "", "y = float(one[0])"),
    ("one.asscalar()", "y = one.asscalar()", "y = one.item()", "y = one.item()"),
    ("a.asnumpy()", "y = a.asnumpy()", "y = a.numpy().copy()", "y = a.copy()"),
    ("nd.array(numpy)", "y = nd.array(n)", "y = lib.tensor(n)", "y = lib.array(n)"),
    (
        "nd.array(list)",
        "y = nd.array([1.0, 2.0, 3.0])",
        "y = lib.tensor([1.0, 2.0, 3.0])",
        "y = lib.array([1.0, 2.0, 3.0])",
    ),
]

_MAKING: list[_Row] = [
    ("zeros", "y = nd.zeros((4, 4))", "y = lib.zeros((4, 4))", "y = lib.zeros((4, 4), 'float32')"),
    ("ones", "y = nd.ones((4, 4))", "y = lib.ones((4, 4))", "y = lib.ones((4, 4), 'float32')"),
    ("full", "y = nd.full((4, 4), 2.0)", "y = lib.full((4, 4), 2.0)", "y = lib.full((4, 4), 2.0, 'float32')"),
    ("arange", "y = nd.arange(8)", "y = lib.arange(8.0)", "y = lib.arange(8.0)"),
    ("zeros_like", "y = nd.zeros_like(a)", "y = lib.zeros_like(a)", "y = lib.zeros_like(a)"),
    ("a.copy()", "y = a.copy()", "y = a.clone()", ""),
    ("astype", "y = a.astype('float64')", "y = a.to(lib.float64)", ""),
    ("reshape", "y = a.reshape((2, 8))", "", ""),
    ("reshape of -1", "y = x.reshape((8, -1))", "", ""),
    ("transpose", "y = a.T", "", ""),
    ("expand_dims", "y = a.expand_dims(0)", "y = a.unsqueeze(0)", "y = lib.expand_dims(a, 0)"),
    ("concat of two", "y = nd.concat(a, b, dim=0)", "y = lib.cat((a, b))", "y = lib.concatenate((a, b))"),
    ("stack of two", "y = nd.stack(a, b)", "y = lib.stack((a, b))", "y = lib.stack((a, b))"),
    ("split", "y = nd.split(a, 2, axis=0)[1]", "y = lib.split(a, 2)[1]", "y = lib.split(a, 2)[1]"),
]

_ARITHMETIC: list[_Row] = [
    ("a + b", "y = a + b", "", ""),
    ("a * number", "y = a * 2", "", ""),
    ("number - a", "y = 1 - a", "", ""),
    ("a / b", "y = a / b", "", ""),
    ("a ** 2", "y = a ** 2", "", ""),
    ("-a", "y = -a", "", ""),
    ("a > 0", "y = a > 0", "", ""),
    ("a += b", "y += b", "", ""),
    ("a *= number", "y *= 1.0", "", ""),
    ("exp", "y = nd.exp(a)", "y = lib.exp(a)", "y = lib.exp(a)"),
    ("sum", "y = a.sum()", "", ""),
    ("mean along an axis", "y = a.mean(axis=1)", "y = a.mean(dim=1)", ""),
    ("max along an axis", "y = a.max(axis=0)", "y = a.amax(dim=0)", ""),
    ("argmax", "y = a.argmax(axis=1)", "y = a.argmax(dim=1)", ""),
    ("clip", "y = a.clip(-0.5, 0.5)", "", ""),
    ("dot", "y = nd.dot(a, b)", "y = lib.mm(a, b)", "y = lib.dot(a, b)"),
    ("softmax", "y = nd.softmax(a, axis=-1)", "y = lib.softmax(a, -1)", None),
    ("where", "y = nd.where(a > 0, a, b)", "y = lib.where(a > 0, a, b)", "y = lib.where(a > 0, a, b)"),
    ("take", "y = nd.take(a, i4)", "y = lib.index_select(a, 0, i4)", "y = lib.take(a, i4, 0)"),
    ("FullyConnected", "y = nd.FullyConnected(a, b, v, num_hidden=4)", "y = F.linear(a, b, v)", None),
    ("relu", "y = nd.relu(a)", "y = lib.relu(a)", "y = lib.maximum(a, 0)"),
    ("one_hot", "y = nd.one_hot(i4, 4)", "y = F.one_hot(i4, 4)", None),
]

_TRAINING: list[_Row] = [
    ("record()", "with lib.autograd.record(): pass", "with lib.enable_grad(): pass", None),
    (
        "backward of three operators",
        "with lib.autograd.record():\n  s = ((p * 2 + v) * v).sum()\ns.backward()",
        "p.grad = None\n((p * 2 + v) * v).sum().backward()",
        None,
    ),
    ("sgd_update", "nd.sgd_update(a, b, lr=0.01, out=a)", "sgd(a, b)", "a -= 0.01 * b"),
    ("a tiny executor's forward", "executor.forward()", "net(a)", None),
    ("a jit call", "y = traced(a, b)", "y = (a * 2 + b) * b", None),
    (
        "a recorded jit call and backward",
        "with lib.autograd.record():\n  s = traced(p, v)\ns.backward()",
        "p.grad = None\n((p * 2 + v) * v).sum().backward()",
        None,
    ),
]


def _names(key: str) -> dict[str, Any]:
    """What the statements may name."""
    lib = importlib.import_module(module_of(key))
    n = uniform(4, 4, seed=1)
    names = {"lib": lib, "nd": getattr(lib, "nd", lib), "n": n}
    shapes = {"a": (4, 4), "b": (4, 4), "v": (4,), "x": (8, 3, 4), "one": (1,), "p": (4,), "y": (4, 4)}
    for name, shape in shapes.items():
        names[name] = to_array(lib, uniform(*shape, seed=len(names)))
    whole = integers(4, below=4)
    names["i4"] = (
        whole
        if key == "numpy"
        else lib.tensor(whole)
        if key == "torch"
        else lib.nd.array(whole, dtype="int64")
    )
    if key == "torch":
        names["F"] = lib.nn.functional
        names["p"].requires_grad_()
        names["net"] = lib.nn.Sequential(lib.nn.Linear(4, 4), lib.nn.ReLU()).requires_grad_(False)

        def sgd(weight: Any, gradient: Any) -> None:
            weight.sub_(gradient, alpha=0.01)

        names["sgd"] = sgd
    elif key != "numpy":
        names["p"].attach_grad()
        data = lib.sym.FullyConnected(lib.sym.Variable("data"), num_hidden=4, name="fc")
        names["executor"] = lib.sym.relu(data).simple_bind(lib.cpu(), grad_req="null", data=(4, 4))
        names["traced"] = lib.jit(lambda a, b: (a * 2 + b) * b)
    return names


def _setup(key: str, statement: str) -> Setup:
    def setup() -> Call:
        names = _names(key)
        body = "\n".join(f"    {line}" for line in statement.split("\n"))
        source = f"def call({', '.join(names)}):\n  for _ in range({COUNT}):\n{body}\n  return y\n"
        globals_: dict[str, Any] = {}
        exec(compile(source, f"<{statement}>", "exec"), globals_)
        call, given = globals_["call"], list(names.values())
        wait = names["nd"].waitall if key == "mixgrad" else None

        def timed() -> Any:
            result = call(*given)
            if wait:
                wait()
            return result

        return timed

    return setup


def _case(row: _Row) -> Case:
    title, own, torch, numpy = row
    statements = {"mixgrad": own, "torch": torch, "numpy": numpy}
    setups = {key: _setup(key, text or own) for key, text in statements.items() if text is not None}
    goals = (Goal(("torch",), ratio=1 / 0.6),) + (
        (Goal(("numpy",), ratio=1 / 3),) if numpy is not None else ()
    )
    name = "_".join("".join(_WORDS.get(c, c) for c in title).split())
    return Case(f"small_{name}", title, setups, count=COUNT, unit="call", goal=tuple(goals), tolerance=None)


CASES = [_case(row) for row in _INDEXING + _READING + _MAKING + _ARITHMETIC + _TRAINING]
