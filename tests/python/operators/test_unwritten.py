"""Every operator with fresh memory of two patterns, and with every extent 0 and 1: errors or results, and no
byte that depends on the pattern, for that would be one that nobody wrote. NumPy's answers are compared."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from opcase import FLOATS, Case, Input, Spec, Stored
from test_operators import CASES, NAMES, Run, compare, dense, encode, listed, operators

import mixgrad as mx
from mixgrad import _core

PATTERNS = (0xDB, 0x7F)
# What NumPy would call nan: moving averages go on as they are when a batch is empty, and serve as its
# statistics; an average that counts no element is 0.
OTHER_WHEN_EMPTY = ("BatchNorm", "Pooling", "_image_pooling")
OTHER_WHEN_EMPTY += ("_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm")
# Operators and cases with references that know the extents of the case alone.
OWN_EXTENTS = (
    "_sample_multinomial",
    "_split_v2",
    "broadcast_axis",
    "broadcast_like",
    "broadcast_to",
    "gather_nd",
    "slice_like",
)
OWN_EXTENTS += ("_contrib_box_nms-not-finite", "broadcast_div-int_by_zero", "sum-wraps", "_unravel_index-far")
FAMILIES = sorted({operators()[case.op].info["name"] for case in CASES})


def of_family(name: str) -> list[Case]:
    return [case for case in CASES if operators()[case.op].info["name"] == name]


def raw(array: Any) -> bytes:
    array = dense(array)
    name = NAMES[array._dtype_number]
    values = np.empty(array.shape, np.uint16 if name == "bfloat16" else name)
    if values.size:
        _core.copy_to(array, values.reshape(-1).view(np.uint8))
    return values.tobytes()


def values_of(run: Run) -> dict[str, bytes]:
    """Outputs, states and gradients."""
    which = run.grad_inputs() if run.dtype in FLOATS else []
    inputs = run.arrays()
    outputs = run.recorded(inputs, which)
    found = {f"output {i}": raw(out) for i, out in enumerate(outputs)}
    found |= {f"state {i}": raw(inputs[i]) for i in run.operator.mutates if i < len(inputs)}
    heads = [
        (o, encode(h, NAMES[o._dtype_number])) for o, h in zip(outputs, run.heads(outputs)) if h is not None
    ]
    heads = [(o, h) for o, h in heads if o._recorded]
    if which and heads:
        grads = _core.grad(
            [o for o, _ in heads], [inputs[i] for i in which], [h for _, h in heads], False, False
        )
        found |= {f"gradient {i}": raw(g) for i, g in zip(which, grads)}
    return found


def outcome(case: Case, pattern: int) -> dict[str, bytes] | str:
    """What the case gives, or its error, with that byte all over fresh memory."""
    run = Run(case, case.dtypes[0])
    _core.memory_fill_new(pattern)
    try:
        return values_of(run)
    except (mx.MXNetError, NotImplementedError) as error:
        assert "internal" not in type(error).__name__.lower(), error
        return f"{type(error).__name__}: {error}"
    finally:
        _core.memory_fill_new(-1)  # tells of writes beside arrays


def check_written(case: Case, what: str) -> bool:
    """Whether the call succeeded."""
    first, second = (outcome(case, pattern) for pattern in PATTERNS)
    if isinstance(first, str) or isinstance(second, str):
        assert first == second, what
        return False
    different = [name for name in first if first[name] != second[name]]
    assert not different, f"{what}: {different} hold bytes that nobody wrote"
    return True


def shape_of(given: Input) -> tuple[int, ...]:
    return given.shape if isinstance(given, (Spec, np.ndarray, Stored)) else tuple(given)


def with_shape(given: Input, shape: tuple[int, ...]) -> Input:
    if isinstance(given, Stored):
        return Stored(given.values[tuple(slice(0, extent) for extent in shape)], given.stype)
    if isinstance(given, np.ndarray):
        return np.asarray(given[tuple(slice(0, extent) for extent in shape)])
    return replace(given, shape=shape) if isinstance(given, Spec) else shape


def other_extents(case: Case) -> Iterator[tuple[str, Case]]:
    """The case with an extent 0 or 1 in turn, in one place and wherever that extent occurs, and with all
    extents of one input or of all inputs."""
    shapes = [shape_of(given) for given in case.inputs]
    seen = {tuple(shapes)}
    for to in (0, 1):
        changed = [[(to,) * len(s) for s in shapes]]
        for i, shape in enumerate(shapes):
            changed.append([(to,) * len(s) if j == i else s for j, s in enumerate(shapes)])
            for axis, extent in enumerate(shape):
                if extent <= to:
                    continue
                alone = (*shape[:axis], to, *shape[axis + 1 :])
                changed.append([alone if j == i else s for j, s in enumerate(shapes)])
                changed.append([tuple(to if e == extent else e for e in s) for s in shapes])
        for now in changed:
            smaller = all(
                (len(n) == len(s) and all(a <= b for a, b in zip(n, s)))
                or not isinstance(g, (np.ndarray, Stored))
                for n, s, g in zip(now, shapes, case.inputs)
            )
            if smaller and tuple(now) not in seen:
                seen.add(tuple(now))
                inputs = [with_shape(given, shape) for given, shape in zip(case.inputs, now)]
                yield str(now), replace(case, inputs=inputs, fails="", id=f"{case.id} of {now}")


def check_values(case: Case, what: str) -> None:
    """Against NumPy, where the case's reference has an answer for these extents."""
    run = Run(case, case.dtypes[0])
    if not case.ref or not run.values or (run.values[0].size == 0 and case.op in OTHER_WHEN_EMPTY):
        return
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = listed(case.ref(*run.values, **case.params))
    except Exception:  # a reference of loops over windows or groups need not know what none of them is
        return
    outputs = run.call(run.arrays())
    for i, (out, want) in enumerate(zip(outputs, expected)):
        compare(case, out, want, f"{what} output {i}")


def modes(case: Case) -> list[bool]:
    """The case's own first."""
    return [case.training, not case.training] if operators()[case.op].info["has"]["mode"] else [case.training]


@pytest.mark.parametrize("name", FAMILIES)
def test_every_byte_is_written(name: str) -> None:
    for case in of_family(name):
        for training in modes(case):
            check_written(replace(case, training=training), case.id)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_extent_0_and_1(name: str) -> None:
    for case in of_family(name):
        for what, other in other_extents(case):
            label = f"{case.id} of {what}"
            for training in modes(case):
                gives = check_written(replace(other, training=training), label)
                # The reference of a case without elements may hold for it alone.
                open_reference = case.op not in OWN_EXTENTS and case.id not in OWN_EXTENTS
                if (
                    gives
                    and training == case.training
                    and open_reference
                    and all(all(shape_of(given)) for given in case.inputs)
                ):
                    check_values(other, label)


@pytest.mark.parametrize("shape", [(3, 0, 5), (2, 0, 3, 3), (0, 2, 3), (3, 2, 0)])
def test_batch_norm_of_nothing_in_training(shape: tuple[int, ...]) -> None:
    data, channels = mx.nd.zeros(shape), shape[1]
    gamma, beta = mx.nd.ones((channels,)), mx.nd.zeros((channels,))
    mean, variance = mx.nd.zeros((channels,)), mx.nd.ones((channels,))
    gamma.attach_grad()
    with mx.autograd.record():
        out = mx.nd.BatchNorm(data, gamma, beta, mean, variance, fix_gamma=False)
    out.backward()
    assert out.shape == shape
    np.testing.assert_array_equal(gamma.grad.asnumpy(), np.zeros(channels))
    np.testing.assert_array_equal(variance.asnumpy(), np.ones(channels))

    executor = mx.sym.BatchNorm(mx.sym.Variable("data"), name="norm", fix_gamma=False).simple_bind(
        mx.cpu(), data=shape
    )
    executor.forward(is_train=True)
    executor.backward([mx.nd.zeros(shape)])
    assert executor.outputs[0].shape == shape
    np.testing.assert_array_equal(executor.grad_dict["norm_gamma"].asnumpy(), np.zeros(channels))


def test_up_sampling_of_no_channels() -> None:
    data, weight = mx.nd.zeros((1, 0, 3, 3)), mx.nd.zeros((0, 1, 4, 4))
    for kind, inputs in (("nearest", [data]), ("bilinear", [data, weight])):
        data.attach_grad()
        with mx.autograd.record():
            out = mx.nd.UpSampling(*inputs, scale=2, sample_type=kind, num_filter=0, num_args=len(inputs))
        out.backward()
        assert out.asnumpy().shape == (1, 0, 6, 6)
        assert data.grad.asnumpy().shape == data.shape


@pytest.mark.parametrize("name", ["LayerNorm", "GroupNorm"])
def test_statistics_of_nothing_are_nan(name: str) -> None:
    shape = (2, 4, 0)
    weight = mx.nd.ones((0 if name == "LayerNorm" else 1,))
    _, *statistics = getattr(mx.nd, name)(mx.nd.zeros(shape), weight, weight, output_mean_var=True)
    for array in statistics:
        assert array.size > 0 and np.isnan(array.asnumpy()).all()
