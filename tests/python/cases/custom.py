"""The operator that runs functions of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
from opcase import Array, Case

import mixgrad as mx


class ScaledSum(mx.operator.CustomOp):
    def __init__(self, scale: float) -> None:
        self.scale = scale

    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        self.assign(out_data[0], req[0], self.scale * (in_data[0] + in_data[1]))
        self.assign(out_data[1], req[1], in_data[0] * in_data[1])

    def backward(self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any) -> None:
        for k in range(2):
            gradient = self.scale * out_grad[0] + in_data[1 - k] * out_grad[1]
            self.assign(in_grad[k], req[k], gradient)


@mx.operator.register("case_scaled_sum")
class ScaledSumProp(mx.operator.CustomOpProp):
    def __init__(self, scale: str = "1") -> None:
        super().__init__()
        self.scale = float(scale)

    def list_arguments(self) -> list[str]:
        return ["a", "b"]

    def list_outputs(self) -> list[str]:
        return ["sum", "product"]

    def infer_shape(self, in_shape: Any) -> Any:
        if tuple(in_shape[0]) != tuple(in_shape[1]):
            raise ValueError(f"shapes {in_shape} differ")
        return in_shape, [in_shape[0]] * 2, []

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> mx.operator.CustomOp:
        return ScaledSum(self.scale)


def scaled_sum(a: Array, b: Array, scale: str = "1", **_: Any) -> tuple[Array, Array]:
    return float(scale) * (a + b), a * b


A, B = np.linspace(-1, 1, 6).reshape(2, 3), np.linspace(2, -3, 6).reshape(2, 3)

CASES = [
    Case("Custom", [A, B], {"op_type": "case_scaled_sum"}, ref=scaled_sum, dtypes=("float32", "float64")),
    Case(
        "Custom",
        [(2, 2), (2, 3)],
        {"op_type": "case_scaled_sum"},
        fails="differ",
        dtypes=("float32",),
        id="shapes",
    ),
    Case(
        "Custom",
        [(0, 2), (0, 2)],
        {"op_type": "case_scaled_sum"},
        ref=scaled_sum,
        dtypes=("float32",),
        id="empty",
    ),
]
