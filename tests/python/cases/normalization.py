"""Normalisation of vectors, channels and groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import FLOATS, Array, Case, Spec


def whitened(x: Array, axes: Any, eps: float) -> tuple[Array, Array, Array]:
    mean = x.mean(axis=axes, keepdims=True)
    std = np.sqrt(x.var(axis=axes, keepdims=True) + eps)
    return (x - mean) / std, mean, std


def along(values: Array, axis: int, ndim: int) -> Array:
    return values.reshape([-1 if i == axis % ndim else 1 for i in range(ndim)])


def layer_norm(
    x: Array, gamma: Array, beta: Array, axis: int = -1, eps: float = 1e-5, output_mean_var: bool = False
) -> Any:
    out, mean, std = whitened(x, axis, eps)
    out = out * along(gamma, axis, x.ndim) + along(beta, axis, x.ndim)
    return (out, mean, std) if output_mean_var else out


def instance_norm(x: Array, gamma: Array, beta: Array, eps: float = 1e-3) -> Array:
    return whitened(x, tuple(range(2, x.ndim)), eps)[0] * along(gamma, 1, x.ndim) + along(beta, 1, x.ndim)


def group_norm(
    x: Array, gamma: Array, beta: Array, num_groups: int = 1, eps: float = 1e-5, output_mean_var: bool = False
) -> Any:
    out, mean, std = whitened(x.reshape(x.shape[0], num_groups, -1), 2, eps)
    out = (out * gamma[None, :, None] + beta[None, :, None]).reshape(x.shape)
    return (out, mean[:, :, 0], std[:, :, 0]) if output_mean_var else out


def batch_axes(x: Array, axis: int) -> tuple[int, ...]:
    return tuple(i for i in range(x.ndim) if i != axis % x.ndim)


class BatchNorm:
    """Values, and the moving averages after the call."""

    def __init__(self, training: bool) -> None:
        self.training = training

    def __call__(self, x: Array, gamma: Array, beta: Array, mean: Array, var: Array, **params: Any) -> Any:
        axis, eps = params.get("axis", 1), params.get("eps", 1e-3)
        if self.training and not params.get("use_global_stats"):
            mean, var = x.mean(axis=batch_axes(x, axis)), x.var(axis=batch_axes(x, axis))
        if params.get("fix_gamma", True):
            gamma = np.ones_like(gamma)
        inverse = 1 / np.sqrt(var + eps)
        out = (x - along(mean, axis, x.ndim)) * along(inverse * gamma, axis, x.ndim) + along(
            beta, axis, x.ndim
        )
        return (out, mean, inverse) if params.get("output_mean_var") else out

    def states(self, x: Array, gamma: Array, beta: Array, mean: Array, var: Array, **params: Any) -> Any:
        axis, keep = params.get("axis", 1), params.get("momentum", 0.9)
        if not self.training or params.get("use_global_stats"):
            return mean, var
        now = x.mean(axis=batch_axes(x, axis)), x.var(axis=batch_axes(x, axis))
        return keep * mean + (1 - keep) * now[0], keep * var + (1 - keep) * now[1]


class BatchNormWithReLU(BatchNorm):
    def __call__(self, *arrays: Array, **params: Any) -> Any:
        out = super().__call__(*arrays, **params)
        return (np.maximum(out[0], 0), *out[1:]) if isinstance(out, tuple) else np.maximum(out, 0)


class SyncBatchNorm(BatchNorm):
    def __call__(self, *arrays: Array, **params: Any) -> Any:
        out = super().__call__(*arrays, **params)
        return (*out[:2], 1 / out[2] ** 2 - params.get("eps", 1e-3)) if isinstance(out, tuple) else out


NORMS = {
    "BatchNorm": BatchNorm,
    "_contrib_BatchNormWithReLU": BatchNormWithReLU,
    "_contrib_SyncBatchNorm": SyncBatchNorm,
}


def lrn(x: Array, nsize: int, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0) -> Array:
    square = np.zeros_like(x)
    for c in range(x.shape[1]):
        square[:, c] = (x[:, max(0, c - nsize // 2) : c + nsize // 2 + 1] ** 2).sum(axis=1)
    return x * (knorm + alpha / nsize * square) ** -beta


def weights(n: int) -> list[Spec]:
    return [Spec((n,), 0.5, 1.5), Spec((n,))]


def batch(shape: tuple[int, ...], channels: int) -> list[Any]:
    return [Spec(shape, -2, 2), *weights(channels), Spec((channels,)), Spec((channels,), 0.5, 1.5)]


def batch_case(shape: tuple[int, ...], channels: int, training: bool, **params: Any) -> Case:
    op = params.pop("op", "BatchNorm")
    ref = NORMS[op](training)
    if op == "_contrib_SyncBatchNorm":
        params["key"] = "norm0"
    extra: dict[str, Any] = {}
    if params.pop("forward_only", False):
        extra["grad"] = False
    return Case(
        op,
        batch(shape, channels),
        params,
        ref,
        states=ref.states,
        training=training,
        rtol=2e-4,
        atol=2e-5,
        **{"grad": (0, 1, 2) if not params.get("fix_gamma", True) else (0, 2), **extra},
    )


LOOSE: dict[str, Any] = {"rtol": 2e-4, "atol": 2e-5}
CASES = [
    Case("LayerNorm", [Spec((3, 4), -2, 2), *weights(4)], {}, layer_norm, **LOOSE),
    Case("LayerNorm", [Spec((2, 3, 4), -2, 2), *weights(4)], {"eps": 0.1}, layer_norm, **LOOSE),
    Case("LayerNorm", [Spec((4, 3), -2, 2), *weights(4)], {"axis": 0}, layer_norm, **LOOSE),
    Case("LayerNorm", [Spec((2, 4, 19), -2, 2), *weights(4)], {"axis": 1}, layer_norm, **LOOSE),
    Case("LayerNorm", [Spec((70, 5), -2, 2), *weights(5)], {}, layer_norm, **LOOSE),
    Case("LayerNorm", [Spec((2, 9000), -2, 2), *weights(9000)], {}, layer_norm, grad=False, **LOOSE),
    Case(
        "LayerNorm",
        [Spec((2, 4, 3), -2, 2), *weights(4)],
        {"axis": 1, "output_mean_var": True},
        layer_norm,
        grad=False,
        **LOOSE,
    ),
    Case("LayerNorm", [(0, 4), *weights(4)], {}, layer_norm, id="empty"),
    Case("LayerNorm", [(3, 4), *weights(3)], {}, fails="[LayerNorm]", id="weights"),
    Case("InstanceNorm", [Spec((2, 4, 5), -2, 2), *weights(4)], {}, instance_norm, **LOOSE),
    Case("InstanceNorm", [Spec((2, 3, 4, 5), -2, 2), *weights(3)], {"eps": 0.1}, instance_norm, **LOOSE),
    Case("InstanceNorm", [Spec((2, 3, 9, 9), -2, 2), *weights(3)], {}, instance_norm, **LOOSE),
    Case("InstanceNorm", [(2, 3), *weights(3)], {}, fails="three axes", id="axes"),
    Case("GroupNorm", [Spec((2, 6, 3), -2, 2), *weights(2)], {"num_groups": 2}, group_norm, **LOOSE),
    Case("GroupNorm", [Spec((2, 4, 5, 6), -2, 2), *weights(1)], {"eps": 0.1}, group_norm, **LOOSE),
    Case(
        "GroupNorm",
        [Spec((2, 6, 3), -2, 2), *weights(3)],
        {"num_groups": 3, "output_mean_var": True},
        group_norm,
        grad=False,
        **LOOSE,
    ),
    Case("GroupNorm", [(2, 6, 3), *weights(4)], {"num_groups": 4}, fails="num_groups is 4", id="groups"),
    Case("BatchNorm", batch((2, 3), 4), {}, fails="[BatchNorm]", id="channels"),
]
for training in (False, True):
    CASES += [
        batch_case((3, 4, 5), 4, training, fix_gamma=False),
        batch_case((3, 4, 5), 4, training),
        batch_case((3, 4, 5), 4, training, fix_gamma=False, momentum=0.5, eps=1e-2),
        batch_case((3, 4, 5), 4, training, fix_gamma=False, use_global_stats=True),
        batch_case((6, 4), 4, training, fix_gamma=False),
        batch_case((3, 5, 4), 4, training, fix_gamma=False, axis=-1),
        batch_case((2, 3, 8, 9), 3, training, fix_gamma=False),
        batch_case((300, 3, 2), 3, training, fix_gamma=False, forward_only=True),
        batch_case((3, 2, 9000), 2, training, fix_gamma=False, forward_only=True),
        batch_case((3, 4, 5), 4, training, fix_gamma=False, output_mean_var=True, forward_only=True),
    ]
    for other in ("_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"):
        CASES += [
            batch_case((3, 4, 5), 4, training, op=other, fix_gamma=False),
            batch_case((3, 4, 5), 4, training, op=other, fix_gamma=False, momentum=0.5, eps=1e-2),
            batch_case((3, 4, 5), 4, training, op=other, fix_gamma=False, use_global_stats=True),
            batch_case((6, 4), 4, training, op=other),
            batch_case((2, 3, 8, 9), 3, training, op=other, fix_gamma=False),
            batch_case((40, 3, 64), 3, training, op=other, forward_only=True),
            batch_case((3, 4, 5), 4, training, op=other, output_mean_var=True, forward_only=True),
        ]
    CASES.append(batch_case((3, 5, 4), 4, training, op="_contrib_BatchNormWithReLU", axis=-1))
for other in ("_contrib_BatchNormWithReLU", "_contrib_SyncBatchNorm"):
    key = {"key": "norm0"} if other == "_contrib_SyncBatchNorm" else {}
    CASES.append(Case(other, batch((2, 3), 4), key, fails=f"[{other}]", id="channels"))
several = {"key": "norm0", "ndev": 2}
CASES.append(Case("_contrib_SyncBatchNorm", batch((2, 3), 3), several, fails="ndev is 2", id="devices"))
for params in (
    {"nsize": 5, "alpha": 0.1},
    {"nsize": 3, "beta": 0.5, "knorm": 1.0},
    {"nsize": 9, "alpha": 0.5},
):
    CASES.append(Case("LRN", [Spec((2, 7, 3, 2), -2, 2)], dict(params), lrn, **LOOSE))
CASES.append(Case("LRN", [(2, 3, 2, 2)], {"nsize": 4}, fails="odd", id="even"))
assert FLOATS
