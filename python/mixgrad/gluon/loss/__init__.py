"""Losses."""

from typing import TYPE_CHECKING

from ... import _hints
from .classification import *  # noqa: F403
from .classification import __all__ as _classification
from .loss import Loss
from .loss import reshape_like as _reshape_like  # noqa: F401  # as losses of others import them
from .loss import weighted as _apply_weighting  # noqa: F401
from .regression import *  # noqa: F403
from .regression import __all__ as _regression
from .sequences import *  # noqa: F403
from .sequences import __all__ as _sequences
from .similarity import *  # noqa: F403
from .similarity import __all__ as _similarity

__all__ = ["Loss", *_classification, *_regression, *_sequences, *_similarity]  # noqa: PLE0604

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
