"""Optimisers in PyTorch's habits (``mx.optim``), over the registered update operators.

>>> from mixgrad import nn, np, optim
>>> net = nn.Linear(2, 1)
>>> optimizer = optim.Adam(net.parameters(), lr=1e-3)
>>> optimizer.zero_grad()
>>> net(np.ones((3, 2))).sum().backward()
>>> optimizer.step()
"""

from typing import TYPE_CHECKING

from .. import _hints
from . import lr_scheduler
from .adam import Adam, AdamW
from .adamax import Adamax
from .adaptive import Adadelta, Adagrad, RMSprop
from .asgd import ASGD
from .lbfgs import LBFGS
from .nadam import NAdam
from .optimizer import Optimizer
from .radam import RAdam
from .rprop import Rprop
from .sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
