"""A module that runs one graph on one or several devices."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from operator import is_
from typing import Any, Optional, Union

from .. import _words
from .. import ndarray as nd
from .._files import read_file, write_file
from .._hints import refuse_arguments
from .._progress import warn
from .._repr import option_names
from .._training.checkpoint import checkpoint_files, load_checkpoint, write_checkpoint
from .._training.params import fill_params, need_shapes
from .._training.update import (
    choose_kvstore,
    gradient_scale,
    is_between_processes,
    make_optimizer,
    make_updater,
    update_params,
)
from ..base import InvalidArgumentError, RefusedValueError
from ..context import contexts_of, cpu
from ..initializer import Uniform
from ..io import DataDesc
from ..ndarray import NDArray
from ..optimizer.state_file import check_start
from .base_module import (
    DEFAULT_PARAMS,
    BaseModule,
    batch_descriptions,
    check_input_names,
    parse_data_desc,
)
from .executor_group import DataParallelExecutorGroup, is_parted
from .memory_plan import WorkerMemory, plan_workers

__all__ = ["Module"]


class Module(BaseModule):
    """A graph with its parameters, on one or several devices.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    data_names, label_names : list of str
        Arguments that batches bring.
    logger : Logger
        Where ``fit`` reports.
    context : Context or list of Context
        Devices; several share each batch.
    work_load_list : list of float, optional
        Shares of the batch, equal by default.
    fixed_param_names : list of str, optional
        Parameters that keep their values.
    state_names : list of str, optional
        Arguments that neither batches nor parameters give, see :meth:`set_states`.
    group2ctxs : dict or list, optional
        Devices of node groups (``ctx_group``), for a graph that spreads over several: a dict from groups to
        a Context, or to a list with one per entry of ``context``; or a list of dicts. Text such as
        ``'worker:1/cpu(0)'`` stands for the device of a worker, see docs/distributed.md.
    compression_params : dict, optional
        How the store compresses gradients, see ``KVStore.set_gradient_compression``.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> x = mx.sym.Variable("data")
    >>> net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=2, name="fc"), name="softmax")
    >>> points = np.random.RandomState(0).randn(200, 2)
    >>> data = mx.io.NDArrayIter(points, points[:, 0] > 0, batch_size=20)
    >>> mod = mx.mod.Module(net)
    >>> mod.fit(data, num_epoch=5, optimizer_params={"learning_rate": 1.0})
    >>> mod.score(data, "acc")[0][1] > 0.95
    True
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Union[str, Sequence[str], None] = ("data",),
        label_names: Union[str, Sequence[str], None] = ("softmax_label",),
        logger: Any = logging,
        context: Any = None,
        work_load_list: Optional[Sequence[float]] = None,
        fixed_param_names: Optional[Sequence[str]] = None,
        state_names: Optional[Sequence[str]] = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            refuse_arguments("Module", unknown, option_names(Module, Module), _words.MODULE)
        super().__init__(logger=logger)
        self._symbol = symbol
        self._context = contexts_of(context, "Module")
        self._work_load_list = list(work_load_list or [1] * len(self._context))
        if len(self._work_load_list) != len(self._context):
            raise ValueError(
                f"[Module] work_load_list {self._work_load_list}; expected {len(self._context)} entries"
            )
        if not all(
            isinstance(load, Real) and 0 <= load < math.inf for load in self._work_load_list
        ) or not any(self._work_load_list):
            raise ValueError(
                f"[Module] work_load_list {self._work_load_list}; expected numbers of at least 0, not all 0"
            )
        self._group2ctxs = group2ctxs
        self._compression_params = compression_params
        self._data_names, self._label_names, self._state_names, self._fixed_param_names = (
            [names] if isinstance(names, str) else list(names or [])
            for names in (data_names, label_names, state_names, fixed_param_names)
        )
        check_input_names(symbol, self._data_names, "data", True)
        check_input_names(symbol, self._label_names, "label", False)
        check_input_names(symbol, self._state_names, "state", True)
        check_input_names(symbol, self._fixed_param_names, "fixed_param", True)
        inputs = {*self._data_names, *self._label_names, *self._state_names}
        self._param_names: list[str] = [n for n in symbol.list_arguments() if n not in inputs]
        self._aux_names: list[str] = symbol.list_auxiliary_states()
        self._output_names: list[str] = symbol.list_outputs()
        # Copies on the host; devices are ahead of them while _params_dirty.
        self._arg_params: Any = None
        self._aux_params: Any = None
        self._params_dirty = False
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._update_on_kvstore = False
        self._updater: Any = None
        self._preload_opt_states: Optional[str] = None
        # Whether backward takes the optimiser's steps; what it was told of them, see _steps_now, and their
        # rates; whether update is still to come.
        self._in_graph = False
        self._steps: Optional[tuple[Any, ...]] = None
        self._rates: Optional[tuple[list[float], list[float]]] = None
        self._stepped = False
        self._exec_group: Any = None
        self._data_shapes: list[DataDesc] = []
        self._label_shapes: Optional[list[DataDesc]] = None
        self._last_labels: Optional[list[DataDesc]] = None  # of the last batch that had labels

    # Files.

    @staticmethod
    def load(prefix: str, epoch: int, load_optimizer_states: bool = False, **kwargs: Any) -> Module:
        """Make a module from a checkpoint; ``kwargs`` go to the constructor.

        Parameters
        ----------
        prefix : str
            Start of the file names.
        epoch : int
            Number of the checkpoint.
        load_optimizer_states : bool
            Whether the optimiser goes on with its states; they are read by :meth:`init_optimizer`.
        """
        symbol, arg_params, aux_params = load_checkpoint(prefix, epoch)
        module = Module(symbol, **kwargs)
        module._arg_params, module._aux_params = arg_params, aux_params
        module.params_initialized = True
        if load_optimizer_states:
            module._preload_opt_states = checkpoint_files(prefix, epoch).states
        return module

    def save_checkpoint(
        self, prefix: str, epoch: int, save_optimizer_states: bool = False, remove_amp_cast: bool = True
    ) -> None:
        """Write the graph, the optimiser's states if wanted, and the parameters.

        The files appear when all are on the disk, the parameters last: where they are, the checkpoint is
        whole. When something fails, such as a full disk, all old files stay.
        """
        states = self.save_optimizer_states if save_optimizer_states else None
        write_checkpoint(prefix, epoch, self._symbol, self.save_params, states, remove_amp_cast)

    def save_optimizer_states(self, fname: str) -> None:
        """Write the states of the optimiser to a file, in one step."""
        self._need("save_optimizer_states", optimizer=True)
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
        else:
            write_file(fname, self._updater.get_states(), "save_optimizer_states")

    def load_optimizer_states(self, fname: str) -> None:
        """Read states that :meth:`save_optimizer_states` or MXNet wrote."""
        self._need("load_optimizer_states", optimizer=True)
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
        else:
            arrays = [array for replicas in self._exec_group.param_arrays for array in replicas]
            self._updater.set_states(
                read_file(fname, "load_optimizer_states", check_start),
                lambda index: arrays[index] if isinstance(index, int) and 0 <= index < len(arrays) else None,
            )

    # Descriptions.

    @property
    def data_names(self) -> list[str]:
        """Names of the data."""
        return self._data_names

    @property
    def label_names(self) -> list[str]:
        """Names of the labels."""
        return self._label_names

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs."""
        return self._output_names

    @property
    def data_shapes(self) -> list[DataDesc]:
        """Names and shapes of the data."""
        self._need("data_shapes", params=False)
        return self._data_shapes

    @property
    def label_shapes(self) -> Optional[list[DataDesc]]:
        """Names and shapes of the labels, or None."""
        self._need("label_shapes", params=False)
        return self._label_shapes

    @property
    def output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Names and shapes of the outputs."""
        self._need("output_shapes", params=False)
        shapes: list[tuple[str, tuple[int, ...]]] = self._exec_group.get_output_shapes()
        return shapes

    # Memory.

    def _reset_bind(self) -> None:
        self.binded = False
        self._exec_group = None
        self._data_shapes, self._label_shapes = [], None

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Optional[Module] = None,
        grad_req: Any = "write",
    ) -> None:
        """Take shapes and memory; parameters that have values keep them.

        Parameters
        ----------
        data_shapes, label_shapes : list of DataDesc, or of pairs of name and shape
            Inputs, as iterators describe them.
        for_training : bool
            Whether gradients are computed.
        inputs_need_grad : bool
            Whether also for the data.
        force_rebind : bool
            Bind again if it is bound already.
        shared_module : Module, optional
            A bound module whose parameters and memory this one shares.
        grad_req : str, list or dict
            'write', 'add' or 'null': for all parameters, per argument, or by name.
        """
        if force_rebind:
            if self.binded and self.params_initialized and self._params_dirty:
                self._sync_params_from_devices()
            self._reset_bind()
        if self.binded:
            warn(self.logger, "Already bound, ignoring bind()")
            return
        if inputs_need_grad and not for_training:
            raise ValueError("[Module.bind] inputs_need_grad=True needs for_training=True")
        shared_group = None
        if shared_module is not None:
            shared_module._need("bind")
            shared_group = shared_module._exec_group
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._data_shapes, self._label_shapes = parse_data_desc(
            self._data_names, self._label_names, data_shapes, label_shapes, for_training
        )
        self._last_labels = self._label_shapes
        self._exec_group = DataParallelExecutorGroup(
            self._symbol,
            self._context,
            self._work_load_list,
            self._data_shapes,
            self._label_shapes,
            self._param_names,
            for_training,
            inputs_need_grad,
            shared_group,
            logger=self.logger,
            fixed_param_names=self._fixed_param_names,
            grad_req=grad_req,
            state_names=self._state_names,
            group2ctxs=self._group2ctxs,
        )
        self._exec_group.advice = "; bind or fit with force_rebind=True takes inputs of another kind"
        self.binded = True
        if shared_module is not None:
            self.params_initialized = True
            self._arg_params, self._aux_params = shared_module._arg_params, shared_module._aux_params
            if shared_module.optimizer_initialized:
                self.borrow_optimizer(shared_module)
        elif self.params_initialized:
            try:
                self._exec_group.need_shapes("Module.bind", self._arg_params, self._aux_params)
                self._exec_group.set_params(self._arg_params, self._aux_params)
            except BaseException:
                self._reset_bind()  # it would run with zeros
                raise
        else:
            group = self._exec_group
            self._arg_params = _host_copies(self._param_names, group.param_arrays)
            self._aux_params = _host_copies(self._aux_names, group.aux_arrays)

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Go on with batches of other shapes."""
        self._need("reshape", params=False)
        data, label = parse_data_desc(self._data_names, self._label_names, data_shapes, label_shapes)
        self._exec_group.reshape(data, label)
        self._data_shapes, self._label_shapes = data, label  # shapes that are refused change nothing
        self._last_labels = label or self._last_labels

    # Parameters.

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return ``(arg_params, aux_params)``, on the host."""
        if not self.params_initialized:
            raise RefusedValueError("[Module.get_params] call init_params first")
        if self._params_dirty:
            self._sync_params_from_devices()
        return self._arg_params, self._aux_params

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give parameters their values.

        Parameters
        ----------
        initializer : Initializer
            Makes values, in order of name.
        arg_params, aux_params : dict of str to NDArray, optional
            Values that are copied instead.
        allow_missing : bool
            Whether parameters that the dicts lack are made by the initialiser; otherwise they are an error.
        force_init : bool
            Whether parameters that have values get new ones.
        allow_extra : bool
            Accepted for old scripts: arrays that the graph does not have are left out.
        """
        if self.params_initialized and not force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. init_params call ignored.", stacklevel=2
            )
            return
        self._need("init_params", params=False)
        if initializer is not None and not callable(initializer):
            kind = type(initializer).__name__
            raise TypeError(f"[Module.init_params] initializer is {kind}; expected an Initializer or None")
        for what, given in (("arg_params", arg_params), ("aux_params", aux_params)):
            if given is not None and not isinstance(given, Mapping):
                raise TypeError(f"[Module.init_params] {what} is {type(given).__name__}; expected a dict")
        shapes = {name: value.shape for name, value in self._aux_params.items()}
        need_shapes("Module.init_params", aux_params or {}, shapes)  # before arguments are copied
        attributes = self._symbol.attr_dict()
        for own, given in ((self._arg_params, arg_params), (self._aux_params, aux_params)):
            fill_params(
                sorted(own.items()), given, initializer, attributes, "Module.init_params", not allow_missing
            )
        self.params_initialized = True
        # Of a graph over workers each takes its own, which others may have made differently.
        self._params_dirty = self._exec_group.is_over_workers
        self._exec_group.set_params(self._arg_params, self._aux_params)

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Replace parameters by those handed over; with ``allow_missing`` the others keep their values.

        ``allow_extra`` leaves out arrays that the graph does not have, instead of refusing them.
        """
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. set_params call ignored.", stacklevel=2
            )
            return
        self._need("set_params", params=False)
        self._exec_group.need_shapes("Module.set_params", arg_params or {}, aux_params or {})
        self._exec_group.set_params(arg_params or {}, aux_params or {}, allow_extra=allow_extra)
        self._params_dirty = True
        self.params_initialized = True

    def _sync_params_from_devices(self) -> None:
        if self._update_on_kvstore:  # devices have only the rows that they asked for
            for name, replicas in zip(self._exec_group.param_names, self._exec_group.param_arrays):
                if replicas[0].stype == "row_sparse":
                    every = nd.arange(replicas[0].shape[0], dtype="int64")
                    self._kvstore.row_sparse_pull(name, out=list(replicas), row_ids=every)
        self._exec_group.get_params(self._arg_params, self._aux_params)
        self._params_dirty = False

    # The optimiser.

    def plan_memory(
        self,
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        kvstore: Optional[str] = None,
        num_workers: int = 1,
    ) -> list[WorkerMemory]:
        """Bytes that training will take on each worker, for a module that is bound.

        Nothing is started: it says beforehand whether a network, its optimiser's states and the copies of a
        store fit. The states of one parameter at a time are made to measure them. Memory of the host that a
        store shares with other processes for messages (up to 256 MiB) is not in it.

        Parameters
        ----------
        optimizer : str or Optimizer
            The rule.
        optimizer_params : dict, or pairs of names and values
            Its options, for one given by name.
        kvstore : {None, 'collective', 'collective_sharded'}
            None: every worker updates by itself. 'collective': every worker has all states.
            'collective_sharded': each has those of the parameters that it owns.
        num_workers : int
            How many workers the store has.

        Returns
        -------
        list of WorkerMemory
            By rank: ``parameters``, ``gradients``, ``working``, ``states``, ``store``, ``copies``, ``total``.

        Examples
        --------
        >>> import mixgrad as mx
        >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1000, name="fc1")
        >>> net = mx.sym.FullyConnected(net, num_hidden=1000, name="fc2")
        >>> mod = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
        >>> mod.bind([("data", (8, 1000))], [("softmax_label", (8,))])
        >>> [plan.states for plan in mod.plan_memory("adam", kvstore="collective", num_workers=2)]
        [16016000, 16016000]
        >>> [plan.states for plan in mod.plan_memory("adam", kvstore="collective_sharded", num_workers=2)]
        [8008000, 8008000]
        """
        self._need("plan_memory", params=False)
        if kvstore not in (None, "collective", "collective_sharded"):
            raise ValueError(
                f"[plan_memory] kvstore is {kvstore!r:.60}; expected None, 'collective' or "
                "'collective_sharded', whose values and states the workers have themselves"
            )
        if not isinstance(num_workers, int) or num_workers < 1:
            raise ValueError(f"[plan_memory] num_workers is {num_workers!r:.60}; expected 1 or more")
        given = _options(optimizer_params) if isinstance(optimizer, str) else {}
        names, devices = self._param_names, len(self._context)
        rule = make_optimizer("plan_memory", optimizer, given, self.symbol, names, devices, bool(kvstore))
        group = self._exec_group
        params = [
            (name, self._arg_params[name], gradients[0] is not None)
            for name, gradients in zip(group.param_names, group.grad_arrays)
        ]
        copies = [*self._arg_params.values(), *self._aux_params.values()]
        return plan_workers(group.execs, params, copies, rule, kvstore, num_workers)

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
        update_in_graph: bool = False,
    ) -> None:
        """Install the rule that changes parameters.

        Parameters
        ----------
        kvstore : str, KVStore or None
            How devices share gradients; one device needs none.
        optimizer : str or Optimizer
            The rule; from a name it is made with ``rescale_grad`` 1 over the batch size.
        optimizer_params : dict, or pairs of names and values
            Its options.
        force_init : bool
            Replace a rule that is installed.
        update_in_graph : bool
            Whether :meth:`backward` changes each parameter as soon as its gradient is there, and keeps no
            gradients, which saves their memory; :meth:`update` then only ends the step. For one device and
            optimisers whose step is one operator: SGD, NAG, Signum, Adam, RMSProp, Ftrl.
        """
        self._need("init_optimizer")
        if self.optimizer_initialized and not force_init:
            if update_in_graph and not self._in_graph:
                raise ValueError(
                    "[init_optimizer] update_in_graph=True, but there is an optimizer that updates outside "
                    "the graph; expected force_init=True"
                )
            warn(self.logger, "optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        devices = len(self._context)
        kind = kvstore if isinstance(kvstore, str) else getattr(kvstore, "type", "")
        if self._exec_group.is_over_workers and (is_between_processes(kind) or update_in_graph):
            given = "update_in_graph=True" if update_in_graph else f"kvstore is {kind!r}"
            raise ValueError(
                f"[init_optimizer] {given}, and group2ctxs names workers, each of which updates the "
                "parameters that it has; expected kvstore=None, and updates outside the graph"
            )
        store, update_on_kvstore = choose_kvstore(kvstore, devices, self._arg_params)
        rescale = gradient_scale(self._exec_group.batch_size, store)
        if update_in_graph and (store is not None or devices > 1):
            raise ValueError(
                f"[init_optimizer] update_in_graph=True with {self._context} and kvstore {kvstore!r}; "
                "expected one device and no store, which would have to see the gradients first"
            )
        given = optimizer_params if isinstance(optimizer, str) else {}
        options = {"rescale_grad": rescale, **_options(given)}
        made = make_optimizer(
            "init_optimizer", optimizer, options, self.symbol, self._param_names, devices, update_on_kvstore
        )
        if made is optimizer and made.rescale_grad != rescale:
            warnings.warn(
                f"[init_optimizer] rescale_grad={made.rescale_grad}, and 1 over the batch size is "
                f"{rescale}. Is this intended?",
                stacklevel=2,
            )
        if update_in_graph:
            made.check_graph_steps(*self._exec_group.updatable)
        if store is not None and self._compression_params:
            store.set_gradient_compression(self._compression_params)  # type: ignore[attr-defined]
        self._optimizer = made
        self._kvstore = store
        self._update_on_kvstore = update_on_kvstore
        self._updater = make_updater(made, store, update_on_kvstore, self._exec_group, self._arg_params)
        self._in_graph, self._stepped, self._steps = update_in_graph, False, None
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            try:
                self.load_optimizer_states(self._preload_opt_states)
            except BaseException:
                self.optimizer_initialized = False  # it would train on without them
                raise
            self._preload_opt_states = None

    def _prepare_updates(self, forward_ran: bool = False) -> None:
        """Have the graph that runs next take the optimiser's steps as they are now.

        States are made here, not when the optimiser is installed: parameters may still be set in between.
        """
        group, updater = self._exec_group, self._updater
        places, weights = group.updatable
        if not places:
            return
        known, now = self._steps, self._steps_now(places, weights)
        if known and known[0] is now[0] and known[1] == now[1] and all(map(is_, known[2], now[2])):
            return
        if forward_ran and known and known[0] is now[0] and now[1] and known[1][0] != now[1][0]:
            raise InvalidArgumentError(
                f"[backward] the optimizer's operator became {now[1][0]} after forward, which was to use "
                f"{known[1][0]}; expected such a change before forward, or update_in_graph=False"
            )
        self._steps, self._rates = None, None
        group.set_updates(updater)
        self._steps = self._steps_now(places, weights)

    def _steps_now(self, places: Sequence[int], weights: Sequence[NDArray]) -> tuple[Any, ...]:
        """What the steps depend on: the executor, operator and options of the first, and all states."""
        updater = self._updater
        states = [updater.states.get(place, updater) for place in places]
        step = None if states[0] is updater else updater.optimizer.graph_step(weights[0], states[0])
        return self._exec_group.execs[0], (step[0], step[2]) if step else (), states

    def _step_in_graph(self, out_grads: Any) -> None:
        """Run the backward part with the rates of this step; one that is refused does not count."""
        group, optimizer = self._exec_group, self._optimizer
        group.check_backward()
        if not group.updated and group.updatable[0]:
            raise InvalidArgumentError(
                "[backward] there was no forward(is_train=True) since init_optimizer; expected one, which "
                "update_in_graph=True needs"
            )
        self._prepare_updates(forward_ran=True)
        before = optimizer.num_update
        rates = optimizer.graph_rates(group.updated)
        try:
            if rates != self._rates:
                group.execs[0].set_rates(*rates)
                self._rates = rates
            group.backward(out_grads=out_grads)
        except BaseException:
            optimizer.uncount(group.updated, before)
            raise
        self._params_dirty = self._stepped = True

    def borrow_optimizer(self, shared_module: Module) -> None:
        """Use the optimiser and the store of another module."""
        if not isinstance(shared_module, Module):
            raise TypeError(
                f"[borrow_optimizer] shared_module is {type(shared_module).__name__}; expected a Module"
            )
        shared_module._need("borrow_optimizer", optimizer=True)
        self._optimizer = shared_module._optimizer
        self._kvstore = shared_module._kvstore
        self._update_on_kvstore = shared_module._update_on_kvstore
        self._updater = shared_module._updater
        self.optimizer_initialized = True
        self._in_graph, self._stepped, self._steps = shared_module._in_graph, False, None

    # Running.

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Get what a batch needs before it is run: rows of row_sparse parameters that a store keeps.

        Parameters
        ----------
        data_batch : DataBatch
            The batch.
        sparse_row_id_fn : function, optional
            Gives, for a batch, the rows that it needs: a dict from names of parameters to arrays of
            row numbers.
        """
        self._need("prepare")
        if sparse_row_id_fn is None:
            return
        if self._kvstore is None or not self._update_on_kvstore:
            warnings.warn(
                "[Module.prepare] sparse_row_id_fn has no effect: parameters are not updated in a store",
                stacklevel=2,
            )
            return
        rows = sparse_row_id_fn(data_batch)
        if not isinstance(rows, Mapping):
            raise TypeError(
                f"[Module.prepare] sparse_row_id_fn gave {type(rows).__name__}; expected a dict from names "
                "of parameters to row numbers"
            )
        arrays = dict(zip(self._exec_group.param_names, self._exec_group.param_arrays))
        for name, row_ids in rows.items():
            if name not in arrays:
                raise InvalidArgumentError(
                    f"[Module.prepare] sparse_row_id_fn names {name!r}; expected one of {', '.join(arrays)}"
                )
            if arrays[name][0].stype == "row_sparse":
                self._kvstore.row_sparse_pull(name, out=list(arrays[name]), row_ids=row_ids)
            else:
                warnings.warn(
                    f"[Module.prepare] rows of {name!r}, which is {arrays[name][0].stype}, are there already",
                    stacklevel=2,
                )

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Compute the outputs of a batch, whose shapes may differ from those bound.

        Parameters
        ----------
        data_batch : DataBatch, or a list with one per device
            The batch.
        is_train : bool, optional
            By default, what the module was bound for.
        """
        self._need("forward")
        group = self._exec_group
        group.ran, group.unlabelled = False, []  # until this batch has run
        train = self.for_training if is_train is None else bool(is_train)
        if train and self._in_graph:
            self._prepare_updates()
        elif train and group.updated:  # of an optimizer that was there before
            group.set_updates(None)
        unlabelled = train and not group.label_names and self._last_labels
        if not unlabelled and group.forward_as_bound(data_batch, train):
            return
        if unlabelled or not group.fits(data_batch):
            self._reshape_for(data_batch, train)
            if train and self._in_graph:
                self._prepare_updates()
        group.forward(data_batch, train)

    def _reshape_for(self, data_batch: Any, train: bool) -> None:
        """Go on with the shapes of a batch, or of a list with one per device."""
        group, parted = self._exec_group, is_parted(data_batch)
        known = self._last_labels or []
        names = [desc.name for desc in known]
        lists = [group.lists_of(one, train, names) for one in (data_batch if parted else [data_batch])]
        if not lists:
            raise ValueError("[Module.forward] data_batch is an empty list; expected a batch per device")
        labelled = bool(known) and all(len(label) == len(known) for _, label in lists)
        shapes = [_joined_shape(parts) for parts in zip(*(data for data, _ in lists))]
        bound = [tuple(desc.shape) for desc in self._data_shapes]
        if shapes == bound and not (labelled and not group.label_names):
            return
        if parted:
            label = [_joined_shape(parts) for parts in zip(*(label for _, label in lists))]
            described = _resized(self._data_shapes, shapes), _resized(known, label) if labelled else None
        else:
            described = batch_descriptions(data_batch, self._data_shapes, known if labelled else None)
        self.reshape(*described)

    def backward(self, out_grads: Any = None) -> None:
        """Compute gradients; ``out_grads`` are those of outputs that are no losses."""
        self._need("backward")
        if self._in_graph:
            self._step_in_graph(out_grads)
        else:
            self._exec_group.backward(out_grads=out_grads)

    def update(self) -> None:
        """Change the parameters by the gradients of the last batch."""
        self._need("update", optimizer=True)
        if self._in_graph:
            if not self._stepped:
                raise InvalidArgumentError(
                    "[Module.update] there was no backward since the last update; with update_in_graph=True "
                    "it is backward that takes the step"
                )
            self._stepped = False
            return
        self._params_dirty = True
        update_params(self._exec_group, self._updater, self._kvstore)

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs: one array each, or a list with one per device."""
        self._need("get_outputs")
        return self._exec_group.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data: one array each, or a list with one per device."""
        self._need("get_input_grads")
        return self._exec_group.get_input_grads(merge_multi_context=merge_multi_context)

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states, one list per state with an array per device."""
        self._need("get_states")
        return self._exec_group.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states from arrays, nested as :meth:`get_states` gives them, or to one number."""
        self._need("set_states")
        self._exec_group.set_states(states, value)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch and its labels."""
        self._exec_group.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all devices."""
        self._need("install_monitor", params=False)
        if not hasattr(mon, "install"):
            raise TypeError(f"[install_monitor] mon is {type(mon).__name__}; expected a Monitor")
        self._exec_group.install_monitor(mon)


def _host_copies(names: Sequence[str], arrays: Sequence[Sequence[NDArray]]) -> dict[str, NDArray]:
    return {
        name: nd.zeros(replicas[0].shape, cpu(), dtype=replicas[0].dtype, stype=replicas[0].stype)
        for name, replicas in zip(names, arrays)
    }


def _resized(described: Sequence[DataDesc], shapes: Sequence[tuple[int, ...]]) -> list[DataDesc]:
    return [DataDesc(d.name, shape, d.dtype, d.layout) for d, shape in zip(described, shapes)]


def _joined_shape(parts: Sequence[NDArray]) -> tuple[int, ...]:
    """Shape of a batch that comes in equal parts."""
    shapes = {tuple(part.shape) for part in parts}
    if len(shapes) != 1:
        raise ValueError(f"[Module.forward] the batches of a list have shapes {sorted(shapes)}; expected one")
    shape = shapes.pop()
    return (shape[0] * len(parts), *shape[1:])


def _options(params: Any) -> dict[str, Any]:
    """Arguments of an optimiser, given as a dict or as pairs."""
    try:
        return dict(params)
    except (TypeError, ValueError):
        raise TypeError(
            f"[init_optimizer] optimizer_params is {params!r:.60}; expected a dict, or pairs of "
            "names and values"
        ) from None
