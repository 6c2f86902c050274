"""What a test finds on its machine: tools, kinds of processors, operators that can run."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from ..base import MissingFileError
from ..runtime import Features

__all__ = [
    "discard_stderr",
    "get_im2rec_path",
    "has_tvm_ops",
    "is_aarch64_run",
    "is_cd_run",
    "is_op_runnable",
    "locationError",
]


@contextlib.contextmanager
def discard_stderr() -> Iterator[None]:
    """A scope in which nothing reaches the error output, not even from C and C++."""
    try:
        number = sys.stderr.fileno()
    except (AttributeError, OSError):  # it is no file of the system
        yield
        return
    sys.stderr.flush()
    kept = os.dup(number)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), number)
            yield
    finally:
        sys.stderr.flush()
        os.dup2(kept, number)
        os.close(kept)


def get_im2rec_path(home_env: str = "MXNET_HOME") -> str:
    """The path of MXNet's tool im2rec.py, in the folder that an environment variable names.

    Parameters
    ----------
    home_env : str
        The variable.
    """
    path = os.path.join(os.environ.get(home_env, ""), "tools", "im2rec.py")
    if home_env not in os.environ or not os.path.isfile(path):
        raise MissingFileError(
            f"[get_im2rec_path] {path!r} is not there; expected the environment variable {home_env} to name "
            "a copy of MXNet, whose tool it is"
        )
    return path


def has_tvm_ops() -> bool:
    """Whether there are operators that TVM compiled; there are none."""
    return Features().is_enabled("TVM_OP")


def is_op_runnable() -> bool:
    """Whether operators can run on the current device."""
    return True


def is_aarch64_run() -> bool:
    """Whether this is a 64-bit ARM machine."""
    return platform.machine() == "aarch64"


def is_cd_run() -> bool:
    """Whether the environment variable ``CD_JOB`` is 1."""
    return os.environ.get("CD_JOB") == "1"


def locationError(a: Any, b: Any, index: Any, names: Sequence[str], maxError: bool = False) -> str:
    """Text that says at which place two arrays differ, and their numbers there."""
    kind = "largest error" if maxError else "error"
    return f"{kind} at {index}: {names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"
