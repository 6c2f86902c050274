"""HDF5 and Parquet files, and anything that gives examples, as sources of batches."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
from positions import goes_on_everywhere

import mixgrad as mx

ROWS = 11
X = np.arange(2.0 * ROWS, dtype="float32").reshape(ROWS, 2)


@pytest.fixture
def hdf5(tmp_path: Path) -> str:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "rows.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=X, chunks=(2, 2))
        file["group/y"] = np.arange(ROWS)
    return str(path)


@pytest.fixture
def parquet(tmp_path: Path) -> str:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = str(tmp_path / "rows.parquet")
    table = pa.table({"x": X.tolist(), "y": list(range(ROWS))})
    pq.write_table(table, path, row_group_size=4)
    return path


@pytest.fixture
def arrow(tmp_path: Path) -> str:
    pa = pytest.importorskip("pyarrow")
    path = str(tmp_path / "rows.arrow")
    table = pa.table({"x": X.tolist(), "y": list(range(ROWS))})
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        for batch in table.to_batches(max_chunksize=3):
            writer.write_batch(batch)
    return path


def examples() -> Iterator[dict[str, Any]]:
    for i in range(ROWS):
        yield {"x": X[i], "y": i}


class Numbered:
    def __len__(self) -> int:
        return ROWS

    def __getitem__(self, number: int) -> tuple[Any, int]:
        return X[number], number


def make(kind: str, request: Any, *args: Any, **options: Any) -> Any:
    if kind == "hdf5":
        return mx.io.HDF5Iter(request.getfixturevalue("hdf5"), "x", "group/y", *args, block_rows=4, **options)
    if kind in ("parquet", "arrow"):
        return mx.io.ParquetIter(request.getfixturevalue(kind), "x", "y", *args, **options)
    if kind == "function":
        return mx.io.IterableIter(examples, "x", "y", *args, **options)
    return mx.io.IterableIter(Numbered(), 0, 1, *args, **options)


KINDS = ["hdf5", "parquet", "arrow", "function", "numbered"]


def labels(it: Any) -> list[int]:
    return [int(y) for batch in it for y in batch.label[0].asnumpy()[: it.batch_size - batch.pad]]


@pytest.mark.parametrize("kind", KINDS)
def test_as_ndarray_iter(kind: str, request: Any) -> None:
    """Batches, paddings and passes are those of NDArrayIter."""
    for last in ("pad", "discard", "roll_over"):
        for size in (3, 20):
            if last == "roll_over" and size > ROWS:
                continue
            ours = make(kind, request, size, last)
            theirs = mx.io.NDArrayIter(X, np.arange(ROWS), size, last_batch_handle=last)
            for _ in range(3):
                got = [(b.data[0].asnumpy().tolist(), b.label[0].asnumpy().tolist(), b.pad) for b in ours]
                assert got == [
                    (b.data[0].asnumpy().tolist(), b.label[0].asnumpy().tolist(), b.pad) for b in theirs
                ]
                ours.reset()
                theirs.reset()


@pytest.mark.parametrize("last", ["pad", "discard", "roll_over"])
@pytest.mark.parametrize("kind", KINDS)
def test_positions(kind: str, last: str, request: Any) -> None:
    for shuffle in (False, True) if kind != "function" else (False,):
        for prefetch, size in ((0, 3), (1, 20 if last == "pad" else 5), (2, 4)):
            goes_on_everywhere(
                lambda size=size, shuffle=shuffle, prefetch=prefetch: make(
                    kind, request, size, last, shuffle=shuffle, prefetch=prefetch
                )
            )


@pytest.mark.parametrize("kind", KINDS)
def test_parts_give_each_row_once(kind: str, request: Any) -> None:
    for parts in (1, 2, 3, 5):
        for shuffle in (False, True) if kind != "function" else (False,):
            seen = []
            for part in range(parts):
                seen += labels(make(kind, request, 2, shuffle=shuffle, num_parts=parts, part_index=part))
            assert sorted(seen) == list(range(ROWS))
    with pytest.raises(mx.MXNetError, match="part_index=2 of num_parts=2"):
        make(kind, request, 2, num_parts=2, part_index=2)


@pytest.mark.parametrize("kind", ["hdf5", "parquet", "numbered"])
def test_shuffling(kind: str, request: Any) -> None:
    it = make(kind, request, ROWS, shuffle=True, seed=3)
    orders = []
    for _ in range(3):
        batch = it.next()
        order = batch.label[0].asnumpy().astype(int)
        assert np.array_equal(batch.data[0].asnumpy(), X[order])
        orders.append(tuple(order.tolist()))
        it.reset()
    assert len(set(orders)) == 3 and all(sorted(order) == list(range(ROWS)) for order in orders)
    again = make(kind, request, ROWS, shuffle=True, seed=3)
    assert tuple(again.next().label[0].asnumpy().astype(int).tolist()) == orders[0]


def test_a_module_trains_on_a_table(parquet: str) -> None:
    it = mx.io.ParquetIter(parquet, {"data": "x"}, {"softmax_label": "y"}, 4)
    out = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=ROWS), name="softmax")
    module = mx.mod.Module(out)
    module.fit(it, num_epoch=2, optimizer_params={"learning_rate": 0.01})
    assert module.score(it, "ce")[0][1] > 0


# HDF5.


def test_hdf5_columns_and_types(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "many.h5"
    with h5py.File(path, "w") as file:
        file["a"] = np.arange(5, dtype="uint16")
        file["b"] = np.ones((5, 2, 3), "float16")
        file["empty"] = np.zeros((0, 2))
        file["text"] = np.array([b"x"] * 5)
        file["short"] = np.zeros(4)
        file["scalar"] = 3.0
    it = mx.io.HDF5Iter(path, ["a", "b"], batch_size=2)
    assert [(d.name, d.shape, np.dtype(d.dtype).name) for d in it.provide_data] == [
        ("a", (2,), "int32"),
        ("b", (2, 2, 3), "float16"),
    ]
    batch = it.next()
    assert batch.data[0].dtype == np.int32 and batch.data[1].dtype == np.float16 and batch.label == []
    assert mx.io.HDF5Iter(path, {"data": "a"}, dtype="float32").provide_data[0].dtype == np.float32
    for data, error, match in (
        ("nothing", mx.MXNetError, "no dataset 'nothing'; there are 'a', 'b', 'empty'"),
        ("empty", mx.MXNetError, "holds no rows"),
        ("text", mx.MXNetError, "column 'text' is of type"),
        (["a", "short"], ValueError, "different lengths"),
        ("scalar", ValueError, "expected rows"),
    ):
        with pytest.raises(error, match=match):
            mx.io.HDF5Iter(path, data)


@pytest.mark.parametrize("last", ["pad", "discard", "roll_over"])
@pytest.mark.parametrize("shuffle", [False, True])
def test_h5py_datasets_in_ndarray_iter(hdf5: str, last: str, shuffle: bool) -> None:
    import h5py

    with h5py.File(hdf5) as file:
        goes_on_everywhere(
            lambda: mx.io.NDArrayIter(
                file["x"], np.arange(ROWS), 4, shuffle, last, seed=2 if shuffle else None
            )
        )
        it = mx.io.NDArrayIter(file["x"], np.arange(ROWS), 4, shuffle, last)
        assert it.provide_data[0].dtype == np.float32
        for _ in range(2):
            for batch in it:  # also later passes keep data and labels together
                order = batch.label[0].asnumpy().astype(int)
                assert np.array_equal(batch.data[0].asnumpy(), X[order])
            it.reset()


# Parquet and Arrow.


def test_several_files_and_folders(parquet: str, arrow: str, tmp_path: Path) -> None:
    assert labels(mx.io.ParquetIter([parquet, arrow], "x", "y", 5)) == [*range(ROWS)] * 2
    assert labels(mx.io.ParquetIter(tmp_path, "x", "y", 5)) == [*range(ROWS)] * 2  # both lie in it


def test_parquet_columns(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    path = str(tmp_path / "many.parquet")
    fixed = pa.array([[[1, 2], [3, 4]]] * 3, pa.list_(pa.list_(pa.int16(), 2), 2))
    table = pa.table(
        {
            "matrix": fixed,
            "flag": [True, False, True],
            "category": pa.array([7, 8, 7]).dictionary_encode(),
            "hole": [1.5, None, 2.5],
            "ragged": [[1], [1, 2], [3]],
            "text": ["a", "b", "c"],
            "days": pa.array([1, 2, 3], pa.date32()),
        }
    )
    pq.write_table(table, path)
    batch = mx.io.ParquetIter(path, ["matrix", "flag", "category"], batch_size=3).next()
    assert batch.data[0].shape == (3, 2, 2) and batch.data[0].dtype == np.int32
    assert batch.data[1].asnumpy().tolist() == [True, False, True]
    assert batch.data[2].asnumpy().tolist() == [7, 8, 7]
    filled = mx.io.ParquetIter(path, "hole", batch_size=3, null=-1).next()
    assert filled.data[0].asnumpy().tolist() == [1.5, -1, 2.5]
    for column, match in (
        ("hole", "misses 1 values in row group 0"),
        ("ragged", "a list of 2 values in row 1"),
        ("text", "is of type string; expected numbers"),
        ("days", "is of type date32"),
        ("nothing", "no column 'nothing'; there are 'matrix'"),
    ):
        with pytest.raises((mx.MXNetError, ValueError), match=match):
            mx.io.ParquetIter(path, column, batch_size=3)


@pytest.mark.parametrize("kind", ["hdf5", "parquet", "arrow"])
def test_damaged_files_are_errors(kind: str, request: Any, tmp_path: Path) -> None:
    """Cut and changed files: all rows, or an error of ours."""
    path = request.getfixturevalue(kind)
    whole = Path(path).read_bytes()
    rng = np.random.default_rng(1)
    bad = tmp_path / "bad"

    def read() -> None:
        columns = ("x", "group/y") if kind == "hdf5" else ("x", "y")
        kinds = mx.io.HDF5Iter if kind == "hdf5" else mx.io.ParquetIter
        for _ in kinds(bad, *columns, 3, prefetch=0):
            pass

    refused = 0
    for trial in range(200):
        content = bytearray(whole)
        if trial % 2:
            content = content[: int(rng.integers(0, len(content)))]
        else:
            for place in rng.integers(0, len(content), 4):
                content[place] = int(rng.choice([0, 127, 128, 255, rng.integers(0, 256)]))
        bad.write_bytes(content)
        try:
            read()
        except (mx.MXNetError, ValueError, OSError) as error:
            refused += 1
            assert str(error).startswith("["), error
    assert refused > 80


def test_files_that_are_none(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    pytest.importorskip("pyarrow")
    os.mkfifo(tmp_path / "pipe")
    for kind in (mx.io.HDF5Iter, mx.io.ParquetIter):
        with pytest.raises(OSError, match="pipe"):
            kind(tmp_path / "pipe")
        with pytest.raises(FileNotFoundError, match="missing"):
            kind(tmp_path / "missing")
    (tmp_path / "text").write_text("text")
    with pytest.raises(mx.MXNetError, match="expected a Parquet file"):
        mx.io.ParquetIter(tmp_path / "text")
    with pytest.raises(mx.MXNetError, match="cannot be read as HDF5"):
        mx.io.HDF5Iter(tmp_path / "text")


@pytest.mark.parametrize(
    ("kind", "package", "extra"),
    [(mx.io.HDF5Iter, "h5py", "hdf5"), (mx.io.ParquetIter, "pyarrow", "parquet")],
)
def test_packages_that_are_missing(
    kind: Any, package: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.split(".")[0] == package:
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    (tmp_path / "file").write_bytes(b"\x89HDF\r\n\x1a\n")
    with pytest.raises(ImportError, match=rf"needs {package}.*pip install 'mixgrad\[{extra}\]'"):
        kind(tmp_path / "file")


# Anything that gives examples.


def test_generators_serve_one_pass() -> None:
    it = mx.io.IterableIter((i for i in range(7)), batch_size=3)
    assert [(b.data[0].asnumpy().tolist(), b.pad) for b in it] == [
        ([0, 1, 2], 0),
        ([3, 4, 5], 0),
        ([6, 0, 1], 2),
    ]
    it.reset()
    with pytest.raises(mx.MXNetError, match="can be gone through only once"):
        it.next()


def test_set_epoch_is_called() -> None:
    class Source:
        epochs: list[int] = []  # noqa: RUF012

        def set_epoch(self, epoch: int) -> None:
            self.epochs.append(epoch)
            self.epoch = epoch

        def __iter__(self) -> Iterator[int]:
            return iter([self.epoch * 10, self.epoch * 10 + 1])

    it = mx.io.IterableIter(Source(), batch_size=2, prefetch=0)
    seen = []
    for _ in range(3):
        seen += [b.data[0].asnumpy().tolist() for b in it]
        it.reset()
    assert seen == [[0, 1], [10, 11], [20, 21]]


@pytest.mark.parametrize(
    ("source", "options", "error", "match"),
    [
        ({"x": [1]}, {}, TypeError, "NDArrayIter takes dicts"),
        ("text", {}, TypeError, "source is str"),
        (3, {}, TypeError, "source is int"),
        ([], {}, mx.MXNetError, "holds no rows"),
        (lambda: iter(()), {}, mx.MXNetError, "holds no rows"),
        ([{"x": 1}], {"data": "y"}, mx.MXNetError, "no column 'y'; there are 'x'"),
        ([{"x": "a"}], {}, mx.MXNetError, "has str 'a' in column 'x'"),
        ([{"x": [1]}, {"x": [1, 2]}], {"batch_size": 2}, ValueError, r"example 1 has shape \(2,\)"),
        ([{"x": 1}, {"z": 1}], {"batch_size": 2}, ValueError, "example 1 has no 'x'"),
        (examples, {"shuffle": True, "data": "x"}, mx.MXNetError, "no examples by number"),
        ([1], {"batch_size": 0}, mx.MXNetError, "batch_size is 0"),
        ([1], {"prefetch": -1}, mx.MXNetError, "prefetch is -1"),
        ([1], {"timeout": 0}, mx.MXNetError, "timeout is 0"),
        ([1], {"last_batch_handle": "drop"}, ValueError, "'drop'"),
        ([np.complex64(1)], {}, mx.MXNetError, "complex64"),
        ([np.uint64(1)], {}, mx.MXNetError, "of type uint64"),
    ],
)
def test_refusals(source: Any, options: dict[str, Any], error: Any, match: str) -> None:
    with pytest.raises(error, match=match):
        mx.io.IterableIter(source, **options)


def test_hugging_face_datasets(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    table = datasets.Dataset.from_dict({"x": X.tolist(), "y": list(range(ROWS)), "name": ["a"] * ROWS})
    goes_on_everywhere(lambda: mx.io.IterableIter(table, "x", "y", 3, shuffle=True))
    stream = table.to_iterable_dataset(num_shards=2).shuffle(seed=3, buffer_size=4)
    goes_on_everywhere(lambda: mx.io.IterableIter(stream, "x", "y", 3, prefetch=0))
    with pytest.raises(mx.MXNetError, match="column 'name'"):
        mx.io.IterableIter(table)


# Threads.


def read_ahead_threads() -> int:
    return sum(thread.name == "mixgrad-read-ahead" for thread in threading.enumerate())


def wait_for(no: Any) -> None:
    end = time.monotonic() + 10
    while no() and time.monotonic() < end:
        time.sleep(0.01)
    assert not no()


def test_reading_ahead_is_bounded_and_ends_with_the_iterator() -> None:
    taken = []

    def endless() -> Iterator[int]:
        for i in range(10**9):
            taken.append(i)
            yield i

    it: Optional[Any] = mx.io.IterableIter(endless, batch_size=4, prefetch=2)
    assert it is not None
    taken.clear()
    for _ in range(5):
        it.next()
    time.sleep(0.1)
    assert len(taken) <= 4 * (5 + 2 + 1)
    del it
    wait_for(read_ahead_threads)


def test_errors_of_a_source_come_with_their_batch() -> None:
    def failing() -> Iterator[int]:
        yield from range(4)
        raise KeyError("no more")

    it = mx.io.IterableIter(failing, batch_size=2)
    assert [it.next().data[0].asnumpy().tolist() for _ in range(2)] == [[0, 1], [2, 3]]
    with pytest.raises(KeyError, match="no more"):
        it.next()
    it.reset()
    assert it.next().data[0].asnumpy().tolist() == [0, 1]


def test_a_source_that_stalls_is_reported() -> None:
    go_on = threading.Event()

    def stalling() -> Iterator[int]:
        yield from range(2)
        go_on.wait(20)

    it = mx.io.IterableIter(stalling, batch_size=2, block=1, timeout=0.05)
    it.next()
    with pytest.raises(TimeoutError, match=r"nothing of a builtins.function came within 0.05 seconds"):
        it.next()
    go_on.set()


def test_a_forked_child_goes_on(parquet: str) -> None:
    program = """
import os, sys
import mixgrad as mx
it = mx.io.ParquetIter(sys.argv[1], "x", "y", 3)
it.next()
child = os.fork()
os.write(1, f"{[int(y) for y in it.next().label[0].asnumpy()]}\\n".encode())  # in one piece
os._exit(0) if child == 0 else sys.exit(os.waitpid(child, 0)[1])
"""
    command = [sys.executable, "-c", program, parquet]
    out = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert out.stdout.split("\n") == ["[3, 4, 5]"] * 2 + [""]


@pytest.mark.parametrize(("then", "code"), [("sys.exit(3)", 3), ("it.close(); sys.exit(3)", 3), ("1 / 0", 1)])
def test_a_source_that_blocks_lets_programs_leave(then: str, code: int) -> None:
    """Also a forked child, in which nobody holds what the parent's thread may have held."""
    program = f"""
import os, sys, time
import mixgrad as mx

def blocking():
    yield from range(4)
    time.sleep(1000)

it = mx.io.IterableIter(blocking, batch_size=2, prefetch=2)
it.next()
child = os.fork()
if child and os.waitpid(child, 0)[1] >> 8 != {code}:
    os._exit(99)
{then}
"""
    out = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=120, check=False)
    assert out.returncode == code, out.stderr


@pytest.mark.parametrize(
    "part", [{"num_parts": None}, {"num_parts": 1.5}, {"part_index": "0"}, {"num_parts": 0}]
)
def test_parts_that_are_no_numbers(part):
    with pytest.raises((TypeError, ValueError), match=r"^\[IterableIter\] part_index="):
        mx.io.IterableIter([1, 2, 3], batch_size=2, **part)
