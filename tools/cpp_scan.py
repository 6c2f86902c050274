"""Read C++ sources as far as the include order and the names at namespace scope; no preprocessor, no types.

`Source` holds one file: its text without comments and literals, its includes, its directives and the names
it keeps to itself. What it cannot know (macros that open braces) the project's sources do not do.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

_COMMENT_OR_LITERAL = re.compile(
    r"""//(?:\\\n|[^\n])*            # to the end of the line
      | /\*.*?\*/                    # block comment
      | R"([^\s()\\]{0,16})\(.*?\)\1"  # raw string
      | "(?:\\.|[^"\\\n])*"          # string
      | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'  # character, but not the ' of 1'000
    """,
    re.DOTALL | re.VERBOSE,
)
_TOKEN = re.compile(r"[A-Za-z_]\w*|::|[^\s\w]|\d[\w.']*")
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*$")
_INCLUDE = re.compile(r'#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
_DIRECTIVE = re.compile(r"[ \t]*#[ \t]*(\w+)(.*)", re.DOTALL)
_TYPE_WORDS = {"struct", "class", "union", "enum"}
_IGNORED_HEADS = {"static_assert", "friend", "namespace", "asm", "public", "private", "protected"}


def _blank(text: str) -> str:
    """The same number of lines and columns with nothing on them."""
    return re.sub(r"[^\n]", " ", text)


@dataclass(frozen=True)
class Include:
    line: int
    path: str
    quoted: bool
    conditional: bool  # inside #if


@dataclass(frozen=True)
class Directive:
    line: int
    word: str  # define, if, ifdef, ...
    rest: str


@dataclass(frozen=True)
class Name:
    """A name that only its own file may rely on."""

    line: int
    namespace: str  # enclosing named namespaces, such as mixgrad::ops::exp
    name: str


@dataclass
class _Scope:
    kind: str  # namespace, anonymous, transparent (extern "C"), block
    name: str = ""
    parens: int = 0  # parenthesis depth to return to


@dataclass
class Source:
    path: str  # from the root of the project, with /
    text: str
    local_names: list[Name] = field(default_factory=list)
    namespaces: set[str] = field(default_factory=set)  # every namespace opened, in full
    using_namespace: list[int] = field(default_factory=list)  # lines with `using namespace` outside functions
    # (class or "", name) of functions and variables with external linkage that have a body or value here
    defined: set[tuple[str, str]] = field(default_factory=set)
    declared: dict[str, int] = field(default_factory=dict)  # names at namespace scope, and how often each

    @classmethod
    def read(cls, root: Path, path: Path) -> Source:
        return cls(path.relative_to(root).as_posix(), path.read_text(encoding="utf-8"))

    def __post_init__(self) -> None:
        self._scan_scopes()

    @cached_property
    def code(self) -> str:
        """The text with comments, strings and characters blanked; lines keep their numbers."""
        return _COMMENT_OR_LITERAL.sub(lambda match: _blank(match.group()), self.text)

    @cached_property
    def directives(self) -> list[Directive]:
        """Preprocessor directives, continued lines joined."""
        found: list[Directive] = []
        lines = self.code.split("\n")
        number = 0
        while number < len(lines):
            first = number
            whole = lines[number]
            while whole.rstrip().endswith("\\") and number + 1 < len(lines):
                number += 1
                whole = whole.rstrip()[:-1] + " " + lines[number]
            match = _DIRECTIVE.match(whole)
            if match:
                found.append(Directive(first + 1, match.group(1), match.group(2).strip()))
            number += 1
        return found

    @cached_property
    def includes(self) -> list[Include]:
        found: list[Include] = []
        lines = self.text.split("\n")
        depth = 0
        for directive in self.directives:
            if directive.word in {"if", "ifdef", "ifndef"}:
                depth += 1
            elif directive.word == "endif":
                depth -= 1
            elif directive.word == "include":
                match = _INCLUDE.search(lines[directive.line - 1])
                if match:
                    found.append(
                        Include(
                            directive.line, match.group(1) or match.group(2), bool(match.group(1)), depth > 0
                        )
                    )
        return found

    def _plain_code(self) -> str:
        """The code without directives and without what stands after #else and #elif."""
        out: list[str] = []
        skipped: list[bool] = []
        continued = False
        for line in self.code.split("\n"):
            match = None if continued else _DIRECTIVE.match(line)
            directive = continued or match is not None
            if match:
                word = match.group(1)
                if word in {"if", "ifdef", "ifndef"}:
                    skipped.append(False)
                elif word in {"else", "elif"} and skipped:
                    skipped[-1] = True
                elif word == "endif" and skipped:
                    skipped.pop()
            continued = directive and line.rstrip().endswith("\\")
            out.append("" if directive or any(skipped) else line)
        return "\n".join(out)

    def _scan_scopes(self) -> None:
        """Walks braces, and looks at each declaration that stands at namespace scope."""
        scopes: list[_Scope] = []
        head: list[str] = []
        head_line = 0
        parens = 0
        line = 1
        position = 0
        code = self._plain_code()
        for match in _TOKEN.finditer(code):
            line += code.count("\n", position, match.start())
            position = match.start()
            token = match.group()
            outside = all(scope.kind != "block" for scope in scopes)
            if token == "{":
                scope = _Scope("block", "", parens)
                if outside and parens == 0:
                    scope = self._open(head, head_line, scopes)
                    if scope.kind == "namespace":
                        self.namespaces.add(self._namespace([*scopes, scope]))
                scopes.append(scope)
                parens = 0
                if scope.kind != "block":
                    head = []
            elif token == "}":
                parens = scopes.pop().parens if scopes else 0
                if parens == 0 and all(scope.kind != "block" for scope in scopes):
                    head = []
            elif not outside:
                continue
            elif token == ";" and parens == 0:
                self._declaration(head, head_line, scopes, has_body=False)
                head = []
            else:
                parens += (token == "(") - (token == ")")
                if not head:
                    head_line = line
                head.append(token)

    @staticmethod
    def _namespace(scopes: list[_Scope]) -> str:
        return "::".join(scope.name for scope in scopes if scope.kind == "namespace")

    def _open(self, head: list[str], line: int, scopes: list[_Scope]) -> _Scope:
        """The scope that a brace after `head` opens; declarations found on the way are kept."""
        words = [token for token in head if token != "inline"]
        if words[:1] == ["namespace"]:
            name = "".join(words[1:])
            return _Scope("namespace", name) if name else _Scope("anonymous")
        if words == ["extern"]:  # its "C" was blanked with the other strings
            return _Scope("transparent")
        self._declaration(head, line, scopes, has_body=True)
        return _Scope("block")

    def _declaration(self, head: list[str], line: int, scopes: list[_Scope], has_body: bool) -> None:
        if head[:2] == ["using", "namespace"]:
            self.using_namespace.append(line)
            return
        owner, stated, initialised = _stated(head)
        hidden = any(scope.kind == "anonymous" for scope in scopes)
        if stated and not hidden:
            self.declared[owner or stated] = self.declared.get(owner or stated, 0) + 1
            if has_body or initialised or owner:
                self.defined.add((owner, stated))
        name, local = _declared(head, has_body)
        if name and (local or hidden):
            self.local_names.append(Name(line, self._namespace(scopes), name))


def _skip_balanced(tokens: list[str], start: int, opening: str, closing: str) -> int:
    """The index after the group that opens at `start`."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index] == opening) - (tokens[index] == closing)
        if depth == 0:
            return index + 1
    return len(tokens)


def _without_attributes(tokens: list[str]) -> list[str]:
    out: list[str] = []
    index = 0
    while index < len(tokens):
        if tokens[index : index + 2] == ["[", "["]:
            index = _skip_balanced(tokens, index, "[", "]")
        elif tokens[index] in {"__attribute__", "alignas"}:
            index = _skip_balanced(tokens, index + 1, "(", ")")
        else:
            out.append(tokens[index])
            index += 1
    return out


def _declared(head: list[str], has_body: bool) -> tuple[str, bool]:
    """The name that a declaration at namespace scope introduces, or "", and whether it stays in its file."""
    tokens = _without_attributes(head)
    template = False
    while tokens[:1] == ["template"]:
        after = _skip_balanced(tokens, 1, "<", ">")
        if after <= 3:  # template <>: a specialisation introduces no name
            return "", False
        tokens = tokens[after:]
        template = True
    if not tokens or tokens[0] in _IGNORED_HEADS or "operator" in tokens:
        return "", False
    if tokens[0] == "using":
        return (tokens[1], True) if tokens[2:3] == ["="] else ("", False)
    if tokens[0] == "typedef":
        return tokens[-1], True
    if tokens[0] in _TYPE_WORDS and "(" not in tokens and has_body and "=" not in tokens:
        start = 2 if tokens[1:2] and tokens[1] in _TYPE_WORDS else 1
        named = tokens[start : start + 1]
        special = tokens[start + 1 : start + 2] in (["<"], ["::"])
        return (named[0], True) if named and _IDENTIFIER.match(named[0]) and not special else ("", False)
    if tokens[0] in _TYPE_WORDS and "(" not in tokens and len(tokens) == 2:
        return "", False  # forward declaration
    angle = 0
    end = len(tokens)
    for index, token in enumerate(tokens):
        angle += (token == "<") - (token == ">")
        if angle == 0 and token in {"(", "=", "["}:
            end = index
            break
    before = tokens[:end]
    if len(before) < 2 or not _IDENTIFIER.match(before[-1]) or before[-2] == "::" or before[0] == "extern":
        return "", False
    is_function = end < len(tokens) and tokens[end] == "("
    words = set(before[:-1])
    local = (
        template or bool({"static", "constexpr", "inline"} & words) or ("const" in words and not is_function)
    )
    return before[-1], local


def _stated(head: list[str]) -> tuple[str, str, bool]:
    """Class or "", name, and whether a value follows, of what a declaration at namespace scope is about."""
    tokens = _without_attributes(head)
    while tokens[:1] == ["template"]:
        tokens = tokens[_skip_balanced(tokens, 1, "<", ">") :]
    if not tokens or tokens[0] in _IGNORED_HEADS or tokens[0] == "using":
        return "", "", False
    if "operator" in tokens:
        return "", "operator", False
    if tokens[0] in _TYPE_WORDS and "(" not in tokens:
        start = 2 if tokens[1:2] and tokens[1] in _TYPE_WORDS else 1
        return "", next(iter(tokens[start : start + 1]), ""), False
    angle = 0
    end = len(tokens)
    for index, token in enumerate(tokens):
        angle += (token == "<") - (token == ">")
        if angle == 0 and token in {"(", "=", "["}:
            end = index
            break
    before = tokens[:end]
    if not before or not _IDENTIFIER.match(before[-1]):
        return "", "", False
    owner = before[-3] if len(before) > 2 and before[-2] in {"::", "~"} else ""
    if before[-2:-1] == ["~"]:
        owner = before[-1]
    return owner, before[-1], end < len(tokens) and tokens[end] == "="
