"""Random networks: any passes, recompute and placement give the same outputs, gradients and states."""

from __future__ import annotations

from graphs.compare import check
from hypothesis import given, settings
from hypothesis import strategies as st


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10**6), size=st.integers(1, 24))
def test_passes_change_nothing(seed: int, size: int) -> None:
    check(seed, size)
