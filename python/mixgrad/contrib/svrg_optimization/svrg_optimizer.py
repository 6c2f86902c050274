"""The optimisers that :class:`SVRGModule` puts into a store that its devices share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ... import _hints
from ... import optimizer as opt
from ..._repr import option_names
from ...base import NotFoundError
from ...ndarray import NDArray

__all__: list[str] = []


@opt.register
class _AssignmentOptimizer(opt.Optimizer):
    """Puts a gradient in the place of a weight: keys of averages in the store take what is pushed."""

    def create_state(self, index: Any, weight: NDArray) -> None:
        return

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        weight[:] = grad


@opt.register
class _SVRGOptimizer(opt.Optimizer):
    """Updates weights by an optimiser, and averages of gradients by assignment.

    Parameters
    ----------
    default_optimizer : str or Optimizer
        The optimiser of weights; one given by name is made with the other options.
    **kwargs
        Options.
    """

    def __init__(self, default_optimizer: Union[str, opt.Optimizer], **kwargs: Any) -> None:
        known = option_names(opt.Optimizer, opt.Optimizer)
        super().__init__(**{name: value for name, value in kwargs.items() if name in known})
        self.default_opt = (
            opt.create(default_optimizer, **kwargs)
            if isinstance(default_optimizer, str)
            else default_optimizer
        )
        self.aux_opt = _AssignmentOptimizer()

    def _of(self, index: Any) -> opt.Optimizer:
        """Which of the two has a key, given as a number or a name."""
        name = index if index in self.idx2name.values() else self.idx2name.get(index)
        if name is None:
            raise NotFoundError(f"[SVRGOptimizer] no parameter is called {index!r:.60}")
        return self.aux_opt if name.endswith("_full") else self.default_opt

    def create_state(self, index: Any, weight: NDArray) -> Any:
        return self._of(index).create_state_multi_precision(index, weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        self._of(index).update_multi_precision(index, weight, grad, state)


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
