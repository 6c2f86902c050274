"""Properties of classes, and metaclasses of old scripts (``mx.base.classproperty``, ``with_metaclass``)."""

from __future__ import annotations

from typing import Any, Callable, Optional

__all__ = ["ClassProperty", "ClassPropertyMeta", "classproperty", "with_metaclass"]


class ClassProperty:
    """A property of a class and of its objects; its functions take the class."""

    def __init__(self, fget: Any, fset: Any = None) -> None:
        self.fget, self.fset = fget, fset

    def __get__(self, instance: Any, owner: Optional[type] = None) -> Any:
        return self.fget.__get__(instance, owner or type(instance))()

    def __set__(self, instance: Any, value: Any) -> Any:
        if self.fset is None:
            raise AttributeError("[classproperty] this property has no setter")
        owner = instance if isinstance(instance, type) else type(instance)
        return self.fset.__get__(None, owner)(value)

    def setter(self, function: Any) -> ClassProperty:
        """Has assignments call a function."""
        self.fset = _of_class(function)
        return self


class ClassPropertyMeta(type):
    """The metaclass of classes whose class properties can be assigned to."""

    def __setattr__(cls, key: str, value: Any) -> None:
        known = cls.__dict__.get(key)
        if isinstance(known, ClassProperty):
            known.__set__(cls, value)
        else:
            super().__setattr__(key, value)


def _of_class(function: Any) -> Any:
    return function if isinstance(function, (classmethod, staticmethod)) else classmethod(function)


def classproperty(func: Callable[[Any], Any]) -> ClassProperty:
    """A function of a class as its property.

    >>> class Net:
    ...     @classproperty
    ...     def title(cls):
    ...         return cls.__name__.lower()
    >>> Net.title, Net().title
    ('net', 'net')
    """
    return ClassProperty(_of_class(func))


def with_metaclass(meta: type, *bases: type) -> type:
    """A base that gives classes another metaclass: ``class Net(with_metaclass(Meta, Base))``."""

    class Stand(type):
        def __new__(mcs, name: str, this_bases: tuple[type, ...], body: dict[str, Any]) -> Any:
            return meta(name, bases, body)

        @classmethod
        def __prepare__(mcs, name: str, this_bases: tuple[type, ...], /, **options: Any) -> Any:
            return meta.__prepare__(name, bases)

    return type.__new__(Stand, "with_metaclass", (), {})
