"""Softmax family and operators whose gradient is a loss."""

from __future__ import annotations

import numpy as np

from ..case import Case, grid, integer, normal, uniform, values

LOGITS = normal(4, 5)
LABEL = values([2, 0, 1, 4])


def _softmax() -> list[Case]:
    cases: list[Case] = []
    for op in ("softmax", "log_softmax", "softmin"):
        cases += grid(op, (normal(2, 3, 4),), {}, {"axis": 1}, {"axis": 0}, grad=(0,))
        cases.append(Case(op, (normal(2, 3),), {"temperature": 2.0}, grad=(0,)))
        cases.append(Case(op, (normal(2, 3, dtype="float64"),), grad=(0,), rtol=1e-6))
    cases += [
        Case("softmax", (normal(2, 4), values([2, 4], "int32")), {"use_length": True}, grad=(0,)),
        Case("softmax", (normal(2, 3), values([1, 0], "int32", name="length")), {"use_length": True}),
        Case("softmax", (normal(2, 3, dtype="float16"),), {"dtype": "float32"}, rtol=2e-3, atol=1e-3),
        Case("softmax", (normal(2, 3, dtype="float16"),)),
        Case("softmax", (values([[1000, 1001], [-1000, 0]]),), tag="large"),
        Case("log_softmax", (values([[1000, 1001], [-1000, 0]]),), tag="large"),
        Case("SoftmaxActivation", (normal(2, 3),), grad=(0,)),
        Case("SoftmaxActivation", (normal(2, 3, 4),), {"mode": "channel"}, grad=(0,)),
        Case("softmax_cross_entropy", (LOGITS, LABEL), grad=(0,), ones=True),
    ]
    return cases


def _outputs() -> list[Case]:
    cases = grid(
        "SoftmaxOutput",
        (LOGITS, LABEL),
        {},
        {"grad_scale": 0.5},
        {"use_ignore": True, "ignore_label": 0},
        {"ignore_label": 0},
        {"normalization": "batch"},
        {"normalization": "valid"},
        {"normalization": "valid", "use_ignore": True, "ignore_label": 0},
        {"smooth_alpha": 0.1},
        {"out_grad": True},
        {"out_grad": True, "grad_scale": 2.0},
        grad=(0,),
    )
    image = (normal(2, 3, 4), integer(2, 4, high=3))
    cases += grid(
        "SoftmaxOutput",
        image,
        {"multi_output": True},
        {"multi_output": True, "normalization": "valid"},
        {"multi_output": True, "normalization": "batch"},
        {"multi_output": True, "use_ignore": True, "ignore_label": 0},
        {"multi_output": True, "use_ignore": True, "ignore_label": 0, "normalization": "valid"},
        grad=(0,),
    )
    cases += [
        Case("SoftmaxOutput", (normal(2, 3, 4), integer(2, 3, high=4)), {"preserve_shape": True}, grad=(0,)),
        Case("SoftmaxOutput", (LOGITS, uniform(4, 5)), grad=(0,), tag="probabilities"),
        Case("Softmax", (LOGITS, LABEL), grad=(0,)),
        Case("SoftmaxOutput", (LOGITS, values([0, 5, -1, 2])), grad=(0,), tag="outside"),
        Case(
            "SoftmaxOutput",
            (LOGITS, values([np.nan, 1e30, -7, 4.7])),
            {"smooth_alpha": 0.1},
            grad=(0,),
            tag="far",
        ),
        Case(
            "SoftmaxOutput",
            (LOGITS, values([-1, 9, 1, -1])),
            {"use_ignore": True, "normalization": "valid"},
            grad=(0,),
            tag="outside_valid",
        ),
        Case("SVMOutput", (LOGITS, values([0, 5, -1, np.nan])), grad=(0,), tag="outside"),
        Case(
            "SVMOutput",
            (LOGITS, values([7, 5, -1, 2])),
            {"use_linear": True},
            grad=(0,),
            tag="outside_linear",
        ),
    ]
    for op in ("LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput"):
        cases += grid(op, (normal(3, 2), normal(3, 2)), {}, {"grad_scale": 2.0}, grad=(0,))
        cases.append(Case(op, (normal(3, 1), normal(3)), grad=(0,)))
    source = (values([0.5, 1, 2, 3]),)
    cases += grid(
        "MakeLoss",
        source,
        {},
        {"grad_scale": 3.0},
        {"normalization": "batch"},
        {"normalization": "valid", "valid_thresh": 1.5},
        grad=(0,),
    )
    return cases


def _few() -> list[Case]:
    double = (normal(3, 4, dtype="float64"), values([1, 0, 3], "float64"))
    cases = grid(
        "SVMOutput",
        (LOGITS, LABEL),
        {},
        {"margin": 0.2},
        {"regularization_coefficient": 0.3},
        {"use_linear": True, "margin": 2.0},
        grad=(0,),
    )
    source, large = (normal(2, 3, dtype="float64"),), values([[1000, 1001], [-1000, 0]])
    cases += [
        Case("SVMOutput", double, grad=(0,)),
        Case("SVMOutput", (LOGITS, values([1, 2])), error=True),
        Case("MakeLoss", source, grad=(0,)),
        Case(
            "MakeLoss",
            (values([[0.5, -1], [2, 0]]),),
            {"grad_scale": -1.0, "normalization": "batch"},
            grad=(0,),
        ),
        Case("MakeLoss", source, {"normalization": "other"}, error=True),
        Case("SoftmaxActivation", (normal(4, 1),), grad=(0,)),
        Case("SoftmaxActivation", (large,), grad=(0,), tag="large"),
        Case("SoftmaxActivation", (normal(2, 3, 2, 2),), grad=(0,)),
        Case("SoftmaxActivation", (normal(2, 1, 3),)),
        Case("SoftmaxActivation", (normal(2, 3, 2, 2),), {"mode": "channel"}, grad=(0,)),
        Case("SoftmaxActivation", (normal(3),), {"mode": "channel"}, error=True),
        Case("softmax_cross_entropy", double, grad=(0,), ones=True),
        Case("softmax_cross_entropy", (normal(1, 1), values([0])), grad=(0,), ones=True),
        Case("softmax_cross_entropy", (large, values([0, 1])), grad=(0,), ones=True, tag="large"),
        Case("softmax_cross_entropy", (normal(2, 7), values([6, 0])), grad=(0,)),
        Case("softmax_cross_entropy", (normal(2, 3), values([0, 1, 2])), error=True),
    ]
    return cases


CASES = _softmax() + _outputs() + _few()
