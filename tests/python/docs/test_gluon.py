"""docs/gluon.md: its blocks run one after the other as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "gluon.md"


def test_page_runs_as_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 5
    names: dict[str, object] = {}
    for block in blocks:
        exec(block.replace("/tmp/", f"{tmp_path}/"), names)
    loss, digits, shown = capsys.readouterr().out.splitlines()
    assert float(loss) < 0.2
    right, rest = digits.split(" ", 1)
    assert float(right) > 0.9 and rest == "of the held-out digits are right"
    assert shown == "(90, 8) ['res_scale', 'res_dense0_weight', 'res_dense0_bias']"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["net-0001.params", "net-symbol.json"]
