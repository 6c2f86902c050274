"""Several modules in a row: the outputs of one are the data of the next."""

from __future__ import annotations

import copy
import logging
from typing import Any, ClassVar, Optional

from .._progress import warn
from ..base import InvalidArgumentError, RefusedValueError
from ..initializer import Uniform
from ..ndarray import NDArray
from .base_module import DEFAULT_PARAMS, BaseModule

__all__ = ["SequentialModule"]


class SequentialModule(BaseModule):
    """A chain of modules.

    Examples
    --------
    >>> import mixgrad as mx
    >>> first = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=4, name="fc1")
    >>> last = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc2")
    >>> last = mx.sym.SoftmaxOutput(last, name="softmax")
    >>> mod = mx.mod.SequentialModule()
    >>> mod = mod.add(mx.mod.Module(first, label_names=None))
    >>> mod = mod.add(mx.mod.Module(last), take_labels=True, auto_wiring=True)
    >>> mod.bind([("data", (8, 3))], [("softmax_label", (8,))])
    >>> mod.init_params()
    >>> mod.forward(mx.io.DataBatch([mx.nd.ones((8, 3))], [mx.nd.zeros((8,))]), is_train=False)
    >>> mod.get_outputs()[0].shape
    (8, 2)
    """

    META_TAKE_LABELS: ClassVar[str] = "take_labels"
    META_AUTO_WIRING: ClassVar[str] = "auto_wiring"

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger=logger)
        self._modules: list[Any] = []
        self._metas: list[dict[str, Any]] = []
        self._label_shapes: Any = None
        self._ran: Optional[bool] = None  # whether the batch that came last went through all modules

    def add(self, module: Any, **kwargs: Any) -> SequentialModule:
        """Append a module; return this one.

        Parameters
        ----------
        module : BaseModule
            Comes last from now on.
        take_labels : bool
            Whether it gets the labels of batches.
        auto_wiring : bool
            Whether its data are the outputs before it whatever their names are.
        """
        known = (self.META_TAKE_LABELS, self.META_AUTO_WIRING)
        for key in kwargs:
            if key not in known:
                raise RefusedValueError(
                    f"[SequentialModule.add] unknown option {key!r}; known are {', '.join(known)}"
                )
        if not isinstance(module, BaseModule):
            kind = type(module).__name__
            raise TypeError(f"[SequentialModule.add] module is {kind}; expected a BaseModule")
        if _holds(module, self):
            raise ValueError(
                "[SequentialModule.add] module is this chain, or a chain that holds it; expected "
                "another module"
            )
        self._modules.append(module)
        self._metas.append(kwargs)
        self.binded = self.params_initialized = self.optimizer_initialized = False
        return self

    @property
    def data_names(self) -> list[str]:
        """Names of the data of the first module."""
        return self._modules[0].data_names if self._modules else []

    @property
    def output_names(self) -> list[str]:
        """Names of the outputs of the last module."""
        return self._modules[-1].output_names if self._modules else []

    @property
    def data_shapes(self) -> Any:
        """Names and shapes of the data."""
        self._need("data_shapes", params=False)
        return self._modules[0].data_shapes

    @property
    def label_shapes(self) -> Any:
        """Names and shapes of the labels; None if no module takes them."""
        self._need("label_shapes", params=False)
        return self._label_shapes

    @property
    def output_shapes(self) -> Any:
        """Names and shapes of the outputs of the last module."""
        self._need("output_shapes", params=False)
        return self._modules[-1].output_shapes

    def get_params(self) -> tuple[dict[str, NDArray], dict[str, NDArray]]:
        """Return the parameters of all modules."""
        self._need("get_params")
        arg_params: dict[str, NDArray] = {}
        aux_params: dict[str, NDArray] = {}
        for module in self._modules:
            arg, aux = module.get_params()
            arg_params.update(arg)
            aux_params.update(aux)
        return arg_params, aux_params

    def init_params(
        self,
        initializer: Any = Uniform(0.01),  # noqa: B008
        arg_params: Any = None,
        aux_params: Any = None,
        allow_missing: bool = False,
        force_init: bool = False,
        allow_extra: bool = False,
    ) -> None:
        """Give the parameters of all modules their values, see :meth:`Module.init_params`."""
        if self.params_initialized and not force_init:
            return
        self._need("init_params", params=False)
        for module in self._modules:
            module.init_params(initializer, arg_params, aux_params, allow_missing, force_init, allow_extra)
        owners: dict[str, int] = {}
        for i, module in enumerate(self._modules):
            for name in (name for params in module.get_params() for name in params):
                if name in owners:
                    raise ValueError(
                        f"[SequentialModule] modules {owners[name]} and {i} both have a parameter {name!r}"
                    )
                owners[name] = i
        self.params_initialized = True

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
        """Bind all modules, each to the outputs of the one before it. See :meth:`Module.bind`."""
        if self.binded and not force_rebind:
            warn(self.logger, "Already bound, ignoring bind()")
            return
        if inputs_need_grad and not for_training:
            raise ValueError("[SequentialModule.bind] inputs_need_grad=True needs for_training=True")
        if shared_module is not None or not self._modules:
            what = (
                "shared_module is not supported" if self._modules else "there are no modules; call add first"
            )
            raise ValueError(f"[SequentialModule.bind] {what}")
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        shapes = data_shapes
        for i, (module, meta) in enumerate(zip(self._modules, self._metas)):
            if meta.get(self.META_AUTO_WIRING):
                names = module.data_names
                if len(names) != len(shapes):
                    raise ValueError(
                        f"[SequentialModule.bind] module {i} takes {names}, and {len(shapes)} outputs come in"
                    )
                shapes = [(name, desc[1]) for name, desc in zip(names, shapes)]
            module.bind(
                data_shapes=shapes,
                label_shapes=label_shapes if meta.get(self.META_TAKE_LABELS) else None,
                for_training=for_training,
                inputs_need_grad=inputs_need_grad or (for_training and i > 0),
                force_rebind=force_rebind,
                grad_req=grad_req,
            )
            shapes = module.output_shapes
        takes = any(meta.get(self.META_TAKE_LABELS) for meta in self._metas)
        self._label_shapes = label_shapes if takes else None
        self.binded = True

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
    ) -> None:
        """Install an optimiser in each module, see :meth:`Module.init_optimizer`."""
        self._need("init_optimizer")
        if self.optimizer_initialized and not force_init:
            warn(self.logger, "optimizer already initialized, ignoring.")
            return
        for module in self._modules:
            module.init_optimizer(kvstore, optimizer, optimizer_params, force_init=force_init)
        self.optimizer_initialized = True

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Run a batch through all modules."""
        self._need("forward")
        self._ran = False
        batch = copy.copy(data_batch)  # keeps bucket_key, pad and the like
        for i, module in enumerate(self._modules):
            module.forward(batch, is_train=is_train)
            if i + 1 == len(self._modules):
                break
            batch.data = module.get_outputs()
            following = self._modules[i + 1]
            wired = self._metas[i + 1].get(self.META_AUTO_WIRING)
            names = following.data_names if wired else [name for name, _ in module.output_shapes]
            batch.provide_data = [(name, array.shape) for name, array in zip(names, batch.data)]
        self._ran = True

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass through all modules, the last first."""
        self._need("backward")
        if self._ran is False:
            raise InvalidArgumentError(
                "[SequentialModule.backward] nothing has run, or the last batch was refused; expected a "
                "forward that went well"
            )
        for i in reversed(range(len(self._modules))):
            self._modules[i].backward(out_grads=out_grads)
            if i > 0:
                out_grads = self._modules[i].get_input_grads()

    def update(self) -> None:
        """Change the parameters of all modules."""
        self._need("update", optimizer=True)
        for module in self._modules:
            module.update()

    def get_outputs(self, merge_multi_context: bool = True) -> Any:
        """Return the outputs of the last module."""
        self._need("get_outputs")
        return self._modules[-1].get_outputs(merge_multi_context=merge_multi_context)

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data of the first module."""
        self._need("get_input_grads")
        return self._modules[0].get_input_grads(merge_multi_context=merge_multi_context)

    def update_metric(self, eval_metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of the modules that take labels."""
        self._need("update_metric")
        for module, meta in zip(self._modules, self._metas):
            if meta.get(self.META_TAKE_LABELS):
                module.update_metric(eval_metric, labels, pre_sliced)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all modules."""
        self._need("install_monitor", params=False)
        for module in self._modules:
            module.install_monitor(mon)


def _holds(module: BaseModule, sought: BaseModule) -> bool:
    """Whether a module is another one, or a chain with it."""
    if module is sought:
        return True
    return isinstance(module, SequentialModule) and any(_holds(one, sought) for one in module._modules)
