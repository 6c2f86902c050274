"""All operators, for arrays of ``mx.np`` and symbols: they give arrays of the class of their inputs."""

from __future__ import annotations

from typing import Any

from .. import ops

operators: Any = ops
