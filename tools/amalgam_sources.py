"""The sources of a project as lines: includes, directives, and the order in which they can be joined.

The sources keep to what makes this enough: a comment of several lines begins with /* at the left margin,
and a raw string with R"(.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Directive:
    line: int
    word: str  # define, if, ifdef, ...
    rest: str


@dataclass(frozen=True)
class Include:
    line: int
    path: str
    quoted: bool
    conditional: bool  # inside #if


@dataclass(frozen=True)
class Source:
    path: str  # from the root of the project, with /
    text: str

    @property
    def floor(self) -> str:
        """`engine` for cpp/engine/var.h, `mixgrad` for the public headers."""
        parts = self.path.split("/")
        if parts[0] == "include":
            return "mixgrad"
        return parts[1] if len(parts) > 2 else ""

    @cached_property
    def lines(self) -> list[tuple[int, str]]:
        """Lines with their numbers, without those inside a raw string or a comment of several lines."""
        kept: list[tuple[int, str]] = []
        end = ""  # of what is being passed over
        for number, line in enumerate(self.text.split("\n"), 1):
            if end:
                end = "" if end in line else end
                continue
            kept.append((number, line))
            if line.startswith("/*") and "*/" not in line:
                end = "*/"
            elif 'R"(' in line and ')"' not in line[line.rindex('R"(') :]:
                end = ')"'
        return kept

    @cached_property
    def directives(self) -> list[Directive]:
        """Preprocessor directives, continued lines joined."""
        found: list[Directive] = []
        whole, first = "", 0
        for number, line in self.lines:
            if not whole and not line.lstrip().startswith("#"):
                continue
            first = first if whole else number
            whole = f"{whole} {line}".strip()
            if whole.endswith("\\"):
                whole = whole[:-1]
                continue
            word, *rest = whole[1:].split(maxsplit=1)
            found.append(Directive(first, word, rest[0] if rest else ""))
            whole = ""
        return found

    @cached_property
    def includes(self) -> list[Include]:
        found: list[Include] = []
        depth = 0
        for directive in self.directives:
            depth += directive.word.startswith("if")
            depth -= directive.word == "endif"
            if directive.word == "include":
                quoted = directive.rest.startswith('"')
                path = directive.rest[1:].split('"' if quoted else ">")[0]
                found.append(Include(directive.line, path, quoted, depth > 0))
        return found


class Tree:
    """The sources under cpp/ and include/ of a project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        paths = [path for folder in ("cpp", "include") for path in (root / folder).rglob("*.*")]
        self.sources = {
            name: Source(name, path.read_text(encoding="utf-8"))
            for path in sorted(paths)
            if path.suffix in {".h", ".cc"}
            for name in [path.relative_to(root).as_posix()]
        }

    def resolve(self, include: Include) -> Source | None:
        """The project's file that an include names by its one spelling."""
        for folder in ("cpp", "include"):
            if source := self.sources.get(f"{folder}/{include.path}"):
                return source
        return None

    def included(self, source: Source) -> list[Source]:
        return [target for include in source.includes if (target := self.resolve(include))]

    @cached_property
    def operators(self) -> dict[str, str]:
        """Name or alias of an operator -> the file that defines it, as the registry says."""
        table = self.root / "tools" / "amalgam_operators.txt"
        lines = table.read_text(encoding="utf-8").splitlines() if table.exists() else []
        split = [line.split(": ") for line in lines]
        return {name: path for path, names in split for name in names.split()}

    def order(self, floors: Iterable[str]) -> list[Source]:
        """Every file once, headers before what includes them, by floor; the same for the same input."""
        done: dict[str, Source] = {}

        def visit(source: Source, above: tuple[str, ...]) -> None:
            if source.path in done or source.path in above:
                return
            for target in self.included(source):
                visit(target, (*above, source.path))
            done[source.path] = source

        ranks = {name: rank for rank, name in enumerate(floors)}

        def key(source: Source) -> tuple[bool, int, str]:
            later = source.path.endswith(".h") and source.path != "cpp/containers/std.h"
            return later, ranks.get(source.floor, len(ranks)), source.path

        for source in sorted(self.sources.values(), key=key):
            visit(source, ())
        return list(done.values())
