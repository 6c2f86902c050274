"""All public operators under one name, as in MXNet's ``mx.nd.op``."""

from __future__ import annotations

from typing import Any

from .. import ops as _ops


def __getattr__(name: str) -> Any:
    return getattr(_ops, name)


def __dir__() -> list[str]:
    return [n for n in _ops.NAMES if not n.startswith("_")]
