"""mixgrad against MXNet 1.9.1's answers, kept in tests/parity/golden.npz (renew: make parity-golden)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from parity import counts, functions, names, op_names, programs, second
from parity.cases import CASES, known
from parity.compare import GOLDEN, check
from parity.differences import DIFFERENCES, NOT_PROVIDED
from parity.runner import Missing, find
from parity.signatures import FILE, problems
from parity.store import load

import mixgrad as mx

ANSWERS = load(GOLDEN)
OPERATORS = sorted({case.op for case in CASES})
SIGNATURES = json.loads(FILE.read_text(encoding="utf-8"))
PAGE = Path(__file__).resolve().parents[3] / "docs" / "from-mxnet.md"


def test_golden_answers_every_case() -> None:
    assert sorted(ANSWERS) == sorted(case.name for case in CASES)


@pytest.mark.parametrize("op", OPERATORS)
def test_operator(op: str) -> None:
    """Names, dtypes, shapes, numbers, gradients and refusals are those of MXNet, or a listed difference."""
    if op in NOT_PROVIDED:
        with pytest.raises(Missing):
            find(mx, op)
        return
    wrong = []
    for case in CASES:
        if case.op == op and not known(case):
            wrong += [f"{case.name}: {text}" for text in check(mx, case, ANSWERS[case.name])]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("op", sorted(SIGNATURES))
def test_signature(op: str) -> None:
    """Aliases exist; arguments have MXNet's names, order and defaults."""
    if op not in NOT_PROVIDED:
        wrong = problems(mx, op, SIGNATURES[op])
        assert not wrong, "\n".join(wrong)


def test_page_lists_every_difference() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for difference in DIFFERENCES:
        row = f"| {difference.topic} | {difference.mxnet} | {difference.mixgrad} | {difference.reason} |"
        assert row in page, f"docs/from-mxnet.md lacks: {row}"
    for op in NOT_PROVIDED:
        assert f"`{op}`" in page


def test_functions_take_mxnets_arguments() -> None:
    both, wrong = functions.problems(mx)
    assert both > 1500
    assert wrong == []


def test_names_of_operators() -> None:
    """Each name that MXNet registers is there or left out for a reason, and the page says so."""
    assert not op_names.problems()
    assert op_names.PAGE.read_text(encoding="utf-8") == op_names.page()


def test_each_operator_has_cases() -> None:
    assert counts.problems() == []


PROGRAMS = load(programs.FILE)


@pytest.mark.parametrize("op", sorted({program.op for program in programs.PROGRAMS}))
def test_program(op: str) -> None:
    """Graphs give MXNet's outputs, gradients and states."""
    for program in programs.PROGRAMS:
        if program.op == op:
            found = programs.compared(programs.run(mx, program), PROGRAMS[program.name])
            assert bool(found) == (program.name in programs.DIFFERENCES), f"{program.name}: {found}"


@pytest.mark.parametrize("op", second.names())
def test_gradient_of_gradient(op: str) -> None:
    """Where MXNet has gradients of gradients, so has mixgrad, with the same numbers."""
    assert bool(second.problems(mx, op)) == (op in second.DIFFERENCES), second.problems(mx, op)


def test_modules_have_mxnets_names() -> None:
    count, missing = names.problems(mx)
    assert count > 500
    assert missing == []
