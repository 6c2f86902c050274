"""Gluon's further layers."""

from . import nn

__all__ = ["nn"]
