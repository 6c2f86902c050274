"""Measure mixgrad and its peers in turn and report medians, spreads, ratios and goals.

    python benchmarks/run.py --list
    python benchmarks/run.py --only 'dispatch*' --rounds 5 --json figures.json --output docs/performance.md
    python benchmarks/run.py --env torch=/path/to/python --env mxnet=/path/to/python
    python benchmarks/run.py --only mlp --before /other/tree/python --libraries mixgrad
    python benchmarks/run.py --render figures.json --output docs/performance.md

Peers run in virtual environments under benchmarks/.envs, made on first use, or in given interpreters. The
report goes to standard output, progress to standard error. The exit status is 1 when something could not be
measured or libraries disagree about a result; goals that do not hold are only reported.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import environments, report
from bench.case import Case, load_cases
from bench.libraries import LIBRARIES
from bench.machine import cores
from bench.session import Session, Settings


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    made.add_argument("--list", action="store_true", help="list the cases and their libraries")
    made.add_argument(
        "--only", action="append", default=[], metavar="PATTERN", help="cases: 'dispatch*', 'dot'"
    )
    made.add_argument(
        "--libraries", action="append", default=[], metavar="PATTERN", help="libraries: 'torch*'"
    )
    made.add_argument("--quick", action="store_true", help="one short round: do the cases work?")
    made.add_argument("--threads", type=int, default=2, help="threads of every library (2)")
    made.add_argument("--rounds", type=int, default=5, help="turns of each library (5)")
    made.add_argument("--seconds", type=float, default=1.0, help="time measured in each process (1)")
    made.add_argument(
        "--env", action="append", default=[], metavar="NAME=PYTHON", help="use this interpreter"
    )
    made.add_argument("--build", type=Path, default=Settings.build, help="build tree with the C++ programs")
    made.add_argument(
        "--before", type=Path, metavar="DIR", help="also run the mixgrad package in this folder"
    )
    made.add_argument("--json", type=Path, help="write every repeat here")
    made.add_argument("--output", type=Path, help="page whose figures are replaced")
    made.add_argument("--render", type=Path, metavar="JSON", help="measure nothing, report an earlier run")
    return made


def chosen(names: list[str], patterns: list[str], what: str) -> list[str]:
    """The names that match any pattern; a pattern without a match is an error."""
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            raise ValueError(f"no {what} matches {pattern!r}; there are {', '.join(names)}")
    return [name for name in names if not patterns or any(fnmatch.fnmatch(name, p) for p in patterns)]


def interpreters(pairs: list[str]) -> dict[str, str]:
    """--env NAME=PYTHON as a dict."""
    given: dict[str, str] = {}
    for pair in pairs:
        name, _, path = pair.partition("=")
        if name not in environments.NAMES or not path:
            raise ValueError(
                f"--env takes NAME=PYTHON with NAME one of {', '.join(environments.NAMES)}, got {pair!r}"
            )
        # Not resolved: an interpreter of a virtual environment is a link, and known by the link's place.
        given[name] = str(Path(path).expanduser().absolute())
    return given


def list_cases(cases: list[Case]) -> None:
    for case in cases:
        names = f"program {case.program.name}" if case.program else ", ".join(case.setups)
        print(f"{case.name:30} {case.title}\n{'':30} {names}")


def measure(options: argparse.Namespace, cases: list[Case]) -> dict[str, Any]:
    if not 1 <= options.threads <= cores():
        raise ValueError(f"--threads {options.threads}; this process may use 1 to {cores()} cores")
    if options.rounds < 1 or options.seconds <= 0:
        raise ValueError("--rounds must be at least 1 and --seconds positive")
    keys = chosen(list(LIBRARIES), options.libraries, "library")
    before = options.before.absolute() if options.before else None
    if before and not (before / "mixgrad" / "__init__.py").is_file():
        raise ValueError(f"--before {before} holds no package mixgrad; name the folder above it")
    keys = [key for key in keys if key != "before"] + (["before"] if before else [])
    if options.quick and not options.libraries:
        keys = [key for key in keys if not LIBRARIES[key].extra]
    needed = {LIBRARIES[key].environment for case in cases for key in case.setups if key in keys}
    pythons, missing = environments.find(needed, interpreters(options.env))
    for reason in missing.values():
        print(f"not measured: {reason}", file=sys.stderr)
    settings = Settings(
        options.threads, options.rounds, options.seconds, build=options.build.absolute(), before=before
    )
    if options.quick:
        settings = replace(settings, rounds=1, seconds=0.1, warmup=0.05, quick=True)
    result = Session(settings, pythons, keys).run(cases)
    result["missing"] = missing
    return result


def main() -> int:
    made = parser()
    options = made.parse_args()
    try:
        known = load_cases()
        cases = [known[name] for name in chosen(list(known), options.only, "case")]
        if options.list:
            list_cases(cases)
            return 0
        if options.render:
            result = json.loads(options.render.read_text(encoding="utf-8"))
        else:
            result = measure(options, cases)
        if options.json:
            options.json.parent.mkdir(parents=True, exist_ok=True)
            options.json.write_text(json.dumps(result) + "\n", encoding="utf-8")
        text = report.markdown(result)
        print(text)
        if options.output:
            report.write_page(options.output, text)
    except (ValueError, OSError, environments.EnvironmentProblem) as problem:
        print(f"run.py: {problem}", file=sys.stderr)
        return 2
    return 1 if any(row["problems"] for row in result["rows"]) else 0


if __name__ == "__main__":
    sys.exit(main())
