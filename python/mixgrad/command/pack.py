"""Make one file of a network, its parameters, labels and the way its input is made."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Optional

from .. import symbol as sym
from .._files import read_file
from .._training.checkpoint import params_from
from ..base import FileFormatError, InvalidArgumentError
from ..model import InputFormat, last_checkpoint, save_packed
from .console import at_least, show, show_json

__all__ = ["act", "add_arguments"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("model", help="prefix of a checkpoint, or its -symbol.json file")
    parser.add_argument("-o", "--output", type=Path, help="the packed file (default: <model>.mxg)")
    parser.add_argument("--epoch", type=at_least(0), help="number of the checkpoint (default: the last)")
    parser.add_argument("--params", type=Path, help="file of parameters, instead of a checkpoint's")
    parser.add_argument(
        "--input", required=True, metavar="NAME=SHAPE", help="such as data=1,3,224,224; predictions use it"
    )
    parser.add_argument("--labels", type=Path, help="text file, a class per line")
    parser.add_argument(
        "--weights", choices=("float32", "float16", "int8"), default="float32", help="how weights are held"
    )
    parser.add_argument(
        "--resize", type=at_least(0), default=0, help="shorter side before the middle is cut out"
    )
    parser.add_argument("--channels", choices=("rgb", "bgr", "gray"), help="default: by the shape")
    parser.add_argument(
        "--scale", type=float, default=1.0, help="factor of pixels, which reach from 0 to 255"
    )
    parser.add_argument("--mean", default="0", help="numbers to subtract, one or one per channel")
    parser.add_argument("--std", default="1", help="numbers to divide by")


def act(given: argparse.Namespace) -> None:
    """Pack."""
    prefix = given.model[: -len("-symbol.json")] if given.model.endswith("-symbol.json") else given.model
    network = sym.load(f"{prefix}-symbol.json")
    params = _params(prefix, given.params, given.epoch)
    arg_params, aux_params = params_from(str(params))
    form = _input(given)
    output = given.output or Path(f"{prefix}.mxg")
    sources = [Path(f"{prefix}-symbol.json"), params, *([given.labels] if given.labels else [])]
    if any(output.exists() and source.exists() and output.samefile(source) for source in sources):
        raise InvalidArgumentError(f"[pack] --output is '{output}', which is read; expected another file")
    save_packed(output, network, arg_params, aux_params, form, _labels(given.labels), given.weights)
    arrays, size = len(arg_params) + len(aux_params), output.stat().st_size
    if given.json:
        show_json({"file": str(output), "arrays": arrays, "bytes": size})
    else:
        show(f"{output}: {arrays} arrays, {size:,} bytes")


def _labels(path: Optional[Path]) -> list[str]:
    if path is None:
        return []
    try:
        return read_file(path, "pack").decode().splitlines()
    except UnicodeDecodeError as error:
        raise FileFormatError(f"[pack] '{path}' is not UTF-8: {error}; expected a class per line") from None


def _params(prefix: str, file: Optional[Path], epoch: Optional[int]) -> Path:
    if file:
        return file
    number = last_checkpoint(prefix) if epoch is None else epoch
    if number is None:
        raise InvalidArgumentError(
            f"[pack] there is no {prefix}-0000.params or later; expected one, or --params"
        )
    return Path(f"{prefix}-{number:04d}.params")


def _numbers(text: str, what: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise InvalidArgumentError(f"[pack] {what} {text!r}; expected numbers with commas between") from None


def _input(given: argparse.Namespace) -> InputFormat:
    name, _, text = given.input.partition("=")
    extents = _numbers(text, "--input") if text else ()
    if not name or not extents or not all(extent.is_integer() for extent in extents):
        raise InvalidArgumentError(f"[pack] --input {given.input!r}; expected such as data=1,3,224,224")
    shape = tuple(int(extent) for extent in extents)
    gray = len(shape) == 4 and shape[1] == 1
    if given.channels and (len(shape) != 4 or shape[1] != (1 if given.channels == "gray" else 3)):
        raise InvalidArgumentError(
            f"[pack] --channels is {given.channels} for the input {shape}; expected a shape of images, of "
            f"{'one channel' if given.channels == 'gray' else 'three channels'}"
        )
    return InputFormat(
        name,
        shape,
        given.resize,
        given.channels or ("gray" if gray else "rgb"),
        given.scale,
        _numbers(given.mean, "--mean"),
        _numbers(given.std, "--std"),
    )
