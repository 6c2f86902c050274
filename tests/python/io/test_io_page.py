"""docs/io.md: its examples run as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "io.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_example(number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("h5py", "pyarrow"):
        if f"import {package}" in BLOCKS[number]:
            pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    exec(compile(BLOCKS[number], f"docs/io.md, example {number}", "exec"), {})


def test_there_are_examples() -> None:
    assert len(BLOCKS) >= 5
