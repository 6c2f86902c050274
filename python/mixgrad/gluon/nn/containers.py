"""Blocks in a row."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Optional

from ..block import Block, HybridBlock
from ..parameter import ParameterDict
from ..utils import _indent

__all__ = ["HybridSequential", "Sequential"]


class _Row(Block):
    """What both kinds of rows share."""

    def add(self, *blocks: Block) -> None:
        """Put blocks at the end."""
        for block in blocks:
            self.register_child(block)

    def __repr__(self) -> str:
        lines = "\n".join(f"  ({key}): {_indent(repr(one), 2)}" for key, one in self._children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def __getitem__(self, key: Any) -> Any:
        found = list(self._children.values())[key]
        if not isinstance(found, list):
            return found
        row = type(self)(prefix=self._prefix)
        with row.name_scope():
            row.add(*found)
        return row

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Block]:
        return iter(self._children.values())


class Sequential(_Row):
    """Blocks of any kind, each called with what the one before gives.

    Parameters
    ----------
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.gluon import nn
    >>> net = nn.Sequential()
    >>> with net.name_scope():
    ...     net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
    >>> net
    Sequential(
      (0): Dense(None -> 10, Activation(relu))
      (1): Dense(None -> 2, linear)
    )
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def forward(self, x: Any) -> Any:
        """Call all blocks."""
        for block in self._children.values():
            x = block(x)
        return x

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Have all children that are :class:`HybridBlock` run as planned graphs, each by itself."""
        if self._children and all(isinstance(one, HybridBlock) for one in self._children.values()):
            warnings.warn(
                f"[Sequential] all children of {self.name!r} are HybridBlocks; HybridSequential runs them as "
                "one graph",
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(_Row, HybridBlock):
    """Hybrid blocks, each called with what the one before gives.

    Parameters
    ----------
    prefix : str, optional
        What the names of parameters begin with.
    params : ParameterDict, optional
        Parameters that it shares.

    Examples
    --------
    >>> import mixgrad as mx
    >>> from mixgrad.gluon import nn
    >>> net = nn.HybridSequential()
    >>> with net.name_scope():
    ...     net.add(nn.Dense(10, activation="relu"), nn.Dense(2))
    >>> net.initialize()
    >>> net.hybridize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 2)
    """

    def __init__(self, prefix: Optional[str] = None, params: Optional[ParameterDict] = None) -> None:
        super().__init__(prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Call all blocks."""
        for block in self._children.values():
            x = block(x)
        return x
