"""Ray, where it is installed."""

from __future__ import annotations

import importlib
from typing import Any

__all__ = ["needed"]


def needed(who: str, module: str = "ray") -> Any:
    """A module of Ray; an ``ImportError`` that says how to install it, where it is not there."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"[{who}] needs Ray, of which {module} cannot be imported ({error}): pip install 'mixgrad[ray]'",
            name=module,
        ) from None
