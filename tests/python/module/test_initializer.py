"""Initialisers: rules by name, distributions, and what they refuse."""

from __future__ import annotations

import json
import logging
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mixgrad as mx

init = mx.init


def filled(initializer: Any, shape: tuple[int, ...], name: str = "fc_weight") -> np.ndarray[Any, Any]:
    arr = mx.nd.full(shape, -7.0)
    initializer(init.InitDesc(name), arr)
    return np.asarray(arr.asnumpy())


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fc_weight", 5),
        ("weight", 5),
        ("fc_bias", 0),
        ("bn_gamma", 1),
        ("bn_beta", 0),
        ("bn_moving_mean", 0),
        ("bn_running_mean", 0),
        ("bn_moving_var", 1),
        ("bn_running_var", 1),
        ("bn_moving_inv_var", 0),
        ("bn_moving_avg", 0),
        ("x_min", 0),
        ("x_max", 1),
    ],
)
def test_name_chooses_the_rule(name: str, value: float, plain: bool) -> None:
    arr = mx.nd.full((3,), -7.0)
    init.Constant(5)(name if plain else init.InitDesc(name), arr)
    assert arr.asnumpy().tolist() == [value] * 3


def test_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\[Zero\] no rule for the name 'foo' \(shape \(2,\)\)"):
        init.Zero()("foo", mx.nd.zeros((2,)))
    with pytest.raises(TypeError, match="must be a string, got int"):
        init.Zero()(3, mx.nd.zeros((2,)))  # type: ignore[arg-type]


def test_plain_names_of_old_layers() -> None:
    loc = mx.nd.zeros((6,))
    init.One()("stn_loc_bias", loc)
    assert loc.asnumpy().tolist() == [1, 0, 0, 0, 1, 0]
    with pytest.raises(ValueError, match=r"shape \(6,\), got \(5,\)"):
        init.One()("stn_loc_bias", mx.nd.zeros((5,)))
    up = mx.nd.zeros((1, 1, 4, 4))
    init.One()("upsampling0", up)
    np.testing.assert_allclose(up.asnumpy()[0, 0], np.outer(*[[0.25, 0.75, 0.75, 0.25]] * 2))


@pytest.mark.parametrize("text", [init.One().dumps(), "one", '{"initializer": "ones"}'])
def test_attribute_of_the_variable_wins(text: str) -> None:
    arr = mx.nd.zeros((2,))
    desc = init.InitDesc("fc_bias", {"__init__": text})
    init.Zero()(desc, arr)
    assert arr.asnumpy().tolist() == [1, 1]
    assert isinstance(desc, str)
    assert desc == "fc_bias"


@pytest.mark.parametrize(
    ("initializer", "text"),
    [
        (init.Zero(), '["zero", {}]'),
        (init.Constant(2), '["constant", {"value": 2}]'),
        (init.Constant(np.array([1.0, 2.0])), '["constant", {"value": [1.0, 2.0]}]'),
        (init.Uniform(), '["uniform", {"scale": 0.07}]'),
        (init.Normal(1), '["normal", {"sigma": 1}]'),
        (init.Orthogonal(), '["orthogonal", {"scale": 1.414, "rand_type": "uniform"}]'),
        (init.Xavier(), '["xavier", {"rnd_type": "uniform", "factor_type": "avg", "magnitude": 3}]'),
        (init.MSRAPrelu(), '["msraprelu", {"factor_type": "avg", "slope": 0.25}]'),
        (init.LSTMBias(), '["lstmbias", {"forget_bias": 1.0}]'),
    ],
)
def test_text_makes_an_equal_initializer(initializer: Any, text: str) -> None:
    assert initializer.dumps() == text
    again = init.create(text)
    assert type(again) is type(initializer)
    assert again.dumps() == text


def test_create() -> None:
    assert isinstance(init.create("zeros"), init.Zero)
    assert isinstance(init.create("Ones"), init.One)
    zero = init.Zero()
    assert init.create(zero) is zero
    assert init.create("xavier", magnitude=9).magnitude == 9
    with pytest.raises(ValueError, match=r"unknown name 'nope'; known: bilinear, constant, .*zeros"):
        init.create("nope")
    with pytest.raises(ValueError, match="takes no further arguments"):
        init.create(zero, 1)
    with pytest.raises(ValueError, match="not valid JSON"):
        init.create("[1")
    with pytest.raises(TypeError, match="expected a name, got int"):
        init.create(3)
    assert init.Constant(1) == init.Constant(1) != init.Constant(2)


def test_register_and_alias() -> None:
    @init.alias("eight_of_test")
    @init.register
    class SevenOfTest(init.Initializer):  # type: ignore[misc,name-defined]
        def _init_weight(self, name: str, arr: Any) -> None:
            arr[:] = 7

    for name in ("sevenoftest", "SevenOfTest", "eight_of_test"):
        assert filled(init.create(name), (2,)).tolist() == [7, 7]
    with pytest.raises(TypeError, match="subclass of Initializer"):
        init.register(int)
    with pytest.warns(UserWarning, match="'sevenoftest' now means"):
        init.register(type("SevenOfTest", (init.Initializer,), {}))


@given(
    shape=st.lists(st.integers(1, 5), min_size=2, max_size=4),
    rnd_type=st.sampled_from(["uniform", "gaussian"]),
    factor_type=st.sampled_from(["avg", "in", "out"]),
    magnitude=st.floats(0.1, 10),
)
@settings(max_examples=30, deadline=None)
def test_xavier_scale(shape: list[int], rnd_type: str, factor_type: str, magnitude: float) -> None:
    fan_in, fan_out = math.prod(shape[1:]), shape[0] * math.prod(shape[2:])
    factor = {"avg": (fan_in + fan_out) / 2, "in": fan_in, "out": fan_out}[factor_type]
    scale = math.sqrt(magnitude / factor)
    drawn = []
    for source in (
        lambda arr: init.Xavier(rnd_type, factor_type, magnitude)("x_weight", arr),
        lambda arr: (
            mx.nd.random.uniform(-scale, scale, out=arr)
            if rnd_type == "uniform"
            else mx.nd.random.normal(0, scale, out=arr)
        ),
    ):
        mx.random.seed(7)
        arr = mx.nd.zeros(tuple(shape))
        source(arr)
        drawn.append(arr.asnumpy())
    np.testing.assert_array_equal(*drawn)


def test_spread_of_random_weights() -> None:
    mx.random.seed(0)
    shape = (200, 300)
    uniform = filled(init.Uniform(0.5), shape)
    assert -0.5 <= uniform.min() < -0.49 and 0.49 < uniform.max() <= 0.5
    assert filled(init.Normal(0.5), shape).std() == pytest.approx(0.5, rel=0.02)
    assert filled(init.MSRAPrelu("in", 0.5), shape).std() == pytest.approx((2 / 1.25 / 300) ** 0.5, rel=0.02)


@given(
    shape=st.lists(st.integers(1, 6), min_size=2, max_size=3),
    rand_type=st.sampled_from(["uniform", "normal"]),
)
@settings(max_examples=20, deadline=None)
def test_orthogonal(shape: list[int], rand_type: str) -> None:
    w = filled(init.Orthogonal(2.0, rand_type), tuple(shape)).reshape(shape[0], -1)
    np.testing.assert_allclose(np.linalg.svd(w, compute_uv=False), 2.0, rtol=1e-4)


def test_same_seed_same_weights() -> None:
    results = []
    for _ in range(2):
        mx.random.seed(11)
        results.append([filled(i, (3, 4)) for i in (init.Uniform(), init.Orthogonal(), init.Xavier())])
    np.testing.assert_array_equal(results[0], results[1])


def test_bilinear_interpolates() -> None:
    w = filled(init.Bilinear(), (2, 3, 3, 5))
    centre = (2 * 3 - 1 - 1) / 6
    expected = np.array(
        [[(1 - abs(y / 3 - centre)) * (1 - abs(x / 3 - centre)) for x in range(5)] for y in range(3)]
    )
    np.testing.assert_allclose(w, np.broadcast_to(expected, w.shape), rtol=1e-6)


def test_lstm_bias() -> None:
    desc = init.InitDesc("lstm_bias", {"__init__": init.LSTMBias(2.0).dumps()})
    arr = mx.nd.full((8,), 9)
    init.Zero()(desc, arr)
    assert arr.asnumpy().tolist() == [0, 0, 2, 2, 0, 0, 0, 0]


def test_constant_takes_arrays() -> None:
    for value in (mx.nd.array([1, 2]), np.array([1, 2], dtype=np.float32), [1, 2]):
        assert filled(init.Constant(value), (2, 2)).tolist() == [[1, 2], [1, 2]]
    assert json.loads(init.Constant(mx.nd.array([1, 2])).dumps())[1] == {"value": [1, 2]}


def test_mixed() -> None:
    mixed = init.Mixed([".*bias", "fc.*"], [init.Zero(), init.One()])
    arr = mx.nd.full((2,), 5)
    mixed("fc_weight", arr)
    assert arr.asnumpy().tolist() == [1, 1]
    with pytest.raises(ValueError, match=r"'conv_weight' matches none of '\.\*bias', 'fc\.\*'"):
        mixed("conv_weight", arr)
    with pytest.raises(ValueError, match="got 1 patterns and 0"):
        init.Mixed(["x"], [])


def test_load(tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    arrays = {"arg:a": mx.nd.ones((2,)), "aux:b": mx.nd.ones((2,)) * 2, "c": mx.nd.ones((2,)) * 3}
    path = str(tmp_path / "w.params")
    mx.nd.save(path, arrays)
    for source in (arrays, path):
        load = init.Load(source, default_init=init.Zero(), verbose=True)
        for name, value in (("a", 1), ("b", 2), ("c", 3), ("new_weight", 0)):
            arr = mx.nd.full((2,), 9)
            with caplog.at_level(logging.INFO):
                load(name, arr)
            assert arr.asnumpy().tolist() == [value] * 2
    assert "Initialized a by loading" in caplog.text
    assert "Initialized new_weight by default" in caplog.text
    with pytest.raises(ValueError, match=r"'a' has shape \(3,\) but was saved with \(2,\)"):
        load("a", mx.nd.zeros((3,)))
    with pytest.raises(ValueError, match="there is no default_init"):
        init.Load({})("x_weight", mx.nd.zeros((1,)))
    with pytest.raises(TypeError, match="arrays with names, got list"):
        init.Load([1])


def test_verbosity(caplog: pytest.LogCaptureFixture) -> None:
    verbose = init.One().set_verbosity(True)
    with caplog.at_level(logging.INFO):
        verbose(init.InitDesc("fc_weight"), mx.nd.zeros((2, 3)))
        verbose.set_verbosity(True, lambda arr: f"shape {arr.shape}")("fc_bias", mx.nd.zeros((3,)))
    assert "Initialized fc_weight as weight: 1.0" in caplog.text
    assert "Initialized fc_bias as bias: shape (3,)" in caplog.text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: init.Xavier("cauchy"), "'uniform' or 'gaussian', got 'cauchy'"),
        (lambda: init.Xavier(factor_type="up"), "'avg', 'in' or 'out', got 'up'"),
        (lambda: init.Orthogonal(rand_type="x"), "'uniform' or 'normal', got 'x'"),
        (
            lambda: filled(init.Xavier(), (4,)),
            r"\[Xavier\] 'fc_weight' must have 2 dimensions.*got shape \(4,\)",
        ),
        (lambda: filled(init.MSRAPrelu(), (4,)), r"\[MSRAPrelu\] 'fc_weight'"),
        (lambda: filled(init.Orthogonal(), (4,)), "2 dimensions or more"),
        (lambda: filled(init.Bilinear(), (4,)), r"\(out, in, height, width\), got \(4,\)"),
        (lambda: filled(init.LSTMBias(), (6,)), r"four gates of equal size, got shape \(6,\)"),
    ],
)
def test_refusals_show_what_arrived(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_a_class_without_rule_says_so() -> None:
    with pytest.raises(NotImplementedError, match="defines no _init_weight"):
        filled(init.Initializer(), (2,))
