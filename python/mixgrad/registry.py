"""Registries: a class is filed under its lower-case name and its aliases, and made again from a name.

A family (initialisers, metrics) asks this module for its own ``register``, ``alias`` and ``create``
functions. The text form ``'["xavier", {"magnitude": 2}]'``, which a graph file carries in its ``__init__``
attributes, is what :meth:`Initializer.dumps` writes and ``create`` reads.
"""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, Callable, TypeVar

from . import _hints, _words
from ._repr import keywords
from .base import RefusedTypeError, RefusedValueError

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

T = TypeVar("T")
_REGISTRIES: dict[type[Any], dict[str, type[Any]]] = {}


def get_registry(base_class: type[T]) -> dict[str, type[T]]:
    """Return a copy of the classes filed under ``base_class``, by lower-case name.

    Examples
    --------
    >>> from mixgrad import initializer, registry
    >>> registry.get_registry(initializer.Initializer)["zeros"].__name__
    'Zero'
    """
    return dict(_REGISTRIES.get(base_class, {}))


def get_register_func(base_class: type[T], nickname: str) -> Callable[..., Any]:
    """Return ``register(klass, name=None)`` for the family of ``base_class``.

    Parameters
    ----------
    base_class : type
        Every registered class must derive from it; anything else is a ``TypeError``.
    nickname : str
        What the family is called in messages, such as ``"metric"``.
    """
    names = _REGISTRIES.setdefault(base_class, {})

    def register(klass: type[T], name: str | None = None) -> type[T]:
        if not (isinstance(klass, type) and issubclass(klass, base_class)):
            raise TypeError(
                f"[{nickname}.register] expected a subclass of {base_class.__name__}, got {klass!r}"
            )
        key = (name or klass.__name__).lower()
        known = names.get(key)
        if known is not None and known is not klass:
            warnings.warn(
                f"[{nickname}.register] '{key}' now means {klass.__module__}.{klass.__qualname__}; "
                f"it meant {known.__module__}.{known.__qualname__}",
                UserWarning,
                stacklevel=2,
            )
        names[key] = klass
        return klass

    register.__doc__ = f"Register a {nickname} class under its lower-case name; return the class."
    return register


def get_alias_func(base_class: type[T], nickname: str) -> Callable[..., Any]:
    """Return ``alias(*names)``, a class decorator that files a class under further names."""
    register = get_register_func(base_class, nickname)

    def alias(*aliases: str) -> Callable[[type[T]], type[T]]:
        def decorate(klass: type[T]) -> type[T]:
            for name in aliases:
                register(klass, name)
            return klass

        return decorate

    alias.__doc__ = f"Register a {nickname} class under the given names as well."
    return alias


def get_create_func(base_class: type[T], nickname: str) -> Callable[..., Any]:
    """Return ``create(spec, *args, **kwargs)`` for the family of ``base_class``.

    ``spec`` is an instance (returned as it is), a registered name, a dict such as
    ``{nickname: "name", "option": 1}``, or the JSON text of ``["name", {"option": 1}]`` or of such a dict.
    Other arguments go to the class. An unknown name is a ``ValueError`` that lists the known ones.
    """
    names = _REGISTRIES.setdefault(base_class, {})

    def create(*args: Any, **kwargs: Any) -> T:
        if args:
            spec, args = args[0], args[1:]
        elif nickname in kwargs:
            spec = kwargs.pop(nickname)
        else:
            raise TypeError(f"[{nickname}.create] expected a name, a {base_class.__name__} or a description")
        if isinstance(spec, base_class):
            if args or kwargs:
                raise ValueError(
                    f"[{nickname}.create] {spec!r} is made already and takes no further arguments; "
                    f"got {args!r} and {kwargs!r}"
                )
            return spec
        if isinstance(spec, dict):
            return create(*args, **{**spec, **kwargs})
        if isinstance(spec, type) and issubclass(spec, base_class):
            name = spec.__name__
            raise RefusedTypeError(
                f"[{nickname}.create] got the class {name}; expected an object of it: {name}()"
            )
        if not isinstance(spec, str):
            raise RefusedTypeError(
                f"[{nickname}.create] expected a name, got {type(spec).__name__}: {spec!r:.60}"
            )
        if spec[:1] in ("[", "{"):
            name, options = _parse(spec, nickname)
            return create(name, *args, **{**options, **kwargs})
        klass = names.get(spec.lower())
        if klass is None:
            known = sorted(names)
            hint = _hints.near(spec, known)
            raise RefusedValueError(
                f"[{nickname}.create] unknown name '{spec}'{hint}; known: {', '.join(known)}"
            )
        taken = keywords(klass) if kwargs else None
        unknown = {} if taken is None else {word: kwargs[word] for word in kwargs if word not in taken}
        if unknown:
            _hints.refuse_arguments(klass.__name__, unknown, taken or [], _words.OPTIONS)
        made: T = klass(*args, **kwargs)
        return made

    create.__doc__ = f"Make a {nickname} from a name, an instance, a dict or their JSON text."
    return create


def _parse(text: str, nickname: str) -> tuple[str, dict[str, Any]]:
    """Read ``["name", {options}]`` or ``{nickname: "name", **options}``."""
    try:
        spec = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"[{nickname}.create] not valid JSON: {text!r:.200} ({error})") from None
    if isinstance(spec, dict) and isinstance(spec.get(nickname), str):
        return spec.pop(nickname), spec
    if isinstance(spec, list) and spec and isinstance(spec[0], str):
        options = spec[1] if len(spec) > 1 else {}
        if isinstance(options, dict) and len(spec) <= 2:
            return spec[0], options
    raise ValueError(f'[{nickname}.create] expected ["name", {{options}}], got {text!r:.200}')


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
