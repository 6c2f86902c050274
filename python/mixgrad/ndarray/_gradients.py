"""Gradients of arrays: which have one, backward passes, and who sees what flows."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Optional

from .. import _core
from ..base import AutogradError, grad_req_number, storage_number

if TYPE_CHECKING:
    from typing_extensions import Self

    from .ndarray import NDArray

    Base = _core.NDArrayBase
else:
    Base = object

__all__ = ["Gradients", "HookHandle", "HookTable"]


def explain_backward(heads: Sequence[Any], error: AutogradError) -> None:
    """Raises for a head of ``mx.np`` that was not computed from variables, in the words of its users."""
    head = next((one for one in heads if one._is_np and not (one._recorded or one._variable)), None)
    if head is None or "was not computed from variables" not in str(error):
        return
    raise AutogradError(
        f"[backward] the array of shape {head.shape} was not computed from a parameter or array with "
        "requires_grad=True while gradients were recorded; expected one that was: where all parameters are "
        "frozen there is none, nor is what nn.no_grad() or inference_mode() computes, nor a detached array; "
        "set requires_grad = True (mx.autograd: attach_grad(), record()), and let a second pass over one "
        "graph follow one with retain_graph=True"
    ) from error


class HookTable(dict[int, Callable[[Any], Any]]):
    """Functions that see a gradient in turn; what one returns, if anything, is what the next one sees."""

    __slots__ = ("__weakref__", "is_np", "last")

    def __init__(self, is_np: bool) -> None:
        super().__init__()
        self.is_np, self.last = is_np, 0

    def add(self, hook: Callable[[Any], Any], remove: Callable[[], None]) -> HookHandle:
        """Add a function; ``remove`` is called when the last one goes."""
        if not callable(hook):
            raise TypeError(f"[register_hook] the hook is a {type(hook).__name__}; expected a function")
        self.last += 1
        self[self.last] = hook
        return HookHandle(self, self.last, remove)

    def __call__(self, gradient: Any) -> Any:
        found = gradient = gradient.as_np_ndarray() if self.is_np else gradient
        for hook in list(self.values()):
            made = hook(found)
            if made is None:
                continue
            if not isinstance(made, _core.NDArrayBase):
                raise TypeError(
                    f"[register_hook] the hook returned a {type(made).__name__}; expected an array or None"
                )
            found = made
        return None if found is gradient else found


class HookHandle:
    """A hook that is registered; :meth:`remove` ends that, as does the end of a ``with`` block."""

    def __init__(self, table: HookTable, number: int, remove: Callable[[], None]) -> None:
        self._table, self._number, self._remove = weakref.ref(table), number, remove

    def remove(self) -> None:
        """The hook is called no longer."""
        table = self._table()
        if table is not None and table.pop(self._number, None) is not None and not table:
            self._remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class Gradients(Base):
    """Functions of the array class that say what gradients are wanted, and compute them."""

    __slots__ = ()

    def attach_grad(self, grad_req: str = "write", stype: Optional[str] = None) -> None:
        """Makes the array a variable: backward passes write (or add) its gradient to :attr:`grad`.

        What the array was computed from gets no gradient through it any more; :meth:`retain_grad` keeps the
        gradient of a result without that.

        Parameters
        ----------
        grad_req : {'write', 'add', 'null'}
            What a backward pass does with the gradient.
        stype : str, optional
            Storage type of the gradient; that of the array by default.
        """
        request = grad_req_number(grad_req, "attach_grad")
        gradient: Any = None
        if stype is not None and storage_number(stype, "attach_grad") != self._storage:
            from . import sparse

            own: Any = self
            gradient = sparse.zeros(stype, own.shape, own.context, own.dtype)
        self._attach_grad(gradient, request)

    def drop_grad(self) -> None:
        """The array is no longer a variable."""
        self._attach_grad(None, 0)

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to this array: it is a variable, or was computed from one while recording.

        Setting it to True attaches a gradient, and the thread records operations from then on, unless it has
        said otherwise, as by :class:`mixgrad.nn.no_grad`; to False takes the array off the tape. Results stay
        as they are: gradients flow through them already, and :meth:`detach` gives one that none flows to.

        >>> import mixgrad as mx
        >>> x = mx.np.ones((2,))
        >>> x.requires_grad = True
        >>> (3 * x).sum().backward()
        >>> x.grad
        array([3., 3.])
        """
        return bool(self._recorded)

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if value:
            from ..nn.grad_mode import begin

            begin()
        if self.is_leaf:
            if not value:
                self.drop_grad()
            elif not self._variable:
                self.attach_grad()
        elif not value:
            raise AutogradError(
                f"[requires_grad] the array of shape {self.shape} is a result, through which gradients flow "
                "to what it was computed from; expected a variable. a.detach() is the same memory without"
            )

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set :attr:`requires_grad`; the array itself is returned.

        >>> import mixgrad as mx
        >>> mx.np.ones((2,)).requires_grad_().requires_grad
        True
        """
        self.requires_grad = requires_grad
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the array is no recorded result: it is a variable, or no gradient flows to it.

        >>> from mixgrad import nn
        >>> weight = nn.Parameter([1.0, 2.0])
        >>> weight.is_leaf, (weight * 2).is_leaf, (weight * 2).detach().is_leaf
        (True, False, True)
        """
        return bool(self._variable or not self._recorded)

    def retain_grad(self) -> None:
        """Has backward passes add the gradient of a result to :attr:`grad`, which is None until then.

        Gradients flow on to what it was computed from, unlike after :meth:`attach_grad`. Variables keep their
        gradients without it. The array that a later operation in place makes of it is another result.

        Raises
        ------
        AutogradError
            No gradient flows to the array.

        Examples
        --------
        >>> from mixgrad import nn
        >>> weight = nn.Parameter([1.0, 2.0])
        >>> square = weight * weight
        >>> square.retain_grad()
        >>> (3 * square).sum().backward()
        >>> square.grad, weight.grad
        (array([3., 3.]), array([ 6., 12.]))
        """
        self._retain_grad()

    @property
    def retains_grad(self) -> bool:
        """Whether the array is a result that keeps its gradient; see :meth:`retain_grad`."""
        return bool(self._retains_grad)

    def register_hook(self, hook: Callable[[Any], Any]) -> HookHandle:
        """Call ``hook(gradient)`` in backward passes, when the gradient of this array is complete.

        What it returns, if anything, is the gradient from there on. It must not change its argument. Hooks of
        a result end with the backward pass that frees it; one of a variable that refers to the variable
        itself holds it until it is removed.

        Parameters
        ----------
        hook : function
            Takes the gradient, gives another of the same shape and dtype, or None.

        Returns
        -------
        HookHandle
            ``remove()`` ends it.

        Examples
        --------
        >>> from mixgrad import nn
        >>> weight = nn.Parameter([1.0, 2.0])
        >>> handle = weight.register_hook(lambda gradient: gradient.clip(-3, 3))
        >>> (weight * weight).sum().backward()
        >>> weight.grad
        array([2., 3.])
        >>> handle.remove()
        """
        own: Any = self
        table, array = HookTable(own._is_np), weakref.ref(self)
        number = 0

        def remove() -> None:
            owner = array()
            if owner is not None:
                _core.remove_gradient_hook(owner, number)

        handle = table.add(hook, remove)
        number = _core.add_gradient_hook(self, table)
        return handle

    def zero_grad(self) -> None:
        """Fills the gradient with zeros."""
        own: Any = self
        if own.grad is not None:
            own.grad[:] = 0

    def backward(
        self,
        out_grad: Optional[NDArray] = None,
        retain_graph: bool = False,
        train_mode: bool = True,
        create_graph: bool = False,
        *,
        gradient: Optional[NDArray] = None,
    ) -> None:
        """Gradients of this array with regard to all variables it was computed from.

        Parameters
        ----------
        out_grad : NDArray, optional
            Weight of each element, of this array's shape; ones by default.
        retain_graph : bool
            Keep what was recorded, so that another backward pass is possible.
        train_mode : bool
            Accepted for MXNet's sake; each operator's gradient follows the mode in which it was recorded.
        create_graph : bool
            Record the backward pass itself, for gradients of gradients.
        gradient : NDArray, optional
            PyTorch's name of ``out_grad``.
        """
        if gradient is not None:
            if out_grad is not None:
                raise TypeError(
                    "[backward] got gradient and out_grad, which are the same; expected one of them"
                )
            out_grad = gradient
        if out_grad is not None and not isinstance(out_grad, _core.NDArrayBase):
            raise TypeError(f"[backward] out_grad is {type(out_grad).__name__}; expected an NDArray or None")
        try:
            _core.backward([self], [out_grad], bool(retain_graph or create_graph), bool(create_graph))
        except AutogradError as error:
            explain_backward([self], error)
            raise
