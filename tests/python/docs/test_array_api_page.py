"""docs/array-api.md: its examples run and give what the page says, and its counts are those of the tree."""

from __future__ import annotations

import doctest
from pathlib import Path

import array_api_strict

from mixgrad import array_api

PAGE = Path(__file__).resolve().parents[3] / "docs" / "array-api.md"


def test_examples_of_the_page() -> None:
    failed, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False
    )
    assert tried > 4
    assert failed == 0


def test_counts_of_the_page() -> None:
    own = [name for name in array_api_strict.__all__ if "trict" in name or name in ("Device", "__version__")]
    names = set(array_api_strict.__all__) - set(own) - {"fft", "linalg"}
    there = names & set(array_api.__all__)
    linalg = set(array_api_strict.linalg.__all__)
    assert linalg == linalg & set(array_api.linalg.__all__)
    text = PAGE.read_text()
    assert f"{len(names)} names of the main namespace {len(there)} are there" in " ".join(text.split())
    assert f"all {len(linalg)} of `linalg`" in text
