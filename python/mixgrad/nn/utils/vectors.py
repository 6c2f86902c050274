"""Parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ... import numpy as np
from ...base import ShapeError
from ..grad_mode import no_grad

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """The elements of all parameters on one axis; gradients flow through."""
    return np.concatenate([one.reshape(-1) for one in parameters])


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Give parameters the elements of one axis, in their order."""
    given = list(parameters)
    count = sum(one.size for one in given)
    if vec.shape != (count,):
        raise ShapeError(f"[vector_to_parameters] the vector has the shape {vec.shape}; expected ({count},)")
    start = 0
    with no_grad():
        for one in given:
            one[:] = vec[start : start + one.size].reshape(one.shape)
            start += one.size
