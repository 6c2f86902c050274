"""Weights divided by their largest singular value (Miyato et al. 2018)."""

from __future__ import annotations

from typing import Any, Optional

from .. import numpy as np
from ..base import InvalidArgumentError
from .computed_weight import ComputedWeight, Some, begin, end
from .grad_mode import no_grad
from .module import Module
from .modules.convolution import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d

__all__ = ["remove_spectral_norm", "spectral_norm"]


class SpectralNorm(ComputedWeight):
    """What computes the weight before each call of a module."""

    in_graphs = False  # it changes the vectors
    what, parts = "spectral norm", ("orig", "u", "v")

    def __init__(self, name: str, count: int, eps: float, dim: int) -> None:
        super().__init__(name)
        self.count, self.eps, self.dim = count, eps, dim

    def matrix(self, weight: Any) -> Any:
        """The weight with one row for each place of an axis."""
        return np.moveaxis(weight, self.dim, 0).reshape((weight.shape[self.dim], -1))

    def unit(self, vector: Any) -> Any:
        """The vector divided by its length."""
        return vector / np.maximum(np.sqrt((vector * vector).sum()), self.eps)

    def weight(self, module: Module, count: int = 0) -> Any:
        """The weight divided by its norm, after that many steps of the power method."""
        weight, left, right = (getattr(module, f"{self.name}_{part}") for part in self.parts)
        matrix = self.matrix(weight)
        with no_grad():
            u, v = left.copy(), right.copy()  # what a backward pass needs stays as it is
            fixed = matrix.detach()
            for _ in range(count):
                v = self.unit(np.dot(fixed.T, u))
                u = self.unit(np.dot(fixed, v))
            if count:
                left[:], right[:] = u, v
        return weight / (u * np.dot(matrix, v)).sum()

    def __call__(self, module: Module, args: tuple[Any, ...]) -> None:
        setattr(module, self.name, self.weight(module, self.count if module.training else 0))


def spectral_norm(
    module: Some,
    name: str = "weight",
    n_power_iterations: int = 1,
    eps: float = 1e-12,
    dim: Optional[int] = None,
) -> Some:
    """Divide a weight by its largest singular value, which the power method estimates.

    The weight becomes the parameter ``weight_orig`` with the buffers ``weight_u`` and ``weight_v``, the
    singular vectors, which each call in training makes better. Names in states are those of PyTorch's
    ``torch.nn.utils.spectral_norm``.

    Parameters
    ----------
    module : Module
        The layer, which is returned.
    name : str
        Of the parameter.
    n_power_iterations : int
        Steps of the power method in each call.
    eps : float
        Keeps the division by a length finite.
    dim : int, optional
        The axis of the outputs; by default 1 of transposed convolutions and 0 of other layers.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> layer = nn.utils.spectral_norm(nn.Linear(40, 20), n_power_iterations=100)
    >>> _ = layer(np.ones((1, 40)))
    >>> round(np.linalg.svd(layer.weight.detach())[1].max().item(), 2)
    1.0
    >>> list(layer.state_dict())
    ['bias', 'weight_orig', 'weight_u', 'weight_v']
    """
    who = "spectral_norm"
    weight = begin(who, module, SpectralNorm, name)
    if dim is None:
        dim = int(isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)))
    if n_power_iterations < 1 or not eps >= 0 or not 0 <= dim < weight.ndim:
        raise InvalidArgumentError(
            f"[{who}] n_power_iterations {n_power_iterations!r}, eps {eps!r}, dim {dim!r}; expected one "
            f"step at least, a number of at least 0, and an axis of {weight.ndim}"
        )
    hook = SpectralNorm(name, n_power_iterations, eps, dim)
    with no_grad():
        value = weight.detach()
        rows, columns = hook.matrix(value).shape
        vectors = [
            hook.unit(np.random.normal(size=(count,), ctx=value.context).astype(value.dtype))
            for count in (rows, columns)
        ]
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    for part, vector in zip("uv", vectors):
        module.register_buffer(f"{name}_{part}", vector)
    setattr(module, name, value)
    module.register_forward_pre_hook(hook)
    return module


def remove_spectral_norm(module: Some, name: str = "weight") -> Some:
    """Undo :func:`spectral_norm`: the weight is a parameter again, with the value that it has now.

    Examples
    --------
    >>> from mixgrad import nn
    >>> layer = nn.utils.remove_spectral_norm(nn.utils.spectral_norm(nn.Linear(2, 3)))
    >>> list(layer.state_dict())
    ['bias', 'weight']
    """
    return end("remove_spectral_norm", module, SpectralNorm, name)
