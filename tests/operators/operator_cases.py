"""Write the operator calls of tests/python/cases as lines that random_calls reads: operator_cases.py FILE."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

PYTHON = Path(__file__).resolve().parents[1] / "python"
sys.path.insert(0, str(PYTHON))

from opcase import Case, Spec, Stored  # noqa: E402


def cases() -> list[Case]:
    found: list[Case] = []
    for path in sorted((PYTHON / "cases").glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"cases_{path.stem}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        found.extend(module.CASES)
    return found


def input_text(given: Any, dtype: str) -> str:
    """dtype|extents|whole|low|high"""
    if isinstance(given, Stored):
        given = given.values
    if isinstance(given, np.ndarray):
        own = dtype if given.dtype == np.float64 else given.dtype.name
        values = np.nan_to_num(given.astype(np.float64), posinf=1e9, neginf=-1e9)
        whole = bool(np.all(values == np.trunc(values)))
        low, high = (values.min(), values.max()) if values.size else (0, 0)
        shape: tuple[int, ...] = given.shape
    else:
        spec = given if isinstance(given, Spec) else Spec(tuple(given))
        own, whole, low, high = spec.dtype or dtype, spec.kind == "int", spec.low, spec.high
        shape = spec.shape
    return f"{own}|{','.join(map(str, shape))}|{int(whole)}|{float(low)!r}|{float(high)!r}"


def line(case: Case) -> str:
    inputs = " ".join(input_text(given, case.dtypes[0]) for given in case.inputs)
    params = [text for name, value in case.params.items() for text in (name, str(value).replace("\n", " "))]
    assert not any("\t" in text for text in params)
    return "\t".join([case.op, inputs, *params])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text("".join(line(case) + "\n" for case in cases()))
