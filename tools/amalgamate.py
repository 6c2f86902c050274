"""Enforce the floors of cpp/, and join its files into one.

amalgamate.py --check         every rule below, each finding as `file:line: what is wrong; how to mend it`
amalgamate.py --list          the order in which files are joined
amalgamate.py --write FOLDER [--profile predict|predict-all|train] [--model m-symbol.json ...]
                              FOLDER/mixgrad-all.cc and mixgrad-all.h: what the profile offers, with all its
                              operators or those of the models; needs only a C++17 compiler and its headers
    [--prefix NAME]           names for the linker of its own, for programs that hold several such files

Rules: quoted includes are the project's own, have one spelling (from cpp/ or include/), point down and stand
outside #if; every header has #pragma once; MIXGRAD_X is always 0 or 1; cpp/ops/<family>/<x>.cc lives in
namespace mixgrad::ops::<x>; no `using namespace` at file scope; a namespace mixgrad begins and ends on lines
of its own; no file has over 700 lines. Whether names that stay in a file are unique, the compiler of the
single file finds out.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from amalgam_check import MAY_INCLUDE, check
from amalgam_profiles import DIRECT, ELSEWHERE, PROFILES, QUEUES, REGISTERED, Profile, uses_of_models
from amalgam_sources import Source, Tree
from amalgam_text import CONTAINERS, header_of, joined

HEADERS = ("include/mixgrad/version.h", "include/mixgrad/mixgrad.h", "include/mixgrad/c_predict_api.h")


def closure(tree: Tree, roots: Iterable[str], left_out: set[str], gradients: bool) -> list[Source]:
    """The roots and everything they need, in the order in which they are joined.

    A file brings what it includes, a header the source of its name and those of ELSEWHERE, and a source
    those of the operators that it calls by name.
    """
    calls = ['find_op("', *(['apply("'] if gradients else [])]
    needed: set[str] = set()
    queue = list(roots)
    while queue:
        path = queue.pop()
        if path in needed or path in left_out or path not in tree.sources:
            continue
        needed.add(path)
        source = tree.sources[path]
        queue += [target.path for target in tree.included(source)]
        if path.endswith(".h"):
            queue += [path[:-2] + ".cc"]
            queue += ELSEWHERE.get(path, ())
        elif path != "cpp/op/compose.cc" or gradients:
            said = [part.split('"')[0] for call in calls for part in source.text.split(call)[1:]]
            queue += [tree.operators[name] for name in said if name in tree.operators]
    return [source for source in tree.order(MAY_INCLUDE) if source.path in needed]


def write_profile(
    tree: Tree, folder: Path, profile: Profile, models: list[Path], interface: str, prefix: str
) -> None:
    """mixgrad-all.cc and mixgrad-all.h of a profile."""
    uses = uses_of_models(models, profile.training) if models else None
    registered = uses.files if uses else filter(profile.has_operators_of, REGISTERED)
    roots = [*profile.roots(interface), *registered, *CONTAINERS]
    wanted = uses.operators if uses else tree.operators
    files = {
        name: tree.operators.get(name) or tree.operators.get(name.removeprefix("_sparse_")) for name in wanted
    }
    if unknown := sorted(name for name, path in files.items() if not path):
        raise SystemExit(
            f"amalgamate: no operator is called {', '.join(unknown)}, which a model uses; expected mixgrad's"
        )
    offered = {path for path in tree.operators.values() if profile.has_operators_of(path)}
    missing = sorted(name for name, path in files.items() if path not in offered)
    if uses and missing:
        raise SystemExit(
            f"amalgamate: profile {profile.name} leaves out {', '.join(missing)}, which a model uses; "
            "expected others, or --profile train, which has all"
        )
    roots += [path for path in files.values() if path in offered]
    left_out = {*tree.operators.values()} - offered | {*profile.left_out_files}
    left_out |= {*(DIRECT if interface == "all" else QUEUES)}
    sources = closure(tree, roots, left_out - set(roots), profile.training)
    origin = f"mixgrad, profile {profile.name}"
    if models:
        origin += " for " + ", ".join(path.name for path in models)
    about = f"{origin}. Written by tools/amalgamate.py."
    interfaces = [source for source in sources if source.floor == "c_api" and source.path.endswith(".cc")]
    headers = [tree.sources[path].text for path in HEADERS if path in tree.sources]
    header = header_of(headers, interfaces, about, prefix)
    options = {
        "MIXGRAD_ALL_LOOPS": uses is None or uses.all_loops,
        "MIXGRAD_COMPACT": True,
        "MIXGRAD_QUEUES": interface == "all",
        "MIXGRAD_TEXTS": False,
        "MIXGRAD_TRAINING": profile.training,
    }
    text = joined(tree, sources, header, options, about)
    write_files(folder, {"mixgrad-all.h": header, "mixgrad-all.cc": text})


def write_files(folder: Path, texts: dict[str, str]) -> None:
    """All of them or, where the system refuses one, none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".mixgrad-all.") as aside:
            for name, text in texts.items():
                (Path(aside) / name).write_text(text, encoding="utf-8")
            for name in texts:
                (Path(aside) / name).replace(folder / name)
    except OSError as error:
        raise SystemExit(f"amalgamate: cannot write {error.filename or folder}: {error.strerror}") from None


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the project"
    )
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="report what breaks a rule")
    action.add_argument("--list", action="store_true", help="print the order of the files")
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
    if options.prefix and not (options.prefix.isidentifier() and options.prefix.isascii()):
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
        print("\n".join(source.path for source in tree.order(MAY_INCLUDE)))
        return 0
    cut = options.model and options.profile == "predict"  # a network's operators, whichever they are
    profile = PROFILES["predict-all" if cut else options.profile]
    interface = options.interface or ("predict" if options.model and not profile.training else "all")
    if profile.training and interface == "predict":
        parser.error("--interface predict has nothing that trains; expected --interface all")
    write_profile(tree, options.write, profile, options.model, interface, options.prefix)
    return 0


if __name__ == "__main__":
    sys.exit(main())
