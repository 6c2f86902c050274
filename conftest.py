"""What every test and every example of a docstring starts from."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest


def pytest_collection_finish() -> None:
    """Collections of garbage look at what tests make, and not at the some 30,000 tests: a call then takes
    milliseconds in place of half a second."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _unrecorded() -> Iterator[None]:
    """Nothing is recorded: a module of ``mx.nn`` turns recording on, which other tests do not expect."""
    yield
    mode = sys.modules.get("mixgrad.nn.grad_mode")
    if mode is not None:
        mode._forget()
