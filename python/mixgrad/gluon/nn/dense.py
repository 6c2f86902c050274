"""Layers of vectors: dense, dropout, embedding, flattening, functions as layers."""

from __future__ import annotations

import math
from typing import Any, Callable, Optional, Union

import numpy as np

from ... import ndarray as nd
from ...base import DTypeLike, RefusedValueError
from ..block import Block, HybridBlock
from .activations import Activation

__all__ = ["Dense", "Dropout", "Embedding", "Flatten", "HybridLambda", "Lambda"]


class Dense(HybridBlock):
    """``activation(x @ weight.T + bias)``.

    Parameters
    ----------
    units : int
        Numbers that it gives for each row.
    activation : str, optional
        Name of an activation function, see :class:`Activation`.
    use_bias : bool
        Whether there is a bias.
    flatten : bool
        Whether all axes but the first count as one; otherwise it works on the last axis.
    dtype : dtype
        Of weight and bias.
    weight_initializer, bias_initializer : Initializer or str, optional
        How they start.
    in_units : int
        Numbers in each row of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.Dense(3)
    >>> layer.initialize()
    >>> layer(mx.nd.ones((2, 4))).shape, layer.weight.shape
    ((2, 3), (3, 4))
    """

    def __init__(
        self,
        units: int,
        activation: Optional[str] = None,
        use_bias: bool = True,
        flatten: bool = True,
        dtype: DTypeLike = "float32",
        weight_initializer: Any = None,
        bias_initializer: Any = "zeros",
        in_units: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._flatten = flatten
        with self.name_scope():
            self._units = units
            self._in_units = in_units
            self.weight = self.params.get(
                "weight",
                shape=(units, in_units),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
            )
            self.bias = (
                self.params.get(
                    "bias", shape=(units,), init=bias_initializer, dtype=dtype, allow_deferred_init=True
                )
                if use_bias
                else None
            )
            self.act = None if activation is None else Activation(activation, prefix=activation + "_")

    def hybrid_forward(self, F: Any, x: Any, weight: Any, bias: Any = None) -> Any:
        """Multiply, add, activate.

        Parameters
        ----------
        x : NDArray or Symbol
            (rows, ..., numbers).
        weight : NDArray or Symbol
            (units, in_units).
        bias : NDArray or Symbol, optional
            (units,).
        """
        out = F.FullyConnected(
            x, weight, bias, num_hidden=self._units, no_bias=bias is None, flatten=self._flatten, name="fwd"
        )
        return out if self.act is None else self.act(out)

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        units = (self.weight.shape or (0, 0))[1]
        found = math.prod(shape[1:]) if self._flatten else shape[-1] if shape else 0
        if not units or (found == units and len(shape) > 1):
            return None
        return f"({'batch' if self._flatten else '...'}, {units})"

    def __repr__(self) -> str:
        shape = self.weight.shape
        assert shape is not None
        activation = "linear" if self.act is None else repr(self.act)
        return f"{type(self).__name__}({shape[1] if shape[1] else None} -> {shape[0]}, {activation})"


class Dropout(HybridBlock):
    """In training, zero in the place of a share of numbers, drawn anew at each pass.

    Parameters
    ----------
    rate : float
        The share; the rest is divided by ``1 - rate``.
    axes : tuple of int
        Axes along which all numbers share one draw.
    """

    def __init__(self, rate: float, axes: tuple[int, ...] = (), **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if not isinstance(rate, (int, float, np.number)) or not rate <= 1:  # nan is none of both
            raise RefusedValueError(f"[Dropout] rate is {rate!r:.60}; expected a share, from 0 to 1")
        self._rate = rate
        self._axes = axes

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Drop numbers of ``x``, of any shape, in training."""
        if self._rate > 0:
            return F.Dropout(x, p=self._rate, axes=self._axes, name="fwd", cudnn_off=False)
        return F.identity(x)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(p = {self._rate}, axes={self._axes})"


class Embedding(HybridBlock):
    """A row of a table for each number.

    Parameters
    ----------
    input_dim : int
        Rows of the table: numbers are 0 to ``input_dim - 1``.
    output_dim : int
        Length of a row.
    dtype : dtype
        Of the table.
    weight_initializer : Initializer or str, optional
        How the table starts.
    sparse_grad : bool
        Whether the gradient stores only rows that were used.

    Examples
    --------
    >>> import mixgrad as mx
    >>> table = mx.gluon.nn.Embedding(10, 4)
    >>> table.initialize()
    >>> table(mx.nd.array([[1, 2, 3], [4, 5, 6]])).shape
    (2, 3, 4)
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: DTypeLike = "float32",
        weight_initializer: Any = None,
        sparse_grad: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._input_dim = input_dim
        self._output_dim = output_dim
        self._kwargs = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": sparse_grad,
        }
        with self.name_scope():
            self.weight = self.params.get(
                "weight",
                shape=(input_dim, output_dim),
                init=weight_initializer,
                dtype=dtype,
                allow_deferred_init=True,
                grad_stype="row_sparse" if sparse_grad else "default",
            )

    def hybrid_forward(self, F: Any, x: Any, weight: Any) -> Any:
        """Look up rows; ``x`` has any shape and dtype."""
        return F.Embedding(x, weight, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._input_dim} -> {self._output_dim}, {self._kwargs['dtype']})"


class Flatten(HybridBlock):
    """All axes but the first as one."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """(rows, ...) becomes (rows, numbers)."""
        return F.Flatten(x)

    def __repr__(self) -> str:
        return type(self).__name__


def _function_of(module: Any, name: str) -> Any:
    try:
        return getattr(module, name)
    except AttributeError as error:
        raise AssertionError(f"[Lambda] no function is called {name!r}: {error}") from None


class Lambda(Block):
    """A function as a block.

    Parameters
    ----------
    function : str or function
        Name of a function of :mod:`mixgrad.nd`, or a function of arrays.
    prefix : str, optional
        Prefix of the block.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.Lambda("tanh")(mx.nd.zeros((1,))).asnumpy()
    array([0.], dtype=float32)
    """

    def __init__(self, function: Union[str, Callable[..., Any]], prefix: Optional[str] = None) -> None:
        super().__init__(prefix=prefix)
        if isinstance(function, str):
            self._func_impl = _function_of(nd, function)
        elif callable(function):
            self._func_impl = function
        else:
            raise ValueError(
                f"[Lambda] the function is {function!r} of type {type(function).__name__}; expected a name "
                "or a function"
            )

    def forward(self, *args: Any) -> Any:
        """Call the function."""
        return self._func_impl(*args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_impl.__name__})"


class HybridLambda(HybridBlock):
    """A function of arrays or symbols as a block.

    Parameters
    ----------
    function : str or function
        Name of a function that :mod:`mixgrad.nd` and :mod:`mixgrad.sym` have, or ``function(F, x, ...)``.
    prefix : str, optional
        Prefix of the block.

    Examples
    --------
    >>> import mixgrad as mx
    >>> double = mx.gluon.nn.HybridLambda(lambda F, x: x * 2)
    >>> double(mx.nd.ones((1,))).asnumpy()
    array([2.], dtype=float32)
    """

    def __init__(self, function: Union[str, Callable[..., Any]], prefix: Optional[str] = None) -> None:
        super().__init__(prefix=prefix)
        self._func: Callable[..., Any]
        if isinstance(function, str):
            from ... import symbol as sym

            functions = {nd: _function_of(nd, function), sym: _function_of(sym, function)}
            self._func = lambda F, *args: functions[F](*args)
            self._func_name = function
        elif callable(function):
            self._func = function
            self._func_name = getattr(function, "__name__", type(function).__name__)
        else:
            raise ValueError(
                f"[HybridLambda] the function is {function!r} of type {type(function).__name__}; expected a "
                "name or a function"
            )

    def hybrid_forward(self, F: Any, x: Any, *args: Any) -> Any:
        """Call the function."""
        return self._func(F, x, *args)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._func_name})"
