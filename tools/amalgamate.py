"""Enforce the floors of cpp/, and join its files into one.

amalgamate.py --check         every rule below, each finding as `file:line: what is wrong; how to mend it`
amalgamate.py --list          the order in which files are joined
amalgamate.py --output FILE   all of them as one C++ file
amalgamate.py --write FOLDER [--profile predict|train] [--model m-symbol.json ...]
                              FOLDER/mixgrad-all.cc and mixgrad-all.h: what the profile offers, with all its
                              operators or those of the models; needs only a C++17 compiler and its headers
    [--prefix NAME]           names for the linker of its own, for programs that hold several such files

Rules: quoted includes are the project's own, have one spelling (from cpp/ or include/), point down and stand
outside #if; every header has #pragma once; MIXGRAD_X is always 0 or 1; cpp/ops/<family>/<x>.cc lives in
namespace mixgrad::ops::<x>; names that stay in a file are unique; no `using namespace` at file scope; no file
has over 700 lines.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from amalgam_parts import Closure, Parts, is_operator_file
from amalgam_profiles import DIRECT, PROFILES, QUEUES, REGISTERED, Profile, uses_of_models
from amalgam_text import SLIM, header_of, joined
from cpp_scan import Include, Source

MAX_LINES = 700

_LOW = {"base", "device", "containers"}
_OPERATOR = _LOW | {"kernels", "op", "launch", "kernel_source"}
_MIDDLE = _OPERATOR | {"storage", "engine"}
_HIGH = _MIDDLE | {"array", "files", "graph", "exec"}
# Floor -> the floors its files may include besides their own, in the order in which files are joined.
MAY_INCLUDE: dict[str, set[str]] = {
    "containers": set(),
    "base": {"containers"},
    "device": {"base", "containers"},
    "storage": _LOW,
    "engine": _LOW,
    "kernels": _LOW,
    "op": _LOW | {"kernels"},
    "launch": _LOW | {"kernels", "op"},
    "kernel_source": _LOW | {"kernels", "op"},
    "onednn": _LOW | {"kernels"},
    "array": _MIDDLE,
    "files": _MIDDLE | {"array"},
    "graph": _OPERATOR,
    "ops": _OPERATOR,
    "exec": _MIDDLE | {"array", "files", "graph"},
    "kvstore": _HIGH,
    "io": _HIGH,
    "c_api": _HIGH | {"kvstore", "io", "mixgrad"},
}


@dataclass(frozen=True, order=True)
class Finding:
    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


class Tree:
    """The sources under cpp/ and include/ of a project."""

    def __init__(self, root: Path) -> None:
        self.root = root
        found = [
            path
            for folder in ("cpp", "include")
            for path in (root / folder).rglob("*")
            if path.suffix in {".h", ".cc"}
        ]
        self.sources = {source.path: source for source in (Source.read(root, path) for path in sorted(found))}

    def resolve(self, include: Include) -> Source | None:
        """The project's file that an include names by its one spelling."""
        for folder in ("cpp", "include"):
            source = self.sources.get(f"{folder}/{include.path}")
            if source:
                return source
        return None

    def parts(self) -> Parts:
        return Parts(
            self.sources.values(),
            {
                source.path: [target.path for include in source.includes if (target := self.resolve(include))]
                for source in self.sources.values()
            },
        )

    def order(self) -> list[Source]:
        """Every file once, headers before what includes them; the same for the same input."""
        done: dict[str, Source] = {}

        def visit(source: Source, above: tuple[str, ...]) -> None:
            if source.path in done or source.path in above:
                return
            for include in source.includes:
                target = self.resolve(include)
                if target:
                    visit(target, (*above, source.path))
            done[source.path] = source

        ranks = {name: rank for rank, name in enumerate(MAY_INCLUDE)}

        def key(source: Source) -> tuple[int, str]:
            return ranks.get(floor(source.path), len(ranks)), source.path

        units = [source for source in self.sources.values() if source.path.endswith(".cc")]
        for source in sorted(units, key=key) + sorted(self.sources.values(), key=key):
            visit(source, ())
        return list(done.values())


def floor(path: str) -> str:
    """`engine` for cpp/engine/var.h, `mixgrad` for the public headers."""
    if path.startswith("include/"):
        return "mixgrad"
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else ""


def check(tree: Tree) -> list[Finding]:
    findings: list[Finding] = []
    for source in tree.sources.values():
        findings += check_includes(tree, source)
        findings += check_file(source)
    findings += check_cycles(tree)
    findings += check_unique(tree)
    return sorted(set(findings))


def check_includes(tree: Tree, source: Source) -> Iterator[Finding]:
    own = floor(source.path)
    if own != "mixgrad" and own not in MAY_INCLUDE:
        yield Finding(
            source.path, 1, f"lies on no floor; move it into one of cpp/{{{','.join(MAY_INCLUDE)}}}"
        )
        return
    for include in source.includes:
        target = tree.resolve(include)
        if not include.quoted:
            if target:
                yield Finding(
                    source.path,
                    include.line,
                    f'<{include.path}> is a file of the project; write #include "{include.path}"',
                )
            continue
        if target is None:
            yield Finding(source.path, include.line, _misspelt(tree, source, include))
            continue
        if include.conditional and own != "mixgrad":
            yield Finding(
                source.path,
                include.line,
                f'"{include.path}" is included inside #if; move it out, and keep the #if around the code',
            )
        problem = _points_wrong(source, own, target)
        if problem:
            yield Finding(source.path, include.line, f'"{include.path}" {problem}')


def _misspelt(tree: Tree, source: Source, include: Include) -> str:
    beside = os.path.normpath(os.path.join(os.path.dirname(source.path), include.path)).replace(os.sep, "/")
    if beside in tree.sources:
        one_spelling = beside.split("/", 1)[1]
        return f'"{include.path}" is spelt from the including file; write #include "{one_spelling}"'
    return (
        f'"{include.path}" is no file under cpp/ or include/; correct the path, or write <{include.path}> '
        "if it belongs to another project"
    )


def _points_wrong(source: Source, own: str, target: Source) -> str:
    """Why this file may not include that one, or ""."""
    theirs = floor(target.path)
    if target.path.endswith(".cc"):
        return "is not a header; declare what is needed in a header"
    if theirs == "ops":
        if own == "ops" and os.path.dirname(target.path) in (os.path.dirname(source.path), "cpp/ops"):
            return ""
        return "belongs to operators of another family; reach operators by name, through the registry in op/"
    if theirs == own or theirs in MAY_INCLUDE.get(own, set()):
        return ""
    if theirs == "mixgrad":
        return "is the public header, which only c_api/ includes; use what lies under it"
    allowed = ", ".join(name for name in MAY_INCLUDE if name in MAY_INCLUDE.get(own, set())) or "nothing else"
    return f"points up or sideways: {own}/ may include {allowed}; move what is shared to a lower floor"


def check_file(source: Source) -> Iterator[Finding]:
    """Rules that need one file only."""
    path = source.path
    public = floor(path) == "mixgrad"
    lines = source.text.count("\n")
    if lines > MAX_LINES and not public:
        yield Finding(
            path, MAX_LINES + 1, f"has {lines} lines, and {MAX_LINES} are the limit; split it by noun"
        )
    if path.endswith(".h"):
        once = any(found.word == "pragma" and found.rest == "once" for found in source.directives)
        guarded = public and bool(source.directives) and source.directives[0].word == "ifndef"
        if not once and not guarded:
            yield Finding(path, 1, "has no #pragma once; write it above the first include")
    for line in source.using_namespace:
        yield Finding(path, line, "`using namespace` outside a function; name what is used: using a::b")
    if public:
        return
    for directive in source.directives:
        named = re.search(r"\bMIXGRAD_\w+", directive.rest)
        tested = directive.word in {"ifdef", "ifndef"} or (
            directive.word in {"if", "elif"} and re.search(r"\bdefined\b[\s(]*MIXGRAD_", directive.rest)
        )
        if named and tested:
            yield Finding(
                path,
                directive.line,
                f"asks whether {named.group()} is defined; it is always 0 or 1: #if {named.group()}",
            )
    yield from _check_operator_namespace(source)


def _check_operator_namespace(source: Source) -> Iterator[Finding]:
    parts = source.path.split("/")
    if parts[:2] != ["cpp", "ops"] or not source.path.endswith(".cc"):
        return
    stem = parts[-1][: -len(".cc")]
    wanted = f"mixgrad::ops::{stem}"
    if wanted not in source.namespaces:
        found = ", ".join(sorted(source.namespaces)) or "none"
        yield Finding(
            source.path, 1, f"opens namespace {found}; an operator's file lives in namespace {wanted}"
        )


def check_cycles(tree: Tree) -> Iterator[Finding]:
    """Headers that include one another in a circle have no order."""
    state: dict[str, int] = {}  # 1 while open, 2 when done

    def visit(source: Source) -> Iterator[Finding]:
        state[source.path] = 1
        for include in source.includes:
            target = tree.resolve(include)
            if target is None:
                continue
            if state.get(target.path) == 1:
                yield Finding(
                    source.path,
                    include.line,
                    f'"{include.path}" includes this file in turn; move what both need into a third header',
                )
            elif target.path not in state:
                yield from visit(target)
        state[source.path] = 2

    for source in tree.sources.values():
        if source.path not in state:
            yield from visit(source)


def check_unique(tree: Tree) -> Iterator[Finding]:
    """Names kept to one .cc file meet in the single file, so no two files of a namespace may share one."""
    owners: dict[tuple[str, str], tuple[str, int]] = {}
    macros: dict[str, tuple[str, int]] = {}
    for source in tree.sources.values():
        if not source.path.endswith(".cc"):
            continue
        for name in source.local_names:
            owner = owners.setdefault((name.namespace, name.name), (source.path, name.line))
            if owner[0] != source.path:
                where = f"in namespace {name.namespace}" if name.namespace else "in the global namespace"
                yield Finding(
                    source.path,
                    name.line,
                    f"`{name.name}` {where} also stands in {owner[0]}:{owner[1]}; rename or share it",
                )
        removed = {found.rest for found in source.directives if found.word == "undef"}
        for directive in source.directives:
            macro = re.match(r"\w+", directive.rest)
            if directive.word != "define" or macro is None or macro.group() in removed:
                continue
            owner = macros.setdefault(macro.group(), (source.path, directive.line))
            if owner[0] != source.path:
                yield Finding(
                    source.path,
                    directive.line,
                    f"macro {macro.group()} also stands in {owner[0]}:{owner[1]}; #undef it where it ends",
                )


def join(tree: Tree, without: set[str]) -> str:
    """One C++ source: system includes stay where they are, the project's own are replaced by their text."""
    sources = [
        source for source in tree.order() if not any(f"cpp/{folder}/" in source.path for folder in without)
    ]
    options = options_of(sources)
    parts = ["// mixgrad in one file. Generated by tools/amalgamate.py from the sources named below."]
    parts += [f"#ifndef {name}\n#define {name} 0\n#endif" for name in options]
    for source in sources:
        dropped = {include.line for include in source.includes if include.quoted and tree.resolve(include)}
        dropped |= {
            found.line for found in source.directives if found.word == "pragma" and found.rest == "once"
        }
        kept = [line for number, line in enumerate(source.text.split("\n"), 1) if number not in dropped]
        parts.append(f"// ---- {source.path}\n" + "\n".join(kept).strip("\n"))
    return "\n\n".join(parts) + "\n"


def write_profile(
    tree: Tree, folder: Path, profile: Profile, models: list[Path], interface: str, prefix: str
) -> None:
    """mixgrad-all.cc and mixgrad-all.h of a profile."""
    parts = tree.parts()
    uses = uses_of_models(models) if models else None
    registered = uses.files if uses else REGISTERED
    roots = [root for root in (*profile.roots(interface), *registered, *SLIM) if root in tree.sources]
    wanted = set(uses.operators) if uses else None
    unknown = sorted(name for name in wanted or () if not parts.definers(name))
    if unknown:
        raise SystemExit(
            f"amalgamate: no operator is called {', '.join(unknown)}, which a model uses; expected "
            "operators of mixgrad"
        )
    missing = sorted(
        name for name in wanted or () if not any(map(profile.has_operators_of, parts.definers(name)))
    )
    if missing:
        raise SystemExit(
            f"amalgamate: profile {profile.name} leaves out {', '.join(missing)}, which a model uses; "
            "expected others, or --profile train, which has all"
        )
    registering = {path for paths in parts.operators.values() for path in paths}
    if wanted is None:
        roots += [
            path
            for path in sorted(registering)
            if is_operator_file(tree.sources[path])
            and "Define<" in tree.sources[path].text
            and profile.has_operators_of(path)
        ]
    left_out = {path for path in registering if not profile.has_operators_of(path)} | profile.left_out_files
    left_out |= {path for path in tree.sources if path.startswith("cpp/c_api/") and path.endswith(".cc")}
    left_out |= DIRECT if interface == "all" else QUEUES
    closure = Closure(profile.training, frozenset(left_out - set(roots)), profile.unwanted)
    chosen = {source.path: source for source in parts.closure(roots, wanted, closure)}
    ordered = [chosen[source.path] for source in tree.order() if source.path in chosen]
    defined = {
        name for source in ordered for _, name in source.defined if source.path.startswith("cpp/c_api/")
    }
    headers = [
        tree.sources[path].text
        for path in (
            "include/mixgrad/version.h",
            "include/mixgrad/mixgrad.h",
            "include/mixgrad/c_predict_api.h",
        )
        if path in tree.sources
    ]
    origin = f"mixgrad, profile {profile.name}"
    if models:
        origin += " for " + ", ".join(path.name for path in models)
    about = f"{origin}. Written by tools/amalgamate.py."
    header = header_of(headers, defined, about, prefix)
    convolutions = uses is not None and "Convolution" in uses.operators
    chosen_options = dict(profile.options)
    chosen_options["MIXGRAD_ALL_LOOPS"] = int(uses is None or uses.all_loops)
    chosen_options["MIXGRAD_QUEUES"] = int(interface == "all")
    options = {name: chosen_options.get(name, 0) for name in options_of(ordered)}
    text = joined(ordered, header, options, about, convolutions)
    write_files({folder / "mixgrad-all.h": header, folder / "mixgrad-all.cc": text})


def write_files(texts: dict[Path, str]) -> None:
    """All of them or, where the system refuses one, none."""
    begun: list[Path] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
            begun.append(Path(name))
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o644)
        for path, written in zip(texts, list(begun)):
            written.replace(path)
            begun.remove(written)
    except OSError as error:
        raise SystemExit(f"amalgamate: cannot write {error.filename or path}: {error.strerror}") from None
    finally:
        for left in begun:
            left.unlink()


def options_of(sources: list[Source]) -> list[str]:
    """Macros that the sources test and nobody defines: the options of the build."""
    directives = [directive for source in sources for directive in source.directives]
    defined = {
        directive.rest.split()[0].split("(")[0] for directive in directives if directive.word == "define"
    }
    used = {name for source in sources for name in re.findall(r"\bMIXGRAD_[A-Z0-9_]+\b", source.code)}
    return sorted(used - defined)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the project"
    )
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="FOLDER",
        help="leave out cpp/FOLDER (again for more)",
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="report what breaks a rule")
    action.add_argument("--list", action="store_true", help="print the order of the files")
    action.add_argument("--output", type=Path, metavar="FILE", help="write all files as one")
    action.add_argument("--write", type=Path, metavar="FOLDER", help="write a profile's file and header")
    parser.add_argument("--profile", choices=sorted(PROFILES), default="predict", help="what to write")
    parser.add_argument(
        "--model",
        action="append",
        type=Path,
        default=[],
        metavar="FILE",
        help="a -symbol.json whose operators alone are wanted (again for more)",
    )
    parser.add_argument(
        "--interface",
        choices=("all", "predict"),
        help="all functions of the profile, or MXNet's predict functions alone "
        "(predict's default with --model)",
    )
    parser.add_argument(
        "--prefix",
        default="",
        help="of the linker's names of the functions, so that a program may hold several single files",
    )
    options = parser.parse_args(arguments)
    if options.prefix and not re.fullmatch(r"[A-Za-z_]\w*", options.prefix):
        parser.error(f"--prefix is {options.prefix!r}; expected letters, digits and _ that begin a name in C")
    if not (options.root / "cpp").is_dir():
        parser.error(f"--root is {options.root}, which has no folder cpp; expected a checkout of mixgrad")
    tree = Tree(options.root.resolve())
    if options.check:
        findings = check(tree)
        for finding in findings:
            print(finding)
        print(f"{len(tree.sources)} files, {len(findings)} findings", file=sys.stderr)
        return 1 if findings else 0
    if options.list:
        print("\n".join(source.path for source in tree.order()))
        return 0
    if options.write:
        profile = PROFILES[options.profile]
        interface = options.interface or ("predict" if options.model and not profile.training else "all")
        if profile.training and interface == "predict":
            parser.error("--interface predict has nothing that trains; expected --interface all")
        write_profile(tree, options.write, profile, options.model, interface, options.prefix)
        return 0
    write_files({options.output: join(tree, set(options.without))})
    return 0


if __name__ == "__main__":
    sys.exit(main())
