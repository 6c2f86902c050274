"""Networks of mx.models for libraries that cannot read -symbol.json: nodes, and the same parameters for all.

``write`` runs where mixgrad is installed, before a case; ``read`` runs in every library's interpreter.
"""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .environments import FOLDER
from .inputs import uniform

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Node:
    """An operator of a graph; its inputs are names of nodes, of parameters and of the data."""

    op: str
    name: str
    attrs: dict[str, str]
    inputs: tuple[str, ...]

    def value(self, key: str, default: Any) -> Any:
        """An attribute as a Python value."""
        text = self.attrs.get(key)
        if text is None:
            return default
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            return text

    @property
    def full(self) -> bool:
        """Pooling windows that reach over the edge count."""
        return bool(self.value("pooling_convention", "valid") == "full")

    def window(self) -> tuple[int, int, int]:
        """Kernel, stride and padding, alike for rows and columns."""
        found = []
        for key, default in (("kernel", 1), ("stride", 1), ("pad", 0)):
            sides = set(self.value(key, (default,)))
            if len(sides) != 1:
                raise ValueError(f"[{self.name}] {key} is {self.attrs[key]}; expected the same for both axes")
            found.append(sides.pop())
        return found[0], found[1], found[2]


@dataclass(frozen=True)
class Graph:
    """Operators in an order in which they can run, without those that do nothing in these benchmarks."""

    nodes: tuple[Node, ...]
    shapes: dict[str, Shape]  # of parameters and auxiliary states

    def parameters(self) -> dict[str, Any]:
        """Parameters and auxiliary states by name, as NumPy arrays."""
        return {name: parameter(name, shape, i) for i, (name, shape) in enumerate(self.shapes.items())}

    def readers(self, name: str) -> list[Node]:
        """The nodes that read a node's output, once for each time that they do."""
        return [node for node in self.nodes for given in node.inputs if given == name]

    @property
    def output(self) -> str:
        return self.nodes[-1].name


def parameter(name: str, shape: Shape, seed: int) -> Any:
    """Values that keep the size of activations about the same from layer to layer."""
    if name.endswith(("gamma", "var")):
        return uniform(*shape, seed=seed, low=0.4, high=0.6)
    size = 1
    for extent in shape[1:]:
        size *= extent
    bound = (6 / size) ** 0.5 if name.endswith("weight") else 0.1
    return uniform(*shape, seed=seed, low=-bound, high=bound)


def network(mx: Any, model: str) -> Any:
    """A network by the name of a case: 'resnet50', 'mobilenet_v2', 'squeezenet', 'vgg16', ..."""
    models = mx.models
    if model == "resnet50":
        return models.resnet(50)
    if model == "mobilenet_v2":
        return models.mobilenet_v2()
    if model == "squeezenet":
        return models.squeezenet(dropout=0.0)
    if model == "vgg16":
        return models.vgg(16, dropout=0.0)
    return models.alexnet(dropout=0.0, groups=2 if model == "alexnet_groups" else 1)


def place(model: str) -> Path:
    """The file of a network's graph."""
    return FOLDER / "graphs" / f"{model}.json"


def write(model: str, data: Shape) -> None:
    """Write a network's graph and the shapes of its parameters for one shape of images."""
    mx: Any = importlib.import_module("mixgrad")
    net = network(mx, model)
    given, _, states = net.infer_shape(data=data)
    shapes = dict(zip(net.list_arguments(), given)) | dict(zip(net.list_auxiliary_states(), states))
    for name in ("data", "softmax_label"):
        del shapes[name]
    path = place(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"symbol": net.tojson(), "shapes": shapes}), encoding="utf-8")


def stored(model: str) -> tuple[str, dict[str, Shape]]:
    """The text of a network's symbol file, and the shapes of its parameters."""
    path = place(model)
    if not path.exists():
        raise FileNotFoundError(f"[graph] {path} is missing; run.py writes it when mixgrad is measured too")
    found = json.loads(path.read_text(encoding="utf-8"))
    return found["symbol"], {name: tuple(shape) for name, shape in found["shapes"].items()}


def read(model: str) -> Graph:
    """A network as a graph that ends with the values before softmax."""
    text, shapes = stored(model)
    written = json.loads(text)["nodes"]
    alias: dict[str, str] = {}  # of operators left out
    nodes: list[Node] = []
    for raw in written:
        if raw["op"] == "null":
            continue
        names = [written[i]["name"] for i, *_ in raw["inputs"]]
        inputs = tuple(alias.get(name, name) for name in names)
        node = Node(raw["op"], raw["name"], raw.get("attrs", {}), inputs)
        if node.op in ("Dropout", "SoftmaxOutput"):
            if node.value("p", 0.0):
                raise ValueError(f"[{node.name}] drops values at random, which no two libraries do alike")
            alias[node.name] = inputs[0]
        else:
            nodes.append(node)
    return Graph(tuple(nodes), shapes)


def constants(parameters: dict[str, Any], names: Sequence[str]) -> list[Any]:
    """The parameters of these names."""
    return [parameters[name] for name in names]
