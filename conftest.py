"""What every test and every example of a docstring starts from."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _unrecorded() -> Iterator[None]:
    """Nothing is recorded: a module of ``mx.nn`` turns recording on, which other tests do not expect."""
    yield
    mode = sys.modules.get("mixgrad.nn.grad_mode")
    if mode is not None:
        mode._forget()
