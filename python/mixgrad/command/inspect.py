"""Show what a packed model holds: layers, sizes, memory plan."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..model import load_packed
from ..visualization import print_summary

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=Path, help="a file made by mixgrad pack")
    parser.add_argument(
        "--plan", action="store_true", help="also every node that runs and where its values lie"
    )


def act(given: argparse.Namespace) -> None:
    """Show."""
    model = load_packed(given.model)
    values = sum(array.size for array in (*model.arg_params.values(), *model.aux_params.values()))
    print(
        f"{given.model}: {given.model.stat().st_size:,} bytes, weights as {model.weights}, {values:,} numbers"
    )
    if model.labels:
        print(f"labels: {len(model.labels)}, the first {model.labels[0]!r}")
    if model.input is None:
        return
    print(f"input: {model.input}")
    print_summary(model.symbol, model.shapes(), line_length=100)
    executor = model.bind()
    executor.forward()
    planned, least = executor.planned_bytes(False)
    print(f"working memory and outputs: {planned:,} bytes (any plan needs {least:,})")
    if given.plan:
        print(executor.debug_str())
