"""Measure how long a packed model takes to load and to predict."""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path

from .. import engine
from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..model import load_packed
from .console import Progress, at_least, positive, show, show_json

__all__ = ["act", "add_arguments"]

_LEAST_RUNS = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=Path, help="a file made by mixgrad pack")
    parser.add_argument("--batch", type=at_least(1), help="images at once (default: as packed)")
    parser.add_argument("--threads", type=at_least(1), help="threads (default: all cores)")
    parser.add_argument("--seconds", type=positive, default=2.0, help="how long to measure (default: 2)")


def act(given: argparse.Namespace) -> None:
    """Measure."""
    if given.threads is not None:
        engine.set_num_threads(given.threads)
    begin = time.perf_counter()
    model = load_packed(given.model)
    loaded = time.perf_counter()
    if model.input is None:
        raise InvalidArgumentError(
            f"[bench] '{given.model}' names no input; expected a file that mixgrad pack made"
        )
    shape = (given.batch or model.input.shape[0], *model.input.shape[1:])
    executor = model.bind(shape)
    data = nd.zeros(shape)

    def predict() -> float:
        start = time.perf_counter()
        executor.forward(**{model.input.name: data})[0].wait_to_read()  # type: ignore[union-attr]
        return time.perf_counter() - start

    first = predict()
    predict()
    times: list[float] = []
    progress = Progress("measuring")
    start = time.perf_counter()
    while len(times) < _LEAST_RUNS or time.perf_counter() < start + given.seconds:
        times.append(predict())
        progress.at(min((time.perf_counter() - start) / given.seconds, len(times) / _LEAST_RUNS))
    progress.end()
    middle = statistics.median(times)
    if given.json:
        show_json(
            {
                "load_ms": 1e3 * (loaded - begin),
                "first_prediction_ms": 1e3 * first,
                "prediction_ms": {
                    "median": 1e3 * middle,
                    "least": 1e3 * min(times),
                    "most": 1e3 * max(times),
                },
                "runs": len(times),
                "batch": shape[0],
                "threads": engine.num_threads(),
            }
        )
        return
    show(f"load {1e3 * (loaded - begin):.2f} ms, first prediction {1e3 * first:.2f} ms")
    show(
        f"prediction {1e3 * middle:.3f} ms (least {1e3 * min(times):.3f}, most {1e3 * max(times):.3f}, "
        f"{len(times)} runs), {shape[0] / middle:.1f} images per second"
    )
