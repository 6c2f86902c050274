"""Build and run the tests of other processors: cross compilers of Debian, programs run by qemu-user and Node.

targets.py [TARGET ...]         on each target (default: all) short kernel tests (products, convolutions), and
                                the predict functions' test over a single file cut to its network
targets.py --full [TARGET ...]  all kernel tests, and predictions by the single file, compared with MXNet's
targets.py --networks 'vgg-*'   only these predictions
           --write              and writes how far they are from MXNet's into the table of docs/targets.md
targets.py --packages           the Debian packages that all targets need

A target whose compiler or emulator this machine lacks is skipped and counted as such.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import targets_table

ROOT = Path(__file__).resolve().parent.parent
# The largest difference of an output from MXNet's that counts as the same answer, as a part of the largest.
TOLERANCE = 1e-4
# Kernel tests that take seconds under an emulator; the others take up to half a minute each.
QUICK = ("gemm_matches", "conv_plans_reach", "conv_layouts")


@dataclass(frozen=True)
class Target:
    """A preset of CMakePresets.json with what it takes to build and run it."""

    tools: tuple[str, ...]
    packages: tuple[str, ...]
    run: tuple[str, ...] = ()
    suffix: str = ""
    sets: tuple[str, ...] = ()  # of instruction sets, chosen by MIXGRAD_ISA


def _linux(prefix: str, emulator: str) -> Target:
    return Target(
        (f"{prefix}-g++", emulator), (f"g++-{prefix}", "qemu-user"), (emulator, "-L", f"/usr/{prefix}")
    )


TARGETS = {
    "portable": Target(("c++",), ("g++",), sets=("baseline", "avx2", "avx512")),
    "clang": Target(("clang++-14",), ("clang-14",), sets=("baseline", "avx2", "avx512")),
    "aarch64": _linux("aarch64-linux-gnu", "qemu-aarch64"),
    "armv7": _linux("arm-linux-gnueabihf", "qemu-arm"),
    "riscv64": _linux("riscv64-linux-gnu", "qemu-riscv64"),
    "wasm": Target(
        ("em++", "node"),
        ("emscripten", "nodejs", "node-acorn"),
        ("node", "--no-experimental-fetch"),
        ".js",
    ),
}


class Failed(Exception):
    """A build or a program that did not do what it should."""


def execute(command: list[str], **variables: str) -> str:
    """Runs a command in the tree's root; returns what it printed."""
    environment = {**os.environ, "NODE_PATH": "/usr/share/nodejs", **variables}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        shown = "\n".join(text.splitlines()[-30:])
        raise Failed(f"{' '.join(command)} ended with {done.returncode}\n{shown}")
    return text


def build(name: str, *targets: str) -> None:
    """Configures a preset once and builds targets of it."""
    if not (ROOT / "build" / name / "build.ninja").exists():
        execute(["cmake", "--preset", name])
    execute(["cmake", "--build", f"build/{name}", "--target", *targets])


def test_kernels(name: str, tests: tuple[str, ...]) -> None:
    """Builds and runs kernel tests (none named: all), for each instruction set that the target can choose."""
    target = TARGETS[name]
    build(name, "mixgrad_kernel_tests")
    program = f"build/{name}/mixgrad_kernel_tests{target.suffix}"
    for isa in target.sets or ("",):
        last = execute([*target.run, program, *tests], **({"MIXGRAD_ISA": isa} if isa else {})).splitlines()[
            -1
        ]
        print(f"{name} {isa}: kernels: {last.replace('passed', 'good').replace('failed', 'bad')}", flush=True)


def test_cut_file(name: str) -> None:
    """Builds and runs the predict functions' test over the file cut to its network."""
    target = TARGETS[name]
    build(name, "target_cut")
    last = execute([*target.run, f"build/{name}/target_cut{target.suffix}"]).splitlines()[-1]
    print(f"{name}: cut file: {last.replace('passed', 'good')}", flush=True)


@dataclass(frozen=True)
class Network:
    """A network's files, and what real MXNet 1.9.1 predicts with them."""

    name: str
    shape: tuple[int, ...]
    folder: Path
    want: Any

    def path(self, end: str) -> str:
        return str(self.folder / f"{self.name}{end}")


def test_cases() -> Any:
    """The module tests/models/cases.py."""
    if str(ROOT / "tests") not in sys.path:
        sys.path.insert(0, str(ROOT / "tests"))
    return importlib.import_module("models.cases")


def write_network(name: str, folder: Path) -> Network:
    """A network of tests/models in its small variant: everything but the data is a parameter."""
    import numpy as np

    import mixgrad as mx

    cases = test_cases()
    options, shapes = cases.CASES[name]
    net = mx.models.get_symbol(name, **options)
    found, _, states = net.infer_shape(**shapes)
    salt = cases.SALTS.get(name, 0)
    named = {}
    for kind, names, extents in (
        ("arg", net.list_arguments(), found),
        ("aux", net.list_auxiliary_states(), states),
    ):
        for key, shape in zip(names, extents):
            if key != "data":
                named[f"{kind}:{key}"] = mx.nd.array(cases.value(key, shape, salt))
    with np.load(ROOT / "tests" / "models" / "golden.npz") as golden:
        network = Network(name, shapes["data"], folder, golden[f"{name}/prediction"])
    net.save(network.path("-symbol.json"))
    mx.nd.save(network.path(".params"), named)
    cases.value("data", network.shape, salt).tofile(network.path(".in"))
    return network


def column_of(target: str, isa: str) -> str:
    """How tables and lines name a target and an instruction set that it runs with ("": the only one)."""
    return f"{target} {isa}".strip()


def test_prediction(target: str, isa: str, network: Network) -> float:
    """Predicts on the target; the largest difference from MXNet's answer, as a part of the largest number."""
    import numpy as np

    program = f"build/{target}/target_predict{TARGETS[target].suffix}"
    model = [network.path(end) for end in ("-symbol.json", ".params")]
    extents = ",".join(map(str, network.shape))
    files = [network.path(".in"), network.path(".out")]
    variables = {"MIXGRAD_ISA": isa} if isa else {}
    execute([*TARGETS[target].run, program, *model, "data", extents, *files], **variables)
    got = np.fromfile(network.path(".out"), np.float32)[: network.want.size]
    apart = float(np.abs(got - network.want).max() / np.abs(network.want).max())
    if got.shape != network.want.shape or not apart <= TOLERANCE:
        raise Failed(f"{network.name} on {column_of(target, isa)}: outputs are {apart:.2g} apart")
    return apart


def test_predictions(names: list[str], pattern: str, write: bool) -> set[str]:
    """Every network that the pattern names on every target; the targets where one failed."""
    failed = set()
    ways = [(name, isa) for name in names for isa in TARGETS[name].sets or ("",)]
    worst = {column_of(*way): (0.0, "") for way in ways}
    networks = test_cases().CASES
    for name in names:
        build(name, "target_predict")
    for network in fnmatch.filter(networks, pattern):
        measured: dict[str, str] = {}
        with tempfile.TemporaryDirectory() as room:
            files = write_network(network, Path(room))
            for name, isa in ways:
                column = column_of(name, isa)
                try:
                    apart = test_prediction(name, isa, files)
                    worst[column] = max(worst[column], (apart, network))
                    measured[column] = f"{apart:.1e}"
                    print(f"{column}: {network}: {apart:.2g} from MXNet's", flush=True)
                except Failed as error:
                    print(error, flush=True)
                    failed.add(name)
        if write:
            columns = [
                column_of(name, isa) for name, target in TARGETS.items() for isa in target.sets or ("",)
            ]
            targets_table.update(ROOT / "docs" / "targets.md", networks, columns, {network: measured})
    for column, (apart, network) in worst.items():
        print(f"{column}: at most {apart:.2g} from MXNet's ({network})")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("target", nargs="*", choices=[[], *TARGETS], help="default: all")
    parser.add_argument("--full", action="store_true", help="all kernel tests, and whole networks")
    parser.add_argument("--networks", metavar="PATTERN", help="only predictions, of these networks")
    parser.add_argument("--write", action="store_true", help="write differences into docs/targets.md")
    parser.add_argument("--packages", action="store_true", help="print the Debian packages that targets need")
    given = parser.parse_args()
    names = given.target or list(TARGETS)
    if given.packages:
        print(" ".join(sorted({package for name in names for package in TARGETS[name].packages})))
        return 0
    skipped = 0
    there, failed = [], set()
    for name in names:
        missing = [tool for tool in TARGETS[name].tools if not shutil.which(tool)]
        if missing:
            print(f"{name}: skipped, this machine lacks {', '.join(missing)} (make targets installs it)")
            skipped += 1
        else:
            there.append(name)
    if not given.networks:
        for name in there:
            try:
                test_kernels(name, () if given.full else QUICK)
                test_cut_file(name)
            except Failed as error:
                print(f"{name}: {error}")
                failed.add(name)
    if given.full or given.networks:
        working = [name for name in there if name not in failed]
        failed |= test_predictions(working, given.networks or "*", given.write)
    print(f"{len(there) - len(failed)} passed, {len(failed)} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
