"""Training on a Ray cluster (``mx.ray``): actors are the scheduler, the servers and the workers.

Tensors travel between them by mixgrad's own transport; Ray places the actors, starts them again when they
die, hands out keys and brings results back. Ray itself is needed by calls only (``pip install
'mixgrad[ray]'``). docs/distributed.md shows the programs.
"""

from typing import TYPE_CHECKING, Any

from .. import _hints
from .dataset import DatasetIter
from .serving import PlacementError
from .training import WorkerError, fit

if TYPE_CHECKING:
    from .backend import StoreConfig

__all__ = ["DatasetIter", "PlacementError", "StoreConfig", "WorkerError", "fit"]

_missing, _listed = _hints.public(__name__)

if not TYPE_CHECKING:
    __dir__ = _listed

    def __getattr__(name: str) -> Any:
        if name == "StoreConfig":  # a class of Ray Train's, which is imported for it
            from .backend import StoreConfig

            return StoreConfig
        return _missing(name)
