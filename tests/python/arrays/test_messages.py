"""Messages of refused arguments: ``[who] what arrived; what was expected``."""

from __future__ import annotations

import pickle
import re
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nd

nan, inf = float("nan"), float("inf")
x = nd.ones((2, 3))
Refusal = tuple[Callable[[], Any], type[Exception], str]


def labelled(name: str, labels: list[float], **options: Any) -> np.ndarray:
    """Gradient of the scores under an output operator with these labels."""
    scores = nd.array([[1, 2, 3], [0, 0, 1]])
    scores.attach_grad()
    with mx.autograd.record():
        out = getattr(nd, name)(scores, nd.array(labels), **options)
    out.backward()
    gradient: np.ndarray = scores.grad.asnumpy()
    return gradient


def draw(probabilities: list[float], **options: Any) -> np.ndarray:
    drawn: np.ndarray = nd.random.multinomial(nd.array(probabilities), **options).asnumpy()
    return drawn


REFUSALS: dict[str, Refusal] = {
    "cpu beyond 32 bits": (
        lambda: mx.cpu(2**32),
        ValueError,
        r"\[cpu\] device_id is 4294967296; expected 0 to",
    ),
    "cpu below 0": (lambda: mx.cpu(-1), ValueError, r"\[cpu\] device_id is -1; expected 0 to"),
    "cpu of text": (lambda: mx.cpu("1"), TypeError, r"\[cpu\] device_id is '1'; expected a whole number"),
    "cpu of a fraction": (lambda: mx.cpu(1.5), TypeError, r"\[cpu\] device_id is 1.5; expected"),
    "gpu beyond 32 bits": (
        lambda: mx.gpu(2**40),
        ValueError,
        r"\[gpu\] device_id is 1099511627776; expected",
    ),
    "device type": (lambda: mx.Context("tpu"), ValueError, r"\[Context\] .*'tpu'; known are cpu"),
    "device as text": (lambda: nd._internal._zeros((1,), "cpu(x)"), ValueError, r"\[ctx\] ctx is 'cpu\(x\)'"),
    "buffer of text": (
        lambda: nd.load_frombuffer("abc"),
        TypeError,
        r"\[load_frombuffer\] got str; expected bytes",
    ),
    "buffer of a number": (
        lambda: nd.load_frombuffer(3),
        TypeError,
        r"\[load_frombuffer\] got int; expected",
    ),
    "backward of a number": (
        lambda: mx.autograd.backward(3),
        TypeError,
        r"\[backward\] heads: got int; expected",
    ),
    "backward of NumPy": (
        lambda: mx.autograd.backward([np.ones(3)]),
        TypeError,
        r"\[backward\] heads: item 0 is ndarray",
    ),
    "head gradients": (
        lambda: mx.autograd.backward([x], [3]),
        TypeError,
        r"\[backward\] head_grads: item 0 is int",
    ),
    "number of head gradients": (
        lambda: mx.autograd.backward([x], [x, x]),
        ValueError,
        r"got 1 heads and 2 head_grads",
    ),
    "out_grad": (lambda: x.backward(3), TypeError, r"\[backward\] out_grad is int; expected an NDArray"),
    "grad of a number": (lambda: mx.autograd.grad(x, 3), TypeError, r"\[grad\] variables: got int; expected"),
    "variables": (
        lambda: mx.autograd.mark_variables([3], [x]),
        TypeError,
        r"\[mark_variables\] variables: item 0 is int",
    ),
    "gradients": (
        lambda: mx.autograd.mark_variables([x], [None]),
        TypeError,
        r"gradients: item 0 is NoneType",
    ),
    "grad_req": (lambda: x.attach_grad([]), ValueError, r"\[attach_grad\] grad_req \[\]; expected"),
    "negative probability": (
        lambda: draw([0.5, -0.5, 1]),
        ValueError,
        r"probability -0.5 at position 1 of row 0; expected",
    ),
    "NaN probability": (
        lambda: draw([nan, 1]),
        ValueError,
        r"probability nan at position 0 of row 0; expected",
    ),
    "infinite probability": (
        lambda: draw([inf, 1]),
        ValueError,
        r"probability inf at position 0 of row 0; expected",
    ),
    "no probability": (lambda: draw([0, 0, 0]), ValueError, r"all 3 probabilities of row 0 are 0; expected"),
    "exponential of 0": (
        lambda: mx.random.exponential(0),
        ValueError,
        r"\[random.exponential\] scale is 0; expected",
    ),
    "exponential below 0": (
        lambda: mx.random.exponential(-1),
        ValueError,
        r"scale is -1; expected a mean above 0",
    ),
    "exponential of text": (
        lambda: mx.random.exponential("a"),
        TypeError,
        r"scale is 'a'; expected a number",
    ),
    "shape of numbers": (
        lambda: nd.random.uniform(shape=(-1, 2)),
        ValueError,
        r"'shape' got \(-1, 2\); expected .*>= 0",
    ),
    "shape of integers": (
        lambda: nd.random.randint(0, 3, shape=-3),
        ValueError,
        r"'shape' got -3; expected .*>= 0",
    ),
    "shape of zeros": (lambda: nd.zeros((2, -1)), ValueError, r"shape is \(2, \?\); expected extents from 0"),
    "dtype of numbers": (lambda: nd.random.uniform(dtype="int32"), TypeError, r"expected a float dtype$"),
    "dtype of integers": (
        lambda: nd.random.randint(0, 3, dtype="float32"),
        TypeError,
        r"expected int32 or int64$",
    ),
    "seed of a device": (lambda: mx.random.seed(1, 3), TypeError, r"\[random.seed\] ctx is 3; expected"),
    "damaged pickle": (
        lambda: mx.nd.ndarray._rebuild(b"abc", mx.cpu()),
        ValueError,
        r"\[load\] .* ends early",
    ),
    "pickle of nothing": (
        lambda: mx.nd.ndarray._rebuild(nd.save_tobuffer([]), mx.cpu()),
        ValueError,
        r"\[unpickle\] got 0 arrays",
    ),
    "pickle without device": (
        lambda: mx.nd.ndarray._rebuild(b"abc", 3),
        ValueError,
        r"\[unpickle\] got bytes and int; expected",
    ),
    "threads": (
        lambda: mx.engine.set_num_threads(None),
        TypeError,
        r"\[set_num_threads\] count is None; expected",
    ),
    "path": (lambda: nd.load(3), TypeError, r"\[load\] got int; expected a path"),
    "capsule": (lambda: nd.from_dlpack(3), TypeError, r"\[from_dlpack\] got int; expected"),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_message(what: str) -> None:
    call, kind, pattern = REFUSALS[what]
    with pytest.raises(kind, match=pattern) as caught:
        call()
    assert str(caught.value).startswith("[")
    mx.nd.waitall()


def test_ignored_and_fractional_labels() -> None:
    ignored = labelled("SoftmaxOutput", [-1, 2], use_ignore=True)
    assert (ignored[0] == 0).all()
    assert ignored[1, 2] < 0
    far = labelled("SoftmaxOutput", [1e30, 2], use_ignore=True, ignore_label=1e30)
    np.testing.assert_array_equal(far, ignored)
    np.testing.assert_array_equal(labelled("SoftmaxOutput", [1.7, -0.5]), labelled("SoftmaxOutput", [1, 0]))


def test_unpickling_damaged_bytes() -> None:
    """Whatever is wrong with the bytes of the array itself, it is our message that says so."""
    saved = nd.save_tobuffer([nd.ones((2, 2))])
    data = pickle.dumps(nd.ones((2, 2)))
    first = data.index(saved)
    free = {*range(8, 16), *range(56, 60), *range(64, 80)}  # reserved; number of the device; the elements
    for place in range(len(saved)):
        damaged = bytearray(data)
        damaged[first + place] ^= 0x41
        if place in free:
            assert pickle.loads(bytes(damaged)).shape == (2, 2)
            continue
        with pytest.raises(mx.MXNetError, match=r"^\["):
            pickle.loads(bytes(damaged)).wait_to_read()


OPTIMIZERS: list[tuple[str, dict[str, Any], str]] = [
    ("SGD", {"learning_rate": inf}, "learning_rate is inf; expected a finite number"),
    ("SGD", {"learning_rate": nan}, "learning_rate is nan; expected a finite number"),
    ("SGD", {"momentum": -0.5}, "momentum is -0.5; expected 0 <= momentum < 1"),
    ("SGD", {"momentum": 1}, "momentum is 1; expected 0 <= momentum < 1"),
    ("SGD", {"wd": nan}, "wd is nan; expected a finite number"),
    ("SGD", {"rescale_grad": inf}, "rescale_grad is inf; expected a finite number"),
    ("SGD", {"clip_gradient": nan}, "clip_gradient is nan; expected a finite number"),
    ("NAG", {"momentum": 1.5}, "momentum is 1.5"),
    ("Signum", {"wd_lh": -1}, "wd_lh is -1"),
    ("DCASGD", {"lamda": -1}, "lamda is -1"),
    ("Adam", {"beta1": 1}, "beta1 is 1; expected 0 <= beta1 < 1"),
    ("Adam", {"beta2": -0.1}, "beta2 is -0.1"),
    ("Adam", {"epsilon": -1e-8}, "epsilon is -1e-08; expected at least 0"),
    ("Adamax", {"beta1": 1}, "beta1 is 1"),
    ("Nadam", {"beta2": 1}, "beta2 is 1"),
    ("Nadam", {"schedule_decay": -1}, "schedule_decay is -1"),
    ("FTML", {"beta2": 2}, "beta2 is 2"),
    ("AdaGrad", {"eps": -1}, "eps is -1"),
    ("AdaDelta", {"rho": 1.5}, "rho is 1.5"),
    ("RMSProp", {"gamma1": -1}, "gamma1 is -1"),
    ("RMSProp", {"clip_weights": inf}, "clip_weights is inf"),
    ("Ftrl", {"lamda1": -1}, "lamda1 is -1"),
    ("Ftrl", {"learning_rate": -1}, "learning_rate is -1"),
    ("LARS", {"eta": -1}, "eta is -1"),
    ("LAMB", {"beta1": 1}, "beta1 is 1"),
    ("LAMB", {"lower_bound": -1}, "lower_bound is -1"),
    ("LBSGD", {"batch_scale": 0}, "batch_scale is 0; expected at least 1"),
    ("GroupAdaGrad", {"eps": nan}, "eps is nan"),
]


@pytest.mark.parametrize(("name", "options", "message"), OPTIMIZERS)
def test_optimizer_options(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"[{name}] {message}")):
        mx.optimizer.create(name, **options)


def test_optimizer_numbers() -> None:
    with pytest.raises(TypeError, match=re.escape("[SGD] learning_rate is 'fast'; expected a number")):
        mx.optimizer.SGD(learning_rate="fast")
    sgd = mx.optimizer.SGD(learning_rate=np.float32(0.5), wd=0, rescale_grad=-1.0, clip_gradient=-1)
    with pytest.raises(ValueError, match="learning_rate is nan; expected a finite number"):
        sgd.set_learning_rate(nan)
    w = nd.zeros((2,))
    sgd.update(0, w, nd.array([1, 4]), sgd.create_state(0, w))
    np.testing.assert_array_equal(w.asnumpy(), [0.5, 2])  # a negative limit does not clip
    sgd.set_learning_rate(-0.5)  # up the gradient
    sgd.update(0, w, nd.array([1, 4]), sgd.create_state(0, w))
    np.testing.assert_array_equal(w.asnumpy(), [0, 0])
    assert mx.optimizer.Adam(learning_rate=-0.1, wd=-0.5).wd == -0.5


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_lists_of_weights(dtype: str) -> None:
    sgd = mx.optimizer.SGD(learning_rate=0.5, momentum=0.5, multi_precision=True)
    weights = [nd.ones((n,), dtype=dtype) for n in (2, 3)]
    states = [sgd.create_state_multi_precision(i, w) for i, w in enumerate(weights)]
    for _ in range(2):
        sgd.update_multi_precision([0, 1], weights, [nd.ones((n,), dtype=dtype) for n in (2, 3)], states)
    assert [w.asnumpy().tolist() for w in weights] == [[-0.25] * 2, [-0.25] * 3]


SCHEDULES: list[tuple[str, dict[str, Any], str]] = [
    ("FactorScheduler", {"step": 2, "base_lr": -1}, "base_lr is -1; expected at least 0"),
    ("PolyScheduler", {"max_update": 2, "base_lr": nan}, "base_lr is nan; expected at least 0"),
    ("CosineScheduler", {"max_update": 2, "final_lr": -0.5}, "final_lr is -0.5; expected at least 0"),
    (
        "CosineScheduler",
        {"max_update": 2, "warmup_begin_lr": -1},
        "warmup_begin_lr is -1; expected at least 0",
    ),
    ("MultiFactorScheduler", {"step": [1, 2], "base_lr": "1"}, "base_lr is '1'; expected a number"),
]


@pytest.mark.parametrize(("name", "options", "message"), SCHEDULES)
def test_schedule_options(name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=re.escape(f"[{name}] {message}")):
        getattr(mx.lr_scheduler, name)(**options)


def test_metrics_are_called_like_their_class() -> None:
    for name in ("MAE", "MSE", "RMSE", "F1", "MCC"):
        assert getattr(mx.metric, name)().name == name.lower()
        assert getattr(mx.metric, name)("mine").name == "mine"
