"""Public names of MXNet's modules, and which of them mixgrad has.

`write` asks real MXNet (from tests/: python -m parity.names, with an interpreter that has mxnet) and keeps
the answer in names.json; `problems` holds mixgrad against it. Operators are left to signatures.py. What a
module imports is not its own name, but for modules from which scripts import everything.
"""

from __future__ import annotations

import importlib
import inspect
import json
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("names.json")

# fmt: off
MODULES = (
    "", "attribute", "autograd", "base", "callback", "context", "contrib", "contrib.amp", "contrib.amp.amp",
    "contrib.amp.loss_scaler", "contrib.autograd", "contrib.io", "contrib.svrg_optimization",
    "contrib.svrg_optimization.svrg_module", "contrib.tensorboard", "contrib.text",
    "contrib.text.embedding", "contrib.text.utils", "contrib.text.vocab", "engine", "error", "executor",
    "executor_manager", "gluon", "gluon.block", "gluon.contrib", "gluon.contrib.cnn", "gluon.contrib.data",
    "gluon.contrib.data.sampler", "gluon.contrib.data.text", "gluon.contrib.estimator",
    "gluon.contrib.estimator.batch_processor", "gluon.contrib.estimator.estimator",
    "gluon.contrib.estimator.event_handler", "gluon.contrib.nn", "gluon.contrib.nn.basic_layers",
    "gluon.contrib.rnn", "gluon.contrib.rnn.conv_rnn_cell", "gluon.contrib.rnn.rnn_cell", "gluon.data",
    "gluon.data.dataloader", "gluon.data.dataset", "gluon.data.sampler", "gluon.data.vision",
    "gluon.data.vision.datasets", "gluon.data.vision.transforms", "gluon.loss", "gluon.model_zoo",
    "gluon.model_zoo.model_store", "gluon.model_zoo.vision", "gluon.model_zoo.vision.resnet", "gluon.nn",
    "gluon.nn.activations", "gluon.nn.basic_layers", "gluon.nn.conv_layers", "gluon.parameter", "gluon.rnn",
    "gluon.rnn.rnn_cell", "gluon.rnn.rnn_layer", "gluon.trainer", "gluon.utils", "image", "image.detection",
    "image.image",
    "initializer", "io", "kvstore", "libinfo",
    "log", "lr_scheduler", "metric", "misc",
    "model", "module", "monitor", "name", "ndarray", "optimizer", "profiler", "random", "registry", "rnn",
    "rnn.io", "rnn.rnn", "rnn.rnn_cell", "rtc", "runtime", "symbol", "test_utils", "util", "visualization",
)
# fmt: on

_STARRED = ("base", "test_utils")

# Names, or patterns of them, that mixgrad does not have, and why.
LEFT_OUT = {
    ".ndarray_doc .symbol_doc .np_symbol test_utils.np_symbol": "parts of its documentation and of mx.sym.np",
    ".numpy_op_fallback .api .tvmop": "parts of how it calls operators",
    ".notebook .onnx contrib.onnx .library .th .torch": "not there; an import says what there is",
    "contrib.amp.amp.convert_hybrid_block": "it is contrib.amp.convert_hybrid_block",
    "gluon.data.dataloader.*V1 gluon.data.dataloader.*_v1": "an older loader; DataLoader does it all",
    "gluon.data.dataloader.*Queue gluon.data.dataloader.ConnectionWrapper": "parts of its worker processes",
    "gluon.data.dataloader.rebuild_* gluon.data.dataloader.reduce_*": "parts of its worker processes",
    "ndarray.get_indexing_dispatch_code ndarray.get_oshape_* ndarray.indexing_key_*": "parts of its indexing",
    "profiler.set_kvstore_handle": "part of how its store is profiled",
    "test_utils.ss": "SciPy, which mixgrad does not need",
    "ndarray.gen_* ndarray.register symbol.gen_* symbol.register": "text that it writes when it is installed",
}


def _module(package: Any, path: str) -> Any:
    if not path:
        return package
    try:
        return importlib.import_module(f"{package.__name__}.{path}")
    except ImportError:
        return None


def _is_operator(value: Any) -> bool:
    file = getattr(getattr(value, "__code__", None), "co_filename", "")
    return file.startswith("<") or "/gen_" in file


def described(package: Any) -> dict[str, list[str]]:
    """The names of each module: those of its list, or else its own that no underscore begins."""
    found = {}
    for path in MODULES:
        module = _module(package, path)
        if module is None:
            raise ImportError(f"{package.__name__} has no {path}")
        names = []
        for name, value in vars(module).items():
            if name.startswith("_") or _is_operator(value):
                continue
            if inspect.ismodule(value):
                own = value.__name__.startswith(f"{module.__name__}.")
            else:
                maker = getattr(value, "__module__", None)
                own = path in _STARRED or (isinstance(maker, str) and maker.startswith(module.__name__))
            if own:
                names.append(name)
        found[path] = sorted(names)
    return found


def write() -> None:
    """Ask MXNet."""
    import mxnet

    lines = [f"{json.dumps(path)}: {json.dumps(names)}" for path, names in described(mxnet).items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def problems(package: Any) -> tuple[int, list[str]]:
    """How many names there are, and those that mixgrad lacks."""
    left_out = [pattern for words in LEFT_OUT for pattern in words.split()]
    real: dict[str, list[str]] = json.loads(FILE.read_text(encoding="utf-8"))
    missing = []
    for path, names in real.items():
        module = _module(package, path)
        if module is None:
            missing.append(f"there is no module {path}")
            continue
        missing += [
            f"{path}.{name}"
            for name in names
            if not any(fnmatchcase(f"{path}.{name}", one) for one in left_out)
            and not hasattr(module, name)
            and _module(package, f"{path}.{name}") is None
        ]
    return sum(map(len, real.values())), missing


if __name__ == "__main__":
    write()
