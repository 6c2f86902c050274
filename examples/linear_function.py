"""A linear layer: a function with a gradient of its own, a module around it, and a check of its gradient."""

from __future__ import annotations

from typing import Any, Optional

import mixgrad as mx
from mixgrad import nn, np, optim


class LinearFunction(nn.Function):
    """``x @ weight.T + bias``, with its gradient written down."""

    @staticmethod
    def forward(ctx: Any, x: Any, weight: Any, bias: Optional[Any] = None) -> Any:  # type: ignore[override]
        """``(N, in)`` gives ``(N, out)``."""
        ctx.save_for_backward(x, weight, bias)
        output = np.dot(x, weight.T)
        return output if bias is None else output + bias

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:  # type: ignore[override]
        """The gradients that are wanted, and None for the others."""
        x, weight, bias = ctx.saved_tensors
        grad_x = np.dot(grad_output, weight) if ctx.needs_input_grad[0] else None
        grad_weight = np.dot(grad_output.T, x) if ctx.needs_input_grad[1] else None
        wants_bias = bias is not None and ctx.needs_input_grad[2]
        return grad_x, grad_weight, grad_output.sum(axis=0) if wants_bias else None


class Linear(nn.Module):
    """The function as a module; the bias may be left out."""

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(np.zeros((out_features, in_features)))
        self.register_parameter("bias", nn.Parameter(np.zeros((out_features,))) if bias else None)
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x: Any) -> Any:
        """``(N, in_features)`` gives ``(N, out_features)``."""
        return LinearFunction.apply(x, self.weight, self.bias)


def main() -> None:
    """Check the gradient, and learn a line."""
    mx.random.seed(0)
    shapes = ((20, 5), (3, 5), (3,))
    inputs = [nn.Parameter(np.random.uniform(-1, 1, size=shape).astype("float64")) for shape in shapes]
    print("the gradient is right:", nn.gradcheck(LinearFunction.apply, inputs))

    layer = Linear(2, 1)
    optimizer = optim.SGD(layer.parameters(), lr=0.5)
    x = np.random.uniform(-1, 1, size=(64, 2))
    y = np.dot(x, np.array([[2.0], [-3.0]])) + 1
    for _ in range(100):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(layer(x), y)
        loss.backward()
        optimizer.step()
    print("weight", layer.weight.asnumpy().round(2).tolist(), "bias", layer.bias.asnumpy().round(2).tolist())
    print(f"loss {loss.item():.1e}")


if __name__ == "__main__":
    main()
