"""Operators on images in blocks of 16 channels: the plain operators' values in another order."""

from __future__ import annotations

from typing import Any, Callable

from cases.fused import to_blocked, to_plain
from cases.normalization import BatchNorm
from cases.pooling import pooling
from opcase import Array, Case, Spec

from cases.convolution import convolution

ONE: dict[str, Any] = {"rtol": 2e-4, "atol": 2e-5, "grad": False, "dtypes": ("float32",)}
WINDOW: dict[str, Any] = {"kernel": (3, 3), "stride": (1, 1), "dilate": (1, 1), "pad": (1, 1)}


def image_convolution(
    x: Array, *rest: Array, data_layout: str = "plain", out_layout: str = "plain", **params: Any
) -> Array:
    if data_layout == "blocked":
        x = to_plain(x, x.shape[1] * 16)
    y = convolution(x, *rest, **params)
    return to_blocked(y) if out_layout == "blocked" else y


def image_pooling(x: Array, out_layout: str = "blocked", **params: Any) -> Array:
    y = pooling(to_plain(x, x.shape[1] * 16), **params)
    return to_blocked(y) if out_layout == "blocked" else y


class ImageNorm:
    """Values, and the moving averages after the call."""

    def __init__(self, training: bool, finish: Callable[[Array], Array]) -> None:
        self.norm, self.finish = BatchNorm(training), finish

    def __call__(self, x: Array, *rest: Array, **params: Any) -> Any:
        ends = ("activation", "low", "high")
        known = {k: v for k, v in params.items() if k not in ends}
        y = self.norm(to_plain(x, x.shape[1] * 16), *rest, **known)
        return to_blocked(self.finish(y))

    def states(self, x: Array, *rest: Array, **params: Any) -> Any:
        return self.norm.states(to_plain(x, x.shape[1] * 16), *rest, **params)


def norm(shape: tuple[int, ...], training: bool, finish: Callable[[Array], Array], **params: Any) -> Case:
    per = (shape[1] * 16,)
    ref = ImageNorm(training, finish)
    inputs = [Spec(shape, -2, 2), per, per, per, Spec(per, 0.5, 2)]
    return Case("_image_batch_norm", inputs, params, ref, states=ref.states, training=training, **ONE)


def norm_again(
    x: Array, gamma: Array, beta: Array, mean: Array, inverse: Array, fix_gamma: bool = True, **end: Any
) -> Array:
    """Of an image (n, blocks, positions..., 16)."""
    spread = [1, x.shape[1], *[1] * (x.ndim - 3), 16]
    scale = inverse if fix_gamma else gamma * inverse
    y = (x - mean.reshape(spread)) * scale.reshape(spread) + beta.reshape(spread)
    return y.clip(0, None) if end.get("activation") == "relu" else y


def _cases() -> list[Case]:
    per = (32,)
    cases = [
        Case(
            "_image_batch_norm_again",
            [(2, 2, 5, 3, 16), per, per, per, per],
            params,
            norm_again,
            id=name,
            **ONE,
        )
        for name, params in (("gamma", {"fix_gamma": False}), ("relu", {"activation": "relu"}))
    ]
    for training in (False, True):
        cases += [
            norm((2, 2, 5, 3, 16), training, lambda y: y, fix_gamma=False),
            norm((2, 1, 20, 9, 16), training, lambda y: y.clip(0, None), activation="relu", momentum=0.5),
            norm(
                (3, 3, 2, 16),
                training,
                lambda y: y.clip(-0.2, 0.5),
                activation="clip",
                low=-0.2,
                high=0.5,
                fix_gamma=False,
                eps=0.01,
            ),
            norm((2, 2, 3, 3, 16), training, lambda y: y, use_global_stats=True),
        ]
    blocked = {"data_layout": "blocked", "out_layout": "blocked"}
    inputs: list[Any] = [(2, 2, 6, 5, 16), (48, 32, 3, 3), (48,)]
    for name, given, params in (
        ("blocked", inputs, {"num_filter": 48, **blocked}),
        ("to plain", inputs, {"num_filter": 48, "data_layout": "blocked"}),
        ("from plain", [(2, 3, 6, 5), (16, 3, 3, 3), (16,)], {"num_filter": 16, "out_layout": "blocked"}),
        (
            "depthwise",
            [(1, 2, 6, 5, 16), (32, 1, 3, 3), (32,)],
            {"num_filter": 32, "num_group": 32, **blocked},
        ),
        (
            "steps",
            [(1, 1, 7, 6, 16), (32, 16, 3, 3)],
            {"num_filter": 32, "stride": (2, 2), "no_bias": True, **blocked},
        ),
        (
            "wide groups",
            [(2, 4, 5, 6, 16), (64, 32, 3, 3), (64,)],
            {"num_filter": 64, "num_group": 2, **blocked},
        ),
        (
            "steps of groups",
            [(2, 2, 7, 6, 16), (32, 16, 3, 3)],
            {"num_filter": 32, "num_group": 2, "stride": (2, 2), "no_bias": True, **blocked},
        ),
        ("groups", [(1, 2, 5, 5, 16), (32, 8, 3, 3), (32,)], {"num_filter": 32, "num_group": 4, **blocked}),
    ):
        cases.append(
            Case("_image_convolution", given, {**WINDOW, **params}, image_convolution, id=name, **ONE)
        )
    cases.append(
        Case(
            "_image_convolution",
            [(1, 16, 5, 5), (16, 16, 3, 3)],
            {**WINDOW, "num_filter": 16, "no_bias": True, "data_layout": "blocked"},
            fails="blocks of 16",
            **ONE,
        )
    )
    cases.append(
        Case(
            "_image_convolution",
            [(2, 0, 6, 5), (16, 0, 3, 3)],
            {**WINDOW, "num_filter": 16, "no_bias": True, "out_layout": "blocked"},
            fails="0 channels",
            id="no channels",
            **ONE,
        )
    )
    image = Spec((2, 2, 7, 6, 16), kind="distinct")
    two = {"kernel": (2, 2), "stride": (2, 2)}
    for name, params in (
        ("max", {**two, "pool_type": "max"}),
        ("overlap", {"kernel": (3, 3), "stride": (2, 2), "pad": (1, 1), "pool_type": "max"}),
        ("avg", {**two, "pad": (1, 1), "pool_type": "avg"}),
        ("inside", {**two, "pad": (1, 1), "pool_type": "avg", "count_include_pad": False}),
        ("sum", {**two, "pool_type": "sum", "pooling_convention": "full"}),
        ("lp", {**two, "pool_type": "lp", "p_value": 2}),
        ("global", {"global_pool": True, "pool_type": "avg"}),
        ("pixel", {"global_pool": True, "pool_type": "max", "out_layout": "plain"}),
    ):
        cases.append(Case("_image_pooling", [image], params, image_pooling, id=name, **ONE))
    plain = {**two, "out_layout": "plain"}
    cases.append(Case("_image_pooling", [image], plain, fails="one pixel", id="plain", **ONE))
    return cases


CASES = _cases()
