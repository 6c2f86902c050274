"""Inference of every operator's cases: complete inputs give what a call gives, and whatever is left unknown
never leads to a wrong shape or an error.
"""

from __future__ import annotations

from typing import Any, Optional

import pytest
from test_operators import CASES, NAMES, Run

from mixgrad import _core

# Operators that assume the usual shape or dtype of an input, as in MXNet: of labels, of slopes per channel,
# of lengths, and of values to choose from.
GUESSING = {"CTCLoss", "LeakyReLU", "RNN", "SVMOutput", "Softmax", "SoftmaxOutput", "softmax_cross_entropy"}
GUESSING |= {"SequenceLast", "SequenceMask", "SequenceReverse", "_sequence_last_place", "softmax", "where"}
ARGUMENTS, OUTPUTS, STATES = range(3)
Shape = Optional[list[int]]


class Node:
    """A case as a symbol over variables x0, x1, ..."""

    def __init__(self, run: Run) -> None:
        case, info = run.case, run.operator.info
        count = len(run.values)
        self.names = [f"x{i}" for i in range(count)]
        variables = [_core.symbol_variable(name, []) for name in self.names]
        params = list(case.params.items())
        self.handle = _core.symbol_call(info["name"], "node", [None] * count, variables, params, [])

    def infer(self, shapes: list[Shape], dtypes: list[int]) -> tuple[list[Any], list[Any]]:
        """Shapes and dtypes of the inputs, then of the outputs."""
        found = self.handle.infer(self.names, shapes, dtypes)
        arguments, outputs, states = (found.part(part) for part in (ARGUMENTS, OUTPUTS, STATES))
        results = []
        for field in (1, 2):
            by_name = dict(zip(arguments[0], arguments[field])) | dict(zip(states[0], states[field]))
            results.append([by_name[name] for name in self.names] + list(outputs[field]))
        return results[0], results[1]


def fits(shape: Any, true: tuple[int, ...]) -> bool:
    """Whether what is known of a shape is so."""
    return shape is None or (len(shape) == len(true) and all(e in (-1, t) for e, t in zip(shape, true)))


def is_open(case: Any) -> bool:
    """Whether the shape that a case gives as parameter has a 0, which in a graph is not known."""
    shape = case.params.get("shape")
    makes = case.op in ("_zeros", "_ones", "_full") or case.op.startswith("_random_")
    return makes and (shape == 0 or (isinstance(shape, (tuple, list)) and 0 in shape))


CHECKED = [c for c in CASES if not c.fails and not is_open(c)]


@pytest.mark.parametrize("case", CHECKED, ids=lambda c: c.id)
def test_inference(case: Any) -> None:
    run = Run(case, case.dtypes[0])
    outputs = run.call(run.arrays())
    node = Node(run)
    shapes: list[Shape] = [list(v.shape) for v in run.values]
    dtypes = [next(number for number, name in NAMES.items() if name == d) for d in run.dtypes]
    truth = [tuple(v.shape) for v in run.values] + [o.shape for o in outputs]
    types = dtypes + [o._dtype_number for o in outputs]
    found, found_types = node.infer(shapes, dtypes)
    assert found == truth
    assert found_types == types

    def check(partial: list[Shape], partial_types: list[int]) -> None:
        got, got_types = node.infer(partial, partial_types)
        first = len(shapes) if case.op in GUESSING else 0
        assert all(fits(g, t) for g, t in zip(got[first:], truth[first:])), (partial, got, truth)
        pairs = list(zip(got_types, types))[first:]
        assert all(g in (-1, t) for g, t in pairs), (partial_types, got_types, types)

    if run.operator.info["has"]["gradient"]:
        # The gradient pass and the passes after it give a whole graph, which the library checks.
        text = node.handle.dump_graph(node.names, shapes, dtypes, True)
        assert text.startswith("# infer")

    unknown: list[Shape] = [None] * len(shapes)
    check(unknown, [-1] * len(dtypes))
    check([[-1] * len(s) for s in shapes if s is not None], dtypes)
    for i, shape in enumerate(shapes):
        check([*shapes[:i], None, *shapes[i + 1 :]], [*dtypes[:i], -1, *dtypes[i + 1 :]])
        check([*unknown[:i], shape, *unknown[i + 1 :]], dtypes)
        for axis in range(len(shape or [])):
            part = list(shape or [])
            part[axis] = -1
            check([*shapes[:i], part, *shapes[i + 1 :]], dtypes)
