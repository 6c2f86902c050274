"""Training code gives what real MXNet 1.9.1 gave (tests/training/golden.json.gz)."""

from __future__ import annotations

import json
import math
from typing import Any, Callable

import pytest
from training import golden

import mixgrad as mx

ALL = list(golden.scenarios())
ANSWERS = golden.load()


def check(got: Any, wanted: Any, tolerance: float, where: str) -> None:
    if isinstance(wanted, dict):
        assert isinstance(got, dict) and sorted(got) == sorted(wanted), where
        for key in wanted:
            check(got[key], wanted[key], tolerance, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(got, list) and len(got) == len(wanted), f"{where}: {got} for {wanted}"
        for i, (a, b) in enumerate(zip(got, wanted)):
            check(a, b, tolerance, f"{where}[{i}]")
    elif isinstance(wanted, float) and not isinstance(got, (str, type(None))):
        near = math.isclose(got, wanted, rel_tol=tolerance, abs_tol=tolerance * 0.1)
        assert near or (math.isnan(got) and math.isnan(wanted)) or got == wanted, (
            f"{where}: {got} for {wanted}"
        )
    else:
        assert got == wanted, where


@pytest.mark.parametrize(("name", "function", "tolerance"), ALL, ids=[name for name, _, _ in ALL])
def test_equals_mxnet(name: str, function: Callable[[Any], Any], tolerance: float) -> None:
    got = json.loads(json.dumps(function(mx)))
    check(got, ANSWERS[name], tolerance, name)


def test_every_answer_has_a_scenario() -> None:
    assert sorted(ANSWERS) == sorted(name for name, _, _ in ALL)
