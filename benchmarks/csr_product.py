"""Products of csr and dense matrices, plain and transposed, against SciPy's, in turn in one process.

    python benchmarks/csr_product.py
    python benchmarks/csr_product.py --rows 1000 --density 0.05 --width 8 64 --rounds 30

Matrices are square with float32 elements in random places. SciPy works on one thread. Printed are the minima
of the rounds' times: other work on the machine only adds to them. A row has at least that many rounds, and as
many as fit into two seconds. `transposed` gives a row_sparse array, as gradients do.
"""

from __future__ import annotations

import argparse
import time
from typing import Any, Callable

import numpy as np
import scipy.sparse

import mixgrad as mx


def fastest(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """Of each call the shortest time, in milliseconds."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    end = time.perf_counter() + 2
    while len(times["plain"]) < rounds or time.perf_counter() < end:
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            times[name].append((time.perf_counter() - started) * 1e3)
    return {name: min(found) for name, found in times.items()}


def calls_of(matrix: Any, width: int) -> dict[str, Callable[[], Any]]:
    """The products with a dense matrix of that many columns."""
    turned, stored = matrix.T, mx.nd.sparse.array(matrix)
    factor = np.random.default_rng(2).standard_normal((matrix.shape[1], width)).astype(np.float32)
    dense = mx.nd.array(factor)
    return {
        "plain": lambda: mx.nd.dot(stored, dense).wait_to_read(),
        "plain, SciPy": lambda: matrix @ factor,
        "transposed": lambda: mx.nd.dot(stored, dense, transpose_a=True).wait_to_read(),
        "transposed, SciPy": lambda: turned @ factor,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--density", type=float, nargs="+", default=[0.001, 0.01])
    parser.add_argument("--width", type=int, nargs="+", default=[1, 16, 128, 1000])
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    mx.engine.set_num_threads(options.threads)
    print(f"{options.rows} rows and columns, {options.threads} threads, ms")
    print("| density | columns | plain | SciPy | ratio | transposed | SciPy | ratio |")
    print("|---|---|---|---|---|---|---|---|")
    for density in options.density:
        matrix = scipy.sparse.random(options.rows, options.rows, density, "csr", np.float32, random_state=1)
        for width in options.width:
            found = fastest(calls_of(matrix, width), options.rounds)
            cells = [f"{density:g}", f"{width}"]
            for name in ("plain", "transposed"):
                ours, theirs = found[name], found[f"{name}, SciPy"]
                cells += [f"{ours:.3g}", f"{theirs:.3g}", f"{theirs / ours:.2f}"]
            print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
