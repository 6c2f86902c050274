"""Shapes and dtypes that follow from those of some arguments."""

from __future__ import annotations

import warnings
from typing import Any, Optional

import numpy as np

from .. import _core
from .._np_semantics import is_np_shape
from ..base import ShapeError, dtype_number, numpy_type

__all__ = ["Inference", "given_shape"]

_ARGUMENTS = 0
_SHOWN = 10  # arguments that a warning names

Lists = tuple[Any, Any, Any]  # of arguments, outputs and auxiliary states


class Inference:
    """What a symbol says of shapes and dtypes."""

    __slots__ = ()
    _handle: _core.SymbolHandle

    def infer_shape(self, *args: Any, **kwargs: Any) -> Lists:
        """Shapes of arguments, outputs and auxiliary states, from those of some arguments.

        Parameters
        ----------
        *args, **kwargs : tuple of int
            Shapes by keyword, or in order of :meth:`Symbol.list_arguments`; one that is not known is None or
            ``()``, and an extent that is not known 0. Inside :func:`mixgrad.np_shape` these are None and -1.

        Returns
        -------
        tuple of three lists
            (None, None, None), with a warning, when some shape does not follow.
        """
        known, shapes, _ = self._infer("infer_shape", args, kwargs, True)
        if known:
            return shapes
        names = self._handle.names(_ARGUMENTS)
        none, some = (None, -1) if is_np_shape() else ((), 0)
        unknown = [f"{n}: {s}" for n, s in zip(names, shapes[0]) if s == none or some in s]
        _warn_unknown("shape", unknown)
        return None, None, None

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Lists:
        """As :meth:`infer_shape`, with ``()`` for a shape and 0 for an extent that does not follow.

        Inside :func:`mixgrad.np_shape` these are None and -1.
        """
        _, shapes, _ = self._infer("infer_shape", args, kwargs, True)
        return shapes

    def infer_type(self, *args: Any, **kwargs: Any) -> Lists:
        """Dtypes of arguments, outputs and auxiliary states, from those of some arguments.

        Returns
        -------
        tuple of three lists
            (None, None, None), with a warning, when some dtype does not follow.
        """
        known, _, types = self._infer("infer_type", args, kwargs, False)
        if known:
            return types
        unknown = [f"{n}: {t}" for n, t in zip(self._handle.names(_ARGUMENTS), types[0]) if t is None]
        _warn_unknown("type", unknown)
        return None, None, None

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> Lists:
        """As :meth:`infer_type`, with None for a dtype that does not follow."""
        _, _, types = self._infer("infer_type", args, kwargs, False)
        return types

    def _infer(
        self, who: str, args: tuple[Any, ...], kwargs: dict[str, Any], of_shapes: bool
    ) -> tuple[bool, Lists, Lists]:
        if args and kwargs:
            raise ValueError(f"[{who}] arguments by position and by keyword; expected one of the two")
        if len(args) > len(self._handle.names(_ARGUMENTS)):
            raise ValueError(
                f"[{who}] got {len(args)} arguments; the symbol has {len(self._handle.names(_ARGUMENTS))}"
            )
        given = dict(zip(self._handle.names(_ARGUMENTS), args)) if args else kwargs
        given = {k: v for k, v in given.items() if v is not None and not (of_shapes and _says_nothing(v))}
        names = list(given)
        if of_shapes:
            found = self._handle.infer(names, [given_shape(who, k, v) for k, v in given.items()], None)
        else:
            found = self._handle.infer(names, None, [dtype_number(v) for v in given.values()])
        parts = [found.part(part) for part in range(3)]
        arguments, outputs, states = ([_shown_shape(shape) for shape in shapes] for _, shapes, _ in parts)
        types = [[None if t < 0 else numpy_type(t) for t in dtypes] for _, _, dtypes in parts]
        known = found.has_shapes() if of_shapes else found.has_dtypes()
        return known, (arguments, outputs, states), (types[0], types[1], types[2])


def _says_nothing(shape: Any) -> bool:
    """Whether it is ``()``, which stands for a shape that is not known."""
    return isinstance(shape, (tuple, list)) and len(shape) == 0 and not is_np_shape()


def given_shape(who: str, key: str, shape: Any) -> list[int]:
    """Extents as the library takes them: -1 for one that is not known."""
    if isinstance(shape, np.ndarray) and shape.ndim == 1:
        shape = shape.tolist()
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"[{who}] {key} is {type(shape).__name__}; expected a tuple")
    extents = []
    for extent in shape:
        if not hasattr(extent, "__index__") or not -1 <= extent.__index__() < 2**63:
            raise ShapeError(f"[{who}] {key} has the shape {tuple(shape)}; expected whole numbers from 0 on")
        extents.append(extent.__index__() or (0 if is_np_shape() else -1))
    return extents


def _shown_shape(shape: Optional[tuple[int, ...]]) -> Optional[tuple[int, ...]]:
    if is_np_shape():
        return shape
    return () if shape is None else tuple(max(extent, 0) for extent in shape)


def _warn_unknown(what: str, unknown: list[str]) -> None:
    shown = unknown[:_SHOWN] + (["..."] if len(unknown) > _SHOWN else [])
    warnings.warn(
        f"the {what}s of these arguments do not follow from those given: " + ", ".join(shown), stacklevel=3
    )
