"""Arguments of MXNet's functions and methods that are written in Python: names, order and defaults.

`write` asks real MXNet (from tests/: python -m parity.functions, with an interpreter that has mxnet) and
keeps the answer in functions.json; `problems` holds mixgrad against it. Names that mixgrad lacks are not
looked at.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("functions.json")

# fmt: off
MODULES = (
    "attribute", "autograd", "base", "callback", "context", "contrib.amp", "contrib.amp.loss_scaler",
    "contrib.autograd", "contrib.io", "contrib.svrg_optimization", "contrib.svrg_optimization.svrg_module",
    "contrib.tensorboard", "contrib.text.embedding", "contrib.text.utils", "contrib.text.vocab", "engine",
    "error", "executor", "executor_manager", "image", "image.det", "init", "io", "kv", "libinfo", "log",
    "lr_scheduler", "metric", "misc", "mod", "model", "monitor", "name", "nd", "nd.contrib", "nd.linalg",
    "nd.random", "optimizer", "profiler", "random", "registry", "rnn", "runtime", "sym", "sym.contrib",
    "sym.linalg", "sym.random", "test_utils", "util", "visualization",
)
# fmt: on

# Arguments of handles of MXNet's library, of its other front end, and of Python objects that differ.
LEFT_OUT = {
    ("executor.Executor.__init__", "symbol ctx grad_req group2ctx"): "executors are made by bind",
    ("io.MXDataIter.__init__", "handle data_name label_name"): "iterators are made by names",
    ("kv.KVStore.__init__", "handle"): "stores are made by create",
    ("nd.from_numpy", "array_cls"): "mx.np is not there",
    ("nd.NDArray.__init__", "handle writable"): "arrays are made by functions",
    ("runtime.Features.popitem", "last"): "a dict",
    ("test_utils.Features.popitem", "last"): "a dict",
    ("sym.Group", "create_fn"): "mx.np is not there",
    ("sym.Symbol.__init__", "handle"): "symbols are made by functions",
}


def described(package: Any) -> dict[str, list[list[Any]]]:
    """Name with its module -> [argument, default as text or None] of each function written in Python."""
    found: dict[str, list[list[Any]]] = {}
    for path in MODULES:
        module = package
        for part in path.split("."):
            module = getattr(module, part, None) or _imported(f"{package.__name__}.{path}")
        for name, value in sorted(vars(module).items()) if inspect.ismodule(module) else ():
            if name.startswith("_") or not str(getattr(value, "__module__", "")).startswith(package.__name__):
                continue
            if not inspect.isclass(value):
                _add(found, f"{path}.{name}", value)
                continue
            if "." in path and not path.startswith("contrib."):
                continue  # imported
            for method, function in inspect.getmembers(value):
                if method in ("__init__", "__call__") or not method.startswith("_"):
                    _add(found, f"{path}.{name}.{method}", function)
    return found


def _imported(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def _add(found: dict[str, list[list[Any]]], name: str, function: Any) -> None:
    # MXNet's operators are Python that it writes itself: signatures.py has them.
    file = getattr(getattr(function, "__code__", None), "co_filename", "")
    if not callable(function) or file.startswith("<"):
        return
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return
    kinds = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    given: list[list[Any]] = [
        [p.name, _text(p)] for p in parameters if p.kind not in kinds and p.name not in ("_", "self")
    ]
    found[name] = given + [["**", None]] * any(p.kind == kinds[1] for p in parameters)


def _text(parameter: inspect.Parameter) -> str | None:
    if parameter.default is inspect.Parameter.empty:
        return None
    text = repr(parameter.default)
    text = re.sub(r"<class '(?:numpy\.)?(\w+)'>|dtype\('(\w+)'\)", lambda m: repr(m[1] or m[2]), text)
    return "an object" if " at 0x" in text or "_Null" in text else text


def write() -> None:
    """Ask MXNet."""
    import mxnet

    lines = [f"{json.dumps(name)}: {json.dumps(given)}" for name, given in sorted(described(mxnet).items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(lines)} functions")


def problems(package: Any) -> tuple[int, list[str]]:
    """How many functions both have, and what differs in them."""
    ours = described(package)
    real: dict[str, list[list[Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    left_out = {(name, word) for name, words in LEFT_OUT for word in words.split()}
    found: list[str] = []
    both = sorted(real.keys() & ours.keys())
    for name in both:
        mine = dict(map(tuple, ours[name]))  # type: ignore[arg-type]
        wanted = [(word, text) for word, text in real[name] if word != "**" and (name, word) not in left_out]
        if missing := [word for word, _ in wanted if word not in mine and "**" not in mine]:
            found.append(f"{name} has no {', '.join(missing)}")
        shared = [word for word, _ in wanted if word in mine]
        if shared != [word for word in mine if word in shared]:
            found.append(f"{name} has another order of {', '.join(shared)}")
        for word, text in wanted:
            if word in mine and text not in (None, "an object") and mine[word] is None:
                found.append(f"{name} wants {word}, which is {text} by default")
    return len(both), found


if __name__ == "__main__":
    write()
