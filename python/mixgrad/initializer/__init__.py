"""Weight initialisers (``mx.init`` and ``mx.initializer``): each fills one array in place.

An initialiser is called as ``init(name, array)``. The end of the name chooses the rule: ``weight`` is what
the class defines, ``bias``, ``beta`` and running means are 0, ``gamma`` and running variances are 1. A name
that is an :class:`InitDesc` may carry an ``__init__`` attribute (the text of :meth:`Initializer.dumps`),
which wins over the rules. Random numbers come from the generator that ``mx.random.seed`` seeds.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .base import InitDesc, Initializer, alias, create, register
from .combined import Load, Mixed
from .fixed import Bilinear, Constant, LSTMBias, One, Zero
from .recurrent import FusedRNN
from .sampled import MSRAPrelu, Normal, Orthogonal, Uniform, Xavier

__all__ = [
    "Bilinear",
    "Constant",
    "FusedRNN",
    "InitDesc",
    "Initializer",
    "LSTMBias",
    "Load",
    "MSRAPrelu",
    "Mixed",
    "Normal",
    "One",
    "Orthogonal",
    "Uniform",
    "Xavier",
    "Zero",
    "alias",
    "create",
    "register",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
