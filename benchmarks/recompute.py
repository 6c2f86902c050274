"""What a memory budget costs: training steps with budgets and without, in turn in one process.

    python benchmarks/recompute.py --network resnet-50 --batch 16 --size 224 --less 2.2 3
    python benchmarks/recompute.py --network resnet-152 --batch 8 --rounds 5

A step is forward, backward and an SGD update of every parameter. Budgets are the plan without
recomputing, divided by the numbers given. Printed are planned bytes, medians of the times, and the median
of the rounds' ratios to the step without budget.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import numpy as np

import mixgrad as mx


class Step:
    """A bound network and its arrays; parameters are small random numbers."""

    def __init__(self, net: Any, shapes: dict[str, tuple[int, ...]], setting: str) -> None:
        mx.executor.set_recompute(setting)
        started = time.perf_counter()
        requests = {
            name: "null" if name == "data" or name.endswith("label") else "write"
            for name in net.list_arguments()
        }
        self.executor = net.simple_bind(mx.cpu(), grad_req=requests, **shapes)
        mx.nd.waitall()
        self.bound = time.perf_counter() - started
        mx.executor.set_recompute("off")
        random = np.random.default_rng(1)
        for name, array in self.executor.arg_dict.items():
            scale = 1.0 if name == "data" else 0.05
            if name.endswith("label"):
                array[:] = random.integers(0, 10, array.shape).astype(np.float32)
            else:
                array[:] = (scale * random.standard_normal(array.shape)).astype(np.float32)
        for name, array in self.executor.aux_dict.items():
            array[:] = 1 if name.endswith("var") else 0
        self.pairs = [
            (self.executor.arg_dict[name], gradient)
            for name, gradient in self.executor.grad_dict.items()
            if gradient is not None
        ]
        self.planned = self.executor.planned_bytes(True)[0]
        self.times: list[float] = []

    def run(self) -> float:
        started = time.perf_counter()
        self.executor.forward(is_train=True)
        self.executor.backward()
        for weight, gradient in self.pairs:
            mx.nd.sgd_update(weight, gradient, lr=1e-6, wd=0.0, out=weight)
        mx.nd.waitall()
        return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--network", default="resnet-50")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--size", type=int, default=224, help="rows and columns of the images")
    parser.add_argument("--less", type=float, nargs="*", default=[2.2, 3.0], help="parts of the whole memory")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    net = mx.models.get_symbol(options.network)
    shapes: dict[str, tuple[int, ...]] = {"data": (options.batch, 3, options.size, options.size)}
    steps = [Step(net, shapes, "off")]
    arena = _arena(steps[0])
    steps += [Step(net, shapes, str(int(arena / part))) for part in options.less]
    for step in steps:
        step.run()
    for _ in range(options.rounds):
        for step in steps:
            step.times.append(step.run())
    print(f"{options.network}, batch {options.batch}, {options.size} x {options.size}")
    print("| working memory | of the whole | bind | step | against the whole |\n|---|---|---|---|---|")
    for step in steps:
        ratios = [mine / whole for mine, whole in zip(step.times, steps[0].times)]
        print(
            f"| {_arena(step) / 1e6:.0f} MB | 1 / {arena / _arena(step):.2f} | {step.bound * 1e3:.0f} ms "
            f"| {statistics.median(step.times) * 1e3:.0f} ms "
            f"| {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) |"
        )


def _arena(step: Step) -> int:
    """Planned bytes without the outputs, which a budget does not cover."""
    return int(step.planned - sum(4 * output.size for output in step.executor.outputs))


if __name__ == "__main__":
    main()
