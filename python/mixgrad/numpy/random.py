"""Random arrays (``mx.np.random``); seeds are set by ``mx.npx.random.seed`` or ``mx.random.seed``.

Parameters of a distribution are numbers or arrays, which broadcast; results have their shape, or ``size``.
"""

# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from collections.abc import Iterable
from operator import index
from typing import TYPE_CHECKING, Any, Optional

import numpy as onp

from .. import _hints
from .._device import on_device
from ..base import DTypeLike, InvalidArgumentError, UnknownExtentsError
from ..context import Context
from .operands import delivered, dtype_name, dtype_of, given, is_number, is_symbol, made, plain, tensor
from .operators import operators as _ops

if TYPE_CHECKING:
    from .ndarray import ndarray

__all__ = [
    "beta",
    "chisquare",
    "choice",
    "exponential",
    "gamma",
    "gumbel",
    "logistic",
    "lognormal",
    "multinomial",
    "multivariate_normal",
    "normal",
    "pareto",
    "permutation",
    "power",
    "rand",
    "randint",
    "randn",
    "rayleigh",
    "shuffle",
    "uniform",
    "weibull",
]


def _size(size: Any) -> Any:
    if size is None:
        return None
    try:
        return (index(size),)
    except TypeError:
        if not isinstance(size, Iterable):
            raise TypeError(f"[random] size is {size!r:.60}; expected a number, or several") from None
    return tuple(int(n) for n in size)


def _draw(op: str, params: dict[str, Any], size: Any, ctx: Optional[Context], out: Any, **words: Any) -> Any:
    """Calls an operator with parameters that are numbers or arrays."""
    arrays = [tensor(value) for value in params.values() if not is_number(value)]
    numbers = {name: float(value) if is_number(value) else None for name, value in params.items()}
    with on_device(ctx):
        if arrays:
            return getattr(_ops, op)(*arrays, **numbers, **words, size=_size(size), out=out)
        return made(op, **numbers, **words, size=() if size is None else _size(size), ctx=ctx, out=out)


def uniform(
    low: Any = 0.0,
    high: Any = 1.0,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """Numbers from ``low`` up to ``high``, all as likely.

    Parameters
    ----------
    low, high : number or ndarray
        The ends.
    size : int or tuple of int, optional
        Shape of the result; by default that of the parameters.
    dtype : dtype, optional
        float32 by default.
    ctx : Context, optional
        Device; the current one by default.
    out : ndarray, optional
        Receives the result.
    """
    return _draw("_npi_uniform", {"low": low, "high": high}, size, ctx, out, dtype=dtype_name(dtype))


def normal(
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """Numbers of the normal distribution with that mean and standard deviation; else as :func:`uniform`."""
    return _draw("_npi_normal", {"loc": loc, "scale": scale}, size, ctx, out, dtype=dtype_name(dtype))


def lognormal(
    mean: Any = 0.0,
    sigma: Any = 1.0,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """Numbers whose logarithms are those of :func:`normal`."""
    from .elementwise import exp

    return delivered(exp(normal(mean, sigma, size, dtype, ctx)), out)


def logistic(
    loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Optional[Context] = None, out: Any = None
) -> ndarray:
    """Numbers of the logistic distribution; arguments as of :func:`normal`."""
    return _draw("_npi_logistic", {"loc": loc, "scale": scale}, size, ctx, out)


def gumbel(
    loc: Any = 0.0, scale: Any = 1.0, size: Any = None, ctx: Optional[Context] = None, out: Any = None
) -> ndarray:
    """Numbers of the Gumbel distribution; arguments as of :func:`normal`."""
    return _draw("_npi_gumbel", {"loc": loc, "scale": scale}, size, ctx, out)


def exponential(
    scale: Any = 1.0, size: Any = None, ctx: Optional[Context] = None, out: Any = None
) -> ndarray:
    """Numbers of the exponential distribution with that mean."""
    return _draw("_npi_exponential", {"scale": scale}, size, ctx, out)


def rayleigh(scale: Any = 1.0, size: Any = None, ctx: Optional[Context] = None, out: Any = None) -> ndarray:
    """Numbers of the Rayleigh distribution with that scale."""
    return _draw("_npi_rayleigh", {"scale": scale}, size, ctx, out)


def weibull(a: Any, size: Any = None, ctx: Optional[Context] = None, out: Any = None) -> ndarray:
    """Numbers of the Weibull distribution with shape ``a`` and scale 1."""
    return _draw("_npi_weibull", {"a": a}, size, ctx, out)


def pareto(a: Any, size: Any = None, ctx: Optional[Context] = None, out: Any = None) -> ndarray:
    """Numbers of the Pareto II distribution with shape ``a``."""
    return _draw("_npi_pareto", {"a": a}, size, ctx, out)


def power(a: Any, size: Any = None, ctx: Optional[Context] = None, out: Any = None) -> ndarray:
    """Numbers from 0 to 1 whose density is ``a * x ** (a - 1)``."""
    return _draw("_npi_powerd", {"a": a}, size, ctx, out)


def gamma(
    shape: Any,
    scale: Any = 1.0,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """Numbers of the gamma distribution; else as :func:`uniform`."""
    return _draw("_npi_gamma", {"shape": shape, "scale": scale}, size, ctx, out, dtype=dtype_name(dtype))


def beta(a: Any, b: Any, size: Any = None, dtype: DTypeLike = None, ctx: Optional[Context] = None) -> ndarray:
    """Numbers from 0 to 1 of the beta distribution; else as :func:`uniform`."""
    if size is None and not (is_number(a) and is_number(b)):  # as many of either
        a, b = tensor(a) + 0 * tensor(b), tensor(b) + 0 * tensor(a)
    # Shapes much below 1 give numbers that float32 rounds to 0.
    kind = dtype_name(dtype)
    x, y = (gamma(one, 1.0, size, "float64", ctx) for one in (a, b))
    result = x / (x + y)
    return result.astype(kind)


def chisquare(df: Any, size: Any = None, dtype: DTypeLike = None, ctx: Optional[Context] = None) -> ndarray:
    """Numbers of the chi-squared distribution with ``df`` degrees of freedom."""
    return gamma(df / 2 if is_number(df) else tensor(df) / 2, 2.0, size, dtype, ctx)


def randint(
    low: int,
    high: Optional[int] = None,
    size: Any = None,
    dtype: DTypeLike = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> ndarray:
    """Whole numbers from ``low`` up to ``high``, which is not one of them; from 0 up to ``low`` without it.

    Parameters
    ----------
    low, high : int
    size : int or tuple of int, optional
        Shape of the result; one number by default.
    dtype : dtype, optional
        int64 by default.
    ctx : Context, optional
        Device; the current one by default.
    out : ndarray, optional
        Receives the result.
    """
    if high is None:
        low, high = 0, low
    if low >= high:
        raise ValueError(f"[randint] low is {low}, high {high}; expected low below high")
    kind = dtype_name(dtype, "int64")
    return made(
        "_npi_random_randint",
        low=int(low),
        high=int(high),
        shape=() if size is None else _size(size),
        dtype=kind if kind in ("int32", "int64") else "int64",
        ctx=ctx,
        out=out,
    )


def rand(*size: int, **kwargs: Any) -> ndarray:
    """Numbers from 0 up to 1 in a shape given as separate extents."""
    return uniform(0.0, 1.0, size=size or None, **kwargs)


def randn(*size: int, **kwargs: Any) -> ndarray:
    """Numbers of the standard normal distribution in a shape given as separate extents."""
    return normal(0.0, 1.0, size=size or None, **kwargs)


def choice(
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    ctx: Optional[Context] = None,
    out: Any = None,
) -> Any:
    """Random elements of an array, or whole numbers below ``a``.

    Parameters
    ----------
    a : ndarray or int
    size : int or tuple of int, optional
        Shape of the result; one element by default.
    replace : bool
        Whether one may come twice.
    p : ndarray, optional
        Probability of each.
    ctx : Context, optional
        Device; the current one by default.
    out : ndarray, optional
        Receives the result.
    """
    extent = () if size is None else _size(size)
    count = int(a) if is_number(a) else tensor(a).shape[0]
    if not replace and onp.prod(extent, dtype=int) > count:
        raise ValueError(f"[choice] size is {extent} of {count} elements, each once; expected fewer")
    words = {"replace": replace, "weighted": p is not None, "size": extent}
    if is_number(a):
        words["a"] = int(a)
        if p is None:
            with on_device(ctx):
                return made("_npi_choice", **words, ctx=ctx, out=out)
        return delivered(given(_ops._npi_choice(tensor(p), **words)), out)
    places = choice(count, size, replace, p, ctx)
    from .searching import take

    return take(tensor(a), places, 0, "clip", out=out)


def multinomial(n: int, pvals: Any, size: Any = None, **kwargs: Any) -> ndarray:
    """How often each outcome occurs in ``n`` draws, as int64.

    Parameters
    ----------
    n : int
    pvals : ndarray or list
        Probability of each outcome; they sum up to 1 at most.
    size : int or tuple of int, optional
        How many such experiments; one by default.
    """
    ctx = kwargs.pop("ctx", None)
    if kwargs:
        raise TypeError(f"[multinomial] unexpected arguments {sorted(kwargs)}; it takes n, pvals, size")
    values = plain(pvals)
    if onp.sum(onp.asarray(values, onp.float64)[:-1]) > 1.0 + 1e-7:
        raise ValueError("[multinomial] pvals sum up to more than 1")
    extent = () if size is None else _size(size)
    if hasattr(pvals, "_dtype_number"):
        return given(_ops._npi_multinomial(tensor(pvals), n=int(n), size=extent))
    chances = tuple(float(p) for p in onp.asarray(values).reshape(-1))
    with on_device(ctx):
        return made("_npi_multinomial", n=int(n), pvals=chances, size=extent)


def multivariate_normal(
    mean: Any, cov: Any, size: Any = None, check_valid: Optional[str] = None, tol: Optional[float] = None
) -> ndarray:
    """Vectors of the normal distribution with a mean and a covariance matrix, or stacks of these.

    Parameters
    ----------
    mean : ndarray
        Shape (..., n).
    cov : ndarray
        Shape (..., n, n); symmetric and positive definite.
    size : int or tuple of int, optional
        Shape before that of the stacks.
    check_valid, tol : None
        Refused otherwise, as in MXNet.
    """
    if check_valid is not None or tol is not None:
        raise NotImplementedError("[multivariate_normal] check_valid or tol is given; expected None")
    from .linalg import cholesky
    from .manipulation import expand_dims, squeeze
    from .products import matmul

    mean = tensor(mean)
    cov = tensor(cov, mean)
    if is_symbol(mean) or is_symbol(cov):
        raise UnknownExtentsError("[multivariate_normal] extents and dtype of a symbol are not known")
    if mean.shape[-1:] != cov.shape[-1:] or cov.ndim < 2 or cov.shape[-2] != cov.shape[-1]:
        raise InvalidArgumentError(
            f"[multivariate_normal] mean has shape {mean.shape}, cov {cov.shape}; "
            "expected (..., n) and (..., n, n)"
        )
    whole = 0 * mean + 0 * cov.sum(axis=-1)  # the shape of one draw
    noise = _ops._npi_normal_n(
        whole, whole + 1, loc=None, scale=None, size=_size(size), dtype=dtype_of(whole)
    )
    return squeeze(matmul(cholesky(cov), expand_dims(noise, -1)), -1) + mean


def shuffle(x: Any) -> None:
    """Puts the slices along the first axis in random order, in place."""
    if not hasattr(x, "_dtype_number"):
        raise TypeError(f"[shuffle] got {type(x).__name__}; expected an ndarray")
    given(_ops._npi_shuffle(x)).copyto(x)


def permutation(x: Any) -> ndarray:
    """The slices of an array along its first axis, or the whole numbers below ``x``, in random order."""
    from .creation import arange

    return given(_ops._npi_shuffle(arange(int(x), dtype="int64") if is_number(x) else tensor(x)))


__getattr__, __dir__ = _hints.public(__name__)
