"""How many of MXNet's answers are kept for each operator that it registers.

The answers lie in golden.npz (cases.py), sparse.npz (sparse.py), quantized_rnn.npz and programs.npz
(programs.py). A call counts for what real MXNet runs when it gets it: `operator.add` of two arrays is
`broadcast_add`, of an array and a number `_plus_scalar`. Refusals, and cases that mixgrad answers differently
on purpose, do not count.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

from . import op_names, programs, quantized_rnn, sparse
from .cases import CASES, known
from .op_names import groups
from .store import load

LEAST = 5

# Operators that have fewer, and why.
GPU = "MXNet has it on GPUs alone, and the answers are asked of a CPU"
PICTURES = "decodes files: the answers of `mx.image` lie beside its tests"
FEW = {
    **dict.fromkeys(("_contrib_count_sketch", "_contrib_fft", "_contrib_ifft"), GPU),
    **dict.fromkeys(("_cvimdecode", "_cvimread", "_imdecode"), PICTURES),
}

# What Python's operators of arrays run: with an array on both sides, and with a number.
OPERATORS = {
    "add": ("broadcast_add", "_plus_scalar"),
    "sub": ("broadcast_sub", "_minus_scalar"),
    "mul": ("broadcast_mul", "_mul_scalar"),
    "truediv": ("broadcast_div", "_div_scalar"),
    "mod": ("broadcast_mod", "_mod_scalar"),
    "pow": ("broadcast_power", "_power_scalar"),
    "eq": ("broadcast_equal", "_equal_scalar"),
    "ne": ("broadcast_not_equal", "_not_equal_scalar"),
    "gt": ("broadcast_greater", "_greater_scalar"),
    "ge": ("broadcast_greater_equal", "_greater_equal_scalar"),
    "lt": ("broadcast_lesser", "_lesser_scalar"),
    "le": ("broadcast_lesser_equal", "_lesser_equal_scalar"),
    "neg": ("", "negative"),
    "abs": ("", "abs"),
}

# What functions written in Python run.
FUNCTIONS = {
    "arange": "_arange",
    "eye": "_eye",
    "full": "_full",
    "linspace": "_linspace",
    "ones": "_ones",
    "zeros": "_zeros",
    "maximum": "broadcast_maximum",
    "modulo": "broadcast_mod",
    "onehot_encode": "_onehot_encode",
    "split_v2": "_split_v2",
    "random.multinomial": "_sample_multinomial",
    "random.shuffle": "_shuffle",
    "random.randint": "_random_randint",
    "sparse.retain": "_sparse_retain",
}

# Functions and methods that run nothing registered, or one of several by what they get.
NO_OPERATOR = {"operator.getitem"} | {
    f"method.{name}" for name in ("asnumpy", "astype", "copy", "reshape", "tostype")
}


@cache
def first_names() -> dict[str, str]:
    """The first name of the operator by each name that MXNet registers."""
    return {name: group[0] for group in groups() for name in group}


def registered(op: str, arrays: int) -> str:
    """The name under which MXNet registers what a call runs; empty for what NO_OPERATOR holds."""
    module, _, rest = op.partition(".")
    if op in NO_OPERATOR:
        return ""
    if module == "operator":
        return OPERATORS[rest][arrays < 2]
    if op in FUNCTIONS:
        return FUNCTIONS[op]
    if module == "random":
        op = f"_sample_{rest}" if arrays and not rest.endswith("_like") else f"_random_{rest}"
    elif rest:
        op = {"method": rest, "sparse": f"_sparse_{rest}"}.get(module, f"_{module}_{rest}")
    if op not in first_names():
        raise ValueError(f"no operator of MXNet is called {op}")
    return op


def counts() -> dict[str, int]:
    """The number of cases of each operator, by the first of its names."""
    found = Counter(
        registered(case.op, len(case.inputs)) for case in CASES if not case.error and not known(case)
    )
    stored = load(sparse.FILE)
    found.update(
        registered(call.op, len(call.inputs))
        for call in sparse.CALLS
        if "error" not in stored.get(call.name, {"error": None}) and not sparse.reason(call)
    )
    found.update(p.op for p in programs.PROGRAMS if p.name not in programs.DIFFERENCES)
    found["_contrib_quantized_rnn"] += len(quantized_rnn.CALLS)
    result = dict.fromkeys((group[0] for group in groups()), 0)
    for name, count in found.items():
        if name:
            result[first_names()[name]] += count
    return result


def problems() -> list[str]:
    """Operators that mixgrad has with too few cases, and reasons in FEW that are none."""
    here, counted, wrong = op_names.known(), counts(), []
    for group in groups():
        count = counted[group[0]]
        if any(name in here for name in group) and count < LEAST and group[0] not in FEW:
            wrong.append(f"{group[0]}: {count} cases of {LEAST}")
        if group[0] in FEW and count >= LEAST:
            wrong.append(f"{group[0]} is in FEW and has {count} cases")
    return wrong
