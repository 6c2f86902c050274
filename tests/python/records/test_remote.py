"""Record files behind URIs: ranges, retries, time limits, the cache, and a server that fails."""

import io
import os
import pickle
import sys
import threading
from typing import ClassVar

import numpy as np
import pytest

import mixgrad as mx
from mixgrad._remote import RemoteFile
from mixgrad.recordio import MXIndexedRecordIO, MXRecordIO, RemoteOptions

sys.path.insert(0, os.path.dirname(__file__))
from unreliable_server import serve

fsspec = pytest.importorskip("fsspec")
BLOCK = 256 * 1024


@pytest.fixture
def memory():
    filesystem = fsspec.filesystem("memory")
    yield filesystem
    for path in list(filesystem.store):
        del filesystem.store[path]


def make_records(count, largest, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.bytes(rng.integers(largest)) for _ in range(count)]


def file_of(records, path):
    with MXRecordIO(path, "w") as writer:
        for record in records:
            writer.write(record)
    return path.read_bytes()


def test_memory_and_local_uris(memory, tmp_path):
    records = make_records(50, 60_000)
    for prefix in ("memory://data/", f"file://{tmp_path}/"):
        with MXIndexedRecordIO(prefix + "a.idx", prefix + "a.rec", "w", checksums=True) as writer:
            for i, record in enumerate(records):
                writer.write_idx(i, record)
        reader = MXIndexedRecordIO(prefix + "a.idx", prefix + "a.rec", "r", checksums=True)
        assert list(iter(reader.read, None)) == records
        assert reader.read_batch([40, 3, 3]) == [records[40], records[3], records[3]]
        assert pickle.loads(pickle.dumps(reader)).read_idx(7) == records[7]
        parts = [MXRecordIO(prefix + "a.rec", "r", part_index=i, num_parts=7) for i in range(7)]
        assert [x for part in parts for x in iter(part.read, None)] == records
    assert sorted(memory.store) == ["/data/a.idx", "/data/a.rec", "/data/a.rec.crc"]
    assert memory.cat_file("/data/a.rec") == (tmp_path / "a.rec").read_bytes()
    with pytest.raises(FileNotFoundError, match=r"\[MXRecordIO\] cannot open 'memory://data/missing.rec'"):
        MXRecordIO("memory://data/missing.rec", "r")


def test_an_exception_leaves_nothing(memory):
    with pytest.raises(ZeroDivisionError), MXRecordIO("memory://data/a.rec", "w") as writer:
        writer.write(bytes(1 << 20))
        raise ZeroDivisionError
    assert not memory.store


def test_damage_behind_a_uri(memory):
    with MXRecordIO("memory://data/a.rec", "w") as writer:
        for i in range(5):
            writer.write(b"record %d" % i)
    data = bytearray(memory.cat_file("/data/a.rec"))
    data[16:20] = b"oops"
    memory.pipe_file("/data/a.rec", bytes(data))
    with pytest.raises(ValueError, match=r"'memory://data/a.rec' is damaged at 0"):
        MXRecordIO("memory://data/a.rec", "r").read()


class Scripted(fsspec.AbstractFileSystem if fsspec else object):
    """Content in memory; what each request meets is said by a function."""

    protocol = "scripted"
    cachable = False
    content = b""
    size_known = True
    script = staticmethod(lambda number, start, end: None)
    ranges: ClassVar[list] = []

    def info(self, path, **_):
        return {"name": path, "size": len(self.content) if self.size_known else None, "type": "file"}

    def exists(self, path, **_):
        return False

    def open(self, path, mode="rb", **_):
        raise OSError("the disk is full")

    def cat_file(self, path, start=None, end=None, **_):
        type(self).ranges.append((start, end))
        answer = self.script(len(self.ranges), start, end)
        return self.content[start:end] if answer is None else answer


@pytest.fixture
def scripted():
    fsspec.register_implementation("scripted", Scripted, clobber=True)
    Scripted.ranges, Scripted.size_known = [], True
    Scripted.content = np.random.default_rng(0).bytes(40 * BLOCK + 1234)
    Scripted.script = staticmethod(lambda number, start, end: None)
    return Scripted


def test_reading_in_order_grows_requests(scripted):
    file = RemoteFile("scripted://a", "test", RemoteOptions(request_bytes=8 * BLOCK, cache_bytes=16 * BLOCK))
    out = io.BytesIO()
    for offset in range(0, file.bytes, 100_000):
        out.write(file.read(offset, min(100_000, file.bytes - offset)))
    assert out.getvalue() == scripted.content
    ranges = sorted(scripted.ranges)
    assert ranges[0][0] == 0 and ranges[-1][1] == file.bytes
    assert all(first[1] == second[0] for first, second in zip(ranges, ranges[1:]))  # each byte once
    assert len(ranges) <= 10 and max(end - begin for begin, end in ranges) == 8 * BLOCK


def test_reading_at_random_asks_for_what_is_needed(scripted):
    file = RemoteFile("scripted://a", "test", RemoteOptions(request_bytes=2 * BLOCK, cache_bytes=4 * BLOCK))
    for offset in (30 * BLOCK + 5, 10 * BLOCK, 20 * BLOCK - 3, 5):
        assert file.read(offset, 100) == scripted.content[offset : offset + 100]
    assert sum(end - begin for begin, end in scripted.ranges) == 5 * BLOCK
    assert len(file._blocks) <= 4
    assert file.read(3, 6 * BLOCK) == scripted.content[3 : 3 + 6 * BLOCK]


def test_any_thread_reads(scripted):
    file = RemoteFile("scripted://a", "test", RemoteOptions(request_bytes=2 * BLOCK, cache_bytes=6 * BLOCK))
    wrong = []

    def read(seed):
        rng = np.random.default_rng(seed)
        for _ in range(60):
            offset = int(rng.integers(file.bytes - 300_000))
            if file.read(offset, 300_000) != scripted.content[offset : offset + 300_000]:
                wrong.append(offset)

    threads = [threading.Thread(target=read, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and len(file._blocks) <= 6 and not file._asked


def test_what_went_wrong_is_said(scripted):
    def fail(number, start, end):
        raise OSError("the cable is out")

    scripted.script = staticmethod(fail)
    wrong = (
        r"\[MXRecordIO\] cannot read bytes 0 to 524288 of 'scripted://a' \(2 attempts\): OSError: the cable"
    )
    with pytest.raises(OSError, match=wrong):
        MXRecordIO("scripted://a", "r", remote=RemoteOptions(attempts=2)).read()
    assert len(scripted.ranges) == 2
    scripted.script = staticmethod(lambda number, start, end: b"short")
    with pytest.raises(OSError, match="5 bytes came, and then the end"):
        RemoteFile("scripted://a", "test", RemoteOptions(attempts=1)).read(0, 10)
    released = threading.Event()
    scripted.script = staticmethod(lambda number, start, end: released.wait(60) and None)
    with pytest.raises(
        OSError, match=r"cannot read bytes 0 to 524288 .* \(1 attempt\): no answer within 0.05 s"
    ):
        RemoteFile("scripted://a", "test", RemoteOptions(attempts=1, time_limit=0.05)).read(0, 10)
    released.set()
    scripted.ranges.clear()

    def forbid(number, start, end):
        raise PermissionError("not yours")

    scripted.script = staticmethod(forbid)
    with pytest.raises(OSError, match=r"\(1 attempt\): PermissionError: not yours"):
        RemoteFile("scripted://a", "test").read(0, 10)


def test_a_server_without_ranges(scripted):
    scripted.content = scripted.content[: 3 * BLOCK]
    scripted.script = staticmethod(lambda number, start, end: scripted.content)
    assert RemoteFile("scripted://a", "test").read(BLOCK + 7, 1000) == scripted.content[BLOCK + 7 :][:1000]


@pytest.mark.parametrize(
    "options", [{"attempts": 0}, {"time_limit": 0}, {"request_bytes": 5}, {"cache_bytes": 1 << 20}]
)
def test_options_outside_of_their_range(options):
    with pytest.raises(ValueError, match=rf"\[RemoteOptions\] {next(iter(options))} is .*; expected"):
        RemoteOptions(**options)


def test_http_server_that_fails_one_request_in_ten(tmp_path):
    pytest.importorskip("aiohttp")
    records = make_records(250, 120_000)
    content = file_of(records, tmp_path / "a.rec")
    remote = RemoteOptions(time_limit=0.3, request_bytes=BLOCK, cache_bytes=8 * BLOCK)
    with serve(content, every=10) as server:
        reader = MXRecordIO(server.url, "r", remote=remote)
        assert list(iter(reader.read, None)) == records
        assert server.requests > 50 and {*server.went_wrong} == {"fail", "stall", "cut"}
        reader = MXIndexedRecordIO(None, server.url, "r", remote=remote)
        order = np.random.default_rng(0).permutation(250)[:30]
        assert reader.read_batch(order) == [records[i] for i in order]
        with pytest.raises(FileNotFoundError, match=r"missing\.rec"):
            MXRecordIO(server.url.replace("data", "missing"), "r")
    wrong = r"cannot read bytes 0 to .* \(2 attempts\).*503"
    with serve(content, every=1, kinds=("fail",)) as server, pytest.raises(OSError, match=wrong):
        MXRecordIO(server.url, "r", remote=RemoteOptions(attempts=2)).read()


def test_whole_files_are_asked_for_again(scripted, tmp_path):
    def fail_first(number, start, end):
        if number == 1:
            raise OSError("Service Unavailable")

    weights = {"w": mx.nd.array(np.arange(700_000)), "b": mx.nd.ones((3,))}
    mx.nd.save(tmp_path / "a.params", weights)
    scripted.content = (tmp_path / "a.params").read_bytes()
    for scripted.size_known in (True, False):
        scripted.ranges.clear()
        scripted.script = staticmethod(fail_first)
        got = mx.nd.load("scripted://a.params")
        assert {name: array.asnumpy().tolist() for name, array in got.items()} == {
            name: array.asnumpy().tolist() for name, array in weights.items()
        }
        assert len(scripted.ranges) == 2
    pytest.importorskip("aiohttp")
    with serve(scripted.content, every=2, kinds=("fail", "cut")) as server:
        for _ in range(3):
            assert mx.nd.load(server.url)["w"].shape == (700_000,)
        assert {*server.went_wrong} == {"fail", "cut"}


def test_what_cannot_be_written_is_said(scripted):
    with pytest.raises(mx.base.FileError, match=r"\[save\] cannot write 'scripted://a': the disk is full"):
        mx.nd.save("scripted://a", [mx.nd.ones((2,))])


def test_what_is_not_installed_is_said():
    with pytest.raises(
        (ImportError, ValueError, mx.MXNetError), match=r"\[MXRecordIO\] cannot reach 'nosuch://a/b'"
    ):
        MXRecordIO("nosuch://a/b", "r")
