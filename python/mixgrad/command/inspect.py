"""Show what a packed model holds: layers, sizes, memory plan."""

from __future__ import annotations

import argparse
import contextlib
import io
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..model import PackedModel, load_packed
from ..visualization import print_summary
from .console import heading, show, show_json

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
    size = given.model.stat().st_size
    executor = model.bind() if model.input else None
    memory = executor.planned_bytes(False) if executor else None
    plan = executor.debug_str() if executor and given.plan else None
    if given.json:
        show_json(_description(model, size, memory, plan))
        return
    values = sum(array.size for array in (*model.arg_params.values(), *model.aux_params.values()))
    heading(f"{given.model}: {size:,} bytes, weights as {model.weights}, {values:,} numbers")
    if model.labels:
        show(f"labels: {len(model.labels)}, the first {model.labels[0]!r}")
    if model.input is None or memory is None:
        return
    show(f"input: {model.input}")
    layers = io.StringIO()
    with contextlib.redirect_stdout(layers):
        print_summary(model.symbol, model.shapes(), line_length=100)
    rule, titles, *rows = layers.getvalue().splitlines()
    show(rule)
    heading(titles)
    for row in rows:
        show(row)
    show(f"working memory and outputs: {memory[0]:,} bytes (any plan needs {memory[1]:,})")
    if plan is not None:
        show(plan)


def _description(model: PackedModel, size: int, memory: Any, plan: Any) -> dict[str, Any]:
    arrays = {**model.arg_params, **model.aux_params}
    described = {
        "bytes": size,
        "weights": model.weights,
        "labels": list(model.labels),
        "input": asdict(model.input) if model.input else None,
        "arrays": {name: {"shape": list(one.shape), "dtype": str(one.dtype)} for name, one in arrays.items()},
        "notes": model.notes,
        "memory": {"planned": memory[0], "least": memory[1]} if memory else None,
    }
    return described if plan is None else {**described, "plan": plan}
