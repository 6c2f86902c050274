"""``Variable`` and ``volatile``, in the habit of PyTorch before its version 0.4."""

from __future__ import annotations

from typing import Any

from .. import numpy as np
from ..ndarray import NDArray
from ..numpy import ndarray
from . import grad_mode

__all__ = ["Variable", "Volatile"]


class Volatile(ndarray):
    """An array whose way through modules is not recorded: what they give is volatile, too.

    Modules look at their first argument. Operators outside of modules are recorded as ever, unless in
    :class:`no_grad`.
    """

    volatile = True

    @property
    def requires_grad(self) -> bool:
        """Always False."""
        return False

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value:
            raise ValueError("[Volatile] a volatile array requires no gradient; expected volatile=False")


def Variable(data: Any, requires_grad: bool = False, volatile: bool = False) -> Any:
    """An array with or without gradients, or one that keeps modules from recording.

    Parameters
    ----------
    data : array or array_like
        The values; the memory of an array is shared.
    requires_grad : bool
        Whether gradients flow to it.
    volatile : bool
        Whether modules run without recording for it, as in :class:`no_grad`.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> model = nn.Sequential(nn.Linear(5, 5), nn.ReLU())
    >>> regular, volatile = nn.Variable(np.ones((1, 5))), nn.Variable(np.ones((1, 5)), volatile=True)
    >>> model(regular).requires_grad, model(volatile).requires_grad, model(volatile).volatile
    (True, False, True)
    """
    if volatile and requires_grad:
        raise ValueError("[Variable] got requires_grad and volatile; expected one of them at most")
    made = data.as_np_ndarray().detach() if isinstance(data, NDArray) else np.array(data)
    if volatile:
        return made._as(Volatile)
    if requires_grad:
        grad_mode.begin()
        made.attach_grad("add")
    return made


def call_volatile(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a module without recording, with plain arrays in place of volatile ones."""
    plain = tuple(one._as(ndarray) if type(one) is Volatile else one for one in args)
    with grad_mode.no_grad():
        return _marked(module(*plain, **kwargs))


def _marked(output: Any) -> Any:
    if isinstance(output, (list, tuple)):
        return type(output)(map(_marked, output))
    return output._as(Volatile) if isinstance(output, NDArray) else output
