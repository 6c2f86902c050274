"""A module that trains by stochastic variance reduced gradients."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

from ... import _hints
from ... import ndarray as nd
from ..._training.update import choose_kvstore, gradient_scale
from ...module import Module
from ...module.base_module import DEFAULT_PARAMS
from ...ndarray import NDArray
from .svrg_optimizer import _SVRGOptimizer

__all__ = ["SVRGModule"]


class SVRGModule(Module):
    """A module that takes the noise of single batches out of its gradients (SVRG).

    Every ``update_freq`` epochs it keeps its weights and the mean gradient of all batches at them. A step
    then uses ``g - g0 + mean``, with the batch's gradients at the present and at the kept weights: Johnson
    and Zhang, "Accelerating Stochastic Gradient Descent using Predictive Variance Reduction", 2013.

    Parameters
    ----------
    symbol, data_names, label_names, logger, context, work_load_list, fixed_param_names, state_names
        See :class:`mixgrad.mod.Module`.
    group2ctxs, compression_params
        See :class:`mixgrad.mod.Module`.
    update_freq : int
        Epochs between two passes for the mean gradient.

    Examples
    --------
    >>> import mixgrad as mx, numpy as np
    >>> points = np.random.RandomState(0).randn(64, 2)
    >>> data = mx.io.NDArrayIter(points, points @ [1.0, 2.0], batch_size=16, label_name="lin_label")
    >>> net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    >>> net = mx.sym.LinearRegressionOutput(net, mx.sym.var("lin_label"))
    >>> mod = mx.contrib.svrg_optimization.SVRGModule(net, label_names=["lin_label"], update_freq=2)
    >>> mod.fit(data, eval_metric="mse", num_epoch=20, optimizer_params={"learning_rate": 0.1})
    >>> mod.get_params()[0]["fc_weight"].asnumpy().round(2)
    array([[1., 2.]], dtype=float32)
    """

    def __init__(
        self,
        symbol: Any,
        data_names: Sequence[str] = ("data",),
        label_names: Optional[Sequence[str]] = ("softmax_label",),
        logger: Any = logging,
        context: Any = None,
        work_load_list: Optional[Sequence[float]] = None,
        fixed_param_names: Optional[Sequence[str]] = None,
        state_names: Optional[Sequence[str]] = None,
        group2ctxs: Any = None,
        compression_params: Optional[Mapping[str, Any]] = None,
        update_freq: Optional[int] = None,
    ) -> None:
        if not isinstance(update_freq, int) or isinstance(update_freq, bool):
            raise TypeError(f"[SVRGModule] update_freq is {update_freq!r:.60}; expected a whole number")
        if update_freq < 1:
            raise ValueError(f"[SVRGModule] update_freq is {update_freq}; expected 1 or more")
        options: dict[str, Any] = {
            "data_names": data_names,
            "label_names": label_names,
            "logger": logger,
            "work_load_list": work_load_list,
            "fixed_param_names": fixed_param_names,
            "state_names": state_names,
            "group2ctxs": group2ctxs,
            "compression_params": compression_params,
            **({} if context is None else {"context": context}),
        }
        super().__init__(symbol, **options)
        self.update_freq = update_freq
        self._mod_aux = Module(symbol, **options)  # with the weights that were kept
        self._param_dict: list[dict[str, NDArray]] = []  # the mean gradient, on each device
        self._ctx_len = len(self._context)

    def _reset_bind(self) -> None:
        super()._reset_bind()
        self._mod_aux._reset_bind()

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
        """Take shapes and memory; see :meth:`mixgrad.mod.Module.bind`."""
        super().bind(
            data_shapes, label_shapes, for_training, inputs_need_grad, force_rebind, shared_module, grad_req
        )
        if for_training:
            self._mod_aux.bind(
                data_shapes, label_shapes, True, inputs_need_grad, force_rebind, None, grad_req
            )

    def reshape(self, data_shapes: Any, label_shapes: Any = None) -> None:
        """Go on with other shapes."""
        super().reshape(data_shapes, label_shapes)
        if self._mod_aux.binded:
            self._mod_aux.reshape(data_shapes, label_shapes)

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = DEFAULT_PARAMS,
        force_init: bool = False,
        update_in_graph: bool = False,
    ) -> None:
        """Install the rule that changes parameters; see :meth:`mixgrad.mod.Module.init_optimizer`.

        Gradients change between backward and update, so ``update_in_graph`` has to be False.
        """
        self._need("init_optimizer")
        if update_in_graph:
            raise ValueError("[SVRGModule] update_in_graph is True; expected False: update changes gradients")
        if not self.optimizer_initialized or force_init:
            store, on_store = choose_kvstore(kvstore, self._ctx_len, self._arg_params)
            options = {
                "rescale_grad": gradient_scale(self._exec_group.batch_size, store),
                **dict(optimizer_params),
            }
            optimizer = _SVRGOptimizer(optimizer, param_idx2name=self._names(on_store), **options)
            kvstore = store
        super().init_optimizer(kvstore, optimizer, optimizer_params, force_init)
        if not self._mod_aux.params_initialized:
            self._mod_aux.init_params(arg_params=self._arg_params, aux_params=self._aux_params)
        self._param_dict = [
            {
                name: nd.zeros(places[device].shape, ctx=ctx, dtype=places[device].dtype)
                for name, places in zip(self._param_names, self._exec_group.param_arrays)
            }
            for device, ctx in enumerate(self._context)
        ]
        for name in self._param_names if self._kvstore is not None else []:
            self._kvstore.init(f"{name}_full", nd.zeros(self._arg_params[name].shape))

    def _names(self, on_store: bool) -> dict[Any, str]:
        """The parameters by their numbers, and the averages of their gradients after them."""
        copies = 1 if on_store else self._ctx_len
        weights = [name for name in self._param_names for _ in range(copies)]
        return dict(enumerate([*weights, *(f"{name}_full" for name in self._param_names)]))

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Compute the outputs of a batch, in training at the weights that were kept, too."""
        super().forward(data_batch, is_train)
        if self._mod_aux.binded and (self.for_training if is_train is None else is_train):
            if not self._mod_aux.params_initialized:
                self._mod_aux.init_params(arg_params=self._arg_params, aux_params=self._aux_params)
            self._mod_aux.forward(data_batch, True)

    def backward(self, out_grads: Any = None) -> None:
        """Compute gradients, at the weights that were kept, too."""
        super().backward(out_grads)
        if self._mod_aux.binded:
            self._mod_aux.backward(out_grads)

    def update(self) -> None:
        """Change the parameters by the gradients of the last batch, with less variance."""
        self._need("update", optimizer=True)
        self._update_svrg_gradients()
        super().update()

    def update_full_grads(self, train_data: Any) -> None:
        """Keep the weights, and the mean gradient of all batches at them.

        Parameters
        ----------
        train_data : DataIter
            The batches; it is reset before and after.
        """
        self._need("update_full_grads", optimizer=True)
        arg_params, aux_params = self.get_params()
        self._mod_aux.set_params(arg_params, aux_params)
        for means in self._param_dict:
            for mean in means.values():
                mean[:] = 0
        train_data.reset()
        batches, pad = 0, 0
        for batch in train_data:
            self._mod_aux.forward(batch, True)
            self._mod_aux.backward()
            for name, gradients in zip(self._param_names, self._mod_aux._exec_group.grad_arrays):
                for means, gradient in zip(self._param_dict, gradients):
                    if gradient is not None:
                        means[name] += gradient
            batches, pad = batches + 1, batch.pad or 0
        if not batches:
            raise ValueError("[update_full_grads] train_data gives no batch")
        share = 1 / (batches - pad / train_data.batch_size)
        for name in self._param_names:
            for means in self._param_dict:
                means[name] *= share
            if self._kvstore is not None:
                self._accumulate_kvstore(name, [means[name] for means in self._param_dict])
        train_data.reset()

    def _accumulate_kvstore(self, key: str, value: list[NDArray]) -> None:
        """Sums the gradients of devices and workers in the store, and gives each device its share."""
        self._kvstore.push(f"{key}_full", value)
        self._kvstore.pull(f"{key}_full", out=value)
        self._allocate_gradients(key, value)

    def _allocate_gradients(self, key: str, value: Sequence[NDArray]) -> None:
        for means, summed in zip(self._param_dict, value):
            means[key] = summed / self._ctx_len

    def _svrg_grads_update_rule(
        self,
        g_curr_batch_curr_weight: Sequence[NDArray],
        g_curr_batch_special_weight: Sequence[NDArray],
        g_special_weight_all_batch: Sequence[NDArray],
    ) -> Sequence[NDArray]:
        """Takes the gradients at the kept weights from those at the present ones, and adds the mean."""
        for gradient, kept, mean in zip(
            g_curr_batch_curr_weight, g_curr_batch_special_weight, g_special_weight_all_batch
        ):
            gradient -= kept
            gradient += mean
        return g_curr_batch_curr_weight

    def _update_svrg_gradients(self) -> None:
        present, kept = self._exec_group.grad_arrays, self._mod_aux._exec_group.grad_arrays
        for device, means in enumerate(self._param_dict):
            parts = [
                (now[device], then[device], means[name])
                for name, now, then in zip(self._param_names, present, kept)
                if now[device] is not None
            ]
            if parts:
                self._svrg_grads_update_rule(*map(list, zip(*parts)))

    def prepare(self, data_batch: Any, sparse_row_id_fn: Any = None) -> None:
        """Make ready for a batch."""
        super().prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)
        self._mod_aux.prepare(data_batch, sparse_row_id_fn=sparse_row_id_fn)

    def _begin_epoch(self, epoch: int, train_data: Any) -> None:
        if epoch % self.update_freq == 0:
            self.update_full_grads(train_data)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
