"""Functions of ``mx.np.linalg`` that NumPy computes on copies of the values."""

from __future__ import annotations

import numpy as onp

from .fallback import wrapped

__all__ = ["cond", "lstsq", "matrix_power", "matrix_rank", "multi_dot", "qr"]

cond, lstsq, matrix_power, matrix_rank, multi_dot, qr = (
    wrapped(name, onp.linalg, "mixgrad.numpy.linalg") for name in __all__
)
