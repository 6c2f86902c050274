"""Keys on their way to the processes that they are for."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .. import _core
from ..base import InvalidArgumentError
from ..kvstore import _zeromq

__all__ = ["Keys", "key_folder"]


def _secret_file(role: str, number: int) -> str:
    return f"{role}.secret" if role == "scheduler" else f"{role}-{number}.secret"


class Keys(NamedTuple):
    """The keys of a training: public ones, which all processes get, and a secret for each."""

    public: str
    secrets: dict[tuple[str, int], str]  # by role and number

    def __repr__(self) -> str:
        return f"Keys of {len(self.secrets)} processes"

    @classmethod
    def made(cls, workers: int, servers: int) -> Keys:
        """New ones. They are on the disk for a moment, in a folder of this user.

        >>> from mixgrad.distributed._keys import Keys
        >>> Keys.made(2, 1)
        Keys of 4 processes
        """
        _zeromq.load()
        with tempfile.TemporaryDirectory(prefix="mixgrad-keys-") as outside:
            folder = Path(outside) / "keys"
            _core.kvstore_make_keys(str(folder), workers, servers)
            names = [("scheduler", 0)]
            names += [("server", i) for i in range(servers)] + [("worker", i) for i in range(workers)]
            secrets = {name: (folder / _secret_file(*name)).read_text() for name in names}
            return cls((folder / "public.txt").read_text(), secrets)


@contextlib.contextmanager
def key_folder(role: str, number: int, public: str, secret: str, path: str | None = None) -> Iterator[str]:
    """A folder for ``MIXGRAD_KEYS`` with the keys of one process, which goes with the block.

    A process that is killed leaves it behind. With a ``path``, which nobody else knows, the one that takes
    its place finds it there and removes it at its own end.
    """
    if path is None:
        folder = tempfile.mkdtemp(prefix="mixgrad-keys-")
    else:
        folder = path
        with contextlib.suppress(FileExistsError):
            os.mkdir(folder, 0o700)
        there = os.lstat(folder)
        if there.st_uid != os.getuid() or there.st_mode & 0o170077 != 0o40000:
            raise InvalidArgumentError(
                f"[keys] {folder} is not a folder that belongs to this user alone; expected nothing there"
            )
    try:
        for name, text in ((_secret_file(role, number), secret), ("public.txt", public)):
            file = os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with open(file, "w", encoding="utf-8") as output:
                output.write(text)
        yield folder
    finally:
        shutil.rmtree(folder)
