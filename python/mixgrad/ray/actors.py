"""What runs in Ray's actors: the scheduler, servers, and workers with a function of the program."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from glob import glob
from typing import Any, NamedTuple

from ..base import MXNetError
from ..distributed._address import numeric
from ..distributed._keys import key_folder
from ..distributed._port import HeldPort
from ..kvstore import KVStoreServer, create
from ..kvstore._worker import WorkerKVStore, keep_stores
from ._installed import needed

__all__ = ["SchedulerActor", "ServerActor", "Told", "WorkerActor", "acting", "forget"]


class Told(NamedTuple):
    """What a process must know to take part.

    The secret lies in Ray's store of objects, and a reference to it travels: so it is in no description of
    the actor or the call, which Ray keeps and shows.
    """

    role: str
    number: int
    variables: dict[str, str]
    public: str
    secret: Any  # reference to a text
    run: str  # names what this training has on disks

    def environment(self, host: str) -> dict[str, str]:
        """The variables of this process, at an address of its node."""
        more = {"DMLC_ROLE": self.role, "MIXGRAD_NUMBER": str(self.number), "DMLC_NODE_HOST": host}
        return {**self.variables, **more}


def _own_host() -> str:
    ray = needed("ray.fit")
    return numeric(ray.util.get_node_ip_address(), "ray.fit")


def _folder(run: str, name: str) -> str:
    return os.path.join(tempfile.gettempdir(), f"mixgrad-{run}-{name}")


@contextmanager
def acting(told: Told) -> Iterator[None]:
    """While it lasts, this process is what it was told to be, and its keys lie on the disk."""
    ray = needed("ray.fit")
    # A folder that the next process of this place finds: one that is killed leaves it behind.
    path = _folder(told.run, f"{told.role}-{told.number}")
    with key_folder(told.role, told.number, told.public, ray.get(told.secret), path) as keys:
        os.environ.update(told.environment(_own_host()), MIXGRAD_KEYS=keys)
        yield


def forget(run: str) -> None:
    """Remove what processes of a training that were killed left on this node."""
    for folder in glob(f"{_folder(run, '*')}*"):
        shutil.rmtree(folder, ignore_errors=True)  # several may do it at once


class ServerActor:
    """An actor that is a server."""

    def serve(self, told: Told) -> None:
        """Be it until all workers have left."""
        with acting(told):
            KVStoreServer().run()


class SchedulerActor(ServerActor):
    """An actor that is the scheduler."""

    def __init__(self) -> None:
        self._port: HeldPort | None = None

    def address(self) -> tuple[str, int]:
        """Where it can listen on this node, also after it was started again."""
        host = _own_host()
        self._port = HeldPort(host, is_lasting=True)
        return host, self._port.number

    def serve(self, told: Told) -> None:
        """Be it until all workers have left."""
        host = told.variables["DMLC_PS_ROOT_URI"]
        if host != _own_host():
            raise MXNetError(
                f"[ray.fit] the scheduler was at {host}, and its actor came back at {_own_host()}: others "
                "would not find it there; start the training again"
            )
        super().serve(told)


class WorkerActor:
    """An actor that is a worker: a function of the program runs in its main thread."""

    def __init__(self) -> None:
        self._stores: list[WorkerKVStore] = []
        self._acting = ExitStack()

    def _begin(self, told: Told) -> None:
        self._acting.enter_context(acting(told))
        self._stores = keep_stores()

    def train(self, told: Told, function: Any, args: tuple[Any, ...]) -> tuple[Any, bool]:
        """What the function returned, and whether it made a store; others wait for this worker still."""
        self._begin(told)
        with ExitStack() as ending:
            ending.push(self._acting)
            try:
                result = function(*args)
            except SystemExit as error:
                if error.code not in (None, 0):
                    raise MXNetError(f"train_fn ended the process with code {error.code!r:.60}") from None
                result = None
            if self._stores:
                ending.pop_all()  # it still acts
            return result, bool(self._stores)

    def leave(self, told: Told) -> None:
        """Tell the others not to wait for this worker any more; its updates are over then."""
        if not self._stores:  # this process took the place of the one whose result is known
            self._begin(told)
            create("dist_sync")
        with self._acting:
            for store in self._stores:
                if store._is_open:
                    store.leave()
