"""Optimisers: how a gradient changes a weight (``mx.optimizer``, ``mx.opt``).

An :class:`Optimizer` knows the rule and its learning rates, a state per weight is made by ``create_state``,
and an :class:`Updater` keeps the states of all weights, which is the form a key-value store wants.
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import contrib
from .adam import FTML, Adam, Adamax, Nadam
from .adaptive import AdaDelta, AdaGrad, Ftrl, RMSProp
from .base import Optimizer, create, register
from .decoupled import LANS, AdamW
from .large_batch import LAMB, LARS, LBSGD
from .sgd import DCASGD, NAG, SGD, SGLD, Signum, Test, ccSGD
from .updater import Updater, get_updater

__all__ = [
    "DCASGD",
    "FTML",
    "LAMB",
    "LANS",
    "LARS",
    "LBSGD",
    "NAG",
    "SGD",
    "SGLD",
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "contrib",
    "create",
    "get_updater",
    "register",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
