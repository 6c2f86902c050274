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

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=Path, help="a file made by mixgrad pack")
    parser.add_argument("--batch", type=int, help="images at once (default: as packed)")
    parser.add_argument("--threads", type=int, help="threads (default: all cores)")
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to measure")


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
    batch = model.input.shape[0] if given.batch is None else given.batch
    if batch < 1:
        raise InvalidArgumentError(f"[bench] --batch is {batch}; expected at least 1")
    shape = (batch, *model.input.shape[1:])
    executor = model.bind(shape)
    data = nd.zeros(shape)

    def predict() -> float:
        start = time.perf_counter()
        executor.forward(**{model.input.name: data})[0].wait_to_read()  # type: ignore[union-attr]
        return time.perf_counter() - start

    first = predict()
    predict()
    times: list[float] = []
    end = time.perf_counter() + given.seconds
    while len(times) < 5 or time.perf_counter() < end:
        times.append(predict())
    middle = statistics.median(times)
    print(f"load {1e3 * (loaded - begin):.2f} ms, first prediction {1e3 * first:.2f} ms")
    print(
        f"prediction {1e3 * middle:.3f} ms (least {1e3 * min(times):.3f}, most {1e3 * max(times):.3f}, "
        f"{len(times)} runs), {shape[0] / middle:.1f} images per second"
    )
