"""One compressed file for many small arrays: a JSON index beside one block of bytes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from .case import Array


def save(path: Path, results: dict[str, dict[str, Array]]) -> None:
    """Write the results of all cases."""
    index: list[list[object]] = []
    blocks: list[bytes] = []
    at = 0
    for case, arrays in results.items():
        for key, array in arrays.items():
            block = np.ascontiguousarray(array).tobytes()
            index.append([case, key, array.dtype.str, list(array.shape), at])
            blocks.append(block)
            at += len(block)
    text = np.frombuffer(json.dumps(index, separators=(",", ":")).encode(), "uint8")
    np.savez_compressed(path, index=text, data=np.frombuffer(b"".join(blocks), "uint8"))


def load(path: Path) -> dict[str, dict[str, Array]]:
    """Read what `save` wrote."""
    with np.load(path) as file:
        index, data = json.loads(file["index"].tobytes()), file["data"].tobytes()
    results: dict[str, dict[str, Array]] = {}
    for case, key, dtype, shape, at in index:
        count = int(np.prod(shape, dtype="int64"))
        array = np.frombuffer(data, dtype, count, at) if count else np.empty(0, dtype)
        results.setdefault(case, {})[key] = array.reshape(shape)
    return results
