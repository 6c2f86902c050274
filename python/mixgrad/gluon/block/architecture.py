"""The names and graphs of a network's blocks as JSON: ``Block.save`` and ``Block.load``."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ... import symbol as sym
from ..._files import PathLike, read_file, write_file
from ...base import FileFormatError
from ..parameter import ParameterDict

if TYPE_CHECKING:
    from .block import Block

__all__ = ["read_architecture", "write_architecture"]


def write_architecture(block: Block, path: PathLike) -> None:
    """Write what MXNet writes: of each block its name, its children, and its graph if it is hybridised."""
    numbers = itertools.count()
    label = _label(block, numbers)
    model = {label: _described(block, numbers)}
    write_file(path, json.dumps(model).encode(), "Block.save")


def _label(block: Block, numbers: Iterator[int]) -> str:
    return f"{type(block).__name__.lower()}{next(numbers)}"


def _described(block: Block, numbers: Iterator[int]) -> dict[str, Any]:
    from .hybrid_block import HybridBlock

    entry: dict[str, Any] = {"orig_name": block.name}
    if isinstance(block, HybridBlock):
        has_graph = block._active and bool(block._cached_graph)
        if has_graph:
            inputs, outputs = block._cached_graph
            entry["in_format"], entry["out_format"] = block._in_format, block._out_format
            entry["inputs"] = [one.tojson(remove_amp_cast=False) for one in inputs]
            entry["symbol"] = outputs.tojson(remove_amp_cast=False)
        entry["hybridized"] = has_graph
    entry["children"] = {child.name: name for name, child in block._children.items()}
    for child in block._children.values():
        label = _label(child, numbers)  # first, since MXNet finds blocks by these numbers
        entry[label] = _described(child, numbers)
    return entry


def read_architecture(block: Block, path: PathLike) -> None:
    """Give blocks the names and graphs of a file, whose children have to be called alike."""
    data = read_file(path, "Block.load")
    try:
        model = json.loads(data)
        (top,) = model.values()
        _check(top)
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise FileFormatError(
            f"[Block.load] {path!s} is no file of Block.save: {type(error).__name__}: {error}"
        ) from error
    pairs = list(_matched(block, top, str(path)))  # all, before anything changes
    for one, entry in pairs:
        _apply(one, entry)


def _check(entry: dict[str, Any]) -> None:
    if not isinstance(entry["orig_name"], str):
        raise TypeError("a name is no text")
    entry["children"].items()
    for child in _entries(entry):
        _check(child)


def _entries(entry: dict[str, Any]) -> list[dict[str, Any]]:
    return [value for key, value in entry.items() if key != "children" and isinstance(value, dict)]


def _matched(block: Block, entry: dict[str, Any], path: str) -> Iterator[tuple[Block, dict[str, Any]]]:
    yield block, entry
    by_name = {child["orig_name"]: child for child in _entries(entry)}
    by_attribute = {attribute: by_name.get(name) for name, attribute in entry["children"].items()}
    for attribute, child in block._children.items():
        found = by_attribute.get(attribute)
        if found is None:
            raise FileFormatError(
                f"[Block.load] {path} has no child {attribute!r} of {entry['orig_name']!r}; it has "
                f"{', '.join(map(repr, by_attribute))}"
            )
        yield from _matched(child, found, path)


def _apply(block: Block, entry: dict[str, Any]) -> None:
    from .hybrid_block import HybridBlock

    start, name = block.prefix, entry["orig_name"]
    renamed = ParameterDict(block.params.prefix)
    for key, parameter in block.params.items():
        if start and key.startswith(start):
            key = name + ("_" if start.endswith("_") else "") + key[len(start) :]
            parameter.name, parameter._var = key, None
        renamed.update({key: parameter})
    block.params._params = renamed._params
    block._name = name
    if isinstance(block, HybridBlock) and "hybridized" in entry:
        block._clear_cached_op()
        block._active = bool(entry["hybridized"])
        if "symbol" in entry:
            inputs = [sym.load_json(text) for text in entry["inputs"]]
            block._cached_graph = inputs, sym.load_json(entry["symbol"])
            block._in_format, block._out_format = entry["in_format"], entry["out_format"]
