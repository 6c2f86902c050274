"""docs/nn.md: its examples run and give what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "nn.md"


def test_examples_of_the_page() -> None:
    failed, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE, verbose=False
    )
    assert tried > 30
    assert failed == 0
