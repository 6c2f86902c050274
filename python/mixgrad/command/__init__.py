"""The ``mixgrad`` command: pack a model into one file, run it, look into it, measure it, build on mixgrad."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Optional

from ..base import MXNetError
from . import bench, config, inspect, pack, run

__all__ = ["main"]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mixgrad", description="Pack a model into one file, run it, look into it, measure it."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for module in (pack, run, inspect, bench, config):
        name = module.__name__.rpartition(".")[2]
        summary = (module.__doc__ or "").strip().splitlines()[0]
        one = commands.add_parser(name, help=summary, description=summary)
        module.add_arguments(one)
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
    given = _parser().parse_args(arguments)
    try:
        given.act(given)
    except (MXNetError, OSError) as error:
        print(f"mixgrad: {error}", file=sys.stderr)
        return 1
    return 0
