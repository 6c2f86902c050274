"""Iterators, where MXNet has them: names of :mod:`mixgrad.io`."""

from . import *  # noqa: F403
from . import __all__ as __all__
