"""The table of docs/targets.md: how far predictions on each target are from real MXNet's, by network."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FIRST = "network"  # heading of the column of names, by which the table is found

Cells = dict[str, dict[str, str]]  # by network, then by column


def row(items: Iterable[str]) -> str:
    return "| " + " | ".join(items) + " |"


def columns_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def parse(lines: list[str]) -> tuple[list[str], Cells]:
    """Columns, and cells that are not empty, of a table's lines."""
    head = columns_of(lines[0])[1:]
    cells: Cells = {}
    for line in lines[2:]:
        network, *found = columns_of(line)
        cells[network] = {column: cell for column, cell in zip(head, found) if cell}
    return head, cells


def render(networks: Iterable[str], columns: Iterable[str], cells: Cells) -> list[str]:
    """Lines of a table in which the order of rows and columns is given."""
    columns = list(columns)
    lines = [row([FIRST, *columns]), row(["---"] * (1 + len(columns)))]
    for network in networks:
        if cells.get(network):
            lines.append(row([network, *(cells[network].get(column, "") for column in columns)]))
    return lines


def update(page: Path, networks: Iterable[str], columns: Iterable[str], measured: Cells) -> None:
    """Writes what was measured into the page's table, which keeps its other cells.

    Parameters
    ----------
    page
        A page with one table whose first column is ``network``.
    networks, columns
        All that there are, in the order in which the table shows them.
    measured
        The cells to write.
    """
    lines = page.read_text().splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"| {FIRST} |"))
    end = begin
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    _, cells = parse(lines[begin:end])
    for network, found in measured.items():
        cells.setdefault(network, {}).update(found)
    lines[begin:end] = render(networks, columns, cells)
    page.write_text("\n".join(lines) + "\n")
