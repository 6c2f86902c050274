"""mixgrad data: what it says of files, whole and damaged, and its sheets of pictures."""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.command import main
from mixgrad.command.data.report import Picture
from mixgrad.command.data.sheet import terminal_lines
from mixgrad.command.data.thumbnails import decoded, from_array

Image = pytest.importorskip("PIL.Image")


def told(path: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> dict[str, Any]:
    """What JSON says of a file."""
    capsys.readouterr()
    assert main(["data", str(path), "--json", *words]) == code
    out = capsys.readouterr().out
    answer: dict[str, Any] = json.loads(out)
    return answer


def picture(number: int, form: str = "JPEG") -> bytes:
    out = io.BytesIO()
    color = (number * 37 % 256, number * 91 % 256, 255 - number % 256)
    Image.new("RGB", (20 + number % 3, 30), color).save(out, form)
    return out.getvalue()


def record_file(path: Path, count: int = 60, form: str = "JPEG") -> Path:
    with mx.recordio.MXIndexedRecordIO(path.with_suffix(".idx"), path, "w") as file:
        for number in range(count):
            label: Any = [number % 4, 9.5] if number % 2 else float(number % 4)
            header = mx.recordio.IRHeader(0, label, number, 0)
            file.write_idx(number, mx.recordio.pack(header, picture(number, form)))
    return path


def idx_file(path: Path, array: np.ndarray) -> Path:
    head = bytes([0, 0, 8, array.ndim]) + b"".join(struct.pack(">I", extent) for extent in array.shape)
    path.write_bytes(head + array.astype(np.uint8).tobytes())
    return path


@pytest.mark.parametrize("with_index", [True, False])
@pytest.mark.parametrize("check", [True, False])
def test_records(tmp_path: Path, capsys: pytest.CaptureFixture[str], with_index: bool, check: bool) -> None:
    path = record_file(tmp_path / "x.rec")
    if not with_index:
        path.with_suffix(".idx").unlink()
    answer = told(path, capsys, *(["--check"] if check else []))
    assert answer["records"] == 60 and answer["bytes"] == path.stat().st_size
    assert answer["labels"]["counts"] == {"0": 15, "1": 15, "2": 15, "3": 15}
    assert answer["width"] == {"least": 20, "median": 21, "most": 22} and answer["height"]["most"] == 30
    assert answer["labels of a record"] == {"least": 1, "median": 1.5, "most": 2}
    assert answer["pictures (all)" if check else "pictures (60 sampled)"] == "60 JPEG"
    assert answer["damaged"] == 0 and ("index" in answer) == with_index


def test_what_people_see_of_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record_file(tmp_path / "x.rec")
    (tmp_path / "names.txt").write_text("ant\nbee\n")
    assert main(["data", str(path), "--labels", str(tmp_path / "names.txt")]) == 0
    out = capsys.readouterr().out
    assert "records                60\n" in out and "labels (all): 4 classes, 15 each" in out
    assert re.search(r"\n  0 ant  #{40}  15   25.0%\n  1 bee  #{40}  15   25.0%\n  2      #", out)


def test_damaged_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record_file(tmp_path / "x.rec")
    with mx.recordio.MXIndexedRecordIO(path.with_suffix(".idx"), path, "r") as file:
        offsets = [file.idx[key] for key in file.keys]
    content = bytearray(path.read_bytes())
    content[offsets[10]] ^= 1  # the magic word
    content[offsets[20] + 8 + 24 + 8 : offsets[21] - 8] = bytes(offsets[21] - offsets[20] - 48)  # a picture
    path.write_bytes(content)
    answer = told(path, capsys, code=1)
    assert answer["damaged"] == 2
    assert f"no record begins at byte {offsets[10]:,}" in answer["damage"]
    assert any(f"the picture at byte {offsets[20]:,} is damaged" in text for text in answer["damage"])
    assert main(["data", str(path)]) == 1
    assert re.search(
        r"mixgrad: \[data\] '.*x.rec': 2 places are damaged; the first: ", capsys.readouterr().err
    )

    path.with_suffix(".idx").unlink()  # now the headers are walked over
    answer = told(path, capsys, code=1)  # a record with no header behind it is not believed either
    assert answer["records"] == 58 and "bytes in 1 places are no records" in answer["damage"][0]

    whole = record_file(tmp_path / "y.rec")
    whole.write_bytes(whole.read_bytes()[: offsets[40] + 30])
    answer = told(whole, capsys, code=1)
    assert answer["records"] == 41 and answer["damaged"] >= 20
    assert "names 19 records behind the end of the file" in answer["damage"][0]


def test_an_index_of_another_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = record_file(tmp_path / "x.rec")
    lines = path.with_suffix(".idx").read_text().splitlines(keepends=True)
    path.with_suffix(".idx").write_text("".join(lines[:50]) + "fifty\n")
    answer = told(path, capsys, "--check", code=1)
    assert answer["records"] == 60
    assert "line 51" in answer["damage"][0] and "10 of the file are not among them" in answer["damage"][1]


def test_records_without_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mx.recordio.MXRecordIO(tmp_path / "x.rec", "w") as file:
        for number in range(9):
            file.write(b"word" * number)
    answer = told(tmp_path / "x.rec", capsys)
    assert answer["records"] == 9 and answer["pictures (9 sampled)"] == "none" and answer["damaged"] == 0


def test_many_classes_and_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.lst").write_text("".join(f"{n}\t{n % 100}\tp{n}.jpg\n" for n in range(1000)))
    assert main(["data", str(tmp_path / "x.lst")]) == 0
    out = capsys.readouterr().out
    assert "100 classes, 10 each" in out and "... 80 more ..." in out
    (tmp_path / "y.lst").write_text("".join(f"{n}\t{n / 7}\tp.jpg\n" for n in range(70)) + "0\tnan\tp.jpg\n")
    assert main(["data", str(tmp_path / "y.lst")]) == 0
    out = capsys.readouterr().out
    assert "71 different ones, 1 of them NaN or infinite" in out and "0 to 0.985714" in out
    assert "keys that occur again  1" in out


def test_damaged_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.lst").write_text("0\t1\ta.jpg\nx\t1\ta.jpg\n2 1 a.jpg\n3\tcat\ta.jpg\n")
    answer = told(tmp_path / "x.lst", capsys, code=1)
    assert answer["lines"] == 4 and answer["damaged"] == 3 and answer["labels"]["counts"] == {"1": 1}
    assert "the line at byte 10" in answer["damage"][0]


def test_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.csv").write_text("a,b\n1,2\n\n3,-4.5\n5,6")
    answer = told(tmp_path / "x.csv", capsys)
    assert (answer["lines"], answer["columns"], answer["names"]) == (4, 2, "a, b")
    assert answer["column 1"] == "-4.5 to 6, mean 1.16667"
    (tmp_path / "y.csv").write_text("1,2\n3\n4,x\n5,6\n")
    answer = told(tmp_path / "y.csv", capsys, code=1)
    assert answer["damaged"] == 2 and "1 numbers; expected 2" in answer["damage"][0]
    (tmp_path / "z").write_text("1 0:0.5 7:2\n0\n1 3:1 # note\n")
    answer = told(tmp_path / "z", capsys)
    assert (answer["kind"], answer["greatest index"]) == ("LibSVM", 7)
    assert answer["labels"]["counts"] == {"0": 1, "1": 2}
    (tmp_path / "z").write_text("1 0:0.5 7:2\n0 3\n")
    assert told(tmp_path / "z", capsys, code=1)["damaged"] == 1


def test_large_tables_are_sampled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from mixgrad.command.data import tables

    monkeypatch.setattr(tables, "_PIECE", 1 << 10)
    (tmp_path / "x.csv").write_text("".join(f"{n},1\n" for n in range(50_000)))
    answer = told(tmp_path / "x.csv", capsys)
    assert answer["lines"] == 50_000 and answer["damaged"] == 0
    looked = int(answer["looked at"].partition(" of ")[0].replace(",", ""))
    assert 3_000 < looked < 10_000
    assert "looked at" not in told(tmp_path / "x.csv", capsys, "--check")


def test_idx_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    images = np.random.RandomState(1).randint(0, 256, (20, 9, 8))
    path = idx_file(tmp_path / "train-images-idx3-ubyte", images)
    labels = idx_file(tmp_path / "train-labels-idx1-ubyte", np.arange(20) % 3)
    assert told(path, capsys, "--sheet", str(tmp_path / "x.png"))["shape"] == [20, 9, 8]
    assert told(labels, capsys)["labels"]["counts"] == {"0": 7, "1": 7, "2": 6}
    packed = tmp_path / "labels-idx1-ubyte.gz"
    packed.write_bytes(gzip.compress(labels.read_bytes()))
    assert told(packed, capsys)["labels"]["counts"] == {"0": 7, "1": 7, "2": 6}
    (tmp_path / "none-ubyte").write_bytes(bytes([0, 0, 8, 3, *bytes(4), *b"\xff" * 8]))
    assert told(tmp_path / "none-ubyte", capsys)["shape"] == [0, 2**32 - 1, 2**32 - 1]
    path.write_bytes(path.read_bytes()[:-100])
    answer = told(path, capsys, code=1)
    assert answer["examples that are whole"] == 18 and "needs 1,440 bytes" in answer["damage"][0]


def test_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "x.npz", x=np.zeros((5, 8, 9, 3), np.uint8), y=np.arange(5), z=np.array([1, np.nan]))
    answer = told(tmp_path / "x.npz", capsys, "--sheet", str(tmp_path / "x.png"))
    assert (
        answer["arrays"] == 3 and answer["pictures"] == "array 'x'" and len(answer["labels"]["counts"]) == 5
    )
    assert answer["z"] == "(2,) float64, 1 to 1, mean 1, 1 NaN or infinite"
    content = bytearray((tmp_path / "x.npz").read_bytes())
    content[content.index(b"NUMPY") + 200] ^= 255
    (tmp_path / "x.npz").write_bytes(content)
    assert told(tmp_path / "x.npz", capsys, code=1)["damaged"] == 1
    mx.nd.save(tmp_path / "x.params", {"arg:w": mx.nd.ones((2, 3)), "aux:m": mx.nd.zeros((3,))})
    answer = told(tmp_path / "x.params", capsys)
    assert answer["arg:w"] == "(2, 3) float32, 1 to 1, mean 1" and answer["numbers"] == 9


@pytest.mark.parametrize(
    "name, content, message",
    [
        ("x", b"", "is empty"),
        ("x", b"\x7fELF\2\1\1\0", "as no known kind does; expected records, a list"),
        ("x.npz", b"PK\3\4 no archive", "cannot read"),
        ("x.npy", b"\x93NUMPY\1\0", "cannot read"),
        ("x-ubyte", b"\1\2\3\4", "an idx file begins with 00 00"),
        ("x-ubyte", b"\0\0\x08\xc8" + bytes(20), "at most 32 axes"),
        ("x-ubyte", b"\0\0\x08\3" + bytes(5), "has 9 bytes; expected 16 before its elements"),
        ("x.lst", b"\n\n", "holds no lines"),
        ("x-ubyte.gz", b"\x1f\x8b\x08\0cut", "is damaged"),
    ],
)
def test_files_that_hold_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert main(["data", str(tmp_path / name)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("mixgrad: [data] ") and message in error


def test_folders_and_missing_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", str(tmp_path)]) == 1 and main(["data", str(tmp_path / "x.rec")]) == 1
    error = capsys.readouterr().err
    assert "is a folder" in error and "No such file" in error


def test_a_sheet(tmp_path: Path) -> None:
    path = record_file(tmp_path / "x.rec", 12, "PNG")
    assert main(["data", str(path), "--sheet", str(tmp_path / "x.png"), "--pictures", "8"]) == 0
    with Image.open(tmp_path / "x.png") as sheet:
        pixels = np.asarray(sheet.convert("RGB"))
    for number in (0, 1, 3, 4, 6, 7, 9, 10):  # evenly spread over 12, each enlarged with its colour
        color = (number * 37 % 256, number * 91 % 256, 255 - number % 256)
        assert np.count_nonzero((pixels == color).all(2)) >= 60 * 80
    assert main(["data", str(path), "--sheet", str(path)]) == 1
    (tmp_path / "x.lst").write_text("0\t1\ta.jpg\n")
    assert main(["data", str(tmp_path / "x.lst"), "--sheet", str(tmp_path / "y.png")]) == 1


def test_pictures_in_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "63")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    path = record_file(tmp_path / "x.rec", 5, "PNG")
    assert main(["data", str(path), "--show"]) == 0
    out = capsys.readouterr().out
    assert "\x1b[38;2;0;0;255m\x1b[48;2;0;0;255m\u2580" in out and "3: 3 9.5" in out
    plain = re.sub(r"\x1b\[[\d;]*m", "", out).splitlines()
    assert max(len(line) for line in plain[-22:]) <= 63


def test_cells_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    top = np.zeros((2, 2, 3), np.uint8)
    top[0] = (200, 100, 0)
    lines = list(terminal_lines([Picture("top", top), Picture("broken", None)], 80))
    assert len(lines) == 11 and lines[-1].split() == ["top", "broken"]
    assert "38;2;200;100;0m\x1b[48;2;200;100;0m" in lines[0] and "38;2;0;0;0m" in lines[9]
    assert "38;2;200;40;40m" in lines[0]  # the cross of what cannot be decoded
    monkeypatch.setenv("NO_COLOR", "1")
    plain = list(terminal_lines([Picture("top", top)], 80))
    assert plain[0] == "-" * 20 and "\x1b" not in "".join(plain)


def test_thumbnails(tmp_path: Path) -> None:
    out = io.BytesIO()
    Image.new("RGB", (1000, 400), (10, 200, 30)).save(out, "JPEG")
    small = decoded(out.getvalue())
    assert small.shape == (51, 128, 3) and abs(int(small[0, 0, 1]) - 200) < 3
    assert from_array(np.array([[0.5, 1.5], [np.nan, np.inf]])).tolist()[0] == [[0] * 3, [255] * 3]


@pytest.mark.parametrize("check", [True, False])
def test_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str], check: bool) -> None:
    path = tmp_path / "corpus.tokens"
    with mx.io.TokenWriter(path, "uint32") as writer:
        writer.append([7, 7, 70000])
        writer.append([])
        writer.append([7, 2])
    answer = told(path, capsys, *(["--check"] if check else []))
    assert answer["kind"] == "tokens" and answer["tokens"] == 5 and answer["documents"] == 3
    assert answer["tokens of a document"] == {"least": 0, "median": 2.0, "most": 3}
    assert answer["greatest token"] == 70000 and answer["dtype"] == "uint32"
    assert answer["most frequent tokens"] == "7 (60.0%), 2 (20.0%)"
    content = bytearray(path.read_bytes())
    content[64] ^= 1
    path.write_bytes(content)
    answer = told(path, capsys, *(["--check"] if check else []), code=1 if check else 0)
    assert answer["damaged"] == int(check)
    path.write_bytes(content[:-8])
    assert main(["data", str(path)]) == 1
    assert "cut short or damaged" in capsys.readouterr().err


def test_pictures_on_a_terminal_of_ascii(tmp_path: Path) -> None:
    path = record_file(tmp_path / "x.rec", 3)
    for coding, sign in (("ascii", None), ("utf-8", "\u2580"), ("latin-1", None)):
        done = subprocess.run(
            [sys.executable, "-m", "mixgrad", "data", str(path), "--show"],
            env={**os.environ, "PYTHONIOENCODING": coding, "TERM": "xterm"},
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode(coding)
        assert (sign in text) if sign else ("\x1b[38" not in text and "***" in text), text
