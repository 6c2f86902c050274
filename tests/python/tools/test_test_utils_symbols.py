"""mx.test_utils on symbols: outputs, gradients and consistency right and wrong; downloads and digits."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

tu = mx.test_utils


def layer() -> mx.sym.Symbol:
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn")
    return mx.sym.tanh(net, name="out")


def location() -> dict[str, Any]:
    rng = np.random.RandomState(3)
    net = layer()
    shapes, _, _ = net.infer_shape(data=(4, 5))
    return {name: rng.uniform(0.2, 1, shape) for name, shape in zip(net.list_arguments(), shapes)}


@pytest.mark.parametrize("request_", ["write", "add"])
def test_numeric_gradient(request_: str) -> None:
    where = location()
    tu.check_numeric_gradient(layer(), where, numeric_eps=1e-3, rtol=2e-2, atol=2e-3)
    nodes = {"data": request_, "fc_weight": request_}
    tu.check_numeric_gradient(layer(), where, None, 1e-3, 2e-2, 2e-3, nodes)
    tu.check_numeric_gradient(
        layer(), list(where.values()), [np.zeros(3), np.ones(3)], 1e-3, 2e-2, 2e-3, ["fc_bias"]
    )
    x = mx.sym.var("x")
    wrong = mx.sym.BlockGrad(x) + x * x  # finite differences also see what is blocked
    with pytest.raises(AssertionError, match="gradient of 'x'"):
        tu.check_numeric_gradient(wrong, [np.array([1.0, 2.0])])


def test_forward_and_backward() -> None:
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = mx.sym.Group([a * b, a + b])
    one, two = np.array([[1.0, 2.0]]), np.array([[3.0, 5.0]])
    outputs = tu.check_symbolic_forward(net, [one, two], [one * two, one + two])
    assert len(outputs) == 2
    tu.check_symbolic_forward(net, {"b": two, "a": one}, {net.list_outputs()[1]: one + two})
    with pytest.raises(AssertionError, match="expected"):
        tu.check_symbolic_forward(net, [one, two], [one * two, one * two])
    heads = [np.array([[2.0, 3.0]]), np.array([[1.0, 1.0]])]
    expected = {"a": heads[0] * two + heads[1], "b": heads[0] * one + heads[1]}
    found = tu.check_symbolic_backward(net, [one, two], heads, expected)
    assert sorted(found) == ["a", "b"]
    tu.check_symbolic_backward(net, [one, two], heads, expected, grad_req="add")
    tu.check_symbolic_backward(net, [one, two], heads, expected, grad_req={"a": "add", "b": "null"})
    tu.check_symbolic_backward(net, [one, two], heads, list(expected.values()), grad_req=["write", "write"])
    tu.check_symbolic_backward(net, [one, two], None, {"a": two + 1})
    for changed in ("a", "b"):
        with pytest.raises(AssertionError, match=f"gradient of '{changed}'"):
            tu.check_symbolic_backward(net, [one, two], heads, {**expected, changed: one})


def test_states() -> None:
    net = mx.sym.BatchNorm(mx.sym.var("x"), name="bn", eps=0.0, fix_gamma=False)
    given = {"x": np.array([[4.0]]), "bn_gamma": np.array([3.0]), "bn_beta": np.array([1.0])}
    states = {"bn_moving_mean": np.array([2.0]), "bn_moving_var": np.array([4.0])}
    tu.check_symbolic_forward(net, given, [np.array([[4.0]])], aux_states=states)
    tu.check_symbolic_forward(net, given, [np.array([[13.0]])])  # mean 0 and variance 1


def test_refused() -> None:
    net = mx.sym.var("a") * mx.sym.var("b")
    one = np.ones((1,))
    for call, message in (
        (lambda: tu.check_symbolic_forward(net, {"a": one}, [one]), "location has no 'b'"),
        (lambda: tu.check_symbolic_forward(net, {"c": one}, [one]), "there is no 'c'"),
        (lambda: tu.check_symbolic_forward(net, [one], [one]), r"1 values for \['a', 'b'\]"),
        (lambda: tu.check_symbolic_backward(net, [one] * 2, [one], []), r"0 values for \['a', 'b'\]"),
        (lambda: tu.check_symbolic_backward(net, [one] * 2, [one], [one] * 2, grad_stypes="csr"), "two axes"),
        (
            lambda: tu.check_symbolic_backward(net, [one] * 2, [one], [one] * 2, grad_stypes=["csr"]),
            "1 entries",
        ),
        (lambda: tu.check_numeric_gradient(lambda x: x, [one], aux_states=[one]), "belong to symbols"),
        (lambda: tu.check_numeric_gradient(net, [one] * 2, grad_stype_dict={"a": "ragged"}), "'ragged'"),
        (lambda: tu.check_consistency(lambda x: x, [{}]), "needs location"),
        (lambda: tu.check_consistency([net], [{}, {}]), "1 symbols for 2 entries"),
        (lambda: tu.check_speed(net, typ="half", a=(1,), b=(1,)), "'whole' or 'forward'"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    with pytest.raises(TypeError, match="a symbol or a function"):
        tu.check_numeric_gradient(3, [one])  # type: ignore[arg-type]


def test_consistency(capsys: pytest.CaptureFixture[str]) -> None:
    net = mx.sym.Convolution(mx.sym.var("data"), num_filter=2, kernel=(3, 3), name="conv")
    entries = [
        {"ctx": mx.cpu(0), "conv_data": (1, 2, 5, 5), "type_dict": {"conv_data": kind}}
        for kind in ("float64", "float32", "float16")
    ]
    for entry in entries:
        entry["data"] = entry.pop("conv_data")
        entry["type_dict"] = {"data": entry["type_dict"]["conv_data"]}  # type: ignore[index]
    truth = tu.check_consistency(net, entries)
    assert truth["conv_output"].dtype == np.float64 and "grad_conv_weight" in truth
    assert "grad_data" not in tu.check_consistency(net, entries, grad_req="null", scale=0.1, use_uniform=True)
    data = np.full((1, 2, 5, 5), 0.5)
    given = tu.check_consistency(
        net, entries[:1], arg_params={"data": data, "conv_weight": np.ones((2, 2, 3, 3))}
    )
    again = tu.check_consistency(
        net, entries[:2], arg_params={"data": data, "conv_weight": np.ones((2, 2, 3, 3))}, grad_req="null"
    )
    assert given["conv_output"].shape == again["conv_output"].shape
    other = mx.sym.Convolution(mx.sym.var("data"), num_filter=2, kernel=(3, 3), name="conv") * 2
    twice = mx.sym.identity(other, name="conv")
    plain = mx.sym.identity(net * 1, name="conv")
    with pytest.raises(AssertionError, match="truth"):
        tu.check_consistency([plain, twice], entries[:2])
    tu.check_consistency([plain, twice], entries[:2], raise_on_err=False)
    assert "truth" in capsys.readouterr().out


def test_small_helpers() -> None:
    x = mx.sym.var("x")
    net = mx.sym.Group([mx.sym.exp(x), x * 2])
    first, second = tu.simple_forward(net, x=np.array([0.0, 1.0]))
    np.testing.assert_allclose(first, np.exp([0, 1]), rtol=1e-6)
    np.testing.assert_array_equal(second, [0, 2])
    assert tu.same_symbol_structure(layer(), layer())
    assert not tu.same_symbol_structure(layer(), net)
    assert tu.check_speed(net, N=2, x=(3,)) > 0
    assert tu.check_speed(net, {"x": np.ones((3,))}, N=2, typ="forward") > 0


def test_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "page" / "some file.txt"
    source.parent.mkdir()
    source.write_text("first")
    monkeypatch.chdir(tmp_path)
    path = tu.download(source.as_uri())
    assert path == "some file.txt" and Path(path).read_text() == "first"
    source.write_text("second")
    assert Path(tu.download(source.as_uri())).read_text() == "first"  # it is there
    assert Path(tu.download(source.as_uri(), overwrite=True)).read_text() == "second"
    with pytest.raises(OSError, match="cannot fetch"):
        tu.download((tmp_path / "nothing").as_uri(), "x", retries=2)
    assert not Path("x").exists()


def test_digits_that_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.RandomState(0)
    images, labels = rng.randint(0, 256, (20, 28, 28), dtype=np.uint8), rng.randint(0, 10, 20, dtype=np.uint8)
    for kind in ("train", "t10k"):
        header = bytes([0, 0, 8, 3, 0, 0, 0, 20, 0, 0, 0, 28, 0, 0, 0, 28])
        (tmp_path / f"{kind}-images-idx3-ubyte.gz").write_bytes(gzip.compress(header + images.tobytes()))
        label_bytes = bytes([0, 0, 8, 1, 0, 0, 0, 20]) + labels.tobytes()
        (tmp_path / f"{kind}-labels-idx1-ubyte.gz").write_bytes(gzip.compress(label_bytes))
    digits = tu.get_mnist(str(tmp_path))
    assert digits["train_data"].shape == (20, 1, 28, 28) and digits["train_data"].dtype == np.float32
    np.testing.assert_array_equal(digits["test_label"], labels)
    np.testing.assert_allclose(digits["test_data"][:, 0] * 255, images, rtol=1e-5)
    train, test = tu.get_mnist_iterator(5, (1, 28, 28), path=str(tmp_path))
    assert train.next().data[0].shape == (5, 1, 28, 28)
    np.testing.assert_array_equal(test.next().label[0].asnumpy(), labels[:5])
    assert tu.get_mnist_iterator(5, (784,), path=str(tmp_path))[0].next().data[0].shape == (5, 784)
    missing = tmp_path / "elsewhere"
    monkeypatch.setenv("MXNET_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tu.data, "download", None)  # nothing is fetched
    for read in (tu.get_mnist, tu.get_mnist_ubyte, lambda path: tu.get_mnist_iterator(5, (784,), path=path)):
        with pytest.raises(
            mx.base.MissingFileError, match=r"train-images-idx3-ubyte, .* neither in .*elsewhere"
        ):
            read(str(missing))
    assert not missing.exists()
    (tmp_path / "home" / "datasets").mkdir(parents=True)
    (tmp_path / "home" / "datasets" / "mnist").symlink_to(tmp_path)
    np.testing.assert_array_equal(tu.get_mnist(str(missing))["test_label"], labels)
    tu.get_mnist_ubyte(str(missing))
    assert len(list(missing.iterdir())) == 4


def test_numeric_gradient_of_an_executor() -> None:
    net = mx.sym.Group([mx.sym.var("a") ** 2, mx.sym.var("b") * 3])
    exe = net.simple_bind(mx.cpu(), a=(2,), b=(3,))
    found = tu.numeric_grad(exe, {"a": np.array([1.0, -2.0]), "b": np.ones(3)}, eps=1e-3)
    np.testing.assert_allclose(found["a"], [2, -4], rtol=1e-2)
    np.testing.assert_allclose(found["b"], [3, 3, 3], rtol=1e-2)


def test_arguments_in_the_order_of_mxnet() -> None:
    sgd = mx.optimizer.SGD
    tu.compare_optimizer(sgd(), sgd(), [(2,), (3,)], "float32", "default", "default", 1e-4, 1e-5, True, 2)
    tu.compare_optimizer(sgd(), sgd(), (4, 3), "float32", "row_sparse", "row_sparse")
    with pytest.raises(ValueError, match="'ragged'"):
        tu.compare_optimizer(sgd(), sgd(), (2,), "float32", w_stype="ragged")
    with pytest.raises(ValueError, match="ntensors is 3"):
        tu.compare_optimizer(sgd(), sgd(), [(2,), (3,)], "float32", ntensors=3)
    assert tu.rand_ndarray((2, 3), "default", None, "float64").dtype == np.float64
