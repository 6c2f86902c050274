"""Iterators: what parity with MXNet does not show. Hostile files, refusals, threads that end."""

from __future__ import annotations

import gc
import gzip
import os
import select
import signal
import struct
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mixgrad as mx


def values(it: Any) -> list[Any]:
    return [batch.data[0].asnumpy().tolist() for batch in it]


# Arrays.


def test_batches_are_copies() -> None:
    data = mx.nd.arange(4)
    batch = mx.io.NDArrayIter(data, batch_size=2).next()
    batch.data[0][:] = 9
    assert data.asnumpy().tolist() == [0, 1, 2, 3]


def test_shuffling_keeps_dtypes_and_pairs() -> None:
    data = mx.nd.array(np.arange(100), dtype="int64")
    it = mx.io.NDArrayIter(data, data * 2, batch_size=7, shuffle=True)
    seen = []
    for batch in it:
        assert batch.data[0].dtype == np.int64
        x, y = batch.data[0].asnumpy(), batch.label[0].asnumpy()
        assert (x * 2 == y).all()
        seen += x[: 7 - batch.pad].tolist()
    assert sorted(seen) == list(range(100)) and seen != sorted(seen)


def test_layout_with_the_examples_elsewhere() -> None:
    data = np.arange(12).reshape(2, 6)
    it = mx.io.NDArrayIter(data, batch_size=4, layout="TN", shuffle=False)
    assert it.provide_data[0].shape == (2, 4) and it.num_data == 6
    assert [b.data[0].shape for b in it] == [(2, 4)] * 2


def test_a_batch_larger_than_the_data_rolls_over() -> None:
    it = mx.io.NDArrayIter(np.arange(3), batch_size=5, last_batch_handle="roll_over")
    out = []
    for _ in range(6):
        out += values(it)
        it.reset()
    assert sum(map(len, out)) % 5 == 0 and [x for b in out for x in b][:6] == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize(
    ("make", "error", "match"),
    [
        (lambda: mx.io.NDArrayIter([]), ValueError, "no array"),
        (lambda: mx.io.NDArrayIter(None), TypeError, "NoneType"),
        (lambda: mx.io.NDArrayIter("text"), TypeError, "str"),
        (lambda: mx.io.NDArrayIter({"x": "text"}), TypeError, "'x' is str"),
        (lambda: mx.io.NDArrayIter(np.zeros((3, 1)), np.zeros(2)), ValueError, "2 examples"),
        (lambda: mx.io.NDArrayIter(np.zeros(3), last_batch_handle="drop"), ValueError, "'drop'"),
        (lambda: mx.io.NDArrayIter(np.zeros(3), batch_size=0), ValueError, "batch_size=0"),
        (lambda: mx.io.NDArrayIter(np.zeros(3), layout="CHW"), ValueError, "no axis N"),
        (lambda: mx.io.NDArrayIter(np.zeros(3), layout="TN"), ValueError, "more axes"),
        (lambda: mx.io.DataBatch(np.zeros(3)), TypeError, "list of NDArray"),
        (lambda: mx.io.PrefetchingIter([]), ValueError, "no iterators"),
        (
            lambda: mx.io.PrefetchingIter(mx.io.NDArrayIter(np.zeros(3)), rename_data=[{}, {}]),
            ValueError,
            "2 entries for 1",
        ),
    ],
)
def test_refusals(make: Any, error: Any, match: str) -> None:
    with pytest.raises(error, match=match):
        make()


def test_getdata_after_the_end() -> None:
    it = mx.io.NDArrayIter(np.zeros(2))
    list(it)
    with pytest.raises(ValueError, match="call reset"):
        it.getdata()


def test_data_desc_is_a_pair() -> None:
    desc = mx.io.DataDesc("data", (2, 3), np.int32, "NC")
    name, shape = desc
    assert (name, shape) == ("data", (2, 3)) == desc and desc.dtype == np.int32
    assert mx.io.DataDesc.get_batch_axis(None) == 0
    listed = mx.io.DataDesc.get_list([("a", (1,))], [("a", np.float16)])
    assert listed[0].dtype == np.float16 and mx.io.DataDesc.get_list([("a", (1,))], None)[0].name == "a"
    import copy
    import pickle

    for other in (pickle.loads(pickle.dumps(desc)), copy.deepcopy(desc)):
        assert other == desc and other.layout == "NC"


# Threads.


class Slow(mx.io.DataIter):
    provide_data, provide_label = [mx.io.DataDesc("data", (1,))], []

    def __init__(self, count: int, fail_at: int = -1) -> None:
        super().__init__(1)
        self.count, self.fail_at, self.at = count, fail_at, 0

    def reset(self) -> None:
        self.at = 0

    def next(self) -> mx.io.DataBatch:
        time.sleep(0.001)
        if self.at == self.fail_at:
            self.fail_at = -1
            raise RuntimeError("torn tape")
        if self.at == self.count:
            raise StopIteration
        self.at += 1
        return mx.io.DataBatch([mx.nd.full((1,), self.at)], [], 0)


def prefetch_threads() -> int:
    return sum(thread.name == "mixgrad-prefetch" for thread in threading.enumerate())


def test_prefetching_in_any_order_of_calls() -> None:
    it = mx.io.PrefetchingIter(Slow(3))
    assert values(it) == [[1], [2], [3]]
    assert values(it) == []  # until it is reset
    it.reset()
    it.reset()
    assert it.next().data[0].asscalar() == 1
    it.reset()
    assert values(it) == [[1], [2], [3]]


def test_prefetching_threads_end_with_the_iterator() -> None:
    before = prefetch_threads()
    its = [mx.io.PrefetchingIter([Slow(5), Slow(5)]) for _ in range(3)]
    assert prefetch_threads() == before + 6
    its[0].next()
    its[1].close()
    with pytest.raises(ValueError, match="closed"):
        its[1].next()
    its[1].close()
    del its
    gc.collect()
    assert prefetch_threads() == before


def test_prefetching_passes_errors_on_and_goes_on() -> None:
    it = mx.io.PrefetchingIter(Slow(3, fail_at=1))
    assert it.next().data[0].asscalar() == 1
    for _ in range(2):
        with pytest.raises(RuntimeError, match="torn tape"):
            it.next()
    it.reset()
    assert values(it) == [[1], [2], [3]]


def test_prefetching_iterators_of_different_length() -> None:
    it = mx.io.PrefetchingIter([Slow(1), Slow(2)])
    it.next()
    with pytest.raises(ValueError, match="differ in length") as caught:
        it.next()
    assert "iterator 0 (Slow) is at its end and iterator 1 (Slow) has another batch" in str(caught.value)
    parts = [mx.io.NDArrayIter(np.zeros(n), batch_size=2) for n in (4, 3)]
    it = mx.io.PrefetchingIter(parts)
    it.next()
    with pytest.raises(ValueError, match=r"iterator 1 \(NDArrayIter\) has another batch, with padding 1;"):
        it.next()


class Blocking(mx.io.DataIter):
    """Gives ``count`` batches; then one that comes when ``go`` is set."""

    provide_data, provide_label = [mx.io.DataDesc("data", (1,))], []

    def __init__(self, count: int = 0) -> None:
        super().__init__(1)
        self.count, self.at, self.go = count, 0, threading.Event()

    def reset(self) -> None:
        self.at = 0

    def next(self) -> mx.io.DataBatch:
        self.at += 1
        if self.at > self.count:
            self.go.wait()
        return mx.io.DataBatch([mx.nd.full((1,), self.at)], [], 0)


def in_child(run: Any) -> str:
    """What ``run`` returns in a forked process; a child that does not answer is ended."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # newer Pythons warn of threads
        child = os.fork()
    if child == 0:
        try:
            os.write(writer, repr(run()).encode())
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(writer)
    ready, _, _ = select.select([reader], [], [], 20)
    if not ready:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reader) as file:
        return file.read() if ready else "no answer"


FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="no os.fork here")


@FORKS
def test_prefetching_goes_on_in_a_child_process() -> None:
    it = mx.io.PrefetchingIter([Slow(4), Slow(4)])
    it.next()

    def rest() -> Any:
        left = [[int(array.asscalar()) for array in batch.data] for batch in it]
        it.reset()
        return left, len(list(it))

    for _ in range(2):
        assert in_child(rest) == "([[2, 2], [3, 3], [4, 4]], 4)"
    assert in_child(it.close) == "None"
    assert len(list(it)) == 3


@FORKS
def test_prefetching_says_what_a_fork_lost() -> None:
    source = Blocking(1)
    it = mx.io.PrefetchingIter(source)
    it.next()  # now the thread waits in the source
    said = in_child(it.next)
    assert said.startswith("ValueError: [PrefetchingIter] the process forked while") and "Blocking" in said
    assert "reset()" in said

    def again() -> Any:
        it.reset()
        return int(it.next().data[0].asscalar())

    assert in_child(again) == "1"
    source.go.set()
    assert it.next().data[0].asscalar() == 2
    it.close()
    assert "it is closed" in in_child(it.next)


LEAVING = """
import os, signal, sys, threading, time
import mixgrad as mx

class Source(mx.io.DataIter):
    provide_data, provide_label = [mx.io.DataDesc("data", (1,))], []
    def next(self):
        threading.Event().wait()

it = mx.io.PrefetchingIter([Source(1), Source(1)])
"""


@pytest.mark.parametrize(
    ("then", "code"),
    [
        ("pass", 0),
        ("sys.exit(7)", 7),
        ("raise RuntimeError('on the way')", 1),
        ("del it; sys.exit(8)", 8),
        ("it.close(); sys.exit(9)", 9),
        (
            "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
            "try:\n    it.next()\nexcept KeyboardInterrupt:\n    sys.exit(10)",
            10,
        ),
    ],
)
def test_a_source_that_blocks_lets_the_program_leave(then: str, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVING + then], capture_output=True, timeout=120, check=False
    )
    assert done.returncode == code, done.stderr


def test_resizing_nothing() -> None:
    with pytest.raises(ValueError, match="no batches"):
        mx.io.ResizeIter(Slow(0), 2).next()


# Files.


def write(path: Path, content: Any) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def csv(tmp_path: Path, content: Any, shape: tuple[int, ...] = (2,), **options: Any) -> Any:
    path = write(tmp_path / "x.csv", content)
    return mx.io.CSVIter(data_csv=path, data_shape=shape, **{"batch_size": 1, **options})


def test_paths_that_are_none() -> None:
    options: dict[str, Any] = {"data_shape": (2,), "batch_size": 1}
    for call, what in (
        (lambda: mx.io.CSVIter(data_csv=None, **options), "CSVIter] data_csv is NoneType"),
        (lambda: mx.io.CSVIter(data_csv=5, **options), "CSVIter] data_csv is int"),
        (lambda: mx.io.LibSVMIter(data_libsvm=None, **options), "LibSVMIter] data_libsvm is NoneType"),
        (lambda: mx.io.MNISTIter(image=None), "MNISTIter] image is NoneType"),
    ):
        with pytest.raises(TypeError, match=f"{what}; expected a path as text, bytes or os.PathLike"):
            call()


def test_folders_of_files(tmp_path: Path) -> None:
    options: dict[str, Any] = {"data_csv": tmp_path, "data_shape": (2,), "batch_size": 1}
    (tmp_path / "inner").mkdir()
    with pytest.raises(OSError, match="is a folder with 1 entries, none of them a regular file; expected"):
        mx.io.CSVIter(**options)
    write(tmp_path / "a.csv", "1,2\n3,4\n")
    write(tmp_path / "b.csv", "5,6")
    assert len(values(mx.io.CSVIter(**options))) == 3
    write(tmp_path / "b.csv", "5,6\n7")
    with pytest.raises(mx.base.FileFormatError, match=r"b.csv' line 2: 1 value; expected 2"):
        mx.io.CSVIter(**options)


def test_csv_forms(tmp_path: Path) -> None:
    text = "\ufeff1,2\r\n  3 ,\t4\n\n   \n+5,-.5e1\n1E+2,1.\ninf,-nan\n.1234567890123456789012,1e-400"
    rows = [row[0] for row in values(csv(tmp_path, text))]
    assert rows[:4] == [[1, 2], [3, 4], [5, -5], [100, 1]]
    assert rows[4][0] == float("inf") and np.isnan(rows[4][1])
    assert rows[5] == [np.float32(0.12345678901234567), 0]


def test_csv_folder_and_gzip(tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    write(folder / "b.csv", "3,4")
    write(folder / "a.csv", gzip.compress(b"1,2", mtime=0))
    it = mx.io.CSVIter(data_csv=folder, data_shape=(2,), batch_size=2)
    assert values(it) == [[[1, 2], [3, 4]]]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_csv_dtypes(tmp_path: Path, dtype: str) -> None:
    it = csv(tmp_path, "1,-2\n", dtype=dtype)
    batch = it.next()
    assert batch.data[0].dtype == batch.label[0].dtype == np.dtype(dtype)
    assert batch.data[0].asnumpy().tolist() == [[1, -2]]
    assert it.getlabel().shape == (1,) and it.getdata().shape == (1, 2)
    assert it.getpad() == 0 and it.getindex().tolist() == [0]


@given(st.lists(st.floats(width=64) | st.integers(-(2**60), 2**60), min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_csv_reads_what_python_writes(numbers: list[Any]) -> None:
    from mixgrad import _core

    text = ",".join(map(repr, numbers)).encode()
    got = _core.parse_csv(text, "x", len(numbers), 1).asnumpy()[0]
    np.testing.assert_array_equal(got, np.array([float(n) for n in numbers]))


def test_csv_large_and_split_over_threads(tmp_path: Path) -> None:
    table = np.random.RandomState(0).randn(40000, 8).astype("float32")
    np.savetxt(tmp_path / "t.csv", table, delimiter=",", fmt="%.9g")
    it = mx.io.CSVIter(data_csv=tmp_path / "t.csv", data_shape=(8,), batch_size=40000)
    np.testing.assert_array_equal(it.next().data[0].asnumpy(), table)


@pytest.mark.parametrize(
    ("content", "options", "error", "match"),
    [
        ("1,2\n3\n", {}, ValueError, "line 2: 1 value; expected 2"),
        ("1,2\n\n3,4,5\n", {}, ValueError, "line 3: 3 values; expected 2"),
        ("a,b\n1,2\n", {}, ValueError, r"line 1: value 1 is 'a'; expected a number"),
        ("1,x2\n", {}, ValueError, "value 2 is 'x2'"),
        ("1,\n", {}, ValueError, "value 2 is ''"),
        ("1,2 3\n", {}, ValueError, "value 2 is '2 3'"),
        ("1.5,2\n", {"dtype": "int32"}, ValueError, "expected a whole number"),
        ("1,3000000000\n", {"dtype": "int32"}, ValueError, "that fits"),
        ("1,99999999999999999999\n", {"dtype": "int64"}, ValueError, "that fits"),
        ("1,2\n", {"dtype": "float16"}, TypeError, "float16; expected float32"),
        ("1,2\n", {"data_shape": (0,)}, ValueError, "extents of at least 1"),
        ("1,2\n", {"data_shape": (2**40,)}, ValueError, "expected rows of"),
        ("1,2\n" * 9, {"data_shape": (15,)}, ValueError, "line 1: 2 values; expected 15"),
        (",,,,,,,,\n" * 9, {"data_shape": (9,)}, ValueError, "line 1: value 1 is ''"),
        ("", {}, ValueError, "no rows"),
        ("1,2\n", {"batch_size": 0}, ValueError, "batch_size=0"),
        (b"\0\xff\n", {}, ValueError, r"'\?\?'|1 value"),
        (gzip.compress(b"1,2" * 99, mtime=0)[:-9], {}, ValueError, "damaged"),
    ],
)
def test_csv_refusals(tmp_path: Path, content: Any, options: Any, error: Any, match: str) -> None:
    options = {"data_shape": (2,), "batch_size": 1, **options}
    path = write(tmp_path / "x.csv", content)
    with pytest.raises(error, match=match):
        mx.io.CSVIter(data_csv=path, **options)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"none\.csv"):
        mx.io.CSVIter(data_csv=tmp_path / "none.csv", data_shape=(1,), batch_size=1)
    write(tmp_path / "a", "1\n2\n")
    write(tmp_path / "b", "1\n")
    with pytest.raises(ValueError, match="2 rows of data and 1 of labels"):
        mx.io.CSVIter(data_csv=tmp_path / "a", label_csv=tmp_path / "b", data_shape=(1,), batch_size=1)


@given(st.binary(max_size=60), st.integers(1, 4))
@settings(max_examples=300, deadline=None)
def test_any_bytes_as_text(content: bytes, columns: int) -> None:
    from mixgrad import _core

    for parse in (
        lambda: _core.parse_csv(content, "x", columns, 0),
        lambda: _core.parse_libsvm(content, "x", columns),
    ):
        try:
            parse()
        except mx.base.FileFormatError as error:
            assert "line" in str(error) or "bytes" in str(error)


ROWS = "1 2:3 0:1 # note\n\n-1.5\n2 1:1e1 1:2 2:0\n"


def parts(array: Any) -> Any:
    return [part.asnumpy().tolist() for part in (array.data, array.indices, array.indptr)]


def test_libsvm(tmp_path: Path) -> None:
    data = write(tmp_path / "d", ROWS)
    it = mx.io.LibSVMIter(data_libsvm=data, data_shape=(3,), batch_size=2)
    assert it.provide_data == [("data", (2, 3))] and it.provide_label == [("softmax_label", (2,))]
    for begin in (0, 1, 2):  # passes: rows 0 1, 2 0; then 1 2; then again
        batches = list(it)
        it.reset()
        assert [b.index.tolist() for b in batches] == ([[1, 2]] if begin == 1 else [[0, 1], [2, 0]])
        assert [b.pad for b in batches] == ([0] if begin == 1 else [0, 1])
        for batch in batches:
            assert (batch.data[0].stype, batch.label[0].stype) == ("csr", "default")
            assert (batch.data[0].dtype, batch.data[0].indices.dtype) == (np.float32, np.int64)
            assert batch.label[0].asnumpy().tolist() == np.array([1, -1.5, 2])[batch.index].tolist()
        if begin != 1:
            # Elements stay as they are in the lines: in their order, named twice, zeros.
            assert parts(batches[0].data[0]) == [[3, 1], [2, 0], [0, 2, 2]]
            assert parts(batches[1].data[0]) == [[10, 2, 0, 3, 1], [1, 1, 2, 2, 0], [0, 3, 5]]
            dense = mx.nd.sparse.dot(batches[1].data[0], mx.nd.array([[1], [10], [100]]))
            assert dense.asnumpy().tolist() == [[120], [301]]
        else:
            assert parts(batches[0].data[0]) == [[10, 2, 0], [1, 1, 2], [0, 0, 3]]


def test_libsvm_parts_and_dtypes(tmp_path: Path) -> None:
    data = write(tmp_path / "d", ROWS)
    options: dict[str, Any] = {"data_libsvm": data, "data_shape": (3,), "batch_size": 1}
    thirds = [
        [b.label[0].asscalar() for b in mx.io.LibSVMIter(num_parts=3, part_index=i, **options)]
        for i in range(3)
    ]
    assert thirds == [[1], [-1.5], [2]]
    for dtype in ("float16", "float64", np.int32):
        it = mx.io.LibSVMIter(dtype=dtype, data_name="x", label_name="y", **options)
        batch = it.next()
        assert batch.data[0].dtype == it.provide_data[0].dtype == np.dtype(dtype)
        assert (it.provide_data[0].name, it.provide_label[0].name) == ("x", "y")
        assert batch.data[0].asnumpy().tolist() == [[1, 0, 3]] and batch.label[0].dtype == np.float32


def test_libsvm_wide(tmp_path: Path) -> None:
    columns = 2**40  # nothing has room for a dense row
    data = write(tmp_path / "d", f"1 0:1 {columns - 1}:2\n" * 20000)  # several pieces of text
    it = mx.io.LibSVMIter(data_libsvm=data, data_shape=(columns,), batch_size=20000)
    batch = it.next()
    assert batch.data[0].shape == (20000, columns)
    assert parts(batch.data[0][19998:]) == [[1, 2] * 2, [0, columns - 1] * 2, [0, 2, 4]]


def test_libsvm_labels(tmp_path: Path) -> None:
    data = write(tmp_path / "d", ROWS)
    labels = write(tmp_path / "l", "0 0:7\n0 1:8 0:2\n0\n")
    options: dict[str, Any] = {"data_libsvm": data, "data_shape": (3,), "batch_size": 2}
    it = mx.io.LibSVMIter(label_libsvm=labels, label_shape=(2,), **options)
    assert it.provide_label == [("softmax_label", (2, 2))]
    first, second = it
    assert first.label[0].stype == "csr" and parts(first.label[0]) == [[7, 8, 2], [0, 1, 0], [0, 1, 3]]
    assert second.label[0].asnumpy().tolist() == [[0, 0], [7, 0]]
    part = mx.io.LibSVMIter(
        label_libsvm=labels, label_shape=(2,), num_parts=2, part_index=0, **{**options, "batch_size": 1}
    )
    assert part.next().label[0].asnumpy().tolist() == [[7, 0]]
    write(tmp_path / "one", "5 0:7\n6 0:8\n7\n")
    one = mx.io.LibSVMIter(label_libsvm=tmp_path / "one", label_shape=(1,), **options)
    assert one.provide_label == [("softmax_label", (2,))]
    assert one.next().label[0].asnumpy().tolist() == [7, 8]
    write(tmp_path / "one", "5 0:7\n")
    with pytest.raises(ValueError, match="3 rows of data and 1 of labels"):
        mx.io.LibSVMIter(label_libsvm=tmp_path / "one", label_shape=(1,), **options)


def test_module_takes_csr_batches(tmp_path: Path) -> None:
    rng = np.random.RandomState(0)
    lines = [f"{i % 2} {i % 2 + 2 * rng.randint(0, 10)}:1 {20 + rng.randint(0, 20)}:0.5\n" for i in range(64)]
    data = write(tmp_path / "d", "".join(lines))
    it = mx.io.LibSVMIter(data_libsvm=data, data_shape=(40,), batch_size=16)
    weight = mx.sym.var("weight", stype="row_sparse", shape=(40, 2))
    net = mx.sym.SoftmaxOutput(mx.sym.sparse.dot(mx.sym.var("data", stype="csr"), weight), name="softmax")
    model = mx.mod.Module(net)
    model.fit(it, num_epoch=8, optimizer_params={"learning_rate": 1.0}, initializer=mx.init.Normal(0.01))
    it.reset()
    assert model.score(it, "acc")[0][1] == 1


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("x 0:1\n", "line 1: the label is 'x'"),
        ("1 0:1\n1 3:1\n", "line 2: index 3 of a row of 3"),
        ("1 -1:1\n", "index -1"),
        ("1 0:x\n", "got '0:x'; expected index:value"),
        ("1 0\n", "got '0'"),
        ("1 99999999999999999999:1\n", "expected index:value"),
        ("1 0:1,5\n", "got '0:1,5'"),
        ("1 0:1\n" * 70000 + "1 0:\n", "line 70001: got '0:'"),
    ],
    ids=lambda value: value[:20],
)
def test_libsvm_refusals(tmp_path: Path, content: str, match: str) -> None:
    path = write(tmp_path / "x", content)
    with pytest.raises(ValueError, match=match):
        mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=1)
    with pytest.raises(ValueError, match="expected one extent"):
        mx.io.LibSVMIter(data_libsvm=path, data_shape=(3, 1), batch_size=1)
    with pytest.raises(ValueError, match="round_batch"):
        mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=1, round_batch=False)


def idx(tmp_path: Path, count: int = 5) -> tuple[bytes, bytes]:
    pixels = np.arange(count * 6, dtype="u1").tobytes()
    images = struct.pack(">IIII", 2051, count, 2, 3) + pixels
    return images, struct.pack(">II", 2049, count) + bytes(range(count))


def test_mnist_packed_shuffled_and_named(tmp_path: Path) -> None:
    images, labels = idx(tmp_path)
    write(tmp_path / "i.gz", gzip.compress(images, mtime=0))
    write(tmp_path / "l", labels)

    def read(**options: Any) -> Any:
        return mx.io.MNISTIter(image=tmp_path / "i", label=tmp_path / "l", batch_size=2, **options)

    a, b = ([x.label[0].asnumpy().tolist() for x in read(seed=3)] for _ in range(2))
    assert a == b and len(a) == 2 and len({x for row in a for x in row}) == 4
    batch = read(shuffle=False, flat=True, dtype="float16", data_name="x", label_name="y").next()
    assert batch.data[0].dtype == np.float16 and batch.data[0].shape == (2, 6)
    assert batch.data[0].asnumpy()[1, 0] == 6 / 256 and batch.index.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda i, x: (b"", x), "images begin with 00 00 08 03"),
        (lambda i, x: (x, i), "begins with"),
        (lambda i, x: (i[:9], x), "cut short"),
        (lambda i, x: (i[:-1], x), "30 bytes; it holds 29"),
        (lambda i, x: (i[:4] + b"\xff" * 12 + i[16:], x), "it holds 30"),
        (lambda i, x: (i, x[:4] + b"\0\0\0\4" + x[8:-1]), "5 images and 4 labels"),
        (lambda i, x: (b"\x1f\x8b" + i, x), "damaged"),
    ],
)
def test_mnist_refusals(tmp_path: Path, change: Any, match: str) -> None:
    images, labels = change(*idx(tmp_path))
    with pytest.raises(ValueError, match=match):
        mx.io.MNISTIter(
            image=write(tmp_path / "i", images), label=write(tmp_path / "l", labels), batch_size=2
        )


def test_mnist_parts_and_batches_that_cannot_be(tmp_path: Path) -> None:
    images, labels = idx(tmp_path)
    paths = {"image": write(tmp_path / "i", images), "label": write(tmp_path / "l", labels)}
    with pytest.raises(ValueError, match="part_index=2 of num_parts=2"):
        mx.io.MNISTIter(**paths, batch_size=1, num_parts=2, part_index=2)
    with pytest.raises(ValueError, match="do not fill a batch of 9"):
        mx.io.MNISTIter(**paths, batch_size=9)
