"""Packed models: a network, its parameters, labels and the way its input is made, in one file."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Optional, Union

from .. import _core
from .. import ndarray as nd
from ..base import FileFormatError, InvalidArgumentError, MissingFileError, NotFoundError
from ..context import Context, cpu
from ..ndarray import NDArray
from ..symbol import Symbol, load_json
from .checkpoint import params_with_kinds

__all__ = ["InputFormat", "PackedModel", "load_packed", "save_packed"]

Path = Union[str, "os.PathLike[str]"]
CHANNELS = ("rgb", "bgr", "gray")


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
        if not self.shape or any(extent < 1 for extent in self.shape):
            raise InvalidArgumentError(f"[InputFormat] shape {self.shape}; expected extents of at least 1")
        if self.channels not in CHANNELS:
            raise InvalidArgumentError(
                f"[InputFormat] channels {self.channels!r}; expected one of {CHANNELS}"
            )
        count = self.shape[1] if len(self.shape) > 1 else 1
        for word, numbers in (("mean", self.mean), ("std", self.std)):
            if len(numbers) not in (1, count):
                raise InvalidArgumentError(
                    f"[InputFormat] {word} has {len(numbers)} numbers; expected 1, or {count} for channels"
                )
        if self.resize < 0 or 0.0 in self.std:
            raise InvalidArgumentError(
                f"[InputFormat] resize {self.resize} and std {self.std}; expected at least 0, and no zeros"
            )


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

    def shapes(self, shape: Optional[Sequence[int]] = None) -> dict[str, tuple[int, ...]]:
        """Shape of the input by its name; ``shape`` instead of the one in the file."""
        if self.input is None:
            raise InvalidArgumentError("[PackedModel] the file names no input; expected one given to pack")
        return {self.input.name: tuple(shape) if shape else self.input.shape}

    def bind(self, shape: Optional[Sequence[int]] = None, ctx: Optional[Context] = None) -> Any:
        """An executor that predicts; what is neither the input nor a parameter, such as labels, is zero."""
        shapes = self.shapes(shape)
        device = ctx or cpu()
        found, _, _ = self.symbol.infer_shape(**shapes)
        names = self.symbol.list_arguments()
        given = {name: value.as_in_context(device) for name, value in self.arg_params.items()}
        args = {
            name: given[name] if name in given and name not in shapes else nd.zeros(extents, ctx=device)
            for name, extents in zip(names, found)
        }
        missing = [n for n in self.symbol.list_auxiliary_states() if n not in self.aux_params]
        if missing:
            raise FileFormatError(f"[PackedModel] the file lacks the auxiliary states {missing}")
        aux = {
            name: self.aux_params[name].as_in_context(device) for name in self.symbol.list_auxiliary_states()
        }
        return self.symbol.bind(device, args, grad_req="null", aux_states=aux)


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
        kinds[kind][rest] = array
    labels = found.pop("labels", "")
    return PackedModel(
        load_json(found.pop("symbol")),
        kinds["arg"],
        kinds["aux"],
        _read_input(found.pop("input", None)),
        tuple(labels.split("\n")) if labels else (),
        weights,
        found,
    )


def _read_input(text: Optional[str]) -> Optional[InputFormat]:
    if text is None:
        return None
    known = {one.name for one in fields(InputFormat)}
    try:
        values = json.loads(text)
        given: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in values.items()
            if key in known
        }
        return InputFormat(**given)
    except (ValueError, TypeError, AttributeError) as error:
        raise FileFormatError(f"[load_packed] the section 'input' cannot be read: {error}") from None
