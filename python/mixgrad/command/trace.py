"""Make one trace of a distributed training of those that its processes wrote, with clocks aligned."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from .._files import read_file, write_file
from ..base import FileFormatError, NotFoundError
from ..profiler.merged import merged
from .console import heading, show, show_json

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    add = parser.add_argument
    add("folders", nargs="+", help="what MIXGRAD_TRACE named, on each machine")
    add("-o", "--output", default="trace.json", help="the file to write (default: trace.json)")


def act(given: argparse.Namespace) -> None:
    """Writes the trace, and says how far the clocks were apart."""
    files = sorted(path for folder in given.folders for path in Path(folder).glob("*.trace.json"))
    if not files:
        raise NotFoundError(
            f"[trace] there is no *.trace.json in {', '.join(given.folders)}; expected those of a training "
            "with MIXGRAD_TRACE set"
        )
    traces = []
    for path in files:
        try:
            traces.append(json.loads(read_file(path, "trace")))
        except ValueError as error:
            raise FileFormatError(f"[trace] {path} is no trace: {error}") from None
    trace = merged(traces)
    write_file(given.output, json.dumps(trace).encode(), "trace")
    told = trace["otherData"]["clocks"]
    if given.json:
        show_json({"output": given.output, "clocks": told})
        return
    heading(f"{given.output}: {len(traces)} processes")
    show(f"{'process':<12}{'clock ahead, ms':>18}{'within':>10}  by")
    for name, clock in told.items():
        show(f"{name:<12}{clock['ahead_ms']:>18.3f}{_within(clock['within_ms']):>10}  {clock['by']}")


def _within(milliseconds: float | None) -> str:
    return "?" if milliseconds is None else f"{milliseconds:.3f}"
