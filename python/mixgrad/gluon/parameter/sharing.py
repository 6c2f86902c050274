"""Parameters that several processes train at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ndarray._sharing import share

if TYPE_CHECKING:
    from .parameter import Parameter

__all__ = ["share_parameters"]


def share_parameters(parameters: Sequence[Parameter], gradients: bool) -> None:
    """Move the arrays of parameters into one segment of shared memory, and their gradients if wanted."""
    arrays = [array for one in parameters for array in one._check_and_get(one._data, list)]
    if gradients:
        arrays += [array for one in parameters for array in one._grad or ()]
    share(arrays)
