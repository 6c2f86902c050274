"""Operators that MXNet keeps under ``mx.sym.contrib``."""

from __future__ import annotations

import math
from typing import Any, Union

from .. import _hints
from . import random
from .control_flow import cond, foreach, while_loop
from .creation import full
from .functions import NAMES, internal, operator
from .symbol import Symbol

__all__ = ["adamw_update", "boolean_mask", "cond", "foreach", "mp_adamw_update", "rand_zipfian", "while_loop"]

Factor = Union[float, Symbol]


def _factor(rescale_grad: Factor) -> Symbol:
    """The factor of gradients as a symbol of one element."""
    return rescale_grad if isinstance(rescale_grad, Symbol) else full((1,), rescale_grad)


def adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    rescale_grad: Factor,
    lr: float,
    eta: float,
    **options: Any,
) -> Symbol:
    """One step of AdamW; the states ``mean`` and ``var`` change in place.

    Parameters
    ----------
    weight, grad, mean, var : Symbol
        Of one shape.
    rescale_grad : float or Symbol
        Factor of the gradient; NaN, infinity or 0 skips the step.
    lr, eta : float
        Learning rate, and factor of the whole step.
    **options
        ``beta1``, ``beta2``, ``epsilon``, ``wd``, ``clip_gradient`` and ``name``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> parts = [mx.sym.var(name) for name in ("weight", "grad", "mean", "var")]
    >>> step = mx.sym.contrib.adamw_update(*parts, rescale_grad=1.0, lr=0.1, eta=1.0)
    >>> step.list_auxiliary_states()
    ['mean', 'var']
    """
    inputs = (weight, grad, mean, var, _factor(rescale_grad))
    return internal("_adamw_update")(*inputs, lr=lr, eta=eta, **options)


def mp_adamw_update(
    weight: Symbol,
    grad: Symbol,
    mean: Symbol,
    var: Symbol,
    weight32: Symbol,
    rescale_grad: Factor,
    lr: float,
    eta: float,
    **options: Any,
) -> Symbol:
    """As :func:`adamw_update`, in float32 on ``weight32``, of which the result is a rounded copy."""
    inputs = (weight, grad, mean, var, weight32, _factor(rescale_grad))
    return internal("_mp_adamw_update")(*inputs, lr=lr, eta=eta, **options)


def boolean_mask(data: Symbol, index: Symbol, axis: int = 0, **options: Any) -> Symbol:
    """Refused: how many slices a mask leaves is not known before it is computed. Arrays have the function."""
    raise NotImplementedError(
        "[boolean_mask] the extent of the result depends on the mask's values, which a symbol does not know; "
        "use mx.nd.contrib.boolean_mask, or multiply by the mask"
    )


def rand_zipfian(true_classes: Symbol, num_sampled: int, range_max: int) -> tuple[Symbol, Symbol, Symbol]:
    """Classes drawn with probability log((c + 2) / (c + 1)) / log(range_max + 1), as words are.

    Parameters
    ----------
    true_classes : Symbol
        Classes whose expected count is asked for.
    num_sampled : int
        How many are drawn.
    range_max : int
        Classes are those below it.

    Returns
    -------
    tuple of three symbols
        The classes drawn (int64), and how often the true and the drawn ones are expected among them
        (float64).
    """
    whole = math.log(range_max + 1)

    def expected(classes: Symbol) -> Symbol:
        place = classes.astype("float64")
        count: Symbol = ((place + 2.0) / (place + 1.0)).log() * (num_sampled / whole)
        return count

    drawn = random.uniform(0, whole, shape=(num_sampled,), dtype="float64").exp() - 1
    sampled = drawn.astype("int64") % range_max
    return sampled, expected(true_classes), expected(sampled)


_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "_contrib_", own=__all__)


def __getattr__(name: str) -> Any:
    return _operator(name)
