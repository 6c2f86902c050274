"""All operators, also those whose names begin with an underscore, as in MXNet's ``mx.sym._internal``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .. import _hints
from ..base import InvalidArgumentError
from .functions import NAMES, operator

if TYPE_CHECKING:
    from .symbol import Symbol

_operator, __dir__ = _hints.operators(__name__, operator, NAMES, "", private=True)


def _CachedOp(*args: Symbol, subgraph: str, name: Optional[str] = None, **kwargs: Any) -> Symbol:
    """A graph inside the graph: its nodes, with ``args`` in place of its inputs.

    Parameters
    ----------
    *args : Symbol
        As many as the graph has inputs, in the order of ``list_inputs()``.
    subgraph : str
        The graph as JSON.
    name : str, optional
        Of the node that gives the outputs; by default what it is called in the graph.
    **kwargs
        Accepted for MXNet's sake: how memory is planned.
    """
    from .files import load_json

    inner = load_json(subgraph)
    wanted = inner.list_inputs()
    if len(args) != len(wanted):
        raise InvalidArgumentError(
            f"[_CachedOp] {len(args)} inputs; expected {len(wanted)}: {', '.join(wanted)}"
        )
    return inner(*args, name=name)


# As large as the elements say (those of a picture as its file says), which a symbol does not know.
_OF_ARRAYS = {
    "_cvimdecode",
    "_cvimread",
    "_imdecode",
    "_contrib_boolean_mask",
    "_npi_bincount",
    "_npi_boolean_mask",
    "_npi_cvimdecode",
    "_npi_cvimread",
    "_npi_nonzero",
    "_npi_unique",
    "_npx_nonzero",
}


def __getattr__(name: str) -> Any:
    if name in _OF_ARRAYS:
        raise NotImplementedError(
            f"[{name}] the extents of the result depend on the elements, which a symbol does not know; "
            f"arrays have mx.nd._internal.{name}"
        )
    return _operator(name)
