"""Networks of mx.models: shapes, published sizes, and real MXNet's numbers on the same parameters."""

from __future__ import annotations

from functools import cache, partial
from math import prod
from pathlib import Path

import numpy as np
import pytest
from models.cases import CASES, answer, dtype, has_loss, predicted, wanted

import mixgrad as mx

GOLDEN = Path(__file__).resolve().parents[1] / "models" / "golden.npz"

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
    page = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    for name, entry in mx.models.CATALOG.items():
        extents = "x".join(map(str, entry.shapes["data"][1:]))
        row = f"| {name} | {extents} | {entry.parameters:,} | {entry.multiply_adds:,} | "
        assert row in page, row


@cache
def golden() -> dict[str, np.ndarray]:
    with np.load(GOLDEN) as stored:
        return dict(stored)


def gaps(name: str, kind: str) -> tuple[float, np.ndarray]:
    """Relative differences from MXNet: the largest of the outputs, and those of the gradients' norms."""
    options, shapes = CASES[name]
    net = mx.models.get_symbol(name, **options)
    requests = wanted(name, net.list_arguments(), shapes)
    types = dict.fromkeys(shapes, kind)
    executor = net.simple_bind(mx.cpu(), grad_req=requests, type_dict=types, **shapes)
    shown, norms = answer(executor, has_loss(name), partial(mx.nd.array, dtype=kind))
    expected, stored = golden()[f"{name}/output"], golden()[f"{name}/norms"]
    assert list(norms) == golden()[f"{name}/names"].tolist()
    # Gradients that are 0 but for rounding, such as a bias's before BatchNorm, are far below the others.
    scale = stored + 0.1 * np.median(stored)
    found = np.abs(np.array(list(norms.values())) - stored) / scale
    return float(np.abs(shown - expected).max() / np.abs(expected).max()), found


@pytest.mark.parametrize("name", [name for name in CASES if dtype(name) == "float64"])
def test_equals_mxnet(name: str) -> None:
    output, norms = gaps(name, "float64")
    assert output <= 1e-7
    assert norms.max() <= 1e-7


@pytest.mark.parametrize("name", CASES)
def test_equals_mxnet_in_single_precision(name: str) -> None:
    output, norms = gaps(name, "float32")
    assert output <= 1e-4
    assert np.median(norms) <= 1e-4
    # Rounding, which differs between processors, may decide whether a ReLU near 0 passes a gradient on.
    assert norms.max() <= (1e-4 if dtype(name) == "float32" else 2e-2)


@pytest.mark.parametrize("name", CASES)
def test_prediction_equals_mxnet(name: str) -> None:
    options, shapes = CASES[name]
    executor = mx.models.get_symbol(name, **options).simple_bind(mx.cpu(), grad_req="null", **shapes)
    expected = golden()[f"{name}/prediction"]
    gap = np.abs(predicted(executor, mx.nd.array) - expected).max()
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
    shown, norms = answer(executor, True, mx.nd.array)
    assert np.allclose(shown, golden()["lstm-parallel/output"], rtol=1e-4)
    assert np.allclose(list(norms.values()), golden()["lstm-parallel/norms"], rtol=1e-4)
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
