"""A short run of tests/soak/flat_iterators.py."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from soak import flat_iterators


@pytest.mark.parametrize("kind", sorted(flat_iterators.KINDS))
def test_passes_leave_memory_flat(kind: str) -> None:
    if kind in flat_iterators.PACKAGES:
        pytest.importorskip(flat_iterators.PACKAGES[kind])
    # A process of its own: here, memory of other tests comes and goes.
    command = [sys.executable, flat_iterators.__file__, kind]
    environment = {**os.environ, **flat_iterators.ENVIRONMENT}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_counts_as_growth() -> None:
    mib = 1 << 20
    assert not flat_iterators.grows([0] * 20, mib // 4)
    assert not flat_iterators.grows([0] * 11 + [5 * mib] * 9, mib // 4)  # one step
    assert not flat_iterators.grows([i % 3 * mib for i in range(20)], mib // 4)  # up and down
    assert flat_iterators.grows([i * mib // 10 for i in range(20)], mib // 4)  # 100 KiB in each pass
    assert flat_iterators.grows([0] * 10 + [20 * mib] * 10, mib // 4)
