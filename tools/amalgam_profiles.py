"""What the single file's profiles hold: the functions of the C header they offer, and the operators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


def _files(text: str) -> tuple[str, ...]:
    """Paths of lines or parts such as `engine: caller lane; op: define`; with a star, beginnings of paths."""
    split = [part.split(":") for part in text.replace(";", "\n").split("\n") if part]
    paths = [f"cpp/{folder.strip()}/{name}" for folder, names in split for name in names.split()]
    return tuple(path[:-1] if path.endswith("*") else f"{path}.cc" for path in paths)


# Files of the C header's functions. A file cut to networks offers MXNet's predict functions alone.
_NETWORKS = _files("c_api: handle predict")
_PREDICT = _files("""
c_api: array error executor files handle inference memory_limit model predict runtime sized symbol
""")
_TRAIN = _PREDICT + _files("""
c_api: array_view autograd custom device executor_training executor_watch files_save graph
c_api: memory op passes symbol_attributes symbol_build trace
""")

# Operators' files. Predictions draw no random numbers and follow no gradients.
_NOT_PREDICTED = _files("""
ops: elementwise/numpy_* numpy/* optimizer/* random/* sparse/* image/image_* quantization/calibrate*
ops: index/element_0index index/index* index/ravel reduce/allclose reduce/cumsum reduce/histogram
ops/linalg: count_sketch fourier_transform khatri_rao linalg* numpy_*
ops/nn: hawkes* im2col image_batch_norm image_convolution image_pooling kl_sparse_reg pooling_spread
ops: nn/softmax_cross_entropy shape/init_old; exec: custom/*
""")
# What `predict` holds only where networks ask for it: detectors, 8 bits and others that few networks have.
_ON_REQUEST = _files("""
ops: detection/* image/correlation quantization/*
ops/nn: contrib_batch_norm ctc_loss deformable_convolution quantized_rnn
""")

# Files that predictions name behind `if constexpr (kTraining)` only.
_SPARSE = _files("exec/sparse: elementwise graphs invoke_sparse keys products reduce shapes storage updates")
_TRAINING_ONLY = _SPARSE + _files("""
array: sparse; files: file_sink; launch: composed; op: numpy_operator
exec: imperative/invoke planned/executor_updates sparse/graph_storage sparse/stepwise
exec/tape: backward gradient_call history tape trace
graph/passes: block_images gradient graph_builder norm_chains recompute recompute_choice
graph: passes/recompute_graph passes/update
""")
# Queues of tasks and pools of memory; and what does without.
QUEUES = _files("""
device: stream
engine: caller lane outcome process profiler protocol ready_queue scheduler
engine: serial task task_pool threaded waiter
exec/imperative: device_launch room
graph/passes: placement
storage: allocate arena failure guard idle pool pressure slab statistics
""")
DIRECT = _files("storage: direct")
# What a header declares and other files than its namesake define.
ELSEWHERE = {
    "cpp/engine/engine.h": _files("engine: process protocol serial threaded"),
    "cpp/engine/outcome.h": _files("engine: scheduler"),
    "cpp/exec/planned/executor.h": _files("exec/imperative: reshape\nexec/planned: executor_updates"),
    "cpp/exec/sparse/sparse.h": _SPARSE,
    "cpp/exec/tape/tape.h": _files("exec/tape: backward history"),
    "cpp/files/byte_stream.h": _files("files: file_sink"),
    "cpp/graph/graph.h": _files("graph: dump"),
    "cpp/graph/symbol.h": _files("graph: symbol_call"),
    "cpp/graph/symbol_json.h": _files("graph: symbol_read symbol_write"),
    "cpp/graph/passes/memory_plan.h": _files("graph/passes: memory_plan_dump"),
    "cpp/graph/passes/passes.h": _files("graph/passes: block_images fuse layout prune"),
    "cpp/kernels/convolution/conv_plan.h": _files("kernels/convolution: conv_choice conv_block"),
    "cpp/ops/nn/conv.h": _files("ops/nn: conv_grad"),
    "cpp/ops/nn/pooling.h": _files("ops/nn: pooling_grad"),
    "cpp/op/op.h": _files("op: infer registry"),
    "cpp/op/tensor.h": _files("op: compose"),
    "cpp/storage/block.h": _files("storage: allocate direct"),
    "cpp/storage/failure_rules.h": _files("storage: failure"),
}
# Operators that take the place of others, chosen by passes where the build has them.
BEHIND = {
    "Convolution": ("_fused_convolution", "_fused_convolution_chain", "_to_blocked", "_to_plain"),
    "FullyConnected": ("_fused_fully_connected",),
    "_sg_mkldnn_conv": ("_contrib_quantize_v2", "_fold_batch_norm", "_quantized_conv_block"),
    "_sg_mkldnn_fully_connected": ("_contrib_quantize_v2", "_quantized_fully_connected_block"),
}
# The same of operators that only gradients call, by names that they are given.
BEHIND_GRADIENTS = {"Pooling": ("_pooling_places", "_pooling_spread")}

# Files that register what they hold, so that nothing mentions them: algorithms of convolutions, and passes.
_DIRECT_CONVOLUTION = _files("kernels/convolution: conv_direct")
_WINOGRAD = _files("kernels/convolution: conv_winograd")
_DEPTHWISE = _files("kernels/convolution: conv_depthwise_plan\ngraph/passes: chain")
_PRODUCTS = _files("kernels/convolution: conv_grouped conv_whole")
_PASSES = _files("graph/passes: common fold fuse_pointwise")
_FUSED_LAYERS = _files("graph: fused_layer")
REGISTERED = (*_DIRECT_CONVOLUTION, *_WINOGRAD, *_DEPTHWISE, *_PRODUCTS, *_PASSES, *_FUSED_LAYERS)

# Layers of convolutional networks, which either are fused with a convolution or stand alone.
_LAYERS = {
    *("Activation", "BatchNorm", "Concat", "Convolution", "Dropout", "Flatten", "FullyConnected"),
    *("LeakyReLU", "Pooling", "Reshape", "SoftmaxActivation", "SoftmaxOutput", "_Plus", "_plus"),
    *("add_n", "broadcast_add", "clip", "elemwise_add", "flatten", "relu", "sigmoid", "softmax"),
}
# With one of these, convolutions may stay that are not fused.
_NOT_FUSED = frozenset(("Cast", "Convolution_v1", "_npx_convolution", "amp_cast", "cast"))


@dataclass(frozen=True)
class Profile:
    name: str
    functions: tuple[str, ...]
    left_out_operators: tuple[str, ...]
    left_out_files: tuple[str, ...]
    training: bool

    def roots(self, interface: str) -> tuple[str, ...]:
        """Files of the C header's functions: "all" of them, or only MXNet's, "predict"."""
        return self.functions if interface == "all" else _NETWORKS

    def has_operators_of(self, path: str) -> bool:
        return path not in self.left_out_files and not path.startswith(self.left_out_operators)


PROFILES = {
    "predict": Profile(
        "predict", _PREDICT, (*_NOT_PREDICTED, *_ON_REQUEST), (*_TRAINING_ONLY, *_FUSED_LAYERS), False
    ),
    "predict-all": Profile("predict-all", _PREDICT, _NOT_PREDICTED, _TRAINING_ONLY, False),
    "train": Profile("train", _TRAIN, (), (), True),
}


@dataclass(frozen=True)
class Uses:
    """What the networks in -symbol.json files use."""

    operators: frozenset[str]
    files: tuple[str, ...]  # of REGISTERED, those that what their operators are given asks for
    all_loops: bool  # no convolutions, which take all the time where they are


def uses_of_models(paths: list[Path], gradients: bool) -> Uses:
    nodes = [node for path in paths for node in _nodes_of(path)]
    used = {name for name, _ in nodes if name != "null"}
    names = set(used)
    for behind in (BEHIND, BEHIND_GRADIENTS if gradients else {}):
        for name in names & behind.keys():
            names.update(behind[name])
    fields = [given for _, given in nodes]
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
    if fused := {
        name for name in names if name.startswith("_sg_mkldnn_")
    }:  # no operators: they are taken apart
        files += _FUSED_LAYERS
    return Uses(frozenset(names - fused), tuple(files), not convolves)


def _nodes_of(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Operators of a -symbol.json file, and what each is given."""
    try:
        return list(_nodes(json.loads(path.read_text(encoding="utf-8"))))
    except OSError as error:
        raise SystemExit(f"amalgamate: cannot read --model {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SystemExit(
            f"amalgamate: --model {path} is no symbol file: {error}; expected a -symbol.json, as Symbol.save "
            "writes it"
        ) from None


def _nodes(graph: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Those of a network, and of what its loops and branches run."""
    if not isinstance(graph, dict) or not isinstance(graph.get("nodes"), list):
        raise ValueError("it has no list of nodes")
    for node in graph["nodes"]:
        if not isinstance(node, dict) or not isinstance(node.get("op"), str):
            raise ValueError(f"a node without an operator's name: {str(node)[:60]}")
        # Files of MXNet 0.x call the fields of operators `param` or `attr`.
        fields = node.get("attrs") or node.get("param") or node.get("attr") or {}
        if not isinstance(fields, dict):
            raise ValueError(f"what {node['op']} is given is no object: {str(fields)[:60]}")
        yield node["op"], fields
        for body in node.get("subgraphs") or ():
            yield from _nodes(body)


def _numbers(tuple_text: object) -> list[int]:
    return [int(word) for word in re.findall(r"-?\d+", str(tuple_text or ""))]
