"""The base of all optimisers: learning rates and decays per weight, update counts, mixed precision."""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, ClassVar, TypeVar

import numpy as np

from .. import ndarray as nd
from .._hints import add_foreign_names, near, refuse_arguments
from .._np_semantics import is_np_array
from .._repr import call_text, option_names
from .._words import OPTIMIZER, STEPPER
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray

__all__ = ["Optimizer", "State", "create", "register"]

_LOG = logging.getLogger(__name__)

# What an optimiser keeps per weight: None, an array, or a tuple of such.
State = Any
# Name of an operator, states and options, see Optimizer.graph_step.
Step = tuple[str, tuple[NDArray, ...], dict[str, Any]]
Klass = TypeVar("Klass", bound="type[Optimizer]")


ROW_SPARSE = 1  # of NDArray._storage
# Weights that one call updates at most.
AT_ONCE = 60

# Faster ways to update, and the methods that they stand for: a class that defines one of these below the
# class that defines the way goes without it.
_STEPS = {
    "update_multi_precision": ("update",),
    "update_many": ("update", "update_multi_precision", "_get_lr", "_get_wd"),
}
_STATE = "create_state_multi_precision"
# Options that `repr` leaves out, always or while they have these values.
_HIDDEN = ("sym", "param_idx2name", "param_dict", "learning_rate", "begin_num_update", "lazy_update")
_QUIET = {
    "wd": 0.0,
    "clip_gradient": None,
    "lr_scheduler": None,
    "multi_precision": False,
    "rescale_grad": 1.0,
}


def _definer(klass: type, name: str) -> type:
    """The class in which ``klass`` finds a method."""
    return next(part for part in klass.__mro__ if name in vars(part))


class Optimizer:
    """Base of all optimisers.

    A subclass defines :meth:`create_state` and :meth:`update`. Weights are known by an index (an int, or any
    hashable key), and through ``param_idx2name`` by a name.

    Parameters
    ----------
    rescale_grad : float
        Every gradient is multiplied by this first; often ``1 / batch_size``.
    param_idx2name : dict of int to str, optional
        Names of the weights. Those whose name does not end in ``_weight`` or ``_gamma`` get no weight decay.
    wd : float
        Weight decay: the factor of an L2 penalty.
    clip_gradient : float, optional
        After rescaling, gradients are limited to ``[-clip_gradient, clip_gradient]``.
    learning_rate : float, optional
        Learning rate, 0.01 by default. With a scheduler it replaces the scheduler's ``base_lr``.
    lr_scheduler : LRScheduler, optional
        Gives the rate from the number of updates.
    sym : Symbol, optional
        Its variables' ``__lr_mult__`` and ``__wd_mult__`` attributes multiply the rates.
    begin_num_update : int
        Updates made before this training began.
    multi_precision : bool
        Keep a float32 copy of 16-bit weights and update that.
    param_dict : dict of int to Parameter, optional
        Objects whose ``lr_mult`` and ``wd_mult`` multiply the rates, by index.

    Examples
    --------
    >>> import mixgrad as mx
    >>> @mx.optimizer.register
    ... class Plain(mx.optimizer.Optimizer):
    ...     def update(self, index, weight, grad, state):
    ...         self._update_count(index)
    ...         weight -= self._get_lr(index) * grad
    >>> w = mx.nd.ones((2,))
    >>> mx.optimizer.create("plain", learning_rate=0.5).update(0, w, mx.nd.ones((2,)), None)
    >>> w.asnumpy().tolist()
    [0.5, 0.5]
    """

    opt_registry: ClassVar[dict[str, type[Optimizer]]] = {}
    aggregate_num: int = 0
    # Whether operators of mixed precision take the state (state, master) in one step.
    _has_mixed_operators: ClassVar[bool] = False

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: Mapping[Any, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: LRScheduler | None = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: Mapping[Any, Any] | None = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            known = [n for n in option_names(type(self), Optimizer) if n not in ("sym", "param_dict")]
            refuse_arguments(type(self).__name__, unknown, known, OPTIMIZER)
        if param_idx2name is not None and not isinstance(param_idx2name, Mapping):
            raise TypeError(
                f"[{type(self).__name__}] param_idx2name must map indices to names, got "
                f"{type(param_idx2name).__name__}"
            )
        self._check_finite(rescale_grad=rescale_grad)
        if clip_gradient is not None:
            self._check_finite(clip_gradient=clip_gradient)
        if learning_rate is not None:
            self._check_finite(learning_rate=learning_rate)
        self._check_finite(wd=wd)
        self._check_at_least_zero(begin_num_update=begin_num_update)
        self.rescale_grad = rescale_grad
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.wd = wd
        self.lr_scheduler = lr_scheduler
        self.lr: float | None = 0.01 if learning_rate is None else learning_rate
        if lr_scheduler is not None:
            if learning_rate is None:
                self.lr = None
            elif lr_scheduler.base_lr != learning_rate:
                _LOG.info("learning_rate=%g replaces base_lr=%g", learning_rate, lr_scheduler.base_lr)
                lr_scheduler.base_lr = learning_rate
        self.begin_num_update = begin_num_update
        self.num_update = begin_num_update
        # Update counts by weight, for each device: replicas of one weight are updated once per step each.
        self._all_index_update_counts: dict[int, dict[Any, int]] = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.idx2name: dict[Any, str] = dict(param_idx2name or {})
        self.param_dict: dict[Any, Any] = dict(param_dict or {})
        self.sym_info: tuple[Any, ...] = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.allow_np_array = is_np_array()  # as MXNet has it; arrays of either kind are taken
        self.set_lr_mult({})
        self.set_wd_mult({})

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Have a method that a subclass defines called, where the class above updates in another way."""
        super().__init_subclass__(**kwargs)
        for way, steps in _STEPS.items():
            owner = _definer(cls, way)
            if owner is Optimizer:
                continue
            own = {name for klass in cls.__mro__[: cls.__mro__.index(owner)] for name in vars(klass)}
            if own.isdisjoint(steps) or (way == "update_multi_precision" and _STATE in own):
                continue
            setattr(cls, way, getattr(Optimizer, way))
            if way == "update_multi_precision":  # and the state that goes with it
                setattr(cls, _STATE, getattr(Optimizer, _STATE))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if name not in _FOREIGN]

    def __repr__(self) -> str:
        shown: dict[str, Any] = {"learning_rate": self.lr} if self.lr_scheduler is None else {}
        for name in option_names(type(self), Optimizer):
            if name in _HIDDEN or not hasattr(self, name):
                continue
            value = getattr(self, name)
            if name not in _QUIET or (value is not _QUIET[name] and value != _QUIET[name]):
                shown.setdefault(name, value)
        return call_text(self, shown)

    # Checking what a user chose.

    def _check_numbers(self, low: float, below: float, **values: Any) -> None:
        """Raise unless all ``values`` are finite numbers from ``low`` up to, not including, ``below``."""
        for name, value in values.items():
            wanted = "a finite number"
            if low > -math.inf:
                wanted = f"at least {low:g}" if below == math.inf else f"{low:g} <= {name} < {below:g}"
            if not isinstance(value, Real):
                raise TypeError(f"[{type(self).__name__}] {name} is {value!r}; expected a number")
            if not (math.isfinite(value) and low <= float(value) < below):
                raise ValueError(f"[{type(self).__name__}] {name} is {value!r}; expected {wanted}")

    def _check_fractions(self, **values: Any) -> None:
        """Raise unless all ``values`` can be the share of an old value that is kept: 0 <= value < 1."""
        self._check_numbers(0, 1, **values)

    def _check_finite(self, **values: Any) -> None:
        self._check_numbers(-math.inf, math.inf, **values)

    def _check_at_least_zero(self, **values: Any) -> None:
        self._check_numbers(0, math.inf, **values)

    # Making one.

    @staticmethod
    def register(klass: Klass) -> Klass:
        """File a class under its lower-case name for :meth:`create_optimizer`; return the class."""
        if not (isinstance(klass, type) and issubclass(klass, Optimizer)):
            raise TypeError(f"[optimizer.register] expected a subclass of Optimizer, got {klass!r}")
        name = klass.__name__.lower()
        known = Optimizer.opt_registry.get(name)
        if known is not None and known is not klass:
            warnings.warn(
                f"[optimizer.register] '{name}' now means {klass.__module__}.{klass.__qualname__}; "
                f"it meant {known.__module__}.{known.__qualname__}",
                UserWarning,
                stacklevel=2,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: Any) -> Optimizer:
        """Make the optimiser registered as ``name`` (case does not matter); ``ValueError`` if unknown."""
        if not isinstance(name, str):
            raise TypeError(f"[optimizer.create] expected a name, got {type(name).__name__}: {name!r}")
        klass = Optimizer.opt_registry.get(name.lower())
        if klass is None:
            known = sorted(one for one in Optimizer.opt_registry if not one.startswith("_"))
            hint = near(name, known)
            raise ValueError(
                f"[optimizer.create] unknown optimizer '{name}'{hint}; known: {', '.join(known)}"
            )
        return klass(**kwargs)

    def _name_of(self, index: Any) -> str:
        """How messages call a weight."""
        name = self.idx2name.get(index) if isinstance(index, (int, str)) else None
        return f"index {index!r:.60}" if name is None or name == index else f"{name!r} (index {index!r})"

    def _check_arrays(self, index: Any, weight: Any, grad: Any) -> None:
        """Raise ``TypeError`` unless a weight and its gradient are arrays."""
        for what, array in (("weight", weight), ("gradient", grad)):
            if not isinstance(array, NDArray):
                raise TypeError(
                    f"[{type(self).__name__}.update] the {what} of {self._name_of(index)} is "
                    f"{type(array).__name__}; expected NDArray"
                )

    def _check_call(self, index: Any, weight: Any, grad: Any, state: Any, parts: int | None) -> None:
        """Raise ``TypeError`` unless :meth:`_step` may go on; subclasses of NDArray and tuple may."""
        self._check_arrays(index, weight, grad)
        if parts:
            good, wanted = isinstance(state, (tuple, list)) and len(state) == parts, f"a tuple of {parts}"
        elif parts is None:
            good, wanted = state is None or isinstance(state, NDArray), "None or NDArray"
        else:
            good, wanted = isinstance(state, NDArray), "NDArray"
        if not good:
            many = f" of {len(state)}" if isinstance(state, (tuple, list)) else ""
            raise TypeError(
                f"[{type(self).__name__}.update] the state of {self._name_of(index)} is "
                f"{'None' if state is None else type(state).__name__ + many}; expected {wanted}, as "
                "create_state makes it"
            )

    # Updating.

    def create_state(self, index: Any, weight: NDArray) -> State:
        """Return the state for ``weight``: None, an array, or a tuple of arrays of the weight's shape."""
        return None

    def create_state_multi_precision(self, index: Any, weight: NDArray) -> State:
        """Return the state for a weight of any precision.

        With ``multi_precision`` and a 16-bit weight it is ``(master, state)``, where ``master`` is the
        weight in float32 and ``state`` belongs to it.
        """
        if self._keeps_master(weight):
            master = weight.astype("float32")
            return (master, self.create_state(index, master))
        return self.create_state(index, weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        """Change ``weight`` and ``state`` in place by one step along ``grad`` (same shape and dtype)."""
        raise NotImplementedError(f"[{type(self).__name__}] an optimizer must define update")

    def update_multi_precision(self, index: Any, weight: NDArray, grad: NDArray, state: State) -> None:
        """As :meth:`update`, for a state of :meth:`create_state_multi_precision`."""
        if isinstance(index, list):
            self.update(index, weight, grad, state)
            return
        if not (type(weight) is NDArray is type(grad)):
            self._check_arrays(index, weight, grad)
        if self._keeps_master(weight):
            if not (type(state) is tuple and len(state) == 2):
                self._check_call(index, weight, grad, state, 2)
            master, inner = state
            self.update(index, master, grad.astype("float32"), inner)
            nd.cast(master, dtype=weight.dtype, out=weight)
        else:
            self.update(index, weight, grad, state)

    def update_many(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> None:
        """As :meth:`update_multi_precision` for each of several weights; subclasses may do it in one call."""
        if self._takes_lists():
            self._update_lists(indices, weights, grads, states)
            return
        for index, weight, grad, state in zip(indices, weights, grads, states):
            self.update_multi_precision(index, weight, grad, state)

    def graph_step(self, weight: NDArray, state: State) -> Step | None:
        """Return the one operator that does what :meth:`update` does, or None where there is no such one.

        It is ``(name, states, options)``: ``name(weight, grad, *states, lr=..., wd=..., **options)`` gives
        the new weight. An executor can take such a step inside its backward part, see
        :meth:`mixgrad.executor.Executor.set_updates`.
        """
        return None if self._why_not_in_graph(weight) else self._operator(state)

    def check_graph_steps(self, indices: Sequence[Any], weights: Sequence[NDArray]) -> None:
        """Raise ``ValueError`` for a weight of which :meth:`graph_step` gives None, whatever its state."""
        for index, weight in zip(indices, weights):
            why = self._why_not_in_graph(weight)
            if why:
                raise ValueError(
                    f"[{type(self).__name__}.graph_step] the optimizer {why}, for {self._name_of(index)}; "
                    "expected SGD, NAG, Signum, Adam, RMSProp or Ftrl, the last four without multi_precision"
                )

    def _why_not_in_graph(self, weight: NDArray) -> str:
        if weight._storage:
            return f"updates a weight of storage type {weight.stype} row by row"
        owner = _definer(type(self), "_operator")
        if owner is Optimizer:
            return "takes a step by several operators"
        for place in (self, *type(self).__mro__[: type(self).__mro__.index(owner)]):
            for name in _STEPS["update_many"]:
                if name in vars(place):
                    return f"defines {name} in a way of its own"
        if self._keeps_master(weight) and not self._has_mixed_operators:
            return "takes a step of mixed precision by several operators"
        return ""

    def graph_rates(self, indices: Sequence[Any]) -> tuple[list[float], list[float]]:
        """Count an update of each weight; return ``lr`` and ``wd`` of the operators of :meth:`graph_step`."""
        self._update_count(indices)
        return self._get_lrs(indices), self._get_wds(indices)

    def uncount(self, indices: Sequence[Any], num_update: int) -> None:
        """Take back what :meth:`graph_rates` counted, for a step that was not taken; what it was before."""
        for index in indices:
            self._index_update_count[index] -= 1
        self.num_update = num_update

    def _operator(self, state: State) -> Step | None:
        """What :meth:`graph_step` and :meth:`_apply` run, for optimisers whose step is one operator."""
        return None

    def _apply(self, weight: NDArray, grad: NDArray, state: State, lr: float, wd: float) -> None:
        """Run the operator that takes the step."""
        step = self._operator(state)
        assert step is not None
        name, states, options = step
        getattr(nd, name)(weight, grad, *states, out=weight, lr=lr, wd=wd, **options)

    def _takes_lists(self) -> bool:
        """Whether :meth:`update` wants lists: the constructor set ``aggregate_num``, as MXNet's do."""
        return bool(vars(self).get("aggregate_num", 0) > 0)

    def _update_lists(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> None:
        """Calls with lists of weights of one dtype, ``aggregate_num`` at a time."""
        by_dtype: dict[int, list[tuple[Any, NDArray, NDArray, State]]] = {}
        for row in zip(indices, weights, grads, states):
            by_dtype.setdefault(row[1]._dtype_number, []).append(row)
        for rows in by_dtype.values():
            step = int(min(self.aggregate_num, len(rows)))  # infinity is as many as there are
            for begin in range(0, len(rows), step):
                columns = zip(*rows[begin : begin + step])
                self.update_multi_precision(*(list(column) for column in columns))  # type: ignore[arg-type]

    def _update_sparse_ones(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> bool:
        """:meth:`update_many` where weights or gradients are sparse: those one by one. False: none is."""
        sparse = [bool(weight._storage or grad._storage) for weight, grad in zip(weights, grads)]
        if not any(sparse):
            return False
        rows = list(zip(indices, weights, grads, states))
        for row in (row for row, apart in zip(rows, sparse) if apart):
            self.update_multi_precision(*row)
        rest = [row for row, apart in zip(rows, sparse) if not apart]
        if rest:
            self.update_many(*(list(column) for column in zip(*rest)))
        return True

    def _update_parts(
        self,
        indices: Sequence[Any],
        weights: Sequence[NDArray],
        grads: Sequence[NDArray],
        states: Sequence[State],
    ) -> None:
        """:meth:`update_many` of as many weights at a time as one call takes."""
        for begin in range(0, len(indices), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            self.update_many(indices[part], weights[part], grads[part], states[part])

    def _many_kwargs(self, indices: Sequence[Any], weights: Sequence[NDArray]) -> dict[str, Any]:
        """What operators that update several weights take besides the optimiser's own options."""
        return {
            **self._op_kwargs(),
            "num_weights": len(indices),
            "lrs": self._get_lrs(indices),
            "wds": self._get_wds(indices),
            "out": weights,
        }

    def _keeps_master(self, weight: NDArray) -> bool:
        """Whether a float32 copy of ``weight`` is kept; warns about 16-bit weights without one."""
        if not _is_half(weight.dtype):
            return False
        if not self.multi_precision:
            warnings.warn(
                f"[{type(self).__name__}] accumulating in 16-bit floating point loses small updates; "
                "multi_precision=True keeps a float32 copy of the weight",
                UserWarning,
                stacklevel=3,
            )
        return self.multi_precision

    def _prepared(self, grad: NDArray) -> NDArray:
        """Return the gradient rescaled and clipped; it may be ``grad`` itself."""
        return self._clipped(self._rescaled(grad))

    def _decayed(self, grad: NDArray, weight: NDArray, wd: float) -> NDArray:
        """Return the rescaled gradient with weight decay, clipped together."""
        return self._clipped(self._rescaled(grad) + wd * weight)

    def _rescaled(self, grad: NDArray) -> NDArray:
        if grad._storage:  # what is computed from here on is of every row
            grad = grad.tostype("default")
        return grad if self.rescale_grad == 1 else grad * self.rescale_grad

    def _clipped(self, grad: NDArray) -> NDArray:
        if self.clip_gradient is None or self.clip_gradient < 0:  # as for the operators, negative means off
            return grad
        clipped: NDArray = nd.clip(grad, -self.clip_gradient, self.clip_gradient)
        return clipped

    def _op_kwargs(self) -> dict[str, Any]:
        """What every update operator takes besides its own options."""
        kwargs: dict[str, Any] = {"rescale_grad": self.rescale_grad}
        if self.clip_gradient:
            kwargs["clip_gradient"] = self.clip_gradient
        return kwargs

    # Learning rates and decays.

    @property
    def learning_rate(self) -> float:
        """The current rate, before the multipliers of single weights."""
        if self.lr_scheduler is not None:
            return self.lr_scheduler(self.num_update)
        assert self.lr is not None
        return self.lr

    def set_learning_rate(self, lr: float) -> None:
        """Set the rate; with a scheduler, which owns it, this raises ``UserWarning``."""
        if self.lr_scheduler is not None:
            raise UserWarning(
                f"[{type(self).__name__}] the rate belongs to the {type(self.lr_scheduler).__name__} "
                f"and cannot be set to {lr}; give the optimizer's lr_scheduler another scheduler, or None, "
                "after which it can"
            )
        self._check_finite(learning_rate=lr)
        self.lr = lr

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Replace the learning-rate multipliers, by index or by name."""
        self._check_multipliers("set_lr_mult", args_lr_mult)
        self.lr_mult = {**self._multipliers_of_symbol("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Replace the decay multipliers, by index or by name.

        Without an entry, weights whose names end in ``_weight`` or ``_gamma`` have 1 and all others 0.
        """
        self._check_multipliers("set_wd_mult", args_wd_mult)
        self.wd_mult = {
            **{name: 0.0 for name in self.idx2name.values() if not self._decays(name)},
            **self._multipliers_of_symbol("__wd_mult__"),
            **args_wd_mult,
        }

    def _check_multipliers(self, who: str, given: Any) -> None:
        if not isinstance(given, Mapping):
            raise TypeError(
                f"[{type(self).__name__}.{who}] got {type(given).__name__}; expected a dict of numbers by "
                "index or name of the weight"
            )

    def _decays(self, name: str) -> bool:
        return name.endswith(("_weight", "_gamma"))

    def _multipliers_of_symbol(self, key: str) -> dict[Any, float]:
        if not self.sym_info:
            return {}
        attributes, arguments = self.sym_info
        return {n: float(attributes[n][key]) for n in arguments if key in attributes.get(n, {})}

    def _set_current_context(self, device_id: int) -> None:
        """Count updates for the replica on device ``device_id`` from now on."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _restore_counts(self, num_update: int, by_device: dict[int, dict[Any, int]]) -> None:
        """Go on counting from what an earlier run counted."""
        self.num_update = max(num_update, self.begin_num_update)
        self._all_index_update_counts = by_device
        self._index_update_count = by_device.setdefault(0, {})

    def _update_count(self, index: Any) -> None:
        """Count one update of a weight, or of each of a list of weights."""
        counts, begin, most = self._index_update_count, self.begin_num_update, self.num_update
        if not isinstance(index, (list, tuple)):
            count = counts[index] = counts.get(index, begin) + 1
            if count > most:
                self.num_update = count
            return
        for key in index:
            count = counts[key] = counts.get(key, begin) + 1
            if count > most:
                most = count
        self.num_update = most

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        rate = self.learning_rate
        if not self.lr_mult and not self.param_dict:
            return [rate] * len(indices)
        return [rate * self._multiplier(index, self.lr_mult, "lr_mult") for index in indices]

    def _get_lr(self, index: Any) -> float:
        return self._get_lrs([index])[0]

    def _get_wds(self, indices: Sequence[Any]) -> list[float]:
        if self.wd == 0.0:
            return [0.0] * len(indices)
        return [self.wd * self._multiplier(index, self.wd_mult, "wd_mult") for index in indices]

    def _get_wd(self, index: Any) -> float:
        return self._get_wds([index])[0]

    def _multiplier(self, index: Any, table: Mapping[Any, float], attribute: str) -> float:
        if index in self.param_dict:
            return float(getattr(self.param_dict[index], attribute))
        if index in table:
            return table[index]
        return table.get(self.idx2name.get(index), 1.0)

    def _step(
        self, index: Any, weight: NDArray, grad: NDArray, state: State, parts: int | None
    ) -> tuple[float, float, int]:
        """Count an update of ``index``; return its learning rate, its decay and its count.

        ``parts`` is how many values the state must be a tuple of; 0: it is an array; None: an array or None.
        Every ``update`` calls this first, so arguments of other types are refused before anything changes.
        """
        if not (
            type(weight) is NDArray is type(grad)
            and (
                (type(state) is tuple and len(state) == parts)
                if parts
                else (type(state) is NDArray or (state is None is parts))
            )
        ):
            self._check_call(index, weight, grad, state, parts)
        self._update_count(index)
        return self._get_lr(index), self._get_wd(index), self._index_update_count[index]

    # Saving.

    def __getstate__(self) -> dict[str, Any]:
        # Parameters belong to the model and are attached again by whoever restores the optimiser.
        state = self.__dict__.copy()
        state.pop("param_dict", None)
        state.pop("_known_arrays", None)
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)
        self.param_dict = {}
        # One dict again, when the copy came apart in a file.
        counts = self.__dict__.setdefault("_all_index_update_counts", {0: {}})
        self._index_update_count = counts.setdefault(0, {})


_FOREIGN = add_foreign_names(Optimizer, STEPPER)


def _is_half(dtype: Any) -> bool:
    """Whether ``dtype`` is float16 or bfloat16, as a NumPy type, a class or a name."""
    if isinstance(dtype, str):
        return dtype in ("float16", "bfloat16")
    return getattr(dtype, "__name__", "") == "bfloat16" or np.dtype(dtype).name in ("float16", "bfloat16")


def alike(weights: Sequence[NDArray], states: Sequence[State]) -> bool:
    """Whether one call may update all: weights of one dtype on one device, with states of one kind."""
    return len({(w._dtype_number, w._device) for w in weights}) == 1 and len(set(map(type, states))) == 1


def by_rows(grad: NDArray) -> bool:
    """Whether a gradient stores some of its rows only."""
    return bool(grad._storage == ROW_SPARSE)


def zeros_beside(weight: NDArray, dtype: Any = None, stored_alike: bool = False) -> NDArray:
    """Zeros of the weight's shape on its device, of its dtype or another: how states begin.

    With ``stored_alike`` they are of the weight's storage type, else dense.
    """
    if not isinstance(weight, NDArray):
        raise TypeError(f"[create_state] the weight is {type(weight).__name__}; expected NDArray")
    dtype = weight.dtype if dtype is None else dtype
    if stored_alike and weight._storage:
        return nd.sparse.zeros(weight.stype, weight.shape, weight.context, dtype)
    return nd.zeros(weight.shape, weight.context, dtype=dtype)


register = Optimizer.register
create = Optimizer.create_optimizer
