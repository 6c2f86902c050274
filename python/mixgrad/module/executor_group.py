"""One executor per device, each with its part of every batch."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from .._training.params import need_shapes
from .._training.slices import contexts_of_groups, copies_of, merged, part_of, split_input_slice
from ..base import InvalidArgumentError, RefusedValueError, ShapeError, grad_reqs_of
from ..context import cpu
from ..io import DataDesc
from ..ndarray import NDArray

__all__ = ["DataParallelExecutorGroup", "is_parted"]

GradReq = Union[str, Sequence[str], Mapping[str, str]]
Described = Union[DataDesc, tuple[Any, ...]]


def is_parted(data_batch: Any) -> bool:
    """Whether this is a list with a batch per device; one batch may be a named tuple."""
    return isinstance(data_batch, (list, tuple)) and not hasattr(data_batch, "data")


class DataParallelExecutorGroup:
    """Runs one graph on several devices: batches are cut, outputs put together.

    Parameters
    ----------
    symbol : Symbol
        The graph.
    contexts : list of Context
        The devices.
    workload : list of float
        Shares of the batch.
    data_shapes, label_shapes : list of DataDesc or of their arguments
        Inputs; the batch axis is that of their layout.
    param_names : list of str
        Arguments that are parameters.
    for_training : bool
        Whether gradients are computed.
    inputs_need_grad : bool
        Whether also for the data.
    shared_group : DataParallelExecutorGroup, optional
        A group whose parameters and memory this one shares.
    logger : Logger
        Accepted for old scripts.
    fixed_param_names : list of str, optional
        Parameters without gradient.
    grad_req : str, list or dict
        'write', 'add' or 'null': for all parameters, per argument, or by name.
    state_names : list of str, optional
        Inputs that no batch brings.
    group2ctxs : list or dict, optional
        Devices of node groups (``ctx_group``), for a graph that spreads over several.
    """

    def __init__(
        self,
        symbol: Any,
        contexts: Sequence[Any],
        workload: Sequence[float],
        data_shapes: Sequence[Described],
        label_shapes: Optional[Sequence[Described]],
        param_names: Sequence[str],
        for_training: bool,
        inputs_need_grad: bool,
        shared_group: Optional[DataParallelExecutorGroup] = None,
        logger: Any = logging,
        fixed_param_names: Optional[Sequence[str]] = None,
        grad_req: GradReq = "write",
        state_names: Optional[Sequence[str]] = None,
        group2ctxs: Any = None,
    ) -> None:
        self.symbol = symbol
        self.contexts = list(contexts)
        self.workload = list(workload)
        self.param_names = list(param_names)
        self.arg_names: list[str] = symbol.list_arguments()
        self.aux_names: list[str] = symbol.list_auxiliary_states()
        self.output_names: list[str] = symbol.list_outputs()
        self.num_outputs = len(self.output_names)
        self.for_training = for_training
        self.inputs_need_grad = inputs_need_grad
        self.logger = logger
        self.fixed_param_names = list(fixed_param_names or [])
        self.state_names = list(state_names or [])
        self.group2ctxs = contexts_of_groups(group2ctxs, len(self.contexts))
        self.output_layouts = [
            DataDesc.get_batch_axis(symbol[i].attr("__layout__")) for i in range(self.num_outputs)
        ]
        described = [desc if isinstance(desc, DataDesc) else DataDesc(*desc) for desc in data_shapes]
        self.grad_req = self._requests(grad_req if for_training else "null", [d.name for d in described])
        self.batch_size: int = 0
        self.slices: list[slice] = []
        self.execs: list[Any] = []
        self._first_execs: list[Any] = []
        self._shared = shared_group
        # For each device the arrays of inputs and states, by name, which groups that share parameters share.
        self.shared_data_arrays: list[dict[str, NDArray]] = (
            [{} for _ in self.contexts] if shared_group is None else shared_group.shared_data_arrays
        )
        self.advice = ""  # what errors of shapes say at the end
        # Whether there are results of the batch that came last; None while only its executors may know.
        self.ran: Optional[bool] = None
        self.unlabelled: list[str] = []  # labels that it lacked for training
        self.updated: list[int] = []  # numbers of parameters that backward changes
        labels = None
        if label_shapes is not None:
            labels = [desc if isinstance(desc, DataDesc) else DataDesc(*desc) for desc in label_shapes]
        self._bind(described, labels)

    def _requests(self, grad_req: GradReq, data_names: list[str]) -> dict[str, str]:
        """The request of every argument."""
        words = grad_reqs_of(grad_req, self.arg_names, "module", "write")
        if isinstance(grad_req, (list, tuple)):
            return dict(zip(self.arg_names, words))
        given = grad_req if isinstance(grad_req, Mapping) else {}

        def wanted(name: str) -> bool:
            if name in self.param_names:
                return name not in self.fixed_param_names
            return name in data_names and self.inputs_need_grad

        return {
            name: word if name in given or wanted(name) else "null"
            for name, word in zip(self.arg_names, words)
        }

    # Memory.

    def _axes(self, shapes: Sequence[DataDesc]) -> list[int]:
        """The batch axis of each input; sets the batch size and the slices at the first."""
        axes = [DataDesc.get_batch_axis(desc.layout) for desc in shapes]
        for desc, axis in zip(shapes, axes):
            if axis < 0:
                continue
            if axis >= len(desc.shape):
                raise ValueError(f"[module] {desc!r} has no axis N of its layout")
            size = desc.shape[axis]
            if not self.batch_size:
                self.batch_size = size
                self.slices = split_input_slice(size, self.workload)
            elif size != self.batch_size:
                raise ValueError(
                    f"[module] {desc.name!r} has shape {desc.shape}, a batch of {size}; expected "
                    f"{self.batch_size}, as of the other inputs"
                )
        return axes

    def _bind(self, data_shapes: list[DataDesc], label_shapes: Optional[list[DataDesc]]) -> None:
        """Make the executors, or reshape them if they are there."""
        self.batch_size, self.slices = 0, []
        self.data_layouts = self._axes(data_shapes)
        # A label that the graph does not use has no place to go to.
        used = [desc for desc in label_shapes or [] if desc.name in self.arg_names]
        self.label_layouts = self._axes(label_shapes or [])
        if not self.slices:
            self.slices = [slice(i, i + 1) for i in range(len(self.contexts))]
        execs = []
        for i, context in enumerate(self.contexts):
            inputs = {d.name: self._part_shape(d, i) for d in (*data_shapes, *used)}
            if self._first_execs:
                execs.append(self._reshaped(self._first_execs[i], inputs))
                continue
            shared = None if self._shared is None else self._shared.execs[i]
            executor = self.symbol.simple_bind(
                ctx=context,
                grad_req=self.grad_req,
                type_dict={d.name: d.dtype for d in (*data_shapes, *used)},
                group2ctx=self.group2ctxs[i],
                shared_arg_names=self.param_names,
                shared_exec=shared,
                shared_buffer=self.shared_data_arrays[i],
                **inputs,
            )
            if executor.arg_workers and len(self.contexts) > 1:
                raise ValueError(
                    f"[module] group2ctxs names workers, and context has {len(self.contexts)} devices; "
                    "expected one"
                )
            execs.append(executor)
        self.execs = execs
        self._first_execs = self._first_execs or execs
        self.data_shapes = data_shapes
        self.label_shapes = label_shapes
        self.data_names = [desc.name for desc in data_shapes]
        self.label_names = [desc.name for desc in label_shapes or []]
        self._used_labels = [i for i, desc in enumerate(label_shapes or []) if desc.name in self.arg_names]
        self._used_layouts = [self.label_layouts[i] for i in self._used_labels]
        self._extents = [tuple(desc.shape) for desc in data_shapes]
        self.ran = False
        self._collect()

    def _reshaped(self, executor: Any, inputs: dict[str, tuple[int, ...]]) -> Any:
        """An executor for other inputs; labels and states follow, parameters must keep their shapes."""
        made = executor.reshape(partial_shaping=True, allow_up_sizing=True, **inputs)
        for name in self.param_names:
            before, after = executor.arg_dict[name].shape, made.arg_dict[name].shape
            if before != after:
                raise ShapeError(
                    f"[module] inputs {inputs} need {name!r} of shape {after}; the parameter has {before}: "
                    "other inputs than these it was bound for take a module of their own"
                )
        return made

    def _part_shape(self, desc: DataDesc, device: int) -> tuple[int, ...]:
        axis = DataDesc.get_batch_axis(desc.layout)
        if axis < 0:
            return tuple(desc.shape)
        part = self.slices[device]
        return (*desc.shape[:axis], part.stop - part.start, *desc.shape[axis + 1 :])

    def _collect(self) -> None:
        """List the arrays of all executors by what they are for: one list per name, an array per device."""

        def places(names: Sequence[str]) -> list[list[tuple[slice, NDArray]]]:
            return [[(self.slices[i], e.arg_dict[n]) for i, e in enumerate(self.execs)] for n in names]

        params = [name for name in self.arg_names if name in self.param_names]
        states = [e.aux_dict for e in self.execs]
        grads = [e.grad_dict for e in self.execs] if self.for_training else []
        self.data_arrays = places(self.data_names)
        self.label_arrays = places([self.label_names[i] for i in self._used_labels])
        inputs = [*self.data_arrays, *self.label_arrays]
        whole = len(self.execs) == 1 and len(inputs) == len(self.data_names) + len(self.label_names)
        # Where the arrays of a batch go to, and their shapes, for one device and a graph that uses all.
        self._places = [(places[0][1], places[0][1].shape) for places in inputs] if whole else None
        self.state_arrays = [[e.arg_dict[name] for e in self.execs] for name in self.state_names]
        self.param_arrays = [[e.arg_dict[name] for e in self.execs] for name in params]
        self.aux_arrays = [[one[name] for one in states] for name in self.aux_names]
        self.grad_arrays: list[list[Any]] = [[one.get(name) for one in grads] for name in params if grads]
        # Numbers and arrays, on the first device, of the parameters whose gradients are asked for.
        asked = [i for i, name in enumerate(params) if self.grad_req[name] != "null"]
        self.updatable = asked, [self.param_arrays[i][0] for i in asked]
        # What an updater takes of the first device; tuples, by which it knows them again.
        wanted = [i for i, replicas in enumerate(self.grad_arrays) if replicas[0] is not None]
        self.updates: tuple[tuple[Any, ...], ...] = (
            tuple(wanted),
            tuple(self.grad_arrays[i][0] for i in wanted),
            tuple(self.param_arrays[i][0] for i in wanted),
        )
        self.input_grad_arrays: list[list[Any]] = []
        if self.inputs_need_grad:
            self.input_grad_arrays = [[one[name] for one in grads] for name in self.data_names]

    def reshape(self, data_shapes: Sequence[DataDesc], label_shapes: Optional[Sequence[DataDesc]]) -> None:
        """Go on with inputs of other shapes; parameters and memory stay."""
        labels = None if label_shapes is None else list(label_shapes)
        if list(data_shapes) == self.data_shapes and labels == self.label_shapes:
            return
        before = self.batch_size, self.slices, self.data_layouts, self.label_layouts
        try:
            self._bind(list(data_shapes), labels)
        except BaseException:
            self.batch_size, self.slices, self.data_layouts, self.label_layouts = before
            raise

    # Parameters.

    def need_shapes(
        self, who: str, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]
    ) -> None:
        """Refuse parameters whose shapes are not those that the inputs need."""
        inputs = ", ".join(f"{desc.name} {tuple(desc.shape)}" for desc in self.data_shapes)
        why = f", which the network needs for {inputs}; it is of another network or other inputs"
        executor = self.execs[0]
        for given, arrays in ((arg_params, executor.arg_dict), (aux_params, executor.aux_dict)):
            need_shapes(who, given, {name: array.shape for name, array in arrays.items()}, why)

    def set_params(
        self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray], allow_extra: bool = False
    ) -> None:
        """Copy parameters to all devices."""
        for executor in self.execs:
            executor.copy_params_from(arg_params, aux_params, allow_extra_params=allow_extra)

    @property
    def is_over_workers(self) -> bool:
        """Whether other processes have some of the graph and of its parameters."""
        return bool(self.execs[0].arg_workers)

    def get_params(self, arg_params: Mapping[str, NDArray], aux_params: Mapping[str, NDArray]) -> None:
        """Copy parameters, averaged over the devices, into the given arrays.

        Where other workers have some of them, all workers call it.
        """
        params = [name for name in self.arg_names if name in self.param_names]
        if self.is_over_workers:
            for name, value in self.execs[0].gather([*params, *self.aux_names]).items():
                value.copyto((arg_params if name in params else aux_params)[name])
            return
        for names, blocks, targets in (
            (params, self.param_arrays, arg_params),
            (self.aux_names, self.aux_arrays, aux_params),
        ):
            for name, block in zip(names, blocks):
                if len(block) == 1:
                    block[0].copyto(targets[name])
                    continue
                total = block[0].as_in_context(cpu())
                for replica in block[1:]:
                    total = total + replica.as_in_context(cpu())
                (total / len(block)).copyto(targets[name])

    def get_states(self, merge_multi_context: bool = True) -> list[list[NDArray]]:
        """Return the states, one list per state with an array per device."""
        if merge_multi_context:
            raise ValueError("[get_states] merge_multi_context=True; states are given per device only")
        return self.state_arrays

    def set_states(self, states: Any = None, value: Any = None) -> None:
        """Set all states from arrays (nested as :meth:`get_states` gives them), or to one number."""
        if (states is None) == (value is None):
            raise ValueError("[set_states] give either states or value")
        for i, replicas in enumerate(self.state_arrays):
            for k, target in enumerate(replicas):
                if states is None:
                    target[:] = value
                else:
                    states[i][k].copyto(target)

    # Running.

    def forward_as_bound(self, batch: Any, train: bool) -> bool:
        """Run a batch that is just what one device is bound to; False, with nothing done, for others."""
        data: Any = getattr(batch, "data", None)
        label: Any = getattr(batch, "label", None)
        if label is None and not self.label_names:
            label = ()
        kinds = (list, tuple)
        if type(data) not in kinds or type(label) not in kinds or len(data) != len(self.data_names):
            return False
        arrays, places = [*data, *label], self._places
        if places is None or len(arrays) != len(places):
            return False
        for array, (_, shape) in zip(arrays, places):
            if type(array) is not NDArray or array.shape != shape:
                return False
        self.ran = False
        for array, (target, _) in zip(arrays, places):
            array.copyto(target)
        self.execs[0].forward(is_train=train)
        self.unlabelled = []
        self.ran = True
        return True

    def fits(self, batch: Any) -> bool:
        """Whether this is one batch, no list of them, whose data have the shapes that are bound."""
        data, label = getattr(batch, "data", None), getattr(batch, "label", None)
        if not isinstance(data, (list, tuple)):
            return False
        return [getattr(array, "shape", None) for array in data] == self._extents and (
            not isinstance(label, (list, tuple)) or not label or bool(self.label_names)
        )

    def lists_of(self, batch: Any, train: bool, label_names: Sequence[str]) -> tuple[list[Any], list[Any]]:
        """Return the data and the labels of one batch; refuse counts and kinds that are not those bound.

        Labels may lack where no gradients are asked for; those that nobody bound are left out.
        """
        if not hasattr(batch, "data"):
            raise TypeError(f"[forward] data_batch is {type(batch).__name__}; expected a DataBatch")
        given = getattr(batch, "label", None)
        lists: list[list[Any]] = []
        for what, arrays, names, least in (
            ("data", batch.data, self.data_names, len(self.data_names)),
            ("label", [] if given is None else given, label_names, 0),
        ):
            if not isinstance(arrays, (list, tuple)):
                raise TypeError(f"[forward] {what} is {type(arrays).__name__}; expected a list of NDArray")
            arrays = arrays[: len(names)]  # as in MXNet, what nothing is bound for is left out
            if not least <= len(arrays) <= len(names):
                raise InvalidArgumentError(
                    f"[forward] {what} of the batch has {len(arrays)} arrays; expected {len(names)}: "
                    f"{', '.join(names)}"
                )
            for name, array in zip(names, arrays):
                if not isinstance(array, NDArray):
                    kind = type(array).__name__
                    raise TypeError(f"[forward] a batch holds {kind} as {name!r}; expected NDArray")
            lists.append(list(arrays))
        if train:
            self.unlabelled += [name for name in label_names[len(lists[1]) :] if name in self.arg_names]
        return lists[0], lists[1]

    def forward(self, data_batch: Any, is_train: Optional[bool] = None) -> None:
        """Run a batch; a list of batches holds one per device."""
        self.ran = False
        train = self.for_training if is_train is None else bool(is_train)
        data: Sequence[Any]
        label: Sequence[Any]
        if is_parted(data_batch):
            if len(data_batch) != len(self.execs):
                raise InvalidArgumentError(
                    f"[forward] data_batch is a list of {len(data_batch)}; expected {len(self.execs)}, "
                    "one per device"
                )
            parts = [self.lists_of(batch, train, self.label_names) for batch in data_batch]
            data = list(zip(*(part[0] for part in parts)))
            label = list(zip(*(part[1] for part in parts)))
        else:
            data, label = self.lists_of(data_batch, train, self.label_names)
        used = [i for i in self._used_labels if i < len(label)]
        copies = copies_of(self.data_names, data, self.data_arrays, self.data_layouts, self.advice)
        copies += copies_of(
            [self.label_names[i] for i in used],
            [label[i] for i in used],
            self.label_arrays,
            self._used_layouts,
            self.advice,
        )
        for source, target in copies:
            source.copyto(target)
        for executor in self.execs:
            executor.forward(is_train=train)
        self.ran = True

    def set_updates(self, updater: Any) -> None:
        """Have the backward part change the parameters by the steps of an updater, or, for None, not.

        This is for one device. Their gradients are kept no longer: :attr:`grad_arrays` and :attr:`updates`
        lack them.
        """
        places, weights = self.updatable
        names = [
            name for name in self.arg_names if name in self.param_names and self.grad_req[name] != "null"
        ]
        steps = [] if updater is None else updater.graph_steps(places, weights)
        # Executors of other shapes are made from the first.
        for executor in dict.fromkeys((*self._first_execs, *self.execs)):
            executor.set_updates(dict(zip(names, steps)))
        self.updated = places if steps else []
        self._collect()

    def check_backward(self) -> None:
        """Refuse a backward pass that has nothing to go back through."""
        if not self.for_training:
            raise RefusedValueError(
                "[backward] the module was bound for prediction; bind it with for_training=True"
            )
        if self.ran is False:
            raise InvalidArgumentError(
                "[backward] nothing has run, or the last batch was refused; expected a forward that went well"
            )
        if self.unlabelled:
            raise InvalidArgumentError(
                f"[backward] the last batch came without {', '.join(dict.fromkeys(self.unlabelled))}; "
                "expected labels, which training needs"
            )

    def backward(self, out_grads: Any = None) -> None:
        """Run the backward pass; ``out_grads`` are the gradients of the outputs of the whole batch."""
        self.check_backward()
        if out_grads is None:
            for executor in self.execs:
                executor.backward()
            return
        heads = [out_grads] if isinstance(out_grads, NDArray) else out_grads
        if not isinstance(heads, (list, tuple)) or not all(isinstance(head, NDArray) for head in heads):
            kinds = (
                f"a list with {', '.join(sorted({type(head).__name__ for head in heads}))}"
                if isinstance(heads, (list, tuple))
                else type(heads).__name__
            )
            raise TypeError(f"[backward] out_grads is {kinds}; expected an NDArray, a list of them, or None")
        heads = heads[: self.num_outputs]  # executors leave out the rest, too
        for executor, part in zip(self.execs, self.slices):
            parts = [
                part_of(head, part, axis).as_in_context(output.context)
                for head, axis, output in zip(heads, self.output_layouts, executor.outputs)
            ]
            executor.backward(out_grads=parts)

    def get_output_shapes(self) -> list[tuple[str, tuple[int, ...]]]:
        """Return the name and the shape of each output, for a whole batch."""
        shapes = []
        for name, output, axis in zip(self.output_names, self.execs[0].outputs, self.output_layouts):
            shape = list(output.shape)
            if axis >= 0:
                shape[axis] = self.batch_size
            shapes.append((name, tuple(shape)))
        return shapes

    def get_outputs(self, merge_multi_context: bool = True, begin: int = 0, end: Optional[int] = None) -> Any:
        """Return outputs ``begin`` to ``end``: one array each, or a list with one per device."""
        which = range(self.num_outputs)[begin:end]
        per_device = [executor.outputs for executor in self.execs]
        outputs = [[device[i] for device in per_device] for i in which]
        return merged(outputs, [self.output_layouts[i] for i in which]) if merge_multi_context else outputs

    def get_input_grads(self, merge_multi_context: bool = True) -> Any:
        """Return the gradients of the data: one array each, or a list with one per device."""
        if not self.inputs_need_grad:
            raise ValueError("[get_input_grads] the module was bound without inputs_need_grad=True")
        if merge_multi_context:
            return merged(self.input_grad_arrays, self.data_layouts)
        return self.input_grad_arrays

    def update_metric(self, eval_metric: Any, labels: Sequence[Any], pre_sliced: bool = False) -> None:
        """Update a metric with the outputs of each device and its part of the labels."""
        for i, (executor, part) in enumerate(zip(self.execs, self.slices)):
            if pre_sliced:
                own = list(labels[i])
            else:
                own = [part_of(label, part, axis) for label, axis in zip(labels, self.label_layouts)]
            outputs = dict(zip(self.output_names, executor.outputs))
            eval_metric.update_dict(dict(zip(self.label_names, own)), outputs)

    def install_monitor(self, mon: Any) -> None:
        """Let a monitor watch all executors."""
        for executor in self.execs:
            mon.install(executor)
