"""What to write for names of NumPy 1 that newer releases lack, said where a script uses them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

__all__ = ["explain"]

_SAME = "np.{}".format
# What takes the place of each.
_INSTEAD = {
    **{name: name for name in ("bool", "int", "float", "complex", "object", "str")},
    "long": "int",
    "unicode": "str",
    **{
        old: _SAME(new)
        for old, new in {
            "alltrue": "all",
            "cfloat": "complex128",
            "clongfloat": "clongdouble",
            "complex_": "complex128",
            "cumproduct": "cumprod",
            "float_": "float64",
            "in1d": "isin",
            "Inf": "inf",
            "Infinity": "inf",
            "infty": "inf",
            "issubsctype": "issubdtype",
            "longcomplex": "clongdouble",
            "longfloat": "longdouble",
            "mat": "asmatrix",
            "NaN": "nan",
            "PINF": "inf",
            "product": "prod",
            "rank": "ndim",
            "recfromcsv": "genfromtxt(..., delimiter=',')",
            "recfromtxt": "genfromtxt",
            "round_": "round",
            "row_stack": "vstack",
            "set_string_function": "set_printoptions",
            "singlecomplex": "complex64",
            "sometrue": "any",
            "string_": "bytes_",
            "trapz": "trapezoid",
            "unicode_": "str_",
        }.items()
    },
    "asfarray": "np.asarray(a, dtype=float)",
    "asscalar": "a.item()",
    "byte_bounds": "np.lib.array_utils.byte_bounds",
    "cast": "np.asarray(a, dtype=...)",
    "compare_chararrays": "np.char.compare_chararrays",
    "DataSource": "np.lib.npyio.DataSource",
    "disp": "print",
    "fastCopyAndTranspose": "a.T.copy()",
    "find_common_type": "np.result_type or np.promote_types",
    "issctype": "isinstance(x, type) and issubclass(x, np.generic)",
    "issubclass_": "issubclass",
    "loads": "pickle.loads",
    "msort": "np.sort(a, axis=0)",
    "nbytes": "np.dtype(x).itemsize",
    "NINF": "-np.inf",
    "NZERO": "-0.0",
    "obj2sctype": "np.dtype(x).type",
    "PZERO": "0.0",
    "safe_eval": "ast.literal_eval",
    "sctype2char": "np.dtype(x).char",
    "source": "inspect.getsource",
}


def explain() -> None:
    """Has NumPy's errors of names that it lost say the line that uses one, and what to write there."""
    original = np.__dict__.get("__getattr__")

    def missing(name: str) -> Any:
        if original is not None:
            try:
                return original(name)
            except AttributeError:
                if name not in _INSTEAD:
                    raise
        if name not in _INSTEAD:
            raise AttributeError(f"module 'numpy' has no attribute {name!r}")
        caller = sys._getframe(1)
        raise AttributeError(
            f"{caller.f_code.co_filename}:{caller.f_lineno} uses np.{name}, which NumPy {np.__version__} "
            f"does not have; write {_INSTEAD[name]} instead"
        ) from None

    missing.__name__ = "__getattr__"
    np.__dict__["__getattr__"] = missing
