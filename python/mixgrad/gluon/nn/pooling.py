"""Pooling: the largest, or the mean, of windows or of everything."""

from __future__ import annotations

from typing import Any, Optional

from ...base import RefusedValueError
from ..block import HybridBlock
from .convolution import _LAYOUTS, Extents, misfit, several

__all__ = [
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "GlobalAvgPool1D",
    "GlobalAvgPool2D",
    "GlobalAvgPool3D",
    "GlobalMaxPool1D",
    "GlobalMaxPool2D",
    "GlobalMaxPool3D",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
]


class _Pooling(HybridBlock):
    """What all pooling layers share."""

    _ndim = 0

    def __init__(
        self,
        pool_size: Extents,
        strides: Optional[Extents],
        padding: Extents,
        ceil_mode: bool,
        global_pool: bool,
        pool_type: str,
        layout: str,
        count_include_pad: Optional[bool] = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        who, count = type(self).__name__, self._ndim
        if layout not in _LAYOUTS[count]:
            raise RefusedValueError(
                f"[{who}] layout is {layout!r}; expected {' or '.join(map(repr, _LAYOUTS[count]))}"
            )
        kernel = several(pool_size, count, who, "pool_size")
        self._kwargs: dict[str, Any] = {
            "kernel": kernel,
            "stride": kernel if strides is None else several(strides, count, who, "strides"),
            "pad": several(padding, count, who, "padding"),
            "global_pool": global_pool,
            "pool_type": pool_type,
            "layout": layout,
            "pooling_convention": "full" if ceil_mode else "valid",
        }
        if count_include_pad is not None:
            self._kwargs["count_include_pad"] = count_include_pad

    def _expects(self, shape: tuple[int, ...]) -> Optional[str]:
        return misfit(shape, self._kwargs["layout"])

    def _alias(self) -> str:
        return "pool"

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Pool ``x``, in the layout."""
        return F.Pooling(x, name="fwd", **self._kwargs)

    def __repr__(self) -> str:
        options = self._kwargs
        return (
            f"{type(self).__name__}(size={options['kernel']}, stride={options['stride']}, "
            f"padding={options['pad']}, ceil_mode={options['pooling_convention'] == 'full'}, "
            f"global_pool={options['global_pool']}, pool_type={options['pool_type']}, "
            f"layout={options['layout']})"
        )


class MaxPool1D(_Pooling):
    """The largest number of windows over a row of vectors.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.
    ceil_mode : bool
        Whether a last window that is not whole counts.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.MaxPool1D()(mx.nd.ones((1, 2, 8))).shape
    (1, 2, 4)
    """

    _ndim = 1

    def __init__(
        self,
        pool_size: Extents = 2,
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool2D(_Pooling):
    """The largest number of windows over images.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.
    ceil_mode : bool
        Whether a last window that is not whole counts.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.MaxPool2D()(mx.nd.ones((1, 2, 8, 8))).shape
    (1, 2, 4, 4)
    """

    _ndim = 2

    def __init__(
        self,
        pool_size: Extents = (2, 2),
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        layout: str = "NCHW",
        ceil_mode: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class MaxPool3D(_Pooling):
    """The largest number of windows over volumes.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    ceil_mode : bool
        Whether a last window that is not whole counts.
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.MaxPool3D()(mx.nd.ones((1, 2, 8, 8, 8))).shape
    (1, 2, 4, 4, 4)
    """

    _ndim = 3

    def __init__(
        self,
        pool_size: Extents = (2, 2, 2),
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        **kwargs: Any,
    ) -> None:
        super().__init__(pool_size, strides, padding, ceil_mode, False, "max", layout, **kwargs)


class AvgPool1D(_Pooling):
    """The mean of windows over a row of vectors.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.
    ceil_mode : bool
        Whether a last window that is not whole counts.
    count_include_pad : bool
        Whether means count what was put at the ends.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.AvgPool1D()(mx.nd.ones((1, 2, 8))).shape
    (1, 2, 4)
    """

    _ndim = 1

    def __init__(
        self,
        pool_size: Extents = 2,
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        layout: str = "NCW",
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class AvgPool2D(_Pooling):
    """The mean of windows over images.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    ceil_mode : bool
        Whether a last window that is not whole counts.
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.
    count_include_pad : bool
        Whether means count what was put at the ends.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.AvgPool2D()(mx.nd.ones((1, 2, 8, 8))).shape
    (1, 2, 4, 4)
    """

    _ndim = 2

    def __init__(
        self,
        pool_size: Extents = (2, 2),
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        ceil_mode: bool = False,
        layout: str = "NCHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class AvgPool3D(_Pooling):
    """The mean of windows over volumes.

    Parameters
    ----------
    pool_size : int or tuple of int
        Extent of a window.
    strides : int or tuple of int, optional
        Steps of the window; its extent by default.
    padding : int or tuple of int
        What is put at both ends of each axis.
    ceil_mode : bool
        Whether a last window that is not whole counts.
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.
    count_include_pad : bool
        Whether means count what was put at the ends.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.AvgPool3D()(mx.nd.ones((1, 2, 8, 8, 8))).shape
    (1, 2, 4, 4, 4)
    """

    _ndim = 3

    def __init__(
        self,
        pool_size: Extents = (2, 2, 2),
        strides: Optional[Extents] = None,
        padding: Extents = 0,
        ceil_mode: bool = False,
        layout: str = "NCDHW",
        count_include_pad: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            pool_size, strides, padding, ceil_mode, False, "avg", layout, count_include_pad, **kwargs
        )


class GlobalMaxPool1D(_Pooling):
    """The largest number of each channel of a row of vectors.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalMaxPool1D()(mx.nd.ones((1, 2, 8))).shape
    (1, 2, 1)
    """

    _ndim = 1

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool2D(_Pooling):
    """The largest number of each channel of images.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalMaxPool2D()(mx.nd.ones((1, 2, 8, 8))).shape
    (1, 2, 1, 1)
    """

    _ndim = 2

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "max", layout, **kwargs)


class GlobalMaxPool3D(_Pooling):
    """The largest number of each channel of volumes.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalMaxPool3D()(mx.nd.ones((1, 2, 8, 8, 8))).shape
    (1, 2, 1, 1, 1)
    """

    _ndim = 3

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "max", layout, **kwargs)


class GlobalAvgPool1D(_Pooling):
    """The mean of each channel of a row of vectors.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCW' is (batch, channels, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalAvgPool1D()(mx.nd.ones((1, 2, 8))).shape
    (1, 2, 1)
    """

    _ndim = 1

    def __init__(self, layout: str = "NCW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool2D(_Pooling):
    """The mean of each channel of images.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCHW' is (batch, channels, height, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalAvgPool2D()(mx.nd.ones((1, 2, 8, 8))).shape
    (1, 2, 1, 1)
    """

    _ndim = 2

    def __init__(self, layout: str = "NCHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "avg", layout, **kwargs)


class GlobalAvgPool3D(_Pooling):
    """The mean of each channel of volumes.

    Parameters
    ----------
    layout : str
        Order of the axes: 'NCDHW' is (batch, channels, depth, height, width); the channels may be last.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.gluon.nn.GlobalAvgPool3D()(mx.nd.ones((1, 2, 8, 8, 8))).shape
    (1, 2, 1, 1, 1)
    """

    _ndim = 3

    def __init__(self, layout: str = "NCDHW", **kwargs: Any) -> None:
        super().__init__(1, None, 0, True, True, "avg", layout, **kwargs)
