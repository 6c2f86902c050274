"""What is left after damage, sources that fail or hang, and whom their errors reach."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.recordio import IRHeader, MXIndexedRecordIO, RemoteOptions, pack, pack_img

fsspec = pytest.importorskip("fsspec")
PICTURES = (2, 3, 9)  # whose pictures are damaged
HEADER = 6  # which record's header is gone; then the one before it may have lost its end


def record_file(folder: Path, count: int = 12, damaged: bool = True) -> tuple[str, str]:
    path, index = str(folder / "some.rec"), str(folder / "some.idx")
    with MXIndexedRecordIO(index, path, "w") as record:
        for i in range(count):
            noise = np.random.RandomState(i).randint(0, 255, (8, 8, 3)).astype(np.uint8)
            content = bytearray(pack_img(IRHeader(0, float(i), i, 0), noise, img_fmt=".png"))
            if damaged and i in PICTURES:
                content[-60:-56] = bytes(4)
            record.write_idx(i, bytes(content))
    if damaged:
        offset = int(Path(index).read_text().splitlines()[HEADER].split("\t")[1])
        content = bytearray(Path(path).read_bytes())
        content[offset : offset + 4] = b"none"
        Path(path).write_bytes(content)
    return path, index


def taken(batches: Any, most: int = 100) -> tuple[list[int], list[str]]:
    """Labels of all examples of an epoch, and the errors on the way."""
    labels: list[int] = []
    errors: list[str] = []
    for _ in range(most):
        try:
            batch = batches.next()
        except StopIteration:
            return labels, errors
        except mx.base.FileFormatError as error:
            errors.append(str(error))
            continue
        labels += batch.label[0].asnumpy().astype(int).tolist()[: len(batch.index) - batch.pad]
        assert np.isfinite(batch.data[0].asnumpy()).all()
    raise AssertionError("the epoch does not end")


@pytest.mark.parametrize("batch_size", [1, 4, 5, 12])
@pytest.mark.parametrize("order", ["file", "index", "chunks"])
def test_only_what_is_damaged_is_lost(tmp_path: Path, order: str, batch_size: int) -> None:
    path, index = record_file(tmp_path)
    options: dict[str, Any] = {"round_batch": False}
    if order == "index":
        options["path_imgidx"] = index
    if order == "chunks":
        options["shuffle"] = True
    batches = mx.io.ImageRecordIter(path, (3, 8, 8), batch_size, **options)
    labels, errors = taken(batches)
    # A record that may have lost its end is not given; an index tells that it has not.
    lost = {*PICTURES, HEADER} | ({HEADER - 1} if order != "index" else set())
    assert sorted(labels) == [i for i in range(12) if i not in lost]
    assert len(errors) == 4 and batches.skipped == 4
    for i in PICTURES:
        assert any(f"record {i}: PNG chunk at byte 33 is damaged" in error for error in errors)
    # As if these had been left out.
    skipping = mx.io.ImageRecordIter(path, (3, 8, 8), batch_size, damaged="skip", **options)
    with pytest.warns(UserWarning, match="read without that"):
        mx.io.image_record._told_of_damage = False
        assert taken(skipping) == (labels, [])
    batches.reset()
    assert len(taken(batches)[0]) == len(labels)


def test_raw_records_around_damage(tmp_path: Path) -> None:
    path = str(tmp_path / "raw.rec")
    with mx.recordio.MXRecordIO(path, "w") as record:
        for i in range(10):
            record.write(pack(IRHeader(0, float(i), i, 0), bytes([i]) * (9 if i in (3, 9) else 8)))
    batches = mx.io.RawRecordIter(path, (8,), 4, round_batch=False)
    labels, errors = taken(batches)
    assert labels == [0, 1, 2, 4, 5, 6, 7, 8] and len(errors) == 2
    assert "record 3: 9 bytes; expected 8" in errors[0] and "record 9" in errors[1]


def test_the_place_of_a_damaged_batch_is_before_it(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path)
    batches = mx.io.ImageRecordIter(path, (3, 8, 8), 4)
    before = batches.state_dict()
    with pytest.raises(mx.base.FileFormatError, match="record 2: PNG"):
        batches.next()
    assert batches.state_dict() == before
    with pytest.raises(mx.base.FileFormatError, match="record 3: PNG"):
        batches.next()
    again = mx.io.ImageRecordIter(path, (3, 8, 8), 4)
    again.load_state_dict(batches.state_dict())
    with pytest.raises(mx.base.FileFormatError, match="record 2: PNG"):
        again.next()
    batch = batches.next()
    assert batch.pad == 2 and batch.index.tolist()[:2] == [0, 1]


def test_of_much_damage_the_first_places_are_named(tmp_path: Path) -> None:
    path = str(tmp_path / "bad.rec")
    with mx.recordio.MXRecordIO(path, "w") as record:
        for i in range(50):
            record.write(pack(IRHeader(0, float(i), i, 0), b"no picture"))
    labels, errors = taken(mx.io.ImageRecordIter(path, (3, 8, 8), 50))
    assert labels == [] and len(errors) == 16
    assert errors[0].startswith("[image] ") and "record 0: " in errors[0]
    assert errors[-1].endswith("; 34 more of this batch are damaged")


def test_what_nobody_takes_disturbs_nobody(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path)
    batches = mx.io.ImageRecordIter(path, (3, 8, 8), 1, prefetch_buffer=4)
    first = batches.next()
    mx.nd.waitall()  # by now batches of the damaged pictures are made
    assert first.label[0].asnumpy().tolist() == [0]
    del batches
    mx.nd.waitall()


class Unsteady(fsspec.AbstractFileSystem if fsspec else object):
    """A file whose requests fail or hang where the test says so."""

    protocol = "unsteady"
    cachable = False
    content: ClassVar[bytes] = b""
    hung: ClassVar[threading.Event] = threading.Event()
    go: ClassVar[threading.Event] = threading.Event()
    failures: ClassVar[int] = 0

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        return {"name": path, "size": len(self.content), "type": "file"}

    def cat_file(self, path: str, start: int = 0, end: int = 0, **_: Any) -> bytes:
        if path.endswith("hangs.rec"):
            self.hung.set()
            self.go.wait(60)
        if path.endswith("fails.rec") and Unsteady.failures > 0:
            Unsteady.failures -= 1
            raise PermissionError("not now")
        return self.content[start:end]


@pytest.fixture
def unsteady(tmp_path: Path) -> Any:
    fsspec.register_implementation("unsteady", Unsteady, clobber=True)
    Unsteady.content = Path(record_file(tmp_path, damaged=False)[0]).read_bytes()
    Unsteady.hung, Unsteady.go, Unsteady.failures = threading.Event(), threading.Event(), 0
    yield Unsteady
    Unsteady.go.set()


def test_a_failed_read_loses_nothing(unsteady: Any) -> None:
    batches = mx.io.ImageRecordIter("unsteady://fails.rec", (3, 8, 8), 5)
    unsteady.failures = 1
    with pytest.raises(OSError, match="PermissionError: not now"):
        batches.next()
    assert batches.next().index.tolist() == [0, 1, 2, 3, 4]
    assert [batch.index.tolist() for batch in batches] == [[5, 6, 7, 8, 9], [10, 11, 0, 1, 2]]


def test_hanging_sources_leave_others_alone(unsteady: Any) -> None:
    def opened(name: str) -> Any:
        options = {"stall_seconds": 0.3, "remote": RemoteOptions(time_limit=60)}
        return mx.io.ImageRecordIter(f"unsteady://{name}.rec", (3, 8, 8), 4, **options)

    hanging = [opened("hangs") for _ in range(9)]
    for batches in hanging:
        with pytest.raises(OSError, match=r"unsteady://hangs\.rec' at 0 of \d+ bytes has given nothing"):
            batches.next()
    assert opened("fine").next().index.tolist() == [0, 1, 2, 3]
    # Neither a new epoch nor another place waits for the source.
    first, second = hanging[:2]
    state = opened("fine").state_dict()
    first.reset()
    second.load_state_dict(state)
    for batches in (first, second):
        with pytest.raises(OSError, match=r"has given nothing for 0\.3 seconds"):
            batches.next()
    unsteady.go.set()
    for batches in hanging:
        assert batches.next().index.tolist() == [0, 1, 2, 3]


INTERRUPTED = """
import os, signal, sys, threading, time
import mixgrad as mx
sys.path.insert(0, sys.argv[1])
import test_damage_and_stalls as stalls
stalls.fsspec.register_implementation("unsteady", stalls.Unsteady, clobber=True)
stalls.Unsteady.content = open(sys.argv[2], "rb").read()
remote = mx.recordio.RemoteOptions(time_limit=600)
batches = mx.io.ImageRecordIter("unsteady://hangs.rec", (3, 8, 8), 4, remote=remote)
def interrupt():
    stalls.Unsteady.hung.wait(60)
    time.sleep(0.3)  # the program waits by then, or is about to
    os.kill(os.getpid(), signal.SIGINT)
for again in (False, True):
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        batches.next()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    batches.reset()
del batches
print("ends", flush=True)
os._exit(0)  # an exit waits a moment for the read
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals of POSIX")
def test_an_interrupt_ends_the_wait_for_a_hanging_source(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path, damaged=False)
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, os.path.dirname(__file__), path],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.splitlines() == ["interrupted", "interrupted", "ends"], done.stdout + done.stderr


ENDED = """
import sys
import mixgrad as mx
sys.path.insert(0, sys.argv[1])
import test_damage_and_stalls as stalls
stalls.fsspec.register_implementation("unsteady", stalls.Unsteady, clobber=True)
stalls.Unsteady.content = open(sys.argv[2], "rb").read()
options = {"stall_seconds": 0.2, "remote": mx.recordio.RemoteOptions(time_limit=600)}
batches = mx.io.ImageRecordIter("unsteady://hangs.rec", (3, 8, 8), 4, **options)
try:
    batches.next()
except OSError as error:
    print(error, flush=True)
"""


def test_an_exit_does_not_wait_for_a_hanging_source(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path, damaged=False)
    command = [sys.executable, "-c", ENDED, os.path.dirname(__file__), path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None and program.stderr is not None
        assert "has given nothing for 0.2 seconds" in program.stdout.readline()
        began = time.monotonic()
        said = program.stderr.read()
        assert program.wait(timeout=60) == 0
        took = time.monotonic() - began
    assert re.search(r"UserWarning: \[exit\] .*'unsteady://hangs\.rec' at 0, which is still being read", said)
    assert 1 < took < 8, said  # 1.5 seconds, on a machine that has other work; it was 10
