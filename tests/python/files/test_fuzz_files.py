"""A short run of tests/soak/fuzz_params.py."""

from __future__ import annotations

from soak import fuzz_params


def test_damaged_files_are_refused_or_loaded() -> None:
    counts = fuzz_params.run(3000, seed=2)
    assert counts["refused"] > 1000
    assert counts["accepted"] > 100
