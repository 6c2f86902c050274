"""Modules of mx.contrib: text, SVRG, gradients of old scripts, loaders, TensorBoard."""

from __future__ import annotations

import collections
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.contrib import autograd as old_autograd
from mixgrad.contrib import text
from mixgrad.contrib.svrg_optimization import SVRGModule


def test_tokens_are_counted_between_delimiters() -> None:
    count = text.utils.count_tokens_from_str
    assert count(" a b\na \n", to_lower=False) == {"a": 2, "b": 1}
    assert count("aISbLIFEAIS", "IS", "LIFE", to_lower=True) == {"a": 2, "b": 1}
    counter = collections.Counter(a=1)
    assert count("a a", counter_to_update=counter) is counter and counter["a"] == 3


def test_vocabulary_orders_by_count_then_by_token() -> None:
    counter = collections.Counter({"a": 1, "b": 2, "c": 2, "<unk>": 9, "<pad>": 5})
    assert text.vocab.Vocabulary(counter).idx_to_token == ["<unk>", "<pad>", "b", "c", "a"]
    made = text.vocab.Vocabulary(counter, most_freq_count=2, min_freq=2, reserved_tokens=["<pad>"])
    assert made.idx_to_token == ["<unk>", "<pad>", "b", "c"] and len(made) == 4
    assert made.to_indices(["c", "x"]) == [3, 0] and made.to_tokens([2, 0]) == ["b", "<unk>"]
    assert made.reserved_tokens == ["<pad>"] and made.unknown_token == "<unk>"
    for index in (4, -1, "b"):
        with pytest.raises(ValueError, match="is no index"):
            made.to_tokens(index)
    for options in ({"min_freq": 0}, {"reserved_tokens": ["<unk>"]}, {"reserved_tokens": ["x", "x"]}):
        with pytest.raises(AssertionError, match="expected"):
            text.vocab.Vocabulary(counter, **options)  # type: ignore[arg-type]


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    file = tmp_path / "vectors.txt"
    file.write_text("3 2\na 0.5 1\nb 2 3\n<unk> 7 8\n")
    return file


def test_vectors_of_a_file(vectors: Path) -> None:
    with pytest.warns(UserWarning, match="heading"):
        made = text.embedding.CustomEmbedding(vectors)
    assert made.idx_to_token == ["<unk>", "a", "b"] and made.vec_len == 2
    assert made.idx_to_vec.asnumpy().tolist() == [[7, 8], [0.5, 1], [2, 3]]
    found = made.get_vecs_by_tokens(["A", "b"], lower_case_backup=True)
    assert found.asnumpy().tolist() == [[0.5, 1], [2, 3]]
    assert made.get_vecs_by_tokens("A").asnumpy().tolist() == [7, 8]
    made.update_token_vectors("a", mx.nd.array([9, 9]))
    assert made.get_vecs_by_tokens("a").asnumpy().tolist() == [9, 9]
    with pytest.raises(ValueError, match="has no index"):
        made.update_token_vectors("x", mx.nd.ones((2,)))
    with pytest.raises(AssertionError, match=r"expected \(2, 2\)"):
        made.update_token_vectors(["a", "b"], mx.nd.ones((2,)))


def test_vectors_for_a_vocabulary(vectors: Path) -> None:
    vocabulary = text.vocab.Vocabulary(collections.Counter(["b", "q"]), reserved_tokens=["<pad>"])
    with pytest.warns(UserWarning, match="heading"):
        one = text.embedding.CustomEmbedding(vectors, vocabulary=vocabulary)
    assert one.idx_to_token == ["<unk>", "<pad>", "b", "q"]
    both = text.embedding.CompositeEmbedding(vocabulary, [one, one])
    assert both.idx_to_vec.asnumpy().tolist() == [[7, 8, 7, 8]] * 2 + [[2, 3, 2, 3], [7, 8, 7, 8]]


@pytest.mark.parametrize("content", ["a\n", "a 1 2\nb 1 2 3\n", "a 1 x\n", "", "<unk> 1 2 3\na 1 2\n"])
def test_damaged_files_of_vectors(tmp_path: Path, content: str) -> None:
    file = tmp_path / "vectors.txt"
    file.write_text(content)
    with pytest.raises(AssertionError, match="expected"):
        text.embedding.CustomEmbedding(file)


def test_trained_vectors_are_not_downloaded(tmp_path: Path) -> None:
    names = text.embedding.get_pretrained_file_names()
    assert (len(names["glove"]), len(names["fasttext"])) == (10, 327)
    with pytest.raises(mx.base.MissingFileError, match="downloads nothing"):
        text.embedding.create("glove", embedding_root=str(tmp_path))
    with pytest.raises(KeyError, match="no file is called"):
        text.embedding.create("fasttext", pretrained_file_name="x")
    folder = tmp_path / "glove"
    folder.mkdir()
    (folder / "glove.6B.50d.txt").write_text("a 1 2\n")
    made = text.embedding.create(
        "glove", pretrained_file_name="glove.6B.50d.txt", embedding_root=str(tmp_path)
    )
    assert made.idx_to_vec.asnumpy().tolist() == [[0, 0], [1, 2]]


def regression(**options: Any) -> tuple[Any, SVRGModule]:
    points = np.random.RandomState(0).randn(90, 2)
    data = mx.io.NDArrayIter(points, points @ [1.0, 2.0], batch_size=16, label_name="lin_label")
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    net = mx.sym.LinearRegressionOutput(net, mx.sym.var("lin_label"))
    return data, SVRGModule(net, label_names=["lin_label"], **{"update_freq": 1, **options})


@pytest.mark.parametrize("devices", [1, 2])
def test_svrg_takes_the_noise_out_of_steps(devices: int) -> None:
    data, module = regression(context=[mx.cpu(i) for i in range(devices)])
    module.bind(data.provide_data, data.provide_label)
    module.init_params(mx.init.One())
    module.init_optimizer(optimizer_params={"learning_rate": 0.1})
    module.update_full_grads(data)
    mean = sum(means["fc_weight"].asnumpy() for means in module._param_dict)
    # At the weights that were kept, each step goes along the mean gradient, whatever the batch.
    for batch in data:
        module.forward_backward(batch)
        module._update_svrg_gradients()
        found = sum(one.asnumpy() for one in module._exec_group.grad_arrays[0])
        np.testing.assert_allclose(found, mean, rtol=1e-4)


def test_svrg_fits_and_averages_begin_anew() -> None:
    data, module = regression(update_freq=2)
    module.fit(data, eval_metric="mse", num_epoch=20, optimizer_params={"learning_rate": 0.1})
    np.testing.assert_allclose(module.get_params()[0]["fc_weight"].asnumpy(), [[1, 2]], atol=1e-2)
    module.update_full_grads(data)
    first = module._param_dict[0]["fc_weight"].asnumpy()
    module.update_full_grads(data)
    np.testing.assert_array_equal(module._param_dict[0]["fc_weight"].asnumpy(), first)


def test_svrg_refusals() -> None:
    for wrong, error in ((0, ValueError), (None, TypeError), (1.5, TypeError)):
        with pytest.raises(error, match="update_freq"):
            regression(update_freq=wrong)
    data, module = regression()
    module.bind(data.provide_data, data.provide_label)
    module.init_params()
    with pytest.raises(ValueError, match="expected False"):
        module.init_optimizer(update_in_graph=True)


def test_gradients_of_old_scripts() -> None:
    x, y = mx.nd.array([1, 2]), mx.nd.array([3, 4])
    gradients, loss = old_autograd.grad_and_loss(lambda a, b: a * b)(x, y)
    assert [one.asnumpy().tolist() for one in gradients] == [[3, 4], [1, 2]]
    assert loss.asnumpy().tolist() == [3, 8]
    (only,) = old_autograd.grad(lambda a, b: a * b, argnum=1)(x, 5 * y)
    assert only.asnumpy().tolist() == [1, 2]
    with pytest.raises(TypeError, match="argument 1 is bool"):
        old_autograd.grad(lambda a, b: a)(x, True)
    with old_autograd.train_section():
        assert mx.autograd.is_training() and mx.autograd.is_recording()
        with old_autograd.test_section():
            assert not mx.autograd.is_training() and not mx.autograd.is_recording()
    assert not old_autograd.set_is_training(True) and old_autograd.set_is_training(False)


def test_batches_of_loaders_are_filled() -> None:
    batches = [(mx.nd.ones((2, 3)), mx.nd.ones((2,))), (mx.nd.ones((1, 3)), mx.nd.ones((1,)))]
    made = mx.contrib.io.DataLoaderIter(batches, dtype="float16")
    for _ in range(2):
        *_, last = made
        assert last.pad == 1 and last.data[0].asnumpy().tolist() == [[1, 1, 1], [0, 0, 0]]
        assert last.label[0].dtype == np.float16
        made.reset()
    with pytest.raises(ValueError, match="gives no batch"):
        mx.contrib.io.DataLoaderIter([])


def test_tensorboard_gets_metrics(tmp_path: Path) -> None:
    callback = mx.contrib.tensorboard.LogMetricsCallback(str(tmp_path), prefix="train")
    metric = mx.metric.create("acc")
    metric.update([mx.nd.zeros((1,))], [mx.nd.array([[1, 0]])])
    callback(types.SimpleNamespace(eval_metric=metric))
    callback(types.SimpleNamespace(eval_metric=None))
    callback.summary_writer.close()
    (file,) = tmp_path.iterdir()
    assert file.read_bytes().count(b"train-accuracy") == 1 and callback.step == 1
