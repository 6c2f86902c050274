"""Networks of mx.models: shapes, published sizes, and real MXNet's numbers on the same parameters."""

from __future__ import annotations

from functools import cache, partial
from math import prod
from pathlib import Path

import numpy as np
import pytest
from models.cases import CASES, answer, dtype, predicted, wanted

import mixgrad as mx

GOLDEN = Path(__file__).resolve().parents[2] / "models" / "golden.npz"

# Trained numbers and multiply-adds in units of 1e9 as torchvision, Keras, Gluon or the papers state them.
PUBLISHED: dict[str, tuple[int, float]] = {
    "alexnet-groups": (60_965_224, 0.724),
    "vgg-11": (132_863_336, 7.609),
    "vgg-11-bn": (132_868_840, 7.609),
    "vgg-13": (133_047_848, 11.308),
    "vgg-13-bn": (133_053_736, 11.308),
    "vgg-16": (138_357_544, 15.47),
    "vgg-16-bn": (138_365_992, 15.47),
    "vgg-19": (143_667_240, 19.632),
    "vgg-19-bn": (143_678_248, 19.632),
    "googlenet": (6_998_552, 1.583),
    "inception-bn": (11_295_240, 2.03),
    "inception-v3": (23_834_568, 5.713),
    "resnet-18": (11_689_512, 1.814),
    "resnet-34": (21_797_672, 3.664),
    "resnet-50": (25_557_032, 3.858),
    "resnet-101": (44_549_160, 7.57),
    "resnet-152": (60_192_808, 11.282),
    "resnet-50-v2": (25_549_486, 4.089),
    "resnet-101-v2": (44_541_614, 7.801),
    "resnet-152-v2": (60_185_262, 11.514),
    "mobilenet-1.0": (4_231_976, 0.569),
    "mobilenet-0.75": (2_585_560, 0.325),
    "mobilenet-0.5": (1_331_592, 0.149),
    "mobilenet-0.25": (470_072, 0.041),
    "mobilenet-v2-1.0": (3_504_872, 0.301),
    "squeezenet-1.0": (1_248_424, 0.819),
    "squeezenet-1.1": (1_235_496, 0.349),
    "densenet-121": (7_978_856, 2.834),
    "densenet-161": (28_681_000, 7.728),
    "densenet-169": (14_149_480, 3.36),
    "densenet-201": (20_013_928, 4.291),
}

# With auxiliary states, as Gluon's model zoo counts them.
WITH_STATES = {
    "resnet-18-v2": 11_695_796,
    "resnet-34-v2": 21_811_380,
    "resnet-50-v2": 25_595_060,
    "resnet-101-v2": 44_639_412,
    "resnet-152-v2": 60_329_140,
    "mobilenet-1.0": 4_253_864,
    "mobilenet-0.25": 475_544,
    "densenet-121": 8_062_504,
    "densenet-161": 28_900_936,
    "densenet-169": 14_307_880,
    "densenet-201": 20_242_984,
}


@pytest.mark.parametrize("name", mx.models.CATALOG)
def test_shapes_and_costs(name: str) -> None:
    entry = mx.models.CATALOG[name]
    net = entry.symbol()
    arguments, outputs, states = net.infer_shape(**entry.shapes)
    assert all(all(extent > 0 for extent in shape) for shape in (*arguments, *outputs, *states))
    assert mx.models.parameters(net, **entry.shapes) == entry.parameters
    assert mx.models.multiply_adds(net, **entry.shapes) == entry.multiply_adds
    if name in PUBLISHED:
        count, billions = PUBLISHED[name]
        assert entry.parameters == count
        assert entry.multiply_adds == pytest.approx(billions * 1e9, rel=5e-3, abs=1e6)
    if name in WITH_STATES:
        assert entry.parameters + sum(map(prod, states)) == WITH_STATES[name]
    assert mx.sym.load_json(net.tojson()).tojson() == net.tojson()


def test_page_lists_every_network() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
    for name, entry in mx.models.CATALOG.items():
        extents = "x".join(map(str, entry.shapes["data"][1:]))
        row = f"| {name} | {extents} | {entry.parameters:,} | {entry.multiply_adds:,} | "
        assert row in page, row


@cache
def golden() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as stored:
        return dict(stored)


def apart(one: np.ndarray, two: np.ndarray) -> float:
    """The largest difference between two sets of gradients, against the norm of each gradient.

    What is compared are fingerprints: norms differ by at most the norm of the difference, which sums with
    random signs estimate. Norms below a tenth of the network's median count as that: a bias before BatchNorm
    has the gradient 0 but for rounding.
    """
    norms, gaps = one[:, 0], np.abs(one - two)
    found = np.maximum(gaps[:, 0], np.sqrt((gaps[:, 1:] ** 2).mean(axis=1)))
    return float((found / np.maximum(norms, 0.1 * np.median(norms))).max())


def computed(name: str, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The output and the fingerprints of all gradients in that dtype."""
    options, shapes = CASES[name]
    net = mx.models.get_symbol(name, **options)
    requests = wanted(name, net.list_arguments(), shapes)
    executor = net.simple_bind(mx.cpu(), grad_req=requests, type_dict=dict.fromkeys(shapes, kind), **shapes)
    shown, prints = answer(name, executor, partial(mx.nd.array, dtype=kind))
    assert list(prints) == golden()[f"{name}/names"].tolist()
    return shown, np.array(list(prints.values()))


def stored(name: str, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The same by MXNet."""
    return golden()[f"{name}/{kind}/output"], golden()[f"{name}/{kind}/gradients"]


@pytest.mark.parametrize("name", [name for name in CASES if dtype(name) == "float64"])
def test_equals_mxnet(name: str) -> None:
    (shown, gradients), (expected, theirs) = computed(name, "float64"), stored(name, "float64")
    assert np.abs(shown - expected).max() <= 1e-7 * np.abs(expected).max()
    assert apart(theirs, gradients) <= 1e-7


@pytest.mark.parametrize("name", CASES)
def test_equals_mxnet_in_single_precision(name: str) -> None:
    (shown, gradients), (expected, theirs) = computed(name, "float32"), stored(name, "float32")
    assert np.abs(shown - expected).max() <= 1e-4 * np.abs(expected).max()
    exact = stored(name, dtype(name))[1]
    if name.startswith("alexnet"):  # MXNet has its LRN in float32 only
        exact = computed(name, "float64")[1]
    own = apart(exact, theirs)  # MXNet's own error: nobody is nearer to it than that, and right
    # Both are sums of the rounding of some hundred layers; which of two such sums is larger is chance.
    assert apart(exact, gradients) <= max(1e-4, 1.25 * own)
    assert apart(theirs, gradients) <= (1e-4 if own <= 1e-4 else 1e-4 + own)


@pytest.mark.parametrize("name", ["lenet", "resnet-18", "mobilenet-0.25", "squeezenet-1.1"])
def test_gradients_are_derivatives(name: str) -> None:
    """The truth in float64: the loss along a random direction, by differences."""
    options, shapes = CASES[name]
    net = mx.models.get_symbol(name, **options)
    requests = wanted(name, net.list_arguments(), shapes)
    executor = net.simple_bind(
        mx.cpu(), grad_req=requests, type_dict=dict.fromkeys(shapes, "float64"), **shapes
    )
    answer(name, executor, partial(mx.nd.array, dtype="float64"))
    labels = executor.arg_dict["softmax_label"].asnumpy().astype(int)
    start = {key: array.asnumpy() for key, array in executor.arg_dict.items()}
    gradients = {key: g.asnumpy() for key, g in executor.grad_dict.items() if g is not None}
    random = np.random.RandomState(1)
    direction = {
        key: random.standard_normal(g.shape) * np.abs(start[key]).mean() for key, g in gradients.items()
    }

    def loss(step: float) -> float:
        for key, along in direction.items():
            executor.arg_dict[key][:] = mx.nd.array(start[key] + step * along, dtype="float64")
        output = executor.forward(is_train=True)[0].asnumpy()
        return -float(np.log(output[np.arange(len(labels)), labels]).sum())

    slope = sum(float((gradients[key] * along).sum()) for key, along in direction.items())
    assert (loss(1e-6) - loss(-1e-6)) / 2e-6 == pytest.approx(slope, rel=1e-4)


@pytest.mark.parametrize("name", CASES)
def test_prediction_equals_mxnet(name: str) -> None:
    options, shapes = CASES[name]
    executor = mx.models.get_symbol(name, **options).simple_bind(mx.cpu(), grad_req="null", **shapes)
    expected = golden()[f"{name}/prediction"]
    gap = np.abs(predicted(name, executor, mx.nd.array) - expected).max()
    assert gap <= 1e-4 * np.abs(expected).max()


def test_lstm_lengths_share_parameters() -> None:
    sym_gen = mx.models.lstm_language_model(num_layers=2, vocab_size=20, num_embed=4, num_hidden=4)
    names = [sorted(sym_gen(n)[0].list_arguments()) for n in (1, 3, 8)]
    assert names[0] == names[1] == names[2]
    assert sym_gen(3)[1:] == (("data",), ("softmax_label",))


def test_parallel_lstm_groups() -> None:
    net = mx.models.get_symbol("lstm-parallel", seq_len=2, vocab_size=20, num_embed=4, num_hidden=4)
    groups = {attrs["ctx_group"] for attrs in net.attr_dict().values() if "ctx_group" in attrs}
    assert groups == {"embed", "layer0", "layer1", "decode"}


def test_parallel_lstm_over_two_devices() -> None:
    options, shapes = CASES["lstm-parallel"]
    net = mx.models.get_symbol("lstm-parallel", **options)
    requests = wanted("lstm-parallel", net.list_arguments(), shapes)
    places = {"embed": mx.cpu(0), "layer0": mx.cpu(0), "layer1": mx.cpu(1), "decode": mx.cpu(1)}
    executor = net.simple_bind(mx.cpu(0), grad_req=requests, group2ctx=places, **shapes)
    shown, prints = answer("lstm-parallel", executor, mx.nd.array)
    norms = [numbers[0] for numbers in prints.values()]
    assert np.allclose(shown, golden()["lstm-parallel/float32/output"], rtol=1e-4)
    assert np.allclose(norms, golden()["lstm-parallel/float32/gradients"][:, 0], rtol=1e-4)
    assert executor.grad_dict["lstm_l1_i2h_weight"].ctx == mx.cpu(1)


def test_neural_style_parts() -> None:
    parts = mx.models.neural_style_features(32, 32, style=("relu1_1",), content=("relu2_2",))
    assert parts.list_outputs() == ["gram_relu1_1_output", "feature_relu2_2_output"]
    assert mx.models.neural_style(32, 32, variation_weight=1.0).list_arguments().count("data") == 1
    assert parts.infer_shape(data=(1, 3, 32, 32))[1] == [(64, 64), (1, 128, 16, 16)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: mx.models.vgg(12), "11, 13, 16, 19"),
        (lambda: mx.models.resnet(20), "18, 34, 50"),
        (lambda: mx.models.resnet(50, version=3), "expected 1 or 2"),
        (lambda: mx.models.densenet(100), "121, 161"),
        (lambda: mx.models.squeezenet("2"), "1.0"),
        (lambda: mx.models.mobilenet(multiplier=0), "more than 0"),
        (lambda: mx.models.mobilenet_v2(multiplier=-1.0), "more than 0"),
        (lambda: mx.models.lstm_language_model(num_layers=0), "1 or more"),
        (lambda: mx.models.transformer_encoder(4, units=10, num_heads=3), "divide"),
        (lambda: mx.models.neural_style(32, 32, style=("relu9_1",)), "relu9_1"),
        (lambda: mx.models.get_symbol("resnet-51"), "nearest: resnet-"),
    ],
)
def test_refusals(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]
