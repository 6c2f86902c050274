"""Activation functions as layers."""

from __future__ import annotations

from typing import Any

from ... import initializer
from ..block import HybridBlock

__all__ = ["ELU", "GELU", "SELU", "Activation", "LeakyReLU", "PReLU", "Swish"]


class Activation(HybridBlock):
    """An activation function by its name.

    Parameters
    ----------
    activation : {'relu', 'sigmoid', 'log_sigmoid', 'mish', 'softrelu', 'softsign', 'tanh'}
        Which one.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.Activation("relu")(mx.nd.array([-1, 2])).asnumpy()
    array([0., 2.], dtype=float32)
    """

    def __init__(self, activation: str, **kwargs: Any) -> None:
        self._act_type = activation
        super().__init__(**kwargs)

    def _alias(self) -> str:
        return self._act_type

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return F.Activation(x, act_type=self._act_type, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._act_type})"


class LeakyReLU(HybridBlock):
    """x where it is positive, ``alpha * x`` elsewhere.

    Parameters
    ----------
    alpha : float
        The slope of negative numbers, at least 0.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.LeakyReLU(0.5)(mx.nd.array([-1, 2])).asnumpy()
    array([-0.5,  2. ], dtype=float32)
    """

    def __init__(self, alpha: float, **kwargs: Any) -> None:
        if alpha < 0:
            raise AssertionError(f"[LeakyReLU] alpha is {alpha}; expected at least 0")
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return F.LeakyReLU(x, act_type="leaky", slope=self._alpha, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"


class PReLU(HybridBlock):
    """x where it is positive, ``alpha * x`` elsewhere, with slopes that are learnt.

    Parameters
    ----------
    alpha_initializer : Initializer
        How the slopes start.
    in_channels : int
        1 for one slope, or one for each channel (axis 1).
    """

    def __init__(self, alpha_initializer: Any = None, in_channels: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        chosen = initializer.Constant(0.25) if alpha_initializer is None else alpha_initializer
        with self.name_scope():
            self.alpha = self.params.get("alpha", shape=(in_channels,), init=chosen)

    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Any:
        """Apply it, element by element."""
        return F.LeakyReLU(x, gamma=alpha, act_type="prelu", name="fwd")


class ELU(HybridBlock):
    """x where it is positive, ``alpha * (exp(x) - 1)`` elsewhere (Clevert and others 2016).

    Parameters
    ----------
    alpha : float
        The size of the limit for large negative numbers.
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return F.LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """The scaled exponential linear unit, which keeps means and variances (Klambauer and others 2017)."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return F.LeakyReLU(x, act_type="selu", name="fwd")


class GELU(HybridBlock):
    """x times the probability that a normal number is smaller (Hendrycks and Gimpel 2016)."""

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return F.LeakyReLU(x, act_type="gelu", name="fwd")


class Swish(HybridBlock):
    """``x * sigmoid(beta * x)`` (Ramachandran and others 2017).

    Parameters
    ----------
    beta : float
        1 for SiLU.
    """

    def __init__(self, beta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Apply it, element by element."""
        return x * F.sigmoid(self._beta * x, name="fwd")
