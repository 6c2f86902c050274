"""Event files of mx.summary.Writer, read by a reader of this test: framing, checksums, messages."""

from __future__ import annotations

import io
import math
import struct
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import nn
from mixgrad.summary.records import crc32c


def castagnoli(content: bytes) -> int:
    """Bit by bit, by the polynomial's own order of bits."""
    crc = 0xFFFFFFFF
    for byte in content:
        for i in range(8):
            top = crc >> 31 ^ (byte >> i & 1)
            crc = (crc << 1 & 0xFFFFFFFF) ^ (0x1EDC6F41 if top else 0)
    return int(f"{crc:032b}"[::-1], 2) ^ 0xFFFFFFFF


def masked(crc: int) -> int:
    return ((crc >> 15 | crc << 17 & 0xFFFFFFFF) + 0xA282EAD8) % (1 << 32)


def varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if not data[at - 1] & 0x80:
            return value, at


def fields(data: bytes) -> dict[int, list[Any]]:
    """A message's values by their numbers."""
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        value: Any
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at : at + size], at + size
            assert len(value) == size
        else:
            size = {1: 8, 5: 4}[key & 7]
            (value,), at = struct.unpack("<d" if size == 8 else "<f", data[at : at + size]), at + size
        found.setdefault(key >> 3, []).append(value)
    return found


def events(path: Path) -> list[dict[int, list[Any]]]:
    data, at, found = path.read_bytes(), 0, []
    while at < len(data):
        size, check = struct.unpack_from("<QI", data, at)
        assert check == masked(castagnoli(data[at : at + 8]))
        content = data[at + 12 : at + 12 + size]
        assert struct.unpack_from("<I", data, at + 12 + size)[0] == masked(castagnoli(content))
        found.append(fields(content))
        at += size + 16
    assert fields(path.read_bytes()[12 : 12 + struct.unpack_from("<Q", data)[0]])[3] == [b"brain.Event:2"]
    return found


def values(path: Path) -> list[tuple[str, int, dict[int, list[Any]]]]:
    """Tag, step and fields of each value."""
    found = []
    for event in events(path):
        for summary in event.get(5, []):
            (value,) = (fields(one) for one in fields(summary)[1])
            found.append((value[1][0].decode(), event[2][0], value))
    return found


def test_checksums_are_those_of_the_standard() -> None:
    assert crc32c(b"123456789") == castagnoli(b"123456789") == 0xE3069283  # RFC 3720
    assert crc32c(b"\0" * 32) == 0x8A9136AA and crc32c(b"") == 0
    noise = np.random.default_rng(0).bytes(257)
    for size in (*range(20), 257):
        for begin in (0, 1, 5):
            assert crc32c(noise[begin:size]) == castagnoli(noise[begin:size])


def test_scalars(tmp_path: Path) -> None:
    with mx.summary.Writer(tmp_path / "run" / "one", filename_suffix=".end") as writer:
        for step, value in enumerate((0.5, mx.nd.array([1.25]), mx.np.array(3), np.float64(1e300), math.nan)):
            writer.add_scalar("loss/é", value, 1 << 40 | step, wall_time=12.5)
        writer.add_scalar("last", 1)
    assert writer.path.parent == tmp_path / "run" / "one" and writer.path.name.endswith(".end")
    *found, last = values(writer.path)
    assert [(tag, step & 0xFF) for tag, step, _ in found] == [("loss/é", i) for i in range(5)]
    numbers = [value[2][0] for _, _, value in found]
    assert numbers[:4] == [0.5, 1.25, 3, math.inf] and math.isnan(numbers[4])
    assert last[0] == "last" and last[1] == 0 and last[2][2] == [1.0]
    assert events(writer.path)[1][1] == [12.5]


@pytest.mark.parametrize(
    ("shape", "layout", "kind"),
    [
        ((5, 7), None, 0),
        ((2, 5, 7), None, 4),
        ((3, 5, 7), None, 2),
        ((5, 7, 4), "HWC", 6),
        ((5, 7, 1), "HWC", 0),
    ],
)
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_pictures(tmp_path: Path, shape: tuple[int, ...], layout: str | None, kind: int, dtype: str) -> None:
    pixels = np.random.default_rng(1).integers(0, 256, shape).astype("uint8")
    given = pixels if dtype == "uint8" else pixels.astype("float32") / 255
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_image("x", mx.nd.array(given, dtype=dtype), 3, layout=layout)
    ((_, step, value),) = values(writer.path)
    picture = fields(value[4][0])
    samples = {0: 1, 2: 3, 4: 2, 6: 4}[kind]
    assert step == 3 and [picture[i][0] for i in (1, 2, 3)] == [5, 7, samples]
    png = io.BytesIO(picture[4][0])
    assert png.read(8) == b"\x89PNG\r\n\x1a\n"
    chunks = {}
    while head := png.read(8):
        size, name = struct.unpack(">I4s", head)
        chunks[name] = png.read(size)
        assert struct.unpack(">I", png.read(4))[0] == zlib.crc32(name + chunks[name])
    assert struct.unpack(">IIBB", chunks[b"IHDR"][:10]) == (7, 5, 8, kind)
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(5, -1)
    expected = pixels.transpose(1, 2, 0) if layout is None and pixels.ndim == 3 else pixels
    assert (rows[:, 0] == 0).all() and (rows[:, 1:].ravel() == expected.ravel()).all()


def test_batches_of_pictures_are_a_grid(tmp_path: Path) -> None:
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_image("x", mx.nd.ones((5, 3, 4, 6)))
        writer.add_image("y", np.ones((2, 4, 6, 1)), layout="NHWC")
    sizes = [[fields(value[4][0])[i][0] for i in (1, 2, 3)] for _, _, value in values(writer.path)]
    assert sizes == [[9, 20, 3], [4, 13, 1]]


@pytest.mark.parametrize("count", [1000, 3, 1, 0])
def test_histograms(tmp_path: Path, count: int) -> None:
    given = np.random.default_rng(2).normal(size=count).astype("float32")
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_histogram("w", mx.nd.array(given).reshape((-1, 1)) if count else given, 7, bins=12)
    ((_, step, value),) = values(writer.path)
    found = fields(value[5][0])
    limits, counts = (np.frombuffer(found[i][0], "<f8") for i in (6, 7))
    exact = given.astype("float64")
    assert step == 7 and found[3] == [count] and counts.sum() == count and len(limits) == len(counts)
    assert np.allclose([found[4][0], found[5][0]], [exact.sum(), (exact**2).sum()])
    if count > 1:
        assert found[1] == [exact.min()] and found[2] == [exact.max()] and len(limits) == 12
        assert (np.diff(limits) > 0).all() and np.isclose(limits[-1], exact.max())
        below = [(exact <= limit).sum() for limit in limits]
        assert np.abs(np.cumsum(counts) - below).max() <= 1


def nodes(path: Path) -> dict[str, dict[int, list[Any]]]:
    (graph,) = (fields(event[4][0]) for event in events(path) if 4 in event)
    return {node[1][0].decode(): node for node in map(fields, graph[1])}


def test_graphs_of_blocks_are_grouped(tmp_path: Path) -> None:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.Dense(2, activation="relu"))
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_graph(net, mx.nd.ones((1, 1, 8, 8)))
    found = nodes(writer.path)
    layer = found["net/dense0/fwd"]
    assert layer[2] == [b"FullyConnected"]
    assert layer[3] == [b"net/conv0/fwd", b"net/dense0/weight", b"net/dense0/bias"]
    assert found["data"][2] == [b"Variable"]
    attributes = {fields(one)[1][0]: fields(fields(one)[2][0]) for one in layer[5]}
    assert attributes[b"num_hidden"][2] == [b"2"]
    shape = fields(fields(attributes[b"_output_shapes"][1][0])[7][0])
    assert [fields(extent)[1][0] for extent in shape[2]] == [1, 2]
    assert all(one.split(b":")[0].decode() in found for node in found.values() for one in node.get(3, []))


def test_graphs_of_symbols(tmp_path: Path) -> None:
    halves = mx.sym.split(mx.sym.var("x"), num_outputs=2, name="halves")
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_graph(halves[1] + halves[0], shapes={"x": (2, 4)})
    found = nodes(writer.path)
    (total,) = (node for name, node in found.items() if name not in ("x", "halves"))
    assert sorted(total[3]) == [b"halves", b"halves:1"]


def test_refusals(tmp_path: Path) -> None:
    writer = mx.summary.Writer(tmp_path)
    with pytest.raises(ValueError, match="2 of 3 values of 'w' are not finite"):
        writer.add_histogram("w", np.array([1, np.nan, np.inf]))
    with pytest.raises(ValueError, match="bins"):
        writer.add_histogram("w", np.ones(3), bins=0)
    with pytest.raises(ValueError, match="layout"):
        writer.add_image("x", np.ones((2, 3)), layout="CHW")
    with pytest.raises(ValueError, match="1 to 4 channels"):
        writer.add_image("x", np.ones((5, 3, 3)))
    with pytest.raises(TypeError, match="int64"):
        writer.add_image("x", np.ones((3, 3), "int64"))
    with pytest.raises(TypeError, match="expected a Symbol or a HybridBlock"):
        writer.add_graph(nn.Sequential())
    with pytest.raises(TypeError, match="needs its inputs"):
        writer.add_graph(nn.Dense(1))
    with pytest.raises(TypeError, match="expected a name"):
        writer.add_scalar("", 1)
    writer.close()
    writer.close()
    with pytest.raises(ValueError, match="is closed"):
        writer.add_scalar("x", 1)
    assert len(events(writer.path)) == 1


def test_the_name_that_others_use_is_answered() -> None:
    with pytest.raises(AttributeError, match=r"it is mx\.summary\.Writer"):
        _ = mx.summary.SummaryWriter


def test_threads_write_whole_records_and_programs_end_with_all_of_them(tmp_path: Path) -> None:
    with mx.summary.Writer(tmp_path / "a", flush_secs=0) as writer:
        threads = [
            threading.Thread(target=lambda: [writer.add_scalar("x", i, i) for i in range(50)])
            for _ in range(4)
        ]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
    assert len(values(writer.path)) == 200
    program = f"import mixgrad as mx; w = mx.summary.Writer({str(tmp_path / 'b')!r}); w.add_scalar('x', 1)"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
    (file,) = (tmp_path / "b").iterdir()
    assert len(values(file)) == 1


WRONG: list[tuple[str, Any, tuple[Any, ...], dict[str, Any]]] = [
    ("expected a whole number of 64 bits", "add_scalar", ("a", 1, 1 << 70), {}),
    ("expected a whole number of 64 bits", "add_scalar", ("a", 1, "x"), {}),
    ("expected seconds since 1970", "add_scalar", ("a", 1), {"wall_time": "x"}),
    ("cannot be written as UTF-8", "add_scalar", ("\ud800", 1), {}),
    ("expected a whole number from 1", "add_histogram", ("a", [1, 2]), {"bins": 1 << 40}),
    ("expected a whole number from 1", "add_histogram", ("a", [1, 2]), {"bins": "x"}),
    ("expected 'CHW'", "add_image", ("a", [1.0, 2.0]), {}),
    ("expected 'CHW'", "add_image", ("a", np.ones((3, 4, 4))), {"layout": 5}),
]


@pytest.mark.parametrize("place", range(len(WRONG)))
def test_arguments(tmp_path: Path, place: int) -> None:
    text, name, words, more = WRONG[place]
    with mx.summary.Writer(tmp_path) as writer:
        size = writer.path.stat().st_size
        with pytest.raises((ValueError, TypeError), match=text):
            getattr(writer, name)(*words, **more)
        writer.flush()
        assert writer.path.stat().st_size == size


def test_arguments_of_writers(tmp_path: Path) -> None:
    wrong: Any
    for wrong in ("/../x", None):
        with pytest.raises(ValueError, match="expected text without"):
            mx.summary.Writer(tmp_path, filename_suffix=wrong)
    wrong = "often"
    with pytest.raises(TypeError, match="expected a number"):
        mx.summary.Writer(tmp_path, flush_secs=wrong)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("error")
def test_values_that_are_huge(tmp_path: Path) -> None:
    with mx.summary.Writer(tmp_path) as writer:
        writer.add_histogram("wide", np.array([1e308, -1e308, 0.0]), bins=2)
        writer.add_histogram("far", np.array([1e200]))
        writer.add_image("bright", np.full((3, 4, 4), 1e300))
    assert [tag for tag, *_ in values(writer.path)] == ["wide", "far", "bright"]
    size = writer.path.stat().st_size
    writer.flush()  # which a closed writer does not need
    assert writer.path.stat().st_size == size
