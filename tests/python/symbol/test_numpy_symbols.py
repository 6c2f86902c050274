"""A network of MXNet 1.9.1 with operators of NumPy's namespace: loaded, run, differentiated, written."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import mixgrad as mx

FILE = Path(__file__).resolve().parents[2] / "data" / "numpy" / "network-symbol.json"
X = (np.arange(6).reshape(2, 3) / 3 - 0.5).astype("float32")
W = (np.arange(12).reshape(3, 4) / 10 - 0.5).astype("float32")
ANSWER = 79.666267  # MXNet's


def network(x: np.ndarray, w: np.ndarray) -> float:
    """What the file says, in NumPy."""
    y = np.maximum(x @ w, 0) + 1
    z = np.concatenate([y, np.exp(-y)], -1)
    z = np.where(z > 1, z, np.sqrt(np.abs(z)))
    z = (z - z.mean(1, keepdims=True)) / np.sqrt(z.var(1, keepdims=True) + 1e-3)
    z = np.pad(np.einsum("ij,ij->i", z, z).reshape(1, -1), ((0, 0), (1, 1)))
    return float(np.clip(z, -5, 5).sum() * np.max(z))


def run(net: mx.Symbol) -> tuple[mx.nd.NDArray, dict[str, mx.nd.NDArray]]:
    executor = net.bind(
        mx.cpu(),
        {"data": mx.nd.array(X), "net0_w": mx.nd.array(W)},
        {"data": mx.nd.zeros((2, 3)), "net0_w": mx.nd.zeros((3, 4))},
    )
    (out,) = executor.forward(is_train=True)
    executor.backward([mx.nd.ones(out.shape)])
    return out, executor.grad_dict


def test_loads_and_runs() -> None:
    net = mx.sym.load(str(FILE))
    assert net.list_arguments() == ["data", "net0_w"]
    with mx.np_shape():
        assert net.infer_shape(data=(2, 3))[1] == [()]
    out, gradients = run(net)
    assert out.shape == ()
    np.testing.assert_allclose(out.asnumpy(), ANSWER, rtol=1e-5)
    np.testing.assert_allclose(network(X, W), ANSWER, rtol=1e-5)
    for name, which in (("data", 0), ("net0_w", 1)):
        got = gradients[name].asnumpy()
        for place in np.ndindex(got.shape):
            ends = []
            for step in (1e-5, -1e-5):
                inputs = [X.astype("float64"), W.astype("float64")]
                inputs[which][place] += step
                ends.append(network(*inputs))
            np.testing.assert_allclose(got[place], (ends[0] - ends[1]) / 2e-5, rtol=2e-3, atol=2e-2)


def test_written_again() -> None:
    net = mx.sym.load(str(FILE))
    with mx.np_shape():
        again = mx.sym.load_json(net.tojson())
    np.testing.assert_array_equal(run(again)[0].asnumpy(), run(net)[0].asnumpy())


def test_symbols_by_name() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = mx.sym._internal._npi_add(a, mx.sym._internal._npi_normal(loc=0.0, scale=0.0, size=(2,)))
    net = mx.sym._internal._np_sum(mx.sym._internal._npi_multiply(net, b))
    (out,) = net.eval(a=mx.nd.array([1, 2]), b=mx.nd.array([3, 4], dtype="int32"))
    assert out.shape == () and out.dtype == np.float32 and out.asscalar() == 11
