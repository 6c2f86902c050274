"""Roles of the processes of a training (``mx.distributed``): parameter servers and workers.

A :class:`ClusterSpec` says which processes there are. In each a :class:`Server` makes it one of them.
Workers share :class:`SharedVariables`, which lie on the ``ps`` tasks, under a :class:`Supervisor`. All of it
runs over the stores of :mod:`mixgrad.kvstore`; docs/distributed.md shows the programs.
"""

from typing import TYPE_CHECKING

from .. import _hints
from .cluster import ClusterSpec
from .placement import DeviceSetter, replica_device_setter
from .replicas import StepCounter, SyncReplicas
from .saver import Cut, Saver
from .server import Server
from .supervisor import Session, Supervisor
from .variables import SharedVariables

__all__ = [
    "ClusterSpec",
    "Cut",
    "DeviceSetter",
    "Saver",
    "Server",
    "Session",
    "SharedVariables",
    "StepCounter",
    "Supervisor",
    "SyncReplicas",
    "replica_device_setter",
]


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
