"""Arrays themselves and functions that make them: what the standard asks of both."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from standard_peer import DTYPES, FLOATS, INTEGERS, NUMBERS, arrays, check, few, some

import mixgrad as mx
from mixgrad import array_api as xp


def test_namespace_of_arrays() -> None:
    x = mx.np.ones(2)
    assert x.__array_namespace__() is xp
    assert all(x.__array_namespace__(api_version=v) is xp for v in ("2021.12", "2023.12", "2025.12"))
    assert not hasattr(mx.nd.ones(2), "__array_namespace__")
    assert mx.np.__array_namespace__() is xp


def test_defaults() -> None:
    assert xp.asarray(1).dtype == xp.asarray([1, 2]).dtype == xp.arange(3).dtype == xp.int64
    assert xp.asarray(1.0).dtype == xp.ones(2).dtype == xp.linspace(0, 1, 3).dtype == xp.float32
    assert xp.asarray([True]).dtype == xp.full(2, False).dtype == xp.bool
    assert xp.full(2, 3).dtype == xp.int64
    assert xp.full(2, 3.5).dtype == xp.float32
    assert xp.asarray(np.ones(2)).dtype == xp.float64
    x = xp.asarray(np.arange(3, dtype="int32"))
    assert xp.asarray(x) is x
    assert xp.asarray(x, copy=True) is not x
    assert xp.asarray(x, copy=False) is x
    assert xp.asarray([x, x]).shape == (2, 3)
    assert xp.asarray(mx.nd.ones(2, dtype="float64")).dtype == xp.float64
    assert xp.asarray(memoryview(b"ab")).asnumpy().tolist() == [97, 98]
    assert xp.asarray(bytearray(b"ab")).dtype == xp.uint8
    with pytest.raises(mx.base.DTypeError, match="int16"):
        xp.asarray(np.ones(2, "int16"))


@pytest.mark.parametrize("dtype", DTYPES)
def test_made_arrays(dtype: str) -> None:
    calls: dict[str, Any] = {
        "zeros": lambda ns, t: (ns.zeros(3, dtype=t), ns.zeros((2, 0), dtype=t), ns.zeros((), dtype=t)),
        "ones": lambda ns, t: (ns.ones(3, dtype=t), ns.ones((2, 0), dtype=t)),
        "full": lambda ns, t: ns.full((2, 3), True if dtype == "bool" else 7, dtype=t),
        "like": lambda ns, t: (
            ns.zeros_like(ns.ones(3, dtype=t)),
            ns.ones_like(ns.zeros(3, dtype=t)),
            ns.full_like(ns.zeros((2, 2), dtype=t), True if dtype == "bool" else 7),
            ns.zeros_like(ns.ones(3), dtype=t),
        ),
        "eye": lambda ns, t: tuple(ns.eye(3, m, k=k, dtype=t) for m in (None, 2, 4) for k in (-4, -1, 0, 2)),
        "asarray": lambda ns, t: ns.asarray([[0, 1], [1, 0]], dtype=t),
    }
    if dtype != "bool":
        calls["arange"] = lambda ns, t: (
            ns.arange(5, dtype=t),
            ns.arange(2, 9, 3, dtype=t),
            ns.arange(9, 2, -3, dtype=t),
            ns.arange(5, 2, dtype=t),
        )
    if dtype in FLOATS:
        calls["linspace"] = lambda ns, t: tuple(
            ns.linspace(-1, 4, n, dtype=t, endpoint=e) for n in (0, 1, 2, 7) for e in (True, False)
        )
    for call in calls.values():
        check(lambda ns, call=call: call(ns, getattr(ns, dtype)))
    for made in (xp.empty((2, 3), dtype=dtype), xp.empty_like(xp.ones((2, 3)), dtype=getattr(xp, dtype))):
        assert (made.shape, made.dtype) == ((2, 3), np.dtype(dtype))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
@pytest.mark.parametrize("dtype", NUMBERS)
def test_meshgrid(dtype: str, indexing: str) -> None:
    x, y, z = (np.arange(n).astype(dtype) for n in (2, 3, 4))
    check(lambda ns, *a: tuple(ns.meshgrid(*a, indexing=indexing)), x, y)
    check(lambda ns, *a: tuple(ns.meshgrid(*a, indexing=indexing)), x, y, z)
    check(lambda ns, *a: tuple(ns.meshgrid(*a, indexing=indexing)), x)


@pytest.mark.parametrize("dtype", DTYPES)
def test_reading_by_index(dtype: str) -> None:
    @few
    @given(st.data())
    def run(data: Any) -> None:
        x = data.draw(arrays(dtype, some, 100))
        key = data.draw(hnp.basic_indices(x.shape, allow_newaxis=True))
        key = key if isinstance(key, tuple) else (key,)
        if not any(k is Ellipsis for k in key) and len([k for k in key if k is not None]) < x.ndim:
            key = (*key, ...)  # the standard asks for it
        check(lambda ns, a: a[key], x)
        mask = data.draw(hnp.arrays("bool", x.shape))
        check(lambda ns, a: a[ns.asarray(mask)], x)
        places = data.draw(hnp.arrays("int64", (3,), elements=st.integers(-x.shape[0], x.shape[0] - 1)))
        rest = tuple(data.draw(st.integers(0, n - 1)) for n in x.shape[1:])
        check(lambda ns, a: a[(ns.asarray(places), *rest)], x)

    run()


def _written(a: Any, key: Any, value: Any) -> Any:
    a[key] = value
    return a


@pytest.mark.parametrize("dtype", DTYPES)
def test_writing_by_index(dtype: str) -> None:
    @few
    @given(st.data())
    def run(data: Any) -> None:
        x = data.draw(arrays(dtype, some, 100))
        key = tuple(data.draw(st.integers(0, n - 1) | st.just(slice(None))) for n in x.shape)
        number: Any = True if dtype == "bool" else 3
        check(lambda ns, a: _written(a, key, number), x)
        check(lambda ns, a, v: _written(a, key, v), x, np.asarray(np.zeros_like(x[key])))
        mask = data.draw(hnp.arrays("bool", x.shape))
        check(lambda ns, a: _written(a, ns.asarray(mask), number), x)

    run()


def test_attributes() -> None:
    x = xp.ones((2, 3))
    assert (x.ndim, x.shape, x.size, x.dtype) == (2, (2, 3), 6, xp.float32)
    assert x.T.shape == x.mT.shape == (3, 2)
    assert x.device == mx.cpu(0)
    assert x.to_device(x.device) is x
    assert x.to_device("cpu(1)").device == mx.cpu(1)
    assert xp.zeros(2, device="cpu(1)").device == mx.cpu(1)
    assert xp.astype(x, xp.float64, device=mx.cpu(1)).device == mx.cpu(1)
    with pytest.raises(NotImplementedError, match="stream"):
        x.to_device(x.device, stream=1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_python_numbers(dtype: str) -> None:
    x = xp.ones((), dtype=getattr(xp, dtype))
    assert bool(x) is True
    assert (type(int(x)), int(x)) == (int, 1)
    assert (type(float(x)), float(x)) == (float, 1.0)
    assert (type(complex(x)), complex(x)) == (complex, 1 + 0j)
    if dtype in INTEGERS:
        assert [10, 20][x] == 20
    else:
        with pytest.raises(TypeError):
            _ = [10, 20][x]
    if dtype in FLOATS:
        assert np.isnan(float(xp.full((), xp.nan, dtype=x.dtype)))
        assert complex(xp.full((), -xp.inf, dtype=x.dtype)) == complex(-np.inf)


@pytest.mark.parametrize("dtype", DTYPES)
def test_dlpack(dtype: str) -> None:
    values = np.array([[0, 1], [1, 1]], dtype)
    assert (np.from_dlpack(xp.asarray(values)) == values).all()
    taken = xp.from_dlpack(values)
    assert type(taken) is mx.np.ndarray
    assert (taken.asnumpy() == values).all()
    copied = xp.from_dlpack(values, copy=True)
    values[0, 0] = 1
    assert copied.asnumpy()[0, 0] == 0
    assert xp.from_dlpack(values, device="cpu(1)").device == mx.cpu(1)


def test_questions_about_dtypes() -> None:
    import array_api_strict as peer

    for dtype in DTYPES:
        ours, theirs = getattr(xp, dtype), getattr(peer, dtype)
        kinds = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "numeric")
        for kind in (*kinds, "complex floating", kinds[:2]):
            assert xp.isdtype(ours, kind) == peer.isdtype(theirs, kind)
        for other in DTYPES:
            assert xp.isdtype(ours, getattr(xp, other)) == (dtype == other)
            assert xp.can_cast(ours, getattr(xp, other)) == peer.can_cast(theirs, getattr(peer, other))
        if dtype in FLOATS:
            mine, limits = xp.finfo(ours), peer.finfo(theirs)
            for word in ("bits", "eps", "max", "min", "smallest_normal"):
                assert getattr(mine, word) == getattr(limits, word)
                assert type(getattr(mine, word)) is type(getattr(limits, word))
        if dtype in INTEGERS:
            whole, range_of = xp.iinfo(xp.ones(1, dtype=ours)), peer.iinfo(theirs)
            assert (whole.bits, whole.max, whole.min) == (range_of.bits, range_of.max, range_of.min)
    assert xp.result_type(xp.ones(1, dtype=xp.int8), 3) == xp.int8
    assert xp.result_type(xp.bool, 3) == xp.int64
    assert xp.result_type(xp.int8, 3.5) == xp.float32
    assert xp.result_type(xp.float32, 3.5, xp.float64) == xp.float64
    with pytest.raises(ValueError, match="no array"):
        xp.result_type(3)


def test_bfloat16_is_no_dtype_of_the_standard() -> None:
    x = mx.np.ones(2).astype("bfloat16")
    for call in (lambda: xp.exp(x), lambda: xp.add(x, x), lambda: xp.add(x, 1), lambda: xp.sum(x)):
        with pytest.raises(TypeError, match="the array is of bfloat16"):
            call()
    half = xp.ones(2, dtype="float16")
    assert xp.exp(half).dtype == np.float16


def test_broadcast_shapes() -> None:
    assert xp.broadcast_shapes((2, 1), (3,), ()) == (2, 3)
    with pytest.raises(ValueError, match="shape"):
        xp.broadcast_shapes((2,), (3,))


def test_gradients_flow() -> None:
    x = xp.asarray([1.0, 2.0, 3.0])
    x.attach_grad()
    with mx.autograd.record():
        y = xp.sum(xp.cumulative_sum(xp.concat([x, x]) * 2) ** 2) + xp.linalg.vector_norm(x) + xp.var(x)
    y.backward()
    h = 1e-3
    found = []
    for i in range(3):
        total = []
        for sign in (1, -1):
            v = np.array([1.0, 2.0, 3.0])
            v[i] += sign * h
            sums = np.cumsum(np.concatenate([v, v]) * 2)
            total.append((sums**2).sum() + np.sqrt((v**2).sum()) + v.var())
        found.append((total[0] - total[1]) / (2 * h))
    np.testing.assert_allclose(x.grad.asnumpy(), found, rtol=1e-4)
    with mx.autograd.record(), pytest.raises(ValueError, match="no gradient"):
        xp.linalg.svdvals(xp.stack([x, x]))
    with mx.autograd.record():
        y = xp.sum(xp.cumulative_prod(x, include_initial=True))
    y.backward()
    assert x.grad.asnumpy().tolist() == [1 + 2 + 6, 1 + 3, 2]  # of 1 + x0 + x0 x1 + x0 x1 x2


def test_gradients_of_places_along_an_axis() -> None:
    x = xp.asarray([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    x.attach_grad()
    with mx.autograd.record():
        y = xp.take_along_axis(x, xp.asarray([[0, -1, 0]]), axis=1)
        loss = xp.sum(y * y)
    loss.backward()
    assert y.asnumpy().tolist() == [[1, 3, 1], [4, 6, 4]]
    assert x.grad.asnumpy().tolist() == [[4, 0, 6], [16, 0, 12]]
    with pytest.raises(ValueError, match="axes of indices"):
        xp.take_along_axis(x, xp.asarray([0]))
