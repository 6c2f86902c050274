"""A short run of tests/soak/flat_iterators.py."""

from __future__ import annotations

import pytest
from soak import flat_iterators


@pytest.mark.parametrize("kind", sorted(flat_iterators.KINDS))
def test_ten_passes_leave_memory_flat(kind: str) -> None:
    if kind in flat_iterators.PACKAGES:
        pytest.importorskip(flat_iterators.PACKAGES[kind])
    assert flat_iterators.measure(kind, 10) == 0
