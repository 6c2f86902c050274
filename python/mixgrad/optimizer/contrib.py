"""Optimisers for special layers (``mx.optimizer.contrib``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _hints
from .. import ndarray as nd
from ..ndarray import NDArray
from .base import Optimizer, State, by_rows, register

__all__ = ["GroupAdaGrad"]


@register
class GroupAdaGrad(Optimizer):
    """AdaGrad with one rate per row, for embedding tables ``(rows, columns)``.

    With ``g = clip(rescale_grad * grad)``::

        h += mean(g ** 2, axis=1);  weight -= lr * g / sqrt(h + eps)

    Parameters
    ----------
    eps : float
        Keeps the division finite.
    **kwargs
        See :class:`Optimizer`; weight decay is not supported.

    Examples
    --------
    >>> import mixgrad as mx
    >>> w, g = mx.nd.ones((1, 2)), mx.nd.array([[1, 1]])
    >>> group = mx.optimizer.contrib.GroupAdaGrad(learning_rate=0.5)
    >>> group.update(0, w, g, group.create_state(0, w))
    >>> [round(x, 3) for x in w.asnumpy().ravel().tolist()]
    [0.5, 0.5]
    """

    def __init__(self, eps: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._check_at_least_zero(eps=eps)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: NDArray) -> NDArray:
        """Return zeros of shape ``(rows, 1)``."""
        if len(weight.shape) != 2:
            raise ValueError(f"[GroupAdaGrad] weight {index!r} must be a matrix, got shape {weight.shape}")
        return nd.sparse.zeros(weight.stype, (weight.shape[0], 1), weight.context, weight.dtype)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        lr, wd, _ = self._step(index, weight, grad, state, 0)
        if wd != 0:
            raise ValueError(f"[GroupAdaGrad] weight decay is not supported, got wd={wd} for {index!r}")
        if by_rows(grad):
            options = {**self._op_kwargs(), "epsilon": self.float_stable_eps}
            nd.contrib.group_adagrad_update(weight, grad, state, out=weight, lr=lr, **options)
            return
        grad = self._prepared(grad)
        state += nd.mean(grad * grad, axis=1, keepdims=True)
        weight -= lr * nd.broadcast_div(grad, nd.sqrt(state + self.float_stable_eps))


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
