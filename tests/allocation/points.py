"""Makes allocations of scenarios fail, and counts what comes of it."""

from __future__ import annotations

import functools
import os
import select
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

HERE = Path(__file__).resolve().parent
LIMIT = 60.0  # seconds for one point: longer is a lock that nobody lets go of


@dataclass
class Outcome:
    """What came of the points of one scenario."""

    scenario: str
    counts: Counter[str] = field(default_factory=Counter)  # "error", "same", "wrong", "ended", "stuck"
    failures: list[str] = field(default_factory=list)

    def add(self, kind: str, what: str = "") -> None:
        self.counts[kind] += 1
        if kind not in ("error", "same"):
            self.failures.append(f"{self.scenario} {what}")


@functools.cache
def build_shim() -> str:
    """The library to preload."""
    shim = str(Path(tempfile.mkdtemp()) / "fail_new.so")
    sources = [str(HERE / name) for name in ("fail_new.cc", "fail_malloc.cc")]
    command = [
        os.environ.get("CXX", "g++"),
        "-std=c++17",
        "-O1",
        "-shared",
        "-fPIC",
        "-o",
        shim,
        *sources,
        "-ldl",
    ]
    subprocess.run(command, check=True)
    return shim


class Child:
    """A process that runs one scenario."""

    def __init__(self, scenario: str) -> None:
        environment = {**os.environ, "LD_PRELOAD": build_shim(), "PYTHONFAULTHANDLER": ""}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115  (until close())
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "child.py"), scenario],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, env=environment,
        )  # fmt: skip

    def ask(self, n: int, lasting: bool) -> tuple[str, str]:
        """The kind of what came of this point, and a description. "ended" and "stuck" end the child."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{n} {int(lasting)}\n".encode())
        self.process.stdin.flush()
        point = f"{'from' if lasting else 'at'} {n}: "
        if not select.select([self.process.stdout], [], [], LIMIT)[0]:
            self.process.kill()
            return "stuck", point + self.close()
        line = self.process.stdout.readline().decode()
        if not line:
            return "ended", point + self.close()
        word = line.split()[0]
        return word.lower(), line.strip() if word == "count" else point + line.strip()

    def close(self) -> str:
        """Ends the process. Returns its status and what it has said."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        status = self.process.wait()
        self.process.stdout.close()
        self.errors.seek(0)
        text = self.errors.read().decode(errors="replace")
        self.errors.close()
        return f"status {status}: {text.strip()[-1500:]}"


def count_points(scenario: str) -> int:
    """How many allocations one run of the scenario makes."""
    child = Child(scenario)
    kind, text = child.ask(0, False)
    if kind != "count":
        raise RuntimeError(f"{scenario}: {text}")
    child.close()
    return int(text.split()[1])


def try_points(scenario: str, points: Iterable[tuple[int, bool]]) -> Outcome:
    """Runs the scenario with the n-th allocation failing, and all later ones where the point says so."""
    outcome = Outcome(scenario)
    child: Optional[Child] = None
    for n, lasting in points:
        child = child or Child(scenario)
        kind, what = child.ask(n, lasting)
        outcome.add(kind, what)
        if kind in ("ended", "stuck"):
            child = None
        elif scenario == "import":
            child.close()
            child = None
    if child:
        child.close()
    return outcome
