"""What every test starts from."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import numpy as np
import pytest

import mixgrad as mx


@pytest.fixture(autouse=True)
def _seeded() -> Iterator[None]:
    """The same start whatever ran before: a test that passes alone passes in company."""
    mx.random.seed(0)
    np.random.seed(0)  # noqa: NPY002  (iterators shuffle with it, as MXNet's do)
    yield
    # A failure that a test provoked and did not wait for is not the next one's.
    with contextlib.suppress(mx.MXNetError):
        mx.nd.waitall()
