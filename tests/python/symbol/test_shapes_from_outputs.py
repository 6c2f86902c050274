"""Shapes that follow from what comes after: MXNet's inference goes backwards, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

sym = mx.sym


def found(net: Any, shape: tuple[int, ...], out: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of ``x``, with open extents, where ``net(x)`` is added to an array of shape ``out``."""
    both = net(sym.var("x", shape=shape)) + sym.var("o", shape=out)
    arguments, outputs, _ = both.infer_shape_partial()
    assert outputs == [out]
    place: tuple[int, ...] = arguments[both.list_arguments().index("x")]
    return place


@pytest.mark.parametrize(
    ("net", "shape", "out", "want"),
    [
        (lambda x: sym.reshape(x, shape=(0, -1)), (0, 3, 4), (2, 12), (2, 3, 4)),
        (lambda x: sym.reshape(x, shape=(-1, 12)), (2, 0, 4), (2, 12), (2, 3, 4)),
        (lambda x: sym.reshape(x, shape=(-3, 0)), (0, 0, 4), (6, 4), (0, 0, 4)),
        (lambda x: sym.reshape(x, shape=(-1,)), (0, 0), (6,), (0, 0)),
        (lambda x: sym.expand_dims(x, axis=1), (0, 1), (2, 1, 1), (2, 1)),
        (lambda x: sym.expand_dims(x, axis=-1), (0, 3), (2, 3, 1), (2, 3)),
        (lambda x: sym.split(x, num_outputs=3, axis=1)[1], (0, 15, 0), (3, 5, 2), (3, 15, 2)),
        (lambda x: sym.split(x, num_outputs=10, axis=1, squeeze_axis=True)[9], (0, 10), (5,), (5, 10)),
        (lambda x: sym.split(x, num_outputs=2, axis=-1)[0], (0, 0), (4, 3), (4, 6)),
        (
            lambda x: sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=7),
            (0, 10, 0, 0),
            (5, 7, 32, 30),
            (5, 10, 32, 30),
        ),
        (
            lambda x: sym.Convolution(x, kernel=(3,), dilate=(2,), num_filter=7),
            (0, 10, 0),
            (5, 7, 32),
            (5, 10, 36),
        ),
        (
            lambda x: sym.Convolution(x, kernel=(3, 3), stride=(2, 1), num_filter=7),
            (0, 10, 0, 0),
            (5, 7, 32, 30),
            (5, 10, 0, 32),
        ),
    ],
)
def test_open_extents_follow(net: Any, shape: tuple[int, ...], out: tuple[int, ...], want: Any) -> None:
    assert found(net, shape, out) == want


@pytest.mark.parametrize(
    ("net", "shape", "out"),
    [
        (lambda x: sym.reshape(x, shape=(-1, 5)), (0, 3), (2, 5)),
        (lambda x: sym.split(x, num_outputs=1 << 20, axis=0)[1], (0, 2), (1 << 60, 2)),
        (lambda x: sym.expand_dims(x, axis=0), (2, 3), (1, 2, 4)),
    ],
)
def test_what_cannot_be_is_refused_or_open(net: Any, shape: tuple[int, ...], out: tuple[int, ...]) -> None:
    try:
        assert 0 in found(net, shape, out)
    except mx.MXNetError as error:
        assert "[" in str(error)


def test_open_extents_of_constants() -> None:
    net = sym.ones(shape=(2, 3)) + sym.transpose(sym.ones(shape=(-1, -1)))
    assert net.bind(mx.cpu(), {}).forward()[0].shape == (2, 3)
    net = sym.ones(shape=(2, -1)) + sym.transpose(sym.zeros(shape=(3, -1)))
    assert net.bind(mx.cpu(), {}).forward()[0].shape == (2, 3)
    with pytest.raises(ValueError, match="from 0 on"):
        mx.nd.ones((2, -1))


def test_words_that_are_no_shapes_are_left_out() -> None:
    exe = (sym.var("x") + 1).simple_bind(mx.cpu(), x=(2, 3), mode="clip", more=None)
    assert exe.outputs[0].shape == (2, 3)
    with pytest.raises(TypeError, match="whole numbers"):
        (sym.var("x") + 1).simple_bind(mx.cpu(), x="clip")


def test_numbers_of_numpy_beside_symbols() -> None:
    x, two = sym.var("x"), np.float32(2)
    ones = mx.nd.ones((2,))
    for net, want in ((two * x, 2), (x * two, 2), (two + x, 3), (two - x, 1), (two / x, 2), (x**two, 1)):
        assert net.eval(x=ones)[0].asnumpy().tolist() == [want] * 2
    assert (np.int64(2) > x).eval(x=ones)[0].asnumpy().tolist() == [1, 1]


def test_monitors_see_views() -> None:
    names: list[str] = []
    net = sym.FullyConnected(sym.Flatten(sym.exp(sym.var("x"), name="e"), name="f"), num_hidden=2, name="fc")
    exe = net.simple_bind(mx.cpu(), x=(2, 3, 4))
    exe.set_monitor_callback(lambda name, array: names.append(name))
    exe.forward()
    mx.nd.waitall()
    assert names == ["e_output", "f_output", "fc_output"]


def test_scopes_are_replaced() -> None:
    with mx.name.NameManager(), mx.AttrScope():
        mx.name.NameManager.current = mx.name.Prefix("my_")
        mx.AttrScope.current = mx.AttrScope(ctx_group="one")
        made = sym.relu(sym.var("x"))
        assert made.name == "my_relu0"
        assert made.attr("ctx_group") == "one"
        with pytest.raises(TypeError, match=r"\[NameManager\] current is int; expected NameManager"):
            mx.name.NameManager.current = 3
    assert not sym.relu(sym.var("x")).name.startswith("my_")
    assert sym.relu(sym.var("x")).attr("ctx_group") is None


def partial(net: Any, **shapes: tuple[int, ...]) -> Any:
    return net.infer_shape_partial(**shapes)[1][0]


def test_parts_of_extents_that_are_not_known_stay_so() -> None:
    x = sym.var("x")
    assert partial(sym.slice_axis(x, axis=1, begin=0, end=5), x=(10, 0)) == (10, 0)
    assert partial(sym.slice_axis(x, axis=0, begin=2, end=-3), x=(10, 0)) == (5, 0)
    assert partial(sym.slice(x, begin=(None, 1), end=(2, -4)), x=(0, 10)) == (0, 5)
    assert partial(sym.slice(x, begin=(1,), end=(3,), step=(2,)), x=(0, 10)) == (0, 10)
    with mx.np_shape():
        assert partial(sym.slice_axis(x, axis=1, begin=0, end=5), x=(10, -1)) == (10, -1)
    with pytest.raises(mx.MXNetError, match="slice_axis"):
        partial(sym.slice_axis(x, axis=0, begin=0, end=11), x=(10, 0))


def test_what_where_selects_from_has_one_shape() -> None:
    net = sym.where(sym.var("c"), sym.var("x"), sym.var("y"))
    assert partial(net, x=(2, 2), y=(2, 2)) == ()
    # Elements or rows: what is not known of the condition decides it.
    assert partial(net, c=(0, 2), x=(0, 2), y=(0, 2)) == ()
    assert partial(net, c=(0,), x=(2, 2), y=(2, 2)) == ()
    assert net.infer_shape_partial(c=(3,), x=(3, 2)) == ([(3,), (3, 2), (3, 2)], [(3, 2)], [])
    assert net.infer_shape_partial(c=(3, 2), y=(3, 2)) == ([(3, 2)] * 3, [(3, 2)], [])


def test_an_empty_tuple_is_no_shape() -> None:
    net = sym.FullyConnected(sym.var("x"), num_hidden=3, name="fc")
    arguments, outputs, _ = net.infer_shape_partial(x=(), fc_weight=())
    assert arguments[0] == arguments[1] == outputs[0] == ()
    # What one inference gives can be given to the next.
    assert net.infer_shape_partial(*arguments)[1] == [()]
    with mx.np_shape():
        assert (sym.var("x") + 1).infer_shape(x=())[1] == [()]


def test_samples_without_a_shape_have_that_of_the_graph() -> None:
    x = sym.var("x")
    for drawn in (sym.random.uniform(), sym.random.normal(2, 3), sym.random.gamma(2, 3)):
        assert partial(drawn) == ()
        assert (drawn + x).infer_shape(x=(2, 3))[1] == [(2, 3)]
    counted = sym.random.randint(0, 5) + sym.var("i", dtype="int32")
    assert counted.infer_shape(i=(2,))[1] == [(2,)]
    like = sym.random.randn(data=sym.ones((4,)), loc=1.0)
    assert like.list_arguments() == [] and (like + x).infer_shape(x=(2, 3))[1] == [(2, 3)]


@pytest.mark.parametrize("name", ["SequenceMask", "SequenceLast", "SequenceReverse"])
def test_lengths_of_sequences_have_the_dtype_of_the_data(name: str) -> None:
    net = getattr(sym, name)(sym.var("x"), sym.var("n"), use_sequence_length=True)
    assert net.infer_type(x="float16") == ([np.float16, np.float16], [np.float16], [])
    assert net.infer_type(x="float16", n="int32") == ([np.float16, np.int32], [np.float16], [])


def test_lengths_of_softmax_are_whole_numbers() -> None:
    net = sym.softmax(sym.var("x", shape=(2, 3)), sym.var("n"), axis=1, use_length=True)
    exe = net.simple_bind(mx.cpu(), grad_req="null")
    assert exe.arg_dict["n"].dtype == np.int32
    out = exe.forward(x=mx.nd.ones((2, 3)), n=mx.nd.array([1, 2]))[0].asnumpy()
    np.testing.assert_allclose(out, [[1, 0, 0], [0.5, 0.5, 0]])
