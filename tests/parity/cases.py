"""Every parity case, and the differences from MXNet 1.9.1 that are intended."""

from __future__ import annotations

from fnmatch import fnmatchcase

from .case import Case
from .differences import DIFFERENCES
from .tables import (
    contrib,
    detection,
    drawn,
    elementwise,
    image,
    indexing,
    layers,
    linalg,
    loss,
    normalisation,
    numpy_algebra,
    numpy_elements,
    numpy_places,
    numpy_shapes,
    optimiser,
    pairs,
    quantization,
    random,
    recurrent,
    reduce,
    results,
    shape,
    spatial,
    special,
    updates_of_several,
)

CASES: list[Case] = [
    case
    for table in (
        elementwise,
        reduce,
        shape,
        indexing,
        loss,
        layers,
        linalg,
        optimiser,
        random,
        spatial,
        recurrent,
        contrib,
        detection,
        image,
        special,
        quantization,
        numpy_elements,
        numpy_shapes,
        numpy_algebra,
        normalisation,
        pairs,
        updates_of_several,
        drawn,
        numpy_places,
        results,
    )
    for case in table.CASES
]


def known(case: Case) -> str:
    """Reason why mixgrad answers this case differently on purpose; empty when it must agree."""
    for difference in DIFFERENCES:
        if any(fnmatchcase(case.name, pattern) for pattern in difference.cases):
            return difference.reason
    return ""
