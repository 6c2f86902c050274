"""Find what the pages name and the tree does not have, and figures that do not say where they come from.

check_pages.py [PAGE ...]     each finding as `page:line: what is wrong; how to mend it`; all pages by default

Looked at, in Markdown files that git knows:
- links within the tree: the file and the heading they name exist;
- paths in code, such as `cpp/ops/index/take.cc` or `tests/python/docs/test_*.py`: something
  of that name exists;
- `make TARGET`, and `--options` of a tool, a script or the command in the same code: each is defined there;
- names in code: `mx.a.b` can be had from the package, `mg_x` and `MXPredX` stand in the C headers,
  `MIXGRAD_X` in a source; on lines with `<!-- absent -->` the package must not have them, nor the
  tree the paths;
- `python` blocks compile;
- figures (ns, us, ms, GFLOP/s, GB/s, images per second): their section says
  `Measured DATE on MACHINE: COMMAND`, or that they are `<!-- limits -->`, which nobody measured.
"""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOG = "docs/performance-log.md"  # a diary: what was true then

_FOLDERS = "benchmarks|cmake|cpp|docs|examples|include|languages|python|tests|tools"
_PATH = re.compile(rf"(?<![\w./<-])(?:{_FOLDERS})/[\w./*{{}},+-]*[\w*}}/]")
_CODE = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)|!\[[^\]\n]*\]\(([^)\s]+)\)")
_NAME = re.compile(r"\b(?:mx|mixgrad)(?:\.[A-Za-z_]\w*)+")
_FILE = re.compile(r"\.(?:h|hpp|js|so|pc|R)$")
_OTHER_LANGUAGES = re.compile(r"languages/(?:go|js|r|rust)/")  # whose packages are called mx, too
_C_NAME = re.compile(r"\b(?:mg_[a-z0-9_]+|MX(?:Pred|NDList|Get)[A-Z]\w+|MG_[A-Z0-9_]+)\b(?!\*)")
_MACRO = re.compile(r"\bMIXGRAD_[A-Z0-9_]+\b(?!\*)")
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]+")
_MAKE = re.compile(r"(?:^|[;&|]\s*)make ((?:[a-z][\w-]*\s?)+)")
_SCRIPT = re.compile(
    r"\b((?:tools|benchmarks|tests|examples|languages)/[\w/]+\.(?:py|sh))\b"
    r"|\bmixgrad (pack|run|inspect|bench|im2rec|data|config|join|keys|top)\b"
)
_FIGURE = re.compile(r"\b\d[\d.,]*\s(?:ns|us|ms|GFLOP/s|GB/s|images per second)\b")
_MEASURED = re.compile(r"Measured (?:on )?\d{4}-\d\d-\d\d\b.*? on [^:`]+.*?`[^`]+`", re.DOTALL)
_MEASURED_RUN = re.compile(r"Measured \d{4}-\d\d-\d\d at commit \w+ on ")  # written by benchmarks/run.py


@dataclass(frozen=True, order=True)
class Finding:
    page: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Page:
    """A Markdown file: lines of text, and lines of code blocks with the language each names."""

    path: str
    text: str

    def lines(self) -> Iterator[tuple[int, str, str | None]]:
        """Number, line, and the language of the block it is in ("" unnamed); None outside of blocks."""
        language: str | None = None
        for number, line in enumerate(self.text.split("\n"), 1):
            fence = re.match(r"\s*```(\w*)", line)
            if fence:
                language = fence[1] if language is None else None
                continue
            yield number, line, language

    def blocks(self, language: str) -> Iterator[tuple[int, str]]:
        for match in re.finditer(rf"^```{language}\n(.*?)^```", self.text, re.DOTALL | re.MULTILINE):
            yield self.text.count("\n", 0, match.start()) + 1, match[1]

    def anchors(self) -> set[str]:
        found = set()
        for _, line, language in self.lines():
            if language is None and (heading := re.match(r"#+\s+(.*)", line)):
                plain = re.sub(r"[^\w\s-]", "", heading[1].strip().lower())
                found.add(plain.replace(" ", "-"))
        return found


class Tree:
    """What the pages may name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
        )
        if listed.returncode == 0:
            self.files = [name for name in listed.stdout.splitlines() if (root / name).exists()]
        else:  # an unpacked sdist
            self.files = [path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()]
        self.pages = [
            Page(name, (root / name).read_text(encoding="utf-8"))
            for name in self.files
            if name.endswith(".md")
        ]
        ignored = (root / ".gitignore").read_text(encoding="utf-8") if (root / ".gitignore").exists() else ""
        self.ignored = [line.strip("/") for line in ignored.splitlines() if line.count("/") > 2]
        defined = re.findall(r"#define MG_\w+", self._joined(("cpp/",), (".h",)))  # macros of the sources
        self.headers = self._joined(("include/",), (".h",)) + "\n".join(defined)
        self.macros = set(
            _MACRO.findall(
                self._joined(
                    (
                        "cpp/",
                        "cmake/",
                        "CMake",
                        "python/",
                        "tools/",
                        "tests/",
                        "languages/",
                        "include/",
                        "benchmarks/",
                    ),
                    ("",),
                )
            )
        )
        self.targets = set(
            re.findall(r"^([a-z][\w-]*)(?=[^=\n]*:(?!=))", self._joined(("Makefile",), ("",)), re.MULTILINE)
        )
        for names in re.findall(r"^([a-z][\w -]*):(?!=)", self._joined(("Makefile",), ("",)), re.MULTILINE):
            self.targets.update(names.split())

    def _joined(self, folders: tuple[str, ...], endings: tuple[str, ...]) -> str:
        own = Path(__file__).name
        return "\n".join(
            (self.root / name).read_text(encoding="utf-8", errors="replace")
            for name in self.files
            if name.startswith(folders) and name.endswith(endings) and not name.endswith((".md", own))
        )

    def has(self, path: str) -> bool:
        """Whether a file or folder is called so.

        Stars stand for parts of names, braces for alternatives, words in capitals for any name.
        """
        if braces := re.search(r"\{([^{}]*)\}", path):
            return all(
                self.has(path[: braces.start()] + one + path[braces.end() :]) for one in braces[1].split(",")
            )
        if any(path.startswith(ignored) for ignored in self.ignored):
            return True
        pattern = re.sub(r"(?<=/)[A-Z]+(?=[/.]|$)", "*", path.rstrip("/"))
        named = re.compile(re.escape(pattern).replace(r"\*", "[^/]*") + r"(?:/.*)?$")
        return any(named.match(name) for name in self.files)

    def options_of(self, script: str) -> str:
        if "/" not in script:  # the options of all commands are in __init__
            own = ("python/mixgrad/command/__init__", f"python/mixgrad/command/{script}")
            return self._joined(own, (".py",))
        return (self.root / script).read_text(encoding="utf-8") if (self.root / script).is_file() else ""


def check(tree: Tree, page: Page) -> Iterator[Finding]:
    """All findings of a page."""
    yield from links(tree, page)
    if page.path == LOG:
        return
    yield from code(tree, page)
    yield from figures(page)


def links(tree: Tree, page: Page) -> Iterator[Finding]:
    others = {other.path: other for other in tree.pages}
    for number, line, language in page.lines():
        if language is not None:
            continue
        for match in _LINK.finditer(re.sub(r"`[^`]*`", "", line)):
            target, _, anchor = (match[1] or match[2]).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            path = (
                (tree.root / page.path).parent.joinpath(target).resolve() if target else tree.root / page.path
            )
            if not path.exists():
                yield Finding(page.path, number, f"links to {target}, which is not there")
                continue
            name = path.relative_to(tree.root).as_posix()
            if anchor and name in others and anchor not in others[name].anchors():
                yield Finding(page.path, number, f"links to #{anchor} of {name}, which has no such heading")


def code(tree: Tree, page: Page) -> Iterator[Finding]:
    for start, block in page.blocks("python"):
        try:
            compile(block, page.path, "exec")
        except SyntaxError as error:
            yield Finding(
                page.path, start + (error.lineno or 0), f"python that does not compile: {error.msg}"
            )
    for number, line, language in page.lines():
        pieces = _CODE.findall(line) if language is None else [line]
        absent = "<!-- absent -->" in line
        for piece in pieces:
            yield from (Finding(page.path, number, text) for text in named(tree, page, piece, absent))


def named(tree: Tree, page: Page, piece: str, absent: bool) -> Iterator[str]:
    """What a piece of code names and the tree does not have."""
    folder = Path(page.path).parent.as_posix()
    for match in _PATH.finditer(piece):
        there = tree.has(match[0]) or tree.has(f"{folder}/{match[0]}")
        if absent and there:
            yield f"says that {match[0]} is absent, which the tree has"
        if not absent and not there:
            yield f"names {match[0]}, which is not there"
    for name in () if _OTHER_LANGUAGES.match(page.path) else _NAME.findall(piece):
        if absent and python_has(name):
            yield f"says that {name} is absent, which the package has"
        if not absent and not _FILE.search(name) and not python_has(name):
            yield f"names {name}, which the package does not have"
    for name in _C_NAME.findall(piece):
        if not re.search(rf"\b{name}\b", tree.headers):
            yield f"names {name}, which the C headers do not have"
    for name in _MACRO.findall(piece):
        if name not in tree.macros:
            yield f"names {name}, which no source has"
    for match in _MAKE.finditer(piece):
        for target in match[1].split():
            if target not in tree.targets:
                yield f"names the target {target}, which the Makefile does not have"
    for match in _SCRIPT.finditer(piece):
        script = match[1] or match[2]
        after = re.split(r"[;|&]|\s#\s", piece[match.end() :])[0]
        known = tree.options_of(script)
        for option in _OPTION.findall(after):
            if known and f'"{option}"' not in known and not re.search(rf"{option}\b", known):
                yield f"names the option {option}, which {script} does not have"


def python_has(dotted: str) -> bool:
    """Whether `mx.a.b` or `mixgrad.a.b` can be had."""
    first, *rest = dotted.split(".")
    found: object = importlib.import_module("mixgrad")
    path = "mixgrad"
    for part in rest:
        path += f".{part}"
        try:
            found = getattr(found, part)
        except AttributeError:
            try:
                found = importlib.import_module(path)
            except ImportError:
                return False
    return bool(first)


def figures(page: Page) -> Iterator[Finding]:
    """Figures in sections that do not say where they come from."""
    sections: list[tuple[int, list[str]]] = [(1, [])]
    for number, line, language in page.lines():
        if language is None and re.match(r"#+\s", line):
            sections.append((number, []))
        sections[-1][1].append(line)
    for number, lines in sections:
        text = "\n".join(lines)
        found = _FIGURE.search(text)
        if not found or _MEASURED.search(text) or _MEASURED_RUN.search(text) or "<!-- limits -->" in text:
            continue
        yield Finding(
            page.path,
            number,
            f"the section has a figure ({found[0]!r}) and no `Measured DATE on MACHINE: COMMAND`; write "
            "that, or <!-- limits --> where nobody measured it",
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--root", type=Path, default=ROOT, help="the project")
    parser.add_argument("pages", nargs="*", help="pages (default: all that git knows)")
    given = parser.parse_args(arguments)
    tree = Tree(given.root.resolve())
    unknown = sorted(set(given.pages) - {page.path for page in tree.pages})
    if unknown:
        parser.error(f"{', '.join(unknown)}: no such pages; expected paths from the project's folder")
    pages = [page for page in tree.pages if not given.pages or page.path in given.pages]
    findings = sorted({finding for page in pages for finding in check(tree, page)})
    for finding in findings:
        print(finding)
    print(f"{len(pages)} pages, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
