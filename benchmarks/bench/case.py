"""What a benchmark case is.

Files of cases run in the interpreters of all libraries: they import a library only inside a ``setup``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union

Call = Callable[[], Any]
Setup = Callable[[], Call]


@dataclass(frozen=True)
class Goal:
    """When a case is good enough.

    Parameters
    ----------
    peers : tuple of str
        Keys of the libraries to compare with; the fastest of those that were measured counts.
    ratio : float
        The peer's median divided by mixgrad's must reach this.
    limit : float, optional
        Instead of peers: mixgrad's median must not exceed this, in the case's unit.
    """

    peers: tuple[str, ...] = ()
    ratio: float = 1.0
    limit: Optional[float] = None


@dataclass(frozen=True)
class Program:
    """A C++ program of the build tree that prints its own figures; see :mod:`bench.programs`."""

    name: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One piece of work, done by several libraries.

    Parameters
    ----------
    name : str
        What ``--only`` matches.
    title : str
        The row's name in the report.
    setups : mapping of str to callable
        By library key (see :mod:`bench.libraries`): makes the inputs and returns the call that is timed. The
        call ends when the result is there and returns it, so that the libraries' results can be compared.
    count : int
        Units of work in one call: reported times are those of one unit.
    unit : str
        Name of one unit.
    reads, writes : int
        Bytes that one unit must move at least: every input read once, every output written once.
    flops : int
        Floating-point operations that one unit must run.
    goal : Goal or tuple of Goal, optional
        Several are judged one by one; None reports without judging.
    tolerance : float, optional
        Relative difference allowed between the libraries' results; None does not compare.
    measure : {'time', 'value'}
        Whether calls are timed, or what they return is the figure (``unit`` is then the figure's).
    program : Program, optional
        Runs this program instead of setups.
    prepare : callable, optional
        Runs once before the setups, in mixgrad's interpreter: writes what the setups of others read.
    """

    name: str
    title: str
    setups: Mapping[str, Setup] = field(default_factory=dict)
    count: int = 1
    unit: str = "call"
    reads: int = 0
    writes: int = 0
    flops: int = 0
    goal: Union[Goal, tuple[Goal, ...], None] = None
    tolerance: Optional[float] = 1e-4
    measure: str = "time"
    program: Optional[Program] = None
    prepare: Optional[Callable[[], None]] = None

    def goals(self) -> tuple[Goal, ...]:
        """The goals as a tuple, empty without any."""
        if self.goal is None:
            return ()
        return self.goal if isinstance(self.goal, tuple) else (self.goal,)


def setup_for(case: Case, key: str) -> Optional[Setup]:
    """A library's setup, or None; another build of mixgrad does what mixgrad does."""
    return case.setups.get("mixgrad" if key == "before" else key)


def load_cases() -> dict[str, Case]:
    """All cases by name, in the order of their files."""
    package = importlib.import_module("cases")
    found: dict[str, Case] = {}
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        for case in importlib.import_module(f"cases.{info.name}").CASES:
            if case.name in found:
                raise ValueError(
                    f"[cases] two cases are called {case.name!r}; one is in cases/{info.name}.py"
                )
            found[case.name] = case
    return found
