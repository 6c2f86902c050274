#!/usr/bin/env python3
"""Scaling of a `dist_sync` training over machines that are network namespaces with shaped links.

    ten_machines.py [--machines 1 2 4 8 10] [--models resnet50 googlenet] [--megabits 100] [--delay 0.2]
                    [--steps 3] [--output figures.json] [--draw curve.svg]

Each machine runs a worker and a server; the scheduler is on the first. Gradients have the sizes of the
network's parameters. Computing is a timer: a step sleeps a third of its time in the forward pass, the rest in
the backward pass, the same for each array; an array is pushed and pulled when its gradient is there, and the
next forward pass waits for it. So communication hides behind computing as in a real training. Two times of
computing are measured: 1.6 and 0.2 times what the links need for the bytes that follow from the plan.

Where namespaces are not allowed it says so and ends. All machines share this one's cores: with --megabits the
links are made so slow that the cores are not the bound; the report says how busy they were.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from namespaces import Machines, missing

HIDING, BOUND = 1.6, 0.2  # computing, in times of communication
BIG = 20_000  # elements from which on arrays are cut over all servers, so that each has as much to do
SHAPE = (1, 3, 224, 224)
TICK = os.sysconf("SC_CLK_TCK")


def sizes_of(model: str) -> list[tuple[str, int]]:
    """Names and elements of a network's parameters, in the order of its forward pass."""
    import mixgrad as mx

    net = mx.models.resnet(50, num_classes=1000) if model == "resnet50" else mx.models.googlenet()
    shapes = net.infer_shape(data=SHAPE)[0] or []
    named = zip(net.list_arguments(), shapes)
    return [(name, math.prod(shape)) for name, shape in named if name != "data" and "label" not in name]


def planned_bytes(total: int, machines: int) -> float:
    """What a machine sends in a step, which is what it receives, by the plan of the store.

    A worker sends its gradients of what other machines' servers have, a server its values to the other
    workers, and the sum of each update to one replica.
    """
    elsewhere = 1 - 1 / machines
    return total * (elsewhere + elsewhere + (1 / machines if machines > 1 else 0))


def traffic() -> tuple[int, int]:
    """Bytes that this machine's interface received and sent."""
    for line in Path("/proc/net/dev").read_text().splitlines():
        name, _, numbers = line.strip().partition(":")
        if name == "eth0":
            words = numbers.split()
            return int(words[0]), int(words[8])
    raise RuntimeError("there is no eth0")


class Timer:
    """Computing that takes its time: waits are part of a step only where computing has to stand still."""

    def __init__(self) -> None:
        self._at = time.perf_counter()

    def compute(self, seconds: float) -> None:
        self._at = max(self._at, time.perf_counter() - 0.002) + seconds
        time.sleep(max(0.0, self._at - time.perf_counter()))


def work(model: str, seconds: float, steps: int) -> None:
    """What a worker does: one step to warm up, then those that count."""
    import mixgrad as mx

    store: Any = mx.kv.create("dist_sync")
    sizes = sizes_of(model)
    names = [name for name, _ in sizes]
    values = [mx.nd.zeros((count,)) for _, count in sizes]
    gradients = [mx.nd.ones((count,)) for _, count in sizes]
    store.init(names, values)
    store.set_optimizer(mx.optimizer.SGD(learning_rate=1.0, rescale_grad=1 / store.num_workers, wd=0.0))
    store.barrier()
    timer, share = Timer(), seconds / 3 / len(names)
    marks = []
    for step in range(steps + 2):
        for value in values:
            value.wait_to_read()
            timer.compute(share)
            if value is values[0] and step > 0:  # a step ends where the next one's first array is there
                marks.append((time.perf_counter(), *traffic()))
                if store.rank == 0:
                    print(json.dumps("mark"), flush=True)
        if step == steps + 1:
            break
        for i in reversed(range(len(names))):
            timer.compute(2 * share)
            store.push(names[i], gradients[i], priority=-i)
            store.pull(names[i], out=values[i], priority=-i)
    mx.nd.waitall()
    for name, value in zip(names, values):
        least, most = float(value.min().asscalar()), float(value.max().asscalar())
        if abs(least + steps + 1) > 1e-3 or abs(most + steps + 1) > 1e-3:
            raise SystemExit(f"{name} is {least} to {most} after {steps + 1} steps of -1")
    print(json.dumps(marks), flush=True)
    store.leave()


def cpu_seconds(processes: list[subprocess.Popen[str]]) -> float:
    """Of all processes, up to now."""
    total = 0
    for process in processes:
        fields = Path(f"/proc/{process.pid}/stat").read_bytes().rpartition(b")")[2].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICK


def measure(model: str, machines: Machines, count: int, seconds: float, steps: int) -> dict[str, float]:
    """Figures of so many machines: time and bytes of a step."""
    with tempfile.TemporaryDirectory() as outside:
        keys = str(Path(outside) / "keys")
        make = [sys.executable, "-m", "mixgrad", "keys", keys, "-n", str(count), "-s", str(count)]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        common = {
            **os.environ,
            "DMLC_PS_ROOT_URI": machines.address(0),
            "DMLC_PS_ROOT_PORT": "2222",
            "DMLC_NUM_WORKER": str(count),
            "DMLC_NUM_SERVER": str(count),
            "MXNET_KVSTORE_BIGARRAY_BOUND": str(BIG),
            "MIXGRAD_KEYS": keys,
            "OMP_NUM_THREADS": "1",
        }
        worker = [sys.executable, __file__, "--work", model, str(seconds), str(steps)]
        serve = [sys.executable, "-m", "mixgrad.kvstore_server"]
        roles = [("scheduler", 0), *((role, i) for role in ("server", "worker") for i in range(count))]
        processes = [
            subprocess.Popen(
                ["ip", "netns", "exec", machines.name(i), *(worker if role == "worker" else serve)],
                env={
                    **common,
                    "DMLC_ROLE": role,
                    "MIXGRAD_NUMBER": str(i),
                    "DMLC_NODE_HOST": machines.address(i),
                    **({} if role == "worker" else {"MIXGRAD_SERVING": "1"}),
                },
                stdout=subprocess.PIPE,
                text=True,
            )
            for role, i in roles
        ]
        used: list[float] = []
        results: list[list[list[float]]] = []
        try:
            for process in processes[1 + count :]:
                assert process.stdout is not None
                while line := process.stdout.readline():
                    found = json.loads(line)
                    if found == "mark":
                        used.append(cpu_seconds(processes))
                    else:
                        results.append(found)
            for process in processes:
                process.wait(30)
        finally:
            for process in processes:
                process.kill()
                process.wait()
    if len(results) != count or any(process.returncode for process in processes):
        raise SystemExit(f"{model} on {count} machines: codes {[one.returncode for one in processes]}")
    times = [b[0] - a[0] for marks in results for a, b in zip(marks, marks[1:])]
    span = [(marks[-1][i] - marks[0][i]) / steps for marks in results for i in (1, 2)]
    step = statistics.median(times)
    return {
        "machines": count,
        "computing": seconds,
        "step": step,
        "step_most": max(times),
        "sent": statistics.mean(span[1::2]),
        "sent_most": max(span[1::2]),
        "received": statistics.mean(span[::2]),
        "cores": (used[-1] - used[0]) / steps / step,
    }


def report(results: dict[str, Any]) -> str:
    """The figures as a table."""
    lines = [
        "| network | computing | machines | step, s | throughput of one | sent by a machine, MB | planned | "
        "link used | cores used |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for model, several in results["models"].items():
        for kind, rows in several["rows"].items():
            for row in rows:
                count = row["machines"]
                planned = planned_bytes(several["bytes"], count)
                speed = row["sent"] / row["step"] / (results["megabits"] / 8 * 1e6)
                lines.append(
                    f"| {model} | {kind} ({row['computing']:.2f} s) | {count} | {row['step']:.2f} | "
                    f"{count * rows[0]['step'] / row['step']:.2f} | {row['sent'] / 1e6:.1f} | "
                    f"{planned / 1e6:.1f} | {100 * speed:.0f}% | {row['cores']:.2f} |"
                )
    return "\n".join(lines)


def draw(results: dict[str, Any], path: str) -> None:
    """Throughput over machines as SVG."""
    import mixgrad as mx

    most = max(results["machines"])
    curves: dict[str, Any] = {"ideal": [(1, 1), (most, most)]}
    for model, several in results["models"].items():
        for kind, rows in several["rows"].items():
            points = [(row["machines"], row["machines"] * rows[0]["step"] / row["step"]) for row in rows]
            curves[f"{model}, {kind}"] = points
    mx.viz.plot_curves(curves).save(path)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--machines", type=int, nargs="+", default=[1, 2, 4, 8, 10])
    parser.add_argument("--models", nargs="+", default=["resnet50", "googlenet"])
    parser.add_argument("--megabits", type=float, default=100.0, help="of a link, each way")
    parser.add_argument("--delay", type=float, default=0.2, help="ms from machine to machine, with netem")
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--output", help="file for the figures")
    parser.add_argument("--draw", help="file for the curve, as SVG")
    parser.add_argument("--render", help="do not measure: report the figures of that file")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        work(given.work[0], float(given.work[1]), int(given.work[2]))
        return
    if given.render:
        results = json.loads(Path(given.render).read_text())
    else:
        if lacks := missing():
            print(f"skipped: {lacks}")
            return
        results = {"machines": given.machines, "megabits": given.megabits, "models": {}}
        for model in given.models:
            total = 4 * sum(count for _, count in sizes_of(model))
            link = planned_bytes(total, max(given.machines)) / (given.megabits / 8 * 1e6)
            rows: dict[str, Any] = {"hidden": [], "bound": []}
            results["models"][model] = {"bytes": total, "rows": rows}
            for kind, factor in (("hidden", HIDING), ("bound", BOUND)):
                for count in given.machines:
                    with Machines(count, given.megabits, given.delay) as machines:
                        results["delay"] = given.delay if machines.has_delay else None
                        row = measure(model, machines, count, factor * link, given.steps)
                    rows[kind].append(row)
                    print(model, kind, json.dumps(row), file=sys.stderr, flush=True)
    if given.output:
        Path(given.output).write_text(json.dumps(results, indent=1) + "\n")
    delay = results["delay"]
    print(
        f"links of {results['megabits']:g} Mbit/s, "
        f"{'without delay: this kernel has no netem' if delay is None else f'{delay:g} ms'}\n"
    )
    print(report(results))
    if given.draw:
        draw(results, given.draw)


if __name__ == "__main__":
    main()
