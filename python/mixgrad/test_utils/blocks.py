"""Blocks compared with themselves as graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .. import autograd
from ..ndarray import NDArray
from .compare import assert_almost_equal

if TYPE_CHECKING:
    from ..gluon import HybridBlock

__all__ = ["check_gluon_hybridize_consistency"]


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., HybridBlock],
    data_l: Sequence[NDArray],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Check that a block gives the same as a graph and operator by operator.

    Parameters
    ----------
    net_builder : function
        Makes the block; it is called with ``prefix``.
    data_l : list of NDArray
        Inputs.
    numpy_func : function, optional
        Takes NumPy's arrays, and gives what the block should.
    test_grad : bool
        Whether gradients of inputs and parameters are compared, too.
    rtol, atol : float
        Tolerances.

    Raises
    ------
    AssertionError
        Something differs.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.test_utils.check_gluon_hybridize_consistency(
    ...     lambda prefix: mx.gluon.nn.Activation("relu", prefix=prefix),
    ...     [mx.nd.array([-1, 2])],
    ...     numpy_func=lambda x: x.clip(0),
    ... )
    """
    values: dict[str, Any] | None = None
    first: dict[str, Any] = {}
    for hybrid in (False, True):
        net = net_builder(prefix="net_")
        net.initialize()
        if hybrid:
            net.hybridize()
        inputs = [one.copy() for one in data_l]
        for one in inputs:
            one.attach_grad()
        with autograd.pause():
            net(*inputs)  # so that shapes are known
        parameters = net.collect_params()
        if values is None:
            values = {name: parameter._reduce() for name, parameter in parameters.items()}
        else:
            for name, parameter in parameters.items():
                parameter.set_data(values[name])
        with autograd.record(train_mode=test_grad):
            out = net(*inputs)
        found = {"the output": out}
        if test_grad:
            out.backward()
            found.update({f"the gradient of input {i}": one.grad for i, one in enumerate(inputs)})
            wanted = {name: one for name, one in parameters.items() if one.grad_req != "null"}
            found.update({f"the gradient of {name}": one.grad() for name, one in wanted.items()})
        if numpy_func is not None:
            expected = numpy_func(*(one.asnumpy() for one in data_l))
            assert_almost_equal(out, expected, rtol, atol, ("the block", "numpy_func"))
        for name, array in found.items():
            first.setdefault(name, array.asnumpy())
            assert_almost_equal(array, first[name], rtol, atol, (f"{name} as a graph", name))
