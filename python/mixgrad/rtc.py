"""Kernels of CUDA that are compiled when a program runs (``mx.rtc``): what mixgrad says of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Union

from . import _hints
from .base import UnsupportedError
from .context import num_gpus

__all__ = ["CudaKernel", "CudaModule"]


def _refuse(who: str) -> NoReturn:
    seen = f"there are {num_gpus()} GPUs" if num_gpus() else "no GPU can be used"
    raise UnsupportedError(
        f"[{who}] {seen}, and mixgrad does not run kernels given as text; expected operators: mx.jit fuses "
        "those that work on elements into one kernel, and docs/first-operator.md adds others in C++"
    )


class CudaModule:
    """Refused: operators and :func:`mixgrad.jit` take the place of kernels given as text.

    Parameters
    ----------
    source : str
        CUDA C++.
    options, exports : list of str
        Options of the compiler, and names of kernels.
    """

    def __init__(
        self, source: str, options: Union[str, Sequence[str]] = (), exports: Union[str, Sequence[str]] = ()
    ) -> None:
        _refuse("CudaModule")

    def get_kernel(self, name: str, signature: str) -> CudaKernel:
        """A kernel by its name and the types of its arguments."""
        _refuse("CudaModule")


class CudaKernel:
    """A kernel of a :class:`CudaModule`; refused with it."""

    def __init__(self, handle: Any, name: str, is_ndarray: Any, dtypes: Any) -> None:
        _refuse("CudaKernel")

    def launch(
        self,
        args: Sequence[Any],
        ctx: Any,
        grid_dims: Sequence[int],
        block_dims: Sequence[int],
        shared_mem: int = 0,
    ) -> None:
        """Run the kernel."""
        _refuse("CudaKernel")


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
