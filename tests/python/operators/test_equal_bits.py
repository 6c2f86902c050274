"""Equal bits with 1, 2, 3, 4 and 8 threads: operators, random calls, training (docs/reproducibility.md)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mixgrad as mx


def compare(*what: str, least: int, engine: str, **environment: str) -> None:
    script = Path(__file__).parents[1] / "equal_bits.py"
    ran = subprocess.run(
        [sys.executable, str(script), *what],
        env={**os.environ, "MIXGRAD_ENGINE": engine, **environment},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    *differing, last = ran.stdout.splitlines() or [""]
    assert ran.returncode == 0 and last.endswith(" compared"), ran.stdout + ran.stderr
    assert int(last.split()[0]) >= least, last
    assert differing == []


def test_all_cases_divided() -> None:
    compare("cases", least=4000, engine="serial", MIXGRAD_DIVIDE_ALL="1")


@pytest.mark.parametrize("engine, seed", [("serial", "1"), ("threaded", "2")])
def test_random_calls(engine: str, seed: str) -> None:
    compare("shapes", seed, least=100, engine=engine)


@pytest.mark.parametrize("engine", ["serial", "threaded"])
@pytest.mark.parametrize("network, steps", [("small-resnet", "4"), ("lstm", "20"), ("transformer", "20")])
def test_training(network: str, steps: str, engine: str) -> None:
    compare("training", network, steps, least=1, engine=engine)


def test_switch() -> None:
    assert not mx.is_deterministic()
    with mx.deterministic(True):
        assert mx.is_deterministic()
        with mx.deterministic(False):
            assert not mx.is_deterministic()
        assert mx.is_deterministic()
    assert not mx.is_deterministic()
    mx.deterministic()
    assert mx.is_deterministic()
    mx.deterministic(False)
    assert not mx.is_deterministic()
