"""A module with a graph per kind of batch, such as per length of sequence, all with the same parameters."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Optional

import numpy as np

from .. import ndarray as nd
from .._files import together
from .._progress import warn
from .._training.checkpoint import checkpoint_files, load_params
from ..base import FileFormatError, InvalidArgumentError, RefusedValueError
from ..initializer import Uniform
from ..name import NameManager
from ..ndarray import NDArray
from .base_module import DEFAULT_PARAMS, BaseModule, check_input_names
from .module import Module

__all__ = ["BucketingModule"]


class BucketingModule(BaseModule):
    """Switches between graphs by the ``bucket_key`` of a batch.

    Parameters
    ----------
    sym_gen : function
        From a bucket key to ``(symbol, data_names, label_names)``.
    default_bucket_key : hashable
        The bucket that is bound first; best the largest, whose memory the others then use.
    logger, context, work_load_list, fixed_param_names, state_names, group2ctxs, compression_params
        See :class:`Module`.

    Examples
    --------
    >>> import mixgrad as mx
    >>> def graph(length):
    ...     x = mx.sym.mean(mx.sym.Variable("data"), axis=1)
    ...     out = mx.sym.FullyConnected(x, num_hidden=2, name="fc")
    ...     return mx.sym.SoftmaxOutput(out, name="softmax"), ("data",), ("softmax_label",)
    >>> def batch(length):
    ...     data, label = mx.nd.ones((4, length, 3)), mx.nd.zeros((4,))
    ...     shapes = {"provide_data": [("data", data.shape)], "provide_label": [("softmax_label", (4,))]}
    ...     return mx.io.DataBatch([data], [label], bucket_key=length, **shapes)
    >>> mod = mx.mod.BucketingModule(graph, default_bucket_key=9)
    >>> mod.bind(batch(9).provide_data, batch(9).provide_label)
    >>> mod.init_params()
    >>> mod.init_optimizer()
    >>> for length in (9, 5, 7):
    ...     mod.forward_backward(batch(length))
    ...     mod.update()
    >>> mod.get_outputs()[0].shape
    (4, 2)
    """

    def __init__(
        self,
        sym_gen: Callable[[Any], tuple[Any, Any, Any]],
        default_bucket_key: Any = None,
        logger: Any = logging,
        context: Any = None,
        work_load_list: Optional[Sequence[float]] = None,
        fixed_param_names: Optional[Sequence[str]] = None,
        state_names: Optional[Sequence[str]] = None,
        group2ctxs: Any = None,
        compression_params: Any = None,
    ) -> None:
        super().__init__(logger=logger)
        if default_bucket_key is None:
            raise ValueError("[BucketingModule] default_bucket_key is None; expected the key of a bucket")
        if not callable(sym_gen):
            kind = type(sym_gen).__name__
            raise TypeError(f"[BucketingModule] sym_gen is {kind}; expected a function of a bucket's key")
        self._default_bucket_key = default_bucket_key
        self._sym_gen = sym_gen
        self._options = {
            "logger": logger,
            "context": context,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
        }
        _need_hashable("BucketingModule", "default_bucket_key", default_bucket_key)
        symbol, data_names, label_names = self._generated(default_bucket_key)
        check_input_names(symbol, list(data_names or []), "data", True)
        check_input_names(symbol, list(label_names or []), "label", False)
        check_input_names(symbol, list(state_names or []), "state", True)
        check_input_names(symbol, list(fixed_param_names or []), "fixed_param", True)
        self._default_names = list(data_names or []), symbol.list_outputs()
        self._buckets: dict[Any, Module] = {}
        self._current: Optional[Module] = None
        self._curr_bucket_key: Any = None
        self._params_dirty = False
        self._monitor: Any = None
        self._grad_req: Any = "write"

    def _generated(self, bucket_key: Any) -> tuple[Any, Any, Any]:
        """The graph of a bucket; automatic names begin anew, so that buckets name parameters alike."""
        with NameManager():
            made = self._sym_gen(bucket_key)
        if not isinstance(made, (list, tuple)) or len(made) != 3:
            kind = type(made).__name__
            what = f"a {kind} of {len(made)}" if isinstance(made, (list, tuple)) else kind
            raise TypeError(
                f"[BucketingModule] sym_gen({bucket_key!r:.60}) returned {what}; expected symbol, "
                "data_names, label_names"
            )
        symbol, data_names, label_names = made
        data_names, label_names = (
            [names] if isinstance(names, str) else names for names in (data_names, label_names)
        )
        return symbol, data_names, label_names

    @property
    def _curr_module(self) -> Module:
        if self._current is None:
            raise RefusedValueError("[BucketingModule] call bind first")
        return self._current

    # Descriptions.

    @property
    def data_names(self) -> list[str]:
        """Names of the data of the current bucket."""
        return self._curr_module.data_names if self.binded else self._default_names[0]

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs of the current bucket."""
        return self._curr_module.output_names if self.binded else self._default_names[1]

    @property
    def data_shapes(self) -> Any:
        """Names and shapes of the data of the current bucket."""
        return self._curr_module.data_shapes

    @property
    def label_shapes(self) -> Any:
        """Names and shapes of the labels of the current bucket."""
        return self._curr_module.label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs of the current bucket."""
        return self._curr_module.output_shapes

    @property
    def symbol(self) -> Any:
        """The graph of the current bucket."""
        return self._curr_module.symbol

    # Buckets.

    def bind(
        self,
        data_shapes: Any,
        label_shapes: Any = None,
        for_training: bool = True,
        inputs_need_grad: bool = False,
        force_rebind: bool = False,
        shared_module: Any = None,
        grad_req: Any = "write",
    ) -> None:
        """Bind the default bucket; others are bound when they are first needed. See :meth:`Module.bind`."""
        params = self.get_params() if self.params_initialized else None
        if force_rebind:
            self.binded = False
            self._buckets, self._current, self._curr_bucket_key = {}, None, None
        if self.binded:
            warn(self.logger, "Already bound, ignoring bind()")
            return
        if shared_module is not None:
            raise ValueError("[BucketingModule.bind] shared_module is not supported")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self._grad_req = grad_req
        key = self._default_bucket_key
        module = self._buckets.get(key) or self._made(key)
        module.bind(data_shapes, label_shapes, for_training, inputs_need_grad, grad_req=grad_req)
        self._buckets[key] = self._current = module
        self._curr_bucket_key = key
        self.binded = True
        if params is not None:
            self.set_params(*params)

    def _made(self, bucket_key: Any) -> Module:
        symbol, data_names, label_names = self._generated(bucket_key)
        return Module(symbol, data_names, label_names, **self._options)

    def switch_bucket(self, bucket_key: Any, data_shapes: Any, label_shapes: Any = None) -> None:
        """Make another bucket the current one, binding it with these shapes if that has not happened yet."""
        self._need("switch_bucket", params=False)
        _need_hashable("BucketingModule.switch_bucket", "bucket_key", bucket_key)
        module = self._buckets.get(bucket_key)
        if data_shapes is None and (module is None or not module.binded):
            raise ValueError(
                f"[BucketingModule.switch_bucket] the batch of bucket {bucket_key!r:.60} has no "
                "provide_data; expected names and shapes, by which a new bucket is bound"
            )
        module = module or self._made(bucket_key)
        if not module.binded:
            self._need_known_params(bucket_key, module)
            module.bind(
                data_shapes,
                label_shapes,
                self.for_training,
                self.inputs_need_grad,
                shared_module=self._buckets[self._default_bucket_key],
                grad_req=self._grad_req,
            )
            if self._monitor is not None:
                module.install_monitor(self._monitor)
        self._buckets[bucket_key] = self._current = module
        self._curr_bucket_key = bucket_key

    def _need_known_params(self, bucket_key: Any, module: Module) -> None:
        """Refuse a bucket with parameters of its own, which nothing would initialise or save."""
        shared = self._buckets[self._default_bucket_key]
        for what, names, known in (
            ("parameter", module._param_names, shared._param_names),
            ("auxiliary state", module._aux_names, shared._aux_names),
        ):
            own = [name for name in names if name not in known]
            if own:
                raise InvalidArgumentError(
                    f"[BucketingModule.switch_bucket] bucket {bucket_key!r:.60} has the {what} {own[0]!r}, "
                    f"and the default bucket {self._default_bucket_key!r:.60} has not; expected only what it "
                    f"has: {', '.join(known) or 'none'}"
                )

    def _batch_switches(self, data_batch: Any) -> None:
        if not hasattr(data_batch, "bucket_key"):
            raise TypeError(
                f"[BucketingModule.forward] data_batch is {type(data_batch).__name__}; expected a DataBatch "
                "with a bucket_key"
            )
        self.switch_bucket(
            data_batch.bucket_key,
            getattr(data_batch, "provide_data", None),
            getattr(data_batch, "provide_label", None),
        )

    # Parameters.

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return ``(arg_params, aux_params)``, on the host."""
        if not self.params_initialized:
            raise RefusedValueError("[BucketingModule.get_params] call init_params first")
        module = self._curr_module
        module._params_dirty = self._params_dirty
        params = module.get_params()
        self._params_dirty = False
        return params

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give parameters their values, see :meth:`Module.init_params`."""
        if self.params_initialized and not force_init:
            return
        self._need("init_params", params=False)
        self._curr_module.init_params(
            initializer, arg_params, aux_params, allow_missing, force_init, allow_extra
        )
        self._params_dirty = False
        self.params_initialized = True

    def set_params(
        self,
        arg_params: Any,
        aux_params: Any,
        allow_missing: bool = False,
        force_init: bool = True,
        allow_extra: bool = False,
    ) -> None:
        """Replace parameters, see :meth:`Module.set_params`."""
        if not allow_missing:
            super().set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
            return
        if self.params_initialized and not force_init:
            warnings.warn(
                "Parameters already initialized and force_init=False. set_params call ignored.", stacklevel=2
            )
            return
        self._curr_module.set_params(arg_params, aux_params, allow_missing, force_init, allow_extra)
        self._params_dirty = True
        self.params_initialized = True

    def get_states(self, merge_multi_context: bool = True) -> Any:
        """Return the states of the current bucket."""
        self._need("get_states")
        return self._curr_module.get_states(merge_multi_context=merge_multi_context)

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set the states of the current bucket."""
        self._need("set_states")
        self._curr_module.set_states(states, value)

    # The optimiser.

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
        update_in_graph: bool = False,
    ) -> None:
        """Install one optimiser for all buckets, see :meth:`Module.init_optimizer`."""
        self._need("init_optimizer")
        if self.optimizer_initialized and not force_init:
            warn(self.logger, "optimizer already initialized, ignoring.")
            return
        current = self._curr_module
        current.init_optimizer(kvstore, optimizer, optimizer_params, force_init, update_in_graph)
        for module in self._buckets.values():
            if module is not current and module.binded:
                module.borrow_optimizer(current)
        self.optimizer_initialized = True

    def save_optimizer_states(self, fname: str) -> None:
        """Write the states of the optimiser to a file, in one step."""
        self._curr_module.save_optimizer_states(fname)

    def load_optimizer_states(self, fname: str) -> None:
        """Read the states of the optimiser from a file."""
        self._curr_module.load_optimizer_states(fname)

    # Running.

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Bind the bucket of a batch that comes next."""
        self._need("prepare")
        current = self._curr_bucket_key
        self._batch_switches(data_batch)
        self._curr_module.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self.switch_bucket(current, None, None)

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Compute the outputs of a batch with the graph of its bucket."""
        self._need("forward")
        self._curr_module._exec_group.ran = False  # also where the bucket is refused
        self._batch_switches(data_batch)
        self._curr_module.forward(data_batch, is_train=is_train)

    def backward(self, out_grads: Any = None) -> None:
        """Compute gradients of the batch that was run last."""
        self._need("backward")
        self._curr_module.backward(out_grads=out_grads)

    def update(self) -> None:
        """Change the parameters of all buckets by the gradients of the last batch."""
        self._need("update", optimizer=True)
        self._params_dirty = True
        self._curr_module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last batch."""
        self._need("get_outputs")
        return self._curr_module.get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data of the last batch."""
        self._need("get_input_grads")
        return self._curr_module.get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the last batch and its labels."""
        self._need("update_metric")
        self._curr_module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all buckets."""
        self._need("install_monitor", params=False)
        self._monitor = mon
        for module in self._buckets.values():
            if module.binded:
                module.install_monitor(mon)

    # Files.

    def save_checkpoint(
        self, prefix: str, epoch: int, save_optimizer_states: bool = False, remove_amp_cast: bool = False
    ) -> None:
        """Write ``<prefix>-<key>-symbol.json`` per bucket, ``<prefix>.buckets``, and the parameters last.

        The files appear when all are on the disk; when something fails, all old files stay.
        """
        if not self._buckets:
            raise RefusedValueError(
                "[BucketingModule.save_checkpoint] there are no buckets yet; call bind first"
            )
        wrong = [key for key in self._buckets if not isinstance(key, (int, np.integer))]
        if wrong:
            raise TypeError(
                f"[BucketingModule.save_checkpoint] the bucket key {wrong[0]!r} is no whole number; the file "
                "holds only such"
            )
        files = checkpoint_files(prefix, epoch, "BucketingModule.save_checkpoint")
        with together():
            for key, module in self._buckets.items():
                symbol = checkpoint_files(f"{prefix}-{key}", epoch).symbol
                module.symbol.save(symbol, remove_amp_cast=remove_amp_cast)
            nd.save(f"{prefix}.buckets", nd.array(list(self._buckets), dtype="int32"))
            if save_optimizer_states:
                self.save_optimizer_states(files.states)
            self.save_params(files.params)

    @staticmethod
    def load(
        prefix: str, epoch: int, sym_gen: Any = None, default_bucket_key: Any = None, **kwargs: Any
    ) -> BucketingModule:
        """Make a module from the files of :meth:`save_checkpoint`.

        Parameters
        ----------
        prefix, epoch
            As they were saved.
        sym_gen, default_bucket_key, **kwargs
            As for the constructor.
        """
        from .. import symbol as sym

        loaded = nd.load(f"{prefix}.buckets")
        if not isinstance(loaded, list) or len(loaded) != 1:
            raise FileFormatError(f"[BucketingModule.load] '{prefix}.buckets' is no list of bucket keys")
        keys = [int(key) for key in loaded[0].asnumpy()]
        graphs = {key: sym.load(checkpoint_files(f"{prefix}-{key}", epoch).symbol) for key in keys}
        params = load_params(prefix, epoch)
        return BucketingModule.load_dict(graphs, sym_gen, default_bucket_key, *params, **kwargs)

    @staticmethod
    def load_dict(
        sym_dict: Optional[Mapping[Any, Any]] = None,
        sym_gen: Any = None,
        default_bucket_key: Any = None,
        arg_params: Optional[dict[str, NDArray]] = None,
        aux_params: Optional[dict[str, NDArray]] = None,
        **kwargs: Any,
    ) -> BucketingModule:
        """Make a module from graphs by bucket key, and parameters.

        Parameters
        ----------
        sym_dict : dict
            A Symbol per bucket key, that of the default bucket among them.
        sym_gen, default_bucket_key, **kwargs
            As for the constructor.
        arg_params, aux_params : dict of str to NDArray
            The parameters.
        """
        if sym_dict is None or sym_gen is None or arg_params is None or aux_params is None:
            raise ValueError(
                "[BucketingModule.load_dict] sym_dict, sym_gen, arg_params and aux_params are needed"
            )
        if default_bucket_key not in sym_dict:
            raise ValueError(
                f"[BucketingModule.load_dict] no graph for the bucket {default_bucket_key!r}; there is "
                f"{', '.join(map(repr, sym_dict))}"
            )
        made = BucketingModule(sym_gen, default_bucket_key, **kwargs)
        for key, symbol in sym_dict.items():
            _, data_names, label_names = made._generated(key)
            made._buckets[key] = Module(symbol, data_names, label_names, **made._options)
        current = made._buckets[default_bucket_key]
        current._arg_params, current._aux_params = arg_params, aux_params
        current.params_initialized = True
        made._current = current
        made.params_initialized = True
        return made


def _need_hashable(who: str, what: str, key: Any) -> None:
    try:
        hash(key)
    except TypeError:
        raise TypeError(
            f"[{who}] {what} is {type(key).__name__}: {key!r:.60}; expected what a dict takes as key, such "
            "as a number or a tuple"
        ) from None
