"""What this build can do, and how it reads files (``mx.runtime``)."""

from __future__ import annotations

from typing import NamedTuple

from . import _core

__all__ = ["Feature", "Features", "feature_list", "file_mapping", "set_file_mapping"]

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


_MAPPINGS = ("never", "fixed", "always")


def file_mapping() -> str:
    """Which files :func:`mixgrad.model.load_packed` maps into memory; see :func:`set_file_mapping`."""
    return _MAPPINGS[_core.mapping()]


def set_file_mapping(mapping: str) -> None:
    """Choose which files are mapped into memory, where processes share them, rather than read.

    Parameters
    ----------
    mapping : {'never', 'fixed', 'always'}
        ``'fixed'``, the default: files that nobody has permission to write to, or on a read-only file system.
        ``'always'`` is for who knows that nobody changes them: a process ends (SIGBUS) when it looks at a
        part of a mapped file that another one has cut off.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.runtime.set_file_mapping("never")
    >>> mx.runtime.file_mapping()
    'never'
    >>> mx.runtime.set_file_mapping("fixed")
    """
    if mapping not in _MAPPINGS:
        raise ValueError(f"[set_file_mapping] mapping is {mapping!r:.60}; expected one of {_MAPPINGS}")
    _core.set_mapping(_MAPPINGS.index(mapping))


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
