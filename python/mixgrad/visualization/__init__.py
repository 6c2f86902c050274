"""Pictures and tables of networks (``mx.viz``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import _hints
from .curves import CurvesPlot, plot_curves
from .memory import plot_memory_plan
from .network import NetworkPlot, plot_network
from .summary import print_summary

__all__ = ["CurvesPlot", "NetworkPlot", "plot_curves", "plot_memory_plan", "plot_network", "print_summary"]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
