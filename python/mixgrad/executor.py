"""Graphs bound to arrays (``mx.executor``); made by :meth:`Symbol.bind` and :meth:`Symbol.simple_bind`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _core, _hints, passes
from ._c_values import CText
from ._hints import near
from ._repr import shapes_text
from ._watched_names import renamed_inputs
from .base import (
    InvalidArgumentError,
    ShapeError,
    extents,
)
from .context import Context
from .ndarray import NDArray

if TYPE_CHECKING:
    from .symbol import Symbol

__all__ = ["Executor", "set_recompute"]

Arrays = Union[Sequence[Optional[NDArray]], Mapping[str, NDArray]]
Requests = Union[str, Sequence[str], Mapping[str, str]]
Params = Mapping[str, NDArray]

_ARGUMENTS, _OUTPUTS, _AUXILIARY, _GRADIENTS = 0, 1, 2, 4  # lists of arrays of a handle


class Executor:
    """A graph bound to arrays: :meth:`forward` computes its outputs, :meth:`backward` their gradients.

    Attributes
    ----------
    arg_arrays, grad_arrays, aux_arrays : list of NDArray
        In order of ``list_arguments()`` and ``list_auxiliary_states()``; None for a gradient not wanted.
    outputs : list of NDArray
        The same arrays in every run.
    arg_workers, aux_workers : dict of str to int
        Of a graph over several workers: the rank of the one that has each argument or state. Else empty.

    Examples
    --------
    >>> import mixgrad as mx
    >>> x = mx.sym.var("x")
    >>> exe = mx.sym.square(x).simple_bind(mx.cpu(), x=(2,))
    >>> exe.forward(is_train=True, x=mx.nd.array([1, 3]))[0].asnumpy()
    array([1., 9.], dtype=float32)
    >>> exe.backward(mx.nd.ones((2,)))
    >>> exe.grad_dict["x"].asnumpy()
    array([2., 6.], dtype=float32)
    """

    def __init__(
        self,
        handle: _core.ExecutorHandle,
        symbol: Symbol,
        ctx: Context,
        grad_req: Requests,
        names: Optional[tuple[list[str], list[str]]] = None,
    ) -> None:
        self._handle = handle
        self._symbol = symbol
        self._ctx = ctx
        self._grad_req = grad_req
        # Listing them walks over the graph, so whoever has the names gives them.
        self._arg_names, self._aux_names = names or (symbol.list_arguments(), symbol.list_auxiliary_states())
        self.arg_arrays: list[NDArray] = [
            _given(handle.array(_ARGUMENTS, i)) for i in range(len(self._arg_names))
        ]
        self.grad_arrays = [handle.array(_GRADIENTS, i) for i in range(len(self._arg_names))]
        self.aux_arrays: list[NDArray] = [
            _given(handle.array(_AUXILIARY, i)) for i in range(len(self._aux_names))
        ]
        self.outputs: list[NDArray] = [_given(handle.array(_OUTPUTS, i)) for i in range(len(symbol))]
        self._merges = "common" in passes.enabled()
        self.arg_workers: dict[str, int] = {}
        self.aux_workers: dict[str, int] = {}
        self._rank = 0  # of this worker
        self._updated: list[str] = []  # arguments that backward changes
        self._arg_dict: Optional[dict[str, NDArray]] = None
        self._watcher: Optional[tuple[Callable[[str, NDArray], None], bool]] = None

    def __repr__(self) -> str:
        arguments = shapes_text((n, a.shape) for n, a in zip(self._arg_names, self.arg_arrays))
        outputs = shapes_text((n, a.shape) for n, a in zip(self._symbol.list_outputs(), self.outputs))
        return f"<Executor on {self._ctx}: {arguments} -> {outputs}>"

    # Running

    def forward(self, is_train: bool = False, **kwargs: Any) -> list[NDArray]:
        """Computes the outputs.

        Parameters
        ----------
        is_train : bool
            Whether operators behave as in training, and what :meth:`backward` needs is kept.
        **kwargs : NDArray or numpy.ndarray
            Values of arguments, copied into the bound arrays first.

        Returns
        -------
        list of NDArray
            :attr:`outputs`.
        """
        if kwargs:
            arguments = self._arguments()
            for name, value in kwargs.items():
                if not isinstance(value, (NDArray, np.ndarray)):
                    raise ValueError(
                        f"[forward] {name} is {type(value).__name__}; expected NDArray or numpy.ndarray"
                    )
                if name not in arguments:
                    raise TypeError(f"[forward] no argument is called {name!r}; there are {self._arg_names}")
                if arguments[name].shape != value.shape:
                    raise ShapeError(
                        f"[forward] {name} has shape {value.shape}; it is bound to {arguments[name].shape}"
                    )
            for name, value in kwargs.items():  # once all fit
                # Of the batch before nothing stays, also if this one is missing.
                if isinstance(value, NDArray):
                    value.copyto(arguments[name])
                else:
                    arguments[name][:] = value
        self._handle.forward(bool(is_train))
        return self.outputs

    def backward(
        self,
        out_grads: Union[NDArray, Sequence[NDArray], Mapping[str, NDArray], None] = None,
        is_train: bool = True,
    ) -> None:
        """Computes the gradients of the last :meth:`forward` into :attr:`grad_arrays`.

        Without a forward before, one of training runs first. Called again, it computes the forward part
        again, with the same random numbers, and auxiliary states move once more.

        Parameters
        ----------
        out_grads : NDArray, list of NDArray, or dict of str to NDArray, optional
            Gradients of the outputs, of any dtype; not needed where an output is a loss.
        is_train : bool
            Accepted for MXNet's sake: gradients are those of the mode in which forward ran.
        """
        if out_grads is None:
            given: list[NDArray] = []
        elif isinstance(out_grads, NDArray):
            given = [out_grads]
        elif isinstance(out_grads, Mapping):
            given = [out_grads[name] for name in self._symbol.list_outputs()]
        elif isinstance(out_grads, (list, tuple)):
            given = list(out_grads)
        else:
            kind = type(out_grads).__name__
            raise TypeError(f"[backward] out_grads is {kind}; expected an NDArray, or a list or dict of them")
        for gradient in given:
            if not isinstance(gradient, NDArray):
                raise TypeError(f"[backward] out_grads has {type(gradient).__name__}; expected NDArray")
        self._handle.backward(given)

    def set_updates(self, updates: Mapping[str, tuple[str, Sequence[NDArray], Mapping[str, float]]]) -> None:
        """Has :meth:`backward` change arguments in place of filling their gradient arrays.

        A step is taken as soon as its gradient is there and nothing reads the argument's old value any more,
        so gradients take working memory only while they are needed, and :attr:`grad_arrays` has None for
        these arguments. Arguments that were updated before get gradient arrays again.

        Parameters
        ----------
        updates : dict of str to tuple
            Per name of an argument an operator's name, states and options:
            ``name(argument, gradient, *states, **options)`` gives the new value and changes the states. Its
            options ``lr`` and ``wd`` can be changed by :meth:`set_rates`. The argument's grad_req may not be
            'add'.

        Examples
        --------
        >>> import mixgrad as mx
        >>> x = mx.sym.var("x")
        >>> exe = mx.sym.make_loss(mx.sym.square(x)).simple_bind(mx.cpu(), x=(2,))
        >>> exe.set_updates({"x": ("sgd_update", [], {"lr": 0.25})})
        >>> exe.forward(is_train=True, x=mx.nd.array([1, 3]))[0].asnumpy()
        array([1., 9.], dtype=float32)
        >>> exe.backward()
        >>> exe.arg_dict["x"].asnumpy()
        array([0.5, 1.5], dtype=float32)
        """
        if not isinstance(updates, Mapping):
            raise TypeError(
                f"[set_updates] updates is {type(updates).__name__}; expected a dict of (operator, states, "
                "options) by name"
            )
        self._arguments()  # refuses names that stand for several
        given = [self._given_update(name, update) for name, update in updates.items()]
        self._handle.set_updates(given)
        self._updated = list(updates)
        self.grad_arrays = [self._handle.array(_GRADIENTS, i) for i in range(len(self._arg_names))]

    def _given_update(
        self, name: str, update: Any
    ) -> tuple[int, str, list[NDArray], list[tuple[str, float]]]:
        """Check an update of an argument; give what the handle takes."""
        if name not in self._arg_names:
            raise InvalidArgumentError(
                f"[set_updates] no argument is called {name!r}{near(name, self._arg_names)}"
            )
        who = f"[set_updates] the update of {name!r}"
        if not isinstance(update, (tuple, list)) or len(update) != 3:
            raise TypeError(f"{who} is {update!r:.60}; expected (operator, states, options)")
        operator, states, options = update
        if not isinstance(operator, str):
            raise TypeError(f"{who} has a {type(operator).__name__} as operator; expected a name")
        if not isinstance(states, (tuple, list)) or not all(isinstance(s, NDArray) for s in states):
            raise TypeError(f"{who} has {type(states).__name__} as states; expected a list of NDArray")
        if not isinstance(options, Mapping):
            raise TypeError(f"{who} has {type(options).__name__} as options; expected a dict of numbers")
        numbers = []
        for option, value in {"lr": 0.0, **options}.items():
            if not isinstance(value, Real):
                raise TypeError(f"{who}: {option} is {value!r:.60}; expected a number")
            numbers.append((option, float(value)))
        return self._arg_names.index(name), operator, list(states), numbers

    def set_rates(self, lrs: Sequence[float], wds: Sequence[float]) -> None:
        """Sets ``lr`` and ``wd`` of the updates from the next :meth:`backward` on, in their order.

        :meth:`set_updates` replaces them.
        """
        for what, numbers in (("lrs", lrs), ("wds", wds)):
            if not isinstance(numbers, (list, tuple, np.ndarray)):
                raise TypeError(
                    f"[set_rates] {what} is {type(numbers).__name__}; expected a list of numbers, one "
                    "per update"
                )
        self._handle.set_rates(lrs, wds)

    # Arrays by name

    def _arguments(self) -> dict[str, NDArray]:
        if self._arg_dict is None:
            self._arg_dict = _by_name(self._arg_names, self.arg_arrays)
        return self._arg_dict

    @property
    def arg_dict(self) -> dict[str, NDArray]:
        """Arguments by name."""
        return self._arguments()

    @property
    def grad_dict(self) -> dict[str, Optional[NDArray]]:
        """Gradients by name of the argument."""
        return _by_name(self._arg_names, self.grad_arrays)

    @property
    def aux_dict(self) -> dict[str, NDArray]:
        """Auxiliary states by name."""
        return _by_name(self._aux_names, self.aux_arrays)

    @property
    def output_dict(self) -> dict[str, NDArray]:
        """Outputs by name."""
        return _by_name(self._symbol.list_outputs(), self.outputs)

    def copy_params_from(
        self, arg_params: Params, aux_params: Optional[Params] = None, allow_extra_params: bool = False
    ) -> None:
        """Copies values into arguments and auxiliary states by name.

        Parameters
        ----------
        arg_params, aux_params : dict of str to NDArray
            Values; dtypes are converted.
        allow_extra_params : bool
            Whether names that the graph lacks are skipped; otherwise they are an error.
        """
        kinds = (
            ("argument", arg_params, self.arg_dict),
            ("auxiliary state", aux_params or {}, self.aux_dict),
        )
        for what, params, arrays in kinds:  # all are looked at before one is copied
            if not isinstance(params, Mapping):
                raise TypeError(
                    f"[copy_params_from] {what}s are {type(params).__name__}; expected a dict by name"
                )
            for name, value in params.items():
                if not isinstance(value, NDArray):
                    raise TypeError(
                        f"[copy_params_from] {what} {name!r} is {type(value).__name__}; expected NDArray"
                    )
                if name not in arrays:
                    if not allow_extra_params:
                        raise InvalidArgumentError(
                            f"[copy_params_from] the graph has no {what} called {name!r}"
                        )
                elif value.shape != arrays[name].shape:
                    raise ShapeError(
                        f"[copy_params_from] {what} {name!r} has shape {value.shape}; expected "
                        f"{arrays[name].shape}, to which it is bound"
                    )
        for _, params, arrays in kinds:
            for name, value in params.items():
                if name in arrays and self._has(name):
                    value.astype(arrays[name].dtype, copy=False).copyto(arrays[name])

    # Over several workers

    def _has(self, name: str) -> bool:
        """Whether it is this worker that has the argument or state."""
        return self._rank == self.arg_workers.get(name, self.aux_workers.get(name, self._rank))

    def gather(self, names: Sequence[str]) -> dict[str, NDArray]:
        """Arguments and auxiliary states by name, with the values of the workers that have them.

        Of a graph over several workers, all of them call it, with the same names. Otherwise it gives the
        arrays themselves.

        Parameters
        ----------
        names : list of str
            What is wanted.

        Raises
        ------
        InvalidArgumentError
            There is no argument or state of that name.
        """
        arrays = {**self.aux_dict, **self.arg_dict}
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise TypeError(f"[gather] names is {type(names).__name__}; expected a list of str")
        names = list(names)
        for name in names:
            if name not in arrays:
                raise InvalidArgumentError(
                    f"[gather] no argument or auxiliary state is called {name!r}{near(name, list(arrays))}"
                )
        chosen = {name: arrays[name] for name in names}
        workers = {**self.aux_workers, **self.arg_workers}
        if not workers or not chosen:
            return chosen
        from ._binding import bind
        from .attribute import AttrScope
        from .symbol import Group, var
        from .symbol.functions import internal

        # Every worker gets all outputs of a graph, so this is one whose outputs are these.
        copies = []
        for name, array in chosen.items():
            with AttrScope(ctx_group=f"worker{workers[name]}"):
                copies.append(internal("identity")(var(name, shape=array.shape, dtype=array.dtype)))
        groups = {f"worker{rank}": f"worker:{rank}/cpu(0)" for rank in set(workers.values())}
        executor = bind(Group(copies), self._ctx, chosen, None, "null", None, groups, None)
        return dict(zip(chosen, executor.forward()))

    # Other shapes

    def reshape(
        self, partial_shaping: bool = False, allow_up_sizing: bool = False, **kwargs: Sequence[int]
    ) -> Executor:
        """An executor for other shapes that shares memory with this one.

        Parameters
        ----------
        partial_shaping : bool
            Whether arguments that are not named may change their shape.
        allow_up_sizing : bool
            Whether arrays may become larger, which takes new memory.
        **kwargs : tuple of int
            New shapes by name.
        """
        shapes = [extents(shape, "reshape") for shape in kwargs.values()]
        handle = self._handle.reshape(list(kwargs), shapes, bool(partial_shaping), bool(allow_up_sizing))
        made = Executor(handle, self._symbol, self._ctx, self._grad_req)
        made._updated, made._rank = self._updated, self._rank
        made.arg_workers, made.aux_workers = self.arg_workers, self.aux_workers
        if self._watcher:
            made.set_monitor_callback(*self._watcher)
        return made

    # Looking inside

    def set_monitor_callback(
        self, callback: Optional[Callable[[str, NDArray], Any]], monitor_all: bool = False
    ) -> None:
        """Has ``callback(name, array)`` called for each output of each operator while the graph runs.

        Nodes then run one by one. None ends it.

        Parameters
        ----------
        callback : function
            Gets the name of the value, as in ``"fc1_output"``, and a copy of it.
        monitor_all : bool
            Whether it is also called for the inputs of operators: ``"fc1_weight"`` or, where MXNet has no
            name for them, ``"relu1_input0"``.
        """
        if callback is not None and not callable(callback):
            raise TypeError(
                f"[set_monitor_callback] callback is {type(callback).__name__}; expected a function or None"
            )
        names = renamed_inputs(self._symbol) if callback is not None and monitor_all else {}
        watch = (
            None if callback is None else (lambda name, array: callback(CText(names.get(name, name)), array))
        )
        self._handle.watch(watch, bool(monitor_all))
        self._watcher = None if callback is None else (callback, bool(monitor_all))

    def debug_str(self) -> str:
        """The nodes that run, where their values lie, and the planned bytes, for people."""
        return self._handle.debug_text()

    def planned_bytes(self, is_train: Optional[bool] = None) -> tuple[int, int]:
        """Bytes of working memory and outputs, and the least that any plan could take.

        Parameters
        ----------
        is_train : bool, optional
            The mode; by default training if gradients are wanted.
        """
        if is_train is None:
            is_train = bool(self._updated) or any(gradient is not None for gradient in self.grad_arrays)
        return self._handle.planned(is_train)

    def get_optimized_symbol(self) -> Symbol:
        """The symbol bound, without calls that stand twice in it, which are computed once.

        What else the passes do has no symbol; :meth:`Symbol.graph_str` shows it.

        Examples
        --------
        >>> import mixgrad as mx
        >>> x = mx.sym.var("x")
        >>> exe = (mx.sym.exp(x) * mx.sym.exp(x)).simple_bind(mx.cpu(), x=(2,))
        >>> len(exe.get_optimized_symbol().get_internals())
        3
        """
        from .symbol.repeats import without_repeats

        return without_repeats(self._symbol) if self._merges else self._symbol


def set_recompute(setting: str) -> None:
    """What executors bound from now on compute again in ``backward`` instead of keeping it in memory.

    Parameters
    ----------
    setting : str
        'off'; 'cheap' for what costs little beside convolutions and products, such as normalisation and
        activations; 'least' for as little memory as possible; or a budget for working memory such as '500MB'
        (met with as little extra time as possible). The environment variables ``MIXGRAD_RECOMPUTE`` and
        ``MXNET_BACKWARD_DO_MIRROR=1`` (cheap) do the same at start. Nodes with the attribute
        ``force_mirroring='True'`` are always computed again.
    """
    _core.set_recompute(setting)


def _given(array: Optional[NDArray]) -> NDArray:
    assert array is not None
    return array


def _by_name(names: list[str], arrays: Sequence[Any]) -> dict[str, Any]:
    found = dict(zip(names, arrays))
    if len(found) != len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"[executor] several arrays are called {twice}; use the lists of arrays")
    return found


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
