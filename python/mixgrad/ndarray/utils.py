"""Making, saving and loading of arrays, where MXNet has them: names of :mod:`mixgrad.nd`."""

from .creation import array, empty, zeros
from .files import load, load_frombuffer, save

__all__ = ["array", "empty", "load", "load_frombuffer", "save", "zeros"]
