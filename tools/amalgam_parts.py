"""Which files of cpp/ a profile of the single file needs, found from its roots by names alone; no compiler.

A source file is needed when a needed file mentions a name that it defines and that a needed header declares.
Operators register themselves, so nothing mentions their files: they are roots, and so are those that
others look up by name (`find_op("exp")`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from amalgam_rows import shaken
from cpp_scan import Source

_WORD = re.compile(r"[A-Za-z_]\w*")
_LITERAL_CALL = re.compile(r'([A-Za-z_]\w*|[>{(,])\s*[({]?\s*"([A-Za-z_]\w*)"')
_REGISTERED = re.compile(r'(?:\bDefine<[^"();]*>(?:\s+\w+)?|\balias)\(\s*"([A-Za-z_]\w*)"')
_LOOKED_UP = re.compile(r'\bfind_op\(\s*"([A-Za-z_]\w*)"')
_COMPOSED = re.compile(r'\bapply\(\s*"([A-Za-z_]\w*)"')
# Calls whose text names something else than an operator being registered.
_NOT_REGISTERED = frozenset(
    (
        *("apply", "find_op", "find_op_or_null", "input", "add", "required", "choice", "state", "module"),
        *("text", "set", "fail", "find", "auxiliary", "doc", "outputs", "origin", "record_call", "reject"),
        *("traced_view", "make_params", "starts_as", "variadic", "convolve", "getenv"),
    )
)


# What gradients are composed with; without gradients nothing calls it.
_COMPOSES = "cpp/op/compose.cc"


@dataclass(frozen=True)
class Closure:
    gradients: bool  # whether operators need those that their gradients are composed of
    left_out: frozenset[str] = frozenset()  # files that the code names without using them
    unwanted: frozenset[str] = frozenset()  # operators that are left out where all others are wanted


class Parts:
    """What every file defines, mentions and registers."""

    def __init__(self, sources: Iterable[Source], includes: dict[str, list[str]]) -> None:
        self.sources = {source.path: source for source in sources}
        self.includes = includes  # direct, of the project's own
        self.counts = {path: _counted(source) for path, source in self.sources.items()}

    @cached_property
    def operators(self) -> dict[str, list[str]]:
        """Name or alias of an operator -> the files that register it."""
        sure: dict[str, list[str]] = {}
        likely: dict[str, list[str]] = {}
        for path, source in sorted(self.sources.items()):
            if not is_operator_file(source):
                continue
            for name in set(_REGISTERED.findall(source.text)):
                sure.setdefault(name, []).append(path)
            if not source.path.startswith("cpp/ops/"):
                continue
            for call, name in set(_LITERAL_CALL.findall(source.text)):
                if call not in _NOT_REGISTERED and path not in likely.setdefault(name, []):
                    likely[name].append(path)
        return {**likely, **sure}

    def definers(self, name: str) -> list[str]:
        found = self.operators.get(name, [])
        if found:
            return found
        # Names put together from a prefix and a row's name: _random_normal.
        for prefix in ("_random_pdf_", "random_pdf_", "_random_", "random_", "_sample_", "sample_"):
            if name.startswith(prefix):
                return [path for path in self.sources if path.startswith("cpp/ops/random/")]
        return []

    @cached_property
    def implementations(self) -> dict[str, list[tuple[str, frozenset[str]]]]:
        """Header -> the source files that define what it declares, each with the names that ask for it."""
        found: dict[str, list[tuple[str, frozenset[str]]]] = {}
        for path, source in sorted(self.sources.items()):
            if not path.endswith(".cc"):
                continue
            for header in self._reached(path):
                if not header.startswith("cpp/"):
                    continue  # the C header's functions are asked for by the profile
                declared = self.sources[header].declared
                names = set()
                for owner, name in source.defined:
                    if (owner or name) in declared:
                        names.add(name)
                if names:
                    found.setdefault(header, []).append((path, frozenset(names)))
        return found

    def _reached(self, path: str) -> list[str]:
        """Every header that a file includes, also through others."""
        found: set[str] = set()
        queue = list(self.includes[path])
        while queue:
            header = queue.pop()
            if header not in found:
                found.add(header)
                queue += self.includes[header]
        return sorted(found)

    def closure(self, roots: Iterable[str], wanted: set[str] | None, options: Closure) -> list[Source]:
        """The roots and everything they need, by path. With `wanted`, files of operators lose the others."""
        names = set(wanted or ())
        while True:
            files, looked_up = self._once(roots, names if wanted is not None else None, options)
            if looked_up <= names:
                return files
            names |= looked_up

    def _once(
        self, roots: Iterable[str], wanted: set[str] | None, options: Closure
    ) -> tuple[list[Source], set[str]]:
        """One pass: the files, and the operators that they look up."""
        known = set(self.operators)
        needed: dict[str, Source] = {}
        mentioned: dict[str, int] = {}
        looked_up: set[str] = set()
        queue = sorted(roots)
        for name in sorted(wanted or ()):
            queue += self.definers(name)
        patterns = _LOOKED_UP, *((_COMPOSED,) if options.gradients else ())
        while queue:
            while queue:
                path = queue.pop()
                if path in needed or path in options.left_out:
                    continue
                source = self.sources[path]
                if is_operator_file(source):
                    source = shaken(source, known - options.unwanted if wanted is None else wanted, known)
                needed[path] = source
                counts = self.counts[path] if source is self.sources[path] else _counted(source)
                for name, count in counts.items():
                    mentioned[name] = mentioned.get(name, 0) + count
                queue += self.includes[path]
                if path == _COMPOSES and not options.gradients:
                    continue
                for pattern in patterns:
                    for name in pattern.findall(source.text):
                        looked_up.add(name)
                        queue += self.definers(name)
            for header in sorted(needed.keys() & self.implementations.keys()):
                for path, names in self.implementations[header]:
                    if (
                        path not in needed
                        and path not in options.left_out
                        and any(
                            name == "operator"
                            or mentioned.get(name, 0) > _declarations(self.sources[header], name)
                            for name in names
                        )
                    ):
                        queue.append(path)
        return [needed[path] for path in sorted(needed)], looked_up


def is_operator_file(source: Source) -> bool:
    """Whether it may register operators."""
    return source.path.startswith(("cpp/ops/", "cpp/exec/")) and source.path.endswith(".cc")


def _counted(source: Source) -> dict[str, int]:
    counts: dict[str, int] = {}
    for word in _WORD.findall(source.code):
        counts[word] = counts.get(word, 0) + 1
    return counts


def _declarations(header: Source, name: str) -> int:
    """How often the header itself says the name while only declaring it: at least once."""
    return max(1, header.declared.get(name, 0))
