"""mx.rnn: cells against MXNet's numbers, weights packed and unpacked, sentences in buckets, a model."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

DATA = Path(__file__).resolve().parents[2] / "data"
EXPECTED = json.loads((DATA / "rnn" / "expected.json").read_text())


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NETWORKS = _module(DATA / "rnn" / "networks.py").NETWORKS
run = _module(DATA / "symbols" / "numbers_run.py").run


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_cells_are_those_of_mxnet(name: str) -> None:
    with mx.name.NameManager():
        net, shapes = NETWORKS[name](mx)
    assert net.list_arguments() == EXPECTED[name]["arguments"]
    assert net.list_outputs() == EXPECTED[name]["outputs"]
    if name == "zoneout":  # random in training
        return
    found = run(mx, name, net, shapes)
    for part, numbers in EXPECTED[name]["numbers"].items():
        got = found[part]
        if isinstance(numbers, dict):
            assert list(got) == list(numbers)
            got, numbers = list(got.values()), list(numbers.values())
        for one, wanted in zip(got, numbers):
            np.testing.assert_allclose(one, wanted, rtol=1e-4, atol=1e-5, err_msg=f"{name} {part}")


def test_a_file_whose_zeros_take_their_shape_from_where() -> None:
    net = mx.sym.load(str(DATA / "rnn" / "zoneout-symbol.json"))
    assert net.infer_shape(data=(2, 3, 5))[1] == [(2, 3, 4)]
    assert net.simple_bind(mx.cpu(), data=(2, 3, 5)).forward()[0].shape == (2, 3, 4)


@pytest.mark.parametrize("share", [(0.5, 0.0), (0.0, 0.5), (0.4, 0.6)])
def test_zoneout_keeps_shares_of_the_step_before(share: tuple[float, float]) -> None:
    def build() -> Any:
        cell = mx.rnn.ZoneoutCell(mx.rnn.RNNCell(1000, prefix="r_"), *share)
        outputs, _ = cell.unroll(2, mx.sym.var("data"))
        return mx.sym.Group(outputs)

    exe = build().simple_bind(mx.cpu(), data=(1, 2, 4))
    rng = np.random.RandomState(0)
    for array in exe.arg_dict.values():
        array[:] = rng.uniform(-0.5, 0.5, array.shape)
    first, second = (o.asnumpy() for o in exe.forward(is_train=True))
    if share[0]:
        assert abs((first == 0).mean() - share[0]) < 0.06  # what was before the first step
        assert abs((second == first).mean() - share[0]) < 0.08
    plain = [o.asnumpy() for o in exe.forward(is_train=False)]
    assert (plain[0] != 0).all()


@pytest.mark.parametrize("mode", ["lstm", "gru", "rnn_tanh", "rnn_relu"])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_fused_and_single_cells_compute_the_same(mode: str, bidirectional: bool) -> None:
    fused = mx.rnn.FusedRNNCell(3, 2, mode, bidirectional, prefix="net_")
    single = fused.unfuse()
    nets = [
        cell.unroll(4, mx.sym.var("data"), layout=layout, merge_outputs=True)[0]
        for cell in (fused, single)
        for layout in ("NTC", "TNC")
    ]
    shapes = {"NTC": (2, 4, 5), "TNC": (4, 2, 5)}
    data = np.random.RandomState(1).randn(2, 4, 5).astype("float32")
    size = nets[0].infer_shape(data=(2, 4, 5))[0][1]
    packed = {"net_parameters": mx.nd.array(np.random.RandomState(2).uniform(-0.6, 0.6, size))}
    unpacked = fused.unpack_weights(packed)
    np.testing.assert_array_equal(
        fused.pack_weights(unpacked)["net_parameters"].asnumpy(), packed["net_parameters"].asnumpy()
    )
    for_single = single.pack_weights(unpacked)
    assert sorted(single.unpack_weights(for_single)) == sorted(unpacked)
    results = []
    for i, net in enumerate(nets):
        layout = ("NTC", "TNC")[i % 2]
        exe = net.simple_bind(mx.cpu(), data=shapes[layout])
        exe.copy_params_from(packed if i < 2 else for_single)
        given = data if layout == "NTC" else data.transpose(1, 0, 2)
        out = exe.forward(data=mx.nd.array(given))[0].asnumpy()
        results.append(out if layout == "NTC" else out.transpose(1, 0, 2))
    for other in results[1:]:
        np.testing.assert_allclose(other, results[0], rtol=1e-5, atol=1e-6)


def test_the_forget_gate_begins_open() -> None:
    for cell in (
        mx.rnn.FusedRNNCell(3, 2, "lstm", forget_bias=2.0, prefix="f_"),
        mx.rnn.LSTMCell(3, prefix="f_", forget_bias=2.0),
    ):
        net, _ = cell.unroll(2, mx.sym.var("data"), layout="TNC", merge_outputs=True)
        mod = mx.mod.Module(net, label_names=None)
        mod.bind([("data", (2, 4, 5))])
        mod.init_params(mx.init.Constant(0.25))
        arrays = cell.unpack_weights(mod.get_params()[0])
        forget = {name: a.asnumpy() for name, a in arrays.items() if name.endswith("i2h_f_bias")}
        assert forget and all((a == 2).all() for a in forget.values())
        assert all((a.asnumpy() == 0.25).all() for name, a in arrays.items() if name.endswith("weight"))


def test_sentences() -> None:
    words = [["the", "cat"], ["the", "dog", "ran"]]
    assert mx.rnn.encode_sentences(words) == (
        [[0, 1], [0, 2, 3]],
        {"\n": -1, "the": 0, "cat": 1, "dog": 2, "ran": 3},
    )
    coded, vocab = mx.rnn.encode_sentences(words, invalid_label=1, start_label=0)
    assert coded == [[0, 2], [0, 3, 4]] and vocab["\n"] == 1
    with pytest.raises(ValueError, match="'bird' is not in the vocabulary"):
        mx.rnn.encode_sentences([["bird"]], vocab=dict(vocab))
    known = {**vocab, "<unk>": 9}
    assert mx.rnn.encode_sentences([["bird", "cat"]], vocab=known, unknown_token="<unk>")[0] == [[9, 2]]


@pytest.mark.parametrize("layout", ["NT", "TN"])
def test_buckets(layout: str, caplog: pytest.LogCaptureFixture) -> None:
    sentences = [[i] * (1 + i % 7) for i in range(1, 71)]
    data = mx.rnn.BucketSentenceIter(sentences, 4, buckets=[5, 3, 2, 6], invalid_label=0, layout=layout)
    assert "10 sentences are longer" in caplog.text  # those of 7 words
    assert data.default_bucket_key == 6 and data.buckets == [2, 3, 5, 6]
    whole = (4, 6) if layout == "NT" else (6, 4)
    assert data.provide_data[0].shape == whole and data.provide_label[0].layout == layout
    for _ in range(2):
        seen: list[int] = []
        for batch in data:
            (x,), (y,) = batch.data, batch.label
            assert x.shape == batch.provide_data[0].shape == y.shape
            x, y = (x.asnumpy(), y.asnumpy()) if layout == "NT" else (x.asnumpy().T, y.asnumpy().T)
            assert x.shape == (4, batch.bucket_key)
            np.testing.assert_array_equal(y[:, :-1], x[:, 1:])
            assert (y[:, -1] == 0).all()
            seen += [int(row[0]) for row in x]
        assert len(seen) == len(set(seen)) == 56  # 20, 10, 20, 10 sentences: whole batches only
        data.reset()
    assert mx.rnn.BucketSentenceIter([[1, 2]] * 3 + [[1]], 3).buckets == [2]


REFUSED: dict[str, tuple[Any, str]] = {
    "layout": (lambda: mx.rnn.BucketSentenceIter([[1]], 1, layout="XY"), "'NT' or 'TN'"),
    "batch": (lambda: mx.rnn.BucketSentenceIter([[1]], 0), "batch_size=0; expected at least 1"),
    "nothing": (lambda: mx.rnn.BucketSentenceIter([[1]], 5), "none of 1 sentences fits"),
    "mode": (lambda: mx.rnn.FusedRNNCell(3, mode="x"), "expected one of"),
    "steps": (lambda: mx.rnn.RNNCell(3).unroll(3, [mx.sym.var("x")]), "1 inputs for 3 steps"),
    "no inputs": (lambda: mx.rnn.RNNCell(3).unroll(3, None), "inputs is None"),
    "no T": (lambda: mx.rnn.RNNCell(3).unroll(3, mx.sym.var("x"), layout="NC"), "no axis T"),
    "kernel": (lambda: mx.rnn.ConvRNNCell((1, 3, 8, 8), 2, h2h_kernel=(2, 3)), "expected odd"),
    "zoneout": (lambda: mx.rnn.ZoneoutCell(mx.rnn.FusedRNNCell(3)), "unfuse"),
    "dropout": (lambda: mx.rnn.DropoutCell("much"), r"expected a number in \[0, 1\)"),
    "missing": (lambda: mx.rnn.LSTMCell(3).unpack_weights({}), "there is no array 'lstm_i2h_weight'"),
    "size": (
        lambda: mx.rnn.FusedRNNCell(3).unpack_weights({"lstm_parameters": mx.nd.ones((7,))}),
        "7 elements, which fit no input",
    ),
}


@pytest.mark.parametrize("case", sorted(REFUSED))
def test_refused(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(ValueError, match=message):
        call()


def test_modified_cells_are_not_called() -> None:
    cell = mx.rnn.RNNCell(3)
    outer = mx.rnn.ResidualCell(cell)
    with pytest.raises(ValueError, match="another cell modifies this one"):
        cell.begin_state()
    outer.begin_state()
    for cells in (mx.rnn.FusedRNNCell(3), mx.rnn.BidirectionalCell(cell, cell)):
        with pytest.raises(NotImplementedError, match="unroll"):
            cells(mx.sym.var("x"), [])
    with pytest.raises(ValueError, match="params given to it and to"):
        mx.rnn.SequentialRNNCell(mx.rnn.RNNParams("a_")).add(mx.rnn.RNNCell(3, params=mx.rnn.RNNParams("b_")))


@pytest.mark.parametrize("fused", [True, False])
def test_a_language_model_learns_and_goes_on_from_its_files(fused: bool, tmp_path: Path) -> None:
    """Sentences that count, in buckets; the other kind of cells reads the checkpoint and scores the same."""
    rng = np.random.RandomState(0)
    sentences = [
        [(start + i) % 9 + 1 for i in range(rng.choice([4, 6, 8]))] for start in rng.randint(0, 9, 300)
    ]
    data = mx.rnn.BucketSentenceIter(sentences, 10, invalid_label=0)
    many = mx.rnn.FusedRNNCell(16, mode="lstm", prefix="lstm_")
    cells: list[Any] = [many, many.unfuse()] if fused else [many.unfuse(), many]

    def generator(cell: Any) -> Any:
        def sym_gen(length: int) -> Any:
            words = mx.sym.Embedding(mx.sym.var("data"), input_dim=10, output_dim=8, name="embed")
            outputs, _ = cell.unroll(length, words, merge_outputs=True)
            pred = mx.sym.FullyConnected(mx.sym.reshape(outputs, shape=(-1, 16)), num_hidden=10, name="pred")
            label = mx.sym.reshape(mx.sym.var("softmax_label"), shape=(-1,))
            return mx.sym.SoftmaxOutput(pred, label, name="softmax"), ("data",), ("softmax_label",)

        return sym_gen

    mx.random.seed(1)
    model = mx.mod.BucketingModule(generator(cells[0]), data.default_bucket_key)
    metric = mx.metric.Perplexity(ignore_label=0)
    prefix = str(tmp_path / "net")
    model.fit(
        data,
        eval_metric=metric,
        num_epoch=8,
        optimizer="adam",
        optimizer_params={"learning_rate": 0.02},
        initializer=mx.init.Xavier(),
        epoch_end_callback=mx.rnn.do_rnn_checkpoint(cells[0], prefix, 8),
    )
    (_, perplexity), *_ = model.score(data, metric)
    assert perplexity < 1.5  # 9 without learning
    data.reset()
    batch = data.next()
    model.forward(batch, is_train=False)
    before = model.get_outputs()[0].asnumpy()
    _, arg_params, aux_params = mx.rnn.load_rnn_checkpoint([cells[1]], prefix, 8)
    other = mx.mod.BucketingModule(generator(cells[1]), data.default_bucket_key)
    other.bind(data.provide_data, data.provide_label, for_training=False)
    other.set_params(arg_params, aux_params)
    other.forward(batch, is_train=False)
    np.testing.assert_allclose(other.get_outputs()[0].asnumpy(), before, rtol=1e-4, atol=1e-5)


def test_old_unroll() -> None:
    with pytest.warns(DeprecationWarning, match=r"cell\.unroll"):
        outputs, _ = mx.rnn.rnn_unroll(mx.rnn.RNNCell(2), 2, input_prefix="in_")
    assert "in_t1_data" in mx.sym.Group(outputs).list_arguments()


def test_one_cell_twice_in_a_stack() -> None:
    stack, cell = mx.rnn.SequentialRNNCell(), mx.rnn.GRUCell(5, prefix="g_")
    stack.add(cell)
    stack.add(cell)
    outputs, states = stack.unroll(3, mx.sym.var("data"), merge_outputs=True)
    assert outputs.infer_shape(data=(2, 3, 5))[1] == [(2, 3, 5)] and len(states) == 2
    assert len(outputs.list_arguments()) == 5  # the data and four shared weights
    assert mx.rnn.SequentialRNNCell().unroll(3, mx.sym.var("data"))[1] == []
