"""Layers that multiply by weights, and tables of rows."""

from __future__ import annotations

import math
from typing import Any, Optional

from ... import numpy as np
from ... import ops
from ...base import DTypeLike, InvalidArgumentError, MXIndexError
from .. import functional as F
from .. import init
from ..diagnosis import check_last, refuse_shape
from ..module import Module
from ..parameter import Parameter

__all__ = ["Bilinear", "Embedding", "Flatten", "Identity", "Linear", "Unflatten", "made"]


def made(shape: tuple[int, ...], device: Any = None, dtype: DTypeLike = None) -> Parameter:
    """A parameter of zeros, which an initialiser fills."""
    return Parameter(np.zeros(shape, dtype=dtype or "float32", ctx=device))


class Identity(Module):
    """Gives what it gets; arguments do not matter."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """The input."""
        return input


class Linear(Module):
    """``x @ weight.T + bias``.

    Parameters
    ----------
    in_features, out_features : int
        The last extent of the input and of the output.
    bias : bool
        Whether there is a bias.
    device : Context, optional
        Where parameters lie.
    dtype : dtype, optional
        Of the parameters, float32 by default.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.Linear(20, 30)
    >>> layer(np.ones((128, 20))).shape, layer.weight.shape
    ((128, 30), (30, 20))
    """

    weight: Parameter
    bias: Optional[Parameter]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self.weight = made((out_features, in_features), device, dtype)
        self.register_parameter("bias", made((out_features,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights and bias anew, between minus and plus the inverse root of ``in_features``."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def _check_inputs(self, input: Any) -> None:
        check_last(self, "input", input, self.in_features)

    def forward(self, input: Any) -> Any:
        """``(..., in_features)`` gives ``(..., out_features)``."""
        bias = self.bias
        if bias is None or input.ndim < 2:
            return F.linear(input, self.weight, bias)
        return ops.FullyConnected(input, self.weight, bias, num_hidden=self.out_features, flatten=False)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        bias = self.bias is not None
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={bias}"


class Bilinear(Module):
    """``x1 @ weight[k] @ x2 + bias[k]`` for each output ``k``.

    Parameters
    ----------
    in1_features, in2_features, out_features : int
        The last extents of both inputs and of the output.
    bias, device, dtype
        As for :class:`Linear`.
    """

    weight: Parameter
    bias: Optional[Parameter]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = made((out_features, in1_features, in2_features), device, dtype)
        self.register_parameter("bias", made((out_features,), device, dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weights and bias anew."""
        bound = 1 / math.sqrt(self.in1_features)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _check_inputs(self, input1: Any, input2: Any) -> None:
        check_last(self, "input1", input1, self.in1_features)
        check_last(self, "input2", input2, self.in2_features)
        if input1.shape[:-1] != input2.shape[:-1]:
            lead = ", ".join(map(str, (*input1.shape[:-1], self.in2_features)))
            refuse_shape("Bilinear", "input2", input2, f"({lead}), as input1")

    def forward(self, input1: Any, input2: Any) -> Any:
        """Two inputs of the same leading extents."""
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class Embedding(Module):
    """Rows of a table.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        Rows, and elements of each.
    padding_idx : int, optional
        A row that starts as zeros and to which no gradient flows.
    max_norm, norm_type, scale_grad_by_freq
        Not supported.
    sparse : bool
        Accepted; gradients are dense.
    device, dtype
        As for :class:`Linear`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.Embedding(10, 3)(np.array([[1, 2, 4, 5]], dtype="int32")).shape
    (1, 4, 3)
    """

    weight: Parameter
    _float_inputs = False

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: Optional[int] = None,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise InvalidArgumentError(
                    f"[Embedding] padding_idx is {padding_idx}; expected one of {num_embeddings} rows"
                )
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type = max_norm, norm_type
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.weight = made((num_embeddings, embedding_dim), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew, from the standard normal distribution."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx] = 0

    @classmethod
    def from_pretrained(
        cls, embeddings: Any, freeze: bool = True, padding_idx: Optional[int] = None
    ) -> Embedding:
        """A table with given rows."""
        rows, width = embeddings.shape
        made = cls(rows, width, padding_idx)
        made.weight = Parameter(embeddings, not freeze)
        return made

    def forward(self, input: Any) -> Any:
        """Indices of any shape give ``(*shape, embedding_dim)``."""
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class Flatten(Module):
    """Several axes as one, by default all but the first.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> nn.Flatten()(np.ones((2, 3, 4))).shape
    (2, 12)
    """

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Any) -> Any:
        """Any shape with these axes."""
        for dim in (self.start_dim, self.end_dim):
            if not -max(input.ndim, 1) <= dim < max(input.ndim, 1):
                raise MXIndexError(
                    f"[Flatten] axis {dim} of the shape {input.shape}; expected one that is there"
                )
        start, end = (dim % max(input.ndim, 1) for dim in (self.start_dim, self.end_dim))
        shape = input.shape
        merged = math.prod(shape[start : end + 1])
        return input.reshape((*shape[:start], merged, *shape[end + 1 :]))

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """One axis as several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, input: Any) -> Any:
        """Any shape whose extent on the axis is the product of the new ones."""
        axis, shape = self.dim % input.ndim, input.shape
        return input.reshape((*shape[:axis], *self.unflattened_size, *shape[axis + 1 :]))

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
