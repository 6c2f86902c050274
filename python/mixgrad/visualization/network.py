"""Pictures of networks: graphviz source, and drawings that need nothing else."""

from __future__ import annotations

import shutil
import subprocess
import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Optional, Union

from .._files import write_file
from ..base import DTypeLike, MXNetError
from ..symbol import Symbol
from ..symbol.nodes import Node, list_nodes
from . import labels
from .layout import Edge, lay_out
from .svg import draw_network

__all__ = ["NetworkPlot", "plot_network"]

_PLAIN = {"shape": "box", "fixedsize": "true", "width": "1.3", "height": "0.8034", "style": "filled"}


class NetworkPlot:
    """A picture of a network, as :func:`plot_network` returns it. Notebooks show it.

    Attributes
    ----------
    source : str
        The graph in graphviz's language.
    svg : str
        A drawing that stands by itself.
    format : str
        File type that :meth:`render` writes.

    Examples
    --------
    >>> import mixgrad as mx
    >>> plot = mx.viz.plot_network(mx.models.mlp(), shape={"data": (1, 784)})
    >>> plot.source.splitlines()[0], plot.svg[:4]
    ('digraph "plot" {', '<svg')
    """

    def __init__(self, title: str, source: str, svg: str, format: str) -> None:
        self.title, self.source, self.svg, self.format = title, source, svg, format

    def __repr__(self) -> str:
        return f"<NetworkPlot {self.title!r}: svg is the drawing, render() writes a file>"

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, filename: Union[str, Path, None] = None) -> str:
        """Writes the graphviz source, by default to ``<title>.gv``; returns the path."""
        path = Path(filename or f"{self.title}.gv")
        write_file(path, self.source.encode(), "plot_network")
        return str(path)

    def render(self, filename: Union[str, Path, None] = None, format: Optional[str] = None) -> str:
        """Writes the picture next to its source; returns the path of the picture.

        Parameters
        ----------
        filename : str, optional
            Path of the source, by default ``<title>.gv``; the picture's path has the file type appended.
        format : str, optional
            File type, by default that of :func:`plot_network`. ``'svg'`` needs no graphviz.

        Raises
        ------
        MXNetError
            The type is not ``'svg'`` and there is no ``dot`` program, or it failed.
        """
        kind = format or self.format
        path = Path(filename or f"{self.title}.gv")
        picture = f"{path}.{kind}"
        program = shutil.which("dot")
        if program is None and kind != "svg":
            raise MXNetError(f"[plot_network] {kind!r} needs graphviz's program dot; 'svg' needs nothing")
        self.save(path)
        if program is None:
            write_file(picture, self.svg.encode(), "plot_network")
            return picture
        done = subprocess.run([program, f"-T{kind}", str(path)], capture_output=True, check=False)
        if done.returncode:
            raise MXNetError(
                f"[plot_network] dot failed: {done.stderr.decode(errors='replace').strip()[:500]}"
            )
        write_file(picture, done.stdout, "plot_network")
        return picture


def plot_network(
    symbol: Symbol,
    title: str = "plot",
    save_format: str = "pdf",
    shape: Optional[Mapping[str, tuple[int, ...]]] = None,
    dtype: Optional[Mapping[str, DTypeLike]] = None,
    node_attrs: Optional[Mapping[str, str]] = None,
    hide_weights: bool = True,
) -> NetworkPlot:
    """A picture of a network: boxes are nodes, lines carry arrays.

    Parameters
    ----------
    symbol : Symbol
        The network.
    title : str
        Name of the graph and of files.
    save_format : str
        File type that ``render`` writes.
    shape : dict of str to tuple of int, optional
        Shapes of its data; lines then carry shapes, without the batch.
    dtype : dict of str to dtype, optional
        Dtypes of its data, which are checked to be ones the network can have.
    node_attrs : dict of str to str, optional
        Attributes of all nodes in the graphviz source, such as ``{"shape": "oval"}``.
    hide_weights : bool
        Whether weights, biases and moving averages are left out.

    Returns
    -------
    NetworkPlot
        With ``source``, ``svg``, ``save`` and ``render``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> mx.viz.plot_network(mx.models.lenet(), shape={"data": (1, 1, 28, 28)}).source.count("->")
    12
    """
    if not isinstance(symbol, Symbol):
        raise TypeError(f"[plot_network] symbol is {type(symbol).__name__}; expected Symbol")
    if dtype is not None:
        symbol.infer_type(**dict(dtype))
    repeated = sorted(name for name, count in Counter(symbol.list_arguments()).items() if count > 1)
    if repeated:
        warnings.warn(
            "There are multiple variables with the same name in your graph, which the picture shows apart: "
            + ", ".join(repeated),
            stacklevel=2,
        )
    nodes = list_nodes(symbol, shape)
    shown = labels.shown_nodes(nodes, hide_weights)
    edges = _edges(nodes, shown)
    source = _graphviz(title, nodes, shown, edges, dict(node_attrs or {}))
    layout = lay_out(shown, edges, {i for i in shown if nodes[i].is_variable})
    svg = draw_network(title, nodes, shown, edges, layout)
    return NetworkPlot(title, source, svg, save_format)


def _edges(nodes: list[Node], shown: list[int]) -> list[Edge]:
    drawn = set(shown)
    found: dict[Edge, None] = {}
    for i in shown:
        for source, output in nodes[i].inputs:
            if source in drawn:
                found[Edge(source, i, labels.shown_shape(nodes[source], output))] = None
    return list(found)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _graphviz(
    title: str, nodes: list[Node], shown: list[int], edges: list[Edge], node_attrs: dict[str, str]
) -> str:
    out = [f"digraph {_quoted(title)} {{"]
    # Names are what MXNet calls nodes by; numbers keep two nodes of one name apart.
    counts = Counter(node.name for node in nodes)
    keys = {i: _quoted(nodes[i].name + (f"#{i}" if counts[nodes[i].name] > 1 else "")) for i in shown}
    for i in shown:
        node = nodes[i]
        attrs = {**_PLAIN, "shape": "oval" if node.is_variable else "box", **node_attrs}
        attrs.update(label="\n".join(labels.lines(node)), fillcolor=labels.colour(node))
        text = " ".join(f"{key}={_quoted(value)}" for key, value in attrs.items())
        out.append(f"\t{keys[i]} [{text}];")
    for edge in edges:
        label = _quoted(edge.label)
        out.append(f"\t{keys[edge.target]} -> {keys[edge.source]} [dir=back arrowtail=open label={label}];")
    return "\n".join([*out, "}", ""])
