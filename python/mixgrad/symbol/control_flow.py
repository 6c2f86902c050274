"""Loops and branches inside graphs: ``mx.sym.contrib.foreach``, ``while_loop`` and ``cond``."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Optional

from .._nested import flatten, regroup
from ..attribute import AttrScope
from ..base import InvalidArgumentError
from .functions import internal
from .symbol import Group, Symbol, var

__all__ = ["cond", "foreach", "while_loop"]

_KEY = "__subgraph_name__"


class UnusedInputError(InvalidArgumentError, AssertionError):
    """The body of a loop leaves out what it is given; in MXNet this is an AssertionError."""


class _Names(threading.local):
    def __init__(self) -> None:
        self.used: Counter[str] = Counter()


_names = _Names()


def _unique(name: str) -> str:
    """The name of a new subgraph, which tells its nodes from others."""
    outer = AttrScope.current.get(None).get(_KEY)
    full = f"{outer}${name}" if outer else name
    _names.used[full] += 1
    return f"{full}{_names.used[full] - 1}"


def _inner_name(symbol: Symbol) -> str:
    """What the variable for an input of a body is called: its node and which output it is."""
    node = symbol[0].get_internals()
    same = [name for name in node.list_outputs() if name.startswith(f"{symbol.name}_output")]
    own = symbol.list_outputs()[0]
    return f"{symbol.name}-{same.index(own) if own in same else 0}"


class _Part:
    """A subgraph, and the symbols outside that it reads, by the name of their variable inside."""

    def __init__(self, outputs: Sequence[Symbol], name: str, states: Sequence[Symbol] = ()) -> None:
        variables = set(Group([*outputs, *states]).list_inputs())
        taken = {output.name for output in outputs}
        made = []
        for i, output in enumerate([*outputs, *states]):
            inside = output.name not in variables and output.list_attr().get(_KEY) == name
            again = i >= len(outputs) and output.name in taken
            made.append(output if inside and not again else internal("identity")(output))
        inner, outer, names = Group(made)._handle.cut(_KEY, name)
        self.symbol = Symbol(inner)
        self.inputs = self.symbol.list_inputs()
        twice = [key for key, count in Counter(self.inputs).items() if count > 1]
        if twice:
            raise InvalidArgumentError(f"[{name}] several inputs of the body are called {twice[0]!r}")
        cut = [] if outer is None else list(Symbol(outer))
        self.outside: dict[str, Symbol] = dict(zip(names, cut))
        internals = self.symbol.get_internals()
        for key, node in zip(internals.list_outputs(), internals):
            if key in self.inputs and key not in self.outside and node.name == key:
                self.outside[key] = node

    def text(self) -> str:
        return self.symbol.tojson()


def foreach(
    body: Callable[[Any, Any], tuple[Any, Any]], data: Any, init_states: Any, name: str = "foreach"
) -> tuple[Any, Any]:
    """A loop over the leading axis of data, as one node of a graph.

    Parameters
    ----------
    body : function
        Takes a slice of the data and the states; returns outputs and the next states. Called once, with
        symbols. What it uses from outside is read in every step.
    data : Symbol or nested list of Symbol
        What is looped over.
    init_states : Symbol or nested list of Symbol
        The first states.
    name : str
        Begins the names of what belongs to the body.

    Returns
    -------
    tuple
        The body's outputs of all steps, stacked, and the last states; nested as the body's.

    Examples
    --------
    >>> import mixgrad as mx
    >>> step = lambda x, states: (x + states[0], [x + states[0]])
    >>> out, states = mx.sym.contrib.foreach(step, mx.sym.var("x"), [mx.sym.var("s")])
    >>> out.eval(x=mx.nd.array([1, 2, 3]), s=mx.nd.array([0]))[0].asnumpy()  # steps see items as (1,)
    array([[1.],
           [3.],
           [6.]], dtype=float32)
    """
    slices, data_layout = flatten(data, Symbol, "[foreach] data")
    states, state_layout = flatten(init_states, Symbol, "[foreach] init_states")
    name = _unique(name)
    with AttrScope(**{_KEY: name}):
        slice_names = [_inner_name(s) for s in slices]
        state_names = [_inner_name(s) for s in states]
        outputs, next_states = body(
            regroup([var(n) for n in slice_names], data_layout),
            regroup([var(n) for n in state_names], state_layout),
        )
        outputs, out_layout = flatten(outputs, Symbol, "[foreach] the body's output")
        next_states, next_layout = flatten(next_states, Symbol, "[foreach] the body's states")
        if next_layout != state_layout:
            raise InvalidArgumentError(
                f"[foreach] the body returned {len(next_states)} states; expected {len(states)}, nested alike"
            )
        part = _Part(outputs, name, next_states)
    for key in (*slice_names, *state_names):
        if key not in part.inputs:
            unused = key.rsplit("-", 1)[0]
            raise UnusedInputError(
                f"[foreach] the body does not use {unused!r}; expected all data and states used"
            )
    known = {*slice_names, *state_names}
    rest = [key for key in part.inputs if key not in known]
    made = internal("_foreach")(
        *slices,
        *states,
        *(part.outside[key] for key in rest),
        subgraph0=part.text(),
        num_args=1 + len(part.inputs),
        num_outputs=len(outputs) + len(states),
        num_out_data=len(outputs),
        in_state_locs=str([part.inputs.index(key) for key in state_names]),
        in_data_locs=str([part.inputs.index(key) for key in slice_names]),
        remain_locs=str([part.inputs.index(key) for key in rest]),
    )
    results = list(made)
    return regroup(results[: len(outputs)], out_layout), regroup(results[len(outputs) :], state_layout)


class _Inputs:
    """What several graphs read, each symbol once."""

    def __init__(self) -> None:
        self.symbols: list[Symbol] = []
        self.places: dict[tuple[Optional[str], str], int] = {}

    def place(self, symbol: Symbol) -> int:
        key = (symbol.name, symbol.list_outputs()[0])
        if key not in self.places:
            self.places[key] = len(self.symbols)
            self.symbols.append(symbol)
        return self.places[key]


def while_loop(
    cond: Callable[..., Symbol],
    func: Callable[..., tuple[Any, Any]],
    loop_vars: Any,
    max_iterations: Optional[int] = None,
    name: str = "while_loop",
) -> tuple[Any, Any]:
    """A loop as long as a condition on its variables holds, as one node of a graph.

    Parameters
    ----------
    cond : function
        Takes the loop variables; returns a symbol of one number.
    func : function
        Takes the loop variables; returns outputs and the next variables.
    loop_vars : Symbol or list of Symbol
        First values of the variables.
    max_iterations : int
        The most steps; also the leading extent of the outputs.
    name : str
        Begins the names of what belongs to the graphs.

    Returns
    -------
    tuple
        The outputs of all steps, stacked, zeros where no step was taken; and the last variables.

    Examples
    --------
    >>> import mixgrad as mx
    >>> out, last = mx.sym.contrib.while_loop(
    ...     lambda i, s: i <= 3, lambda i, s: ([i + s], [i + 1, s + i]),
    ...     (mx.sym.var("i"), mx.sym.var("s")), max_iterations=5)
    >>> one = mx.nd.ones((1,))
    >>> mx.sym.Group(last).eval(i=one, s=one)[1].asnumpy()
    array([7.], dtype=float32)
    """
    if max_iterations is None:
        raise ValueError("[while_loop] max_iterations is not given; expected the most steps to take")
    variables, layout = flatten(loop_vars, Symbol, "[while_loop] loop_vars")
    if not variables:
        raise ValueError("[while_loop] loop_vars is empty; expected at least one variable")
    names = [_inner_name(v) for v in variables]

    def graph(function: Callable[..., Any], label: str, is_condition: bool) -> tuple[_Part, int, Any]:
        own = _unique(label)
        with AttrScope(**{_KEY: own}):
            given = regroup([var(n) for n in names], layout)
            made = function(*given) if isinstance(given, list) else function(given)
            if is_condition:
                outputs, out_layout = flatten(made, Symbol, "[while_loop] the condition")
                if len(outputs) != 1:
                    raise ValueError(f"[while_loop] the condition has {len(outputs)} results; expected one")
                return _Part(outputs, own), 0, out_layout
            step, following = made
            step = [] if step is None else list(step) if isinstance(step, tuple) else step
            outputs, out_layout = flatten(step, Symbol, "[while_loop] the output")
            following, _ = flatten(
                [] if following is None else following, Symbol, "[while_loop] the variables"
            )
            if len(following) != len(variables):
                raise ValueError(
                    f"[while_loop] func returned {len(following)} variables; expected {len(variables)}"
                )
            return _Part([*outputs, *following], own), len(outputs), out_layout

    condition, _, _ = graph(cond, name + "_cond", True)
    step, num_out, out_layout = graph(func, name + "_func", False)
    inputs = _Inputs()
    by_name = dict(zip(names, variables))

    def places(part: _Part) -> list[int]:
        return [inputs.place(by_name.get(key, part.outside[key])) for key in part.inputs]

    cond_locs, func_locs = places(condition), places(step)
    for key in names:
        if key not in step.inputs:
            raise ValueError(f"[while_loop] func does not use {key.rsplit('-', 1)[0]!r}; expected all used")
    made = internal("_while_loop")(
        *inputs.symbols,
        subgraph0=condition.text(),
        subgraph1=step.text(),
        num_args=2 + len(inputs.symbols),
        num_outputs=num_out + len(variables),
        num_out_data=num_out,
        max_iterations=int(max_iterations),
        cond_input_locs=str(cond_locs),
        func_input_locs=str(func_locs),
        func_var_locs=str([step.inputs.index(key) for key in names]),
    )
    results = list(made)
    return regroup(results[:num_out], out_layout), regroup(results[num_out:], layout)


def cond(pred: Symbol, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond") -> Any:
    """One of two computations, by a condition, as one node of a graph.

    Parameters
    ----------
    pred : Symbol
        One number; other than 0 it chooses ``then_func``.
    then_func, else_func : function
        Without arguments; return symbols of equal shapes and dtypes.
    name : str
        Begins the names of what belongs to the branches.

    Examples
    --------
    >>> import mixgrad as mx
    >>> a, b = mx.sym.var("a"), mx.sym.var("b")
    >>> out = mx.sym.contrib.cond(a * b < 5, lambda: (a + 5) * (b + 5), lambda: (a - 5) * (b - 5))
    >>> out.eval(a=mx.nd.ones((1,)), b=mx.nd.ones((1,)))[0].asnumpy()
    array([36.], dtype=float32)
    """

    def graph(function: Callable[[], Any], label: str) -> tuple[_Part, int, Any]:
        own = _unique(label)
        with AttrScope(**{_KEY: own}):
            outputs, layout = flatten(function(), Symbol, f"[cond] {label}")
            return _Part(outputs, own), len(outputs), layout

    condition, count, _ = graph(lambda: pred, name + "_pred")
    if count != 1:
        raise ValueError(f"[cond] pred has {count} outputs; expected one")
    then, num_then, layout = graph(then_func, name + "_then")
    other, num_else, _ = graph(else_func, name + "_else")
    if num_then != num_else:
        raise ValueError(f"[cond] the branches have {num_then} and {num_else} outputs; expected as many")
    inputs = _Inputs()
    locs = [[inputs.place(part.outside[key]) for key in part.inputs] for part in (condition, then, other)]
    made = internal("_cond")(
        *inputs.symbols,
        subgraph0=condition.text(),
        subgraph1=then.text(),
        subgraph2=other.text(),
        num_args=3 + len(inputs.symbols),
        num_outputs=num_then,
        cond_input_locs=str(locs[0]),
        then_input_locs=str(locs[1]),
        else_input_locs=str(locs[2]),
    )
    return regroup(list(made), layout)
