"""A short run of tests/soak/flat_iterators.py."""

from __future__ import annotations

import subprocess
import sys

import pytest
from soak import flat_iterators


@pytest.mark.parametrize("kind", sorted(flat_iterators.KINDS))
def test_ten_passes_leave_memory_flat(kind: str) -> None:
    if kind in flat_iterators.PACKAGES:
        pytest.importorskip(flat_iterators.PACKAGES[kind])
    # A process of its own: here, memory of other tests comes and goes.
    done = subprocess.run(
        [sys.executable, flat_iterators.__file__, kind], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
