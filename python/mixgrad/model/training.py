"""What training loops share: stores, updates of parameters on several devices, callbacks."""

from __future__ import annotations

import os
from collections import namedtuple
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from ..kvstore import KVStore, KVStoreBase
from ..kvstore import create as create_kvstore
from ..ndarray import NDArray

__all__ = [
    "BatchEndParam",
    "as_list",
    "call_all",
    "choose_kvstore",
    "initialize_kvstore",
    "update_on_devices",
    "update_on_store",
]

# What a batch_end_callback gets: numbers of epoch and batch, the metric, and the local variables of the loop.
BatchEndParam = namedtuple("BatchEndParam", ["epoch", "nbatch", "eval_metric", "locals"])

# One list per parameter, with an array per device; gradients are None where none is wanted.
PerDevice = Sequence[Sequence[Any]]
# Larger parameters are updated where they are used instead of in a store of the host.
_LARGE = 16 * 1024 * 1024


def as_list(value: Any) -> list[Any]:
    """Return a list: of nothing for None, of one for what is no list or tuple."""
    if value is None:
        return []
    return list(value) if isinstance(value, (list, tuple)) else [value]


def call_all(callbacks: Any, *args: Any) -> None:
    """Call a callback, each of a list of them, or none."""
    for callback in as_list(callbacks):
        callback(*args)


def choose_kvstore(
    kvstore: Any, num_device: int, arg_params: Mapping[str, NDArray]
) -> tuple[Optional[KVStoreBase], bool]:
    """Return the store to use, or None, and whether it updates the weights.

    One device needs no store of this machine. ``MXNET_UPDATE_ON_KVSTORE=0`` lets devices update their own
    weights; so do parameters of more than 16 million elements with ``'local'``.
    """
    update = os.environ.get("MXNET_UPDATE_ON_KVSTORE", "1") != "0"
    if kvstore is None:
        return None, False
    if isinstance(kvstore, str):
        if num_device == 1 and "dist" not in kvstore:
            return None, False
        store = create_kvstore(kvstore)
        if kvstore == "local" and any(p.size > _LARGE for p in arg_params.values()):
            update = False
    elif isinstance(kvstore, KVStoreBase):
        store = kvstore
    else:
        raise TypeError(f"[kvstore] got {type(kvstore).__name__}; expected a KVStore, a name or None")
    return store, update and store.is_capable(KVStoreBase.OPTIMIZER)


def initialize_kvstore(
    store: Any,
    param_arrays: PerDevice,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Put the parameters into the store, and to the devices if the store updates them."""
    for name, arrays in zip(param_names, param_arrays):
        if update_on_kvstore:
            store.broadcast(name, arg_params[name], out=list(arrays))
        else:
            store.init(name, arg_params[name])


def update_on_store(params: PerDevice, grads: PerDevice, store: Any, names: Sequence[str]) -> None:
    """Push gradients and pull the weights that the store made of them.

    Stores of this machine take all in one call; others get the first layers' with priority.
    """
    wanted = [i for i, gradients in enumerate(grads) if gradients[0] is not None]
    if not isinstance(store, KVStore):
        for i in wanted:
            store.pushpull(names[i], list(grads[i]), out=list(params[i]), priority=-i)
    elif wanted:
        store.pushpull(
            [names[i] for i in wanted],
            [list(grads[i]) for i in wanted],
            out=[list(params[i]) for i in wanted],
        )


def update_on_devices(
    params: PerDevice,
    grads: PerDevice,
    updater: Callable[[Any, Any, Any], None],
    num_device: int,
    store: Any = None,
    names: Sequence[str] = (),
) -> None:
    """Sum gradients through the store, if there is one, and update the weights of each device."""
    if store is None and num_device == 1:
        wanted = [i for i, gradients in enumerate(grads) if gradients[0] is not None]
        if wanted:
            updater(wanted, [grads[i][0] for i in wanted], [params[i][0] for i in wanted])
        return
    updates: list[tuple[list[int], list[Any], list[Any]]] = [([], [], []) for _ in range(num_device)]
    for i, (weights, gradients) in enumerate(zip(params, grads)):
        if gradients[0] is None:
            continue
        if store is not None:
            store.pushpull(names[i], list(gradients), priority=-i)
        for k in range(num_device):
            for part, value in zip(updates[k], (i * num_device + k, gradients[k], weights[k])):
                part.append(value)
    for indices, gradients, weights in updates:
        if indices:
            updater(indices, gradients, weights)
