"""mx.image gives what MXNet 1.9.1 gives: answers of the real one, kept in answers.npz."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

import numpy as np
import pytest
from image import answers

import mixgrad as mx


@pytest.fixture(scope="module")
def kept() -> Iterator[Any]:
    yield answers.kept()


@pytest.mark.parametrize("family", answers.ALL, ids=lambda family: family.__name__)
def test_answers(family: Callable[[Any], Iterator[answers.Answer]], kept: dict[str, Any]) -> None:
    count = 0
    for name, off, answer in family(mx):
        found, expected = answers.numbers(answer), kept[name]
        count += 1
        if expected.dtype.kind == "U":
            assert str(found) == str(expected), name
            continue
        assert found.shape == expected.shape, name
        assert found.dtype.kind == expected.dtype.kind, name
        difference = np.abs(found.astype(np.float64) - expected.astype(np.float64))
        assert difference.max(initial=0) <= off, f"{name}: off by {difference.max()}"
    assert count >= 10


def test_every_answer_is_asked_for(kept: dict[str, Any]) -> None:
    names = [name for family in answers.ALL for name, _, _ in family(mx)]
    assert sorted(names) == sorted(kept)
