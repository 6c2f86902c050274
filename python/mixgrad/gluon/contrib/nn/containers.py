"""Layers side by side, tables of sparse storage, normalisation over devices."""

from __future__ import annotations

import warnings
from typing import Any, Optional

from .... import context
from .... import ndarray as nd
from ....base import DTypeLike
from ...block import Block, HybridBlock
from ...nn import BatchNorm, HybridSequential, Sequential
from ...parameter import ParameterDict

__all__ = ["Concurrent", "HybridConcurrent", "Identity", "SparseEmbedding", "SyncBatchNorm"]


class Concurrent(Sequential):
    """Blocks that each get the input, and whose results are joined.

    Parameters
    ----------
    axis : int
        The axis along which they are joined.
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.gluon import contrib, nn
    >>> both = contrib.nn.Concurrent(axis=1)
    >>> both.add(nn.Dense(2), contrib.nn.Identity())
    >>> both.initialize()
    >>> both(mx.nd.ones((1, 3))).shape
    (1, 5)
    """

    def __init__(
        self, axis: int = -1, prefix: Optional[str] = None, params: Optional[ParameterDict] = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def forward(self, x: Any) -> Any:
        """Call all blocks with ``x`` and join what they give."""
        return nd.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class HybridConcurrent(HybridSequential):
    """:class:`Concurrent` of hybrid blocks.

    Parameters
    ----------
    axis : int
        The axis along which they are joined.
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.
    """

    def __init__(
        self, axis: int = -1, prefix: Optional[str] = None, params: Optional[ParameterDict] = None
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self.axis = axis

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Call all blocks with ``x`` and join what they give."""
        return F.concat(*[block(x) for block in self._children.values()], dim=self.axis)


class Identity(HybridBlock):
    """What it is given, such as beside others in :class:`HybridConcurrent`."""

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """The input."""
        return x


class SparseEmbedding(Block):
    """A row of a table for each number, where the trainer keeps the table and gives the rows that are needed.

    Parameters
    ----------
    input_dim : int
        Rows of the table.
    output_dim : int
        Length of a row.
    dtype : dtype
        Of the table.
    weight_initializer : Initializer or str, optional
        How the table starts.
    """

    def __init__(
        self,
        input_dim: int,
        output_dim: int,
        dtype: DTypeLike = "float32",
        weight_initializer: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._kwargs: dict[str, Any] = {
            "input_dim": input_dim,
            "output_dim": output_dim,
            "dtype": dtype,
            "sparse_grad": True,
        }
        self.weight = self.params.get(
            "weight",
            shape=(input_dim, output_dim),
            init=weight_initializer,
            dtype=dtype,
            grad_stype="row_sparse",
            stype="row_sparse",
        )

    def forward(self, x: Any) -> Any:
        """Look up rows."""
        return nd.Embedding(x, self.weight.row_sparse_data(x), name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        options = self._kwargs
        return f"{type(self).__name__}({options['input_dim']} -> {options['output_dim']}, {options['dtype']})"


class SyncBatchNorm(BatchNorm):
    """:class:`BatchNorm` whose statistics are those of a batch over all devices.

    Parameters
    ----------
    in_channels : int
        Channels of the input; 0: known at the first forward pass.
    num_devices : int, optional
        Devices that share a batch; all GPUs by default. More than one are refused when the layer runs.
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
    """

    def __init__(
        self,
        in_channels: int = 0,
        num_devices: Optional[int] = None,
        momentum: float = 0.9,
        epsilon: float = 1e-5,
        center: bool = True,
        scale: bool = True,
        use_global_stats: bool = False,
        beta_initializer: Any = "zeros",
        gamma_initializer: Any = "ones",
        running_mean_initializer: Any = "zeros",
        running_variance_initializer: Any = "ones",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            1,
            momentum,
            epsilon,
            center,
            scale,
            use_global_stats,
            beta_initializer,
            gamma_initializer,
            running_mean_initializer,
            running_variance_initializer,
            in_channels,
            **kwargs,
        )
        self._kwargs = {
            "eps": epsilon,
            "momentum": momentum,
            "fix_gamma": not scale,
            "use_global_stats": use_global_stats,
            "ndev": self._get_num_devices() if num_devices is None else num_devices,
            "key": self.prefix,
        }

    def _get_num_devices(self) -> int:
        warnings.warn(
            "[SyncBatchNorm] num_devices is not given; it is taken to be the number of GPUs", stacklevel=3
        )
        return max(1, context.num_gpus())

    def hybrid_forward(
        self, F: Any, x: Any, gamma: Any, beta: Any, running_mean: Any, running_var: Any
    ) -> Any:
        """Normalise; in training the statistics move on."""
        return F.contrib.SyncBatchNorm(x, gamma, beta, running_mean, running_var, name="fwd", **self._kwargs)
