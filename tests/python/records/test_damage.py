"""Damaged record files: errors that name the place, or records and bytes that were left out."""

import struct
import warnings

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _record_file
from mixgrad.recordio import MXIndexedRecordIO, MXRecordIO

MAGIC = struct.pack("<I", 0xCED7230A)
RECORDS = [b"record %03d " % i + bytes(range(i % 50)) for i in range(40)]


@pytest.fixture
def paths(tmp_path):
    paths = tmp_path / "a.idx", tmp_path / "a.rec"
    with MXIndexedRecordIO(*paths, "w", checksums=True) as writer:
        for i, record in enumerate(RECORDS):
            writer.write_idx(i, record)
    return paths


@pytest.fixture(autouse=True)
def told():
    """One warning in a process: here it was given already."""
    before, _record_file._told_of_damage = _record_file._told_of_damage, True
    yield
    _record_file._told_of_damage = before


def change(path, offset, content):
    data = bytearray(path.read_bytes())
    data[offset : offset + len(content)] = content
    path.write_bytes(data)


def read_over(path, **options):
    reader = MXRecordIO(path, "r", damaged="skip", **options)
    return list(iter(reader.read, None)), reader.skipped, reader.skipped_bytes


def test_a_header_that_is_gone(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    change(paths[1], index[7], b"oops")
    # The record before may have lost its end: a size that is too small looks the same.
    assert read_over(paths[1]) == (RECORDS[:6] + RECORDS[8:], 1, index[8] - index[6])
    reader = MXRecordIO(paths[1], "r")
    assert [reader.read() for _ in range(6)] == RECORDS[:6]
    wrong = rf"\[MXRecordIO\] .*a.rec' is damaged at {index[6]}: .* but none begins behind it, at {index[7]}"
    with pytest.raises(ValueError, match=wrong):
        reader.read()
    assert list(iter(reader.read, None)) == RECORDS[8:]


def test_a_size_that_is_too_large(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    size = struct.unpack("<I", paths[1].read_bytes()[index[7] + 4 :][:4])[0]
    change(paths[1], index[7] + 4, struct.pack("<I", size + 40))
    records, skipped, _ = read_over(paths[1])
    assert records == RECORDS[:7] + RECORDS[8:] and skipped == 1
    with pytest.raises(ValueError, match=rf"another one begins inside of it, at {index[8]}"):
        list(iter(MXRecordIO(paths[1], "r").read, None))
    change(paths[1], index[7] + 4, struct.pack("<I", 100_000))
    assert read_over(paths[1])[0] == RECORDS[:7] + RECORDS[8:]


def test_a_size_that_is_too_small(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    for size in range(len(RECORDS[7]) - 3):
        change(paths[1], index[7] + 4, struct.pack("<I", size))
        assert read_over(paths[1])[0] == RECORDS[:7] + RECORDS[8:]


def test_a_file_that_was_cut_off(paths):
    data = paths[1].read_bytes()
    index = MXIndexedRecordIO(*paths, "r").idx
    for length in range(index[39], len(data)):
        paths[1].write_bytes(data[:length])
        records, skipped, byte_count = read_over(paths[1])
        assert (
            records == RECORDS[:39] and skipped == (length > index[39]) and byte_count == length - index[39]
        )


def test_a_stretch_of_zeros(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    change(paths[1], index[10] + 4, bytes(index[20] - index[10]))
    assert read_over(paths[1]) == (RECORDS[:10] + RECORDS[21:], 1, index[21] - index[10])


def test_a_record_of_several_parts_without_its_end(tmp_path):
    path = tmp_path / "a.rec"
    with MXRecordIO(path, "w") as writer:
        for record in [b"one", b"1234" + MAGIC + b"5678", b"three"]:
            writer.write(record)
    data = path.read_bytes()
    path.write_bytes(data[:24] + data[36:])  # without the last part
    assert read_over(path) == ([b"one", b"three"], 1, 12)
    with pytest.raises(ValueError, match="a record of several parts, whose rest is missing at 24"):
        list(iter(MXRecordIO(path, "r").read, None))


def test_damage_at_keys(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    change(paths[1], index[7], b"oops")
    reader = MXIndexedRecordIO(*paths, "r")
    with pytest.raises(ValueError, match=rf"key 7: .*no record at {index[7]} of .*a.rec"):
        reader.read_idx(7)
    with pytest.raises(ValueError, match="key 7"):
        reader.read_batch([3, 7, 5])
    reader = MXIndexedRecordIO(*paths, "r", damaged="skip")
    assert reader.read_idx(7) is None and reader.read_batch([3, 7]) == [RECORDS[3], None]
    assert reader.skipped == 2


def test_checksums_find_what_headers_do_not(paths):
    index = MXIndexedRecordIO(*paths, "r").idx
    assert read_over(paths[1], checksums=True)[0] == RECORDS
    change(paths[1], index[7] + 10, b"X")
    assert read_over(paths[1])[1] == 0
    assert read_over(paths[1], checksums=True)[:2] == (RECORDS[:7] + RECORDS[8:], 1)
    reader = MXIndexedRecordIO(*paths, "r", checksums=True)
    with pytest.raises(ValueError, match=r"key 7: .*does not have its checksum"):
        reader.read_idx(7)
    side = paths[1].with_suffix(".rec.crc")
    change(side, 30, b"X")
    with pytest.raises(ValueError, match="does not hold checksums of records, or is damaged"):
        MXRecordIO(paths[1], "r", checksums=True)
    side.unlink()
    with pytest.raises(FileNotFoundError, match=r"a\.rec\.crc"):
        MXRecordIO(paths[1], "r", checksums=True)


def test_one_warning_names_the_first_place(paths):
    _record_file._told_of_damage = False
    change(paths[1], 0, b"oops")
    with pytest.warns(
        UserWarning, match=r"\[MXRecordIO\] .*a.rec' is damaged .* at 0: no header of a record"
    ):
        read_over(paths[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read_over(paths[1])


def test_damage_of_any_kind_is_an_error_or_skipped(paths):
    data = paths[1].read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            at = rng.integers(len(changed))
            length = rng.integers(1, 60)
            kind = rng.integers(4)
            if kind == 0:
                changed[at] ^= 1 << rng.integers(8)
            elif kind == 1:
                del changed[at : at + length]
            elif kind == 2:
                changed[at:at] = rng.bytes(length)
            else:
                changed[at : at + 4] = MAGIC
        paths[1].write_bytes(changed)
        found = read_over(paths[1], checksums=True)[0]
        assert set(found) <= set(RECORDS)
        reader, rest = MXRecordIO(paths[1], "r", checksums=True), []
        while True:
            try:
                record = reader.read()
            except mx.MXNetError:
                continue
            if record is None:
                break
            rest.append(record)
        assert rest == found
