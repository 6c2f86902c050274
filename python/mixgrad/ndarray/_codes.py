"""The numbers that MXNet's files and C functions have for dtypes, storage types and gradient requests.

Scripts import these tables from ``mx.ndarray.ndarray``, where MXNet 1.9.1 has them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

_DTYPE_MX_TO_NP: dict[int, Any] = {
    -1: None,
    0: np.float32,
    1: np.float64,
    2: np.float16,
    3: np.uint8,
    4: np.int32,
    5: np.int8,
    6: np.int64,
    7: np.bool_,
    12: np.dtype([("bfloat16", np.uint16)]),
}
_DTYPE_NP_TO_MX: dict[Any, int] = {dtype: number for number, dtype in _DTYPE_MX_TO_NP.items()}

_STORAGE_TYPE_UNDEFINED = -1
_STORAGE_TYPE_DEFAULT = 0
_STORAGE_TYPE_ROW_SPARSE = 1
_STORAGE_TYPE_CSR = 2
_STORAGE_TYPE_ID_TO_STR: dict[int, str] = {
    _STORAGE_TYPE_UNDEFINED: "undefined",
    _STORAGE_TYPE_DEFAULT: "default",
    _STORAGE_TYPE_ROW_SPARSE: "row_sparse",
    _STORAGE_TYPE_CSR: "csr",
}
_STORAGE_TYPE_STR_TO_ID: dict[str, int] = {name: number for number, name in _STORAGE_TYPE_ID_TO_STR.items()}

_GRAD_REQ_MAP: dict[str, int] = {"null": 0, "write": 1, "add": 3}
