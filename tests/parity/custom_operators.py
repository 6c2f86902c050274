"""Operators of the program, for real MXNet and for mixgrad (programs.py runs them)."""

from __future__ import annotations

from functools import cache
from typing import Any

PREFIX = "parity_"


@cache
def register(mx: Any) -> None:
    """Register them, once in each library."""
    operator = mx.operator

    class Scaled(operator.CustomOp):  # type: ignore[misc, name-defined]
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.factor = factor

        def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            self.assign(out_data[0], req[0], in_data[0] * self.factor)

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            self.assign(in_grad[0], req[0], out_grad[0] * self.factor)

    class ScaledProp(operator.CustomOpProp):  # type: ignore[misc, name-defined]
        def __init__(self, factor: str) -> None:
            super().__init__(need_top_grad=True)
            self.factor = float(factor)

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            return Scaled(self.factor)

    class SumAndProduct(operator.CustomOp):  # type: ignore[misc, name-defined]
        def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            self.assign(out_data[0], req[0], in_data[0] + in_data[1])
            self.assign(out_data[1], req[1], in_data[0] * in_data[1])

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            for i in range(2):
                self.assign(in_grad[i], req[i], out_grad[0] + out_grad[1] * in_data[1 - i])

    class SumAndProductProp(operator.CustomOpProp):  # type: ignore[misc, name-defined]
        def list_arguments(self) -> list[str]:
            return ["left", "right"]

        def list_outputs(self) -> list[str]:
            return ["sum", "product"]

        def infer_shape(self, in_shape: Any) -> Any:
            return [in_shape[0]] * 2, [in_shape[0]] * 2, []

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            return SumAndProduct()

    class SquaredLoss(operator.CustomOp):  # type: ignore[misc, name-defined]
        def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            self.assign(out_data[0], req[0], in_data[0])

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            self.assign(in_grad[0], req[0], 2 * (out_data[0] - in_data[1]))
            self.assign(in_grad[1], req[1], in_data[1] * 0)

    class SquaredLossProp(operator.CustomOpProp):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__(need_top_grad=False)

        def list_arguments(self) -> list[str]:
            return ["data", "label"]

        def infer_shape(self, in_shape: Any) -> Any:
            return [in_shape[0]] * 2, [in_shape[0]], []

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            return SquaredLoss()

    class Counted(operator.CustomOp):  # type: ignore[misc, name-defined]
        def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            aux[0][:] = aux[0] + 1
            self.assign(out_data[0], req[0], in_data[0] + aux[0].asnumpy()[0])

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            self.assign(in_grad[0], req[0], out_grad[0])

    class CountedProp(operator.CustomOpProp):  # type: ignore[misc, name-defined]
        def list_auxiliary_states(self) -> list[str]:
            return ["count"]

        def infer_shape(self, in_shape: Any) -> Any:
            return in_shape, in_shape, [(1,)]

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            return Counted()

    class Outer(operator.CustomOp):  # type: ignore[misc, name-defined]
        def forward(self, is_train: bool, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            self.assign(
                out_data[0], req[0], mx.nd.dot(in_data[0].reshape((-1, 1)), in_data[1].reshape((1, -1)))
            )

        def backward(
            self, req: Any, out_grad: Any, in_data: Any, out_data: Any, in_grad: Any, aux: Any
        ) -> None:
            self.assign(in_grad[0], req[0], mx.nd.dot(out_grad[0], in_data[1]))
            self.assign(in_grad[1], req[1], mx.nd.dot(out_grad[0].T, in_data[0]))

    class OuterProp(SumAndProductProp):
        def list_outputs(self) -> list[str]:
            return ["product"]

        def infer_shape(self, in_shape: Any) -> Any:
            return in_shape, [(in_shape[0][0], in_shape[1][0])], []

        def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
            return Outer()

    for name, prop in (
        ("scaled", ScaledProp),
        ("sum_and_product", SumAndProductProp),
        ("squared_loss", SquaredLossProp),
        ("counted", CountedProp),
        ("outer", OuterProp),
    ):
        operator.register(PREFIX + name)(prop)
