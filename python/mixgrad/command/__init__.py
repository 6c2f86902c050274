"""The ``mixgrad`` command: pack a model into one file, run it, look into it, measure it, build on mixgrad.

It also packs pictures into record files, runs scripts that are written for MXNet, and starts the processes
of a distributed training.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Optional

from .. import _core
from ..base import FileError, MXNetError
from . import bench, config, data, im2rec, inspect, join, keys, launch, pack, run, script, top, trace
from .console import plain

__all__ = ["main"]

# What shells report of a program that wrote to a pipe nobody reads any more, and of one ended by Ctrl-C.
_PIPE_CLOSED, _INTERRUPTED = 141, 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mixgrad",
        description="Pack a model into one file, run it, look into it, measure it; build on mixgrad.",
    )
    parser.add_argument("--version", action="version", version=f"mixgrad {_core.version()}")
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (pack, run, inspect, bench, im2rec, data, config, script, launch, join, keys, top, trace):
        name = module.__name__.rpartition(".")[2]
        summary = (module.__doc__ or "").strip().splitlines()[0]
        one = commands.add_parser(name, help=summary, description=summary)
        module.add_arguments(one)
        one.add_argument("--json", action="store_true", help="print JSON, for other programs")
        one.set_defaults(act=module.act)
    return parser


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a command line; returns 0, or 1 after a message when something was refused.

    Examples
    --------
    >>> from mixgrad.command import main
    >>> main(["inspect", "no-such-file.mxg"])
    1
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words[:1] == ["script"]:  # what follows are the script's words, and so are its errors
        return script.run_words(words[1:])
    given = _parser().parse_args(words)
    try:
        if sys.stdout is None:
            raise FileError("[mixgrad] standard output is closed; expected it to be open")
        given.act(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever reads has seen enough; what is still in the buffer goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    except (MXNetError, OSError) as error:
        print(f"mixgrad: {plain(str(error))}", file=sys.stderr)
        return 1
    return 0
