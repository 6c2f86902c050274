"""Arguments of functions of mx.np that NumPy refuses, those named as elsewhere, and the places of parts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as onp
import pytest

import mixgrad as mx

np = mx.np
PLACES = [[3, 5], (3,), (), [0, 3], [10], [3, 12], [5, 3], [-3, 4], [-3], range(2, 8, 3)]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda x: x.mean(dim=1), r"\[mean\] no argument is called 'dim': it is axis here"),
        (lambda x: np.sum(x, dim=1), r"\[sum\] no argument is called 'dim': it is axis here"),
        (lambda x: x.max(0, keepdim=True), r"\[max\] no argument is called 'keepdim': it is keepdims here"),
        (lambda x: np.concatenate([x, x], dim=0), r"\[concatenate\] .* it is axis here"),
        (lambda x: np.argmax(x, axes=0), r"\[argmax\] .* it is axis here"),
        (lambda x: x.sum(acxis=0), r"\[sum\] .*; nearest: axis"),
        (lambda x: x.sum(foo=0), r"\[sum\] .*; it takes axis, dtype, out, keepdims"),
    ],
)
def test_keywords_of_other_libraries(call: Callable[[Any], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        call(np.ones((2, 3)))


def test_errors_inside_functions_stay_theirs() -> None:
    with pytest.raises(TypeError, match=r"dtype|number"):
        np.sum(np.ones(3), dtype=object())


@pytest.mark.parametrize("axis", [(1, 1), (1, -2), (0, 2, -1)])
@pytest.mark.parametrize("name", ["median", "percentile", "quantile", "flip", "sum", "std", "average", "any"])
def test_axes_named_twice(name: str, axis: tuple[int, ...]) -> None:
    x = np.ones((2, 3, 4))
    more = (0.5,) if name in ("percentile", "quantile") else ()
    with pytest.raises(ValueError, match=r"twice|once"):
        getattr(np, name)(x, *more, axis=axis)
    with pytest.raises(ValueError):
        getattr(onp, name)(onp.ones((2, 3, 4)), *more, axis=axis)


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("form", ["as it is", "array", "symbol"])
def test_parts_at_places(places: Any, form: str) -> None:
    values = onp.arange(20.0).reshape(2, 10)
    for axis in (1, -1):
        expected = onp.split(values, list(places), axis)
        for cut in ("split", "array_split"):
            given = onp.array(places, int) if form == "array" else places
            if form == "symbol":
                if places in ([5, 3], [-3, 4]):
                    continue  # refused below
                parts = getattr(mx.sym.np, cut)(mx.sym.var("x").as_np_ndarray(), given, axis=axis)
                parts = mx.sym.Group(parts).bind(mx.cpu(), {"x": np.array(values)}).forward()
            else:
                parts = getattr(np, cut)(np.array(values), given, axis=axis)
            assert len(parts) == len(places) + 1
            for part, one in zip(parts, expected):
                onp.testing.assert_array_equal(part.asnumpy(), one)


def test_parts_out_of_order_in_graphs() -> None:
    x = mx.sym.var("x")
    with pytest.raises(ValueError, match="expected indices in order"):
        mx.sym.np.split(x.as_np_ndarray(), [5, 3])[0].infer_shape(x=(10,))
    with pytest.raises(ValueError, match="expected indices in order"):
        mx.nd.split_v2(mx.nd.ones((10,)), (5, 3))


def test_indices_outside_an_array() -> None:
    for flat in ([6], [-1], [0, 100]):
        with pytest.raises(ValueError, match="outside an array"):
            np.unravel_index(np.array(flat), (2, 3))[0].asnumpy()
        with pytest.raises(ValueError):
            onp.unravel_index(flat, (2, 3))


def test_diagonals_are_of_matrices() -> None:
    for shape in ((2, 3, 4), (2, 3, 4, 5)):
        with pytest.raises(ValueError, match="one axis or two"):
            np.diag(np.ones(shape))
        with pytest.raises(ValueError, match="one axis or two"):
            np.ones(shape).diag()
        assert mx.nd.diag(mx.nd.ones(shape)).shape == (*shape[2:], 2)


def test_probabilities_of_a_choice() -> None:
    for p in ([0.1, 0.1, 0.1], [0.5, 0.5, 0.5], [1.5, -0.5, 0]):
        with pytest.raises(ValueError):
            np.random.choice(3, 5, p=np.array(p)).asnumpy()
        with pytest.raises(ValueError):
            onp.random.default_rng(0).choice(3, 5, p=p)
    softmax = mx.npx.softmax(np.arange(1000) / 100)
    assert np.random.choice(1000, 20, p=softmax).asnumpy().max() < 1000
