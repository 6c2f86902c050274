"""Build and run the tests of other processors: cross compilers of Debian, programs run by qemu-user and Node.

targets.py [TARGET ...]         short kernel tests (products, convolutions) on each target; all by default
targets.py --full [TARGET ...]  all of them, and predictions by the single file, compared with this machine's
targets.py --packages           the Debian packages that all targets need

A target whose compiler or emulator this machine lacks is skipped and counted as such.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# The largest difference between two targets' outputs that counts as the same answer; outputs are shares of 1.
TOLERANCE = 1e-4
# Kernel tests that take seconds under an emulator; the others take up to half a minute each.
QUICK = ("gemm_matches", "conv_plans_reach", "conv_layouts")
NETWORKS = ("lenet", "mobilenet_v2", "squeezenet", "resnet18")


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


def make_models(folder: Path) -> dict[str, tuple[int, ...]]:
    """Writes networks, parameters, inputs and this machine's answers; returns the inputs' shapes."""
    import numpy as np

    import mixgrad as mx

    random = np.random.RandomState(0)
    shapes: dict[str, tuple[int, ...]] = {}
    for network in NETWORKS:
        net: Any = mx.models.resnet(18) if network == "resnet18" else getattr(mx.models, network)()
        shape = (1, 1, 28, 28) if network == "lenet" else (1, 3, 224, 224)
        found, _, states = net.infer_shape(data=shape)
        args = {
            name: mx.nd.array(values(random, name, extents))
            for name, extents in zip(net.list_arguments(), found)
            if name not in ("data", "softmax_label")
        }
        aux = {
            name: mx.nd.array(values(random, name, extents))
            for name, extents in zip(net.list_auxiliary_states(), states)
        }
        data = random.uniform(-1, 1, shape).astype(np.float32)
        net.save(str(folder / f"{network}-symbol.json"))
        named = {f"arg:{name}": value for name, value in args.items()}
        mx.nd.save(str(folder / f"{network}.params"), named | {f"aux:{name}": v for name, v in aux.items()})
        data.tofile(folder / f"{network}.in")
        form = mx.model.InputFormat("data", shape)
        answer = mx.model.PackedModel(net, args, aux, form).bind().forward(data=mx.nd.array(data))[0]
        answer.asnumpy().tofile(folder / f"{network}.want")
        shapes[network] = shape
    return shapes


def values(random: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Parameters that keep the size of activations about the same from layer to layer."""
    if name.endswith(("gamma", "var")):
        return random.uniform(0.4, 0.6, shape)
    size = 1
    for extent in shape[1:]:
        size *= extent
    bound = (6 / size) ** 0.5 if name.endswith("weight") else 0.1
    return random.uniform(-bound, bound, shape)


def test_predictions(name: str, folder: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    """Predicts with every network on the target and compares with this machine's answers."""
    import numpy as np

    target = TARGETS[name]
    build(name, "target_predict")
    program = f"build/{name}/target_predict{target.suffix}"
    for network, shape in shapes.items():
        model = [str(folder / f"{network}{end}") for end in ("-symbol.json", ".params")]
        numbers = [str(folder / f"{network}.{end}") for end in ("in", "out")]
        execute([*target.run, program, *model, "data", ",".join(map(str, shape)), *numbers])
        got, want = (np.fromfile(folder / f"{network}.{end}", np.float32) for end in ("out", "want"))
        if got.shape != want.shape or not np.all(np.abs(got - want) <= TOLERANCE * np.abs(want).max()):
            raise Failed(f"{network} on {name}: outputs differ by {np.abs(got - want).max()}")
        print(
            f"{name}: {network}: outputs differ by {np.abs(got - want).max():.2g} of {want.max():.2g}",
            flush=True,
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("target", nargs="*", choices=[[], *TARGETS], help="default: all")
    parser.add_argument("--full", action="store_true", help="all kernel tests, and whole networks")
    parser.add_argument("--packages", action="store_true", help="print the Debian packages that targets need")
    given = parser.parse_args()
    names = given.target or list(TARGETS)
    if given.packages:
        print(" ".join(sorted({package for name in names for package in TARGETS[name].packages})))
        return 0
    passed = failed = skipped = 0
    with tempfile.TemporaryDirectory() as room:
        folder = Path(room)
        shapes = make_models(folder) if given.full else {}
        for name in names:
            missing = [tool for tool in TARGETS[name].tools if not shutil.which(tool)]
            if missing:
                print(f"{name}: skipped, this machine lacks {', '.join(missing)} (make targets installs it)")
                skipped += 1
                continue
            try:
                test_kernels(name, () if given.full else QUICK)
                if shapes:
                    test_predictions(name, folder, shapes)
                passed += 1
            except Failed as error:
                print(f"{name}: {error}")
                failed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
