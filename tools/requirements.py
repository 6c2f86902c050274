"""Print what pyproject.toml requires, one requirement a line, for `pip install -r`.

Usage: requirements.py [build] [run] [EXTRA ...]: `build` names the build system's requirements, `run` the
package's own. They are installed before pip builds mixgrad without isolation, which reuses one build tree.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    from pip._vendor import tomli as tomllib


def requirements(groups: list[str], pyproject: dict[str, Any]) -> list[str]:
    """The requirements of the named groups; a reference such as mixgrad[io,demo] becomes what it names."""
    project = pyproject["project"]
    found: list[str] = []
    for group in groups:
        if group == "build":
            lines = [*pyproject["build-system"]["requires"], *project["optional-dependencies"]["build"]]
        elif group == "run":
            lines = project["dependencies"]
        else:
            lines = project["optional-dependencies"][group]
        for line in lines:
            own = re.fullmatch(rf"{project['name']}\[([\w, -]+)\]", line)
            found += requirements(re.split(r",\s*", own.group(1)), pyproject) if own else [line]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    text = (Path(__file__).resolve().parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    print("\n".join(requirements(sys.argv[1:], tomllib.loads(text))))
