"""What every test starts from."""

from __future__ import annotations

import numpy as np
import pytest

import mixgrad as mx


@pytest.fixture(autouse=True)
def _seeded() -> None:
    """The same random numbers whatever ran before: a test that passes alone passes in company."""
    mx.random.seed(0)
    np.random.seed(0)  # noqa: NPY002  (iterators shuffle with it, as MXNet's do)
