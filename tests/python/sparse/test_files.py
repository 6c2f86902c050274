"""Files of sparse arrays: .params byte for byte, other formats, and files that are wrong."""

from __future__ import annotations

import ctypes
import struct
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import mixgrad as mx

sparse = mx.nd.sparse
DATA = Path(__file__).parents[2] / "data" / "params"
V2, ROW_SPARSE, CSR, INT32, INT64 = 0xF993FAC9, 1, 2, 4, 6
NUMBERS = {"float32": 0, "float64": 1, "float16": 2, "uint8": 3, "int32": 4, "int8": 5, "int64": 6}


def shape_bytes(shape: tuple[int, ...]) -> bytes:
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def file_of(*arrays: bytes) -> bytes:
    return struct.pack("<QQQ", 0x112, 0, len(arrays)) + b"".join(arrays) + struct.pack("<Q", 0)


def sparse_bytes(
    storage: int,
    shape: tuple[int, ...],
    values: np.ndarray,
    indices: list[tuple[list[int], int]],
    stored: tuple[int, ...] | None = None,
) -> bytes:
    """One array as MXNet 1.9.1 writes it; ``indices`` with the numbers of their dtypes."""
    out = struct.pack("<Ii", V2, storage) + shape_bytes(values.shape if stored is None else stored)
    out += shape_bytes(shape) + struct.pack("<iii", 1, 0, NUMBERS[values.dtype.name])
    for numbers, dtype in indices:
        out += struct.pack("<i", dtype) + shape_bytes((len(numbers),))
    out += values.tobytes()
    for numbers, dtype in indices:
        out += np.array(numbers, "int32" if dtype == INT32 else "int64").tobytes()
    return out


def rows_bytes(shape: tuple[int, ...], values: np.ndarray, rows: list[int], **kwargs: Any) -> bytes:
    return sparse_bytes(ROW_SPARSE, shape, values, [(rows, INT64)], **kwargs)


def csr_bytes(
    shape: tuple[int, ...], values: np.ndarray, starts: list[int], columns: list[int], **kwargs: Any
) -> bytes:
    return sparse_bytes(CSR, shape, values, [(starts, INT64), (columns, INT64)], **kwargs)


def two_rows(dtype: str = "float32") -> tuple[Any, bytes]:
    values = np.array([[1, 2], [3, 4]], dtype)
    array = sparse.row_sparse_array((values, [1, 4]), shape=(6, 2), dtype=dtype)
    return array, rows_bytes((6, 2), values, [1, 4])


def two_elements(dtype: str = "float32") -> tuple[Any, bytes]:
    values = np.array([5, 7], dtype)
    array = sparse.csr_matrix((values, [2, 0], [0, 1, 1, 2]), shape=(3, 4), dtype=dtype)
    return array, csr_bytes((3, 4), values, [0, 1, 1, 2], [2, 0])


def same(a: Any, b: Any) -> bool:
    if (a.stype, a.shape, np.dtype(a.dtype)) != (b.stype, b.shape, np.dtype(b.dtype)):
        return False
    if a.stype == "default":
        return bool((a.asnumpy() == b.asnumpy()).all())
    parts = ["data", "indices"] + ["indptr"] * (a.stype == "csr")
    return all(np.array_equal(getattr(a, p).asnumpy(), getattr(b, p).asnumpy()) for p in parts)


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("make", [two_rows, two_elements])
def test_files_have_mxnets_bytes_and_give_the_array_back(
    make: Callable[[str], tuple[Any, bytes]], dtype: str
) -> None:
    array, expected = make(dtype)
    assert mx.nd.save_tobuffer([array]) == file_of(expected)
    (loaded,) = mx.nd.load_frombuffer(file_of(expected))
    assert same(array, loaded) and type(loaded) is type(array)


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (lambda: sparse.zeros("row_sparse", (6, 2)), rows_bytes((6, 2), np.zeros((0, 2), "f"), [])),
        (lambda: sparse.zeros("csr", (3, 4)), csr_bytes((3, 4), np.zeros(0, "f"), [0] * 4, [])),
        (
            lambda: sparse.row_sparse_array((np.arange(12).reshape(1, 3, 4), [2]), shape=(3, 3, 4)),
            rows_bytes((3, 3, 4), np.arange(12).reshape(1, 3, 4), [2]),
        ),
        (
            lambda: sparse.row_sparse_array((np.array([1, 2], "f"), [0, 2]), shape=(3,)),
            rows_bytes((3,), np.array([1, 2], "f"), [0, 2]),
        ),
    ],
)
def test_empty_arrays_and_other_numbers_of_axes(array: Callable[[], Any], expected: bytes) -> None:
    assert mx.nd.save_tobuffer([array()]) == file_of(expected)
    assert same(array(), mx.nd.load_frombuffer(file_of(expected))[0])


def test_arrays_with_an_extent_of_zero_come_back() -> None:
    arrays = [sparse.zeros("row_sparse", (0, 2)), sparse.zeros("csr", (0, 3)), sparse.zeros("csr", (3, 0))]
    for array, loaded in zip(arrays, mx.nd.load_frombuffer(mx.nd.save_tobuffer(arrays))):
        assert same(array, loaded)


def test_dictionaries_hold_sparse_and_dense_arrays(tmp_path: Path) -> None:
    content = {"arg:w": two_rows()[0], "arg:x": two_elements()[0], "b": mx.nd.ones((2,))}
    name = str(tmp_path / "mixed.params")
    mx.nd.save(name, content)
    loaded = mx.nd.load(name)
    assert list(loaded) == list(content)
    assert all(same(content[key], loaded[key]) for key in content)


def test_large_arrays_are_read_from_files(tmp_path: Path) -> None:
    values = np.arange(12_000, dtype="float32").reshape(4000, 3)
    array = sparse.row_sparse_array((values, np.arange(4000) * 2), shape=(8000, 3))
    name = str(tmp_path / "large.params")
    mx.nd.save(name, [array])
    assert same(array, mx.nd.load(name)[0])


@pytest.mark.parametrize("name", ["mxnet_row_sparse", "mxnet_csr"])
def test_files_of_mxnet_are_sparse(name: str) -> None:
    loaded = mx.nd.load(str(DATA / f"{name}.params"))
    arrays = list(loaded.values()) if isinstance(loaded, dict) else loaded
    expected = np.load(DATA / f"{name}.npz")["0"]
    assert arrays[0].stype == name.removeprefix("mxnet_")
    assert np.array_equal(arrays[0].asnumpy(), expected)


def test_the_count_is_that_of_the_indices_where_mxnet_has_not_counted_yet() -> None:
    values = np.array([[1, 2], [3, 4]], "f")
    rows = mx.nd.load_frombuffer(file_of(rows_bytes((6, 2), values, [1, 4], stored=(0, 2))))[0]
    assert same(rows, two_rows()[0])
    csr = csr_bytes((3, 4), np.array([5, 7], "f"), [0, 1, 1, 2], [2, 0], stored=(0,))
    assert same(mx.nd.load_frombuffer(file_of(csr))[0], two_elements()[0])


def test_indices_of_int32_and_rows_in_any_order_are_read() -> None:
    values = np.array([[1, 2], [3, 4]], "f")
    file = file_of(sparse_bytes(ROW_SPARSE, (6, 2), values, [([4, 1], INT32)]))
    loaded = mx.nd.load_frombuffer(file)[0]
    assert loaded.indices.asnumpy().tolist() == [4, 1] and loaded.indices.dtype == np.int64
    assert loaded.asnumpy()[[4, 1]].tolist() == values.tolist()


ONE, TWO = np.ones((1, 2), "f"), np.ones(2, "f")
BAD = {
    "row number -1 outside 6 rows": rows_bytes((6, 2), ONE, [-1]),
    "row number 6 outside 6 rows": rows_bytes((6, 2), ONE, [6]),
    "stored rows of shape .1, 2. for row numbers of shape .2,.": rows_bytes((6, 2), ONE, [0, 1]),
    "stored rows of shape .1, 2. for row numbers of shape .1,. of an array of shape .6, 3.": rows_bytes(
        (6, 3), ONE, [0]
    ),
    "column 4 outside 4 columns": csr_bytes((3, 4), TWO, [0, 1, 1, 2], [0, 4]),
    "column -1 outside 4 columns": csr_bytes((3, 4), TWO, [0, 1, 1, 2], [-1, 1]),
    "row 1 spans values 2 to 1 of 2": csr_bytes((3, 4), TWO, [0, 2, 1, 2], [0, 1]),
    "row 0 spans values 0 to 9 of 2": csr_bytes((3, 4), TWO, [0, 9, 1, 2], [0, 1]),
    "row starts from 1 to 2 for 2 values": csr_bytes((3, 4), TWO, [1, 1, 1, 2], [0, 1]),
    "row starts from 0 to 1 for 2 values": csr_bytes((3, 4), TWO, [0, 1, 1, 1], [0, 1]),
    "3 row starts for 3 rows": csr_bytes((3, 4), TWO, [0, 1, 2], [0, 1]),
    "a sparse array of shape .3, 4, 1.": csr_bytes((3, 4, 1), TWO, [0, 1, 1, 2], [0, 1]),
    "a sparse array of shape ..": rows_bytes((), ONE, [0]),
    "overflows": rows_bytes((1 << 40, 1 << 40), np.zeros((0, 2), "f"), [], stored=(0, 1 << 40)),
    "indices of type float32": sparse_bytes(ROW_SPARSE, (6, 2), ONE, [([], 0)], stored=(0, 2)),
    "storage type 3": sparse_bytes(3, (6, 2), ONE, [([0], INT64)]),
}


@pytest.mark.parametrize("message", BAD)
def test_wrong_arrays_are_errors_that_say_what_is_wrong(message: str) -> None:
    with pytest.raises(mx.base.FileFormatError, match=message):
        mx.nd.load_frombuffer(file_of(BAD[message]))
    with pytest.raises(mx.base.FileFormatError, match=r"array 1 of"):
        mx.nd.load_frombuffer(file_of(two_rows()[1], BAD[message]))


@pytest.mark.parametrize("make", [two_rows, two_elements])
def test_files_that_end_early_and_other_bytes_never_crash(
    make: Callable[[], tuple[Any, bytes]],
) -> None:
    whole = file_of(make()[1])
    for size in range(25, len(whole)):
        with pytest.raises(mx.base.FileFormatError):
            mx.nd.load_frombuffer(whole[:size])
    for at in range(24, len(whole)):
        for byte in (0, 1, 0x7F, 0xFF):
            changed = whole[:at] + bytes([byte]) + whole[at + 1 :]
            try:
                arrays = mx.nd.load_frombuffer(changed)
            except mx.base.MXNetError:
                continue
            for array in arrays:
                if array is not None and array.size < 1000:
                    array.asnumpy()


def test_safetensors_and_packed_models_refuse_sparse_arrays(tmp_path: Path) -> None:
    with pytest.raises(mx.base.UnsupportedError, match=r"'w' is of storage type row_sparse; safetensors"):
        mx.nd.save(str(tmp_path / "w.safetensors"), {"w": two_rows()[0]})
    assert not list(tmp_path.iterdir())
    symbol = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=6, no_bias=True, name="fc")
    with pytest.raises(mx.base.UnsupportedError, match="storage type row_sparse"):
        mx.model.save_packed(str(tmp_path / "w.mxg"), symbol, {"fc_weight": two_rows()[0]}, {})


def library() -> Any:
    lib = ctypes.CDLL(str(Path(mx.__file__).parent / "libmixgrad.so"))
    lib.MXGetLastError.restype = ctypes.c_char_p
    return lib


def test_the_predict_functions_read_sparse_arrays_as_dense_ones() -> None:
    lib, handle, length = library(), ctypes.c_void_p(), ctypes.c_uint32()
    file = file_of(two_rows()[1], two_elements()[1])
    assert lib.MXNDListCreate(file, len(file), ctypes.byref(handle), ctypes.byref(length)) == 0
    assert length.value == 2
    for i, array in enumerate((two_rows()[0], two_elements()[0])):
        key, data = ctypes.c_char_p(), ctypes.POINTER(ctypes.c_float)()
        extents, ndim = ctypes.POINTER(ctypes.c_uint32)(), ctypes.c_uint32()
        places = [ctypes.byref(place) for place in (key, data, extents, ndim)]
        assert lib.MXNDListGet(handle, ctypes.c_uint32(i), *places) == 0
        assert tuple(extents[: ndim.value]) == array.shape
        assert data[: array.size] == array.asnumpy().ravel().tolist()
    lib.MXNDListFree(handle)


def test_what_becomes_dense_is_bounded_by_the_file() -> None:
    lib, handle, length = library(), ctypes.c_void_p(), ctypes.c_uint32()
    one = rows_bytes((1 << 22, 1), np.zeros((0, 1), "f"), [])  # 16 MB when dense
    file = file_of(*[one] * 600)
    assert lib.MXNDListCreate(file, len(file), ctypes.byref(handle), ctypes.byref(length)) == -1
    assert b"bytes when dense; expected at most" in lib.MXGetLastError()
    assert len(mx.nd.load_frombuffer(file)) == 600
