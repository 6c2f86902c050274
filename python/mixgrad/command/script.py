"""Run a script that is written for MXNet."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from .._script import USAGE, main

__all__ = ["act", "add_arguments", "run_words"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments, which main takes apart itself: most of them are the script's."""
    parser.usage = f"mixgrad script {USAGE}"
    parser.add_argument("arguments", nargs="...", help="the script and its arguments")


def act(given: argparse.Namespace) -> int:
    """Run the script."""
    return run_words(given.arguments)


def run_words(words: Sequence[str]) -> int:
    """Run the script that these words name, with the rest of them."""
    return main(words, "mixgrad script")
