"""The forward pass of a 20-layer network on one row: mx.nn beside PyTorch's eager modules.

Run by an interpreter with mixgrad: ``python benchmarks/module_forward.py --torch PYTHON``, where PYTHON has
torch. Each program is timed in turn, a few rounds; the medians of their best figures are compared.
"""

from __future__ import annotations

import argparse
import importlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

LAYERS, WIDTH = 20, 64


def network(nn: Any) -> Any:
    """Linear and ReLU, twenty times."""
    return nn.Sequential(*(part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())))


def program(library: str, grad: bool) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """A pass of one library, and what waits for its result."""
    if library == "torch":
        torch = importlib.import_module("torch")
        torch.set_num_threads(1)
        net, x = network(torch.nn), torch.ones(1, WIDTH)
        if not grad:
            net.requires_grad_(False)
        return (lambda: net(x)), (lambda y: y.sum().item())
    mixgrad = importlib.import_module("mixgrad")
    net, x = network(mixgrad.nn), mixgrad.np.ones((1, WIDTH))
    if not grad:
        net.requires_grad_(False)
    return (lambda: net(x)), (lambda y: y.sum().item())


def measure(library: str, grad: bool, seconds: float) -> float:
    """Microseconds of a pass: the best of many short runs."""
    call, wait = program(library, grad)
    for _ in range(200):
        wait(call())
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(100):
            y = call()
        wait(y)
        best = min(best, (time.perf_counter() - start) / 100)
    return best * 1e6


def main() -> None:
    """Compare, or measure one library."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--torch", default=sys.executable, metavar="PYTHON", help="an interpreter with torch")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=1.0, help="time of one measurement")
    parser.add_argument("--only", choices=["mixgrad", "torch"], help="measure one library in this process")
    parser.add_argument("--frozen", action="store_true", help="without gradients")
    args = parser.parse_args()
    if args.only:
        print(measure(args.only, not args.frozen, args.seconds))
        return
    found: dict[str, list[float]] = {"mixgrad": [], "torch": []}
    for _ in range(args.rounds):
        for library, python in (("mixgrad", sys.executable), ("torch", args.torch)):
            command = [python, __file__, "--only", library, "--seconds", str(args.seconds)]
            if args.frozen:
                command.append("--frozen")
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            found[library].append(float(done.stdout))
    for library, times in found.items():
        print(f"{library:8} {statistics.median(times):7.1f} us ({min(times):.1f} to {max(times):.1f})")
    ratio = statistics.median(found["mixgrad"]) / statistics.median(found["torch"])
    print(f"mixgrad takes {ratio:.2f} of PyTorch's time")


if __name__ == "__main__":
    main()
