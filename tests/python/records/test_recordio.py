"""mx.recordio: records, indexes, pickling, processes, files that appear when they are closed."""

import gc
import itertools
import os
import pickle
import struct
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mixgrad as mx
from mixgrad.base import FileFormatError, NotFoundError
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO

MAGIC = struct.pack("<I", 0xCED7230A)


def write_all(path, records, **options):
    with MXRecordIO(path, "w", **options) as writer:
        for record in records:
            writer.write(record)


def read_all(path, **options):
    reader = MXRecordIO(path, "r", **options)
    return list(iter(reader.read, None))


def expected_bytes(records):
    """The format, written down once more."""
    out = b""
    for record in records:
        cuts, begin = [], 0
        for i in range(0, len(record) // 4 * 4, 4):
            if record[i : i + 4] == MAGIC:
                cuts.append(record[begin:i])
                begin = i + 4
        cuts.append(record[begin:])
        for number, part in enumerate(cuts):
            role = 0 if len(cuts) == 1 else 1 if number == 0 else 3 if number == len(cuts) - 1 else 2
            out += MAGIC + struct.pack("<I", role << 29 | len(part)) + part + b"\0" * (-len(part) % 4)
    return out


pieces = st.one_of(st.just(MAGIC), st.binary(max_size=9), st.sampled_from([b"\0", MAGIC[:3], MAGIC[1:]]))
contents = st.lists(pieces, max_size=6).map(b"".join)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(contents, max_size=8))
def test_round_trip_with_magic_words(tmp_path, records):
    path = tmp_path / "a.rec"
    write_all(path, records)
    assert path.read_bytes() == expected_bytes(records)
    assert read_all(path) == records
    reader = MXIndexedRecordIO(None, path, "r")
    assert reader.read_batch(reader.keys) == records


def test_every_arrangement_of_short_pieces(tmp_path):
    pieces = [b"", b"x", MAGIC, MAGIC[:2], b"1234"]
    records = [b"".join(choice) for choice in itertools.product(pieces, repeat=4)]
    path = tmp_path / "a.rec"
    write_all(path, records)
    assert path.read_bytes() == expected_bytes(records)
    assert read_all(path) == records


@pytest.mark.parametrize("count", range(1, 18))
def test_parts_give_each_record_once(tmp_path, count):
    rng = np.random.default_rng(count)
    records = [
        b"".join(MAGIC if rng.random() < 0.2 else rng.bytes(4) for _ in range(rng.integers(30)))
        + rng.bytes(rng.integers(4))
        for _ in range(200)
    ]
    path = tmp_path / "a.rec"
    write_all(path, records)
    parts = [read_all(path, part_index=i, num_parts=count) for i in range(count)]
    assert list(itertools.chain(*parts)) == records
    few = tmp_path / "few.rec"
    write_all(few, records[:2])
    parts = [read_all(few, part_index=i, num_parts=count) for i in range(count)]
    assert list(itertools.chain(*parts)) == records[:2]


def test_parts_outside_of_the_count(tmp_path):
    write_all(tmp_path / "a.rec", [b"x"])
    with pytest.raises(mx.MXNetError, match=r"\[MXRecordIO\] part 3 of 3"):
        MXRecordIO(tmp_path / "a.rec", "r", part_index=3, num_parts=3)


def test_long_records(tmp_path):
    rng = np.random.default_rng(0)
    records = [rng.bytes(size) for size in (3 << 20, 300_000, 262_136, 262_137, 262_144, 5, 1 << 20)]
    write_all(tmp_path / "a.rec", records)
    assert read_all(tmp_path / "a.rec") == records
    reader = MXIndexedRecordIO(None, tmp_path / "a.rec", "r")
    assert reader.read_batch([6, 0, 5, 2]) == [records[i] for i in (6, 0, 5, 2)]


def test_index(tmp_path):
    paths = str(tmp_path / "a.idx"), str(tmp_path / "a.rec")
    writer = MXIndexedRecordIO(*paths, "w")
    assert writer.tell() == 0
    for i in range(5):
        writer.write_idx(i, b"record_%d" % i)
        assert writer.tell() == 16 * (i + 1)
    writer.write_idx("7", b"z")
    writer.write_idx(3, b"again")
    assert writer.keys == [0, 1, 2, 3, 4, 7, 3]
    writer.close()
    assert (tmp_path / "a.idx").read_text() == "0\t0\n1\t16\n2\t32\n3\t48\n4\t64\n7\t80\n3\t92\n"
    reader = MXIndexedRecordIO(*paths, "r")
    assert reader.idx == {0: 0, 1: 16, 2: 32, 3: 92, 4: 64, 7: 80}
    assert reader.read_idx(2) == b"record_2"
    assert reader.read() == b"record_3"  # on from there
    assert reader.read_idx(np.int64(3)) == b"again" and reader.read() is None
    reader.seek(4)
    assert reader.read() == b"record_4"
    reader.reset()
    assert reader.read() == b"record_0"
    with pytest.raises(KeyError, match="99"):
        reader.read_idx(99)


def test_keys_of_other_types(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w", key_type=str) as writer:
        writer.write_idx("cat", b"1")
        writer.write_idx("dog", b"2")
    reader = MXIndexedRecordIO(*paths, "r", key_type=str)
    assert reader.read_batch(["dog", "cat"]) == [b"2", b"1"]
    with pytest.raises(
        mx.MXNetError, match=r"line 1 is 'cat.*expected a key of type int, a tab and an offset"
    ):
        MXIndexedRecordIO(*paths, "r")


def test_pickling(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(0, b"one")
        writer.write_idx(1, b"two")
    reader = MXIndexedRecordIO(*paths, "r")
    reader.read()
    other = pickle.loads(pickle.dumps(reader))
    assert other.read_idx(1) == b"two" and reader.read() == b"two"
    reader.close()
    assert not pickle.loads(pickle.dumps(reader)).is_open
    header = pickle.loads(pickle.dumps(IRHeader(0, 1.5, 2, 3)))
    assert header == IRHeader(0, 1.5, 2, 3) and repr(header) == "HEADER(flag=0, label=1.5, id=2, id2=3)"


def test_files_appear_when_they_are_closed(tmp_path):
    path = tmp_path / "a.rec"
    write_all(path, [b"old"])
    writer = MXRecordIO(path, "w")
    writer.write(b"new")
    assert read_all(path) == [b"old"]
    del writer
    gc.collect()
    assert read_all(path) == [b"new"]
    with pytest.raises(ZeroDivisionError), MXIndexedRecordIO(tmp_path / "a.idx", path, "w") as indexed:
        indexed.write_idx(0, b"half")
        raise ZeroDivisionError
    assert read_all(path) == [b"new"] and sorted(os.listdir(tmp_path)) == ["a.rec"]
    writer = MXRecordIO(path, "w")
    writer.write(b"before")
    writer.reset()
    writer.write(b"after")
    writer.close()
    writer.close()
    assert read_all(path) == [b"after"]


def test_index_that_cannot_be_written_leaves_the_record_file(tmp_path):
    path = tmp_path / "a.rec"
    write_all(path, [b"old"])
    writer = MXIndexedRecordIO(tmp_path / "missing" / "a.idx", path, "w")
    writer.write_idx(0, b"new")
    with pytest.raises(mx.MXNetError, match="missing"):
        writer.close()
    assert read_all(path) == [b"old"]


def test_written_in_place(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    writer = MXIndexedRecordIO(*paths, "w", in_place=True)
    writer.write_idx(4, b"one")
    writer.flush()
    assert MXIndexedRecordIO(*paths, "r").read_idx(4) == b"one"
    writer.write_idx(5, b"two")
    writer.close()
    assert read_all(paths[1]) == [b"one", b"two"]
    with pytest.raises(mx.MXNetError, match=r"in_place=True"):
        MXRecordIO(paths[1], "w").flush()


def test_at_the_end_of_the_program(tmp_path):
    program = (
        "import sys, mixgrad as mx\n"
        "writer = mx.recordio.MXRecordIO(sys.argv[1], 'w')\n"
        "writer.write(b'last words')\n"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path / "a.rec")], check=True, timeout=120)
    assert read_all(tmp_path / "a.rec") == [b"last words"]


def in_child(function):
    """What the function gives in a forked process."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = function()
        except BaseException as error:
            answer = repr(error)
        os.write(send, repr(answer).encode())
        os._exit(0)
    os.close(send)
    with os.fdopen(receive) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return eval(answer)


def test_forked_processes(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w") as writer:
        for i in range(3):
            writer.write_idx(i, b"%d" % i)
    reader = MXIndexedRecordIO(*paths, "r")
    assert "Forbidden operation in multiple processes" in in_child(reader.read)
    assert in_child(lambda: (reader.read_idx(2), reader.read_batch([1, 0]))) == (b"2", [b"1", b"0"])
    assert reader.read() == b"0"
    writer = MXRecordIO(tmp_path / "b.rec", "w")
    writer.write(b"mine")
    assert "Forbidden" in in_child(lambda: writer.write(b"child's"))
    in_child(writer.close)
    assert not (tmp_path / "b.rec").exists()
    writer.close()
    assert read_all(tmp_path / "b.rec") == [b"mine"]


def test_forked_processes_open_the_file_again(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w") as writer:
        for i in range(3):
            writer.write_idx(i, b"%d" % i)
    reader = MXIndexedRecordIO(*paths, "r")
    assert (reader.read_idx(0), reader.pid) == (b"0", os.getpid())

    def child():
        before = reader._reading
        records = [reader.read_idx(i) for i in (2, 0)]
        grandchild = in_child(lambda: (reader.read_idx(1), reader.pid == os.getpid()))
        return records, reader._reading is not before, reader.pid == os.getpid(), grandchild

    assert in_child(child) == ([b"2", b"0"], True, True, (b"1", True))
    assert (reader.read(), reader.pid) == (b"1", os.getpid())


def test_keys_that_are_none(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w") as writer:
        writer.write_idx(3, b"three")
    reader = MXIndexedRecordIO(*paths, "r")
    assert reader.read_idx(np.int64(3)) == reader.read_idx(3.0) == b"three"
    for key in (4, -1, "3", None, [3]):
        with pytest.raises(NotFoundError, match=r"\[MXIndexedRecordIO.read_idx\] .*no record of key"):
            reader.read_idx(key)

    class Interrupted:
        def __hash__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reader.read_idx(Interrupted())
    reader.idx[5] = 1 << 40
    with pytest.raises(FileFormatError, match="key 5"):
        reader.read_idx(5)
    reader.close()  # as in MXNet, reading by key opens it again
    assert reader.read_idx(3) == b"three" and reader.is_open


def test_wrong_use(tmp_path):
    path = tmp_path / "a.rec"
    write_all(path, [b"x"])
    reader = MXRecordIO(path, "r")
    with pytest.raises(ValueError, match=r"\[MXRecordIO.write\] .*open for reading"):
        reader.write(b"x")
    writer = MXRecordIO(tmp_path / "b.rec", "w")
    with pytest.raises(ValueError, match=r"\[MXRecordIO.read\] .*open for writing"):
        writer.read()
    with pytest.raises(TypeError):
        writer.write("text")
    with pytest.raises(ValueError, match="Invalid flag a"):
        MXRecordIO(path, "a")
    with pytest.raises(ValueError, match="damaged is 'maybe'"):
        MXRecordIO(path, "r", damaged="maybe")
    with pytest.raises(FileNotFoundError, match=r"\[MXRecordIO\] .*missing"):
        MXRecordIO(tmp_path / "missing.rec", "r")
    with pytest.raises(FileNotFoundError, match=r"\[MXIndexedRecordIO\] .*missing"):
        MXIndexedRecordIO(tmp_path / "missing.idx", path, "r")
    reader.close()
    with pytest.raises(RuntimeError, match="closed"):
        reader.read()
    with pytest.raises(ValueError, match="expected str or PathLike"):
        MXRecordIO(3, "r")


def test_buffers_are_records(tmp_path):
    records = [bytearray(b"one"), memoryview(b"two"), np.arange(3, dtype=np.uint8), b""]
    write_all(tmp_path / "a.rec", records)
    assert read_all(tmp_path / "a.rec") == [b"one", b"two", b"\0\1\2", b""]
