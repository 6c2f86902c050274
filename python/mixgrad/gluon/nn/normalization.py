"""Layers that give numbers mean 0 and variance 1: over batches, channels, groups of channels."""

from __future__ import annotations

from typing import Any, Optional

from ...base import DTypeLike, dtype_number
from ..block import HybridBlock
from ..parameter import ParameterDict

__all__ = ["BatchNorm", "BatchNormReLU", "GroupNorm", "InstanceNorm", "LayerNorm"]


class _Norm(HybridBlock):
    """What all of them share: a scale and a shift."""

    gamma: Any
    beta: Any

    def _make_scale(
        self, length: int, scale: bool, center: bool, gamma_initializer: Any, beta_initializer: Any
    ) -> None:
        with self.name_scope():
            self.gamma = self.params.get(
                "gamma",
                grad_req="write" if scale else "null",
                shape=(length,),
                init=gamma_initializer,
                allow_deferred_init=True,
                differentiable=scale,
            )
            self.beta = self.params.get(
                "beta",
                grad_req="write" if center else "null",
                shape=(length,),
                init=beta_initializer,
                allow_deferred_init=True,
                differentiable=center,
            )

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        length = self.gamma.shape[0]
        axis = getattr(self, "_axis", None)  # groups have none
        if axis is None or not length or (len(shape) > axis >= -len(shape) and shape[axis] == length):
            return None
        return f"{length} along axis {axis}"

    def _options(self) -> dict[str, Any]:
        raise NotImplementedError(f"[{type(self).__name__}] _options is not defined")

    def __repr__(self) -> str:
        options = ", ".join(f"{key}={value!r}" for key, value in self._options().items())
        return f"{type(self).__name__}({options})"


class _BatchNorm(_Norm):
    """What batch normalisation and its form with an activation share."""

    def __init__(
        self,
        axis: int = 1,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "axis": axis,
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
        }
        self._axis = axis
        if in_channels != 0:
            self.in_channels = in_channels
        self._make_scale(in_channels, scale, center, gamma_initializer, beta_initializer)
        with self.name_scope():
            self.running_mean = self.params.get(
                "running_mean",
                grad_req="null",
                shape=(in_channels,),
                init=running_mean_initializer,
                allow_deferred_init=True,
                differentiable=False,
            )
            self.running_var = self.params.get(
                "running_var",
                grad_req="null",
                shape=(in_channels,),
                init=running_variance_initializer,
                allow_deferred_init=True,
                differentiable=False,
            )

    def cast(self, dtype: DTypeLike) -> None:
        """Cast the parameters; they are float32 beside float16."""
        super().cast("float32" if dtype_number(dtype) == dtype_number("float16") else dtype)

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Normalise; in training the statistics move on."""
        return F.BatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)

    def _options(self) -> dict[str, Any]:
        return {**self._kwargs, "in_channels": self.gamma.shape[0] or None}


class BatchNorm(_BatchNorm):
    """Numbers of each channel with the mean and variance of the batch taken out (Ioffe and Szegedy 2015).

    Parameters
    ----------
    axis : int
        The axis of the channels.
    momentum : float
        Share of the old statistics that each batch leaves.
    epsilon : float
        Added to variances.
    center, scale : bool
        Whether ``beta`` is added, and ``gamma`` multiplied, and both are learnt.
    use_global_stats : bool
        Use the running statistics in training, too.
    beta_initializer, gamma_initializer, running_mean_initializer, running_variance_initializer
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.BatchNorm()
    >>> layer.initialize()
    >>> with mx.autograd.record():
    ...     y = layer(mx.nd.array([[1, 4], [3, 8]]))
    >>> y.asnumpy().round(3)
    array([[-1., -1.],
           [ 1.,  1.]], dtype=float32)
    """


class BatchNormReLU(_BatchNorm):
    """:class:`BatchNorm`, and zero in the place of negative numbers.

    Parameters
    ----------
    axis : int
        The axis of the channels.
    momentum : float
        Share of the old statistics that each batch leaves.
    epsilon : float
        Added to variances.
    center, scale : bool
        Whether ``beta`` is added, and ``gamma`` multiplied, and both are learnt.
    use_global_stats : bool
        Use the running statistics in training, too.
    beta_initializer, gamma_initializer, running_mean_initializer, running_variance_initializer
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.
    """

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Normalise and activate; in training the statistics move on."""
        return F.contrib.BatchNormWithReLU(
            x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs
        )


class InstanceNorm(_Norm):
    """Numbers of each channel of each image with their mean and variance taken out (Ulyanov and others 2016).

    Parameters
    ----------
    axis : int
        The axis of the channels.
    epsilon : float
        Added to variances.
    center, scale : bool
        Whether ``beta``, and ``gamma``, are learnt.
    beta_initializer, gamma_initializer : Initializer or str
        How they start.
    in_channels : int
        Channels of the input; 0: known at the first forward pass.
    """

    def __init__(
        self,
        axis: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._make_scale(in_channels, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, x: Any, gamma: Any, beta: Any) -> Any:
        """Normalise ``x``, (batch, channels, ...) or with the channels elsewhere."""
        if self._axis == 1:
            return F.InstanceNorm(x, gamma, beta, name="fwd", eps=self._epsilon)
        swapped = x.swapaxes(1, self._axis)
        return F.InstanceNorm(swapped, gamma, beta, name="fwd", eps=self._epsilon).swapaxes(1, self._axis)

    def _options(self) -> dict[str, Any]:
        return {**self._kwargs, "in_channels": self.gamma.shape[0]}


class LayerNorm(_Norm):
    """Numbers along one axis with their mean and variance taken out (Ba and others 2016).

    Parameters
    ----------
    axis : int
        The axis.
    epsilon : float
        Added to variances.
    center, scale : bool
        Whether ``beta``, and ``gamma``, are learnt.
    beta_initializer, gamma_initializer : Initializer or str
        How they start.
    in_channels : int
        Extent of the axis; 0: known at the first forward pass.
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> layer = mx.gluon.nn.LayerNorm()
    >>> layer.initialize()
    >>> layer(mx.nd.array([[1, 3], [2, 10]])).asnumpy().round(3)
    array([[-1.,  1.],
           [-1.,  1.]], dtype=float32)
    """

    def __init__(
        self,
        axis: int = -1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        in_channels: int = 0,
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "axis": axis, "center": center, "scale": scale}
        self._axis = axis
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make_scale(in_channels, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Normalise ``data``, of any shape."""
        return F.LayerNorm(data, gamma=gamma, beta=beta, axis=self._axis, eps=self._epsilon)

    def _options(self) -> dict[str, Any]:
        return {**self._kwargs, "in_channels": self.gamma.shape[0]}


class GroupNorm(_Norm):
    """Numbers of each group of channels with their mean and variance taken out (Wu and He 2018).

    Parameters
    ----------
    num_groups : int
        Groups into which the channels (axis 1) are divided, each with one ``gamma`` and ``beta``.
    epsilon : float
        Added to variances.
    center, scale : bool
        Whether ``beta``, and ``gamma``, are learnt.
    beta_initializer, gamma_initializer : Initializer or str
        How they start.
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.
    """

    def __init__(
        self,
        num_groups: int = 1,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        prefix: Optional[str] = None,
        params: Optional[ParameterDict] = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._kwargs = {"eps": epsilon, "num_groups": num_groups, "center": center, "scale": scale}
        self._num_groups = num_groups
        self._epsilon = epsilon
        self._center = center
        self._scale = scale
        self._make_scale(num_groups, scale, center, gamma_initializer, beta_initializer)

    def hybrid_forward(self, F: Any, data: Any, gamma: Any, beta: Any) -> Any:
        """Normalise ``data``, (batch, channels, ...)."""
        return F.GroupNorm(data, gamma=gamma, beta=beta, num_groups=self._num_groups, eps=self._epsilon)

    def _options(self) -> dict[str, Any]:
        return self._kwargs
