"""Names and signatures of the standard's namespace, read from array_api_strict."""

from __future__ import annotations

import inspect
from typing import Any

import array_api_strict as peer
import pytest

from mixgrad import array_api as xp

OWN = {
    "Device",
    "set_array_api_strict_flags",
    "get_array_api_strict_flags",
    "reset_array_api_strict_flags",
    "ArrayAPIStrictFlags",
    "__version__",
}
# Why a name is not there.
_COMPLEX = "no dtype is complex"
_INTEGERS = "arrays are int8, int32, int64 or uint8, as in MXNet"
ABSENT = {
    "complex64": _COMPLEX,
    "complex128": _COMPLEX,
    "imag": _COMPLEX,
    "fft": _COMPLEX,
    "int16": _INTEGERS,
    "uint16": _INTEGERS,
    "uint32": _INTEGERS,
    "uint64": _INTEGERS,
}
NAMES = sorted(set(peer.__all__) - OWN)
LINALG = sorted(peer.linalg.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_name_is_there(name: str) -> None:
    assert hasattr(xp, name) == (name not in ABSENT)
    assert (name in xp.__all__) == (name not in ABSENT)


@pytest.mark.parametrize("name", LINALG)
def test_name_of_linear_algebra_is_there(name: str) -> None:
    assert hasattr(xp.linalg, name)
    assert name in xp.linalg.__all__


def _parameters(function: Any) -> list[tuple[str, Any, bool]]:
    return [
        (p.name if p.kind is not p.POSITIONAL_ONLY else "", p.kind, p.default is p.empty)
        for p in inspect.signature(function).parameters.values()
    ]


def _functions() -> list[Any]:
    main = [(name, getattr(xp, name, None), getattr(peer, name)) for name in NAMES if name not in ABSENT]
    more = [("linalg." + name, getattr(xp.linalg, name), getattr(peer.linalg, name)) for name in LINALG]
    return [
        pytest.param(ours, theirs, id=name)
        for name, ours, theirs in main + more
        if inspect.isfunction(theirs)
    ]


@pytest.mark.parametrize(("ours", "theirs"), _functions())
def test_signature(ours: Any, theirs: Any) -> None:
    mine, wanted = _parameters(ours), _parameters(theirs)
    positional = [p for p in wanted if p[1] is not inspect.Parameter.KEYWORD_ONLY]
    # What the standard requires may be left out here, never the reverse.
    assert [p[:2] for p in mine[: len(positional)]] == [p[:2] for p in positional]
    assert all(not m[2] or w[2] for m, w in zip(mine, positional))
    assert {p[0] for p in wanted[len(positional) :]} == {p[0] for p in mine[len(positional) :]}


def test_constants() -> None:
    for name in ("e", "inf", "pi"):
        assert getattr(xp, name) == getattr(peer, name)
    assert xp.nan != xp.nan
    assert xp.newaxis is None
    assert xp.__array_api_version__ == peer.__array_api_version__


def test_information() -> None:
    info = xp.__array_namespace_info__()
    assert set(info.dtypes()) == {"bool", "int8", "int32", "int64", "uint8", "float32", "float64"}
    assert info.dtypes(kind="real floating") == {"float32": xp.float32, "float64": xp.float64}
    assert set(info.dtypes(kind=("bool", "unsigned integer"))) == {"bool", "uint8"}
    with pytest.raises(ValueError, match="kind"):
        info.dtypes(kind="fractions")
    assert info.default_dtypes() == {"real floating": xp.float32, "integral": xp.int64, "indexing": xp.int64}
    assert info.default_device() in info.devices()
    theirs = peer.__array_namespace_info__().capabilities()
    mine = info.capabilities()
    assert mine["boolean indexing"] is theirs["boolean indexing"]
    assert mine["data-dependent shapes"] is theirs["data-dependent shapes"]
    dims = mine["max dimensions"]
    assert xp.ones((1,) * dims).ndim == dims
