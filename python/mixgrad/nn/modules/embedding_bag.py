"""Sums, means and maxima of rows of tables, as a module."""

from __future__ import annotations

from typing import Any, Optional

from ...base import DTypeLike, InvalidArgumentError, ShapeError
from .. import functional as F
from .. import init
from ..module import Module
from ..parameter import Parameter
from .linear import made

__all__ = ["EmbeddingBag"]


class EmbeddingBag(Module):
    """The sum, mean or largest elements of the rows of a table that each bag of indices names.

    As :class:`Embedding` and a reduction, without the rows of all indices of equal bags in between.

    Parameters
    ----------
    num_embeddings, embedding_dim : int
        Rows, and elements of each.
    max_norm, norm_type, scale_grad_by_freq
        Not supported.
    mode : {'mean', 'sum', 'max'}
        What is made of the rows of a bag.
    sparse : bool
        Accepted; gradients are dense.
    include_last_offset : bool
        Whether offsets end with the number of indices.
    padding_idx : int, optional
        A row that starts as zeros, and does not count.
    device, dtype
        Of the table.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.EmbeddingBag(10, 3, mode="sum")
    >>> layer(np.array([[1, 2, 4], [4, 3, 2]], dtype="int64")).shape
    (2, 3)
    >>> layer(np.array([1, 2, 4, 5, 4], dtype="int64"), np.array([0, 4], dtype="int64")).shape
    (2, 3)
    """

    weight: Parameter
    _float_inputs = False

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: Optional[float] = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Optional[Any] = None,
        include_last_offset: bool = False,
        padding_idx: Optional[int] = None,
        device: Any = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise InvalidArgumentError(
                    f"[EmbeddingBag] padding_idx is {padding_idx}; expected one of {num_embeddings} rows"
                )
            padding_idx %= num_embeddings
        if mode not in ("sum", "mean", "max"):
            raise ValueError(f"[EmbeddingBag] mode is {mode!r}; expected 'sum', 'mean' or 'max'")
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type, self.scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self.mode, self.sparse, self.include_last_offset = mode, sparse, include_last_offset
        if _weight is None:
            self.weight = made((num_embeddings, embedding_dim), device, dtype)
            self.reset_parameters()
        elif tuple(_weight.shape) != (num_embeddings, embedding_dim):
            raise ShapeError(
                f"[EmbeddingBag] _weight has the shape {_weight.shape}; expected "
                f"{(num_embeddings, embedding_dim)}"
            )
        else:
            self.weight = Parameter(_weight)

    def reset_parameters(self) -> None:
        """Draw the table anew, from the standard normal distribution."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            self.weight.detach()[self.padding_idx] = 0

    @classmethod
    def from_pretrained(cls, embeddings: Any, freeze: bool = True, **words: Any) -> EmbeddingBag:
        """A table with given rows.

        Parameters
        ----------
        embeddings : array
            ``(num_embeddings, embedding_dim)``.
        freeze : bool
            Whether no gradient flows to them.
        **words
            As for the class.
        """
        rows, width = embeddings.shape
        layer = cls(rows, width, _weight=embeddings, **words)
        layer.weight.requires_grad_(not freeze)
        return layer

    def forward(
        self, input: Any, offsets: Optional[Any] = None, per_sample_weights: Optional[Any] = None
    ) -> Any:
        """Bags of indices give ``(B, embedding_dim)``.

        Parameters
        ----------
        input : array of int
            ``(B, L)``, or ``(n,)`` with offsets.
        offsets : array of int, optional
            ``(B,)``, where each bag begins, or ``(B + 1,)`` with ``include_last_offset``.
        per_sample_weights : array, optional
            The shape of ``input``, for the mode 'sum'.
        """
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}{padding}"
