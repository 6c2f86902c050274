"""Blocks of Gluon run with and without graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from .. import autograd
from ..ndarray import NDArray
from .compare import assert_almost_equal

if TYPE_CHECKING:
    from ..gluon import HybridBlock

__all__ = ["check_gluon_hybridize_consistency"]


def check_gluon_hybridize_consistency(
    net_builder: Callable[..., HybridBlock],
    data_l: Sequence[NDArray],
    numpy_func: Optional[Callable[..., Any]] = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Checks that a block gives the same outputs and gradients with a graph and without.

    Parameters
    ----------
    net_builder : function
        Makes the block; takes ``prefix``, which names the parameters of both.
    data_l : list of NDArray
        The inputs.
    numpy_func : function, optional
        Gives for NumPy arrays of the inputs what the block has to give.
    test_grad : bool
        Whether to compare gradients of inputs and parameters, too.
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
    saved: dict[str, Any] = {}
    outputs, gradients = [], []
    for hybridize in (False, True):
        net = net_builder(prefix="net_")
        net.initialize()
        if hybridize:
            net.hybridize()
        inputs = [x.copy() for x in data_l]
        if saved:
            net(*inputs)
            for name, parameter in net.collect_params().items():
                parameter.set_data(saved[name])
        if test_grad:
            for x in inputs:
                x.attach_grad()
            with autograd.record():
                out = net(*inputs)
            out.backward(out)
        else:
            out = net(*inputs)
        saved = {name: parameter.data() for name, parameter in net.collect_params().items()}
        outputs.append(out.asnumpy())
        if test_grad:
            found = {f"input {i}": x.grad.asnumpy() for i, x in enumerate(inputs) if x.grad is not None}
            for name, parameter in net.collect_params().items():
                if parameter.grad_req != "null":
                    found[name] = parameter.grad().asnumpy()
            gradients.append(found)
    assert_almost_equal(outputs[0], outputs[1], rtol, atol, ("the output", "the output as a graph"))
    if numpy_func is not None:
        expected = numpy_func(*[x.asnumpy() for x in data_l])
        assert_almost_equal(outputs[0], expected, rtol, atol, ("the block", "numpy_func"))
    if test_grad:
        for name in gradients[0]:
            names = (f"the gradient of {name}", f"{name} as a graph")
            assert_almost_equal(gradients[0][name], gradients[1][name], rtol, atol, names)
