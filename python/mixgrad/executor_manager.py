"""Training of one graph on several devices as MXNet had it before modules (``mx.executor_manager``)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Optional

from . import _hints
from ._training.slices import split_input_slice as _split_input_slice
from .base import InvalidArgumentError
from .context import Context
from .io import DataDesc
from .module.executor_group import DataParallelExecutorGroup as _Group
from .ndarray import NDArray

__all__ = ["DataParallelExecutorGroup", "DataParallelExecutorManager"]

Params = Mapping[str, NDArray]


def _check_arguments(symbol: Any) -> None:
    """Refuses symbols with two arguments, or two states, of one name."""
    for what, names in (
        ("argument", symbol.list_arguments()),
        ("auxiliary state", symbol.list_auxiliary_states()),
    ):
        twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
        if twice:
            raise InvalidArgumentError(
                f"[symbol] more than one {what} is called {twice[0]!r}; expected a name for each"
            )


def _described(shapes: Any) -> list[DataDesc]:
    return [one if isinstance(one, DataDesc) else DataDesc(*one) for one in shapes or []]


class DataParallelExecutorGroup:
    """Runs a graph on several devices, each with its part of every batch.

    Parameters
    ----------
    sym : Symbol
        The graph.
    arg_names, param_names : list of str
        Its arguments, and those of them that are trained.
    ctx : list of Context
        The devices.
    slices : list of slice
        The examples of a batch that each gets.
    train_data : DataIter or DataBatch
        Says the shapes, by ``provide_data`` and ``provide_label``.
    shared_group : DataParallelExecutorGroup, optional
        Another one whose parameters this one has, too.
    """

    def __init__(
        self,
        sym: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        ctx: Sequence[Context],
        slices: Sequence[slice],
        train_data: Any,
        shared_group: Optional[DataParallelExecutorGroup] = None,
    ) -> None:
        _check_arguments(sym)
        data, label = _described(train_data.provide_data), _described(train_data.provide_label)
        self.slices = list(slices)
        self._batch: Any = None
        self._group: _Group = _Group(
            sym,
            ctx,
            [one.stop - one.start for one in self.slices],
            data,
            label,
            [name for name in arg_names if name in param_names],
            True,
            False,
            None if shared_group is None else shared_group._group,
        )
        self.data_names = [one.name for one in data]
        self.label_names = [one.name for one in label]
        self.param_names: list[str] = self._group.param_names
        self.aux_names: list[str] = self._group.aux_names
        self.train_execs: list[Any] = self._group.execs

    @property
    def param_arrays(self) -> list[list[NDArray]]:
        """For each parameter, its array on each device."""
        return self._group.param_arrays

    @property
    def grad_arrays(self) -> list[list[NDArray]]:
        """For each parameter, its gradient on each device."""
        return self._group.grad_arrays

    @property
    def aux_arrays(self) -> list[list[NDArray]]:
        """For each auxiliary state, its array on each device."""
        return self._group.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
        """Take the batch for the next call of :meth:`forward`."""
        self._batch = data_batch

    def forward(self, is_train: bool = False) -> None:
        """Run the graph on the batch that was loaded."""
        if self._batch is None:
            raise RuntimeError(
                "[executor_manager] no batch is loaded; expected load_data_batch before forward"
            )
        self._group.forward(self._batch, is_train)

    def backward(self) -> None:
        """Compute the gradients."""
        self._group.backward()

    def update_metric(self, metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Compare the outputs with labels."""
        self._group.update_metric(metric, labels, pre_sliced)


class DataParallelExecutorManager:
    """The groups of executors of a model: one, or one for each bucket.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    ctx : list of Context
        The devices.
    train_data : DataIter
        Says the shapes and the size of batches.
    arg_names, param_names, aux_names : list of str
        The graph's arguments, those of them that are trained, and its auxiliary states.
    work_load_list : list of float, optional
        Shares of the devices; equal ones by default.
    logger : Logger, optional
        Where it says that it begins.
    sym_gen : function, optional
        Gives the graph of a bucket's key.
    """

    def __init__(
        self,
        symbol: Any,
        ctx: Sequence[Context],
        train_data: Any,
        arg_names: Sequence[str],
        param_names: Sequence[str],
        aux_names: Sequence[str],
        work_load_list: Optional[Sequence[float]] = None,
        logger: Any = None,
        sym_gen: Optional[Callable[[Any], Any]] = None,
    ) -> None:
        loads = [1.0] * len(ctx) if work_load_list is None else list(work_load_list)
        if len(loads) != len(ctx):
            raise ValueError(
                f"[executor_manager] {len(loads)} shares for {len(ctx)} devices; expected one each"
            )
        (logger or logging).info("Start training with %s", ctx)
        self.slices = _split_input_slice(train_data.batch_size, loads)
        self.symbol, self.ctx, self.sym_gen = symbol, list(ctx), sym_gen
        self.arg_names, self.param_names, self.aux_names = arg_names, param_names, aux_names
        self.execgrp = self._made(symbol, train_data, None)
        self.curr_execgrp: Optional[DataParallelExecutorGroup] = None
        self.execgrp_bucket = {getattr(train_data, "default_bucket_key", None): self.execgrp}

    def _made(
        self, symbol: Any, data: Any, shared: Optional[DataParallelExecutorGroup]
    ) -> DataParallelExecutorGroup:
        return DataParallelExecutorGroup(
            symbol, self.arg_names, self.param_names, self.ctx, self.slices, data, shared
        )

    def install_monitor(self, monitor: Any) -> None:
        """Have a monitor look at all executors."""
        if self.sym_gen is not None:
            raise NotImplementedError(
                "[executor_manager] a monitor looks at one graph; this model has buckets"
            )
        for one in self.execgrp.train_execs:
            monitor.install(one)

    def set_params(self, arg_params: Params, aux_params: Params) -> None:
        """Copy parameters and states to all devices."""
        self.execgrp._group.set_params(arg_params, aux_params)

    def copy_to(self, arg_params: Params, aux_params: Params) -> None:
        """Copy the means over devices of parameters and states into arrays by name."""
        self.execgrp._group.get_params(arg_params, aux_params)

    @property
    def param_arrays(self) -> list[list[NDArray]]:
        """For each parameter, its array on each device."""
        return self.execgrp.param_arrays

    @property
    def grad_arrays(self) -> list[list[NDArray]]:
        """For each parameter, its gradient on each device."""
        return self.execgrp.grad_arrays

    @property
    def aux_arrays(self) -> list[list[NDArray]]:
        """For each auxiliary state, its array on each device."""
        return self.execgrp.aux_arrays

    def load_data_batch(self, data_batch: Any) -> None:
        """Take a batch, and the group of its bucket."""
        group = self.execgrp
        if self.sym_gen is not None:
            key = data_batch.bucket_key
            if key not in self.execgrp_bucket:
                self.execgrp_bucket[key] = self._made(self.sym_gen(key), data_batch, self.execgrp)
            group = self.execgrp_bucket[key]
        self.curr_execgrp = group
        group.load_data_batch(data_batch)

    def _current(self) -> DataParallelExecutorGroup:
        if self.curr_execgrp is None:
            raise RuntimeError("[executor_manager] no batch is loaded; expected load_data_batch first")
        return self.curr_execgrp

    def forward(self, is_train: bool = False) -> None:
        """Run the graph of the batch that was loaded."""
        self._current().forward(is_train)

    def backward(self) -> None:
        """Compute the gradients."""
        self._current().backward()

    def update_metric(self, metric: Any, labels: Any, pre_sliced: bool = False) -> None:
        """Compare the outputs with labels."""
        self._current().update_metric(metric, labels, pre_sliced)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
