"""Steps of a run: commands, of which as many run at a time as the machine has cores for."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock

CORES = os.cpu_count() or 1
LIGHT = 0.5  # of a core, for a step that mostly waits: one more of them runs when all cores are taken


@dataclass(frozen=True)
class Step:
    """A command. Without more it runs when a core is free."""

    name: str
    command: list[str]
    builds: bool = False  # later steps make no sense without it; nothing runs beside it
    tool: str = ""  # a program that is not on PyPI; without it the step is skipped
    variables: Mapping[str, str] = field(default_factory=dict)  # of the environment, beside the runner's own
    cores: float = 1  # how many it keeps busy
    after: str = ""  # the step that must have ended


@dataclass(frozen=True)
class Outcome:
    """What came of a step: its exit status, its last lines, how long it ran and how much it computed."""

    status: int
    last: list[str]
    seconds: float
    processor: float

    def counts(self) -> tuple[int, int, int]:
        """Passed, failed, skipped: by the last line that says so, or the step itself."""
        text = next((line for line in reversed(self.last) if re.search(r"\b\d+ (passed|failed)\b", line)), "")
        numbers = {
            word: int(number) for number, word in re.findall(r"\b(\d+) (passed|failed|skipped)\b", text)
        }
        passed, failed, skipped = (numbers.get(word, 0) for word in ("passed", "failed", "skipped"))
        if self.status != 0:
            return passed, max(failed, 1), skipped
        return (passed, failed, skipped) if numbers else (1, 0, 0)


class Screen:
    """Passes the output of one step on as it comes, and that of the ones beside it when that has ended."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pages: list[Page] = []  # in the order in which they began; the first is seen

    def page(self, title: str) -> Page:
        page = Page(self, [f"\n=== {title}\n"])
        with self._lock:
            self._pages.append(page)
            if page is self._pages[0]:
                self._show(page)
        return page

    def write(self, page: Page, line: str) -> None:
        with self._lock:
            page.waiting.append(line)
            if page is self._pages[0]:
                self._show(page)

    def end(self, page: Page) -> None:
        with self._lock:
            page.ended = True
            while self._pages and self._pages[0].ended:
                self._show(self._pages.pop(0))
            if self._pages:
                self._show(self._pages[0])

    @staticmethod
    def _show(page: Page) -> None:
        print("".join(page.waiting), end="", flush=True)
        page.waiting.clear()


@dataclass(eq=False)
class Page:
    """The output of a step, as far as it has not been seen."""

    screen: Screen
    waiting: list[str]
    ended: bool = False

    def write(self, line: str) -> None:
        self.screen.write(self, line)


def execute(step: Step, folder: Path, page: Page) -> Outcome:
    """Runs a step in a folder and waits for its end."""
    last: deque[str] = deque(maxlen=20)
    begin = time.monotonic()
    try:
        process = subprocess.Popen(
            step.command,
            cwd=folder,
            env={**os.environ, **step.variables},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
    except OSError as error:
        page.write(f"{error}\n")
        return Outcome(127, [], 0, 0)
    assert process.stdout is not None
    with process.stdout:
        for line in process.stdout:
            page.write(line)
            last.append(line)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(process.returncode, list(last), time.monotonic() - begin, used.ru_utime + used.ru_stime)


def startable(waiting: list[Step], running: list[Step], ended: set[str]) -> list[Step]:
    """Which of the steps that wait begin now. Only light ones go before an earlier one that finds no room."""
    chosen: list[Step] = []
    room = CORES + LIGHT - sum(step.cores for step in running)
    for step in waiting:
        if step.builds:
            if not running and not chosen:
                chosen.append(step)
            break
        if step.after and step.after not in ended:
            continue
        if step.cores <= room:
            chosen.append(step)
            room -= step.cores
        else:
            room = min(room, LIGHT)
    return chosen


def run(steps: list[Step], folder: Path) -> tuple[dict[str, Outcome], list[Step]]:
    """Runs steps, earlier ones first, several at a time.

    Returns what came of each, and those that did not run: their tool is not there, or the build failed.
    """
    outcomes: dict[str, Outcome] = {}
    missing = [step for step in steps if step.tool and shutil.which(step.tool) is None]
    waiting = [step for step in steps if step not in missing]
    absent = {step.name for step in steps} - {step.name for step in waiting}
    screen = Screen()
    number = len(missing)
    running: dict[Future[Outcome], tuple[Step, Page]] = {}
    with ThreadPoolExecutor(len(steps)) as pool:
        while waiting or running:
            now = [step for step, _ in running.values()]
            for step in startable(waiting, now, outcomes.keys() | absent):
                waiting.remove(step)
                number += 1
                page = screen.page(f"[{number}/{len(steps)}] {step.name}")
                running[pool.submit(execute, step, folder, page)] = (step, page)
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                step, page = running.pop(future)
                screen.end(page)
                outcomes[step.name] = future.result()
                if step.builds and outcomes[step.name].status:
                    return outcomes, missing + waiting
    return outcomes, missing
