"""Names that scripts import: mx.base, util, rtc, libinfo, executor_manager, nd.CachedOp and others."""

from __future__ import annotations

import ctypes
import os
import pickle
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import base


def test_tuples_of_types() -> None:
    assert isinstance(3, base.integer_types) and isinstance(np.int64(3), base.integer_types)
    assert isinstance(np.float16(3), base.numeric_types) and not isinstance("3", base.numeric_types)
    assert isinstance("x", base.string_types) and base.mx_real_t is np.float32
    assert base._as_list(3) == [3] and base._as_list((1, 2)) == (1, 2)


def test_values_of_c() -> None:
    assert base.py_str(base.c_str("é").value) == "é"
    assert list(base.c_array(base.mx_uint, [1, 2])) == [1, 2]
    assert [bytes(one) for one in base.c_str_array(["a", "b"])] == [b"a", b"b"]
    numbers = (base.mx_float * 4)(1, 2, 3, 4)
    pointer = ctypes.cast(numbers, base.mx_float_p)
    shared = base.ctypes2numpy_shared(pointer, (2, 2))
    numbers[3] = 7
    assert shared.tolist() == [[1, 2], [3, 7]]
    text = ctypes.cast(ctypes.c_char_p(b"abc"), ctypes.POINTER(ctypes.c_char))
    assert base.ctypes2buffer(text, 3) == b"abc"


def test_there_is_no_library_of_mxnet() -> None:
    with pytest.raises(mx.MXNetError, match="MXNet's C library is not there"):
        base._LIB.MXGetVersion()
    assert not hasattr(base._LIB, "MXGetVersion")
    base.check_call(0)
    with pytest.raises(mx.MXNetError, match="expected 0"):
        base.check_call(-1)


def test_errors_by_name() -> None:
    assert isinstance(base.c2pyerror("ValueError: x"), ValueError)
    assert type(base.c2pyerror("a: b")) is mx.MXNetError

    @mx.error.register
    class ThatError(mx.MXNetError):
        pass

    assert type(base.c2pyerror("ThatError: x")) is ThatError
    error = base.NotImplementedForSymbol(mx.nd.NDArray.asnumpy, "x", 1)
    assert "asnumpy" in str(error) and isinstance(error, NotImplementedError)
    assert "asnumpy" in str(pickle.loads(pickle.dumps(base.NotImplementedForSymbol("asnumpy"))))


def test_folder_of_data() -> None:
    with mx.test_utils.environment("MXNET_HOME", None):
        assert base.data_dir() == base.data_dir_default() == os.path.join(os.path.expanduser("~"), ".mxnet")
    with mx.test_utils.environment("MXNET_HOME", "/x"):
        assert base.data_dir() == "/x"


def test_class_properties_can_be_set() -> None:
    class Net(metaclass=base._MXClassPropertyMetaClass):
        value = 1

        @base.classproperty
        def twice(cls) -> int:
            return 2 * cls.value

        @twice.setter
        def twice(cls, new: int) -> None:
            cls.value = new // 2

    Net.twice = 8
    assert (Net.value, Net.twice, Net().twice) == (4, 8, 8)

    class Meta(type):
        pass

    class Made(base.with_metaclass(Meta, dict)):  # type: ignore[misc]
        pass

    assert type(Made) is Meta and issubclass(Made, dict)


def test_docstrings_get_places() -> None:
    module: Any = type(sys)("module")
    exec("def f():\n    'Text.'\n", module.__dict__)
    module.f.__module__ = "module"
    base.add_fileline_to_docstring(module)
    assert module.f.__doc__.startswith("Text.\n\nFrom:")


def test_semantics_belong_to_threads() -> None:
    seen = []
    with mx.np_shape():
        thread = threading.Thread(target=lambda: seen.append(mx.is_np_shape()))
        thread.start()
        thread.join()
        assert mx.is_np_shape()
        with mx.np_shape(False):
            assert not mx.is_np_shape()
    assert seen == [False] and not mx.is_np_shape()
    mx.util.set_np()
    try:
        assert mx.is_np_array() and mx.is_np_shape()
        with pytest.raises(ValueError, match="reset_np"):
            mx.set_np_shape(False)
    finally:
        mx.util.reset_np()
    with pytest.raises(ValueError, match="need shapes of NumPy"):
        mx.util.set_np(shape=False)
    assert not mx.set_np_shape(True) and mx.set_np_shape(False)


def test_functions_and_classes_in_semantics() -> None:
    @mx.use_np_shape
    class Net:
        def __init__(self) -> None:
            self.made = mx.is_np_shape()

        @property
        def seen(self) -> bool:
            return mx.is_np_shape()

        @staticmethod
        def static() -> bool:
            return mx.is_np_shape()

        @classmethod
        def of_class(cls) -> bool:
            return mx.is_np_shape()

    assert Net().made and Net().seen and Net.static() and Net.of_class()
    assert mx.use_np(lambda: mx.is_np_array() and mx.is_np_shape())()
    assert not mx.is_np_shape() and not mx.is_np_array()
    with pytest.raises(TypeError, match="expected a function or a class"):
        mx.use_np_shape(3)


def test_shapes_that_do_not_follow() -> None:
    product = mx.sym.dot(mx.sym.var("x"), mx.sym.var("y"))
    assert product.infer_shape_partial(x=(0, 3, 4), y=(4, 5))[1] == [(0, 3, 5)]
    with mx.np_shape():
        assert product.infer_shape_partial(x=(-1, 3, 4), y=(4, 5))[1] == [(-1, 3, 5)]
        assert product.infer_shape_partial()[1] == [None]
        assert product.infer_shape(x=(0, 3, 4), y=(4, 5))[1] == [(0, 3, 5)]
        with pytest.warns(UserWarning, match="do not follow"):
            assert product.infer_shape(x=(-1, 3, 4), y=(4, 5)) == (None, None, None)
        assert '"is_np_shape"' in product.tojson()
        assert mx.sym.load_json(product.tojson()).list_arguments() == ["x", "y"]
    assert '"is_np_shape"' not in product.tojson()


def test_small_functions_of_util(tmp_path: Path) -> None:
    mx.util.makedirs(tmp_path / "a" / "b")
    mx.util.makedirs(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    mx.util.setenv("MIXGRAD_TEST_NAME", "1")
    assert mx.util.getenv("MIXGRAD_TEST_NAME") == os.environ["MIXGRAD_TEST_NAME"] == "1"
    mx.util.setenv("MIXGRAD_TEST_NAME", None)
    assert mx.util.getenv("MIXGRAD_TEST_NAME") is None
    assert mx.util.get_gpu_count() == mx.num_gpus()
    with pytest.raises(ValueError, match="expected a GPU"):
        mx.util.get_cuda_compute_capability(mx.cpu())
    relu = mx.util.wrap_np_unary_func(mx.nd.relu)
    assert relu(mx.nd.array([-1]), casting="same_kind").asscalar() == 0
    for wrong, error in (
        ({"casting": "no"}, NotImplementedError),
        ({"casting": "x"}, TypeError),
        ({"x": 1}, TypeError),
    ):
        with pytest.raises(error):
            relu(mx.nd.ones((1,)), **wrong)


def test_kernels_as_text_are_refused() -> None:
    with pytest.raises(mx.base.UnsupportedError, match="does not run kernels given as text"):
        mx.rtc.CudaModule("__global__ void f() {}")


def test_places_of_the_library() -> None:
    assert os.path.isfile(mx.libinfo.find_lib_path()[0]) and os.path.isdir(mx.libinfo.find_include_path())
    assert mx.libinfo.__version__ == mx.__version__
    for refused in (lambda: mx.libinfo.find_lib_path("libx"), mx.libinfo.find_conf_path):
        with pytest.raises(FileNotFoundError):
            refused()


def test_scopes_can_be_replaced() -> None:
    before = mx.name.NameManager.current
    mx.name.NameManager.current = mx.name.Prefix("net_")
    try:
        assert mx.sym.relu(mx.sym.var("x")).name == "net_relu0"
    finally:
        mx.name.NameManager.current = before
    with pytest.raises(TypeError, match="expected AttrScope"):
        mx.AttrScope.current = 3


def test_executor_manager_trains() -> None:
    points = np.random.RandomState(0).randn(40, 2)
    data = mx.io.NDArrayIter(points, points[:, 0] > 0, batch_size=10)
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    names = ["fc_weight", "fc_bias"]
    manager = mx.executor_manager.DataParallelExecutorManager(
        net, [mx.cpu(0), mx.cpu(1)], data, net.list_arguments(), names, []
    )
    with pytest.raises(RuntimeError, match="load_data_batch"):
        manager.forward()
    weights = {"fc_weight": mx.nd.zeros((2, 2)), "fc_bias": mx.nd.zeros((2,))}
    manager.set_params(weights, {})
    metric = mx.metric.create("acc")
    for _ in range(3):
        data.reset()
        metric.reset()
        for batch in data:
            manager.load_data_batch(batch)
            manager.forward(is_train=True)
            manager.backward()
            for arrays, gradients in zip(manager.param_arrays, manager.grad_arrays):
                total = gradients[0] + gradients[1].as_in_context(mx.cpu(0))
                for array in arrays:
                    array -= 0.1 * total.as_in_context(array.context)
            manager.update_metric(metric, batch.label)
    assert metric.get()[1] > 0.9
    manager.copy_to(weights, {})
    assert abs(weights["fc_weight"].asnumpy()).max() > 0


def test_cached_op() -> None:
    net = mx.sym.BatchNorm(
        mx.sym.Convolution(mx.sym.var("x"), kernel=(3, 3), num_filter=2, name="c"), name="bn"
    )
    both = mx.sym.Group([net + 1, mx.sym.split(net, num_outputs=2)[1]])
    shapes = dict(zip(both.list_arguments(), both.infer_shape(x=(2, 3, 5, 5))[0]))
    states = {"bn_moving_mean": mx.nd.zeros((2,)), "bn_moving_var": mx.nd.ones((2,))}
    arrays = {name: mx.nd.random.normal(shape=shape) for name, shape in shapes.items()}
    op = mx.nd.CachedOp(both, flags=[("static_alloc", True)])
    inputs = [{**arrays, **states}[name] for name in both.list_inputs()]
    wanted = both.bind(mx.cpu(), arrays, aux_states=states).forward()
    for found, right in zip(op(*inputs), wanted):
        np.testing.assert_allclose(found.asnumpy(), right.asnumpy(), rtol=1e-5, atol=1e-6)
    arrays["c_weight"].attach_grad()
    with mx.autograd.record():
        total = op(*inputs)[0].sum()
    total.backward()
    assert np.isfinite(arrays["c_weight"].grad.asnumpy()).all()
    assert abs(states["bn_moving_mean"].asnumpy()).max() > 0


def test_cached_op_of_one_output() -> None:
    op = mx.nd.CachedOp(mx.sym.var("a") + 1)
    out = mx.nd.zeros((2,))
    assert op(mx.nd.ones((2,)), out=out) is out and out.asnumpy().tolist() == [2, 2]
    seen: list[tuple[str, str]] = []
    op._register_op_hook(lambda name, kind, array: seen.append((name, kind)), True)
    op(mx.nd.ones((3,)))
    op._register_op_hook(None)
    assert [kind for _, kind in seen] == ["_plus_scalar"] * 2
    for wrong, message in (
        (op, "got 0 arrays; expected 1: a"),
        (lambda: op(3), "a is int; expected NDArray"),
        (lambda: op(mx.nd.ones((2,)), out=[out, out]), "out has 2 arrays"),
        (lambda: mx.nd.CachedOp(3), "sym is int"),
    ):
        with pytest.raises((mx.MXNetError, TypeError), match=message):
            wrong()


def test_random_numbers_are_verified() -> None:
    pytest.importorskip("scipy")
    tools = mx.test_utils
    buckets, probs = tools.gen_buckets_probs_with_ppf(lambda share: share, 4)
    tools.verify_generator(lambda n: np.random.RandomState(n).uniform(size=n), buckets, probs, 10000, 1)
    tools.verify_generator(lambda n: np.arange(n) % 2, [0, 1], [0.5, 0.5], 10000, 1)
    with pytest.raises(AssertionError, match="p values"):
        tools.verify_generator(np.zeros, buckets, probs, 1000, 2)


def test_matrices_have_their_eigenvalues() -> None:
    tools = mx.test_utils
    assert abs(np.linalg.eigvals(tools.new_matrix_with_real_eigvals_nd((2, 3, 3))).imag).max() < 1e-9
    symmetric = tools.new_sym_matrix_with_real_eigvals_nd((2, 4, 4))
    np.testing.assert_allclose(symmetric, symmetric.transpose(0, 2, 1), atol=1e-9)
    q = tools.new_orthonormal_matrix_2d(3)
    np.testing.assert_allclose(q @ q.T, np.eye(3), atol=1e-9)


def test_old_downloads_say_that_their_server_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tools = mx.test_utils
    for call in (
        tools.get_cifar10,
        tools.get_mnist_pkl,
        lambda: tools.download_model("imagenet1k-resnet-18"),
    ):
        with pytest.raises(FileNotFoundError, match="gone"):
            call()


def test_star_imports_give_what_scripts_use() -> None:
    names: dict[str, Any] = {}
    exec("from mixgrad.test_utils import *", names)
    assert names["mx"] is mx and names["np"] is np and names["nd"] is mx.nd and names["os"] is os


def test_operators_and_their_arguments_are_listed() -> None:
    names = mx.operator.get_all_registered_operators()
    assert len(names) == len(set(names)) and {"Convolution", "concat", "Concat"} <= set(names)
    found = mx.operator.get_operator_arguments("FullyConnected")
    assert found.names[:4] == ["data", "weight", "bias", "num_hidden"]
    assert found.types[0] == "NDArray-or-Symbol" and found.types[3].endswith("required")
    assert found.narg == len(found.names) == len(found.types)
    assert mx.operator.get_operator_arguments("add_n")[:2] == (1, ["args"])
    assert found.types[3:] == [
        "int, required",
        "boolean, optional, default=0",
        "boolean, optional, default=1",
    ]
    found = mx.operator.get_operator_arguments("Activation")
    assert found == mx.operator.OperatorArguments(
        2,
        ["data", "act_type"],
        ["NDArray-or-Symbol", "{'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}, required"],
    )
    found = mx.operator.get_operator_arguments("Concat")
    assert found.names == ["data", "num_args", "dim"]
    assert found.types == ["NDArray-or-Symbol[]", "int, required", "int, optional, default='1'"]
    found = mx.operator.get_operator_arguments("Dropout")
    assert found.types[1:4] == [
        "float, optional, default=0.5",
        "{'always', 'training'},optional, default='training'",
        "Shape(tuple), optional, default=[]",
    ]
    with pytest.raises(mx.MXNetError, match=r"no operator is called 'FullyConected'.*FullyConnected"):
        mx.operator.get_operator_arguments("FullyConected")
