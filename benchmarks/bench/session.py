"""Measuring cases: libraries in turn, in processes of their own, round after round.

The result is a dict that goes to JSON as it is. Its ``rows`` hold, for each row of the report, facts of the
case and ``libraries``: by key, ``rounds`` (a list of samples for each round, in seconds or the row's unit),
``signature``, ``version`` and, where something went wrong, ``error``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Optional

from . import programs
from .case import Case, Program, setup_for
from .libraries import LIBRARIES, thread_variables
from .machine import Others, describe
from .summary import Row, disagreements

BENCHMARKS = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Settings:
    """How long and how often to measure."""

    threads: int = 2
    rounds: int = 5
    seconds: float = 1.0
    warmup: float = 0.3
    quick: bool = False
    build: Path = BENCHMARKS.parent / "build" / "release"
    before: Optional[Path] = None  # folder of another build's package


def child_variables(key: str, settings: Settings) -> dict[str, str]:
    """The environment of a process that runs a library."""
    library = LIBRARIES[key]
    variables = {**os.environ, **thread_variables(settings.threads), **library.variables}
    if library.environment == "mixgrad":  # may be found by PYTHONPATH; processes run in another folder
        paths = [
            str(Path(path).resolve()) for path in variables.get("PYTHONPATH", "").split(os.pathsep) if path
        ]
        if key == "before" and settings.before:
            paths.insert(0, str(settings.before))
        if paths:
            variables["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        variables.pop("PYTHONPATH", None)
        variables.pop("PYTHONHOME", None)
    return variables


def measure(python: str, case: Case, key: str, settings: Settings, prepare: bool = False) -> dict[str, Any]:
    """One process's measurement: what :mod:`bench.measure` prints, or ``{"error": text}``."""
    options = {"threads": settings.threads, "seconds": settings.seconds, "warmup": settings.warmup}
    command = [python, "-m", "bench.measure", case.name, key]
    command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
    command += ["--prepare"] if prepare else []
    limit = 300 + 20 * (settings.seconds + settings.warmup)
    try:
        done = subprocess.run(
            command,
            check=False,
            cwd=BENCHMARKS,
            env=child_variables(key, settings),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
        )
    except subprocess.TimeoutExpired:
        return {"error": f"did not finish within {limit:.0f} s"}
    lines = done.stdout.strip().splitlines()
    if done.returncode or not lines:
        said = done.stderr.strip().splitlines() or lines or ["it printed nothing"]
        return {"error": f"status {done.returncode}: {said[-1]}"}
    try:
        result: dict[str, Any] = json.loads(lines[-1])
    except ValueError:
        return {"error": f"expected JSON, got {lines[-1][:200]!r}"}
    return result


def new_row(case: Case, title: str) -> Row:
    return {
        "case": case.name,
        "title": title,
        "unit": case.unit,
        "measure": case.measure,
        "reads": case.reads,
        "writes": case.writes,
        "flops": case.flops,
        "goals": [asdict(goal) for goal in case.goals()],
        "libraries": {},
        "problems": [],
    }


class Session:
    """Measures cases one after another.

    Parameters
    ----------
    settings : Settings
        How long and how often.
    pythons : dict of str to str
        Interpreters by environment.
    libraries : sequence of str
        Keys of the libraries to measure, where a case has them.
    """

    def __init__(self, settings: Settings, pythons: dict[str, str], libraries: Sequence[str]) -> None:
        self.settings, self.pythons, self.libraries = settings, pythons, libraries
        self.rows: list[Row] = []
        self.ceilings: dict[str, float] = {}

    def say(self, text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    def measure_ceilings(self) -> None:
        """Before the cases; without the program there are no fractions of a ceiling."""
        count = "2" if self.settings.quick else "7"
        program = Program("ceiling_bench", (str(self.settings.threads), count))
        try:
            figures = programs.run(program, self.settings.build, self.settings.threads)
        except programs.ProgramProblem as problem:
            self.say(f"no ceilings: {problem}")
            return
        self.ceilings = {name: values["mixgrad"] for name, values in figures.items()}

    def run_case(self, case: Case) -> None:
        if case.program:
            self.rows += self._run_program(case, case.program)
        else:
            self.rows.append(self._run_libraries(case))

    def _run_libraries(self, case: Case) -> Row:
        row = new_row(case, case.title)
        keys = [
            key
            for key in ("mixgrad", "before", *case.setups)
            if key in self.libraries and LIBRARIES[key].environment in self.pythons and setup_for(case, key)
        ]
        keys = list(dict.fromkeys(keys))
        results = row["libraries"]
        for key in keys:
            results[key] = {"title": LIBRARIES[key].title, "rounds": []}
        if case.prepare:
            got = measure(self.pythons["mixgrad"], case, "mixgrad", self.settings, prepare=True)
            if "error" in got:
                row["problems"].append(f"preparation: {got['error']}")
                return row
        for number in range(1 if case.measure == "value" else self.settings.rounds):
            for key in keys:
                if "error" in results[key]:
                    continue
                start = time.monotonic()
                got = measure(self.pythons[LIBRARIES[key].environment], case, key, self.settings)
                results[key]["rounds"].append(got.pop("samples", []))
                results[key].update(got)
                note = f"FAILED {got['error']}" if "error" in got else f"{time.monotonic() - start:.1f} s"
                self.say(f"  {case.name} round {number + 1} {key}: {note}")
        row["problems"] += [
            f"{key}: {result['error']}" for key, result in results.items() if "error" in result
        ]
        row["problems"] += disagreements(row, case.tolerance)
        return row

    def _run_program(self, case: Case, program: Program) -> list[Row]:
        rows: dict[str, Row] = {}
        for number in range(self.settings.rounds):
            try:
                figures = programs.run(
                    program, self.settings.build, self.settings.threads, self.settings.quick
                )
            except programs.ProgramProblem as problem:
                row = rows.setdefault(case.title, new_row(case, case.title))
                row["problems"].append(str(problem))
                break
            self.say(f"  {case.name} round {number + 1}")
            for line, values in figures.items():
                row = rows.setdefault(line, new_row(case, f"{case.title}: {line}"))
                for key, value in values.items():
                    title = LIBRARIES[key].title if key in LIBRARIES else key
                    row["libraries"].setdefault(key, {"title": title, "rounds": []})["rounds"].append([value])
        return list(rows.values())

    def run(self, cases: Sequence[Case]) -> dict[str, Any]:
        """Measure and return everything; an interrupt keeps what is complete."""
        others = Others()
        interrupted = False
        try:
            self.measure_ceilings()
            for number, case in enumerate(cases, 1):
                self.say(f"[{number}/{len(cases)}] {case.name}: {case.title}")
                self.run_case(case)
        except KeyboardInterrupt:
            interrupted = True
            self.say("interrupted; what was complete is reported")
        versions = {
            LIBRARIES[key].module: result["version"]
            for row in self.rows
            for key, result in row["libraries"].items()
            if result.get("version")
        }
        settings = asdict(self.settings)
        del settings["build"], settings["before"]
        return {
            "format": 1,
            "machine": describe(BENCHMARKS.parent),
            "settings": settings,
            "versions": versions,
            "other_cores": others.cores(),
            "ceilings": self.ceilings,
            "interrupted": interrupted,
            "rows": self.rows,
        }
