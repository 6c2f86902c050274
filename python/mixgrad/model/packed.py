"""Packed models: a network, its parameters, labels and the way its input is made, in one file."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Optional, Union

import numpy as np

from .. import _core
from .. import ndarray as nd
from .._training.checkpoint import params_with_kinds
from ..base import (
    FileFormatError,
    InvalidArgumentError,
    MissingFileError,
    MXNetError,
    NotFoundError,
)
from ..context import Context, cpu
from ..ndarray import NDArray
from ..symbol import Symbol, load_json

__all__ = ["InputFormat", "PackedModel", "load_packed", "save_packed"]

Path = Union[str, "os.PathLike[str]"]
CHANNELS = ("rgb", "bgr", "gray")
MOST_PIXELS = 65_535  # of a side to which images are brought


@dataclass(frozen=True)
class InputFormat:
    """How an image becomes the input of a network: its numbers are ``(pixel * scale - mean) / std``.

    Parameters
    ----------
    name : str
        The network's input.
    shape : tuple of int
        Its shape; for images (batch, channels, height, width).
    resize : int
        Pixels to which the shorter side is brought before the middle is cut out; 0: the whole image is
        brought to the shape.
    channels : str
        "rgb", "bgr" or "gray".
    scale : float
        Factor of pixels, which lie between 0 and 255.
    mean, std : tuple of float
        One number, or one for each channel.
    """

    name: str
    shape: tuple[int, ...]
    resize: int = 0
    channels: str = "rgb"
    scale: float = 1.0
    mean: tuple[float, ...] = (0.0,)
    std: tuple[float, ...] = (1.0,)

    def __post_init__(self) -> None:
        for word in ("shape", "mean", "std"):
            object.__setattr__(self, word, _as_tuple(getattr(self, word)))

        def refuse(word: str, expected: str) -> None:
            given = repr(getattr(self, word))
            shown = given if len(given) < 80 else given[:77] + "..."
            raise InvalidArgumentError(f"[InputFormat] {word} is {shown}; expected {expected}")

        if not isinstance(self.name, str) or not self.name:
            refuse("name", "the name of the network's input")
        if not _all_of(int, self.shape) or not 0 < len(self.shape) <= 8 or min(self.shape) < 1:
            refuse("shape", "1 to 8 extents of at least 1")
        if not _all_of(int, (self.resize,)) or not 0 <= self.resize <= MOST_PIXELS:
            refuse("resize", f"a whole number of pixels from 0 to {MOST_PIXELS}")
        if self.channels not in CHANNELS:
            refuse("channels", f"one of {CHANNELS}")
        if not _all_of(float, (self.scale,)):
            refuse("scale", "a finite number")
        count = self.shape[1] if len(self.shape) > 1 else 1
        for word in ("mean", "std"):
            numbers = getattr(self, word)
            if not _all_of(float, numbers) or len(numbers) not in (1, count):
                refuse(word, f"1 finite number, or {count} for channels")
        if 0 in self.std:
            refuse("std", "no zeros: pixels are divided by it")


def _all_of(kind: type, numbers: object) -> bool:
    """Whether it is a tuple of whole numbers, or of finite ones where the kind is float."""
    if not isinstance(numbers, tuple) or any(isinstance(one, bool) for one in numbers):
        return False
    if kind is int:
        return all(isinstance(one, int) for one in numbers)
    return all(
        isinstance(one, (int, float)) and -sys.float_info.max <= one <= sys.float_info.max for one in numbers
    )


def _as_tuple(numbers: Any) -> Any:
    """A number, a list or an array of NumPy as a tuple of Python's numbers; others stay as they are."""
    if isinstance(numbers, (int, float, np.generic)):
        numbers = (numbers,)
    if isinstance(numbers, (list, tuple, np.ndarray)):
        return tuple(one.item() if isinstance(one, np.generic) else one for one in numbers)
    return numbers


@dataclass(frozen=True)
class PackedModel:
    """What a packed file holds.

    Attributes
    ----------
    symbol : Symbol
    arg_params, aux_params : dict of str to NDArray
        Parameters and auxiliary states, float32.
    input : InputFormat or None
    labels : tuple of str
        Names of classes, or none.
    weights : str
        How the file holds weights: "float32", "float16" or "int8".
    """

    symbol: Symbol
    arg_params: dict[str, NDArray]
    aux_params: dict[str, NDArray]
    input: Optional[InputFormat] = None
    labels: tuple[str, ...] = ()
    weights: str = "float32"
    notes: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        arrays = [*self.arg_params.values(), *self.aux_params.values()]
        numbers = f"{sum(array.size for array in arrays):,} numbers in {len(arrays)} arrays"
        given = f"input={self.input}" if self.input else "no input named"
        return f"<PackedModel {numbers} as {self.weights}, {given}, {len(self.labels)} labels>"

    def shapes(self, shape: Optional[Sequence[int]] = None) -> dict[str, tuple[int, ...]]:
        """Shape of the input by its name; ``shape`` instead of the one in the file."""
        if self.input is None:
            raise InvalidArgumentError("[PackedModel] the file names no input; expected one given to pack")
        return {self.input.name: tuple(shape) if shape else self.input.shape}

    def bind(self, shape: Optional[Sequence[int]] = None, ctx: Optional[Context] = None) -> Any:
        """An executor that predicts; labels, which predictions do not use, are zero."""
        shapes = self.shapes(shape)
        device = ctx or cpu()
        found, _, _ = self.symbol.infer_shape(**shapes)
        names = self.symbol.list_arguments()
        given = {name: value.as_in_context(device) for name, value in self.arg_params.items()}
        args = {
            name: given[name] if name in given and name not in shapes else nd.zeros(extents, ctx=device)
            for name, extents in zip(names, found)
        }
        aux = {
            name: self.aux_params[name].as_in_context(device) for name in self.symbol.list_auxiliary_states()
        }
        return self.symbol.bind(device, args, grad_req="null", aux_states=aux)


def _check(where: str, error: type[MXNetError], model: PackedModel) -> None:
    """Refuses a model whose arrays are not what the network needs on its input, if that is known."""
    if model.input is None:
        return
    arguments, states = model.symbol.list_arguments(), model.symbol.list_auxiliary_states()
    if model.input.name not in arguments:
        raise error(
            f"[{where}] the network has no input {model.input.name!r}; its arguments are {arguments[:3]}..."
        )
    for names, held, others, kind, other in (
        (arguments, model.arg_params, model.aux_params, "arg", "aux"),
        (states, model.aux_params, model.arg_params, "aux", "arg"),
    ):
        for name in names:
            if name in held or name == model.input.name or (kind == "arg" and name.endswith("label")):
                continue
            found = f"; there is {other}:{name}" if name in others else ""
            raise error(
                f"[{where}] there is no array {kind}:{name}{found}; expected one for every argument but the "
                "input and labels, and for every auxiliary state"
            )
    outputs = _outputs(where, error, model)
    if model.labels and len(outputs[0]) == 2 and outputs[0][1] != len(model.labels):
        raise error(
            f"[{where}] there are {len(model.labels)} labels for {outputs[0][1]} classes; expected one each"
        )


def _outputs(where: str, error: type[MXNetError], model: PackedModel) -> list[tuple[int, ...]]:
    """Shapes of the network's outputs, once it is sure that its arrays have the shapes that it needs."""
    network = model.symbol
    try:
        found, outputs, states = network.infer_shape(**model.shapes())
    except MXNetError as refused:
        raise error(f"[{where}] the network does not take {model.shapes()}: {refused}") from None
    if found is None or outputs is None or states is None:
        raise error(f"[{where}] not all shapes follow from {model.shapes()}; expected a network whose do")
    for name, shape in (
        *zip(network.list_arguments(), found),
        *zip(network.list_auxiliary_states(), states),
    ):
        array = model.arg_params.get(name, model.aux_params.get(name))
        if array is not None and name not in model.shapes() and array.shape != shape:
            raise error(
                f"[{where}] array {name!r} has shape {array.shape}; expected {shape} for {model.shapes()}"
            )
    return list(outputs)


def _as_path(path: Path) -> str:
    return os.fsdecode(os.fspath(path))


def save_packed(
    path: Path,
    symbol: Symbol,
    arg_params: Mapping[str, NDArray],
    aux_params: Mapping[str, NDArray],
    input: Optional[InputFormat] = None,
    labels: Sequence[str] = (),
    weights: str = "float32",
    notes: Optional[Mapping[str, str]] = None,
) -> None:
    """Write a model to one file, which appears complete or not at all.

    Where the input is given the network is planned on it first: nothing is written that cannot predict.

    Parameters
    ----------
    path : str or path
        The file.
    symbol : Symbol
        The network.
    arg_params, aux_params : dict of str to NDArray
        Its parameters and auxiliary states.
    input : InputFormat, optional
        How its input is made.
    labels : sequence of str
        Names of its classes.
    weights : str
        How the file holds weights of two axes or more: "float32", "float16", or "int8" with a factor for each
        filter.
    notes : dict of str to str, optional
        Other texts, kept as they are.

    Examples
    --------
    >>> import mixgrad as mx, os, tempfile
    >>> net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    >>> path = os.path.join(tempfile.mkdtemp(), "net.mxg")
    >>> args = {"fc_weight": mx.nd.ones((2, 3)), "fc_bias": mx.nd.zeros((2,))}
    >>> mx.model.save_packed(path, net, args, {}, mx.model.InputFormat("data", (1, 3)), weights="int8")
    >>> model = mx.model.load_packed(path)
    >>> executor = model.bind()
    >>> executor.forward(data=mx.nd.array([[1, 2, 3]]))[0].asnumpy().tolist()
    [[6.0, 6.0]]
    """
    texts = {"symbol": symbol.tojson()}
    if input is not None:
        texts["input"] = json.dumps(asdict(input))
    if labels:
        if any("\n" in label for label in labels):
            raise InvalidArgumentError("[save_packed] a label has a line break; expected one line for each")
        texts["labels"] = "\n".join(labels)
    taken = {*texts, "labels", "input"}
    for name, text in (notes or {}).items():
        if name in taken:
            raise InvalidArgumentError(f"[save_packed] a note is called {name!r}, a name of the format's own")
        texts[name] = text
    model = PackedModel(symbol, dict(arg_params), dict(aux_params), input, tuple(labels), weights)
    _check("save_packed", InvalidArgumentError, model)
    if input is not None:
        model.bind().planned_bytes(False)
    params = params_with_kinds(arg_params, aux_params)
    _core.save_model(
        os.fsencode(path),
        [(name, text.encode()) for name, text in texts.items()],
        list(params.values()),
        list(params),
        weights,
    )


def load_packed(path: Path) -> PackedModel:
    """Read what :func:`save_packed` or ``mixgrad pack`` wrote; a damaged file raises ``FileFormatError``."""
    try:
        texts, arrays, names, weights = _core.load_model(os.fsencode(path))
    except NotFoundError as error:
        raise MissingFileError(str(error)) from None
    try:
        found = {name: content.decode() for name, content in texts}
    except UnicodeDecodeError:
        raise FileFormatError(f"[load_packed] {_as_path(path)!r} holds a text that is not UTF-8") from None
    if "symbol" not in found:
        raise FileFormatError(f"[load_packed] {_as_path(path)!r} holds no symbol")
    kinds: dict[str, dict[str, NDArray]] = {"arg": {}, "aux": {}}
    for name, array in zip(names, arrays):
        kind, _, rest = name.partition(":")
        if kind not in kinds or not rest:
            raise FileFormatError(
                f"[load_packed] an array is called {name!r}; expected arg:<name> or aux:<name>"
            )
        if rest in kinds[kind]:
            raise FileFormatError(f"[load_packed] two arrays are called {name!r}; expected one")
        kinds[kind][rest] = array
    labels = found.pop("labels", "")
    model = PackedModel(
        load_json(found.pop("symbol")),
        kinds["arg"],
        kinds["aux"],
        _read_input(found.pop("input", None)),
        tuple(labels.split("\n")) if labels else (),
        weights,
        found,
    )
    _check("load_packed", FileFormatError, model)
    return model


def _read_input(text: Optional[str]) -> Optional[InputFormat]:
    if text is None:
        return None
    known = {one.name for one in fields(InputFormat)}
    try:
        values = json.loads(text)
        if not isinstance(values, dict):
            raise ValueError(f"it is {type(values).__name__}; expected an object")
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in values.items()
            if key in known
        }
        missing = [name for name in ("name", "shape") if name not in given]
        if missing:
            raise ValueError(f"it lacks {missing}")
        return InputFormat(**given)
    except (ValueError, RecursionError) as error:  # InvalidArgumentError is a ValueError
        raise FileFormatError(f"[load_packed] the section 'input' cannot be read: {error}") from None
