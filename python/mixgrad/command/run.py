"""Predict with a packed model and images."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from .. import ndarray as nd
from ..base import InvalidArgumentError
from ..model import load_packed
from .image import read_input

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", type=Path, help="a file made by mixgrad pack")
    parser.add_argument("images", type=Path, nargs="+", help="images, or .npy files of numbers")
    parser.add_argument("--top", type=int, default=5, help="classes shown per image")


def act(given: argparse.Namespace) -> None:
    """Predict."""
    model = load_packed(given.model)
    if model.input is None:
        raise InvalidArgumentError(
            f"[run] '{given.model}' names no input; expected a file that mixgrad pack made"
        )
    executor = model.bind((1, *model.input.shape[1:]))
    for path in given.images:
        pixels = read_input(path, model.input)
        scores = executor.forward(**{model.input.name: nd.array(pixels)})[0].asnumpy().reshape(-1)
        if len(given.images) > 1:
            print(f"{path}:")
        for place in np.argsort(-scores, kind="stable")[: max(1, given.top)]:
            label = model.labels[place] if place < len(model.labels) else f"class {place}"
            print(f"{scores[place]:12.6f}  {label}")
