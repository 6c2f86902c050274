"""What to say of a name that is not there: the nearest one that is, or our word for another library's.

Nothing here runs unless a look-up has failed, and ``hasattr`` stays False.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from inspect import isfunction, signature
from typing import Any, NoReturn

from . import _places, _words

__all__ = [
    "ForeignName",
    "add_foreign_names",
    "extra_parameters",
    "is_foreign",
    "kind_name",
    "near",
    "operators",
    "public",
    "refuse_arguments",
    "say_ours_in",
]

# Of which operators, and which keywords, a warning was given.
_ignored: set[tuple[str, str]] = set()


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


@lru_cache(maxsize=256)
def _nearest(name: str, known: tuple[str, ...]) -> tuple[str, ...]:
    from difflib import get_close_matches

    by_plain: dict[str, list[str]] = {}
    for one in known:
        by_plain.setdefault(_plain(one), []).append(one)
    same = by_plain.get(_plain(name))
    if same:
        return tuple(same[:3])
    found = [one for plain in get_close_matches(_plain(name), by_plain, 3) for one in by_plain[plain]]
    return tuple(found[:3])


def near(name: Any, known: Iterable[str]) -> str:
    """The end of a message about an unknown name; empty when nothing is like it.

    >>> near("Relu", ["relu", "tanh"])
    '; nearest: relu'
    """
    found = _nearest(str(name)[:100], tuple(known))
    return f"; nearest: {', '.join(found)}" if found else ""


def public(module: str, more: Iterable[str] = ()) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a module: what is in ``__all__`` and ``more`` is public.

    They are called for names that the module lacks, and by ``dir``.
    """
    names = tuple(more)

    def listed() -> list[str]:
        own = vars(sys.modules[module])
        dunder = {name for name in own if name.startswith("__") and name.endswith("__")}
        return sorted({*own["__all__"], *names, *dunder})

    def missing(name: str) -> Any:
        place = _places.module_at(module, name)
        if place is not None:
            return place
        raise AttributeError(missing_name(module, name, listed()))

    missing.__name__, listed.__name__ = "__getattr__", "__dir__"
    return missing, listed


def operators(
    module: str,
    find: Callable[[str, str], Any],
    names: Iterable[str],
    *prefixes: str,
    own: Iterable[str] = (),
    private: bool = False,
    hidden: Iterable[str] = (),
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a module of operators, which are called there as without a prefix.

    Parameters
    ----------
    module : str
        Its name.
    find : function
        Gives what an operator's name, which has here this other name, stands for, or None.
    names : list of str
        Names of operators; ``dir`` shows those with the first prefix.
    prefixes : str
        Tried in order.
    own : list of str
        What else the module has.
    private : bool
        Whether names that begin with an underscore count.
    hidden : list of str
        Operators of that prefix that the module lacks.
    """
    absent = frozenset(hidden)

    def found(name: str) -> Any:
        for prefix in prefixes if private or not name.startswith("_") else ():
            one = None if prefix + name in absent else find(prefix + name, name)
            if one is not None:
                return one
        raise AttributeError(missing_name(module, name, listed()))

    def listed() -> list[str]:
        there = (name for name in names if name not in absent)
        short = (name[len(prefixes[0]) :] for name in there if name.startswith(prefixes[0]))
        return sorted({*own, *(name for name in short if private or not name.startswith("_"))})

    found.__name__, listed.__name__ = "__getattr__", "__dir__"
    return found, listed


# Operators that planned graphs have in place of others, on images in blocks of channels.
OF_PLANNED_IMAGES = tuple(
    f"_image_{name}" for name in ("batch_norm", "batch_norm_again", "convolution", "pooling")
)


def missing_name(module: str, name: str, known: Iterable[str]) -> str:
    """The message for a name that a module lacks."""
    short = _words.SHORT.get(module, module)
    text = f"{short} has no {name!r}"
    if name.startswith("_"):
        return text
    hint = _words.in_module(module, name)
    if hint:
        return f"{text}: {hint}"
    return text + near(name, [one for one in known if not one.startswith("_")])


class ForeignName:
    """A name that other libraries have: looking it up is an ``AttributeError`` that says ours."""

    def __init__(self, name: str, hint: str) -> None:
        self._name, self._hint = name, hint

    def __get__(self, instance: Any, owner: Any = None) -> NoReturn:
        raise AttributeError(f"[{owner.__name__}] there is no {self._name!r}: {self._hint}")


def is_foreign(klass: type, name: str) -> bool:
    """Whether a class has a name only to say what it is called here."""
    found = next((vars(part)[name] for part in klass.__mro__ if name in vars(part)), None)
    return isinstance(found, ForeignName)


def add_foreign_names(klass: type, table: Mapping[str, str]) -> frozenset[str]:
    """Gives a class the names of a table that it lacks; returns those."""
    names = frozenset(name for name in table if not hasattr(klass, name))
    for name in names:
        setattr(klass, name, ForeignName(name, table[name]))
    return names


def refuse_arguments(
    who: str,
    words: Mapping[str, Any],
    known: Iterable[str],
    foreign: Mapping[str, str | tuple[str, ...]] | None = None,
) -> NoReturn:
    """Raises for keywords that a function does not have.

    Parameters
    ----------
    who : str
        What was called.
    words : dict
        The keywords.
    known : list of str
        Those it has.
    foreign : dict of str to str or tuple of str, optional
        What to say of some; or our names for them, said where they are among the known ones.
    """
    word = next(iter(words))
    names = tuple(known)
    hint = (foreign or {}).get(word, "")
    if isinstance(hint, tuple):
        ours = [name for name in hint if name in names]
        hint = f"{'they are' if ours[1:] else 'it is'} {' and '.join(ours)}" if ours else ""
    text = f": {hint}" if hint else near(word, names) or f"; it takes {', '.join(names)}"
    from .base import SignatureError

    raise SignatureError(f"[{who}] no argument is called {word!r}{text}")


def parameter_hint(op: str, word: str) -> str:
    """What to say of a parameter that an operator lacks."""
    from . import _core

    description = _core.describe_op(_core.op_names().index(op))
    known = [p["name"] for p in description["params"]]
    inputs = [p["name"] for p in description["inputs"]]
    return (
        _ours(word, known)
        or near(word, [*known, *inputs, "out"])
        or f"; it takes {', '.join([*known, 'out'])}"
    )


def _ours(word: str, known: Iterable[str]) -> str:
    """Which of the known parameters another library calls by that word, for the end of a message."""
    names = tuple(known)
    for ours in _words.PARAMETERS.get(word, ()):
        name = ours.removeprefix("not ")
        if name in names:
            return f": it is {name} here" + (", with the opposite meaning" if name != ours else "")
    return ""


def say_ours_in(owner: Any, names: Iterable[str]) -> None:
    """Has functions of a module or class that take ``axis`` say what a keyword that they lack is called here.

    >>> from mixgrad import np
    >>> np.ones((2, 3)).mean(dim=1)
    Traceback (most recent call last):
        ...
    mixgrad.base.SignatureError: [mean] no argument is called 'dim': it is axis here
    """
    from ._quick import explained

    for name in names:
        function = vars(owner)[name]
        if isfunction(function) and "axis" in function.__code__.co_varnames[: function.__code__.co_argcount]:
            setattr(owner, name, explained(function))


def refuse_words(function: Callable[..., Any], words: Iterable[str]) -> None:
    """Raises for the first keyword that a function lacks.

    Called by the extension module, where Python refused a call.
    """
    known = [name for name in signature(function).parameters if name != "self"]
    word = next((word for word in words if word not in known), None)
    if word is None:
        return
    hint = _ours(word, known).removeprefix(": ")
    refuse_arguments(
        function.__name__, {word: None}, known, _words.CREATION if "ctx" in known else {word: hint}
    )


def extra_parameters(op: str, words: Mapping[str, Any]) -> None:
    """Keywords that an operator does not have; called by the extension module.

    An operator that has no parameters at all ignores numbers and text, as in MXNet, and warns once of each
    keyword. Arrays and symbols are refused, and by an operator with parameters all.
    """
    from . import _core
    from .base import SignatureError

    plain = all(isinstance(v, (str, int, float, tuple, list, type(None))) for v in words.values())
    if not plain or _core.describe_op(_core.op_names().index(op))["params"]:
        word = next(iter(words))
        raise SignatureError(f"[{op}] no parameter is called {word!r}{parameter_hint(op, word)}")
    for word in words:
        if (op, word) not in _ignored:
            _ignored.add((op, word))
            text = f"[{op}] {word} is ignored: the operator has no parameters"
            warnings.warn(text, UserWarning, stacklevel=3)


def refuse_call(op: str, message: str) -> NoReturn:
    """Raises what Python says of arguments that do not fit an operator's; called by the extension module."""
    from .base import SignatureError

    raise SignatureError(f"[{op}] {message.partition(') ')[2] or message}")


def kind_name(x: Any) -> str:
    """What a message calls the kind of a value: with its module, where that is not Python's own.

    >>> import numpy
    >>> kind_name([1]), kind_name(numpy.ones(2))
    ('list', 'numpy.ndarray')
    """
    kind = type(x)
    if kind.__module__.startswith("mixgrad."):
        return "mx.np.ndarray" if kind.__name__ == "ndarray" else kind.__qualname__
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def refuse_input(op: str, place: int, got: Any) -> NoReturn:
    """Raises for an argument in the place of an array; called by the extension module."""
    from . import _core

    number = isinstance(got, (int, float))
    text = f"[{op}] input {place} is {kind_name(got)}; expected NDArray"
    if number or isinstance(got, list) or hasattr(got, "__array__"):
        text += ", which mx.nd.array makes of it, or one of mx.np, which mx.np.array makes"
    known = _core.describe_op(_core.op_names().index(op))["params"]
    if place and number and any(one["name"] == "axis" for one in known):
        text = f"[{op}] input {place} is {got!r}; expected NDArray; the axis goes by keyword, axis={got!r}"
    raise TypeError(text)


class _AbsentModules:
    """Says of modules that MXNet has what there is in their place, when they are imported."""

    @staticmethod
    def find_spec(fullname: str, path: Any = None, target: Any = None) -> None:
        package, _, name = fullname.partition(".")
        if package == __package__ and name in _words.ABSENT:
            # Without a name in the error, `from mixgrad import ...` shows this message instead of its own.
            raise ModuleNotFoundError(f"{fullname} is not there yet: {_words.ABSENT[name]}")


def watch_imports() -> None:
    """Has imports of absent modules explained; asked after all other finders."""
    sys.meta_path.append(_AbsentModules)
