"""Files of tokens: writing, reading at any place, batches of windows, damaged and cut files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import goes_on_everywhere

import mixgrad as mx

RNG = np.random.default_rng(0)
DOCUMENTS = [RNG.integers(0, 60000, length) for length in (0, 5, 17, 1, 2, 30, 0)]
ALL = np.concatenate(DOCUMENTS)


def written(path: Path, documents: Any = DOCUMENTS, dtype: str = "uint16") -> Path:
    with mx.io.TokenWriter(path, dtype) as writer:
        for document in documents:
            writer.append(document)
    return path


@pytest.fixture(params=["never", "always"])
def corpus(request: Any, tmp_path: Path) -> Iterator[Path]:
    """A file of tokens, read and mapped."""
    before = mx.runtime.file_mapping()
    mx.runtime.set_file_mapping(request.param)
    yield written(tmp_path / "corpus.tokens")
    mx.runtime.set_file_mapping(before)


# Files.


def test_what_is_written_is_read(corpus: Path) -> None:
    with mx.io.TokenFile(corpus) as file:
        file.verify()
        assert (len(file), file.documents, file.dtype) == (len(ALL), len(DOCUMENTS), np.uint16)
        assert np.array_equal(file.window(0, len(file)), ALL)
        for number, document in enumerate(DOCUMENTS):
            assert np.array_equal(file.document(number), document)
        assert np.array_equal(file.document(2, 3, 5), DOCUMENTS[2][3:8])
        assert np.array_equal(file.windows([50, 0, 5], 5), np.stack([ALL[50:55], ALL[:5], ALL[5:10]]))
        assert file.window(len(file), 0).size == 0 and file.span(1) == (0, 5)
    with pytest.raises(ValueError, match="is closed"):
        file.window(0, 1)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.lists(st.integers(0, 2**32 - 1), max_size=9), max_size=9))
def test_any_documents(tmp_path_factory: Any, documents: list[list[int]]) -> None:
    path = written(tmp_path_factory.getbasetemp() / "any.tokens", documents, "uint32")
    with mx.io.TokenFile(path) as file:
        file.verify()
        assert [file.document(i).tolist() for i in range(file.documents)] == documents


def test_bytes_are_those_of_the_page(tmp_path: Path) -> None:
    """docs/token-files.md, byte for byte."""
    content = written(tmp_path / "file", [[1, 2], [258]]).read_bytes()
    import struct
    import zlib

    tokens, index = bytes([1, 0, 2, 0, 2, 1]), struct.pack("<QQ", 2, 3)
    end = struct.pack("<8sQQII28x", b"MGTOKEND", 3, 2, zlib.crc32(tokens), zlib.crc32(index))
    assert content == (
        struct.pack("<8sII48x", b"MGTOKENS", 1, 2)
        + tokens
        + b"\0\0"
        + index
        + end
        + struct.pack("<I", zlib.crc32(end))
    )


@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_plain_files(tmp_path: Path, dtype: str) -> None:
    path = tmp_path / "train.bin"
    np.array([7, 8, 0, 9, 0, 5], dtype).tofile(path)
    with mx.io.TokenFile(path, dtype) as file:
        assert len(file) == 6 and file.documents == 1 and file.document(0).tolist() == [7, 8, 0, 9, 0, 5]
        file.verify()
    with mx.io.TokenFile(path, dtype, separator=0) as file:
        assert [file.document(i).tolist() for i in range(file.documents)] == [[7, 8, 0], [9, 0], [5]]
    with pytest.raises(mx.MXNetError, match=r"plain file .*expected dtype"):
        mx.io.TokenFile(path)
    path.write_bytes(b"")
    with mx.io.TokenFile(path, dtype, separator=0) as file:
        assert len(file) == file.documents == 0


def test_places_that_are_not_there(corpus: Path) -> None:
    with mx.io.TokenFile(corpus) as file:
        for call in (
            lambda: file.window(-1, 2),
            lambda: file.window(50, 6),
            lambda: file.window(0, -1),
            lambda: file.window(2**62, 1),
            lambda: file.windows([0, 51], 5),
            lambda: file.windows([-1], 1),
            lambda: file.document(7),
            lambda: file.document(-1),
            lambda: file.document(1, 3, 3),
            lambda: file.document(1, 6),
        ):
            with pytest.raises(IndexError, match=r"\[TokenFile\]"):
                call()
        with pytest.raises(TypeError):
            file.window(0.5, 1)


@pytest.mark.parametrize(
    ("document", "error", "match"),
    [
        ([65536], mx.MXNetError, "document 1 has the token 65536; uint16 holds 0 to 65535"),
        ([-1], mx.MXNetError, "has the token -1"),
        ([0.5], TypeError, "float64"),
        ([[1]], TypeError, r"shape \(1, 1\)"),
        ("text", TypeError, "is str"),
    ],
)
def test_documents_that_are_none(tmp_path: Path, document: Any, error: Any, match: str) -> None:
    path = tmp_path / "file"
    with pytest.raises(error, match=match), mx.io.TokenWriter(path) as writer:
        writer.append([1])
        writer.append(document)
    assert os.listdir(tmp_path) == []  # neither a file nor a part of one


def test_types_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(mx.MXNetError, match="dtype is int32; expected 'uint16' or 'uint32'"):
        mx.io.TokenWriter(tmp_path / "file", "int32")
    path = written(tmp_path / "file")
    with pytest.raises(mx.MXNetError, match="tokens of uint16, not of uint32"):
        mx.io.TokenFile(path, "uint32")
    with pytest.raises(mx.MXNetError, match="expected no separator"):
        mx.io.TokenFile(path, separator=0)
    with pytest.raises(OSError, match="no-folder"):
        mx.io.TokenWriter(tmp_path / "no-folder" / "file")


def test_an_old_file_stays_until_the_new_one_is_complete(tmp_path: Path) -> None:
    path = written(tmp_path / "file", [[1]])
    os.chmod(path, 0o640)
    writer = mx.io.TokenWriter(path)
    writer.append([2, 3])
    assert mx.io.TokenFile(path).window(0, 1).tolist() == [1]
    writer.close()
    assert mx.io.TokenFile(path).window(0, 2).tolist() == [2, 3]
    assert path.stat().st_mode & 0o777 == 0o640 and os.listdir(tmp_path) == ["file"]
    with pytest.raises(ValueError, match="is closed"):
        writer.append([1])


# Damage.


@pytest.mark.parametrize("mapping", ["never", "always"])
def test_every_cut_is_an_error(tmp_path: Path, mapping: str) -> None:
    content = written(tmp_path / "file", DOCUMENTS[:3]).read_bytes()
    before = mx.runtime.file_mapping()
    mx.runtime.set_file_mapping(mapping)
    try:
        for size in range(len(content)):
            (tmp_path / "cut").write_bytes(content[:size])
            with pytest.raises(mx.MXNetError, match=r"cut short|damaged|plain file"):
                mx.io.TokenFile(tmp_path / "cut")
    finally:
        mx.runtime.set_file_mapping(before)


def test_every_changed_byte_is_found(tmp_path: Path) -> None:
    """By opening the file, or by verify(); the rest of header and padding mean nothing."""
    path = written(tmp_path / "file", DOCUMENTS[:3])
    content = path.read_bytes()
    unused = set(range(16, 64)) | set(range(64 + 2 * 22, (64 + 2 * 22 + 7) // 8 * 8))
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x41
        path.write_bytes(changed)
        if place in unused:
            continue
        with pytest.raises(mx.MXNetError), mx.io.TokenFile(path) as file:
            file.verify()


def test_ends_that_do_not_rise_are_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "file", [[1, 2], [3]])
    content = bytearray(path.read_bytes())
    content[72 : 72 + 16] = (3).to_bytes(8, "little") + (2).to_bytes(8, "little")
    path.write_bytes(content)
    with (
        mx.io.TokenFile(path) as file,
        pytest.raises(mx.MXNetError, match="damaged: ends of documents 0 to 1"),
    ):
        file.span(1)
    with pytest.raises(mx.MXNetError, match="damaged: ends"):
        mx.io.TokenIter(path, 1, 1, by="document")


def test_a_file_that_is_cut_while_it_is_read(tmp_path: Path) -> None:
    """An error, and no SIGBUS: a file that others may write to is not mapped."""
    path = tmp_path / "train.bin"
    np.zeros(1 << 16, "uint16").tofile(path)
    file = mx.io.TokenFile(path, "uint16")
    it = mx.io.TokenIter(path, 4, 64, token_dtype="uint16")
    it.next()
    os.truncate(path, 100)
    with pytest.raises(mx.MXNetError, match=r"was cut off while it was open: it had 131072 bytes"):
        file.window(1000, 1000)
    with pytest.raises(mx.MXNetError, match="was cut off"):
        list(it)


def test_files_that_nobody_may_write_are_mapped(tmp_path: Path) -> None:
    path = written(tmp_path / "file")
    maps = """
import sys, mixgrad as mx
file = mx.io.TokenFile(sys.argv[1])
print(open("/proc/self/maps").read())
"""
    for mode, mapped in ((0o644, False), (0o444, True)):
        os.chmod(path, mode)
        command = [sys.executable, "-c", maps, path]
        out = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        assert (str(path) in out.stdout) == mapped


def test_a_killed_writer_leaves_no_file(tmp_path: Path) -> None:
    """Its temporary file is removed by the next writer into the folder."""
    program = """
import os, signal, sys
import mixgrad as mx
writer = mx.io.TokenWriter(sys.argv[1])
for _ in range(100):
    writer.append(range(1000))
os.kill(os.getpid(), signal.SIGKILL)
"""
    out = subprocess.run([sys.executable, "-c", program, tmp_path / "file"], timeout=120, check=False)
    assert out.returncode == -signal.SIGKILL
    assert [name.endswith(".mgtmp") for name in os.listdir(tmp_path)] in ([], [True])
    written(tmp_path / "other")
    assert os.listdir(tmp_path) == ["other"]


def test_tokens_are_written_once(tmp_path: Path) -> None:
    """What is appended goes to the temporary file, which is then renamed."""
    writer = mx.io.TokenWriter(tmp_path / "file", "uint32")
    for _ in range(64):
        writer.append(np.arange(1 << 14))
    (name,) = os.listdir(tmp_path)
    temporary = tmp_path / name
    assert name.endswith(".mgtmp") and temporary.stat().st_size >= 3 << 20
    inode = temporary.stat().st_ino
    writer.close()
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").stat().st_ino == inode
    with mx.io.TokenFile(tmp_path / "file") as file:
        assert (len(file), file.documents) == (1 << 20, 64)
        file.verify()


def test_a_forked_child_leaves_the_writer_alone(tmp_path: Path) -> None:
    writer = mx.io.TokenWriter(tmp_path / "file")
    writer.append([1, 2])
    child = os.fork()
    if child == 0:
        status = 1
        try:
            writer.append([3])
        except ValueError as error:
            status = 0 if "another process" in str(error) else 2
        writer.close()
        del writer
        os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    writer.append([4])
    writer.close()
    with mx.io.TokenFile(tmp_path / "file") as file:
        assert file.documents == 2 and file.window(0, 3).tolist() == [1, 2, 4]


# Batches.


@pytest.mark.parametrize("by", ["position", "document"])
@pytest.mark.parametrize("last", ["pad", "discard", "roll_over"])
def test_positions(corpus: Path, by: str, last: str) -> None:
    for shuffle in (False, True):
        goes_on_everywhere(
            lambda shuffle=shuffle: mx.io.TokenIter(
                [corpus, corpus], 2, 4, by=by, shuffle=shuffle, seed=9, last_batch_handle=last
            )
        )


@pytest.mark.parametrize("by", ["position", "document"])
@pytest.mark.parametrize("parts", [1, 3])
def test_every_token_is_a_label_once(corpus: Path, by: str, parts: int) -> None:
    seen: list[int] = []
    for part in range(parts):
        for batch in mx.io.TokenIter(corpus, 1, 4, by=by, shuffle=True, num_parts=parts, part_index=part):
            data, label = batch.data[0].asnumpy()[0], batch.label[0].asnumpy()[0]
            seen += label[label >= 0].tolist()
            assert np.array_equal(data[1:][label[1:] >= 0], label[:-1][label[1:] >= 0])
    expected = (
        [t for d in DOCUMENTS for t in d[1:]] if by == "document" else ALL[1 : 1 + (len(ALL) - 1) // 4 * 4]
    )
    assert sorted(seen) == sorted(expected)


def test_layouts_strides_and_names(corpus: Path) -> None:
    it = mx.io.TokenIter(corpus, 2, 6, stride=3, layout="TN", dtype="float32", data_name="x", label_name="y")
    assert [(d.name, d.shape, d.layout) for d in (*it.provide_data, *it.provide_label)] == [
        ("x", (6, 2), "TN"),
        ("y", (6, 2), "TN"),
    ]
    batch = it.next()
    assert batch.data[0].dtype == np.float32
    assert np.array_equal(batch.data[0].asnumpy(), np.stack([ALL[:6], ALL[3:9]], axis=1))
    assert np.array_equal(batch.label[0].asnumpy(), np.stack([ALL[1:7], ALL[4:10]], axis=1))


def test_short_documents_are_filled_up(tmp_path: Path) -> None:
    path = written(tmp_path / "file", [[1, 2, 3], [], [4], [5, 6]])
    it = mx.io.TokenIter(path, 2, 4, by="document", fill=9, fill_label=-7)
    (batch,) = list(it)
    assert batch.data[0].asnumpy().tolist() == [[1, 2, 9, 9], [5, 9, 9, 9]]
    assert batch.label[0].asnumpy().tolist() == [[2, 3, -7, -7], [6, -7, -7, -7]]


def test_the_same_seed_gives_the_same_batches(corpus: Path) -> None:
    def passes(seed: int, **options: Any) -> list[Any]:
        it = mx.io.TokenIter(corpus, 3, 2, shuffle=True, seed=seed, **options)
        out = []
        for _ in range(3):
            out.append([batch.data[0].asnumpy().tolist() for batch in it])
            it.reset()
        return out

    first = passes(1)
    assert first == passes(1, prefetch=0) == passes(1, prefetch=4)
    assert first != passes(2) and first[0] != first[1] != first[2]


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"length": 0}, mx.MXNetError, "length is 0"),
        ({"length": 55}, mx.MXNetError, "has no window of 55 tokens and the one behind"),
        ({"stride": 0}, mx.MXNetError, "stride is 0"),
        ({"batch_size": 0}, mx.MXNetError, "batch_size is 0"),
        ({"by": "word"}, mx.MXNetError, "by is 'word'"),
        ({"layout": "TNC"}, mx.MXNetError, "layout is 'TNC'"),
        ({"files": []}, mx.MXNetError, "empty list"),
        ({"dtype": "uint64"}, mx.MXNetError, "uint64"),
        ({"part_index": 3}, mx.MXNetError, "part_index=3 of num_parts=1"),
    ],
)
def test_refusals(tmp_path: Path, options: dict[str, Any], error: Any, match: str) -> None:
    files = written(tmp_path / "file")
    with pytest.raises(error, match=match):
        mx.io.TokenIter(**{"files": files, "batch_size": 2, "length": 4, **options})


def test_a_file_larger_than_memory(tmp_path: Path) -> None:
    """A hole of 4 TB: windows and a pass in random order take no memory for what is not read."""
    path = tmp_path / "large.bin"
    with open(path, "wb") as file:
        file.truncate(2**42)
    it = mx.io.TokenIter(path, 4, 128, shuffle=True, token_dtype="uint16")
    assert it.next().data[0].shape == (4, 128)
    other = mx.io.TokenIter(path, 4, 128, shuffle=True, token_dtype="uint16")
    other.load_state_dict({**it.state_dict(), "at": 2**33})
    assert other.next().data[0].shape == (4, 128)
