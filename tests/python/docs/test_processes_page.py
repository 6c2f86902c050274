"""docs/processes.md: its examples run, one after another."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).parents[3] / "docs" / "processes.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


@pytest.mark.timeout(120)
def test_examples() -> None:
    assert len(BLOCKS) == 7
    names: dict[str, Any] = {}
    for number, block in enumerate(BLOCKS):
        exec(compile(block, f"docs/processes.md, example {number}", "exec"), names)
