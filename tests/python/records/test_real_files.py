"""Record files that real MXNet 1.9.1 wrote (tests/parity/records_exchange.py --write)."""

import sys
from pathlib import Path

import numpy as np
import pytest

from mixgrad.recordio import IRHeader, MXIndexedRecordIO, MXRecordIO, pack, unpack

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests" / "parity"))
from records_exchange import small_headers, small_records, write_small  # noqa: E402

FILES = ROOT / "tests" / "data" / "records"


def test_the_same_bytes_are_written(tmp_path):
    import mixgrad.recordio

    write_small(mixgrad.recordio, tmp_path)
    for name in ("magic.rec", "magic.idx", "headers.rec"):
        assert (tmp_path / name).read_bytes() == (FILES / name).read_bytes(), name


def test_records_are_read():
    reader = MXIndexedRecordIO(FILES / "magic.idx", FILES / "magic.rec", "r")
    assert list(iter(reader.read, None)) == small_records()
    assert reader.read_batch(reader.keys) == small_records()
    assert MXIndexedRecordIO(None, FILES / "magic.rec", "r").idx == reader.idx


@pytest.mark.parametrize("count", range(1, 18))
def test_parts(count):
    parts = [MXRecordIO(FILES / "magic.rec", "r", part_index=i, num_parts=count) for i in range(count)]
    assert [x for part in parts for x in iter(part.read, None)] == small_records()


def test_headers_are_read():
    reader = MXRecordIO(FILES / "headers.rec", "r")
    for (flag, label, number, number2), content in small_headers():
        record = reader.read()
        header, rest = unpack(record)
        assert (header.id, header.id2, rest) == (number, number2, content)
        assert header.flag == (len(label) if isinstance(label, list) else 0)
        np.testing.assert_array_equal(header.label, np.float32(label))
        assert pack(IRHeader(flag, label, number, number2), content) == record
