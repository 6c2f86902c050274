"""What the single file's profiles hold: the functions of the C header they offer, and the operators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Files of cpp/c_api. A file cut to networks offers MXNet's predict functions; all of its profile if asked.
_NETWORKS = ("handle", "predict")
_PREDICT = (
    *("array", "error", "executor", "files", "handle", "inference", "memory_limit", "model", "predict"),
    *("runtime", "sized", "symbol"),
)
_TRAIN = (
    *_PREDICT,
    *(
        "array_view",
        "autograd",
        "device",
        "executor_training",
        "executor_watch",
        "files_save",
        "memory",
        "op",
    ),
    *("graph", "passes", "symbol_attributes", "symbol_build", "trace"),
)

# Operators by the beginning of their file's name. Predictions draw no random numbers and follow no gradients.
_NOT_PREDICTED = (
    *("optimizer/", "random/", "linalg/khatri_rao", "linalg/linalg", "reduce/cumsum", "reduce/histogram"),
    *("index/index", "index/ravel", "image/correlation", "nn/ctc_loss", "nn/im2col"),
    *("nn/image_batch_norm", "nn/image_convolution", "nn/image_pooling", "nn/softmax_cross_entropy"),
)

# Operators that only gradients are composed of.
_OF_GRADIENTS = frozenset(
    (
        *("_batch_norm_again", "_pad_fold", "_pick_place", "_place_along_axis", "_pooling_places"),
        *("_pooling_spread", "_scatter_nd_add", "_sequence_last_place", "_strided_slice_place"),
    )
)

# Files that predictions name behind `if constexpr (kTraining)` only.
_TRAINING_ONLY = frozenset(
    f"cpp/{name}.cc"
    for name in (
        *("exec/imperative/invoke", "exec/tape/backward", "exec/tape/gradient_call"),
        *("exec/tape/tape", "exec/tape/trace"),
        *("graph/passes/block_images", "graph/passes/gradient", "graph/passes/graph_builder"),
        *("graph/passes/norm_chains", "graph/passes/recompute", "graph/passes/recompute_choice"),
        "graph/passes/recompute_graph",
    )
)
# Queues of tasks and pools of memory; and what does without. Names do not tell which of the two a file needs.
QUEUES = frozenset(
    f"cpp/{name}.cc"
    for name in (
        *("engine/caller", "engine/lane", "engine/waiter", "engine/process", "engine/profiler"),
        *("engine/protocol", "engine/ready_queue", "engine/scheduler", "engine/serial", "engine/task"),
        *("engine/task_pool", "engine/threaded", "storage/allocate", "storage/arena", "storage/failure"),
        *("storage/guard", "storage/idle", "storage/pool", "storage/pressure", "storage/slab"),
        *(
            "storage/statistics",
            "exec/imperative/room",
            "exec/imperative/device_launch",
            "engine/outcome",
            "device/stream",
        ),
        "graph/passes/placement",
    )
)
DIRECT = frozenset(("cpp/storage/direct.cc",))
# Operators that take the place of others, chosen by passes where the build has them.
BEHIND = {
    "Convolution": ("_fused_convolution", "_fused_convolution_chain", "_to_blocked", "_to_plain"),
    "FullyConnected": ("_fused_fully_connected",),
}


# Files that register what they hold, so that nothing mentions them: algorithms of convolutions, and passes.
_DIRECT_CONVOLUTION = ("cpp/kernels/convolution/conv_direct.cc",)
_WINOGRAD = ("cpp/kernels/convolution/conv_winograd.cc",)
_DEPTHWISE = ("cpp/kernels/convolution/conv_depthwise_plan.cc", "cpp/graph/passes/chain.cc")
_PRODUCTS = ("cpp/kernels/convolution/conv_grouped.cc", "cpp/kernels/convolution/conv_whole.cc")
_PASSES = tuple(f"cpp/graph/passes/{name}.cc" for name in ("common", "fold", "fuse_pointwise"))
REGISTERED = (*_DIRECT_CONVOLUTION, *_WINOGRAD, *_DEPTHWISE, *_PRODUCTS, *_PASSES)


# Layers of convolutional networks, which either are fused with a convolution or stand alone.
_LAYERS = frozenset(
    (
        *("Activation", "BatchNorm", "Concat", "Convolution", "Dropout", "Flatten", "FullyConnected"),
        *("LeakyReLU", "Pooling", "Reshape", "SoftmaxActivation", "SoftmaxOutput", "_Plus", "_plus"),
        *("add_n", "broadcast_add", "clip", "elemwise_add", "flatten", "relu", "sigmoid", "softmax"),
    )
)
# With one of these, convolutions may stay that are not fused.
_NOT_FUSED = frozenset(("Cast", "Convolution_v1", "_npx_convolution", "amp_cast", "cast"))


@dataclass(frozen=True)
class Profile:
    name: str
    c_api: tuple[str, ...]
    left_out_operators: tuple[str, ...]
    left_out_files: frozenset[str]
    training: bool

    def roots(self, interface: str) -> list[str]:
        """Files of the C header's functions: "all" of them, or only MXNet's, "predict"."""
        return [f"cpp/c_api/{name}.cc" for name in (self.c_api if interface == "all" else _NETWORKS)]

    @property
    def unwanted(self) -> frozenset[str]:
        return frozenset() if self.training else _OF_GRADIENTS

    @property
    def options(self) -> dict[str, int]:
        return {
            "MIXGRAD_TRAINING": int(self.training),
            "MIXGRAD_TEXTS": 0,
            "MIXGRAD_COMPACT": 1,
            "MIXGRAD_ALL_LOOPS": 1,
            "MIXGRAD_QUEUES": 1,
        }

    def has_operators_of(self, path: str) -> bool:
        inner = path.removeprefix("cpp/ops/")
        return path not in self.left_out_files and not inner.startswith(self.left_out_operators)


PROFILES = {
    "predict": Profile("predict", _PREDICT, _NOT_PREDICTED, _TRAINING_ONLY, False),
    "train": Profile("train", _TRAIN, (), frozenset(), True),
}


@dataclass(frozen=True)
class Uses:
    """What the networks in -symbol.json files use."""

    operators: frozenset[str]
    files: tuple[str, ...]  # of REGISTERED, those that what their operators are given asks for
    all_loops: bool  # no convolutions, which take all the time where they are


def uses_of_models(paths: list[Path]) -> Uses:
    nodes = [node for path in paths for node in _nodes(_graph(path))]
    names = {str(node["op"]) for node in nodes if node["op"] != "null"}
    used = set(names)
    for name in sorted(names & BEHIND.keys()):
        names.update(BEHIND[name])
    # Files of MXNet 0.x call the fields of operators `param` or `attr`.
    fields = [node.get("attrs") or node.get("param") or node.get("attr") or {} for node in nodes]
    grouped = [str(given.get("num_group", "1")) != "1" for given in fields]
    windows = [_numbers(given.get("kernel")) for given in fields]
    steps = [set(_numbers(given.get("stride"))) - {1} for given in fields]
    if not any(grouped):
        names.discard("_fused_convolution_chain")  # its middle is a depthwise convolution
    last = any(str(given.get("layout", "")).endswith("C") for given in fields)
    others = last or any(len(window) == 3 for window in windows)
    layers = list(zip(grouped, windows, steps, strict=True))
    convolves = "Convolution" in names
    files = list(_DIRECT_CONVOLUTION if convolves else ())
    if any(not g and w == [3, 3] and not s for g, w, s in layers):
        files += _WINOGRAD
    if any(grouped):
        files += _DEPTHWISE
    if any(grouped) or others or names & _NOT_FUSED:
        files += _PRODUCTS
    if not convolves or not used <= _LAYERS:
        files += _PASSES
    return Uses(frozenset(names), tuple(files), not convolves)


def _graph(path: Path) -> dict[str, Any]:
    """What a -symbol.json file says; an error names the file and what is expected."""
    try:
        graph = json.loads(path.read_text(encoding="utf-8"))
        written = _is_graph(graph)
    except OSError as error:
        raise SystemExit(f"amalgamate: cannot read --model {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SystemExit(
            f"amalgamate: --model {path} is not JSON: {error}; expected a -symbol.json"
        ) from None
    if not written:
        raise SystemExit(
            f"amalgamate: --model {path} is no symbol file; expected a -symbol.json, as Symbol.save writes it"
        )
    return dict(graph)


def _is_graph(graph: object) -> bool:
    """Whether it has nodes with an operator's name each, and such graphs inside of them."""
    if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), list):
        return False
    for node in graph["nodes"]:
        if not isinstance(node, dict) or not isinstance(node.get("op"), str):
            return False
        if not all(isinstance(node.get(key) or {}, dict) for key in ("attrs", "param", "attr")):
            return False
        if not all(map(_is_graph, node.get("subgraphs") or ())):
            return False
    return True


def _nodes(graph: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Those of a network, and of what its loops and branches run."""
    for node in graph["nodes"]:
        yield node
        for body in node.get("subgraphs") or ():
            yield from _nodes(body)


def _numbers(tuple_text: object) -> list[int]:
    return [int(word) for word in re.findall(r"-?\d+", str(tuple_text or ""))]
