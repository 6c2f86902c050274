"""Recurrent networks that MXNet and mixgrad build alike: functions that give a symbol and shapes."""

from __future__ import annotations

from typing import Any

Network = tuple[Any, dict[str, tuple[int, ...]]]
SHAPES = {"data": (2, 3, 5)}  # batch, steps, numbers


def _single(mx: Any, kind: str, prefix: str, hidden: int = 4) -> Any:
    return {"lstm": mx.rnn.LSTMCell, "gru": mx.rnn.GRUCell, "rnn": mx.rnn.RNNCell}[kind](
        hidden, prefix=prefix
    )


def rnn(mx: Any) -> Network:
    cell = mx.rnn.RNNCell(4, activation="relu", prefix="rnn_")
    return cell.unroll(3, mx.sym.Variable("data"), merge_outputs=True)[0], SHAPES


def lstm(mx: Any) -> Network:
    outputs, states = mx.rnn.LSTMCell(4, prefix="lstm_").unroll(3, mx.sym.Variable("data"))
    return mx.sym.Group([*outputs, states[1]]), SHAPES


def gru_steps(mx: Any) -> Network:
    cell = mx.rnn.GRUCell(4, prefix="gru_")
    states = cell.begin_state(func=mx.sym.Variable)
    for t in range(2):
        output, states = cell(mx.sym.Variable(f"x{t}"), states)
    return output, {"x0": (2, 5), "x1": (2, 5), "gru_begin_state_0": (2, 4)}


def stack(mx: Any) -> Network:
    cells = mx.rnn.SequentialRNNCell()
    cells.add(_single(mx, "lstm", "a_", 5))
    cells.add(mx.rnn.ResidualCell(_single(mx, "gru", "b_", 5)))
    cells.add(mx.rnn.DropoutCell(0.0))
    cells.add(_single(mx, "rnn", "c_"))
    return cells.unroll(3, mx.sym.Variable("data"), layout="TNC", merge_outputs=True)[0], {"data": (3, 2, 5)}


def bidirectional(mx: Any) -> Network:
    cells = mx.rnn.SequentialRNNCell()
    for i in range(2):
        pair = (_single(mx, "lstm", f"{way}{i}_") for way in "lr")
        cells.add(mx.rnn.BidirectionalCell(*pair, output_prefix=f"bi{i}_"))
    return cells.unroll(3, mx.sym.Variable("data"), merge_outputs=True)[0], SHAPES


def residual_bidirectional(mx: Any) -> Network:
    pair = (_single(mx, "gru", f"{way}_") for way in "lr")
    cell = mx.rnn.ResidualCell(mx.rnn.BidirectionalCell(*pair))
    return mx.sym.Group(cell.unroll(2, mx.sym.Variable("data"))[0]), {"data": (2, 2, 8)}


def unfused(mx: Any) -> Network:
    cell = mx.rnn.FusedRNNCell(4, num_layers=2, mode="gru", bidirectional=True, prefix="gru_").unfuse()
    return cell.unroll(3, mx.sym.Variable("data"), layout="TNC", merge_outputs=True)[0], {"data": (3, 2, 5)}


def fused(mx: Any) -> Network:
    cell = mx.rnn.FusedRNNCell(4, num_layers=2, mode="lstm", get_next_state=True, prefix="lstm_")
    outputs, states = cell.unroll(3, mx.sym.Variable("data"), layout="TNC", merge_outputs=True)
    return mx.sym.Group([outputs, *states]), {"data": (3, 2, 5)}


def zoneout(mx: Any) -> Network:
    cell = mx.rnn.ZoneoutCell(_single(mx, "lstm", "lstm_"), zoneout_outputs=0.3, zoneout_states=0.2)
    return cell.unroll(3, mx.sym.Variable("data"), merge_outputs=True)[0], SHAPES


def _images(mx: Any, cell: Any) -> Network:
    steps = [mx.sym.Variable("x0"), mx.sym.Variable("x1")]
    return mx.sym.Group(cell.unroll(2, steps)[0]), {"x0": (2, 3, 6, 7), "x1": (2, 3, 6, 7)}


def conv_rnn(mx: Any) -> Network:
    return _images(mx, mx.rnn.ConvRNNCell((1, 3, 6, 7), 2, i2h_stride=(2, 2), activation="tanh"))


def conv_lstm(mx: Any) -> Network:
    return _images(mx, mx.rnn.ConvLSTMCell((1, 3, 6, 7), 2, h2h_kernel=(5, 3), h2h_dilate=(1, 2)))


def conv_gru(mx: Any) -> Network:
    return _images(mx, mx.rnn.ConvGRUCell((1, 3, 6, 7), 2, i2h_kernel=(1, 1), i2h_pad=(0, 0)))


NETWORKS = {
    build.__name__: build
    for build in (
        rnn,
        lstm,
        gru_steps,
        stack,
        bidirectional,
        residual_bidirectional,
        unfused,
        fused,
        zoneout,
        conv_rnn,
        conv_lstm,
        conv_gru,
    )
}
