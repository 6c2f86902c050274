"""What the library can do and how it reads files (``mx.runtime``), and libraries that it may use."""

from __future__ import annotations

import contextlib
import os
import sysconfig
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from . import _core, _hints
from .base import MXNetError, NotFoundError, UnsupportedError

__all__ = ["Feature", "Features", "feature_list", "file_mapping", "set_file_mapping", "use_onednn"]

# MXNet's names, and what they mean here; a name without a meaning is never enabled: own kernels choose by the
# processor, and no library of matrices is used unasked.
_NAMES = {
    "CUDA": "cuda",
    "CUDNN": "cudnn",
    "NCCL": "nccl",
    "MKLDNN": "onednn",
    "ONEDNN": "onednn",
    "DIST_KVSTORE": "zeromq",
    **dict.fromkeys(("CUDA_RTC", "TENSORRT", "OPENMP", "OPENCV", "CAFFE", "TVM_OP", "SSE", "F16C"), ""),
    **dict.fromkeys(("CPU_SSE", "CPU_SSE2", "CPU_SSE3", "CPU_SSE4_1", "CPU_SSE4_2", "CPU_SSE4A"), ""),
    **dict.fromkeys(("CPU_AVX", "CPU_AVX2", "JEMALLOC", "CXX14", "SIGNAL_HANDLER", "DEBUG"), ""),
    **dict.fromkeys(("BLAS_OPEN", "BLAS_ATLAS", "BLAS_MKL", "BLAS_APPLE"), ""),
}
_ALWAYS = ("INT64_TENSOR_SIZE", "LAPACK", "PROFILER")


class Feature(NamedTuple):
    """A capability and whether it is there now."""

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
    """Which files are mapped into memory rather than read; see :func:`set_file_mapping`."""
    return _MAPPINGS[_core.mapping()]


def set_file_mapping(mapping: str) -> None:
    """Choose which files are mapped into memory, where processes share them, rather than read.

    That is about :func:`mixgrad.model.load_packed` and :class:`mixgrad.io.TokenFile`.

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


_ONEDNN = "libdnnl.so.3"


def _onednn_paths() -> Iterator[str]:
    """Where oneDNN's library lies: as pip noted when it installed the wheel, as in conda's prefixes."""
    from importlib import metadata

    try:
        files = metadata.distribution("onednn-cpu-gomp").files or []
    except metadata.PackageNotFoundError:
        files = []
    for file in files:
        if file.name == _ONEDNN:
            yield os.path.realpath(str(file.locate()))
    yield os.path.join(sysconfig.get_path("data"), "lib", _ONEDNN)


def use_onednn(use: bool = True, path: Optional[Union[str, os.PathLike[str]]] = None) -> None:
    """Have oneDNN compute large products and some convolutions, where it may be faster than the own kernels.

    It comes with ``pip install onednn-cpu-gomp==2023.2.0`` (x86-64 Linux). Programs that say so use it: by
    this call, or by the environment variable ``MIXGRAD_ONEDNN`` when mixgrad is imported (1, or the path of
    the library). Its results may differ in the last bits from those of the own kernels, and with the number
    of threads.

    Parameters
    ----------
    use : bool
        False: the own kernels do everything from now on. What is loaded stays in memory.
    path : path-like
        The library, ``libdnnl.so.3``. Otherwise it is looked for where pip put the wheel
        ``onednn-cpu-gomp``, in the ``lib`` folder of this Python's prefix, and where the system looks.
    """
    if not use:
        _core.onednn_set_enabled(False)
        return
    if path is not None:
        _core.onednn_load(os.path.abspath(path))
        return
    with contextlib.suppress(UnsupportedError):  # it is not loaded yet
        _core.onednn_set_enabled(True)
        return
    tried = []
    for place in [*filter(os.path.isfile, _onednn_paths()), ""]:
        try:
            _core.onednn_load(place)
            return
        except MXNetError as error:
            tried.append(str(error))
    raise NotFoundError(
        f"[use_onednn] no library was loaded: {'; '.join(tried)}. Install it with "
        "`pip install onednn-cpu-gomp==2023.2.0` (pip's --target leaves it out), or name its path"
    )


def _follow_environment() -> None:
    """Do as MIXGRAD_ONEDNN says; called when mixgrad is imported and the variable is set."""
    wish = os.environ["MIXGRAD_ONEDNN"]
    if wish not in ("", "0"):
        use_onednn(path=None if wish == "1" else wish)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
