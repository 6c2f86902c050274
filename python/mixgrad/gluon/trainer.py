"""The optimiser of a block's parameters, on one device or several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np

from .. import optimizer as opt
from .._files import PathLike, read_file, write_file
from .._training.update import choose_kvstore, is_between_processes
from ..autograd import no_grad
from ..base import RefusedTypeError, RefusedValueError
from ..context import Context
from ..kvstore import KVStore, KVStoreBase
from ..kvstore import create as create_kvstore
from ..ndarray import NDArray
from ..optimizer.state_file import check_start
from .parameter import Parameter, ParameterDict
from .parameter.parameter import generation

__all__ = ["Trainer"]


class _Updates:
    """What one step updates: parameters by number, with gradients and arrays of each device."""

    def __init__(self, params: Sequence[Parameter], num_device: int) -> None:
        self.generation = generation.number
        self.indices = [i for i, one in enumerate(params) if one.grad_req != "null"]
        arrays = [params[i]._check_and_get(params[i]._data, list) for i in self.indices]
        gradients = [params[i].list_grad() for i in self.indices]
        # Tuples, since optimisers keep what belongs to the same ones.
        self.weights = [tuple(one[k] for one in arrays) for k in range(num_device)]
        self.grads = [tuple(one[k] for one in gradients) for k in range(num_device)]


class Trainer:
    """Updates parameters by their gradients.

    Parameters
    ----------
    params : ParameterDict, dict or list of Parameter
        What is updated, such as ``net.collect_params()``.
    optimizer : str or Optimizer
        The rule.
    optimizer_params : dict, optional
        Options of an optimiser that is given by name.
    kvstore : str or KVStore, optional
        What sums gradients over devices; one device needs none. None: each device goes its own way.
    compression_params : dict, optional
        How the store compresses gradients, see ``KVStore.set_gradient_compression``.
    update_on_kvstore : bool, optional
        Whether the store updates the parameters, instead of each device; by default as the store does best.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.gluon.nn.Dense(1, use_bias=False, in_units=2)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    >>> with mx.autograd.record():
    ...     loss = net(mx.nd.array([[1, 2]]))
    >>> loss.backward()
    >>> trainer.step(batch_size=1)
    >>> net.weight.data().asnumpy()
    array([[0.9, 0.8]], dtype=float32)
    """

    def __init__(
        self,
        params: Union[ParameterDict, Mapping[str, Parameter], Sequence[Parameter]],
        optimizer: Union[str, opt.Optimizer],
        optimizer_params: Optional[Mapping[str, Any]] = None,
        kvstore: Union[str, KVStoreBase, None] = "device",
        compression_params: Optional[Mapping[str, Any]] = None,
        update_on_kvstore: Optional[bool] = None,
    ) -> None:
        if isinstance(params, (ParameterDict, Mapping)):
            params = [params[name] for name in sorted(params.keys())]
        if not isinstance(params, (list, tuple)):
            raise ValueError(
                f"[Trainer] params is {type(params).__name__}; expected a ParameterDict, or a dict or list "
                "of Parameter"
            )
        self._params: list[Parameter] = []
        self._param2idx: dict[str, int] = {}
        self._contains_sparse_weight = self._contains_sparse_grad = False
        for i, one in enumerate(params):
            if not isinstance(one, Parameter):
                raise ValueError(f"[Trainer] params has {type(one).__name__}; expected Parameter")
            self._param2idx[one.name] = i
            self._params.append(one)
            self._contains_sparse_weight |= one.stype != "default"
            self._contains_sparse_grad |= one.grad_stype != "default"
        self._compression_params = compression_params
        if optimizer_params is not None and not isinstance(optimizer_params, Mapping):
            raise TypeError(
                f"[Trainer] optimizer_params is {type(optimizer_params).__name__}; expected a dict of options"
            )
        options = dict(optimizer_params or {})
        self._scale = float(options.get("rescale_grad", 1.0))
        self._contexts = self._check_contexts()
        self._init_optimizer(optimizer, options)
        self._kvstore_params = {"kvstore": kvstore, "update_on_kvstore": update_on_kvstore}
        self._kvstore: Any = None
        self._updates: Optional[_Updates] = None
        self._reset_kvstore()
        for one in self._params:  # last: parameters of a trainer that was refused have none
            one._set_trainer(self)

    def _check_contexts(self) -> list[Context]:
        """The devices, which all parameters share."""
        contexts: Optional[list[Context]] = None
        for one in self._params:
            found = one.list_ctx()
            if contexts is not None and found != contexts:
                raise RefusedValueError(
                    f"[Trainer] {one.name!r} is on {found}, the parameters before it are on {contexts}; "
                    "expected the same devices for all"
                )
            contexts = found
        return contexts or []

    def _init_optimizer(self, optimizer: Union[str, opt.Optimizer], options: dict[str, Any]) -> None:
        by_index = dict(enumerate(self._params))
        if isinstance(optimizer, opt.Optimizer):
            if options:
                raise RefusedValueError(
                    f"[Trainer] optimizer_params is {options!r} beside an Optimizer; expected None, since "
                    "they make an optimiser of a name"
                )
            self._optimizer = optimizer
            optimizer.param_dict = by_index
        else:
            self._optimizer = opt.create(optimizer, param_dict=by_index, **options)
        self._updaters = [opt.get_updater(self._optimizer) for _ in self._contexts]

    # The store.

    def _reset_kvstore(self) -> None:
        """Make the store anew at the next step, with the values that parameters have then."""
        if self._kvstore and is_between_processes(self._kvstore.type):
            raise RuntimeError("[Trainer] values of a store between machines cannot be set anew")
        self._kv_initialized = False
        self._kvstore = None
        self._distributed: Optional[bool] = None
        self._update_on_kvstore: Optional[bool] = None
        self._params_to_init: list[Parameter] = list(self._params)

    def _init_kvstore(self) -> None:
        wanted: Any = self._kvstore_params["update_on_kvstore"]
        store, on_store = self._choose_store()
        self._distributed = bool(store) and is_between_processes(store.type)
        if self._contains_sparse_weight:
            if wanted is False:
                raise ValueError(
                    "[Trainer] update_on_kvstore is False, but parameters of sparse storage are updated in "
                    "the store"
                )
        else:
            if self._contains_sparse_grad:
                on_store = bool(self._distributed)
            must = self._distributed and (self._contains_sparse_grad or "async" in store.type)
            if must and wanted is False:
                raise ValueError(
                    "[Trainer] update_on_kvstore is False, but sparse gradients, and stores that do not wait "
                    "for all workers, need updates in the store"
                )
            if must:
                on_store = True
            if wanted is not None:
                on_store = bool(wanted)
        if store:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if on_store:
                if not store.is_capable(KVStoreBase.OPTIMIZER):
                    raise ValueError(
                        f"[Trainer] update_on_kvstore is True, but a {type(store).__name__} updates no "
                        "weights"
                    )
                store.set_optimizer(self._optimizer)
            self._kvstore, self._update_on_kvstore = store, on_store
        else:
            self._kvstore, self._update_on_kvstore = None, None
        self._kv_initialized = True

    def _choose_store(self) -> tuple[Any, bool]:
        store = self._kvstore_params["kvstore"]
        if not self._contains_sparse_weight:
            first = self._contexts[0] if self._contexts else None
            arrays = {one.name: one.data(first) for one in self._params if one._data is not None}
            return choose_kvstore(store, len(self._contexts), arrays)
        if isinstance(store, str):
            store = create_kvstore(store)
        if not isinstance(store, KVStoreBase):
            raise RefusedTypeError(
                f"[Trainer] kvstore is {store!r:.60}; parameters of sparse storage need a store, or its name"
            )
        return store, True

    def _init_params(self) -> None:
        """Put parameters into the store; those that wait for their shapes later."""
        waiting: list[Parameter] = []
        for one in self._params_to_init if self._kvstore else ():
            if one._deferred_init:
                waiting.append(one)
                continue
            arrays, index = one._check_and_get(one._data, list), self._param2idx[one.name]
            if one.stype != "default":
                self._kvstore.init(index, arrays[0])
            else:
                self._kvstore.broadcast(index, arrays[0], arrays)
        self._params_to_init = waiting

    def _prepare(self) -> None:
        if not self._kv_initialized:
            self._init_kvstore()
        if self._params_to_init:
            self._init_params()

    def _row_sparse_pull(
        self, parameter: Parameter, out: Any, row_id: NDArray, full_idx: bool = False
    ) -> None:
        """Rows of a sparse parameter, out of the store."""
        self._prepare()
        index = self._param2idx[parameter.name]
        if full_idx and not self._distributed:
            self._kvstore.pull(index, out=out, priority=-index, ignore_sparse=False)
        else:
            self._kvstore.row_sparse_pull(index, out=out, row_ids=row_id, priority=-index)

    # Rates.

    @property
    def optimizer(self) -> opt.Optimizer:
        """The rule."""
        return self._optimizer

    @property
    def learning_rate(self) -> float:
        """The rate of the next step, before multipliers of single parameters."""
        return self._optimizer.learning_rate

    def set_learning_rate(self, lr: float) -> None:
        """Set the rate; with a scheduler, which owns it, this raises ``UserWarning``."""
        self._optimizer.set_learning_rate(lr)

    def _check_and_rescale_grad(self, scale: float) -> None:
        fixed = self._update_on_kvstore and self._distributed and self._kv_initialized
        if fixed and self._optimizer.rescale_grad != scale:
            raise UserWarning(
                "[Trainer] the batch size changed, but a store between machines goes on with the one of the "
                "first step"
            )
        self._optimizer.rescale_grad = scale

    # Steps.

    def _scale_of(self, batch_size: Any, who: str) -> float:
        if not isinstance(batch_size, (int, float, np.number)):
            raise TypeError(f"[Trainer.{who}] batch_size is {batch_size!r:.60}; expected a number")
        if not batch_size > 0:
            raise RefusedValueError(f"[Trainer.{who}] batch_size is {batch_size}; expected more than 0")
        return self._scale / float(batch_size)

    def step(self, batch_size: int, ignore_stale_grad: bool = False) -> None:
        """Sum gradients over devices and update parameters; called after ``backward``.

        Parameters
        ----------
        batch_size : int
            What gradients are divided by: the samples of this step.
        ignore_stale_grad : bool
            Whether parameters whose gradients no backward pass wrote since the last step stay as they are,
            instead of a ``UserWarning``.
        """
        scale = self._scale_of(batch_size, "step")
        self._check_and_rescale_grad(scale)
        self._prepare()
        with no_grad():  # a program that uses mx.nn, too, records all the time
            self._allreduce_grads()
            self._update(ignore_stale_grad)

    def allreduce_grads(self) -> None:
        """Sum gradients over devices, so that they can be changed before :meth:`update`.

        Raises
        ------
        AssertionError
            The store updates the parameters: ``update_on_kvstore=False`` when the trainer is made.
        """
        self._prepare()
        self._need_own_updates("allreduce_grads")
        with no_grad():
            self._allreduce_grads()

    def update(self, batch_size: int, ignore_stale_grad: bool = False) -> None:
        """Update parameters by gradients that :meth:`allreduce_grads` summed.

        Parameters
        ----------
        batch_size : int
            What gradients are divided by.
        ignore_stale_grad : bool
            As for :meth:`step`.
        """
        scale = self._scale_of(batch_size, "update")
        self._prepare()
        self._need_own_updates("update")
        self._check_and_rescale_grad(scale)
        with no_grad():
            self._update(ignore_stale_grad)

    def _need_own_updates(self, who: str) -> None:
        if self._kvstore and self._update_on_kvstore:
            raise RefusedValueError(
                f"[Trainer.{who}] the store updates the parameters; expected a trainer that was made with "
                "update_on_kvstore=False"
            )

    def _allreduce_grads(self) -> None:
        store, on_store = self._kvstore, self._update_on_kvstore
        if store is None:
            return
        together: tuple[list[int], list[Any], list[Any]] = ([], [], [])
        for i, one in enumerate(self._params):
            if one.grad_req == "null":
                continue
            gradients = one.list_grad()
            if gradients[0].stype != "default":
                store.push(i, gradients, priority=-i)
                if one.stype == "default":
                    outs = one.list_data() if on_store else gradients
                    store.pull(i, outs, priority=-i, ignore_sparse=bool(self._distributed))
                continue
            outs = one._check_and_get(one._data, list) if on_store else gradients
            if type(store) is not KVStore:
                store.pushpull(i, gradients, out=outs, priority=-i)
                continue
            for part, value in zip(together, (i, gradients, outs)):
                part.append(value)
        if together[0]:
            store.pushpull(together[0], together[1], out=together[2])

    def _update(self, ignore_stale_grad: bool = False) -> None:
        scaler = getattr(self, "_amp_loss_scaler", None)
        if scaler is not None and scaler.has_overflow(self._params):
            return
        updates = self._updates
        if updates is None or updates.generation != generation.number:
            updates = self._updates = _Updates(self._params, len(self._contexts))
        if not ignore_stale_grad:
            self._check_fresh(updates)
        if self._kvstore and self._update_on_kvstore:
            return
        several = len(self._updaters) > 1
        for k, updater in enumerate(self._updaters):
            indices, grads, weights = updates.indices, updates.grads[k], updates.weights[k]
            if ignore_stale_grad and not all(one._fresh_grad for one in weights):
                fresh = [place for place, one in enumerate(weights) if one._fresh_grad]
                indices = [indices[place] for place in fresh]
                grads = tuple(grads[place] for place in fresh)
                weights = tuple(weights[place] for place in fresh)
            if not indices:
                continue
            if several:
                self._optimizer._set_current_context(k)
            updater(indices, grads, weights)
            for one in weights:
                one._fresh_grad = False

    def _check_fresh(self, updates: _Updates) -> None:
        for weights in updates.weights:
            for place, one in enumerate(weights):
                if not one._fresh_grad:
                    name = self._params[updates.indices[place]].name
                    raise UserWarning(
                        f"[Trainer] the gradient of {name!r} on {one.context} has not been updated by "
                        "backward since the last step; step(ignore_stale_grad=True) leaves such parameters "
                        "as they are"
                    )

    # States.

    def save_states(self, fname: PathLike) -> None:
        """Write the states of the optimiser, such as momentum, and its settings to a file.

        Parameters
        ----------
        fname : str
            The file, which appears complete or not at all.
        """
        self._prepare()
        if not self._update_on_kvstore:
            write_file(fname, self._updaters[0].get_states(dump_optimizer=True), "Trainer.save_states")
            return
        if self._params_to_init:
            raise RefusedValueError(
                "[Trainer.save_states] some parameters still wait for their shapes, so the store has no "
                "states of them"
            )
        self._kvstore.save_optimizer_states(fname, dump_optimizer=True)

    def load_states(self, fname: PathLike) -> None:
        """Read what :meth:`save_states` or MXNet wrote; reading it runs no code.

        Parameters
        ----------
        fname : str
            The file.
        """
        self._prepare()
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
            self._optimizer = self._kvstore._updater.optimizer
        else:
            states = read_file(fname, "Trainer.load_states", check_start)
            for updater in self._updaters:
                updater.set_states(states)
                updater.optimizer = self._updaters[0].optimizer
            self._optimizer = self._updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))
