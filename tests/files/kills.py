"""A process that writes without end, and is killed: ``python kills.py FOLDER WRITER`` writes until then."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

SIZE = 50_000


def _network() -> tuple[Any, dict[str, Any]]:
    import mixgrad as mx

    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    return net, {"fc_weight": mx.nd.zeros((2, SIZE)), "fc_bias": mx.nd.zeros((2,))}


def _values(number: int) -> dict[str, Any]:
    import mixgrad as mx

    return {"fc_weight": mx.nd.full((2, SIZE), number), "fc_bias": mx.nd.full((2,), number)}


def _save_arrays(folder: Path, number: int) -> None:
    import mixgrad as mx

    mx.nd.save(folder / "net-0001.params", {f"arg:{k}": v for k, v in _values(number).items()})


def _save_checkpoint(folder: Path, number: int) -> None:
    import mixgrad as mx

    net, _ = _network()
    mx.model.save_checkpoint(str(folder / "net"), 1, net, _values(number), {})


def _save_safetensors(folder: Path, number: int) -> None:
    import mixgrad as mx

    mx.nd.save(folder / "net.safetensors", _values(number))


def _save_packed(folder: Path, number: int) -> None:
    import mixgrad as mx

    net, _ = _network()
    mx.model.save_packed(folder / "net.mxg", net, _values(number), {})


def _save_states(folder: Path, number: int) -> None:
    import mixgrad as mx

    store = mx.kv.create("local")
    store.set_optimizer(mx.optimizer.SGD(momentum=0.9))
    store.init(0, mx.nd.ones((2, SIZE)))
    store.push(0, mx.nd.full((2, SIZE), number))
    store.save_optimizer_states(folder / "net.states")


def _dump_trace(folder: Path, number: int) -> None:
    import mixgrad as mx

    mx.profiler.dump(finished=False, filename=folder / "trace.json")


def _one_value(array: Any) -> None:
    values = array.asnumpy()
    assert (values == values.flat[0]).all(), "a file holds values of two writes"


def check(path: Path) -> None:
    """Raises unless the file is one that a single write made."""
    import mixgrad as mx

    if path.suffix in (".params", ".safetensors"):
        found = mx.nd.load(path)
        assert isinstance(found, dict) and len(found) == 2
        for array in found.values():
            _one_value(array)
    elif path.suffix == ".mxg":
        for array in mx.model.load_packed(path).arg_params.values():
            _one_value(array)
    elif path.suffix == ".states":
        store = mx.kv.create("local")
        store.set_optimizer(mx.optimizer.SGD(momentum=0.9))
        store.load_optimizer_states(path)
    elif path.name.endswith("-symbol.json"):
        mx.sym.load(str(path))
    else:
        json.loads(path.read_text())


WRITERS: dict[str, Callable[[Path, int], None]] = {
    "arrays": _save_arrays,
    "checkpoint": _save_checkpoint,
    "safetensors": _save_safetensors,
    "packed": _save_packed,
    "states": _save_states,
    "trace": _dump_trace,
}


def kill_often(folder: Path, writer: str, kills: int, rng: np.random.RandomState) -> None:
    """Start, kill at a random time and check ``kills`` times; then a write that ends leaves nothing else."""
    for _ in range(kills):
        process = subprocess.Popen(
            [sys.executable, __file__, str(folder), writer], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None and process.stdout.readline() == "writing\n"
        time.sleep(rng.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        for name in os.listdir(folder):
            if not name.startswith("."):
                check(folder / name)
    WRITERS[writer](folder, 0)
    left = [name for name in os.listdir(folder) if name.startswith(".") or "tmp" in name]
    assert not left, f"the next write left {left}"


def main(folder: Path, writer: str) -> None:
    print("writing", flush=True)
    number = 0
    while True:
        number += 1
        WRITERS[writer](folder, number)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
