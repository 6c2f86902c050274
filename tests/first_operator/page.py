"""The files that docs/first-operator.md shows.

page.py FOLDER   write the sources among them there and print their paths, for CMake
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "first-operator.md"
_FILE = re.compile(r"^`([\w/.]+)` <!-- absent -->\n```(?:cpp|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_USE = re.compile(r"^Use it:\n```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def files() -> dict[str, str]:
    """Text by path: what a reader types in."""
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


def uses() -> list[str]:
    """The programs that use the operators."""
    return _USE.findall(PAGE.read_text(encoding="utf-8"))


def write_sources(folder: Path) -> list[Path]:
    """Writes the sources that have changed, so that a build does again what it must."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, text in files().items():
        if not name.endswith(".cc"):
            continue
        path = folder / Path(name).name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


if __name__ == "__main__":
    print(";".join(path.as_posix() for path in write_sources(Path(sys.argv[1]))), end="")
