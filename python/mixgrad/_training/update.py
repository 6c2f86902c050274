"""How parameters change: by an optimiser on each device, or in a store that the devices share."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

from .. import optimizer as opt
from ..kvstore import KVStore, KVStoreBase
from ..kvstore import create as create_kvstore
from ..ndarray import NDArray

__all__ = [
    "choose_kvstore",
    "gradient_scale",
    "initialize_kvstore",
    "is_between_processes",
    "make_optimizer",
    "make_updater",
    "update_on_devices",
    "update_on_store",
    "update_params",
]

# One list per parameter, with an array per device; gradients are None where none is wanted.
PerDevice = Sequence[Sequence[Any]]
# Larger parameters are updated where they are used instead of in a store of the host.
_LARGE = 16 * 1024 * 1024


def is_between_processes(kind: str) -> bool:
    """Whether stores of this type are shared by the workers of several processes."""
    return "dist" in kind or kind.lower() in ("collective", "collective_sharded")


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
        if num_device == 1 and not is_between_processes(kvstore):
            return None, False
        store = create_kvstore(kvstore)
        if kvstore == "local" and any(p.size > _LARGE for p in arg_params.values()):
            update = False
    elif isinstance(kvstore, KVStoreBase):
        store = kvstore
    else:
        raise TypeError(f"[kvstore] got {type(kvstore).__name__}; expected a KVStore, a name or None")
    return store, update and store.is_capable(KVStoreBase.OPTIMIZER)


def gradient_scale(batch_size: int, store: Any) -> float:
    """Return 1 over the size of a batch, of all workers together where they wait for one another."""
    if store is not None and is_between_processes(store.type) and "_async" not in store.type:
        batch_size *= store.num_workers
    return 1.0 / max(1, batch_size)


def make_optimizer(
    who: str,
    optimizer: Any,
    options: Mapping[str, Any],
    symbol: Any,
    param_names: Sequence[str],
    num_device: int,
    on_store: bool,
) -> opt.Optimizer:
    """Return an optimiser that knows the parameters' names: one given by name is made with ``options``."""
    names: dict[Any, str] = {}
    for i, name in enumerate(param_names):
        # The store knows weights by name, the devices' updaters each replica by a number.
        keys = (i, name) if on_store else range(i * num_device, (i + 1) * num_device)
        names.update(dict.fromkeys(keys, name))
    if isinstance(optimizer, str):
        return opt.create(optimizer, sym=symbol, param_idx2name=names, **options)
    if not isinstance(optimizer, opt.Optimizer):
        raise TypeError(f"[{who}] optimizer is {type(optimizer).__name__}; expected a name or an Optimizer")
    if not optimizer.idx2name:
        optimizer.idx2name = names
    return optimizer


def make_updater(
    optimizer: opt.Optimizer, store: Any, on_store: bool, group: Any, arg_params: Mapping[str, NDArray]
) -> Optional[opt.Updater]:
    """Put the parameters into the store, if there is one; return what updates weights outside it, if any."""
    if store is not None:
        if on_store:
            store.set_optimizer(optimizer)
        initialize_kvstore(store, group.param_arrays, arg_params, group.param_names, on_store)
    return None if on_store else opt.get_updater(optimizer)


def update_params(group: Any, updater: Optional[opt.Updater], store: Any) -> None:
    """Change the parameters of a group of executors by its gradients.

    Without an updater the store does it. With one, the store, if there is any, sums the gradients.
    """
    if updater is None:
        update_on_store(group.param_arrays, group.grad_arrays, store, group.param_names)
    elif store is None and len(group.contexts) == 1:
        if group.updates[0]:
            updater(*group.updates)
    else:
        update_on_devices(
            group.param_arrays, group.grad_arrays, updater, len(group.contexts), store, group.param_names
        )


def initialize_kvstore(
    store: Any,
    param_arrays: PerDevice,
    arg_params: Mapping[str, NDArray],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Put the parameters into the store, and to the devices if the store updates them."""
    for name, arrays in zip(param_names, param_arrays):
        if update_on_kvstore and arrays[0].stype == "default":
            store.broadcast(name, arg_params[name], out=list(arrays))
        else:
            store.init(name, arg_params[name])


def update_on_store(params: PerDevice, grads: PerDevice, store: Any, names: Sequence[str]) -> None:
    """Push gradients and pull the weights that the store made of them.

    Stores of this machine take all in one call; others get the first layers' with priority.
    """
    asked = [i for i, gradients in enumerate(grads) if gradients[0] is not None]
    # Of row_sparse weights Module.prepare gets the rows that a batch needs.
    wanted = [i for i in asked if params[i][0].stype == "default"]
    for i in asked:
        if i not in wanted:
            store.push(names[i], list(grads[i]), priority=-i)
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
    store: Any,
    names: Sequence[str],
) -> None:
    """Sum gradients through the store, if there is one, and update the weights of each device."""
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
