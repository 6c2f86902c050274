"""Optimisers, where MXNet has them: names of :mod:`mixgrad.optimizer`."""

from . import *  # noqa: F403
from . import __all__ as __all__
