"""mixgrad im2rec: lists and record files against real MXNet's, archives, damage, runs that are killed."""

from __future__ import annotations

import bz2
import io
import json
import lzma
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.command import main

Image = pytest.importorskip("PIL.Image")

DATA = Path(__file__).parents[2] / "data" / "im2rec"
PICTURES, GOLDEN = DATA / "pictures", DATA / "golden"
ROOT = Path(__file__).parents[3]


def run(*words: Any) -> int:
    return main(["im2rec", *(str(word) for word in words)])


def records(path: Path) -> dict[int, tuple[Any, bytes]]:
    with mx.recordio.MXIndexedRecordIO(path.with_suffix(".idx"), path, "r") as file:
        return {key: mx.recordio.unpack(file.read_idx(key)) for key in file.keys}


def pixels(content: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(content))).astype(int)


def folder_of(path: Path, count: int, side: int = 16) -> Path:
    """Pictures that differ, in two folders."""
    random = np.random.RandomState(count)
    for number in range(count):
        folder = path / "ab"[number % 2]
        folder.mkdir(parents=True, exist_ok=True)
        array = random.randint(0, 256, (side + number % 3, side, 3), dtype=np.uint8)
        Image.fromarray(array).save(folder / f"{number:04d}.png")
    return path


@pytest.mark.parametrize(
    "prefix, options",
    [
        ("all", ["--recursive"]),
        ("flat", ["--exts", ".jpg", ".txt", "--"]),
        ("parts", ["--recursive", "--chunks", "2", "--train-ratio", "0.5", "--test-ratio", "0.25"]),
        ("two", ["--recursive", "--no-shuffle", "--train-ratio", "0.6"]),
        ("named", ["--recursive", "--no-shuffle"]),
    ],
)
def test_lists_are_those_of_mxnet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], prefix: str, options: list[str]
) -> None:
    assert run("--list", *options, tmp_path / prefix, PICTURES) == 0
    wanted = {path.name: path.read_bytes() for path in GOLDEN.glob(f"{prefix}*.lst")}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == wanted
    if prefix == "named":  # the classes on standard output, too
        assert capsys.readouterr().out == (GOLDEN / "classes.txt").read_text()


@pytest.mark.parametrize("processes", [1, 3])
@pytest.mark.parametrize("name, options", [("named", []), ("labels", ["--pack-label"])])
def test_files_passed_through_are_packed_as_by_mxnet(
    tmp_path: Path, name: str, options: list[str], processes: int
) -> None:
    shutil.copy(GOLDEN / f"{name}.lst", tmp_path)
    assert run("--pass-through", *options, "--num-thread", processes, tmp_path / name, PICTURES) == 0
    for ending in (".rec", ".idx"):
        assert (tmp_path / name).with_suffix(ending).read_bytes() == (GOLDEN / f"{name}{ending}").read_bytes()
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    "name, options",
    [("resized", ["--resize", "24"]), ("cropped", ["--center-crop", "--resize", "20", "--quality", "80"])],
)
def test_pictures_are_prepared_as_by_mxnet(tmp_path: Path, name: str, options: list[str]) -> None:
    shutil.copy(GOLDEN / f"{name}.lst", tmp_path)
    assert run(*options, tmp_path / name, PICTURES) == 0
    ours, theirs = records(tmp_path / f"{name}.rec"), records(GOLDEN / f"{name}.rec")
    assert ours.keys() == theirs.keys() == set(range(8))
    for key, (header, content) in ours.items():
        assert header == theirs[key][0]
        mine, real = pixels(content), pixels(theirs[key][1])
        # The same numbers go into the encoder; libraries of other versions may make others of them.
        assert mine.shape == real.shape and np.abs(mine - real).mean() < 0.5


@pytest.mark.parametrize(
    "options, mode",
    [
        (["--color", "1"], {"RGB"}),
        (["--color", "0"], {"L"}),
        (["--color", "-1", "--encoding", ".png", "--quality", "3"], {"L", "RGB", "RGBA"}),
    ],
)
def test_colors_and_encodings(tmp_path: Path, options: list[str], mode: set[str]) -> None:
    assert run(*options, "--recursive", "--no-shuffle", tmp_path / "x", PICTURES) == 0
    images = [Image.open(io.BytesIO(content)) for _, content in records(tmp_path / "x.rec").values()]
    assert {image.mode for image in images} == mode
    if ".png" in options:
        assert {image.format for image in images} == {"PNG"}
        with Image.open(PICTURES / "bee" / "see-through.png") as given:
            assert np.array_equal(np.asarray(images[4]), np.asarray(given))


def test_16_bits_become_8(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    values = np.arange(64, dtype=np.uint16).reshape(8, 8) * 1000
    Image.fromarray(values).save(tmp_path / "in" / "deep.png")
    assert run("--encoding", ".png", "--quality", 1, tmp_path / "x", tmp_path / "in") == 0
    ((_, content),) = records(tmp_path / "x.rec").values()
    assert np.array_equal(pixels(content), np.repeat((values >> 8)[:, :, None], 3, 2))


def test_processes_change_nothing(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "in", 100)
    answers = []
    for processes in (1, 3):
        assert run("--recursive", "--num-thread", processes, tmp_path / f"x{processes}", root) == 0
        answers.append(
            [
                (tmp_path / f"x{processes}").with_suffix(ending).read_bytes()
                for ending in (".rec", ".idx", ".lst")
            ]
        )
    assert answers[0] == answers[1]
    assert len(records(tmp_path / "x3.rec")) == 100


def test_damaged_pictures_are_named_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 6)
    (root / "a" / "0000.png").write_bytes(b"no picture")
    content = (root / "b" / "0003.png").read_bytes()
    (root / "b" / "0003.png").write_bytes(content[: len(content) // 2])
    (root / "b" / "0005.png").write_bytes(b"")
    assert run("--list", "--recursive", "--no-shuffle", tmp_path / "x", root) == 0
    with open(tmp_path / "x.lst", "a") as file:
        file.write("6\t0.0\tgone.png\nseven\t0\tx.png\n8\tcat\tx.png\n9\n-1\t0\tx.png\n")
    capsys.readouterr()
    assert run("--json", tmp_path / "x", root) == 0
    out, err = capsys.readouterr()
    (answer,) = json.loads(out)
    assert answer["records"] == 3 and answer["bytes"] == (tmp_path / "x.rec").stat().st_size
    reasons = {one["name"]: one["reason"] for one in answer["damaged"]}
    assert list(reasons) == [
        "a/0000.png",
        "b/0003.png",
        "b/0005.png",
        "gone.png",
        *(f"line {n}" for n in range(8, 12)),
    ]
    assert "no picture of a known format" in reasons["a/0000.png"]
    assert "No such file" in reasons["gone.png"] and "'cat' is not a number" in reasons["line 9"]
    assert err.count("left out") == 8
    assert sorted(records(tmp_path / "x.rec")) == [1, 2, 3]

    assert run("--damaged", "stop", tmp_path / "x", root) == 1
    assert "[im2rec] 'a/0000.png' of" in capsys.readouterr().err
    assert run("--pass-through", "--verify", "--json", tmp_path / "x", root) == 0
    assert json.loads(capsys.readouterr().out)[0]["records"] == 3
    assert run("--pass-through", "--json", tmp_path / "x", root) == 0
    assert json.loads(capsys.readouterr().out)[0]["records"] == 6  # nobody looked into them


def test_bombs_are_refused_by_their_headers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 2)
    assert run("--recursive", "--most-pixels", 270, "--json", tmp_path / "x", root) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["records"] == 1 and "16 x 17 pixels; expected at most 270" in answer["damaged"][0]["reason"]


@pytest.mark.parametrize(
    "words, message",
    [
        (["--list", "x", "nowhere"], "the root is 'nowhere'; expected one folder"),
        (["--list", "x", "in", "--exts", ".gif"], "has no file that ends in .gif"),
        (["--list", "--train-ratio", "0.8", "--test-ratio", "0.3", "x", "in"], "--train-ratio is 0.8"),
        (["--recursive", "--quality", "0", "x", "in"], "--quality is 0; expected 1 to 100"),
        (["x", "bad.tar"], "'bad.tar' is no tar file"),
        (["x", "none.tar"], "cannot read 'none.tar': No such file"),
        (["nowhere/x", "in"], "there is no folder"),
    ],
)
def test_bad_arguments(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    folder_of(tmp_path / "in", 2)
    (tmp_path / "bad.tar").write_bytes(b"x" * 2000)
    assert run(*words) == 1
    assert message in capsys.readouterr().err
    assert {path.name for path in tmp_path.iterdir()} == {"in", "bad.tar"}


def test_names_that_a_list_cannot_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 2)
    (root / "a" / "0000.png").rename(root / "a" / "a\tb.png")
    assert run("--list", "--recursive", tmp_path / "x", root) == 1
    assert r"a\tb.png" in capsys.readouterr().err
    (root / "a" / "a\tb.png").rename(root / "a" / "ä ö.png")
    assert run("--recursive", tmp_path / "x", root) == 0
    assert len(records(tmp_path / "x.rec")) == 2


def test_links_in_a_circle_are_followed_once(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "in", 4)
    (root / "a" / "up").symlink_to(root)
    (root / "c").symlink_to(root / "b")
    assert run("--list", "--recursive", "--no-shuffle", tmp_path / "x", root) == 0
    names = [line.split("\t")[2] for line in (tmp_path / "x.lst").read_text().splitlines()]
    assert names == [
        f"{folder}/000{n}.png"
        for folder, numbers in (("a", (0, 2)), ("b", (1, 3)), ("c", (1, 3)))
        for n in numbers
    ]


def _tar(path: Path, members: list[tuple[str, bytes]]) -> Path:
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as file:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            file.addfile(info, io.BytesIO(content))
    return path


def test_tar_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 40)
    members: list[tuple[str, bytes]] = []
    for number in range(40):
        content = (root / "ab"[number % 2] / f"{number:04d}.png").read_bytes()
        label = ("cls", b"%d" % number) if number % 3 else ("json", b'{"label": [%d, 7]}' % number)
        members += [(f"d/{number:04d}.png", content), (f"d/{number:04d}.{label[0]}", label[1])]
    members += [("d/x1.png", content), ("d/x2.cls", b"1"), ("d/x3.png", b"no"), ("d/x3.cls", b"1")]
    members += [("d/x4.png", content), ("d/x4.json", b"{}"), ("d/x5.png", content), ("d/x5.cls", b"")]
    plain, packed = (_tar(tmp_path / name, members) for name in ("x.tar", "y.tar.gz"))
    for prefix, path in (("p", plain), ("q", packed)):
        assert run("--pack-label", "--encoding", ".png", "--json", tmp_path / prefix, path) == 0
        (answer,) = json.loads(capsys.readouterr().out)
        assert answer["records"] == 40 and len(answer["damaged"]) == 5
    for ending in (".rec", ".idx", ".lst"):
        assert (tmp_path / f"p{ending}").read_bytes() == (tmp_path / f"q{ending}").read_bytes()
    found = records(tmp_path / "p.rec")
    assert list(found) == list(range(40))
    assert found[6][0].label.tolist() == [6, 7] and found[7][0].label == 7
    with Image.open(root / "b" / "0007.png") as given:
        assert np.array_equal(pixels(found[7][1]), np.asarray(given))
    lines = (tmp_path / "p.lst").read_text().splitlines()
    assert lines[6:8] == ["6\t6.000000\t7.000000\td/0006.png", "7\t7.000000\td/0007.png"]

    for ending, packed_by in ((".tar.bz2", bz2.compress), (".tar.xz", lzma.compress)):
        (tmp_path / f"z{ending}").write_bytes(packed_by(plain.read_bytes()))
        assert run("--pack-label", "--encoding", ".png", tmp_path / "r", tmp_path / f"z{ending}") == 0
        assert (tmp_path / "r.rec").read_bytes() == (tmp_path / "p.rec").read_bytes()
    capsys.readouterr()

    packed.write_bytes(b"\x1f\x8b\x08\x04\0\0\0\0\0\3\xff")  # ends within its header
    assert run(tmp_path / "h", packed) == 1
    assert "y.tar.gz' is no tar file" in capsys.readouterr().err
    cut = tmp_path / "cut.tar"
    cut.write_bytes(plain.read_bytes()[: plain.stat().st_size // 2])
    assert run("--json", tmp_path / "c", cut) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert 0 < answer["records"] < 40 and "cut.tar" in str(answer["damaged"][-1])


def test_parquet_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    root = folder_of(tmp_path / "in", 30)
    rows: list[dict[str, Any]] = [
        {
            "image": {"bytes": (root / "ab"[n % 2] / f"{n:04d}.png").read_bytes(), "path": f"{n}.png"},
            "label": n,
        }
        for n in range(30)
    ]
    rows[4]["label"], rows[5]["image"]["bytes"] = None, None
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "x.parquet", row_group_size=9)
    assert run("--encoding", ".png", "--json", tmp_path / "x", tmp_path / "x.parquet") == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert answer["records"] == 28 and [one["name"] for one in answer["damaged"]] == ["4.png", "5.png"]
    found = records(tmp_path / "x.rec")
    assert {key: header.label for key, (header, _) in found.items()} == {
        n: n for n in range(30) if n not in (4, 5)
    }
    parquet.write_table(arrow.table({"a": [b"x"], "b": [b"y"], "y": [1]}), tmp_path / "y.parquet")
    assert run(tmp_path / "y", tmp_path / "y.parquet", "--label-key", "y") == 1
    assert "2 columns of bytes; --image-column names" in capsys.readouterr().err


def _start(words: list[Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "mixgrad", "im2rec", *(str(word) for word in words)],
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.mark.parametrize("processes", [1, 2])
def test_a_killed_run_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], processes: int) -> None:
    """Killed once its journal says that something is packed; no record is lost or there twice."""
    root = folder_of(tmp_path / "in", 160, side=60)
    assert run("--recursive", "--num-thread", 1, "--resize", 200, tmp_path / "whole", root) == 0
    shutil.copy(tmp_path / "whole.lst", tmp_path / "x.lst")
    words = ["--num-thread", processes, "--resize", 200, tmp_path / "x", root]
    journal = tmp_path / "x.rec.journal"
    process = _start(words)
    try:
        until = time.monotonic() + 120
        while not (journal.exists() and b'"taken"' in journal.read_bytes()):
            assert process.poll() is None and time.monotonic() < until
            time.sleep(0.005)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert not (tmp_path / "x.rec").exists()
    with open(tmp_path / "x.rec.partial", "ab") as file:
        file.write(b"half a record")  # as of a run that ended between two writes
    capsys.readouterr()
    assert run(*words) == 0
    assert "going on behind" in capsys.readouterr().err
    for ending in (".rec", ".idx"):
        assert (tmp_path / f"x{ending}").read_bytes() == (tmp_path / f"whole{ending}").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {
        "in", *(f"{name}.{ending}" for name in ("whole", "x") for ending in ("rec", "idx", "lst"))
    }  # fmt: skip


def test_other_options_do_not_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 40)
    (root / "z.png").write_bytes(b"no picture")
    assert run("--list", "--recursive", "--no-shuffle", tmp_path / "x", root) == 0
    lines = (tmp_path / "x.lst").read_text().splitlines(keepends=True)
    (tmp_path / "x.lst").write_text("".join(lines[1:] + lines[:1]))  # the damaged one last
    assert run("--damaged", "stop", tmp_path / "x", root) == 1
    assert (tmp_path / "x.rec.journal").exists() and not (tmp_path / "x.rec").exists()
    Image.new("RGB", (9, 9)).save(root / "z.png")
    capsys.readouterr()
    assert run("--damaged", "stop", "--resize", 8, tmp_path / "x", root) == 0
    assert "other options or pictures; packing from the start" in capsys.readouterr().err
    assert len(records(tmp_path / "x.rec")) == 41


def test_an_empty_list_makes_an_empty_file(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "in", 3)
    assert run("--recursive", "--train-ratio", "0.9", "--test-ratio", "0.1", tmp_path / "x", root) == 0
    assert (tmp_path / "x_test.rec").read_bytes() == (tmp_path / "x_test.idx").read_bytes() == b""
    assert len(records(tmp_path / "x_train.rec")) == 2
    _tar(tmp_path / "none.tar", [])
    assert run(tmp_path / "y", tmp_path / "none.tar") == 1


def test_a_file_that_cannot_appear(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = folder_of(tmp_path / "in", 3)
    (tmp_path / "x.rec").mkdir()
    assert run("--recursive", tmp_path / "x", root) == 1
    assert "[im2rec] cannot make" in capsys.readouterr().err
    (tmp_path / "x.rec").rmdir()
    assert run("--recursive", tmp_path / "x", root) == 0
    assert "an earlier run has packed it" in capsys.readouterr().err
    assert len(records(tmp_path / "x.rec")) == 3


def test_two_runs_at_once_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import fcntl

    root = folder_of(tmp_path / "in", 2)
    with open(tmp_path / "x.rec.journal", "wb") as journal:
        fcntl.flock(journal, fcntl.LOCK_EX)
        assert run("--recursive", tmp_path / "x", root) == 1
    assert "another run is packing" in capsys.readouterr().err
    assert run("--recursive", tmp_path / "x", root) == 0


def test_lines_where_there_is_no_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from mixgrad.command.console import Pace, Progress

    progress, pace = Progress("x.rec", 0.0), Pace("pictures", 10)
    progress.at(pace.share(5), pace.note(5, seconds=2))
    progress.end()
    assert capsys.readouterr().err == "x.rec: 50% 5 of 10, 2.5 pictures/s, 2 s left\n"
    assert Pace("pictures").note(1200, seconds=1) == "1,200, 1,200 pictures/s"


def test_the_tool_is_the_command(tmp_path: Path) -> None:
    tool = ROOT / "tools" / "im2rec.py"
    words = [
        sys.executable,
        str(tool),
        "--list",
        "--recursive",
        "--no-shuffle",
        str(tmp_path / "named"),
        str(PICTURES),
    ]
    run_ = subprocess.run(words, capture_output=True, text=True, check=True)
    assert run_.stdout == (GOLDEN / "classes.txt").read_text()
    assert (tmp_path / "named.lst").read_bytes() == (GOLDEN / "named.lst").read_bytes()


def test_more_processes_than_a_machine_has(capsys):
    with pytest.raises(SystemExit):
        main(["im2rec", "--num-thread", "9" * 20, "prefix", "root"])
    assert "at least 1 and at most 1024" in capsys.readouterr().err


def test_a_prefix_that_names_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for prefix, reason in (("", "it is empty; expected the start"), ("/", "'/' names no file")):
        with pytest.raises(SystemExit):
            run(prefix, folder_of(tmp_path / "p", 2), "--list", "--recursive")
        assert f"argument prefix: {reason}" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.lst"))


def test_keys_that_occur_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of(tmp_path / "p", 4)
    lines = [f"{key}\t0\tab\n" for key in (3, 5, 9, 5, 3)]
    (tmp_path / "x.lst").write_text("".join(lines))
    assert run(tmp_path / "x", folder, "--pass-through") == 1
    wrong = "has the key 5 in line 4, as in line 2, and 1 more such lines; expected each key once"
    assert wrong in capsys.readouterr().err
    assert not list(tmp_path.glob("x.rec*"))
