"""What users of NumPy, MXNet and PyTorch write: it works, or the error names what to write here."""

from __future__ import annotations

import builtins
import fractions  # noqa: F401 - the table of what works names it
import inspect
import logging
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _hints, _words

a = mx.nd.array([[1, 2], [3, 4]])
one = mx.nd.array([3.14159])
whole = mx.nd.array([2, 3], dtype="int32")
x = np.ones((2, 2), dtype=np.float32)
s = mx.sym.var("s")


def network() -> mx.sym.Symbol:
    return mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax"
    )


def points(count: int = 300) -> tuple[np.ndarray, np.ndarray]:
    data = np.random.default_rng(0).standard_normal((count, 4)).astype("float32")
    return data, (data[:, 0] > 0).astype("float32")


class Masked(mx.optimizer.SGD):
    """An option that is an array, whose comparison is an array."""

    def __init__(self, mask: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.mask = mask


net = network()

# What is written, the error, and what its message must say.
REFUSED = """
mx.nd.Relu | AttributeError | mx.nd has no 'Relu'; nearest: relu
mx.nd.fully_connected | AttributeError | nearest: FullyConnected
mx.nd.op.Relu | AttributeError | nearest: relu
mx.nd.cat | AttributeError | use concat
mx.nd.tensor | AttributeError | use array
mx.nd.linalg.gem2 | AttributeError | mx.nd.linalg .*nearest: gemm2
mx.nd.contrib.box_mns | AttributeError | mx.nd.contrib has no 'box_mns'
mx.nd.random.nromal | AttributeError | nearest: normal
mx.random.manual_seed | AttributeError | mx.random.seed
mx.sym.Fullyconnected | AttributeError | mx.sym has no .*nearest: FullyConnected
mx.sym.linalg.gem2 | AttributeError | nearest: gemm2
mx.sym.random.nromal | AttributeError | nearest: normal
mx.sym.relu(s).Tanh | AttributeError | nearest: tanh
s.list_argument() | AttributeError | nearest: list_arguments
s.shape | AttributeError | infer_shape
mx.optimizer.Adamm | AttributeError | mx.optimizer has no 'Adamm'; nearest: Adam
mx.optimizer.create('addam') | ValueError | unknown optimizer 'addam'; nearest: adam
mx.optimizer.SGD(momentun=0.9) | TypeError | [SGD] .*'momentun'; nearest: momentum
mx.optimizer.create('adam', lr=0.1) | TypeError | [Adam] .*'lr': it is learning_rate
mx.metric.create('acuracy') | ValueError | 'acuracy'; nearest: accuracy
mx.metric.Acuracy | AttributeError | mx.metric has no .*nearest: Accuracy
mx.init.create('xavierr') | ValueError | 'xavierr'; nearest: xavier
mx.init.Xaviar | AttributeError | mx.init has no .*nearest: Xavier
mx.io.NDarrayIter | AttributeError | nearest: NDArrayIter
mx.io.CSVIter(data_cvs='x', data_shape=(1,), batch_size=1, data_csv='x') | TypeError | nearest: data_csv
mx.mod.Modul | AttributeError | mx.mod has no 'Modul'; nearest: Module
mx.lr_scheduler.StepLR | AttributeError | FactorScheduler
mx.callback.Speedmeter | AttributeError | nearest: Speedometer
mx.viz.plot_networks | AttributeError | nearest: plot_network
mx.simbol | AttributeError | mx has no 'simbol'; nearest: .*symbol
mx.zeros | AttributeError | mx.nd.zeros
mx.tensor | AttributeError | mx.nd.array
mx.nd.zeros(2, 3) | TypeError | extents come as one shape: \\(2, 3\\)
mx.nd.empty(2, 3) | TypeError | extents come as one shape: \\(2, 3\\)
mx.nd.FullyConnected(a, a, num_hiden=2) | TypeError | [FullyConnected] .*'num_hiden'; nearest: num_hidden
mx.sym.FullyConnected(s, num_hiden=2) | ValueError | nearest: num_hidden
a.sum(dim=1) | TypeError | [sum] .*'dim': it is axis here
mx.nd.sum(a, dim=1) | TypeError | [sum] .*'dim': it is axis here
mx.nd.mean(a, axis=1, keepdim=True) | TypeError | [mean] .*'keepdim': it is keepdims here
mx.nd.concat(a, a, axis=0) | TypeError | 'axis': it is dim here
mx.sym.Dropout(s, rate=0.5) | ValueError | [Dropout] .*'rate': it is p here
mx.sym.sum(s, dim=1) | ValueError | [sum] .*'dim': it is axis here
mx.nd.random.normal(mean=0) | TypeError | [random.normal] .*'mean': it is loc
mx.nd.random.uniform(mean=0) | TypeError | 'mean'; it takes low, high, shape
mx.nd.random.poisson(mu=1) | TypeError | 'mu': it is lam$
mx.nd.random.exponential(rate=1) | TypeError | it takes scale, shape, dtype, ctx, out$
mx.optimizer.SGD(eps=1) | TypeError | 'eps'; it takes momentum
mx.optimizer.Adam(betas=(0, 0)) | TypeError | 'betas': they are beta1 and beta2$
mx.metric.create('acc', k=3) | TypeError | [Accuracy] .*'k'; it takes axis
mx.nd.topk(a, descending=True) | TypeError | 'descending': it is is_ascend here, with the opposite meaning
mx.sym.FullyConnected(s, num_hidden=1, use_bias=False) | ValueError | it is no_bias here, with the opposite
mx.sym.asarray | AttributeError | mx.sym has no 'asarray'; nearest
mx.sym.less | AttributeError | mx.sym has no 'less'$
mx.nd.op.cat | AttributeError | mx.nd.op has no 'cat': use concat
mx.nd.op.tensor | AttributeError | mx.nd.op has no 'tensor'; nearest
mx.Variable | AttributeError | mx.sym.Variable
mx.nd.zeros((2,), ctx='cuda:0') | ValueError | mx.gpu\\(i\\)
a.as_in_context('cuda') | ValueError | mx.gpu\\(i\\)
a.transpose(1, 0, axes=(0, 1)) | TypeError | [transpose] .*expected them once
a.unique() | AttributeError | np.unique\\(a.asnumpy\\(\\)\\)
mx.nd.zeros((2,), dtype='(2,') | TypeError | no dtype is called '\\(2,'; known are
mx.nd.zeros((2,), dtype='\\0') | TypeError | no dtype is called
mx.mod.Module(net).fit(x, x[0], validation_data=x) | TypeError | eval_data=\\(X_val, y_val\\)
mx.nd.newaxis | AttributeError | use None
mx.nd.zeros((2, 3), "float16") | TypeError | dtype='float16'
mx.nd.zeros((2, 3), np.float16) | TypeError | a dtype goes by keyword
mx.Context("cuda") | ValueError | mx.gpu\\(i\\)
mx.mod.Module(net, context=[]) | TypeError | [Module] context is []; expected a Context
mx.model.FeedForward(net, ctx=[]) | TypeError | [FeedForward] context is []; expected a Context
mx.model.FeedForward(net, ctx=5) | TypeError | [FeedForward] context is 5; expected a Context
mx.model.FeedForward(net, ctx="cpu") | TypeError | [FeedForward] context is 'cpu'; expected a Context
mx.mod.Module(net, ctx=mx.cpu()) | TypeError | [Module] .*'ctx': it is context
mx.io.NDArrayIter(x, batchsize=2) | TypeError | [NDArrayIter] .*it is batch_size
mx.metric.create("top_k_accuracy", k=3) | TypeError | [TopKAccuracy] .*'k': it is top_k
mx.init.create("xavier", magnitud=3) | TypeError | [Xavier] .*'magnitud'; nearest: magnitude
net.simple_bind(mx.cpu(), dat=(2, 3)) | ValueError | no argument is called 'dat'; nearest: data
mx.nd.zeros((2, 3), device="cpu") | TypeError | [zeros] no argument is called 'device': it is ctx
mx.nd.array([1], requires_grad=True) | TypeError | 'requires_grad': call attach_grad\\(\\)
mx.nd.full((2,), fill_value=3) | TypeError | [full] no argument is called 'fill_value': it is val
mx.nd.arange(3, steps=2) | TypeError | [arange] no argument is called 'steps'; nearest: step
mx.nd.linspace(0, 1, steps=5) | TypeError | [linspace] no argument is called 'steps': it is num
mx.nd.empty((2,), pin_memory=True) | TypeError | 'pin_memory': it is ctx=mx.cpu_pinned
mx.nd.FullyConnected(a, num_hidden=4) | ValueError | expected 3 .data, weight, bias.
mx.nd.linalg.solve | AttributeError | use potrf and trsm
mx.random.permutation | AttributeError | it is shuffle
mx.set_num_threads | AttributeError | it is mx.engine.set_num_threads
mx.contrib.onnx | AttributeError | -symbol.json
mx.nd.boolean_mask | AttributeError | mask.astype
mx.mod.Module(net).predict(x) | ValueError | call bind first, or fit
mx.optimizer.SGD().set_lr_mult(3) | TypeError | [SGD.set_lr_mult] got int; expected a dict
mx.optimizer.SGD().set_wd_mult([1]) | TypeError | [SGD.set_wd_mult] got list; expected a dict
mx.viz.print_summary(net, shape=(1, 3)) | TypeError | expected .'data'
mx.nd.relu(x) | TypeError | input 0 is numpy.ndarray; .*NDArray, which mx.nd.array makes of it, or .*np.array
a.softmax(1) | TypeError | [softmax] input 1 is 1; expected NDArray; the axis goes by keyword, axis=1
mx.np.zeros(2, 3) | TypeError | [zeros] extents come as one shape: \\(2, 3\\)
mx.np.empty(2, 3, 4) | TypeError | [empty] extents come as one shape: \\(2, 3, 4\\)
mx.np.ones(2, 3, dtype='int32') | TypeError | multiple values for argument 'dtype'
mx.np.ones((2, 3)).flatten(1) | TypeError | [flatten] got 1; expected no axes: .*a.reshape
mx.np.ones((2, 3)).flatten(start_dim=1) | TypeError | [flatten] got {'start_dim': 1}; expected no axes
mx.nd.save('/tmp/x.params', {'net': {'w': a}}) | TypeError | the value of 'net' is dict; .*pickle
mx.nd.save('/tmp/x.params', [a, x]) | TypeError | [save] item 1 is numpy.ndarray; .*mx.nd.array
a.numpy() | AttributeError | a.asnumpy\\(\\)
a.cuda() | AttributeError | a.as_in_context\\(mx.gpu\\(\\)\\)
a.cpu() | AttributeError | a.as_in_context\\(mx.cpu\\(\\)\\)
a.to('cuda') | ValueError | mx.gpu\\(i\\)
a.view(-1) | AttributeError | a.reshape
a.permute(1, 0) | AttributeError | a.transpose
a.unsqueeze(0) | AttributeError | a.expand_dims
a.detach().numpy() | AttributeError | a.asnumpy
mx.mod.Module(net).state_dict() | AttributeError | [Module] .*get_params
mx.mod.Module(net).train() | AttributeError | is_train=True
mx.optimizer.SGD().step() | AttributeError | [SGD] .*get_updater
f"{a:.2f}" | TypeError | [format] '.2f' .*\\(2, 2\\)
mx.nd.array(["one"]) | TypeError | 'one', expected numbers
mx.nd.array(np.array([1, None])) | TypeError | None, expected numbers
mx.nd.zeros((2,), dtype='flot32') | TypeError | nearest: float32
mx.mod.Module(net).fit(x, x[0], num_epoch=1, learning_rate=1) | TypeError | optimizer_params=
mx.mod.Module(net).fit(mx.io.NDArrayIter(x, x[0]), epochs=1) | TypeError | it is num_epoch
mx.mod.Module(net).fit(x, x[0], (x, x[0]), num_epoch=1) | TypeError | fit\\(\\(X, y\\), \\(X_val, y_val\\)\\)
mx.metric.create((x, x)) | TypeError | got tuple: (?s:.{20,60})$
mx.mod.Module(net).fit(x, num_epoch=1) | TypeError | fit\\(X, y\\)
"""


@pytest.mark.parametrize("row", REFUSED.strip().splitlines())
def test_what_is_refused_says_what_to_write(row: str) -> None:
    written, kind, message = (part.strip() for part in row.rsplit(" | ", 2))
    with pytest.raises(getattr(builtins, kind), match=message.replace("[", r"\[").replace("\\\\", "\\")):
        eval(written)


# What is written, and what it must equal.
WORKS = """
f"{one:.2f}" | "3.14"
f"{one.sum():>8.3f}" | "   3.142"
f"{mx.nd.array([7], dtype='int32'):03d}" | "007"
f"{one}" | str(one)
mx.nd.array(["1", "2.5"]).tolist() | [1.0, 2.5]
mx.nd.array(["9007199254740993"], dtype="int64").tolist() | [9007199254740993]
mx.nd.array(np.array([1, 2.5], dtype=object)).tolist() | [1.0, 2.5]
mx.nd.array([fractions.Fraction(1, 2), 2]).tolist() | [0.5, 2.0]
mx.nd.zeros(np.array([2, 3])).shape | (2, 3)
mx.nd.full(np.array([2, 3]), 1).shape | (2, 3)
mx.nd.empty((np.int64(2), np.int32(3))).shape | (2, 3)
a.reshape(np.array([4, 1])).shape | (4, 1)
a.reshape(np.array([4])).shape | (4,)
mx.nd.reshape(a, shape=np.array([4, 1])).shape | (4, 1)
mx.nd.transpose(a, axes=np.array([1, 0])).tolist() | [[1.0, 3.0], [2.0, 4.0]]
mx.nd.sum(a, axis=np.array([0, 1])).tolist() | [10.0]
mx.nd.sum(a, axis=range(2)).tolist() | [10.0]
mx.nd.random.uniform(shape=np.array([2, 3])).shape | (2, 3)
mx.random.normal(shape=np.array([2, 3])).shape | (2, 3)
mx.sym.var("v", shape=np.array([2, 3])).attr("__shape__") | "(2, 3)"
mx.sym.var("v", shape=(np.int64(2), 3)).attr("__shape__") | "(2, 3)"
mx.sym.zeros(np.array([2, 3])).infer_shape()[1] | [(2, 3)]
mx.sym.reshape(s, shape=np.array([4, 1])).infer_shape(s=np.array([2, 2]))[1] | [(4, 1)]
net.simple_bind(mx.cpu(), data=np.array([2, 3])).outputs[0].shape | (2, 2)
a.transpose(1, 0).tolist() | a.T.tolist()
a.transpose((1, 0)).tolist() | a.transpose(axes=(1, 0)).tolist()
a.transpose().tolist() | a.T.tolist()
a.transpose(None).tolist() | a.T.tolist()
a.transpose(np.array([1, 0])).tolist() | a.T.tolist()
a.transpose(axes=(1, 0)).tolist() | a.T.tolist()
a.as_in_context("cpu(1)").context | mx.cpu(1)
mx.nd.array([1], ctx="cpu(1)").context | mx.cpu(1)
net.simple_bind("cpu", data=(2, 3)).outputs[0].shape | (2, 2)
mx.mod.Module(net, "data", "softmax_label").label_names | ["softmax_label"]
mx.model.FeedForward(net, ctx=(mx.cpu(0), mx.cpu(1))).ctx | [mx.cpu(0), mx.cpu(1)]
mx.mod.Module(net).bind({"data": (2, 3)}, {"softmax_label": (2,)}) | None
repr(mx.rnn.LSTMCell(4)) | "<LSTMCell 'lstm_'>"
mx.nd.array([1], dtype="int").dtype | np.int64
a.astype("double").dtype | np.float64
mx.nd.multiply(a, x).tolist() | a.tolist()
mx.nd.subtract(x, a).tolist() | [[0.0, -1.0], [-2.0, -3.0]]
type(np.exp(a)), np.exp(a).tolist() | (mx.nd.NDArray, mx.nd.exp(a).tolist())
type(np.add(x, a)), np.add(x, a).tolist() | (mx.nd.NDArray, (a + 1).tolist())
type(np.maximum(x * 2, a)) | mx.nd.NDArray
type(np.maximum(a, 2)), np.maximum(a, 2).tolist() | (mx.nd.NDArray, [[2.0, 2.0], [3.0, 4.0]])
type(np.minimum(whole, 2)), np.minimum(np.array([1, 5]), whole).tolist() | (mx.nd.NDArray, [1, 3])
np.maximum(whole, 2.5).tolist(), np.minimum(np.array([2.5, 0.5]), whole).tolist() | ([2.5, 3.0], [2.0, 0.5])
np.exp(mx.nd.array([1], dtype="int32")).dtype | np.float32
np.square(mx.nd.array([3], dtype="int32")).tolist() | [9]
type(np.mean(a)), np.mean(a) | (np.float32, 2.5)
type(np.concatenate([a, a])) | np.ndarray
hasattr(mx, "gluon"), hasattr(mx, "np"), hasattr(a, "numpy") | (True, True, False)
hasattr(mx.nd, "Relu"), hasattr(mx.optimizer, "Adamm"), hasattr(s, "shape") | (False, False, False)
"numpy" in dir(a), "asnumpy" in dir(a) | (False, True)
[n in dir(s) for n in ("sum", "reshape", "astype", "infer_shape")] | [True] * 4
repr(mx.optimizer.SGD(momentum=0.9)) | "SGD(learning_rate=0.01, momentum=0.9)"
repr(Masked(np.ones(2))) | "Masked(learning_rate=0.01, mask=array([1., 1.]), momentum=0.0)"
repr(mx.optimizer.Adam(wd=1e-4))[:24] | "Adam(learning_rate=0.001"
repr(mx.lr_scheduler.FactorScheduler(3, 0.5))[:33] | "FactorScheduler(step=3, factor=0."
repr(mx.io.NDArrayIter(x, x[0], 2)) | "<NDArrayIter: data data (2, 2); label softmax_label (2,)>"
repr(mx.mod.Module(net)) | "<Module not bound, no parameters yet>"
repr(net.simple_bind(mx.cpu(), data=(2, 3)))[:34] | "<Executor on cpu(0): data (2, 3), "
repr(mx.metric.Accuracy()) | "<Accuracy accuracy=nan>"
repr(mx.kv.create()) | "KVStore('local')"
repr(mx.init.Xavier())[:7] | "Xavier("
repr(mx.viz.plot_network(net))[:20] | "<NetworkPlot 'plot':"
repr(mx.model.FeedForward(net)) | "<FeedForward softmax_output; no parameters yet>"
repr(mx.io.NDArrayIter(x, x[0], 2).next())[:12] | "<DataBatch: "
repr(mx.optimizer.get_updater(mx.optimizer.SGD()))[:29] | "<Updater of SGD(learning_rate"
"""


@pytest.mark.parametrize("row", WORKS.strip().splitlines())
def test_what_works(row: str) -> None:
    written, wanted = (eval(part) for part in row.rsplit(" | ", 1))
    assert written == wanted


def test_each_word_of_a_hint_is_there() -> None:
    """A hint that names a function which does not exist is worse than none."""
    for theirs, ours in _words._FUNCTIONS.items():
        assert theirs not in dir(mx.nd), theirs
        value: Any = mx.nd
        for part in re.match(r"[\w.]+", ours)[0].split("."):  # type: ignore[index]
            value = getattr(value, part) if part != "sqrt" else value
    texts = [*_words.ARRAY.values(), *_words.SYMBOL.values(), *_words.ABSENT.values(), *_words._TOP.values()]
    texts += [text for table in _words._MODULES.values() for text in table.values()]
    texts += [*_words._VALUES.values(), *_words.NN_MODULE.values()]
    texts += [*_words.MODEL.values(), *_words.STEPPER.values(), *_words.FIT.values(), *_words.MODULE.values()]
    for text in texts:
        for name in re.findall(r"\bmx\.[\w.]*\w", text):
            value = mx
            for part in name.split(".")[1:]:
                assert hasattr(value, part), text
                value = getattr(value, part)
        for name in re.findall(r"\ba\.(\w+)", text):
            assert hasattr(a, name), text
        for name in re.findall(r"\ba\.asnumpy\(\)\.(\w+)", text):
            assert hasattr(np.ndarray, name), text
        for name in re.findall(r"\bnp\.(\w+)", text):
            assert hasattr(np, name), text
    ours = mx.np.ones((2, 2))
    for theirs in {*_words.ARRAY, *_words.NP_ARRAY}:
        assert theirs not in _words.NP_ARRAY or not hasattr(ours, theirs), theirs
        if hasattr(ours, theirs):
            assert theirs in dir(ours)
            continue
        assert theirs not in dir(ours)
        with pytest.raises(AttributeError) as caught:
            getattr(ours, theirs)
        text = str(caught.value)
        assert "mx.nd" not in text
        assert all(hasattr(ours, name) for name in re.findall(r"\ba\.(\w+)", text)), text
        assert all(hasattr(mx.np, name) for name in re.findall(r"\bmx\.np\.(\w+)", text)), text
    module, sgd = mx.mod.Module(net), mx.optimizer.SGD()
    tables = ((_words.ARRAY, a), (_words.SYMBOL, s), (_words.MODEL, module), (_words.STEPPER, sgd))
    for table, object in tables:
        assert not set(table) & set(dir(object))
        assert not [name for name in table if hasattr(object, name)]
    assert not [name for name in _words.ABSENT if hasattr(mx, name)]
    parameters = {p["name"] for i in range(mx._core.op_count()) for p in mx._core.describe_op(i)["params"]}
    for theirs, names in _words.PARAMETERS.items():
        own = {name.removeprefix("not ") for name in names}
        assert own <= parameters and theirs not in own, theirs


@pytest.mark.parametrize("module", [mx.sym, mx.nd, mx.nd.op])
def test_each_function_that_a_module_suggests_is_there(module: ModuleType) -> None:
    hints = [_words.in_module(module.__name__, theirs) for theirs in _words._FUNCTIONS]
    assert any(hints)
    for hint in hints:
        if hint:
            value: Any = module
            for part in re.match(r"use ([\w.]+)", hint)[1].split("."):  # type: ignore[index]
                value = getattr(value, part)


def test_absent_modules() -> None:
    for statement in ("import mixgrad.library", "from mixgrad import library", "import mixgrad.library as x"):
        with pytest.raises(ModuleNotFoundError, match=r"mixgrad.library is not there yet: .*mx.autograd"):
            exec(statement)
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'mixgrad\.nothing'"):
        exec("import mixgrad.nothing")
    with pytest.raises(ImportError, match="cannot import name 'nothing'"):
        exec("from mixgrad import nothing")


def test_modules_list_what_is_theirs() -> None:
    modules = [mx, *(getattr(mx, name) for name in mx.__all__ if isinstance(getattr(mx, name), ModuleType))]
    modules += [mx.nd.linalg, mx.nd.random, mx.nd.contrib, mx.nd.op, mx.sym.linalg, mx.sym.random, mx.sym.op]
    strangers = {"annotations", "Any", "Optional", "TYPE_CHECKING", "importlib", "logging", "os", "warnings"}
    for module in modules:
        listed = set(dir(module))
        assert not listed & strangers, module.__name__
        assert all(hasattr(module, name) for name in listed), module.__name__
        hidden = [n for n in listed if n.startswith("_") and not n.startswith("__")]
        assert module is mx.sym or not hidden, (module.__name__, hidden)
    assert "np" in dir(mx) and {"relu", "zeros", "FullyConnected"} <= set(dir(mx.nd)) & set(dir(mx.sym))


def test_looking_for_names_changes_nothing() -> None:
    """Names of Python itself get no hint, and a name that is there costs no look at the others."""
    with pytest.raises(AttributeError, match=r"^mx has no '__wrapped__'$"):
        mx.__wrapped__  # noqa: B018
    assert "relu" in vars(mx.nd) and mx.nd.relu is mx.nd.op.relu
    assert mx.nd._plus_scalar is mx.nd.op._plus_scalar
    before = _hints._nearest.cache_info()
    a.sum(), mx.nd.relu(a), mx.sym.relu(s)
    assert _hints._nearest.cache_info() == before


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("mx.nn.Dense(3)", "mx.nn has no 'Dense': it is Linear"),
        ("mx.optim.lr_scheduler.Step", "mx.optim.lr_scheduler has no 'Step'; nearest: StepLR"),
        ("mx.gluon.nn.Linear(3)", "mx.gluon.nn has no 'Linear': it is Dense"),
        ("mx.gluon.nn.Conv2d(1, 2, 3)", "nearest: Conv2D"),
        ("mx.gluon.loss.CrossEntropyLoss()", "it is SoftmaxCrossEntropyLoss"),
        (
            "mx.nn.ReLU().collect_params()",
            "[ReLU] there is no 'collect_params': write net.named_parameters()",
        ),
        ("mx.nn.ReLU().nothing", "[ReLU] there is no 'nothing'"),
        ("mx.nd.save('x', mx.nn.ReLU())", "got ReLU; its state_dict() gives one"),
        ("mx.optim.SGD(mx.nn.Linear(1, 1), lr=1)", "got a Linear; .*its parameters\\(\\) gives them"),
    ],
)
def test_words_of_gluon_and_of_pytorch(wrong: str, said: str) -> None:
    pattern = said if ".*" in said else re.escape(said)
    with pytest.raises((AttributeError, TypeError), match=pattern):
        eval(wrong)


def test_attributes_of_modules_that_fail() -> None:
    class Saved:
        def save(self) -> str:
            return "saved"

    class Net(mx.nn.Linear, Saved):
        @property
        def broken(self) -> Any:
            raise AttributeError("its own reason")

    net = Net(1, 1)
    assert net.save() == "saved" and not hasattr(net, "fit") and "fit" not in dir(net)
    with pytest.raises(AttributeError, match="its own reason"):
        _ = net.broken
    for name in mx.gluon.nn.__all__ + mx.gluon.loss.__all__:
        assert name not in _words._GLUON_NN and name not in _words._GLUON_LOSS
    assert not set(mx.nn.__all__) & set(_words._NN)


TYPES = """
import mixgrad as mx
from mixgrad import nn, np
import mixgrad.nn.functional as F
reveal_type(mx.nd.relu(mx.nd.ones(2)))  # NDArray
reveal_type(mx.nd.ones(2).exp())  # NDArray
x = np.ones((2, 2))
reveal_type(x)  # ndarray
reveal_type(2 * x + 1)  # ndarray
reveal_type((x > 1).any())  # ndarray
reveal_type(x[0].exp())  # ndarray
reveal_type(np.random.uniform(size=(2,)))  # ndarray
reveal_type(np.exp(x))  # ndarray
reveal_type(np.maximum(0, x).mean(axis=0))  # ndarray
reveal_type(np.where(x > 1, x, 0))  # ndarray
reveal_type(F.cross_entropy(F.relu(x), x))  # ndarray
reveal_type(nn.Linear(2, 3).weight * 2)  # ndarray
reveal_type(mx.sym.relu(mx.sym.var("s")) + 1)  # Symbol
mx.optimizer.Adamm  # error
mx.nd.Relu  # error
x.view(2)  # error
"""


def test_hints_of_types() -> None:
    """Type checkers and editors know what arrays, operators and functions give."""
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "-c", TYPES]
    out = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300).stdout
    said = dict(re.findall(r"<string>:(\d+): (.*)", out))
    kinds = {
        "NDArray": "mixgrad.ndarray.ndarray.NDArray",
        "ndarray": "mixgrad.numpy.ndarray.ndarray",
        "Symbol": "mixgrad.symbol.symbol.Symbol",
    }
    for number, line in enumerate(TYPES.splitlines(), 1):
        want = line.partition("  # ")[2]
        if want:
            text = "has no attribute" if want == "error" else f'Revealed type is "{kinds[want]}"'
            assert text in said.get(str(number), ""), (line, out)


def test_pinned_memory_without_a_gpu() -> None:
    if mx.num_gpus():
        pytest.skip("this machine has a GPU")
    program = (
        "import warnings, mixgrad as mx\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always')\n"
        "    y = mx.nd.ones((2,), ctx=mx.cpu_pinned()) + mx.nd.ones((2,), ctx=mx.cpu_pinned(0))\n"
        "assert len(seen) == 1 and 'ordinary memory' in str(seen[0].message), seen\n"
        "assert y.asnumpy().tolist() == [2, 2] and y.context == mx.cpu_pinned()\n"
        "assert y.as_in_context(mx.cpu()).context == mx.cpu()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


# Training on arrays.


def test_training_on_arrays() -> None:
    data, labels = points()
    module = mx.mod.Module(net)
    module.fit(data, labels, num_epoch=4, optimizer_params={"learning_rate": 2.0})
    right = (module.predict(data).asnumpy().argmax(1) == labels).mean()
    assert right > 0.9
    for scored in (module.score(data, labels), module.score((data, mx.nd.array(labels)), "acc")):
        assert scored[0][1] == pytest.approx(right)  # every example once, 300 are no multiple of a batch
    other = mx.mod.Module(net)
    other.fit(({"data": data}), labels, num_epoch=1)
    other.fit((data, labels), (data, labels), num_epoch=1)
    model = mx.model.FeedForward(net, num_epoch=4, learning_rate=2.0)
    model.fit(data.tolist(), labels.tolist())
    assert model.score(data, labels) > 0.9 and (model.predict(data).argmax(1) == labels).mean() > 0.9


PROGRAM = """
import logging, sys, numpy as np, mixgrad as mx
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc"), name="softmax")
data = np.random.RandomState(0).randn(64, 4).astype("float32")
labels = data[:, 0] > 0
{setup}
module = mx.mod.Module(net{options})
module.fit((data, labels), (data, labels), num_epoch=2, batch_end_callback=mx.callback.Speedometer(64, 1000))
module.save_checkpoint({prefix!r}, 1)
module.fit((data, labels), num_epoch=1)
mx.model.FeedForward(net, num_epoch=1).fit(data, labels, eval_data=(data, labels){feed})
"""


@pytest.mark.parametrize(
    ("setup", "options", "lines"),
    [
        ("", "", 4),
        ("logging.basicConfig(level=logging.WARNING)", "", 0),
        ("logging.getLogger().addHandler(logging.NullHandler())", "", 0),
        ("logging.disable(logging.INFO)", "", 0),
        ("sys.stderr = None", "", 0),
        ("log = logging.getLogger('x')", ", logger=log", 1),
    ],
)
def test_progress_where_nobody_logs(tmp_path: Path, setup: str, options: str, lines: int) -> None:
    program = PROGRAM.format(setup=setup, options=options, prefix=str(tmp_path / "net"), feed="")
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    shown = [line for line in run.stderr.splitlines() if "Time cost" in line]
    assert len(shown) == lines and run.stdout == ""
    for line in shown:
        assert re.match(r"Epoch\[\d\] Train-accuracy=\S+ Time cost=\S+", line), line
    if lines == 4:
        assert all(("Validation-accuracy" in line) == (i != 2) for i, line in enumerate(shown))


@pytest.mark.parametrize(
    "setup", ["logging.basicConfig(level=logging.INFO)", "logging.getLogger().setLevel(logging.DEBUG)"]
)
def test_progress_through_logging_is_as_it_was(tmp_path: Path, setup: str) -> None:
    program = PROGRAM.format(setup=setup, options="", prefix=str(tmp_path / "net"), feed="")
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120
    )
    assert len(re.findall(r"^INFO:root:Epoch\[0\] Train-accuracy=\S+$", run.stderr, re.M)) == 2
    assert len(re.findall(r"^INFO:root:Epoch\[\d\] Time cost=\S+$", run.stderr, re.M)) == 4
    assert not re.findall("^Epoch", run.stderr, re.M)


# Optimisers of users.


class Counted:
    """Which calls came, as (method, lists?)."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, bool]] = []


def updated_by(optimizer: Any, how: str) -> None:
    """Three weights, through each of the ways in which training updates them."""
    if how == "updater":
        weights = [mx.nd.ones((2,)) for _ in range(3)]
        mx.optimizer.get_updater(optimizer)([0, 1, 2], [mx.nd.ones((2,)) for _ in weights], weights)
    elif how == "kvstore":
        store = mx.kv.create("device")
        store.init([0, 1, 2], [mx.nd.ones((2,)) for _ in range(3)])
        store.set_optimizer(optimizer)
        store.push([0, 1, 2], [mx.nd.ones((2,)) for _ in range(3)])
        mx.nd.waitall()
    else:
        two = mx.sym.FullyConnected(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3), num_hidden=2)
        data, labels = points(8)
        devices = mx.cpu() if how == "module" else [mx.cpu(0), mx.cpu(1)]
        module = mx.mod.Module(mx.sym.SoftmaxOutput(two, name="softmax"), context=devices)
        module.fit(mx.io.NDArrayIter(data, labels, 8), num_epoch=1, optimizer=optimizer)


WAYS = ["updater", "kvstore", "module", "two devices"]


@pytest.mark.parametrize("how", WAYS)
@pytest.mark.parametrize("base", ["SGD", "Adam", "NAG", "LARS", "LAMB"])
@pytest.mark.parametrize("method", ["update", "update_multi_precision"])
@pytest.mark.filterwarnings("ignore:.*rescale_grad:UserWarning")
def test_a_method_that_a_subclass_defines_is_called(how: str, base: str, method: str) -> None:
    parent = getattr(mx.optimizer, base)
    calls = []

    def own(self: Any, index: Any, weight: Any, grad: Any, state: Any) -> None:
        calls.append(index)
        weight -= grad

    child = type("Own", (parent,), {method: own})
    grandchild = type("Later", (child,), {})
    mixed = type("Mixed", (type("Mixin", (), {method: own}), parent), {})
    for kind in (child, grandchild, mixed):
        calls.clear()
        updated_by(kind(), how)
        assert len(calls) >= 3 and not any(isinstance(index, (list, tuple)) for index in calls), kind


def test_states_of_a_subclass() -> None:
    """An own state is handed to the own update, whatever it looks like, in any precision."""
    seen = []

    class Own(mx.optimizer.SGD):
        def create_state(self, index: Any, weight: Any) -> Any:
            return (mx.nd.zeros(weight.shape), {"count": 0})

        def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
            seen.append((state[1]["count"], weight.dtype, grad.dtype))
            state[1]["count"] += 1
            weight -= grad

    for dtype, inner in (("float32", np.float32), ("float16", np.float32)):
        seen.clear()
        updater = mx.optimizer.get_updater(Own(momentum=0.9, multi_precision=True))
        weights = [mx.nd.ones((2,), dtype=dtype) for _ in range(2)]
        for _ in range(2):
            updater([0, 1], [mx.nd.ones((2,), dtype=dtype) for _ in weights], weights)
        assert seen == [(0, inner, inner)] * 2 + [(1, inner, inner)] * 2
        assert [w.tolist() for w in weights] == [[-1, -1]] * 2 and weights[0].dtype == np.dtype(dtype).type


def test_rates_of_a_subclass() -> None:
    for base in (mx.optimizer.SGD, mx.optimizer.Adam):
        own = type("Own", (base,), {"_get_lr": lambda self, index: 0.0})
        weights = [mx.nd.ones((2,)) for _ in range(2)]
        mx.optimizer.get_updater(own())([0, 1], [mx.nd.ones((2,)) for _ in weights], weights)
        assert [w.tolist() for w in weights] == [[1, 1]] * 2


def test_an_optimizer_that_takes_lists() -> None:
    """As in MXNet: a constructor that sets aggregate_num gets lists of weights of one dtype."""
    calls: list[tuple[Any, set[Any]]] = []

    class Lists(mx.optimizer.Optimizer):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.aggregate_num = 2

        def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
            calls.append((index, {w.dtype for w in weight}))
            assert len(index) == len(weight) == len(grad) == len(state)

    updater = mx.optimizer.get_updater(Lists())
    weights = [mx.nd.ones((2,), dtype=t) for t in ("float32", "float64", "float32", "float32")]
    updater([0, 1, 2, 3], weights, weights)
    assert calls == [([0, 2], {np.float32}), ([3], {np.float32}), ([1], {np.float64})]
    updater(7, weights[0], weights[0])
    assert calls[-1] == ([7], {np.float32})
    updater.optimizer.aggregate_num = float("inf")
    updater([0, 2, 3], weights[1:2] * 3, weights[1:2] * 3)
    assert calls[-1] == ([0, 2, 3], {np.float64})


# Iterators.


def test_arguments_that_iterators_of_files_ignore(tmp_path: Path) -> None:
    (tmp_path / "images").write_bytes(bytes([0, 0, 8, 3, *[0, 0, 0, 2] * 3, *range(8)]))
    (tmp_path / "labels").write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 2, 7, 3]))
    (tmp_path / "rows.csv").write_text("1,2\n3,4\n")
    (tmp_path / "rows.t").write_text("1 0:0.5\n0 1:2\n")
    makers = {
        "MNISTIter": {
            "image": tmp_path / "images", "label": tmp_path / "labels", "input_shape": (1, 2, 2),
            "data_shape": (1, 2, 2), "flat": False,
        },
        "CSVIter": {"data_csv": tmp_path / "rows.csv", "data_shape": np.array([2])},
        "LibSVMIter": {"data_libsvm": tmp_path / "rows.t", "data_shape": (2,)},
    }  # fmt: skip
    for name, options in makers.items():
        more = {"preprocess_threads": 4, "prefetch_buffer": 1, "ctx": "gpu", "device_id": 0, "verbose": True}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            made = getattr(mx.io, name)(batch_size=2, **options, **more)
        assert made.next().data[0].shape[0] == 2
    with pytest.warns(UserWarning, match=r"\[CSVIter\] num_parts has no effect"):
        mx.io.CSVIter(batch_size=2, num_parts=2, **makers["CSVIter"])
    with pytest.raises(TypeError, match=r"\[MNISTIter\] .*'imge'; nearest: image"):
        mx.io.MNISTIter(imge="x", **makers["MNISTIter"])


def test_numpys_functions_record_gradients() -> None:
    y = mx.nd.array([0.5, 2])
    for ours, theirs in ((mx.nd.exp, np.exp), (mx.nd.tanh, np.tanh), (mx.nd.square, np.square)):
        grads = []
        for function in (ours, theirs):
            y.attach_grad()
            with mx.autograd.record():
                z = function(y).sum()
            z.backward()
            grads.append(y.grad.asnumpy())
        np.testing.assert_array_equal(*grads)


def test_warnings_of_modules_set_no_logging_up(caplog: pytest.LogCaptureFixture) -> None:
    module = mx.mod.Module(net)
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    with caplog.at_level(logging.WARNING):
        module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    assert "Already bound" in caplog.text


def test_signatures_are_real() -> None:
    signature = inspect.signature(mx.nd.sum)
    assert list(signature.parameters)[:4] == ["data", "axis", "keepdims", "exclude"]


def test_a_comparison_as_index_is_told_from_a_mask() -> None:
    with pytest.warns(UserWarning, match="for a mask write mask.astype"):
        assert a[a > 2].shape == (2, 2, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert a[(a > 2).astype("bool")].shape == (2,)
        assert a[mx.nd.array([1, 0])].shape == (2, 2)


@pytest.mark.parametrize("store", ["local", "device"])
@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_failed_call_of_fit_leaves_the_weights(optimizer: str, store: str) -> None:
    y = np.array([0.0, 1.0])
    scores = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    loss = mx.sym.make_loss(mx.sym.softmax_cross_entropy(scores, mx.sym.var("softmax_label")))
    module = mx.mod.Module(loss, context=[mx.cpu(0), mx.cpu(1)])
    options: dict[str, Any] = {
        "optimizer": optimizer,
        "kvstore": store,
        "num_epoch": 1,
        "eval_metric": "loss",
    }
    if optimizer == "sgd":
        options["optimizer_params"] = {"momentum": 0.9}
    with pytest.raises(IndexError, match=r"outside 0 \.\. 1") as first:
        module.fit(x, np.array([5.0, 1.0]), **options)
    assert "raised again" not in str(first.value)
    module.fit(x, y, **options)  # with the weights that the failed batch left as they were
    assert np.isfinite(module.get_params()[0].popitem()[1].asnumpy()).all()


def test_lists_are_fitted() -> None:
    module = mx.mod.Module(network())
    module.fit(x.tolist(), [0, 1], num_epoch=1)
    assert module.score(x.tolist(), [0, 1])[0][0] == "accuracy"
    assert module.predict(x.tolist()).shape == (2, 2)
    with pytest.raises(ValueError, match=r"train_data is no array: .*lists of one length"):
        module.fit([[1, 2], [3]], [0, 1], num_epoch=1)


def test_feedforward_scores_lists() -> None:
    model = mx.model.FeedForward(network(), num_epoch=1)
    model.fit(x, np.zeros(2))
    want = model.score(x, np.zeros(2))
    assert model.score(x.tolist(), [0, 0]) == want == model.score(x, eval_metric=np.zeros(2))


def test_functions_of_two_operands_take_two_numbers() -> None:
    for name, expected in (
        ("add", 3.5), ("subtract", 1.5), ("multiply", 2.5), ("divide", 2.5), ("modulo", 0.5), ("power", 2.5),
        ("maximum", 2.5), ("minimum", 1), ("equal", 0), ("not_equal", 1), ("greater", 1),
        ("greater_equal", 1),
        ("lesser", 0), ("lesser_equal", 0), ("logical_and", 1), ("logical_or", 1), ("logical_xor", 0),
    ):  # fmt: skip
        found = getattr(mx.nd, name)(2.5, 1)
        assert (found, type(found)) == (expected, type(expected)), name
    assert mx.nd.power(np.float32(3), 2) == 9
    with pytest.raises(TypeError, match="two numbers"):
        mx.nd.add("a", 1)


def test_tables_of_numbers_are_where_scripts_import_them() -> None:
    from mixgrad.ndarray import ndarray as module

    assert module._STORAGE_TYPE_STR_TO_ID == {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}
    assert all(
        module._STORAGE_TYPE_ID_TO_STR[i] == name for name, i in module._STORAGE_TYPE_STR_TO_ID.items()
    )
    assert [module._DTYPE_NP_TO_MX[kind] for kind in (np.float32, np.int64, np.bool_, None)] == [0, 6, 7, -1]
    assert module._GRAD_REQ_MAP == {"null": 0, "write": 1, "add": 3}
