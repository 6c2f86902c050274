"""Weights of convolutions are in memory once: in their order, which calls share and others come back from."""

from __future__ import annotations

import ctypes
import gc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

WIDTH = 1024  # a layer's weights of single pixels take 4 MB


def library() -> ctypes.CDLL:
    found = ctypes.CDLL(str(Path(mx.__file__).parent / "libmixgrad.so"))
    found.MXGetLastError.restype = ctypes.c_char_p
    return found


class Predictors:
    """One predictor of MXNet's functions, or several over the same parameters."""

    def __init__(self, json: str | None, params: bytes, shape: tuple[int, ...], threads: int = 1) -> None:
        self.lib = library()
        self.handles = (ctypes.c_void_p * threads)()
        key, starts, extents = self._inputs(shape)
        create = self.lib.MXPredCreateMultiThread if threads > 1 else self.lib.MXPredCreate
        text = None if json is None else json.encode()
        extra = (threads,) if threads > 1 else ()
        self._check(create(text, params, len(params), 1, 0, 1, key, starts, extents, *extra, self.handles))

    @staticmethod
    def _inputs(shape: tuple[int, ...]) -> tuple[Any, Any, Any]:
        starts = (ctypes.c_uint32 * 2)(0, len(shape))
        return (ctypes.c_char_p * 1)(b"data"), starts, (ctypes.c_uint32 * len(shape))(*shape)

    def _check(self, status: int) -> None:
        if status != 0:
            raise mx.MXNetError(self.lib.MXGetLastError().decode())

    def reshaped(self, shape: tuple[int, ...]) -> Predictors:
        made = object.__new__(Predictors)
        made.lib, made.handles = self.lib, (ctypes.c_void_p * 1)()
        key, starts, extents = self._inputs(shape)
        self._check(self.lib.MXPredReshape(1, key, starts, extents, self._handle(0), made.handles))
        return made

    def _handle(self, index: int) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.handles[index])

    def predict(self, data: np.ndarray, index: int = 0) -> np.ndarray:
        handle = self._handle(index)
        floats = ctypes.POINTER(ctypes.c_float)
        data = np.ascontiguousarray(data, np.float32)
        self._check(self.lib.MXPredSetInput(handle, b"data", data.ctypes.data_as(floats), data.size))
        self._check(self.lib.MXPredForward(handle))
        shape, ndim = ctypes.POINTER(ctypes.c_uint32)(), ctypes.c_uint32()
        self._check(self.lib.MXPredGetOutputShape(handle, 0, ctypes.byref(shape), ctypes.byref(ndim)))
        out = np.empty([shape[i] for i in range(ndim.value)], np.float32)
        self._check(self.lib.MXPredGetOutput(handle, 0, out.ctypes.data_as(floats), out.size))
        return out

    def free(self) -> None:
        for handle in self.handles:
            self.lib.MXPredFree(ctypes.c_void_p(handle))
        self.handles = (ctypes.c_void_p * 0)()


def megabytes() -> float:
    """Memory of this process that holds numbers, not a file's pages."""
    gc.collect()
    status = Path("/proc/self/status")  # Linux alone has it
    for line in status.read_text().splitlines() if status.exists() else ():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1024
    pytest.skip("this system does not say how much memory a process has")


def layer(data: Any, name: str, filters: int, kernel: int = 1, groups: int = 1) -> Any:
    window, pad = (kernel, kernel), (kernel // 2, kernel // 2)
    net = mx.sym.Convolution(
        data, num_filter=filters, kernel=window, pad=pad, num_group=groups, no_bias=True, name=name
    )
    net = mx.sym.BatchNorm(net, fix_gamma=False, name=f"{name}_bn")
    return mx.sym.Activation(net, act_type="relu")


def network(*names: str) -> Any:
    """Single pixels, windows for Winograd, an inverted residual; a filter that its BatchNorm puts out."""
    net = layer(mx.sym.Variable("data"), "first", 64, 3)
    net = layer(net, "wide", 64, 3)
    net = layer(net, "expand", 128)
    net = layer(net, "depthwise", 128, 3, groups=128)
    net = layer(net, "project", 64)
    net = layer(net, "last", 96)
    outputs = [mx.sym.Pooling(net, global_pool=True, pool_type="avg", kernel=(1, 1))]
    inner = outputs[0].get_internals()
    return mx.sym.Group([*outputs, *(inner[name] for name in names)]) if names else outputs[0]


def big_network() -> Any:
    net = mx.sym.Variable("data")
    for i in range(4):
        net = layer(net, f"layer{i}", WIDTH)
    return net


def parameters(net: Any, shape: tuple[int, ...]) -> dict[str, Any]:
    random = np.random.RandomState(7)
    shapes, _, states = net.infer_shape(data=shape)
    named = {}
    for kind, names, extents in (
        ("arg", net.list_arguments(), shapes),
        ("aux", net.list_auxiliary_states(), states),
    ):
        for name, extent in zip(names, extents):
            value = random.uniform(-1, 1, extent) / np.sqrt(np.prod(extent[1:]) + 1)
            if name.endswith(("gamma", "var")):
                value = random.uniform(0.5, 1.5, extent)
            if name == "last_bn_gamma":
                value[3] = 0.0
            if name != "data":
                named[f"{kind}:{name}"] = mx.nd.array(value.astype(np.float32))
    return named


def saved(tmp_path: Path, named: dict[str, Any]) -> bytes:
    path = tmp_path / "net.params"
    mx.nd.save(str(path), named)
    return path.read_bytes()


def image(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.RandomState(3).uniform(-1, 1, shape).astype(np.float32)


SMALL, LARGE = (1, 16, 12, 12), (2, 16, 40, 36)


def test_reshaped_predictors_agree_with_new_ones(tmp_path: Path) -> None:
    net = network()
    params = saved(tmp_path, parameters(net, SMALL))
    first = Predictors(net.tojson(), params, SMALL)
    want = first.predict(image(SMALL))
    large = first.reshaped(LARGE)
    new = Predictors(net.tojson(), params, LARGE)
    exact = new.predict(image(LARGE))
    np.testing.assert_allclose(large.predict(image(LARGE)), exact, rtol=2e-5, atol=1e-6)
    np.testing.assert_array_equal(first.predict(image(SMALL)), want)
    first.free()  # what comes back now comes from the other's weights
    again = large.reshaped(SMALL)
    np.testing.assert_allclose(again.predict(image(SMALL)), want, rtol=2e-5, atol=1e-6)
    np.testing.assert_allclose(large.predict(image(LARGE)), exact, rtol=2e-5, atol=1e-6)
    for one in (large, again, new):
        one.free()


def test_parameters_that_are_outputs_come_back(tmp_path: Path) -> None:
    names = ("expand_weight", "depthwise_weight", "last_weight")
    net = network(*names)
    named = parameters(net, SMALL)
    predictor = Predictors(net.tojson(), saved(tmp_path, named), SMALL)
    floats = ctypes.POINTER(ctypes.c_float)
    for _ in range(2):
        predictor.predict(image(SMALL))
        for index, name in enumerate(names, 1):
            want = named[f"arg:{name}"].asnumpy()
            got = np.empty_like(want)
            status = predictor.lib.MXPredGetOutput(
                predictor._handle(0), index, got.ctypes.data_as(floats), got.size
            )
            assert status == 0
            scale = 1e-6 * np.abs(want).max()
            np.testing.assert_allclose(got, want, rtol=1e-6, atol=scale)
    predictor.free()


@pytest.mark.parametrize("factor", [0.0, 1e-41, np.inf])
def test_factors_that_lose_weights(tmp_path: Path, factor: float) -> None:
    """The second convolution reads the array that the first one has multiplied by its norm's factors."""
    out, weight = mx.sym.Variable("data"), mx.sym.Variable("weight")
    for name in ("first", "second"):
        out = mx.sym.Convolution(out, weight=weight, num_filter=64, kernel=(1, 1), no_bias=True, name=name)
        out = mx.sym.clip(mx.sym.BatchNorm(out, fix_gamma=False, name=f"{name}_norm"), 0, 6)
    shape = (1, 64, 9, 9)
    named = parameters(out, shape)
    gamma = named["arg:first_norm_gamma"].asnumpy()
    gamma[::2] = factor
    named["arg:first_norm_gamma"] = mx.nd.array(gamma)
    data = image(shape)
    predictor = Predictors(out.tojson(), saved(tmp_path, named), shape)
    args = {key[4:]: value for key, value in named.items() if key.startswith("arg:")}
    aux = {key[4:]: value for key, value in named.items() if key.startswith("aux:")}
    bound = out.bind(mx.cpu(), {**args, "data": mx.nd.array(data)}, aux_states=aux, grad_req="null")
    want = bound.forward()[0].asnumpy().reshape(-1)
    for _ in range(2):
        np.testing.assert_allclose(predictor.predict(data).reshape(-1), want, rtol=1e-5, atol=1e-5)
    predictor.free()


def test_memory_of_others_is_read_anew() -> None:
    source = np.full((4, 4, 1, 1), 0.5, np.float32)
    data = mx.nd.ones((1, 4, 5, 5))
    net = mx.sym.Convolution(mx.sym.Variable("data"), num_filter=4, kernel=(1, 1), no_bias=True, name="conv")
    weight = mx.nd.from_dlpack(source)
    bound = net.bind(mx.cpu(), {"data": data, "conv_weight": weight}, grad_req="null")
    assert (bound.forward()[0].asnumpy() == 2).all()
    source[:] = 5
    assert (bound.forward()[0].asnumpy() == 20).all()


def test_weights_are_in_memory_once(tmp_path: Path) -> None:
    net, shape = big_network(), (1, WIDTH, 4, 4)
    params = saved(tmp_path, parameters(net, shape))
    size = len(params) / 2**20
    Predictors(net.tojson(), params, shape).predict(image(shape))  # what any first run takes
    before = megabytes()
    one = Predictors(net.tojson(), params, shape)
    want = one.predict(image(shape))
    assert megabytes() - before < 1.7 * size  # twice is what must not be
    several = Predictors(net.tojson(), params, shape, threads=4)
    for index in range(4):
        np.testing.assert_array_equal(several.predict(image(shape), index), want)
    reshaped = several.reshaped((2, WIDTH, 6, 6))
    reshaped.predict(image((2, WIDTH, 6, 6)))
    assert megabytes() - before < 2.5 * size
    one.free()
    several.free()
    reshaped.free()


@pytest.mark.parametrize("form", ["float16", "int8"])
def test_packed_weights_are_in_memory_once(tmp_path: Path, form: str) -> None:
    net, shape = big_network(), (1, WIDTH, 4, 4)
    named = parameters(net, shape)
    args = {name[4:]: value for name, value in named.items() if name.startswith("arg:")}
    aux = {name[4:]: value for name, value in named.items() if name.startswith("aux:")}
    path = tmp_path / "net.mxg"
    mx.model.save_packed(path, net, args, aux, mx.model.InputFormat("data", shape), weights=form)
    size = len(saved(tmp_path, named)) / 2**20
    del named, args, aux
    predictor = Predictors(None, path.read_bytes(), shape)
    want = predictor.predict(image(shape))
    before = megabytes()
    loaded = mx.model.load_packed(path)
    executor = loaded.bind()
    np.testing.assert_array_equal(executor.forward(data=mx.nd.array(image(shape)))[0].asnumpy(), want)
    assert megabytes() - before < 1.7 * size  # twice is what must not be
    weight = loaded.arg_params["layer0_weight"].asnumpy()  # those of the file, to the bit
    np.testing.assert_array_equal(weight, mx.model.load_packed(path).arg_params["layer0_weight"].asnumpy())
    predictor.free()


def test_executors_of_the_same_arrays_share_and_notice_writes() -> None:
    net, shape = big_network(), (1, WIDTH, 4, 4)
    named = parameters(net, shape)
    args = {name[4:]: value for name, value in named.items() if name.startswith("arg:")}
    aux = {name[4:]: value for name, value in named.items() if name.startswith("aux:")}
    args["data"] = mx.nd.array(image(shape))
    size = sum(value.size for value in args.values()) / 2**18
    mx.nd.waitall()

    def bound() -> Any:
        return net.bind(mx.cpu(), args, aux_states=aux, grad_req="null")

    first = bound()
    want = first.forward()[0].asnumpy()
    before = megabytes()
    others = [bound() for _ in range(3)]
    for other in others:
        np.testing.assert_array_equal(other.forward()[0].asnumpy(), want)
    assert megabytes() - before < 0.5 * size
    args["layer1_weight"][:] = args["layer1_weight"] * -1
    changed = first.forward()[0].asnumpy()
    assert np.abs(changed - want).max() > 1e-3
    for other in others:
        np.testing.assert_array_equal(other.forward()[0].asnumpy(), changed)
