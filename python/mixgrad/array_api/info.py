"""What the namespace says of itself: devices, dtypes, capabilities."""

from __future__ import annotations

from typing import Any, Union

from ..context import Context, cpu, current_context, gpu, num_gpus
from .data_types import KINDS, float32, int64

__all__ = ["__array_namespace_info__"]


class NamespaceInfo:
    """What :func:`__array_namespace_info__` gives."""

    def capabilities(self) -> dict[str, Any]:
        """Boolean indices, results whose shapes depend on values, and at most 16 axes."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self) -> Context:
        """The current device."""
        return current_context()

    def default_dtypes(self, *, device: Union[Context, str, None] = None) -> dict[str, Any]:
        """Of new arrays: floats are float32, integers and indices int64; there are no complex numbers."""
        return {"real floating": float32, "integral": int64, "indexing": int64}

    def devices(self) -> list[Context]:
        """The devices of this machine."""
        return [cpu(), *(gpu(i) for i in range(num_gpus()))]

    def dtypes(
        self, *, device: Union[Context, str, None] = None, kind: Union[str, tuple[str, ...], None] = None
    ) -> dict[str, Any]:
        """Dtypes by name: all, or those of a kind, or of several (see :func:`isdtype`)."""
        if kind is None:
            kind = ("bool", "numeric")
        kinds = (kind,) if isinstance(kind, str) else kind
        unknown = [one for one in kinds if one not in KINDS]
        if unknown:
            raise ValueError(f"[dtypes] kind is {unknown[0]!r:.40}; expected one of {', '.join(KINDS)}")
        return {dtype.name: dtype for one in kinds for dtype in KINDS[one]}


def __array_namespace_info__() -> NamespaceInfo:
    """Devices, dtypes and capabilities of the namespace."""
    return NamespaceInfo()
