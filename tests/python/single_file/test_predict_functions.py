"""MXNet's predict functions: weights in fewer bytes, packed models, and dtypes that a caller cannot know."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from predictor import predict

import mixgrad as mx

FORMS = ("float32", "float16", "int8")


@pytest.fixture(scope="module")
def library() -> Iterator[ctypes.CDLL]:
    found = ctypes.CDLL(str(Path(mx.__file__).parent / "libmixgrad.so"))
    found.MXGetLastError.restype = ctypes.c_char_p
    yield found


def _model(seed: int = 5) -> tuple[Any, dict[str, Any], dict[str, Any], np.ndarray]:
    net = mx.models.mobilenet_v2(num_classes=20)
    data = np.random.RandomState(seed).uniform(-1, 1, (2, 3, 64, 64)).astype(np.float32)
    mx.random.seed(seed)
    module = mx.mod.Module(net)
    module.bind([("data", data.shape)], for_training=False)
    module.init_params(mx.init.Xavier())
    args, aux = module.get_params()
    return net, args, aux, data


@pytest.mark.parametrize("form", FORMS)
def test_packed_models_predict(library: ctypes.CDLL, tmp_path: Path, form: str) -> None:
    net, args, aux, data = _model()
    path = tmp_path / "net.mxg"
    mx.model.save_packed(path, net, args, aux, mx.model.InputFormat("data", data.shape), weights=form)
    got = predict(library, None, path.read_bytes(), data)
    want = mx.model.load_packed(path).bind().forward(data=mx.nd.array(data))[0].asnumpy()
    np.testing.assert_array_equal(got, want)
    np.testing.assert_array_equal(predict(library, net.tojson(), path.read_bytes(), data, threads=3), want)
    exact = mx.model.PackedModel(net, args, aux, mx.model.InputFormat("data", data.shape))
    best = exact.bind().forward(data=mx.nd.array(data))[0].asnumpy()
    error = {"float32": 0.0, "float16": 2e-3, "int8": 6e-2}[form]
    assert np.abs(got - best).max() <= error * best.max()


def test_half_precision_is_storage_where_the_network_computes_in_float32(
    library: ctypes.CDLL, tmp_path: Path
) -> None:
    net, args, aux, data = _model()
    named = {f"arg:{name}": value for name, value in args.items()}
    named |= {f"aux:{name}": value for name, value in aux.items()}
    half = {name: value.astype("float16") for name, value in named.items()}
    back = {name: value.astype("float32") for name, value in half.items()}
    mx.nd.save(str(tmp_path / "half.params"), half)
    mx.nd.save(str(tmp_path / "back.params"), back)
    got = predict(library, net.tojson(), (tmp_path / "half.params").read_bytes(), data)
    np.testing.assert_array_equal(
        got, predict(library, net.tojson(), (tmp_path / "back.params").read_bytes(), data)
    )


def test_half_precision_stays_where_the_network_computes_in_it(library: ctypes.CDLL, tmp_path: Path) -> None:
    x = mx.sym.Cast(mx.sym.Variable("data"), dtype="float16")
    x = mx.sym.FullyConnected(x, num_hidden=4, no_bias=True, name="fc")
    net = mx.sym.Cast(x * 4096, dtype="float32")  # beyond float16 for the largest
    weight = mx.nd.array(np.arange(12).reshape(4, 3)).astype("float16")
    mx.nd.save(str(tmp_path / "w.params"), {"arg:fc_weight": weight})
    data = np.ones((1, 3), np.float32)
    got = predict(library, net.tojson(), (tmp_path / "w.params").read_bytes(), data)
    np.testing.assert_array_equal(got, [[12288, 49152, np.inf, np.inf]])


def test_integers_with_a_scale(library: ctypes.CDLL, tmp_path: Path) -> None:
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, no_bias=True, name="fc")
    stored = {
        "arg:fc_weight": mx.nd.array([[1, -127, 3], [4, 5, 127]]).astype("int8"),
        "arg:fc_weight:scale": mx.nd.array([0.5, 2.0]),
    }
    path = str(tmp_path / "q.params")
    mx.nd.save(path, stored)
    data = np.array([[1, 2, 4]], np.float32)
    got = predict(library, net.tojson(), Path(path).read_bytes(), data)
    np.testing.assert_array_equal(got, [[0.5 * (1 - 254 + 12), 2 * (4 + 10 + 508)]])
    stored["arg:fc_weight:scale"] = mx.nd.array([0.5, 2.0, 3.0])
    mx.nd.save(path, stored)
    with pytest.raises(mx.MXNetError, match="scale"):
        predict(library, net.tojson(), Path(path).read_bytes(), data)


def test_no_network_anywhere(library: ctypes.CDLL, tmp_path: Path) -> None:
    with pytest.raises(mx.MXNetError, match="symbol_json_str"):
        predict(library, None, b"", np.ones((1, 3), np.float32))
    with pytest.raises(mx.MXNetError, match="version"):
        predict(library, None, b"MXGMODEL" + bytes(60), np.ones((1, 3), np.float32))


def test_no_network_overflows_a_buffer_of_floats(library: ctypes.CDLL) -> None:
    data = mx.sym.Variable("data", dtype="float64")
    json = mx.sym.Group([data * 3, mx.sym.Cast(data, dtype="uint8")]).tojson().encode()
    handle, keys = ctypes.c_void_p(), (ctypes.c_char_p * 1)(b"data")
    starts, extents = (ctypes.c_uint32 * 2)(0, 1), (ctypes.c_uint32 * 1)(4)
    assert library.MXPredCreate(json, None, 0, 1, 0, 1, keys, starts, extents, ctypes.byref(handle)) == 0
    numbers = (ctypes.c_float * 4)(1, 2, 3, 4)
    assert library.MXPredSetInput(handle, b"data", numbers, 4) == 0
    assert library.MXPredForward(handle) == 0
    out = (ctypes.c_float * 8)(*[-1.0] * 8)
    assert library.MXPredGetOutput(handle, 0, out, 4) == 0
    assert list(out) == [3, 6, 9, 12, -1, -1, -1, -1]
    code = ctypes.c_int()
    assert library.MXPredGetOutputType(handle, 0, ctypes.byref(code)) == 0 and code.value == 1
    wide = (ctypes.c_double * 4)()
    assert library.MXPredGetOutput(handle, 0, ctypes.cast(wide, ctypes.POINTER(ctypes.c_float)), 4) == 0
    assert list(wide) == [3, 6, 9, 12]
    narrow = (ctypes.c_uint8 * 4)()
    assert library.MXPredGetOutput(handle, 1, ctypes.cast(narrow, ctypes.POINTER(ctypes.c_float)), 4) == 0
    assert list(narrow) == [1, 2, 3, 4]
    library.MXPredFree(handle)


def test_inputs_of_a_chosen_dtype(library: ctypes.CDLL) -> None:
    json = (mx.sym.Variable("data") * 2).tojson().encode()
    handle, keys = ctypes.c_void_p(), (ctypes.c_char_p * 1)(b"data")
    starts, extents = (ctypes.c_uint32 * 2)(0, 1), (ctypes.c_uint32 * 1)(3)
    codes = (ctypes.c_int * 1)(1)
    shape = (starts, extents)
    status = library.MXPredCreateEx(
        json, None, 0, 1, 0, 1, keys, *shape, 1, keys, codes, ctypes.byref(handle)
    )
    assert status == 0
    again = ctypes.c_void_p()
    assert library.MXPredReshape(1, keys, *shape, handle, ctypes.byref(again)) == 0
    for one in (handle, again):
        numbers = (ctypes.c_double * 3)(0.5, 1.5, 1e300)
        assert (
            library.MXPredSetInput(one, b"data", ctypes.cast(numbers, ctypes.POINTER(ctypes.c_float)), 3) == 0
        )
        assert library.MXPredForward(one) == 0
        assert library.MXPredGetOutputType(one, 0, ctypes.byref(ctypes.c_int())) == 0
        out = (ctypes.c_double * 3)()
        assert library.MXPredGetOutput(one, 0, ctypes.cast(out, ctypes.POINTER(ctypes.c_float)), 3) == 0
        assert list(out) == [1, 3, 2e300]
        library.MXPredFree(one)


@pytest.mark.parametrize("form", FORMS)
def test_a_trained_network_keeps_its_accuracy(library: ctypes.CDLL, tmp_path: Path, form: str) -> None:
    folder = Path(__file__).resolve().parents[3] / "languages" / "data"
    net, args, aux = mx.model.load_checkpoint(str(folder / "digits"), 1)
    digits = mx.nd.load(str(folder / "digits.params"))
    images = digits["images"][1500:].asnumpy().astype(np.float32) / 16  # held out of its training
    labels = digits["labels"][1500:].asnumpy()
    mx.model.save_packed(tmp_path / "m", net, args, aux, mx.model.InputFormat("data", images.shape), (), form)
    packed = (tmp_path / "m").read_bytes()
    exact = mx.model.PackedModel(net, args, aux, mx.model.InputFormat("data", images.shape))
    best = exact.bind().forward(data=mx.nd.array(images))[0].asnumpy()
    got = predict(library, None, packed, images)
    assert np.abs(got - best).max() <= {"float32": 0.0, "float16": 5e-3, "int8": 0.1}[form]
    right, before = (float((answer.argmax(1) == labels).mean()) for answer in (got, best))
    assert before > 0.95
    assert right >= before - {"float32": 0.0, "float16": 0.0, "int8": 1 / 150}[form]
