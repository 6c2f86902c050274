"""Write the .params fixtures and what they hold; needs real MXNet 1.9.1: python make.py

`mxnet_*` files are written by MXNet itself. `hand_*` files come from the writer below and are loaded by MXNet
before they are kept, so that a layout no MXNet reads is never committed. Beside NAME.params lies NAME.npz:
`names` (empty for a list) and one array per entry, called `0`, `1`, ... Sparse arrays appear densified,
bfloat16 as bits.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import mxnet as mx
import numpy as np

HERE = Path(__file__).resolve().parent
V1, V2, V3 = 0xF993FAC8, 0xF993FAC9, 0xF993FACA
TYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")  # by type code
BFLOAT16 = 12
CPU, GPU = 1, 2


def signed_shape(shape: tuple[int, ...]) -> bytes:
    """Shape as V1, V2 and V3 store it: 32-bit count, 64-bit extents."""
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def tail(array: np.ndarray, device: int = CPU, device_id: int = 0) -> bytes:
    """Device, type code and elements: the end of every dense layout."""
    return struct.pack("<iii", device, device_id, TYPES.index(array.dtype.name)) + array.tobytes()


def pre_magic(array: np.ndarray) -> bytes:
    """Oldest layout: no magic, 32-bit count and extents."""
    return struct.pack(f"<I{array.ndim}I", array.ndim, *array.shape) + tail(array)


def v1(array: np.ndarray) -> bytes:
    """First layout with a magic."""
    return struct.pack("<I", V1) + signed_shape(array.shape) + tail(array)


def v2(array: np.ndarray, device: int = CPU, device_id: int = 0) -> bytes:
    """Layout with a storage type; dense is 0."""
    return struct.pack("<Ii", V2, 0) + signed_shape(array.shape) + tail(array, device, device_id)


def v3(array: np.ndarray) -> bytes:
    """As V2, with NumPy shapes: no dimensions means a single number."""
    return struct.pack("<Ii", V3, 0) + signed_shape(array.shape) + tail(array)


def none(magic: int) -> bytes:
    """An array without a value: its shape is unknown and nothing follows."""
    return struct.pack("<Iii", magic, 0, 0 if magic == V2 else -1)


def container(arrays: list[bytes], names: list[str]) -> bytes:
    """The file around the arrays."""
    out = struct.pack("<QQQ", 0x112, 0, len(arrays)) + b"".join(arrays) + struct.pack("<Q", len(names))
    for name in names:
        text = name.encode()
        out += struct.pack("<Q", len(text)) + text
    return out


def loaded(path: Path) -> tuple[list[str], list[np.ndarray]]:
    """What MXNet reads from a file."""
    found: Any = mx.nd.load(str(path))
    names = list(found) if isinstance(found, dict) else []
    arrays = list(found.values()) if isinstance(found, dict) else list(found)
    return names, [a.tostype("default").asnumpy() if a.stype != "default" else a.asnumpy() for a in arrays]


def describe(path: Path, names: list[str], arrays: list[np.ndarray]) -> None:
    """Write the sidecar."""
    np.savez_compressed(
        path.with_suffix(".npz"),
        names=np.array(names, dtype="U64"),
        **{str(i): a for i, a in enumerate(arrays)},
    )


def written_by_mxnet(name: str, data: Any) -> None:
    """Let MXNet write a file, read it back, describe it."""
    path = HERE / f"mxnet_{name}.params"
    mx.nd.save(str(path), data)
    describe(path, *loaded(path))
    print(path.name, path.stat().st_size)


def written_by_hand(name: str, arrays: list[np.ndarray], blocks: list[bytes], names: list[str]) -> None:
    """Write a file, check that MXNet reads the same, describe it."""
    path = HERE / f"hand_{name}.params"
    path.write_bytes(container(blocks, names))
    got_names, got = loaded(path)
    assert got_names == names, (name, got_names)
    for have, want in zip(got, arrays):
        assert have.dtype == want.dtype and have.shape == want.shape and (have == want).all(), (
            name,
            have,
            want,
        )
    describe(path, names, arrays)
    print(path.name, path.stat().st_size)


def main() -> None:
    random = np.random.RandomState(0)
    nd = mx.nd
    matrix, vector = random.randn(2, 3).astype("float32"), random.randn(4).astype("float32")
    written_by_mxnet("list", [nd.array(matrix), nd.array(vector), nd.array(random.randn(1, 2, 2, 2))])
    written_by_mxnet("single", nd.array(matrix))
    written_by_mxnet(
        "dict",
        {
            "arg:fc_weight": nd.array(matrix),
            "arg:fc_bias": nd.array(vector),
            "aux:bn_moving_mean": nd.array(vector),
        },
    )
    written_by_mxnet(
        "dtypes",
        {
            t: nd.array(np.arange(5) % 2 if t == "bool" else np.arange(5) - 2 * (t != "uint8"), dtype=t)
            for t in TYPES
        },
    )
    written_by_mxnet("unicode", {"größe": nd.array(vector), "权重": nd.array(matrix), "": nd.array(vector)})
    written_by_mxnet("empty_list", [])
    written_by_mxnet("row_sparse", {"w": nd.sparse.row_sparse_array((matrix, [1, 4]), shape=(6, 3))})
    written_by_mxnet("csr", [nd.sparse.csr_matrix(np.array([[0, 2, 0], [0, 0, 0], [3, 0, 4]], "float32"))])
    with mx.util.np_shape(True):
        written_by_mxnet(
            "np_shape",
            {
                "scalar": nd.array(np.float32(3.5)).reshape(()),
                "empty": nd.zeros((0, 3)),
                "matrix": nd.array(matrix),
            },
        )

    several = [matrix, vector, np.arange(6, dtype="int64").reshape(1, 6), np.array([1, 255], "uint8")]
    names = ["a", "b", "c", "d"]
    written_by_hand("pre_magic", several, [pre_magic(a) for a in several], names)
    written_by_hand("v1", several, [v1(a) for a in several], names)
    written_by_hand("v2", several, [v2(a) for a in several], names)
    written_by_hand("mixed", several, [w(a) for w, a in zip((pre_magic, v1, v2, v1), several)], [])
    written_by_hand("gpu_context", [matrix], [v2(matrix, GPU, 3)], ["w"])
    bits = np.array([0x3F80, 0x4000, 0xC049], "uint16")
    block = struct.pack("<Ii", V2, 0) + signed_shape(bits.shape) + struct.pack("<iii", CPU, 0, BFLOAT16)
    path = HERE / "hand_bfloat16.params"
    path.write_bytes(container([block + bits.tobytes()], ["w"]))
    assert (mx.nd.load(str(path))["w"].asnumpy().view("uint16") == bits).all()
    describe(path, ["w"], [bits])
    print(path.name, path.stat().st_size)
    with mx.util.np_shape(True):
        scalars = [np.array(2.5, "float64"), np.zeros((2, 0), "float32"), matrix]
        written_by_hand("v3", scalars, [v3(a) for a in scalars], ["scalar", "empty", "matrix"])


if __name__ == "__main__":
    main()
