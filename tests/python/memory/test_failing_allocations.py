"""One allocation fails, or all from one on: an error, then the same results, and no process ends."""

from __future__ import annotations

import shutil
import sys

import pytest
from allocation.points import count_points, try_points
from allocation.scenarios import SCENARIOS

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("g++") is None,
    reason="needs g++ and a loader that preloads",
)

SINGLE, LASTING = 14, 6  # points per scenario; tests/soak/failing_allocations.py tries them all


def spread(last: int, count: int) -> list[int]:
    """That many numbers from 1 to `last`, evenly."""
    return sorted({1 + round(i * (last - 1) / (count - 1)) for i in range(count)})


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_errors_and_the_same_results_afterwards(scenario: str) -> None:
    last = count_points(scenario)
    single, lasting = spread(last, SINGLE), spread(last, LASTING)
    outcome = try_points(scenario, [(n, False) for n in single] + [(n, True) for n in lasting])
    assert not outcome.failures, "\n".join(outcome.failures)
    assert outcome.counts["error"] > len(lasting)  # the points were reached


def test_import_fails_with_an_error() -> None:
    last = count_points("import")
    points = [(n, False) for n in spread(last, 8)] + [(n, True) for n in spread(last, 4)]
    outcome = try_points("import", points)
    assert not outcome.failures, "\n".join(outcome.failures)
    assert outcome.counts["error"] > 4
