"""Networks of mx.models by the WebAssembly module in Node and in Chromium, compared with the library.

networks.py [NAME ...]    of mx.models.CATALOG, all by default; batch 1, random weights; after build.sh
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import mixgrad as mx

HERE = Path(__file__).resolve().parent
TOLERANCE = 1e-4  # of the largest answer


def values(random: Any, name: str, shape: tuple[int, ...]) -> Any:
    """Parameters that keep the size of activations about the same from layer to layer."""
    if name.endswith(("gamma", "var")):
        return random.uniform(0.4, 0.6, shape)
    bound = (6 / max(1, int(np.prod(shape[1:])))) ** 0.5 if len(shape) > 1 else 0.1
    return random.uniform(-bound, bound, shape)


def write(folder: Path, name: str) -> None:
    """A network, its weights, an input and this machine's answer."""
    entry = mx.models.CATALOG[name]
    random = np.random.RandomState(zlib.crc32(name.encode()))
    net = entry.symbol()
    shapes, _, states = net.infer_shape(**entry.shapes)
    args: dict[str, Any] = {}
    for one, shape in zip(net.list_arguments(), shapes):
        whole = (
            one in entry.shapes
            and len(entry.shapes[one]) < 3
            and name in ("lstm", "lstm-parallel", "transformer")
        )
        args[one] = mx.nd.array(random.randint(0, 90, shape) if whole else values(random, one, shape))
    aux = {
        one: mx.nd.array(values(random, one, shape))
        for one, shape in zip(net.list_auxiliary_states(), states)
    }
    (folder / f"{name}.json").write_text(net.tojson())
    weights = {f"arg:{one}": value for one, value in args.items() if one not in entry.shapes}
    mx.nd.save(str(folder / f"{name}.params"), weights | {f"aux:{one}": value for one, value in aux.items()})
    mx.nd.save(str(folder / f"{name}.asked"), {one: args[one] for one in entry.shapes})
    answers = net.bind(mx.cpu(), args, grad_req="null", aux_states=aux).forward()
    mx.nd.save(str(folder / f"{name}.wanted"), {f"{i:03d}": answer for i, answer in enumerate(answers)})


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="*", choices=[[], *mx.models.CATALOG], help="default: all")
    wrong = 0
    for name in parser.parse_args().name or list(mx.models.CATALOG):
        with tempfile.TemporaryDirectory() as folder:
            write(Path(folder), name)
            done = subprocess.run(
                ["node", str(HERE / "networks.js"), folder, name], capture_output=True, text=True, check=False
            )
        if done.returncode != 0:
            print(f"{name}: {done.stderr[-2000:]}")
            wrong += 1
        for found in map(json.loads, done.stdout.splitlines()):
            good = found["difference"] <= TOLERANCE * found["largest"]
            wrong += not good
            print(
                f"{'' if good else 'WRONG '}{name} in {found['where']}: outputs differ by "
                f"{found['difference']:.2g} of {found['largest']:.2g}, {found['ms']:.1f} ms",
                flush=True,
            )
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
