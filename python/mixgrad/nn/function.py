"""Functions with gradients of one's own, and a check of gradients."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from .. import _core, autograd
from .._hints import kind_name
from ..base import AutogradError, InvalidArgumentError
from ..ndarray import NDArray
from . import grad_mode

__all__ = ["Function", "FunctionContext", "gradcheck"]


class FunctionContext:
    """What ``forward`` leaves for ``backward``; other attributes may be set, too.

    Attributes
    ----------
    needs_input_grad : tuple of bool
        For each argument of ``forward``, whether a gradient flows to it.
    """

    needs_input_grad: tuple[bool, ...] = ()
    _saved: tuple[Any, ...] = ()
    _versions: tuple[int, ...] = ()
    _dirty: tuple[Any, ...] = ()
    _constant: tuple[Any, ...] = ()
    _materialize = True

    def save_for_backward(self, *tensors: Optional[NDArray]) -> None:
        """Keep arrays, or None, for ``backward``, which finds them in :attr:`saved_tensors`."""
        for i, one in enumerate(tensors):
            if one is not None and not isinstance(one, NDArray):
                raise TypeError(
                    f"[{self._name()}.save_for_backward] argument {i} is a {kind_name(one)}; "
                    "expected an array or None"
                )
        self._saved = tensors
        self._versions = tuple(-1 if one is None else one._version for one in tensors)

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What :meth:`save_for_backward` kept; an array that was changed in place since is an error."""
        for i, (one, version) in enumerate(zip(self._saved, self._versions)):
            if one is not None and one._version != version:
                raise AutogradError(
                    f"[{self._name()}] saved array {i}, of shape {one.shape}, was changed in place after it "
                    f"was saved for backward (version {version} then, {one._version} now); "
                    "save a copy instead"
                )
        return self._saved

    saved_variables = saved_tensors

    def mark_dirty(self, *tensors: NDArray) -> None:
        """Say which arguments ``forward`` changed in place and returned."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: NDArray) -> None:
        """Say through which outputs no gradient flows."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Accepted for PyTorch's sake: gradients of outputs are always arrays."""
        self._materialize = value

    def _name(self) -> str:
        return type(self).__name__


class Function(FunctionContext):
    """A function with a gradient of its own.

    A subclass defines ``forward(ctx, *args)`` and ``backward(ctx, *grad_outputs)`` as static methods and is
    called by :meth:`apply`. ``backward`` gives one gradient for each argument of ``forward``, None where
    there is none. Without ``@staticmethod``, as in old programs, both take ``self`` in place of ``ctx``, and
    the object is called.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> class Exp(nn.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         result = np.exp(x)
    ...         ctx.save_for_backward(result)
    ...         return result
    ...     @staticmethod
    ...     def backward(ctx, grad_output):
    ...         result, = ctx.saved_tensors
    ...         return grad_output * result
    >>> x = nn.Parameter([0.0, 1.0])
    >>> Exp.apply(x).sum().backward()
    >>> x.grad
    array([1.       , 2.7182817])
    """

    def forward(self, *args: Any) -> Any:
        """The outputs; nothing in it is recorded."""
        raise NotImplementedError(f"[{type(self).__name__}] forward is not defined")

    def backward(self, *grad_outputs: Any) -> Any:
        """Gradients of the arguments from those of the outputs."""
        raise NotImplementedError(f"[{type(self).__name__}] backward is not defined")

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Call ``forward`` and record it.

        Parameters
        ----------
        *args
            Arrays, and whatever else ``forward`` takes.
        """
        if not isinstance(_found(cls, "forward"), staticmethod):
            raise TypeError(
                f"[{cls.__name__}.apply] forward is no static method; call an object, {cls.__name__}()(...)"
            )
        context = cls.__new__(cls)
        return _run(context, cls.forward, cls.backward, (context,), args)

    def __call__(self, *args: Any) -> Any:
        """Call the object, in the habit of old programs."""
        if isinstance(_found(type(self), "forward"), staticmethod):
            raise TypeError(
                f"[{type(self).__name__}] forward is a static method; call {type(self).__name__}.apply(...)"
            )
        return _run(self, self.forward, self.backward, (), args)


def _found(cls: type, name: str) -> Any:
    return next(vars(part)[name] for part in cls.__mro__ if name in vars(part))


def _run(
    context: FunctionContext,
    forward: Callable[..., Any],
    backward: Callable[..., Any],
    first: tuple[Any, ...],
    args: tuple[Any, ...],
) -> Any:
    grad_mode.begin()
    name = type(context).__name__
    recording = bool(_core.is_recording())
    context.needs_input_grad = tuple(recording and isinstance(x, NDArray) and x._recorded for x in args)
    with autograd.no_grad():
        outputs = forward(*first, *args)
    if not any(context.needs_input_grad):
        return outputs
    single = isinstance(outputs, NDArray)
    listed = [outputs] if single else list(outputs)
    for i, one in enumerate(listed):
        if not isinstance(one, NDArray):
            raise TypeError(f"[{name}.forward] output {i} is a {kind_name(one)}; expected an array")
    # Others than these get no history.
    places = [i for i, one in enumerate(listed) if not any(one is other for other in context._constant)]
    made = [listed[i].detach() for i in places]
    inputs = [(i, x) for i, x in enumerate(args) if isinstance(x, NDArray)]

    def run(gradients: list[NDArray]) -> Sequence[Any]:
        full: list[Any] = []
        given = dict(zip(places, gradients))
        for i, one in enumerate(listed):
            gradient = given[i] if i in given else one.zeros_like()
            full.append(gradient.as_np_ndarray() if one._is_np else gradient)
        results = backward(*first, *full)
        results = (results,) if results is None or isinstance(results, NDArray) else tuple(results)
        if len(results) > len(args) and all(one is None for one in results[len(args) :]):
            results = results[: len(args)]
        if len(results) != len(args):
            raise InvalidArgumentError(
                f"[{name}.backward] returned {len(results)} gradients; expected {len(args)}, "
                "one for each argument"
            )
        return [results[i] for i, _ in inputs]

    _core.record_custom(name, run, [x for _, x in inputs], made)
    for place, one in zip(places, made):
        if any(listed[place] is other for other in context._dirty):
            listed[place]._become(one)
        else:
            listed[place] = one
    return listed[0] if single else tuple(listed)


def gradcheck(
    func: Callable[..., Any],
    inputs: Union[NDArray, Sequence[Any]],
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Compare gradients with central finite differences.

    Parameters
    ----------
    func : function
        Takes the inputs, gives an array or several; it must not draw numbers.
    inputs : array or sequence
        Those that require gradients are checked, float64 ones to be exact; others stay as they are.
    eps : float
        Step of the differences.
    atol, rtol : float
        Tolerances.
    raise_exception : bool
        Raise AssertionError with the first wrong place, or return False.

    Examples
    --------
    >>> from mixgrad import nn, np
    >>> x = nn.Parameter(np.array([0.5, 2.0], dtype="float64"))
    >>> nn.gradcheck(lambda x: np.log(x) * x, (x,))
    True
    """
    given = [inputs] if isinstance(inputs, NDArray) else list(inputs)
    places = [i for i, x in enumerate(given) if isinstance(x, NDArray) and x.requires_grad]
    if not places:
        raise InvalidArgumentError("[gradcheck] no input requires a gradient; expected one at least")

    def call(*checked: Any) -> Any:
        full = list(given)
        for place, one in zip(places, checked):
            full[place] = one.as_np_ndarray()
        return func(*full)

    return autograd.gradcheck(call, [given[i] for i in places], eps, atol, rtol, raise_exception)
