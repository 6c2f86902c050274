"""What this build can do (``mx.runtime``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import _core, _hints

__all__ = ["Feature", "Features", "feature_list"]

# MXNet's names, and what they mean here; a name without a meaning is never enabled.
_NAMES = {
    "CUDA": "cuda",
    "CUDNN": "cudnn",
    "NCCL": "nccl",
    "MKLDNN": "onednn",
    "ONEDNN": "onednn",
    "OPENMP": "openmp",
    "OPENCV": "",
    "DIST_KVSTORE": "zeromq",
    "TVM_OP": "",
}
_ALWAYS = ("INT64_TENSOR_SIZE", "PROFILER")


class Feature(NamedTuple):
    """A capability and whether this build has it."""

    name: str
    enabled: bool

    def __repr__(self) -> str:
        return f"{'✔' if self.enabled else '✖'} {self.name}"


def feature_list() -> list[Feature]:
    """Return all features by MXNet's names."""
    chosen = [Feature(name, bool(own) and _core.has_feature(own)) for name, own in _NAMES.items()]
    return chosen + [Feature(name, True) for name in _ALWAYS]


class Features(dict[str, Feature]):
    """All features by name.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.runtime.Features().is_enabled("INT64_TENSOR_SIZE")
    True
    """

    def __init__(self) -> None:
        super().__init__((feature.name, feature) for feature in feature_list())

    def __repr__(self) -> str:
        return str(list(self.values()))

    def is_enabled(self, feature_name: str) -> bool:
        """Whether a feature, in any case of letters, is there; an unknown name is an error."""
        name = feature_name.upper()
        if name not in self:
            raise RuntimeError(f"[Features] unknown feature {feature_name!r}; there are {sorted(self)}")
        return self[name].enabled


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
