"""Loggers with a level, a time and a place in every line (``mx.log``)."""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Optional, Union

from . import _hints

__all__ = ["CRITICAL", "DEBUG", "ERROR", "INFO", "NOTSET", "WARNING", "getLogger", "get_logger"]

CRITICAL, ERROR, WARNING = logging.CRITICAL, logging.ERROR, logging.WARNING
INFO, DEBUG, NOTSET = logging.INFO, logging.DEBUG, logging.NOTSET


def get_logger(
    name: Optional[str] = None,
    filename: Optional[Union[str, os.PathLike[str]]] = None,
    filemode: Optional[str] = None,
    level: int = WARNING,
) -> logging.Logger:
    """Return a logger that writes to a file, or to the terminal.

    Parameters
    ----------
    name : str, optional
        Its name; the one of None is the root.
    filename : str, optional
        File to write to; by default the error output.
    filemode : str, optional
        How the file is opened; ``"a"`` by default.
    level : int
        Least level that is written, such as ``mx.log.INFO``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> logger = mx.log.get_logger("mine", level=mx.log.INFO)
    >>> logger is mx.log.get_logger("mine", level=mx.log.DEBUG), logger.level == mx.log.DEBUG
    (True, True)
    """
    logger = logging.getLogger(name)
    if name is not None and not any(getattr(handler, "_of_mixgrad", False) for handler in logger.handlers):
        handler: logging.Handler = (
            logging.FileHandler(filename, filemode or "a") if filename else logging.StreamHandler()
        )
        handler._of_mixgrad = True  # type: ignore[attr-defined]
        line = "%(levelname).1s%(asctime)s %(process)d %(pathname)s:%(lineno)d] %(message)s"
        handler.setFormatter(logging.Formatter(line, "%m%d %H:%M:%S"))
        logger.addHandler(handler)
    logger.setLevel(level)
    return logger


getLogger = get_logger


if not TYPE_CHECKING:
    __getattr__, __dir__ = _hints.public(__name__)
