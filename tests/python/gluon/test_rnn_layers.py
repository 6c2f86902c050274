"""gluon.rnn: the numbers of real MXNet, names, unrolling, states, refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from recurrent.cases import CASES, answer

import mixgrad as mx
from mixgrad.gluon import contrib, nn, rnn

GOLDEN = Path(__file__).resolve().parents[2] / "recurrent" / "golden.npz"


@pytest.mark.parametrize("hybrid", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("name", CASES)
def test_numbers_are_those_of_mxnet(name: str, hybrid: bool) -> None:
    golden = np.load(GOLDEN)
    found = answer(mx, name, hybrid)
    expected = {key[len(name) + 1 :]: golden[key] for key in golden.files if key.startswith(f"{name}/")}
    assert found.keys() == expected.keys()
    for key, values in expected.items():
        np.testing.assert_allclose(
            found[key], values, rtol=1e-4, atol=1e-5 * np.abs(values).max(), err_msg=key
        )


@pytest.mark.parametrize("mode", ["rnn_tanh", "rnn_relu", "lstm", "gru"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_layers_are_their_cells(mode: str, bidirectional: bool) -> None:
    kinds: dict[str, Any] = {"lstm": rnn.LSTM, "gru": rnn.GRU}
    words = {"activation": mode[4:]} if mode.startswith("rnn") else {}
    make = kinds.get(mode, rnn.RNN)
    layer = make(5, 2, bidirectional=bidirectional, layout="NTC", **words)
    cells = layer._unfuse()
    layer.initialize(mx.init.Normal(0.5))
    x = mx.nd.random.normal(shape=(2, 4, 3))
    outputs, states = layer(x, layer.begin_state(2))
    others, after = cells.unroll(4, x, merge_outputs=True)
    np.testing.assert_allclose(outputs.asnumpy(), others.asnumpy(), atol=1e-5)
    stacked = [np.stack([s.asnumpy() for s in after[i :: len(states)]]) for i in range(len(states))]
    for one, other in zip(states, stacked):
        np.testing.assert_allclose(one.asnumpy(), other, atol=1e-5)


def test_one_layer_answers_with_and_without_states() -> None:
    layer = rnn.GRU(3)
    layer.initialize()
    layer.hybridize()
    x = mx.nd.random.normal(shape=(4, 2, 5))
    alone = layer(x)
    both, states = layer(x, layer.begin_state(2))
    again = layer(x)
    assert (alone.asnumpy() == both.asnumpy()).all() and (again.asnumpy() == alone.asnumpy()).all()
    assert states[0].shape == (1, 2, 3)
    assert layer.l0_i2h_weight.shape == (9, 5)


def test_layers_in_networks_infer_their_inputs() -> None:
    net = nn.HybridSequential()
    net.add(rnn.LSTM(4, 2, bidirectional=True, layout="NTC"), nn.Dense(3))
    net.initialize()
    net.hybridize()
    x = mx.nd.random.normal(shape=(2, 5, 6))
    with mx.autograd.record():
        loss = net(x).sum()
    loss.backward()
    assert net[0].r1_i2h_weight.shape == (16, 8) and net[0].l0_i2h_weight.shape == (16, 6)
    assert float(net[0].l0_i2h_weight.grad().norm().asscalar()) > 0


def test_lengths_of_layers() -> None:
    layer = rnn.LSTM(3, bidirectional=True, use_sequence_length=True)
    layer.initialize()
    x = mx.nd.random.normal(shape=(5, 2, 4))
    lengths = mx.nd.array([5, 2])
    outputs, states = layer(x, layer.begin_state(2), lengths)
    short, after = layer(x[:2, 1:], layer.begin_state(1), mx.nd.array([2]))
    np.testing.assert_allclose(outputs[:2, 1:].asnumpy(), short.asnumpy(), atol=1e-6)
    assert (outputs[2:, 1].asnumpy() == 0).all()
    np.testing.assert_allclose(states[0][:, 1:].asnumpy(), after[0].asnumpy(), atol=1e-6)
    with pytest.raises(ValueError, match="sequence_length is missing"):
        layer(x)


def test_projections_and_bounds() -> None:
    layer = rnn.LSTM(8, projection_size=3, state_clip_min=-0.1, state_clip_max=0.1)
    layer.initialize()
    outputs, states = layer(mx.nd.random.normal(shape=(5, 2, 4)), layer.begin_state(2))
    assert outputs.shape == (5, 2, 3) and [s.shape for s in states] == [(1, 2, 3), (1, 2, 8)]
    assert float(states[1].abs().max().asscalar()) < 0.1001
    with pytest.raises(ValueError, match="projection"):
        layer._unfuse()


def test_files_of_layers_and_cells_are_one(tmp_path: Any) -> None:
    layer = rnn.LSTM(3, 2, bidirectional=True)
    layer.initialize()
    x = mx.nd.random.normal(shape=(4, 2, 5))
    expected = layer(x)
    path = str(tmp_path / "lstm.params")
    layer.save_parameters(path)
    assert "_unfused.1.r_cell.h2h_weight" in mx.nd.load(path)
    again = rnn.LSTM(3, 2, bidirectional=True)
    again.load_parameters(path)
    assert (again(x).asnumpy() == expected.asnumpy()).all()


def test_unrolled_symbols_have_the_names_of_mxnet() -> None:
    outputs, states = rnn.LSTMCell(3, prefix="l_").unroll(2, mx.sym.var("x"))
    assert [one.list_outputs() for one in outputs] == [["l_t0_out_output"], ["l_t1_out_output"]]
    assert states[1].list_outputs() == ["l_t1_state_output"]
    assert outputs[0].list_arguments() == ["x", "l_i2h_weight", "l_i2h_bias", "l_h2h_weight", "l_h2h_bias"]


def test_states_can_be_variables() -> None:
    states = rnn.LSTMCell(3, prefix="l_").begin_state(func=mx.sym.var)
    assert [state.name for state in states] == ["l_begin_state_0", "l_begin_state_1"]
    ones = rnn.GRU(3).begin_state(2, func=mx.nd.ones)
    assert ones[0].shape == (1, 2, 3) and (ones[0].asnumpy() == 1).all()


def test_zoneout_keeps_numbers_of_the_step_before() -> None:
    for hybrid in (False, True):
        cell = rnn.ZoneoutCell(rnn.RNNCell(200), zoneout_outputs=0.5, zoneout_states=0.5)
        cell.initialize()
        if hybrid:
            cell.hybridize()
        with mx.autograd.record():
            outputs, _ = cell.unroll(4, mx.nd.random.normal(shape=(1, 4, 3)))
        kept = [(a.asnumpy() == b.asnumpy()).mean() for a, b in zip(outputs, outputs[1:])]
        assert all(0.3 < part < 0.7 for part in kept)
        assert 0.3 < (outputs[0].asnumpy() == 0).mean() < 0.7
        plain = cell.unroll(4, mx.nd.ones((1, 4, 3)))[0]
        assert (plain[0].asnumpy() != 0).all()


def test_variational_dropout_has_one_mask() -> None:
    cell = contrib.rnn.VariationalDropoutCell(rnn.RNNCell(200), drop_outputs=0.5, drop_states=0.2)
    cell.initialize()
    with mx.autograd.record():
        outputs, _ = cell.unroll(3, mx.nd.random.normal(shape=(1, 3, 4)))
    gone = [one.asnumpy() == 0 for one in outputs]
    assert (gone[0] == gone[1]).all() and (gone[1] == gone[2]).all() and 0.3 < gone[0].mean() < 0.7


def test_dropout_cells_leave_predictions() -> None:
    cell = rnn.DropoutCell(0.5)
    x = mx.nd.ones((2, 3, 4))
    assert (cell.unroll(3, x)[0].asnumpy() == 1).all()
    with mx.autograd.record():
        dropped = cell.unroll(3, [x[:, i] for i in range(3)], merge_outputs=True)[0]
    assert 0 < (dropped.asnumpy() == 0).mean() < 1


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
def test_loops_in_the_graph_are_unrolled_cells(layout: str) -> None:
    cell = rnn.LSTMCell(4, input_size=3)
    cell.initialize(mx.init.Normal(0.5))
    x = mx.nd.random.normal(shape=(5, 2, 3) if layout == "TNC" else (2, 5, 3))
    lengths = mx.nd.array([3, 5])
    begin = cell.begin_state(2)
    outputs, states = cell.unroll(5, x, begin, layout, True, lengths)
    others, after = contrib.rnn.dynamic_unroll(cell, x, begin, layout=layout, valid_length=lengths)
    np.testing.assert_allclose(outputs.asnumpy(), others.asnumpy(), atol=1e-6)
    for one, other in zip(states, after):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), atol=1e-6)


def test_refusals() -> None:
    cell = rnn.LSTMCell(3)
    rnn.ZoneoutCell(cell, 0.1)
    with pytest.raises(AssertionError, match="modifies"):
        cell.begin_state(2)
    both = rnn.BidirectionalCell(rnn.GRUCell(3), rnn.GRUCell(3))
    with pytest.raises(NotImplementedError, match="unroll"):
        both(mx.nd.ones((1, 2)), [])
    for make in (
        lambda: rnn.ZoneoutCell(both, 0.1),
        lambda: contrib.rnn.VariationalDropoutCell(both, drop_states=0.1),
        lambda: rnn.LSTM(3, layout="NCT"),
        lambda: rnn.DropoutCell("half"),  # type: ignore[arg-type]
        lambda: contrib.rnn.Conv2DRNNCell((3, 8, 8), 4, 3, 2),
        lambda: contrib.rnn.Conv3DGRUCell((3, 8, 8, 8), 4, (3, 2), 3),
        lambda: rnn.GRUCell(3).unroll(3, mx.nd.ones((1, 2, 2))),
        lambda: rnn.GRUCell(3).unroll(3, None),
    ):
        with pytest.raises(AssertionError):
            make()
    layer = rnn.LSTM(3)
    layer.initialize()
    with pytest.raises(ValueError, match=r"expected \[\(1, 2, 3\), \(1, 2, 3\)\]"):
        layer(mx.nd.ones((4, 2, 5)), [mx.nd.ones((1, 7, 3))] * 2)
    with pytest.raises(ValueError, match="axes TNC"):
        layer(mx.nd.ones((4, 2)))
