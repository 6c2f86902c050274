"""The base of optimisers: groups of parameters with options, and a state for each parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Optional

import numpy as onp

from .._calls import check_arguments
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from ..nn.grad_mode import begin, enable_grad, no_grad
from ..nn.module import Module
from .loading import Names, checked_groups, checked_states

__all__ = ["Optimizer", "check", "check_betas", "check_counts", "check_pair", "gradients", "in_one"]

# Weights that one call of an operator takes at most.
AT_ONCE = 60


def check(who: str, low: float = 0.0, below: Optional[float] = None, **values: Any) -> None:
    """Raise ``ValueError`` unless all values are numbers from ``low`` up to, not including, ``below``."""
    for name, value in values.items():
        if isinstance(value, str) or not hasattr(value, "__float__"):
            raise TypeError(f"[{who}] {name} is a {type(value).__name__}; expected a number")
        if not value >= low or (below is not None and not value < below):
            limit = f"at least {low:g}" + ("" if below is None else f" and less than {below:g}")
            limit = "a number" if low == float("-inf") else limit
            raise ValueError(f"[{who}] {name} is {value!r}; expected {limit}")


def check_betas(who: str, betas: Any) -> None:
    """Raise unless there are two decays of averages, each at least 0 and less than 1."""
    check_pair(who, "betas", betas)
    check(who, 0, 1, beta1=betas[0], beta2=betas[1])


def check_counts(who: str, **values: Any) -> None:
    """Raise ``ValueError`` unless all values are whole numbers from 1 up."""
    for name, value in values.items():
        if not isinstance(value, (int, onp.integer)) or value < 1:
            raise ValueError(f"[{who}] {name} is {value!r}; expected a whole number of at least 1")


def check_pair(who: str, name: str, value: Any) -> None:
    """Raise ``TypeError`` unless a value is two numbers."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"[{who}] {name} is {value!r:.60}; expected two numbers")
    check(who, float("-inf"), **{f"{name}[{i}]": one for i, one in enumerate(value)})


class Optimizer:
    """Base of all optimisers; a subclass defines ``_update(group, parameters, gradients)``.

    Parameters
    ----------
    params : iterable
        Parameters, or dictionaries with ``"params"`` and options of that group.
    defaults : dict
        Options that groups do not say.

    Attributes
    ----------
    param_groups : list of dict
        Each has ``"params"`` and all options, which may be changed.
    state : dict
        What the optimiser keeps, by parameter.
    """

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        check_arguments(cls, args, kwargs)
        return super().__new__(cls)

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        begin()
        self.defaults = defaults
        self.state: dict[Any, dict[str, Any]] = {}
        self.param_groups: list[dict[str, Any]] = []
        if isinstance(params, (NDArray, Module, str)) or not isinstance(params, Iterable):
            hint = "; its parameters() gives them" if isinstance(params, Module) else ""
            raise TypeError(
                f"[{type(self).__name__}] got a {type(params).__name__}; "
                f"expected parameters, or dictionaries{hint}"
            )
        groups = list(params)
        if not groups:
            raise ValueError(f"[{type(self).__name__}] got no parameters; expected one at least")
        if not isinstance(groups[0], Mapping):
            groups = [{"params": groups}]
        for group in groups:
            if not isinstance(group, Mapping):
                raise TypeError(
                    f"[{type(self).__name__}] got a {type(group).__name__} behind a dictionary; expected "
                    "parameters only, or dictionaries only"
                )
            self.add_param_group(group)

    def add_param_group(self, param_group: Mapping[str, Any]) -> None:
        """Add parameters with options of their own, such as layers that are no longer frozen."""
        group = dict(param_group)
        if "params" not in group:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] a group has {sorted(map(str, group))}; expected 'params' in it"
            )
        given = group["params"]
        params = [given] if isinstance(given, NDArray) else list(given)
        known = {id(one) for have in self.param_groups for one in have["params"]}
        for one in params:
            if isinstance(one, tuple) and len(one) == 2:
                one = one[1]
            if not isinstance(one, NDArray):
                raise TypeError(f"[{type(self).__name__}] got a {type(one).__name__}; expected parameters")
            if id(one) in known:
                raise ValueError(f"[{type(self).__name__}] a parameter of shape {one.shape} occurs twice")
            known.add(id(one))
        group["params"] = [one[1] if isinstance(one, tuple) else one for one in params]
        for name, value in self.defaults.items():
            group.setdefault(name, value)
        check(type(self).__name__, **{name: group[name] for name in ("lr", "weight_decay") if name in group})
        unknown = group.keys() - self.defaults.keys() - {"params", "initial_lr"}
        if unknown:
            raise InvalidArgumentError(
                f"[{type(self).__name__}] there is no option {', '.join(map(repr, sorted(unknown)))}; "
                f"expected {', '.join(self.defaults)}"
            )
        self.param_groups.append(group)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients; ``set_to_none=False`` leaves zeros instead of None."""
        for group in self.param_groups:
            for one in group["params"]:
                one.zero_grad()
                if not set_to_none and one._variable:
                    one._fresh_grad = True

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """Change the parameters by their gradients; those without one stay as they are.

        Parameters
        ----------
        closure : function, optional
            Computes the loss anew, with gradients, which is returned.
        """
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                params = [one for one in group["params"] if one._fresh_grad and one._variable]
                for start in range(0, len(params), AT_ONCE):
                    part = params[start : start + AT_ONCE]
                    self._update(group, part, gradients(part))
        return loss

    def _update(self, group: dict[str, Any], params: list[Any], grads: list[Any]) -> None:
        raise NotImplementedError(f"[{type(self).__name__}] an optimiser defines _update")

    def _state_of(self, param: Any) -> dict[str, Any]:
        found = self.state.get(param)
        if found is None:
            found = self.state[param] = {}
        return found

    # Files.

    def state_dict(self) -> dict[str, Any]:
        """State and options; parameters are numbers, in the order of groups."""
        numbers: dict[int, int] = {}
        for group in self.param_groups:
            for one in group["params"]:
                numbers.setdefault(id(one), len(numbers))
        groups = [
            {
                **{k: v for k, v in group.items() if k != "params"},
                "params": [numbers[id(p)] for p in group["params"]],
            }
            for group in self.param_groups
        ]
        state = {numbers[id(param)]: self._shown(param, dict(kept)) for param, kept in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take state and options of :meth:`state_dict`, also from an optimiser of another program.

        Raises
        ------
        InvalidArgumentError
            Other groups, names, shapes or kinds of values than the optimiser has; nothing is changed then.
        """
        who = f"{type(self).__name__}.load_state_dict"
        groups = checked_groups(who, state_dict, self.param_groups)
        numbered = {}
        for group, own in zip(groups, self.param_groups):
            check(who, **{name: group[name] for name in ("lr", "weight_decay") if name in self.defaults})
            names = self._state_names(group)
            numbered.update({n: (param, names) for n, param in zip(group["params"], own["params"])})
        state = self._checked_states(who, state_dict["state"], numbered)
        for group, own in zip(groups, self.param_groups):
            own.update({name: value for name, value in group.items() if name != "params"})
        self.state = state

    def _state_names(self, group: dict[str, Any]) -> Optional[Names]:
        """What the state of a parameter must hold and may hold, with those options; None: anything."""
        return None

    def _checked_states(
        self, who: str, states: Mapping[Any, Any], numbered: dict[Any, tuple[Any, Optional[Names]]]
    ) -> dict[Any, dict[str, Any]]:
        """What is kept of each parameter, of a file whose parameters have these numbers."""
        return checked_states(who, states, numbered)

    def _shown(self, param: Any, kept: dict[str, Any]) -> dict[str, Any]:
        """The state of a parameter as files have it."""
        return {
            k: v.copy() if isinstance(v, NDArray) else v for k, v in kept.items() if not k.startswith("_")
        }

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for i, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {i}")
            lines += [f"    {name}: {group[name]}" for name in sorted(group) if name != "params"]
        return "\n".join([*lines, ")"])


def gradients(params: list[Any]) -> list[Any]:
    """The gradients of parameters or arrays that have them."""
    return [one.grad for one in params]


def in_one(op: Any, arrays: list[list[Any]], lr: float, wd: float, sign: float, **words: Any) -> None:
    """One call for all weights of a dtype and device.

    Parameters
    ----------
    op : function
        Takes weight, gradient and states of each weight in turn.
    arrays : list of list
        Weights, gradients and states.
    lr, wd : float
        Rate, and factor of the weights in their gradients.
    sign : float
        -1 to go up, which is going down along the negative gradient; the decay does not change its sign.
    **words
        What else the operator takes.
    """
    params = arrays[0]
    groups: dict[Any, list[int]] = {}
    for i, param in enumerate(params):
        groups.setdefault((param._dtype_number, param._device), []).append(i)
    for places in groups.values():
        flat = [part[i] for i in places for part in arrays]
        count = len(places)
        op(
            *flat,
            lrs=(lr,) * count,
            wds=(wd,) * count,
            rescale_grad=sign,
            num_weights=count,
            out=[params[i] for i in places],
            **words,
        )
