"""Parts of training loops that scripts import from ``mx.model``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional

from .._training.update import choose_kvstore, initialize_kvstore, update_on_devices, update_on_store
from ..ndarray import NDArray

__all__: list[str] = []

PerDevice = Sequence[Sequence[Any]]


def _create_kvstore(kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]) -> tuple[Any, bool]:
    """The store to use, or None, and whether it updates the weights."""
    return choose_kvstore(kvstore, num_device, arg_params)


def _initialize_kvstore(
    kvstore: Any,
    param_arrays: PerDevice,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Puts the parameters into the store, and to the devices if the store updates them."""
    initialize_kvstore(kvstore, param_arrays, arg_params, param_names, update_on_kvstore)


def _update_params_on_kvstore(
    param_arrays: PerDevice, grad_arrays: PerDevice, kvstore: Any, param_names: Sequence[str]
) -> None:
    """Pushes gradients and pulls the weights that the store made of them."""
    update_on_store(param_arrays, grad_arrays, kvstore, param_names)


def _update_params(
    param_arrays: PerDevice,
    grad_arrays: PerDevice,
    updater: Callable[[Any, Any, Any], None],
    num_device: int,
    kvstore: Any = None,
    param_names: Optional[Sequence[str]] = None,
) -> None:
    """Sums gradients through the store, if there is one, and updates the weights of each device."""
    names = list(map(str, range(len(param_arrays)))) if param_names is None else param_names
    update_on_devices(param_arrays, grad_arrays, updater, num_device, kvstore, names)
