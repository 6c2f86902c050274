"""Why a file of parameters is not that of a network, and what to do; nothing here runs before an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn, Optional

from ...base import RefusedValueError
from ..utils import _brief_print_list

__all__ = ["refuse_list", "refuse_names"]


def refuse_list(who: str, filename: Any, arrays: Any) -> NoReturn:
    """Raise for a file of arrays without names."""
    raise RefusedValueError(
        f"[{who}] {filename!s} holds {len(arrays)} arrays without names; expected those of save_parameters, "
        "export or mx.nd.save of a dict; mx.nd.load reads these"
    )


def refuse_names(
    who: str, name: str, missing: bool, source: str, held: Iterable[str], own: Iterable[str], prefix: str = ""
) -> NoReturn:
    """Raise for a name that either the file or the network lacks.

    Parameters
    ----------
    who : str
        What reads the file.
    name : str
        The first one.
    missing : bool
        Whether the file lacks it; the network does otherwise.
    source : str
        What the file is called.
    held, own : list of str
        Names in the file, as they are there, and in the network.
    prefix : str
        With what names of the network begin.
    """
    file, network = list(held), list(own)
    if missing:
        text = f"the parameter {name!r} is missing in {source}, which has {_brief_print_list(file)}"
    else:
        text = f"{name!r} of {source} is not present in this network, which has {_brief_print_list(network)}"
    options = "allow_missing=True leaves it as it is" if missing else "ignore_extra=True leaves it out"
    raise RefusedValueError(f"[{who}] {text}; {_advice(file, network, prefix)}{options}")


def _advice(file: list[str], own: list[str], prefix: str) -> str:
    plain = [name.removeprefix("arg:").removeprefix("aux:") for name in file]
    by_attributes = any("." in name for name in plain)
    if by_attributes and not any("." in name for name in own):
        return (
            "save_parameters wrote the file, which load_parameters of a block of the same class reads, "
            "and export writes one for SymbolBlock.imports; "
        )
    if set(plain) < set(own):
        return ""
    advice = ""
    theirs = _other_prefix(plain, own, prefix)
    if theirs and theirs.endswith("."):
        advice = f"a block that has this one as {theirs[:-1]!r} wrote the file: load it into such a block; "
    elif theirs is not None and not by_attributes:
        advice = (
            f"both networks need the same prefix, which is {theirs!r} in the file and {prefix!r} here: make "
            f"this one with prefix={theirs!r}, or write the file by save_parameters, which has no prefixes; "
        )
    if plain != file:
        advice += "export wrote the file, which SymbolBlock.imports reads with its -symbol.json; "
    return advice or "the file is of another network; "


def _other_prefix(file: list[str], own: list[str], prefix: str) -> Optional[str]:
    """With what the names of the file begin, if they are those of the network in all else."""
    ends = {name.removeprefix(prefix) for name in own}
    found = {name[: len(name) - len(end)] for name in file[:1] for end in ends if name.endswith(end)}
    return next((one for one in sorted(found) if {one + end for end in ends} == set(file)), None)
