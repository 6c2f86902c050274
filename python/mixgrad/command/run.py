"""Predict with a packed model and images."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..model import load_packed
from .console import at_least, heading, show, show_json
from .image import read_input

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=Path, help="a file made by mixgrad pack")
    parser.add_argument("images", type=Path, nargs="+", help="images, or .npy files of numbers")
    parser.add_argument("--top", type=at_least(1), default=5, help="classes shown per image (default: 5)")


def act(given: argparse.Namespace) -> None:
    """Predict."""
    model = load_packed(given.model)
    if model.input is None:
        raise InvalidArgumentError(
            f"[run] '{given.model}' names no input; expected a file that mixgrad pack made"
        )
    executor = model.bind((1, *model.input.shape[1:]))
    answers: list[dict[str, Any]] = []
    for path in given.images:
        pixels = read_input(path, model.input)
        scores = executor.forward(**{model.input.name: nd.array(pixels)})[0].asnumpy().reshape(-1)
        best = [
            {
                "class": int(place),
                "label": model.labels[place] if place < len(model.labels) else f"class {place}",
                "score": float(scores[place]),
            }
            for place in np.argsort(-scores, kind="stable")[: given.top]
        ]
        if given.json:
            answers.append({"image": str(path), "classes": best})
            continue
        if len(given.images) > 1:
            heading(f"{path}:")
        for one in best:
            show(f"{one['score']:12.6f}  {one['label']}")
    if given.json:
        show_json(answers)
