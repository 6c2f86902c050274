"""Prediction with whole networks, bound once: ResNet-50 and MobileNet v2 at 224 pixels."""

from __future__ import annotations

import importlib
from typing import Any, Callable

from bench.arrays import module_of, to_array
from bench.case import Call, Case, Goal, Setup
from bench.inputs import uniform

Build = Callable[[Any], Any]
# Channels inside relative to those before, filters, blocks, step of the first one.
MOBILENET = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)


def _layer(
    mx: Any,
    x: Any,
    name: str,
    filters: int,
    kernel: int,
    end: str,
    step: int = 1,
    groups: int = 1,
    skip: Any = None,
) -> Any:
    window = {"kernel": (kernel,) * 2, "stride": (step,) * 2, "pad": (kernel // 2,) * 2}
    x = mx.sym.Convolution(x, num_filter=filters, num_group=groups, no_bias=True, name=name, **window)
    x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-5, name=f"{name}_bn")
    if skip is not None:
        x = x + skip
    if end == "relu6":
        return mx.sym.clip(x, a_min=0, a_max=6)
    return mx.sym.Activation(x, act_type="relu") if end else x


def _classes(mx: Any, x: Any) -> Any:
    x = mx.sym.Pooling(x, global_pool=True, pool_type="avg", kernel=(7, 7))
    return mx.sym.FullyConnected(x, num_hidden=1000, name="classes")


def _resnet(mx: Any) -> Any:
    x = _layer(mx, mx.sym.Variable("data"), "first", 64, 7, "relu", 2)
    x = mx.sym.Pooling(x, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type="max")
    for stage, (blocks, filters) in enumerate(((3, 64), (4, 128), (6, 256), (3, 512))):
        for block in range(blocks):
            step = 2 if block == 0 and stage > 0 else 1
            name = f"stage{stage}_{block}"
            skip = _layer(mx, x, f"{name}_skip", 4 * filters, 1, "", step) if block == 0 else x
            y = _layer(mx, x, f"{name}_a", filters, 1, "relu")
            y = _layer(mx, y, f"{name}_b", filters, 3, "relu", step)
            x = _layer(mx, y, f"{name}_c", 4 * filters, 1, "relu", skip=skip)
    return _classes(mx, x)


def _mobilenet(mx: Any) -> Any:
    x, channels = _layer(mx, mx.sym.Variable("data"), "first", 32, 3, "relu6", 2), 32
    for stage, (wider, filters, blocks, first_step) in enumerate(MOBILENET):
        for block in range(blocks):
            step, inside = (first_step if block == 0 else 1), channels * wider
            name = f"stage{stage}_{block}"
            y = _layer(mx, x, f"{name}_a", inside, 1, "relu6") if wider > 1 else x
            y = _layer(mx, y, f"{name}_b", inside, 3, "relu6", step, inside)
            skip = x if step == 1 and channels == filters else None
            x, channels = _layer(mx, y, f"{name}_c", filters, 1, "", skip=skip), filters
    return _classes(mx, _layer(mx, x, "last", 1280, 1, "relu6"))


def _setup(key: str, build: Build, batch: int) -> Setup:
    def setup() -> Call:
        mx: Any = importlib.import_module(module_of(key))
        net = build(mx)
        given, _, states = net.infer_shape(data=(batch, 3, 224, 224))

        def value(name: str, shape: tuple[int, ...], seed: int) -> Any:
            if name.endswith(("gamma", "var")):
                return to_array(mx, uniform(*shape, seed=seed, low=0.4, high=0.6))
            size = 1
            for extent in shape[1:]:
                size *= extent
            bound = (6 / size) ** 0.5 if name.endswith("weight") else 1.0
            return to_array(mx, uniform(*shape, seed=seed, low=-bound, high=bound))

        args = {n: value(n, s, i) for i, (n, s) in enumerate(zip(net.list_arguments(), given))}
        names = net.list_auxiliary_states()
        aux = {n: value(n, s, 1000 + i) for i, (n, s) in enumerate(zip(names, states))}
        executor = net.bind(mx.cpu(), args, grad_req="null", aux_states=aux)

        def call() -> Any:
            out = executor.forward(is_train=False)[0]
            out.wait_to_read()
            return out

        return call

    return setup


def _case(name: str, title: str, build: Build, batch: int) -> Case:
    return Case(
        f"predict_{name}_{batch}",
        f"{title}, batch {batch}",
        {key: _setup(key, build, batch) for key in ("mixgrad", "mxnet")},
        # No flops: those of the direct sum exceed the machine's peak where products are saved.
        goal=Goal(("mxnet",)),
    )


CASES = [
    _case(name, title, build, batch)
    for name, title, build in (("resnet", "ResNet-50", _resnet), ("mobilenet", "MobileNet v2", _mobilenet))
    for batch in (1, 16)
]
