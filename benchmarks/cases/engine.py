"""The engine and the pool without Python: C++ programs of the build tree."""

from __future__ import annotations

from bench.case import Case, Goal, Program

CASES = [
    Case(
        "engine",
        "engine",
        unit="task",
        program=Program("engine_bench", ("500000", "5"), quick=("20000", "3")),
    ),
    Case(
        "storage",
        "storage",
        unit="operation",
        goal=Goal(("malloc", "mmap")),
        program=Program("storage_bench"),
    ),
]
