"""Calls of classes whose arguments do not fit: errors that name the class, and the nearest argument."""

from __future__ import annotations

from functools import cache
from inspect import Parameter, Signature, signature
from typing import Any

from ._hints import refuse_arguments

__all__ = ["check_arguments"]

# What other libraries, and Gluon, call arguments of layers, optimisers and schedules.
_FOREIGN: dict[str, tuple[str, ...]] = {
    "rate": ("p",),
    "learning_rate": ("lr",),
    "wd": ("weight_decay",),
    "beta1": ("betas",),
    "beta2": ("betas",),
    "epsilon": ("eps",),
    "units": ("out_features", "hidden_size"),
    "in_units": ("in_features",),
    "channels": ("out_channels",),
    "filters": ("out_channels",),
    "strides": ("stride",),
    "use_bias": ("bias",),
    "axis": ("dim",),
    "pool_size": ("kernel_size",),
    "input_dim": ("num_embeddings",),
    "output_dim": ("embedding_dim",),
    "step": ("step_size",),
    "max_update": ("total_iters",),
}


@cache
def _signature(cls: type) -> Signature:
    found = signature(cls.__init__)  # type: ignore[misc]
    return found.replace(parameters=list(found.parameters.values())[1:])


def check_arguments(cls: type, args: tuple[Any, ...], words: dict[str, Any]) -> None:
    """Raise for arguments that the ``__init__`` of one of our classes does not take; others' see to it.

    Called by ``__new__``, which copies and pickles call, too, without arguments: these are let pass.
    """
    if not (args or words) or not cls.__init__.__module__.startswith(f"{__package__}."):  # type: ignore[misc]
        return
    expected = _signature(cls)
    try:
        expected.bind(*args, **words)
    except TypeError as error:
        names = [
            name
            for name, one in expected.parameters.items()
            if one.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        ]
        unknown = [word for word in words if word not in names]
        if unknown:
            refuse_arguments(cls.__name__, {unknown[0]: None}, names, _FOREIGN)
        from .base import SignatureError

        raise SignatureError(f"[{cls.__name__}] {error}; it takes {', '.join(names)}") from None
