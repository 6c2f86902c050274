"""Activations as modules."""

from __future__ import annotations

from typing import Any, Optional

from ... import ops
from .. import functional as F
from .. import init
from ..diagnosis import refuse_shape
from ..module import Module
from .linear import made

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
]


class _Activation(Module):
    """A module without parameters, which shows the options that its class names."""

    _shown: tuple[str, ...] = ()

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        parts = [f"{name}={getattr(self, name)!r}" for name in self._shown]
        if getattr(self, "inplace", False):
            parts.append("inplace=True")
        return ", ".join(parts)


class ReLU(_Activation):
    """``max(x, 0)``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.relu(input, True) if self.inplace else ops.relu(input)


class ReLU6(_Activation):
    """``x`` limited to the interval from 0 to 6."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.relu6(input, self.inplace)


class LeakyReLU(_Activation):
    """``x`` where it is positive, ``negative_slope * x`` elsewhere."""

    _shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class RReLU(_Activation):
    """LeakyReLU with slopes that are drawn in training."""

    _shown = ("lower", "upper")

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


class ELU(_Activation):
    """``x`` where it is positive, ``alpha * (exp(x) - 1)`` elsewhere."""

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.elu(input, self.alpha, self.inplace)


class CELU(_Activation):
    """``max(x, 0) + min(0, alpha * (exp(x / alpha) - 1))``."""

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Activation):
    """The self-normalising unit."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.selu(input, self.inplace)


class GELU(_Activation):
    """``x`` times the normal distribution's function of ``x``."""

    _shown = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.gelu(input, self.approximate)


class Sigmoid(_Activation):
    """``1 / (1 + exp(-x))``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return ops.sigmoid(input)


class Tanh(_Activation):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return ops.tanh(input)


class Softplus(_Activation):
    """``log(1 + exp(beta * x)) / beta``."""

    _shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.softplus(input, self.beta, self.threshold)


class Softsign(_Activation):
    """``x / (1 + abs(x))``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.softsign(input)


class Hardtanh(_Activation):
    """``x`` limited to an interval."""

    _shown = ("min_val", "max_val")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class Hardsigmoid(_Activation):
    """``relu6(x + 3) / 6``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.hardsigmoid(input, self.inplace)


class Hardswish(_Activation):
    """``x * hardsigmoid(x)``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.hardswish(input, self.inplace)


class Hardshrink(_Activation):
    """``x`` where its magnitude is above ``lambd``, else 0."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.hardshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return str(self.lambd)


class Softshrink(_Activation):
    """``x`` moved towards 0 by ``lambd``."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.softshrink(input, self.lambd)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return str(self.lambd)


class Tanhshrink(_Activation):
    """``x - tanh(x)``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.tanhshrink(input)


class Threshold(_Activation):
    """``x`` where it is above the threshold, else a value."""

    _shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.threshold(input, self.threshold, self.value, self.inplace)


class LogSigmoid(_Activation):
    """``log(sigmoid(x))``."""

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.logsigmoid(input)


class SiLU(_Activation):
    """``x * sigmoid(x)``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.silu(input, self.inplace)


class Mish(_Activation):
    """``x * tanh(softplus(x))``."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.mish(input, self.inplace)


class GLU(_Activation):
    """The first half along an axis, times the sigmoid of the second."""

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.glu(input, self.dim)


class Softmax(_Activation):
    """``exp(x) / sum(exp(x))`` along an axis."""

    _shown = ("dim",)

    def __init__(self, dim: Optional[int] = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.softmax(input, self.dim)


class Softmin(_Activation):
    """Softmax of ``-x``."""

    _shown = ("dim",)

    def __init__(self, dim: Optional[int] = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.softmin(input, self.dim)


class LogSoftmax(_Activation):
    """The logarithm of Softmax."""

    _shown = ("dim",)

    def __init__(self, dim: Optional[int] = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Any shape."""
        return F.log_softmax(input, self.dim)


class Softmax2d(_Activation):
    """Softmax over the channels of pictures, ``(N, C, H, W)`` or ``(C, H, W)``."""

    def forward(self, input: Any) -> Any:
        """Pictures."""
        return F.softmax(input, -3)


class PReLU(Module):
    """LeakyReLU with slopes that are learnt.

    Parameters
    ----------
    num_parameters : int
        1, or one for each channel.
    init : float
        What they start from.
    """

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = made((num_parameters,), device, dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Start anew."""
        init.constant_(self.weight, self.init)

    def _check_inputs(self, input: Any) -> None:
        if self.num_parameters != 1 and (input.ndim < 2 or input.shape[1] != self.num_parameters):
            refuse_shape("PReLU", "input", input, f"(N, {self.num_parameters}, ...)")

    def forward(self, input: Any) -> Any:
        """``(N, C, ...)``."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """What ``repr`` shows."""
        return f"num_parameters={self.num_parameters}"
