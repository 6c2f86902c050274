"""The working memory that the plans of all networks of mx.models take, beside what real MXNet 1.9.1 plans.

    python benchmarks/memory.py                                    # MXNet's totals as recorded
    python benchmarks/memory.py --mxnet PYTHON                     # ask it, and record what it says
    python benchmarks/memory.py --only 'resnet-*' --output docs/memory.md

Nothing is computed, and arrays take no memory before something runs. For each network and mode, in MiB:
what is planned here without the passes that change the graph, how far that is above the least that any plan
of the graph could take (the most that is alive at once), MXNet's total, and what is planned with all passes.
The exit status is 1 when a plan of the same graph is larger than MXNet's, or any plan more than 3% above
the least, or needs 35% more with passes than without.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).resolve().parents[1] / "tests" / "models" / "memory.json"
MODES = {
    "prediction, batch 1": (1, False),
    "prediction, batch 16": (16, False),
    "training, batch 16": (16, True),
}
START, END = "<!-- figures of benchmarks/memory.py -->", "<!-- end of figures -->"
MIB = 1 << 20

Shapes = dict[str, tuple[int, ...]]
Totals = dict[str, dict[str, int]]  # MiB by network and mode


def shapes_of(name: str, shapes: Shapes, batch: int) -> Shapes:
    """The shapes of a network's data for a batch; neural style has one image, whose style is its target."""
    if name == "neural-style":
        return dict(shapes)
    return {key: (shape[0] * batch, *shape[1:]) for key, shape in shapes.items()}


def planned(mx: Any, net: Any, shapes: Shapes, training: bool, passes: str) -> tuple[int, int]:
    """Bytes of the plan and the least any plan could take, with outputs."""
    arguments, _, states = net.infer_shape(**shapes)
    arrays = [mx.nd.empty(shape) for shape in arguments]
    grads = [mx.nd.empty(shape) for shape in arguments] if training else None
    with mx.passes.using(passes):
        executor = net.bind(
            mx.cpu(),
            arrays,
            args_grad=grads,
            grad_req="write" if training else "null",
            aux_states=[mx.nd.empty(shape) for shape in states],
        )
        found: tuple[int, int] = executor.planned_bytes()
    return found


def ask_mxnet(python: str, names: list[str]) -> Totals:
    """MXNet's totals on the same symbol files, from a process of its own."""
    mx: Any = importlib.import_module("mixgrad")
    with tempfile.TemporaryDirectory() as folder:
        wanted = {}
        for name in names:
            entry = mx.models.CATALOG[name]
            entry.symbol().save(str(Path(folder) / f"{name}.json"))
            wanted[name] = {
                mode: (shapes_of(name, entry.shapes, batch), training)
                for mode, (batch, training) in MODES.items()
            }
        (Path(folder) / "wanted").write_text(json.dumps(wanted), encoding="utf-8")
        command = [python, str(Path(__file__).resolve()), "--answer", folder]
        return dict(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def answer(folder: Path) -> Totals:
    """Runs in MXNet's interpreter: the total that debug_str ends with, in whole MiB rounded down."""
    mx: Any = importlib.import_module("mxnet")
    totals: Totals = {}
    for name, modes in json.loads((folder / "wanted").read_text(encoding="utf-8")).items():
        net = mx.sym.load(str(folder / f"{name}.json"))
        totals[name] = {}
        for mode, (shapes, training) in modes.items():
            executor = net.simple_bind(
                mx.cpu(), grad_req="write" if training else "null", **{k: tuple(s) for k, s in shapes.items()}
            )
            found = re.search(r"Total (\d+) MB allocated", executor.debug_str())
            assert found is not None, executor.debug_str()[-200:]
            totals[name][mode] = int(found[1])
            print(name, mode, totals[name][mode], file=sys.stderr, flush=True)
    return totals


def measure(names: list[str], totals: Totals) -> tuple[list[str], list[str]]:
    """Lines of the table, and what does not hold."""
    mx: Any = importlib.import_module("mixgrad")
    lines = ["| network | " + " | ".join(MODES) + " |", "|---" * (1 + len(MODES)) + "|"]
    broken = []
    for name in names:
        entry = mx.models.CATALOG[name]
        net, cells = entry.symbol(), []
        for mode, (batch, training) in MODES.items():
            shapes = shapes_of(name, entry.shapes, batch)
            ours, least = planned(mx, net, shapes, training, "none")
            passes, passes_least = planned(mx, net, shapes, training, "all")
            theirs = totals.get(name, {}).get(mode)
            over, passes_over = 100 * (ours / least - 1), 100 * (passes / passes_least - 1)
            cells.append(
                f"{shown(ours)} / {over:.1f}% / {'' if theirs is None else theirs} / {shown(passes)}"
            )
            # Channels rounded up to blocks need 11% more, images wanted in blocks and plain up to 32%.
            if passes > 1.35 * ours:
                broken.append(f"{name}, {mode}: {shown(passes)} MiB with passes, {shown(ours)} without")
            if max(over, passes_over) > 3:
                broken.append(f"{name}, {mode}: {over:.1f}% and {passes_over:.1f}% above the least")
            if theirs is not None and ours >= (theirs + 1) * MIB:
                broken.append(f"{name}, {mode}: {shown(ours)} MiB, MXNet {theirs}")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines, broken


def shown(count: int) -> str:
    """Bytes in MiB, three digits."""
    size = count / MIB
    return f"{size:.0f}" if size >= 100 else f"{size:.3g}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--only", default="*", metavar="PATTERN", help="networks")
    parser.add_argument("--mxnet", metavar="PYTHON", help="an interpreter that has MXNet 1.9.1")
    parser.add_argument("--output", type=Path, help="page whose table is replaced")
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.answer:
        print(json.dumps(answer(options.answer)))
        return 0
    mx: Any = importlib.import_module("mixgrad")
    names = fnmatch.filter(mx.models.CATALOG, options.only)
    totals: Totals = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
    if options.mxnet:
        totals.update(ask_mxnet(options.mxnet, names))
        RECORDED.write_text(json.dumps(totals, indent=1) + "\n", encoding="utf-8")
    lines, broken = measure(names, totals)
    print("\n".join([*lines, *broken]))
    if options.output:
        page = options.output.read_text(encoding="utf-8")
        before, rest = page.split(START, 1)
        after = rest.split(END, 1)[1]
        options.output.write_text("\n".join([before + START, *lines, END]) + after, encoding="utf-8")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
