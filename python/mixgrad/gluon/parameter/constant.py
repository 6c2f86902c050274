"""Parameters that never change."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

from ... import initializer
from ... import ndarray as nd
from ...ndarray import NDArray
from .parameter import Parameter

__all__ = ["Constant"]

_NUMBERS = itertools.count()


class Constant(Parameter):
    """A parameter with a value that neither training nor initialisers change.

    Parameters
    ----------
    name : str
        Its name.
    value : array_like
        The value.

    Examples
    --------
    >>> import mixgrad as mx
    >>> class Scale(mx.gluon.HybridBlock):
    ...     def __init__(self, **kwargs):
    ...         super().__init__(**kwargs)
    ...         self.factor = self.params.get_constant("factor", [[1, 2], [3, 4]])
    ...     def hybrid_forward(self, F, x, factor):
    ...         return x * factor
    >>> scale = Scale()
    >>> scale.initialize()
    >>> scale(mx.nd.ones((2, 2))).asnumpy()
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """

    def __init__(self, name: str, value: Any) -> None:
        if not isinstance(value, NDArray):
            value = nd.array(value)
        self.value: NDArray = value

        class Init(initializer.Initializer):
            """Copies the value."""

            def _init_weight(self, name: str, arr: NDArray) -> None:
                value.copyto(arr)

        initializer_name = f"Constant_{name}_{next(_NUMBERS)}"
        initializer.alias(initializer_name)(Init)
        super().__init__(name, grad_req="null", shape=value.shape, dtype=value.dtype, init=initializer_name)

    def __repr__(self) -> str:
        return f"Constant {self.name} (shape={self.shape}, dtype={self.dtype})"

    @property
    def grad_req(self) -> str:
        """Always 'null'."""
        return "null"

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req != "null":
            warnings.warn(
                f"[Constant] grad_req of {self.name!r} is 'null', as of all constants; {req!r} is not taken",
                stacklevel=2,
            )
        self._grad_req = "null"
