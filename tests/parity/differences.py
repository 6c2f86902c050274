"""Where mixgrad differs from MXNet 1.9.1 on purpose; docs/from-mxnet.md lists the same rows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """One intended difference.

    Parameters
    ----------
    topic
        What it is about.
    mxnet, mixgrad
        What each of the two does.
    reason
        Why mixgrad differs.
    cases
        Patterns (`fnmatch`) over case names that it excuses; none where MXNet has no result to compare with.
    """

    topic: str
    mxnet: str
    mixgrad: str
    reason: str
    cases: tuple[str, ...] = ()


DIFFERENCES: tuple[Difference, ...] = (
    Difference(
        "integer division by 0",
        "the process dies",
        "the result is 0, as for the remainder",
        "a number in the data must not end a program",
    ),
)

# MXNet operators that have cases but no counterpart in mixgrad.
NOT_PROVIDED: tuple[str, ...] = ()
