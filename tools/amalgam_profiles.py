"""What the single file's profiles hold: the functions of the C header they offer, and the operators."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

# Files of cpp/c_api.
_PREDICT = (
    *("array", "executor", "files", "handle", "inference", "memory_limit", "model", "predict", "runtime"),
    "symbol",
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
    *("passes", "symbol_attributes", "symbol_build", "trace"),
)

# Operators by the beginning of their file's name. Predictions draw no random numbers and follow no gradients.
_NEVER = ("onednn/",)
_NOT_PREDICTED = (
    *("optimizer", "random_", "ctc_loss", "histogram", "khatri_rao", "linalg", "softmax_cross_entropy"),
    *("image_batch_norm", "image_convolution", "image_pooling"),
    *("im2col", "ravel", "correlation", "cumsum", "index", "where_grad"),
)

# Files that predictions name behind `if constexpr (kTraining)` only.
_TRAINING_ONLY = frozenset(
    f"cpp/{name}.cc"
    for name in (
        *("exec/backward", "exec/gradient_call", "exec/invoke", "exec/tape", "exec/trace"),
        *("graph/passes/block_images", "graph/passes/gradient", "graph/passes/graph_builder"),
        *("graph/passes/norm_chains", "graph/passes/recompute", "graph/passes/recompute_choice"),
        "graph/passes/recompute_graph",
    )
)
# Operators that take the place of others, chosen by passes where the build has them.
BEHIND = {
    "Convolution": ("_fused_convolution", "_fused_convolution_chain", "_to_blocked", "_to_plain"),
    "FullyConnected": ("_fused_fully_connected",),
}


@dataclass(frozen=True)
class Profile:
    name: str
    c_api: tuple[str, ...]
    left_out_operators: tuple[str, ...]
    left_out_files: frozenset[str]
    training: bool

    @property
    def roots(self) -> list[str]:
        return [f"cpp/c_api/{name}.cc" for name in self.c_api]

    @property
    def options(self) -> dict[str, int]:
        return {"MIXGRAD_TRAINING": int(self.training), "MIXGRAD_TEXTS": 0, "MIXGRAD_COMPACT": 1}

    def has_operators_of(self, path: str) -> bool:
        inner = path.removeprefix("cpp/ops/")
        return path not in self.left_out_files and not inner.startswith(self.left_out_operators)


PROFILES = {
    "predict": Profile("predict", _PREDICT, _NEVER + _NOT_PREDICTED, _TRAINING_ONLY, False),
    "train": Profile("train", _TRAIN, _NEVER, frozenset(), True),
}


def operators_of_models(paths: list[Path]) -> set[str]:
    """Names of the operators that the networks in -symbol.json files use."""
    names: set[str] = set()
    for path in paths:
        nodes = json.loads(path.read_text(encoding="utf-8"))["nodes"]
        names |= {str(node["op"]) for node in nodes if node["op"] != "null"}
    for name in sorted(names & BEHIND.keys()):
        names.update(BEHIND[name])
    return names
