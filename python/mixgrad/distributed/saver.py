"""Checkpoints of shared variables."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..ndarray import NDArray
from .variables import SharedVariables

__all__ = ["Cut", "Saver"]

_STEP = "global_step"


class Cut(NamedTuple):
    """Values between two steps, which may still be on their way."""

    values: dict[str, NDArray]
    counts: NDArray

    @property
    def step(self) -> int:
        """The global step; waits for it."""
        return int(self.counts[-1].asscalar())


class Saver:
    """Writes variables to files ``model-STEP.params`` and reads them again.

    Parameters
    ----------
    variables : SharedVariables
        What is saved.
    max_to_keep : int
        How many files of the highest steps stay in the folder, with the one that was written last.

    Notes
    -----
    :meth:`cut`, called between two steps of this worker, is one moment of training where every worker takes
    part in every step (:class:`SyncReplicas` with as many gradients as workers). Where steps do not wait for
    all workers, each variable is from a moment of its own. States of the optimiser are the servers' and are
    not saved.
    """

    def __init__(self, variables: SharedVariables, max_to_keep: int = 5) -> None:
        if not isinstance(max_to_keep, int) or max_to_keep < 1:
            raise InvalidArgumentError(f"[Saver] max_to_keep is {max_to_keep!r}; expected 1 or more")
        self.variables, self._most = variables, max_to_keep

    def cut(self) -> Cut:
        """What the servers have now, with all steps of this worker in it. Returns at once."""
        return Cut(*self.variables.copies())

    def write(self, cut: Cut, folder: str | os.PathLike[str]) -> Path:
        """Write a cut; the file appears whole or not at all. Waits for the values."""
        step = cut.step
        path = Path(folder) / f"model-{step}.params"
        nd.save(str(path), {**cut.values, _STEP: nd.array([step], dtype="int64")})
        for old in self._files(folder)[: -self._most]:
            if old != path:  # its step may be below those of an earlier training in this folder
                old.unlink(missing_ok=True)
        return path

    @staticmethod
    def _files(folder: str | os.PathLike[str]) -> list[Path]:
        """Checkpoints of a folder, the oldest first."""
        found: list[tuple[int, Path]] = []
        for path in Path(folder).glob("model-*.params"):
            name = re.fullmatch(r"model-(\d+)\.params", path.name)
            if name and path.is_file():
                found.append((int(name[1]), path))
        return [path for _, path in sorted(found)]

    def latest(self, folder: str | os.PathLike[str]) -> Path | None:
        """The checkpoint of the highest step in a folder."""
        files = self._files(folder)
        return files[-1] if files else None

    def restore(self, path: str | os.PathLike[str]) -> None:
        """Read a checkpoint into this worker's copies, before :meth:`SharedVariables.start`.

        Raises
        ------
        InvalidArgumentError
            The file holds other variables, or of other shapes.
        """
        variables = self.variables
        if variables.store is not None:
            raise InvalidArgumentError("[Saver] training has begun; expected restore before start")
        loaded: Any = nd.load(str(path))
        step = loaded.pop(_STEP, None) if isinstance(loaded, dict) else None
        if step is None or loaded.keys() != variables.values.keys():
            names = sorted(loaded) if isinstance(loaded, dict) else "no names"
            raise InvalidArgumentError(
                f"[Saver] {path} holds {names}; expected {sorted(variables.values)} and {_STEP}"
            )
        for name, value in variables.values.items():
            if loaded[name].shape != value.shape or np.dtype(loaded[name].dtype) != np.dtype(value.dtype):
                raise InvalidArgumentError(
                    f"[Saver] {name!r} of {path} has shape {loaded[name].shape} and dtype "
                    f"{loaded[name].dtype}; expected {value.shape} and {value.dtype}"
                )
        number = step.asnumpy().ravel()
        if number.size != 1 or not 0 <= number[0] < 2**53 or number[0] != int(number[0]):
            raise InvalidArgumentError(
                f"[Saver] {_STEP} of {path} is {number.tolist()!r:.60}; expected one whole number from 0 on"
            )
        for name, value in variables.values.items():
            loaded[name].copyto(value)
        variables.first_step = int(number[0])
