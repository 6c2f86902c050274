"""L-BFGS, a quasi-Newton method of limited memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional

from .. import numpy as np
from ..base import InvalidArgumentError
from ..nn.grad_mode import enable_grad, no_grad
from .line_search import Point, strong_wolfe
from .loading import Names, as_array, as_number, as_whole
from .optimizer import Optimizer, check, check_counts

__all__ = ["LBFGS"]

COUNTS = ("func_evals", "n_iter")
NUMBERS = ("t", "H_diag", "prev_loss")
ARRAYS = ("d", "prev_flat_grad")
PAIRS = ("old_dirs", "old_stps", "ro")


class LBFGS(Optimizer):
    """Newton's steps, with an inverse Hessian from the last steps and gradients (Liu and Nocedal 1989).

    For smooth functions of all data, not of random batches. A call of ``step`` makes up to ``max_iter``
    steps and calls the closure for each. All parameters are one group and one vector.

    Parameters
    ----------
    params : iterable
        Parameters, or one dictionary with ``"params"`` and options.
    lr : float
        Length of each step, or the first one that a line search tries.
    max_iter : int
        Steps in each call.
    max_eval : int, optional
        Calls of the closure in each call; by default ``max_iter * 5 // 4``.
    tolerance_grad : float
        The method stops where no element of the gradient is larger.
    tolerance_change : float
        The method stops where loss and weights change less.
    history_size : int
        How many steps it remembers.
    line_search_fn : {'strong_wolfe'}, optional
        Search the length of each step along its direction; none by default.

    Examples
    --------
    >>> from mixgrad import nn, optim
    >>> weight = nn.Parameter([-1.0, 1.0])
    >>> lbfgs = optim.LBFGS([weight], line_search_fn="strong_wolfe")
    >>> def rosenbrock():
    ...     lbfgs.zero_grad()
    ...     loss = (1 - weight[0]) ** 2 + 100 * (weight[1] - weight[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> for step in range(3):
    ...     loss = lbfgs.step(rosenbrock)
    >>> weight.asnumpy().round(2)
    array([1., 1.], dtype=float32)
    """

    def __init__(
        self,
        params: Any,
        lr: float = 1,
        max_iter: int = 20,
        max_eval: Optional[int] = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: Optional[str] = None,
    ) -> None:
        check("LBFGS", lr=lr, tolerance_grad=tolerance_grad, tolerance_change=tolerance_change)
        check_counts("LBFGS", max_iter=max_iter, history_size=history_size)
        max_eval = max_iter * 5 // 4 if max_eval is None else max_eval
        check_counts("LBFGS", max_eval=max_eval)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        _check_search(line_search_fn)
        super().__init__(params, defaults)

    def add_param_group(self, param_group: Mapping[str, Any]) -> None:
        """Refused after the first group: the Hessian is that of all parameters together."""
        if self.param_groups:
            raise InvalidArgumentError("[LBFGS] got a second group of parameters; expected one group")
        super().add_param_group(param_group)
        if not self.param_groups[0]["params"]:
            raise InvalidArgumentError("[LBFGS] the group has no parameters; expected one at least")

    @property
    def _params(self) -> list[Any]:
        return list(self.param_groups[0]["params"])

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """Make up to ``max_iter`` steps.

        Parameters
        ----------
        closure : function
            Forgets the gradients, computes the loss and its gradients, and returns the loss.

        Returns
        -------
        array
            The loss before the first step.
        """
        if not callable(closure):
            raise TypeError(
                f"[LBFGS] closure is {closure!r:.60}; expected a function that computes loss and gradients"
            )
        _check_search(self.param_groups[0]["line_search_fn"])
        with no_grad():
            return self._minimize(closure)

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        state = self._state_of(self._params[0])
        for name in COUNTS:
            state.setdefault(name, 0)
        first, loss, grad = self._evaluated(closure)
        evaluations = 1
        state["func_evals"] += 1
        if _largest(grad) <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            way = self._direction(state, grad)
            before = loss
            step = float(group["lr"])
            if state["n_iter"] == 1:
                step *= min(1.0, 1.0 / np.abs(grad).sum().item())
            slope = _dot(grad, way)
            state.update(d=way, t=step, prev_flat_grad=grad, prev_loss=before)
            if slope > -group["tolerance_change"]:
                break
            used = 0
            if group["line_search_fn"] is not None:
                start = Point(0.0, loss, grad, slope)
                left = group["max_eval"] - evaluations
                (step, loss, grad, _), used = self._searched(closure, start, way, step, left)
                state["t"] = step
                self._move(way * step)
            else:
                self._move(way * step)
                if iteration != group["max_iter"]:  # the next call evaluates there
                    _, loss, grad = self._evaluated(closure)
                    used = 1
            evaluations += used
            state["func_evals"] += used
            if (
                evaluations >= group["max_eval"]
                or _largest(grad) <= group["tolerance_grad"]
                or _largest(way * step) <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            ):
                break
        return first

    def _direction(self, state: dict[str, Any], grad: Any) -> Any:
        """Minus the gradient times the inverse Hessian, by two loops over what is remembered."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -grad
        changes, steps, inverses = (state[name] for name in PAIRS)
        change, moved = grad - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = _dot(change, moved)
        if curvature > 1e-10:
            for kept, one in ((changes, change), (steps, moved), (inverses, 1.0 / curvature)):
                kept.append(one)
                del kept[: -self.param_groups[0]["history_size"]]
            state["H_diag"] = curvature / _dot(change, change)
        way, shares = -grad, []
        for change, moved, inverse in zip(changes[::-1], steps[::-1], inverses[::-1]):
            shares.append(_dot(moved, way) * inverse)
            way -= change * shares[-1]
        way *= state["H_diag"]
        for change, moved, inverse, share in zip(changes, steps, inverses, shares[::-1]):
            way += moved * (share - _dot(change, way) * inverse)
        return way

    def _searched(
        self, closure: Callable[[], Any], start: Point, way: Any, step: float, most: int
    ) -> tuple[Point, int]:
        kept = [param.detach().copy() for param in self._params]

        def at(step: float) -> Point:
            self._move(way * step)
            try:
                _, loss, grad = self._evaluated(closure)
            finally:
                for param, value in zip(self._params, kept):
                    param[:] = value
            return Point(step, loss, grad, _dot(grad, way))

        tolerance = self.param_groups[0]["tolerance_change"]
        return strong_wolfe(at, start, step, _largest(way), most, tolerance)

    def _evaluated(self, closure: Callable[[], Any]) -> tuple[Any, float, Any]:
        """The loss, as it came and as a number, and the gradient of all weights, of shape ``(n,)``."""
        with enable_grad():
            loss = closure()
        if not hasattr(loss, "__float__"):
            raise TypeError(f"[LBFGS] the closure returned a {type(loss).__name__}; expected the loss")
        grads = [
            one.grad if one._fresh_grad and one._variable else np.zeros_like(one.detach())
            for one in self._params
        ]
        return loss, float(loss), np.concatenate([grad.reshape(-1) for grad in grads])

    def _move(self, change: Any) -> None:
        start = 0
        for param in self._params:
            param += change[start : start + param.size].reshape(param.shape).astype(param.dtype)
            start += param.size

    # Files.

    def _checked_states(
        self, who: str, states: Mapping[Any, Any], numbered: dict[Any, tuple[Any, Optional[Names]]]
    ) -> dict[Any, dict[str, Any]]:
        """The state of the first parameter, which is that of all; ``al`` is a workspace of other programs."""
        if not states:
            return {}
        first = next(iter(numbered))
        kept = states.get(first)
        if len(states) != 1 or not isinstance(kept, Mapping):
            raise InvalidArgumentError(
                f"[{who}] 'state' has {list(states)!r:.60}; expected a dictionary for parameter {first} alone"
            )
        given = kept.keys() - {"al"}
        expected = {*COUNTS, *NUMBERS, *ARRAYS, *PAIRS}
        if given not in (set(COUNTS), expected):
            raise InvalidArgumentError(
                f"[{who}] the state of parameter {first} has {sorted(map(str, given))}; "
                f"expected {sorted(expected)}, or {list(COUNTS)} alone"
            )
        taken: dict[str, Any] = {name: as_whole(f"[{who}] {name!r}", kept[name]) for name in COUNTS}
        if given == expected:
            taken.update(self._checked_memory(who, kept))
        return {self._params[0]: taken}

    def _checked_memory(self, who: str, kept: Mapping[str, Any]) -> dict[str, Any]:
        param, size = self._params[0], sum(one.size for one in self._params)
        lists = [kept[name] for name in PAIRS]
        if not all(isinstance(one, (list, tuple)) for one in lists) or len({len(one) for one in lists}) != 1:
            raise InvalidArgumentError(f"[{who}] expected lists of the same length as {', '.join(PAIRS)}")
        taken: dict[str, Any] = {name: as_number(f"[{who}] {name!r}", kept[name]) for name in NUMBERS}
        taken.update({name: as_array(f"[{who}] {name!r}", kept[name], (size,), param) for name in ARRAYS})
        for name in PAIRS[:2]:
            where = f"[{who}] an item of {name!r}"
            taken[name] = [as_array(where, one, (size,), param) for one in kept[name]]
        taken["ro"] = [as_number(f"[{who}] an item of 'ro'", one) for one in kept["ro"]]
        return taken

    def _shown(self, param: Any, kept: dict[str, Any]) -> dict[str, Any]:
        lists = {name: list(kept[name]) for name in PAIRS if name in kept}
        return {**super()._shown(param, kept), **lists}


def _check_search(name: Any) -> None:
    if name not in (None, "strong_wolfe"):
        raise ValueError(f"[LBFGS] line_search_fn is {name!r}; expected 'strong_wolfe' or None")


def _dot(one: Any, other: Any) -> float:
    return float((one * other).sum().item())


def _largest(array: Any) -> float:
    return float(np.abs(array).max().item())
