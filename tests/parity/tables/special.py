"""Operators that few programs call: deformable convolutions, Hawkes processes, old functions."""

from __future__ import annotations

from typing import Any

from ..case import Case, Input, integer, normal, uniform, values


def _deformable() -> list[Case]:
    image = normal(2, 4, 5, 6)
    base: dict[str, Any] = {"kernel": (3, 3), "num_filter": 4}
    settings: list[tuple[dict[str, Any], tuple[int, int], int, int]] = [
        (base, (3, 4), 1, 1),
        ({**base, "pad": (1, 1)}, (5, 6), 1, 1),
        ({**base, "pad": (1, 2), "stride": (2, 1), "no_bias": True}, (3, 8), 1, 1),
        ({**base, "dilate": (2, 1), "num_group": 2}, (1, 4), 2, 1),
        ({**base, "pad": (1, 1), "num_deformable_group": 2}, (5, 6), 1, 2),
        ({**base, "pad": (1, 1), "num_group": 4, "num_deformable_group": 4}, (5, 6), 4, 4),
    ]
    cases = []
    close: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-4}
    for params, size, groups, shared in settings:
        offset = uniform(2, 18 * shared, *size, low=-2.5, high=2.5)
        weights = [normal(4, 4 // groups, 3, 3)] + ([] if params.get("no_bias") else [normal(4)])
        plain = (image, offset, *weights)
        masked = (image, offset, uniform(2, 9 * shared, *size), *weights)
        cases += [
            Case("contrib.DeformableConvolution", plain, params, grad=tuple(range(len(plain))), **close),
            Case(
                "contrib.ModulatedDeformableConvolution",
                masked,
                params,
                **close,
            ),
        ]
    bad = (image, normal(2, 17, 3, 4), normal(4, 4, 3, 3), normal(4))
    cases.append(Case("contrib.DeformableConvolution", bad, base, error=True))
    return cases


def _hawkes() -> list[Case]:
    def sample(n: int, k: int, t: int, length: Input, end: float, **kinds: Any) -> tuple[Input, ...]:
        return (
            uniform(n, k, low=0.5, high=2),
            uniform(k, low=0.1, high=0.5),
            uniform(k, low=0.5, high=2),
            uniform(n, k),
            uniform(n, t, low=0.1),
            integer(n, t, high=k, dtype="int32"),
            length,
            values([end] * n),
        )

    op = "contrib.hawkesll"
    close: dict[str, Any] = {"rtol": 1e-4, "atol": 1e-4}
    cases = [
        Case(op, sample(n, k, t, values(lengths), 10.0), grad=(0, 1, 2), **close)
        for n, k, t, lengths in (
            (2, 3, 4, [4, 2]),
            (1, 1, 7, [7]),
            (3, 2, 5, [0, 1, 5]),
            (2, 4, 12, [12, 11]),
            (1, 5, 3, [3]),
        )
    ]
    return cases


def _norms() -> list[Case]:
    def inputs(*shape: int) -> tuple[Input, ...]:
        per = (shape[1],)
        return normal(*shape), normal(*per), normal(*per), normal(*per), uniform(*per, low=0.5, high=2)

    cases = []
    # MXNet shares buffers by key, so layers of 4 channels need one of their own.
    for op, more, other in (
        ("contrib.BatchNormWithReLU", {}, {}),
        ("contrib.SyncBatchNorm", {"key": "three"}, {"key": "four"}),
    ):
        close: dict[str, Any] = {"grad": (0, 1, 2), "state": (3, 4), "rtol": 1e-4, "atol": 1e-4}
        cases += [
            Case(op, inputs(2, 3, 4, 5), {"fix_gamma": False, **more}, **close),
            Case(op, inputs(3, 4, 2, 3), {"fix_gamma": True, "eps": 0.01, **other}, **close),
            Case(op, inputs(2, 3, 4, 5), {"fix_gamma": False, "momentum": 0.5, **more}, **close),
            Case(op, inputs(2, 3, 4, 5), {"fix_gamma": False, **more}, tag="prediction"),
            Case(op, inputs(4, 3, 1, 1), {"use_global_stats": True, "fix_gamma": False, **more}, **close),
        ]
    return cases


def _close() -> list[Case]:
    op = "contrib.allclose"
    one, other = normal(3, 4), uniform(3, 4)
    near = values([1.0, 2.0, 3.0])
    return [
        Case(op, (one, one), {"atol": 1e9}),
        Case(op, (one, other)),
        Case(op, (near, values([1.0001, 2.0, 3.0])), {"rtol": 1e-3}),
        Case(op, (near, values([1.0001, 2.0, 3.0])), {"rtol": 1e-6}),
        Case(op, (near, values([1.5, 2.0, 3.0])), {"rtol": 0.0, "atol": 0.6}),
        Case(op, (values([1.0, float("nan")]), values([1.0, float("nan")])), {"equal_nan": False}, tag="no"),
        Case(op, (values([1.0, float("nan")]), values([1.0, float("nan")])), {"equal_nan": True}),
        Case(op, (values([float("inf")]), values([float("inf")]))),
        Case(op, (integer(5, dtype="int32"), integer(5, dtype="int32"))),
        Case(op, (normal(3), normal(4)), error=True),
    ]


def _joined() -> list[Case]:
    op = "_rnn_param_concat"
    return [
        Case(op, (normal(3), normal(5)), {"dim": 0}, grad=(0, 1)),
        Case(op, (normal(3), normal(5), normal(1)), {"dim": 0}, grad=(0, 1, 2)),
        Case(op, (normal(3),), {"dim": 0}, grad=(0,)),
        Case(op, (normal(2, 3), normal(4, 3)), {"dim": 0}, grad=(0, 1)),
        Case(op, (normal(2, 3), normal(2, 1)), {"dim": 1}, grad=(0, 1)),
        Case(op, (normal(2, 3), normal(2, 2)), {"dim": 0}, error=True),
    ]


def _old() -> list[Case]:
    fill = "fill_element_0index"
    index = values([1.0, 3.0, 0.0])
    rows = normal(3, 4)
    places = ([1, 3, 0], [0, 0, 0], [3, 3, 1], [1, 2, 2])
    cases = [Case(fill, (normal(3, 4), normal(3), values(v)), tag=str(v)) for v in places]
    cases += [
        Case("onehot_encode", (values(v), rows), tag=str(v))
        for v in ([1, 3, 0], [0, 0, 2], [2.5, 0, 0], [3, 3, 3])
    ]
    cases += [Case("_set_value", (normal(2, 3, name="out"),), args=(v,)) for v in (2.5, 0.0, -1.0, 1e30)]
    cases += [
        Case("_scatter_plus_scalar", (normal(2, 3, dtype=d),), {"scalar": 2.0})
        for d in ("float32", "float64")
    ]
    cases += [
        Case("_scatter_minus_scalar", (normal(2, 3, dtype=d),), {"scalar": 2.0})
        for d in ("float32", "float64")
    ]
    cases += [Case("_scatter_elemwise_div", (normal(2, 3), uniform(2, 3, low=1, high=2)))]
    cases += [Case(fill, (normal(3, 4), normal(2), index), error=True)]
    return cases


def _drawn() -> list[Case]:
    op = "_sample_unique_zipfian"
    return [
        Case(op, (), {"range_max": 3, "shape": (1, 4)}, error=True),
        Case(op, (), {"range_max": 3, "shape": (4,)}, error=True),
    ]


CASES = _deformable() + _hawkes() + _norms() + _close() + _joined() + _old() + _drawn()
