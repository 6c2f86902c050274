"""docs/watching.md: its block runs as printed, and writes what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "watching.md"


def test_page_runs_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block.replace("/tmp/", f"{tmp_path}/"), names)
    assert names["step"] == 24 and "<path" in (tmp_path / "runs" / "loss.svg").read_text()
    (file,) = (tmp_path / "runs" / "first").iterdir()
    assert file.read_bytes().count(b"loss") == 24 and b"weight/first" in file.read_bytes()
