"""Metrics against NumPy and scikit-learn, over batches, with local and global values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

import mixgrad as mx

metric = mx.metric
Array = np.ndarray[Any, Any]


def nd(values: Any) -> Any:
    return mx.nd.array(np.asarray(values))


def probabilities(seed: int, samples: int, classes: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    scores = rng.random((samples, classes), dtype=np.float32) + np.float32(0.01)
    return rng.integers(0, classes, samples), scores / scores.sum(axis=1, keepdims=True)


def value(m: Any, labels: Any, preds: Any) -> float:
    m.reset()
    m.update([nd(labels)], [nd(preds)])
    return float(m.get()[1])


sizes = settings(max_examples=25, deadline=None)
seeds = st.integers(0, 2**32 - 1)


@sizes
@given(seed=seeds, samples=st.integers(1, 30), classes=st.integers(2, 6))
def test_classes_against_scikit_learn(seed: int, samples: int, classes: int) -> None:
    labels, scores = probabilities(seed, samples, classes)
    guess = scores.argmax(axis=1)
    assert value(metric.Accuracy(), labels, scores) == pytest.approx(sk.accuracy_score(labels, guess))
    assert value(metric.Accuracy(), labels, guess) == pytest.approx(sk.accuracy_score(labels, guess))
    everything = list(range(classes))
    exact = scores.astype(np.float64)
    loss = sk.log_loss(labels, exact / exact.sum(axis=1, keepdims=True), labels=everything)
    assert value(metric.CrossEntropy(), labels, scores) == pytest.approx(loss, rel=1e-4)
    assert value(metric.NegativeLogLikelihood(), labels, scores) == pytest.approx(loss, rel=1e-4)
    assert value(metric.Perplexity(None), labels, scores) == pytest.approx(math.exp(loss), rel=1e-4)
    if classes > 2:
        best = sk.top_k_accuracy_score(labels, scores, k=2, labels=everything)
        assert value(metric.TopKAccuracy(2), labels, scores) == pytest.approx(best)
    pcc = value(metric.PCC(), labels, scores)
    if math.isnan(pcc):
        assert len(set(labels)) == 1 or len(set(guess)) == 1
    else:
        assert pcc == pytest.approx(sk.matthews_corrcoef(labels, guess), abs=1e-9)


@sizes
@given(seed=seeds, samples=st.integers(1, 30))
def test_two_classes_against_scikit_learn(seed: int, samples: int) -> None:
    labels, scores = probabilities(seed, samples, 2)
    guess = scores.argmax(axis=1)
    assert value(metric.F1(), labels, scores) == pytest.approx(sk.f1_score(labels, guess, zero_division=0))
    expected = sk.matthews_corrcoef(labels, guess)
    assert value(metric.MCC(), labels, scores) == pytest.approx(expected, abs=1e-9)


@sizes
@given(seed=seeds, shape=st.lists(st.integers(2, 5), min_size=1, max_size=2))
def test_regression_against_numpy(seed: int, shape: list[int]) -> None:
    rng = np.random.default_rng(seed)
    y, p = (rng.normal(size=shape).astype(np.float32) for _ in range(2))
    assert value(metric.MAE(), y, p) == pytest.approx(np.abs(y - p).mean(), rel=1e-5)
    assert value(metric.MSE(), y, p) == pytest.approx(np.square(y - p).mean(), rel=1e-5)
    assert value(metric.RMSE(), y, p) == pytest.approx(np.sqrt(np.square(y - p).mean()), rel=1e-5)
    correlation = np.corrcoef(y.ravel(), p.ravel())[0, 1]
    for average in ("macro", "micro"):
        m = metric.PearsonCorrelation(average=average)
        assert value(m, y, p) == pytest.approx(correlation, abs=1e-6)


MACRO = [("mae", {}), ("mse", {}), ("rmse", {}), ("pearsonr", {}), ("f1", {}), ("mcc", {})]
POOLED = [
    ("acc", {}),
    ("top_k_acc", {"top_k": 2}),
    ("ce", {}),
    ("perplexity", {"ignore_label": None}),
    ("pcc", {}),
    ("f1", {"average": "micro"}),
    ("mcc", {"average": "micro"}),
    ("pearsonr", {"average": "micro"}),
    ("loss", {}),
]


def batches(name: str) -> list[tuple[Array, Array]]:
    if name in ("mae", "mse", "rmse", "pearsonr", "loss"):
        rng = np.random.default_rng(1)
        return [(rng.normal(size=(n, 2)), rng.normal(size=(n, 2))) for n in (4, 3, 5)]
    return [probabilities(seed, n, 2 if name in ("f1", "mcc") else 4) for seed, n in ((1, 9), (2, 4), (3, 7))]


@pytest.mark.parametrize(("name", "options"), MACRO)
def test_mean_over_batches_local_and_global(name: str, options: dict[str, Any]) -> None:
    data = batches(name)
    single = [value(metric.create(name, **options), *batch) for batch in data]
    check_sums(name, options, data, single[2], float(np.mean(single)))


@pytest.mark.parametrize(("name", "options"), POOLED)
def test_all_samples_together_local_and_global(name: str, options: dict[str, Any]) -> None:
    data = batches(name)
    together = [np.concatenate(parts) for parts in zip(*data)]
    last = value(metric.create(name, **options), *data[2])
    check_sums(name, options, data, last, value(metric.create(name, **options), *together))


def check_sums(name: str, options: dict[str, Any], data: Any, last: float, whole: float) -> None:
    m = metric.create(name, **options)
    assert math.isnan(m.get()[1]) and math.isnan(m.get_global()[1])
    for labels, preds in data[:2]:
        m.update([nd(labels)], [nd(preds)])
    m.reset_local()
    assert math.isnan(m.get()[1])
    m.update([nd(data[2][0])], [nd(data[2][1])])
    assert m.get()[1] == pytest.approx(last, rel=1e-5)
    assert m.get_global()[1] == pytest.approx(whole, rel=1e-5)
    assert m.get_global_name_value() == [(m.name, m.get_global()[1])]
    assert m.get_name_value() == [m.get()]
    m.reset()
    assert math.isnan(m.get()[1]) and math.isnan(m.get_global()[1])


def test_several_outputs_count_together() -> None:
    m = metric.Accuracy()
    m.update([nd([0, 1]), nd([1])], [nd([[0.9, 0.1], [0.8, 0.2]]), nd([[0.3, 0.7]])])
    assert m.get() == ("accuracy", 2 / 3)
    assert m.num_inst == 3


def test_numpy_arrays_and_single_arrays_are_welcome() -> None:
    m = metric.Accuracy()
    m.update(np.array([0, 1]), np.array([[0.9, 0.1], [0.8, 0.2]]))
    assert m.get()[1] == 0.5


def test_accuracy_axis() -> None:
    labels, scores = np.array([[0, 1, 2], [2, 1, 0]]), np.random.default_rng(0).random((2, 4, 3))
    assert value(metric.Accuracy(axis=1), labels, scores) == (scores.argmax(1) == labels).mean()


def test_top_k_with_fewer_classes_than_k() -> None:
    assert value(metric.TopKAccuracy(9), [1, 0], [[0.5, 0.3, 0.2]] * 2) == 1


def test_perplexity_ignores_a_label_and_takes_an_axis() -> None:
    labels, scores = probabilities(5, 12, 3)
    keep = labels != 0
    p = scores[np.arange(12), labels]
    m = metric.Perplexity(ignore_label=0)
    assert value(m, labels, scores) == pytest.approx(np.exp(-np.log(p[keep]).mean()), rel=1e-5)
    assert m.num_inst == keep.sum()
    cube = np.moveaxis(scores.reshape(3, 4, 3), 2, 1)
    whole = np.exp(-np.log(p).mean())
    assert value(metric.Perplexity(None, axis=1), labels.reshape(3, 4), cube) == pytest.approx(
        whole, rel=1e-5
    )
    assert math.isnan(value(metric.Perplexity(ignore_label=1), [1, 1], [[0.5, 0.5]] * 2))


def test_pcc_grows_with_new_classes() -> None:
    m = metric.PCC()
    m.update([nd([0, 1])], [nd([0, 1])])
    m.update([nd([4, 3, 4])], [nd([4, 3, 3])])
    truth, guess = [0, 1, 4, 3, 4], [0, 1, 4, 3, 3]
    assert m.get()[1] == pytest.approx(sk.matthews_corrcoef(truth, guess))
    assert m.num_inst == 2


def test_losses_by_three_names() -> None:
    for klass, name in ((metric.Loss, "loss"), (metric.Torch, "torch"), (metric.Caffe, "caffe")):
        m = klass()
        m.update(None, [nd([1, 2, 3]), nd([[6, 8]])])
        assert m.get() == (name, 4.0)


def test_functions_become_metrics() -> None:
    def count_above(label: Array, pred: Array) -> tuple[float, int]:
        return float((pred > label).sum()), pred.size

    for m in (metric.np(count_above), metric.CustomMetric(count_above), metric.create(count_above)):
        m.update([nd([1, 2, 3])], [nd([2, 2, 4])])
        assert m.get() == ("count_above", 2 / 3)
    assert metric.CustomMetric(lambda label, pred: 1).name == "custom(<lambda>)"
    assert metric.np(lambda label, pred: 1, name="one").name == "one"
    m = metric.CustomMetric(count_above, allow_extra_outputs=True)
    m.update([nd([1])], [nd([2]), nd([3])])
    assert m.num_inst == 1
    with pytest.raises(ValueError, match="differ in length: 1 and 2"):
        metric.CustomMetric(count_above).update([nd([1])], [nd([2]), nd([3])])
    with pytest.raises(NotImplementedError, match="no configuration"):
        m.get_config()


def test_composite() -> None:
    m = metric.CompositeEvalMetric(["acc"])
    m.add(metric.MSE(name="squares"))
    m.update([nd([1, 0])], [nd([1, 1])])
    assert m.get() == (["accuracy", "squares"], [0.5, 0.5])
    assert m.get_name_value() == [("accuracy", 0.5), ("squares", 0.5)]
    assert str(m) == "EvalMetric: {'accuracy': 0.5, 'squares': 0.5}"
    m.reset_local()
    assert np.isnan(m.get()[1]).all()
    assert m.get_global()[1] == [0.5, 0.5]
    m.reset()
    assert np.isnan(m.get_global()[1]).all()
    assert isinstance(m.get_metric(0), metric.Accuracy)
    with pytest.raises(ValueError, match="no metric at position 5; there are 2"):
        m.get_metric(5)
    assert [c["metric"] for c in m.get_config()["metrics"]] == ["Accuracy", "MSE"]


def test_update_by_name() -> None:
    labels, preds = {"l": nd([1, 0]), "x": nd([1, 1])}, {"o": nd([1, 1]), "q": nd([0, 0])}
    m = metric.Accuracy(output_names=["o"], label_names=["l"])
    m.update_dict(labels, preds)
    assert m.get()[1] == 0.5
    both = metric.CompositeEvalMetric([metric.Accuracy()], output_names=["q"], label_names=["l"])
    both.update_dict(labels, preds)
    assert both.get()[1] == [0.5]
    everything = metric.Accuracy()
    everything.update_dict(labels, preds)
    assert everything.num_inst == 4
    with pytest.raises(KeyError, match="no label named l; there are z"):
        m.update_dict({"z": nd([1])}, preds)


@pytest.mark.parametrize(
    "m",
    [
        metric.Accuracy(axis=2, name="a", output_names=["o"]),
        metric.TopKAccuracy(3),
        metric.Perplexity(0, axis=1),
        metric.CrossEntropy(eps=1e-3),
        metric.F1(average="micro"),
        metric.PearsonCorrelation(average="micro"),
    ],
)
def test_configuration_makes_an_equal_metric(m: Any) -> None:
    again = metric.create(m.get_config())
    assert type(again) is type(m)
    assert again.get_config() == m.get_config()
    assert again.name == m.name


def test_create_and_register() -> None:
    assert metric.create('["acc", {"axis": 2}]').axis == 2
    mse = metric.MSE()
    assert metric.create(mse) is mse
    assert metric.create(["acc", "mse"]).get()[0] == ["accuracy", "mse"]
    with pytest.raises(ValueError, match=r"\[metric.create\] unknown name 'nope'; known: acc, accuracy"):
        metric.create("nope")
    with pytest.raises(TypeError, match="expected a name, got int: 3"):
        metric.create(3)

    @metric.register
    class BatchesOfTest(metric.EvalMetric):  # type: ignore[misc,name-defined]
        def update(self, labels: Any, preds: Any) -> None:
            self.sum_metric += 3
            self.num_inst += 1

    m = metric.create("batchesoftest", name="b")
    m.update(None, None)
    assert m.get() == m.get_global() == ("b", 3)


@pytest.mark.parametrize(
    ("m", "labels", "preds", "message"),
    [
        (metric.Accuracy(), [1, 0, 1], [[0.1, 0.9]] * 2, r"\(2, 2\) do not fit labels of shape \(3,\)"),
        (metric.Accuracy(), [1, 0, 1], [1, 0], r"shape \(2,\) have no axis 1"),
        (metric.TopKAccuracy(2), [1, 0], [[[0.1, 0.9]]] * 2, r"\(batch, classes\), got \(2, 1, 2\)"),
        (metric.CrossEntropy(), [1, 2], [[0.1, 0.9]] * 2, r"labels must lie in 0\.\.1, got 1\.\.2"),
        (metric.CrossEntropy(), [1, 1, 1], [[0.1, 0.9]] * 2, r"got \(2, 2\) and \(3,\)"),
        (metric.Perplexity(None), [1, 1, 1], [[0.1, 0.9]] * 2, "with classes on axis -1"),
        (metric.F1(), [0, 1, 2], [[0.1, 0.9]] * 3, r"compares two classes.*\[0, 1, 2\]"),
        (metric.MCC(), [0, 1], [0, 1], r"\[MCC\] expected predictions \(batch, 2\)"),
        (metric.PCC(), [0, -1], [0, 1], "class of 0 or more"),
        (metric.MSE(), [1, 2, 3], [1, 2], r"shape \(2,\) do not fit labels of shape \(3,\)"),
        (metric.PearsonCorrelation(), [1, 2], [[1], [2]], r"predictions \(2, 1\) do not fit labels \(2,\)"),
    ],
)
def test_refusals_show_what_arrived(m: Any, labels: Any, preds: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        m.update([nd(labels)], [nd(preds)])


def test_other_refusals() -> None:
    with pytest.raises(ValueError, match="top_k must be at least 2, got 1"):
        metric.TopKAccuracy(1)
    for klass in (metric.F1, metric.MCC, metric.PearsonCorrelation):
        with pytest.raises(ValueError, match="'macro' or 'micro', got 'none'"):
            klass(average="none")
    with pytest.raises(NotImplementedError, match="must define update"):
        metric.EvalMetric("x").update([], [])
    with pytest.raises(ValueError, match="differ in length: 2 and 1"):
        metric.Accuracy().update([nd([1]), nd([1])], [nd([1])])


def test_check_label_shapes() -> None:
    a, b = nd([1]), nd([2])
    assert metric.check_label_shapes(a, b, wrap=True) == ([a], [b])
    with pytest.raises(ValueError, match=r"differ in shape: \(1,\) and \(2,\)"):
        metric.check_label_shapes(a, nd([1, 2]), shape=True)


def test_metrics_of_later_mxnet() -> None:
    rng = np.random.RandomState(0)
    scores, labels = rng.rand(40, 2), rng.randint(0, 2, 40)
    guess = scores.argmax(1)
    hits = ((guess == 1) & (labels == 1)).sum()
    precision, recall = hits / (guess == 1).sum(), hits / (labels == 1).sum()
    for average in ("micro", "macro"):
        fbeta = mx.metric.Fbeta(beta=0.5, average=average)
        fbeta.update([mx.nd.array(labels)], [mx.nd.array(scores)])
        wanted = 1.25 * precision * recall / (0.25 * precision + recall)
        np.testing.assert_allclose(fbeta.get()[1], wanted, rtol=1e-6)
    assert mx.metric.create(fbeta.get_config()).beta == 0.5
    accuracy = mx.metric.create("binaryaccuracy", threshold=0.3)
    accuracy.update([mx.nd.array(labels)], [mx.nd.array(scores[:, 0])])
    np.testing.assert_allclose(accuracy.get()[1], ((scores[:, 0] > 0.3) == labels).mean())
    x, y = rng.randn(2, 6, 3)
    for p in (1, 2, 3):
        distance = mx.metric.MeanPairwiseDistance(p=p)
        distance.update([mx.nd.array(x)], [mx.nd.array(y)])
        np.testing.assert_allclose(distance.get()[1], np.linalg.norm(x - y, ord=p, axis=1).mean(), rtol=1e-5)
    cosine = mx.metric.MeanCosineSimilarity()
    cosine.update([mx.nd.array(x), mx.nd.zeros((1, 3))], [mx.nd.array(y), mx.nd.ones((1, 3))])
    lengths = np.linalg.norm(x, axis=1) * np.linalg.norm(y, axis=1)
    np.testing.assert_allclose(cosine.get()[1], ((x * y).sum(1) / lengths).sum() / 7, rtol=1e-5)
    for metric in (accuracy, distance, cosine):
        with pytest.raises(ValueError, match="do not fit"):
            metric.update([mx.nd.ones((2, 3))], [mx.nd.ones((2, 4))])
