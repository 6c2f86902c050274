"""Measure one case with one library, in this process; print one line of JSON.

Runs in the library's own interpreter, with ``benchmarks/`` as its folder:

    python -m bench.measure CASE LIBRARY --threads 2 --seconds 1
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from typing import Any, Optional

from .case import Call, Case, Setup, load_cases, setup_for
from .libraries import LIBRARIES, as_numpy, prepare

REPEATS = 100  # about so many in one process
SHORTEST = 1e-3  # seconds of one repeat, so that reading the clock does not matter


def signature(result: Any) -> Optional[list[float]]:
    """Three numbers that agree when two arrays do: size, mean of the values, mean under uneven weights."""
    values = as_numpy(result)
    if values is None:
        return None
    import numpy as np

    flat = np.asarray(values, np.float64).reshape(-1)
    if flat.size == 0:
        return [0.0, 0.0, 0.0]
    weights = 1.0 + np.arange(flat.size) % 7
    return [float(flat.size), float(np.abs(flat).mean()), float((flat * weights).mean())]


def timed(call: Call, calls: int) -> float:
    """Seconds of one of ``calls`` calls."""
    start = time.perf_counter_ns()
    for _ in range(calls):
        call()
    return (time.perf_counter_ns() - start) * 1e-9 / calls


def warm_up(call: Call, seconds: float) -> float:
    """Call for so long, at least twice; returns the median of one call's seconds."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 2 or (time.perf_counter() < end and len(times) < 100000):
        times.append(timed(call, 1))
    return statistics.median(times)


def repeats(call: Call, seconds: float, warm: float) -> tuple[list[float], int]:
    """Seconds of one call, by repeat, and the calls in a repeat."""
    once = warm_up(call, warm)
    calls = max(1, math.ceil(max(SHORTEST, seconds / REPEATS) / max(once, 1e-9)))
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        times.append(timed(call, calls))
    return times, calls


def run(case: Case, setup: Setup, options: argparse.Namespace) -> dict[str, Any]:
    version = prepare(options.library, options.threads)
    call = setup()
    first = call()
    if case.measure == "value":
        return {"version": version, "samples": [float(first)]}
    known = None if case.tolerance is None or options.unchecked else signature(first)
    del first
    if options.calls:
        for _ in range(options.calls):
            call()
        return {"version": version, "samples": [], "calls": options.calls}
    times, calls = repeats(call, options.seconds, options.warmup)
    # Four digits are more than the clock and the machine are good for.
    samples = [float(f"{seconds / case.count:.4g}") for seconds in times]
    return {"version": version, "samples": samples, "calls": calls, "signature": known}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("case")
    parser.add_argument("library", choices=sorted(LIBRARIES))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1.0, help="time measured")
    parser.add_argument("--warmup", type=float, default=0.3, help="time discarded before")
    parser.add_argument("--calls", type=int, default=0, help="run so many calls untimed, for a profiler")
    parser.add_argument("--prepare", action="store_true", help="only write what other libraries will read")
    parser.add_argument("--unchecked", action="store_true", help="leave the result's signature out")
    options = parser.parse_args()
    cases = load_cases()
    case = cases.get(options.case)
    if case is None:
        parser.error(f"no case is called {options.case!r}; known are {', '.join(cases)}")
    setup = setup_for(case, options.library)
    if setup is None:
        parser.error(
            f"{case.name} has no {options.library!r}; it has {', '.join(case.setups) or 'a program'}"
        )
    if options.prepare:
        if case.prepare:
            case.prepare()
        print("{}")
        return 0
    print(json.dumps(run(case, setup, options)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
