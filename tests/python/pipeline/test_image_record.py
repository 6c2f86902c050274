"""Iterators over record files: MXNet's batches, epochs, seeds, threads, positions, damage, boxes, rows."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "tests/data/pictures"
_spec = importlib.util.spec_from_file_location("picture_cases", DATA / "cases.py")
assert _spec and _spec.loader
cases = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(cases)
DIGESTS = json.loads((DATA / "answers.json").read_text())
RANDOM = {
    "data_shape": (3, 30, 32),
    "rand_crop": True,
    "rand_mirror": True,
    "resize": 40,
    "max_rotate_angle": 10,
    "max_shear_ratio": 0.1,
    "max_aspect_ratio": 0.2,
    "brightness": 0.3,
    "contrast": 0.3,
    "saturation": 0.3,
    "random_h": 20,
    "random_s": 20,
    "random_l": 20,
    "pca_noise": 0.1,
    "max_random_contrast": 0.2,
    "max_random_illumination": 10,
    "inter_method": 10,
}


def pictures(count: int, seed: int = 0) -> list[bytes]:
    """JPEG files of several sizes."""
    Image = pytest.importorskip("PIL.Image")
    import io

    random = np.random.RandomState(seed)
    out = []
    for i in range(count):
        height, width = 40 + i % 7 * 3, 64 - i % 5 * 4
        coarse = Image.fromarray(random.randint(0, 255, (5, 6, 3), dtype=np.uint8))
        file = io.BytesIO()
        coarse.resize((width, height), Image.BICUBIC).save(file, "JPEG", quality=80)
        out.append(file.getvalue())
    return out


def record_file(folder: Path, contents: list[bytes], name: str = "some") -> tuple[str, str]:
    path, index = str(folder / f"{name}.rec"), str(folder / f"{name}.idx")
    with mx.recordio.MXIndexedRecordIO(index, path, "w") as record:
        for i, content in enumerate(contents):
            record.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, i, i, 0), content))
    return path, index


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A record file of 23 pictures and its index."""
    return record_file(tmp_path_factory.mktemp("small"), pictures(23))


def labels(batches: Any) -> list[tuple[list[int], int]]:
    return [(batch.label[0].asnumpy().astype(int).tolist(), batch.pad) for batch in batches]


def digests(batches: Any) -> list[str]:
    return [
        hashlib.sha256(batch.data[0].asnumpy().tobytes() + batch.label[0].asnumpy().tobytes()).hexdigest()
        for batch in batches
    ]


@pytest.mark.parametrize("name", cases.EXACT)
def test_equal_to_mxnet(name: str) -> None:
    kind, options = cases.EXACT[name]
    batch = getattr(mx.io, kind)(path_imgrec=DATA / "batches.rec", batch_size=4, **options).next()
    assert hashlib.sha256(batch.data[0].asnumpy().tobytes()).hexdigest() == DIGESTS[name]


@pytest.mark.parametrize("name", cases.NEAR)
def test_near_mxnet(name: str) -> None:
    batch = mx.io.ImageRecordIter(path_imgrec=DATA / "batches.rec", batch_size=4, **cases.NEAR[name]).next()
    answer = np.load(DATA / "answers.npz")[name].astype(int)
    assert np.abs(batch.data[0].asnumpy()[0] - answer).max() <= 1


@pytest.mark.parametrize("name", cases.BOXES)
def test_boxes_equal_to_mxnet(name: str) -> None:
    batch = mx.io.ImageDetRecordIter(path_imgrec=DATA / "boxes.rec", batch_size=4, **cases.BOXES[name]).next()
    assert hashlib.sha256(batch.data[0].asnumpy().tobytes()).hexdigest() == DIGESTS[f"boxes {name}"]
    assert hashlib.sha256(batch.label[0].asnumpy().tobytes()).hexdigest() == DIGESTS[f"labels {name}"]


def test_loops_without_vectors_give_the_same() -> None:
    program = (
        "import hashlib, mixgrad as mx, sys\n"
        "for options in (dict(resize=27, mirror=True, mean_r=10, std_g=3), dict(dtype='uint8', resize=30)):\n"
        "    batch = mx.io.ImageRecordIter(sys.argv[1], (3, 24, 25), 4, **options).next()\n"
        "    print(hashlib.sha256(batch.data[0].asnumpy().tobytes()).hexdigest())\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, str(DATA / "batches.rec")],
            env={**os.environ, "MIXGRAD_ISA": isa},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for isa in ("baseline", "avx2")
    }
    assert len(answers) == 1


def test_round_batch(small: tuple[str, str]) -> None:
    batches = mx.io.ImageRecordIter(small[0], (3, 32, 32), 10)
    assert labels(batches) == [(list(range(10)), 0), (list(range(10, 20)), 0), ([20, 21, 22, *range(7)], 7)]
    assert labels(batches) == []  # the end stays the end
    batches.reset()  # the next epoch begins behind what the last batch took of it
    assert labels(batches) == [(list(range(7, 17)), 0), ([*range(17, 23), 0, 1, 2, 3], 4)]
    batches = mx.io.ImageRecordIter(small[0], (3, 32, 32), 10, round_batch=False)
    for _ in range(2):
        assert [pad for _, pad in labels(batches)] == [0, 0, 7]
        batches.reset()
    whole = mx.io.ImageRecordIter(small[0], (3, 32, 32), 23)
    assert [(len(got), pad) for got, pad in labels(whole)] == [(23, 0)]
    more = mx.io.ImageRecordIter(small[0], (3, 32, 32), 50)
    assert labels(more) == [([*range(23), *range(23), *range(4)], 27)]
    for _ in range(30):  # no epoch is empty, whatever the batches before took of it
        more.reset()
        assert len(labels(more)) == 1


def test_reset_of_an_epoch_that_was_not_begun(small: tuple[str, str]) -> None:
    batches = mx.io.ImageRecordIter(small[0], (3, 32, 32), 10, shuffle=True, path_imgidx=small[1])
    batches.reset()
    first = labels(batches)
    again = mx.io.ImageRecordIter(small[0], (3, 32, 32), 10, shuffle=True, path_imgidx=small[1])
    assert labels(again) == first


@pytest.mark.parametrize("indexed", [True, False])
def test_shuffle(small: tuple[str, str], indexed: bool) -> None:
    options = {"path_imgidx": small[1]} if indexed else {}
    batches = mx.io.ImageRecordIter(
        small[0], (3, 32, 32), 4, shuffle=True, round_batch=False, seed=3, **options
    )
    epochs = []
    for _ in range(3):
        epochs.append([label for got, pad in labels(batches) for label in got[: 4 - pad]])
        batches.reset()
    assert all(sorted(epoch) == list(range(23)) for epoch in epochs)
    assert epochs[0] != epochs[1] != epochs[2] and epochs[0] != list(range(23))


def test_shuffle_in_chunks_takes_every_record(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path, [os.urandom(90000) for _ in range(40)])
    batches = mx.io.RawRecordIter(path, (90000,), 7, shuffle=True, shuffle_chunk_size=1, round_batch=False)
    for _ in range(2):
        got = [label for labels_, pad in labels(batches) for label in labels_[: 7 - pad]]
        assert sorted(got) == list(range(40)) and got != list(range(40))
        batches.reset()


@pytest.mark.parametrize("indexed", [True, False])
@pytest.mark.parametrize("parts", [1, 3, 5, 17])
def test_parts_hold_each_record_once(small: tuple[str, str], parts: int, indexed: bool) -> None:
    options = {"path_imgidx": small[1]} if indexed else {}
    got: list[int] = []
    for part in range(parts):
        batches = mx.io.ImageRecordIter(
            small[0], (3, 32, 32), 2, num_parts=parts, part_index=part, round_batch=False, **options
        )
        got += [label for labels_, pad in labels(batches) for label in labels_[: 2 - pad]]
    assert sorted(got) == list(range(23))


@pytest.mark.parametrize("shuffled", [{}, {"shuffle": True}, {"shuffle": True, "index": True}])
def test_threads_change_nothing(small: tuple[str, str], shuffled: dict[str, bool]) -> None:
    options: dict[str, Any] = {**RANDOM, **shuffled}
    if options.pop("index", False):
        options["path_imgidx"] = small[1]
    runs = []
    for threads in (1, 2, 7):
        batches = mx.io.ImageRecordIter(
            small[0], batch_size=5, seed=11, preprocess_threads=threads, prefetch_buffer=threads, **options
        )
        run = digests(batches)
        batches.reset()
        runs.append(run + digests(batches))
    assert runs[0] == runs[1] == runs[2]
    assert len(set(runs[0])) == len(runs[0])
    other = mx.io.ImageRecordIter(small[0], batch_size=5, seed=12, **options)
    assert digests(other) != runs[0][:5]


def test_the_serial_engine_gives_the_same(small: tuple[str, str]) -> None:
    program = (
        "import hashlib, mixgrad as mx, sys\n"
        "batches = mx.io.ImageRecordIter(sys.argv[1], (3, 30, 30), 5, shuffle=True, rand_crop=True, seed=5)\n"
        "print([hashlib.sha256(b.data[0].asnumpy().tobytes()).hexdigest() for b in batches])\n"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", program, small[0]],
            env={**os.environ, "MIXGRAD_ENGINE": engine},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for engine in ("serial", "threaded")
    }
    assert len(answers) == 1


@pytest.mark.parametrize("kind", ["file", "index", "chunks", "raw"])
def test_positions(small: tuple[str, str], tmp_path: Path, kind: str) -> None:
    options: dict[str, Any] = {**RANDOM, "batch_size": 4, "seed": 2}
    path = small[0]
    make: Any = mx.io.ImageRecordIter
    if kind == "index":
        options.update(shuffle=True, path_imgidx=small[1])
    elif kind == "chunks":
        options.update(shuffle=True)
    elif kind == "raw":
        path, _ = record_file(tmp_path, [bytes([i]) * 12 for i in range(23)])
        options, make = {"data_shape": (3, 4), "batch_size": 4}, mx.io.RawRecordIter
    straight = make(path, **options)
    expected: list[Any] = []
    for _ in range(3):
        expected += [*digests(straight), None]
        straight.reset()
    states, got = [], make(path, **options)
    while len(states) < len(expected):
        states.append(got.state_dict())
        try:
            got.next()
        except StopIteration:
            got.reset()
    for at in range(0, len(expected) - 1, 3):
        fresh = make(path, **options)
        fresh.load_state_dict(json.loads(json.dumps(states[at])))
        rest = []
        for _ in range(3):
            try:
                rest += digests([fresh.next()])
            except StopIteration:
                rest.append(None)
                fresh.reset()
        assert rest == expected[at : at + 3]


def test_positions_of_others_are_refused(small: tuple[str, str]) -> None:
    state = mx.io.ImageRecordIter(small[0], (3, 32, 32), 4).state_dict()
    with pytest.raises(mx.MXNetError, match="batch_size is 4; expected 5"):
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 5).load_state_dict(state)


@pytest.mark.parametrize(
    ("made", "here", "difference"),
    [
        ({"shuffle": True}, {}, "shuffle is True; expected False, as here"),
        (
            {"shuffle": True, "shuffle_chunk_size": 1},
            {"shuffle": True},
            "shuffle_chunk_size is 1; expected 0, as here",
        ),
        ({"seed_aug": 3}, {}, "seed_aug is 3; expected None, as here"),
        ({"seed_aug": 3}, {"seed_aug": 4}, "seed_aug is 3; expected 4, as here"),
        ({"path_imgidx": "some.idx"}, {}, "index is '23 records, checksum ........'; expected None, as here"),
        ({}, {"path_imgidx": "some.idx"}, "index is None; expected '23 records, checksum"),
        ({"path_imgidx": "some.idx"}, {"path_imgidx": "less.idx"}, "index is '23 .*'; expected '22 records"),
        ({"round_batch": False}, {}, "round_batch is False; expected True, as here"),
        ({"num_parts": 2}, {}, r"part is \[0, 2\]; expected \[0, 1\], as here"),
    ],
)
def test_positions_of_other_configurations_are_refused(
    small: tuple[str, str], tmp_path: Path, made: dict[str, Any], here: dict[str, Any], difference: str
) -> None:
    lines = Path(small[1]).read_text().splitlines(True)
    (tmp_path / "some.idx").write_text("".join(lines))
    (tmp_path / "less.idx").write_text("".join(lines[:-1]))

    def iterator(options: dict[str, Any]) -> Any:
        options = dict(options)
        if "path_imgidx" in options:
            options["path_imgidx"] = tmp_path / options["path_imgidx"]
        return mx.io.ImageRecordIter(small[0], (3, 32, 32), 4, **options)

    state = json.loads(json.dumps(iterator(made).state_dict()))
    iterator(made).load_state_dict(state)
    with pytest.raises(
        mx.base.InvalidArgumentError, match=r"\[ImageRecordIter\] load_state_dict: " + difference
    ):
        iterator(here).load_state_dict(state)


def test_killed_processes_go_on_with_the_next_batch() -> None:
    subprocess.run(
        [sys.executable, str(ROOT / "tests/soak/kill_pipeline.py"), "--places", "2", "--orders", "index"],
        check=True,
        timeout=120,
    )


def damaged_file(folder: Path) -> str:
    """11 pictures; number 3 is cut, number 6 lacks bytes, and the record of number 9 is no record."""
    contents = pictures(11, seed=4)
    contents[3] = contents[3][:-40]
    contents[6] = contents[6][: len(contents[6]) * 2 // 3] + contents[6][-2:]
    path, index = record_file(folder, contents, "damaged")
    offset = int(Path(index).read_text().split("\n")[9].split("\t")[1])
    content = bytearray(Path(path).read_bytes())
    content[offset] ^= 0xFF
    Path(path).write_bytes(content)
    return path


def test_damage_is_named(tmp_path: Path) -> None:
    path = damaged_file(tmp_path)
    batches = mx.io.ImageRecordIter(path, (3, 32, 32), 4, prefetch_buffer=1)
    with pytest.raises(
        mx.MXNetError, match=r"^\[image\] '.*damaged\.rec' at \d+, record 3: JPEG is damaged: "
    ):
        batches.next()
    assert batches.next().label[0].asnumpy()[:3].tolist() == [0, 1, 2]
    with pytest.raises(mx.MXNetError, match="record 6: JPEG is damaged"):
        batches.next()
    assert batches.next().label[0].asnumpy()[:3].tolist() == [4, 5, 7]
    with pytest.raises(mx.MXNetError, match=r"damaged\.rec' is damaged at \d+"):
        batches.next()
    assert batches.next().label[0].asnumpy()[:1].tolist() == [
        10
    ]  # behind the damage, before which 8 may have lost its end


@pytest.mark.filterwarnings("ignore:.*is damaged and read without that")
@pytest.mark.parametrize("threads", [1, 7])
def test_damage_is_skipped(tmp_path: Path, threads: int) -> None:
    path = damaged_file(tmp_path)
    batches = mx.io.ImageRecordIter(
        path, (3, 32, 32), 4, damaged="skip", preprocess_threads=threads, round_batch=False
    )
    got = [(batch.label[0].asnumpy().astype(int).tolist(), batch.pad) for batch in batches]
    assert [row[: 4 - pad] for row, pad in got] == [[0, 1, 2], [4, 5, 7], [10]]
    assert got[0][0][3] in (0, 1, 2) and batches.skipped == 3
    assert np.abs(got[0][0][3]) >= 0


@pytest.mark.filterwarnings("ignore:.*is damaged and read without that")
def test_nothing_but_damage(tmp_path: Path) -> None:
    path, _ = record_file(tmp_path, [content[:-50] for content in pictures(4)])
    batches = mx.io.ImageRecordIter(path, (3, 32, 32), 4, damaged="skip")
    assert labels(batches) == [] and batches.skipped == 4
    empty = tmp_path / "empty.rec"
    empty.write_bytes(b"")
    assert labels(mx.io.ImageRecordIter(empty, (3, 32, 32), 4)) == []


def test_labels(tmp_path: Path, small: tuple[str, str]) -> None:
    listed = tmp_path / "some.lst"
    listed.write_text("".join(f"{i}\t{i * 2}\t{i + 0.5}\tfile{i}.jpg\n" for i in range(23)))
    batch = mx.io.ImageRecordIter(small[0], (3, 32, 32), 3, path_imglist=listed, label_width=2).next()
    assert batch.label[0].asnumpy().tolist() == [[0, 0.5], [2, 1.5], [4, 2.5]]
    listed.write_text("0\t1\tfile\n")
    with pytest.raises(mx.MXNetError, match="path_imglist has no record 1"):
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 3, path_imglist=listed).next().label[0].asnumpy()
    with pytest.raises(mx.MXNetError, match="a record with 1 labels; expected label_width=2"):
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 3, label_width=2).next().label[0].asnumpy()
    listed.write_text("0\tfile\n")
    with pytest.raises(mx.MXNetError, match=r"line 1 is '0.tfile'"):
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 3, path_imglist=listed)


def test_mean_image(tmp_path: Path, small: tuple[str, str]) -> None:
    path = tmp_path / "mean.nd"
    first = mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, mean_img=path, scale=0.5).next().data[0].asnumpy()
    plain = np.concatenate([b.data[0].asnumpy() for b in mx.io.ImageRecordIter(small[0], (3, 32, 32), 23)])
    mean = mx.nd.load(str(path))["mean_img"].asnumpy()
    assert np.allclose(mean, plain.mean(axis=0), atol=1e-3)
    assert np.allclose(first, (plain[:5] - mean) * 0.5, atol=1e-4)
    again = (
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, mean_img=path, mirror=True).next().data[0].asnumpy()
    )
    assert np.allclose(again[..., ::-1], plain[:5] - mean, atol=1e-4)
    with pytest.raises(mx.MXNetError, match="mean_img has 3072 numbers"):
        mx.io.ImageRecordIter(small[0], (3, 30, 30), 5, mean_img=path)


@pytest.mark.parametrize("dtype", ["float16", "float64", "int32", "int64", "bfloat16"])
def test_other_dtypes(small: tuple[str, str], dtype: str) -> None:
    plain = mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, mean_r=10, scale=0.5).next().data[0].asnumpy()
    batch = mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, mean_r=10, scale=0.5, dtype=dtype).next()
    got = batch.data[0].astype("float32").asnumpy()
    near = 1 if dtype.startswith("int") else 0.5
    assert np.abs(got - plain).max() <= near


def test_large_pictures_at_a_smaller_scale(tmp_path: Path) -> None:
    import io

    Image = pytest.importorskip("PIL.Image")
    file = io.BytesIO()
    x = np.linspace(0, 250, 800)
    ramp = np.stack([np.tile(x, (600, 1)), np.tile(x[:600, None], (1, 800)), np.full((600, 800), 99)], 2)
    Image.fromarray(ramp.astype(np.uint8)).save(file, "JPEG", quality=95)
    path, _ = record_file(tmp_path, [file.getvalue()] * 2)
    whole, scaled = (
        mx.io.ImageRecordIter(path, (3, 64, 64), 2, resize=70, scale_decoding=on).next().data[0].asnumpy()
        for on in (False, True)
    )
    assert whole.shape == scaled.shape and np.abs(whole - scaled).max() < 4


def test_random_resized_crops(small: tuple[str, str]) -> None:
    batches = mx.io.ImageRecordIter(
        small[0],
        (3, 20, 24),
        5,
        random_resized_crop=True,
        min_random_area=0.2,
        max_aspect_ratio=4 / 3,
        min_aspect_ratio=3 / 4,
    )
    assert len(set(digests(batches))) == 5
    square = mx.io.ImageRecordIter(
        small[0], (3, 20, 24), 5, max_crop_size=40, min_crop_size=20, rand_crop=True
    )
    assert square.next().data[0].shape == (5, 3, 20, 24)


def test_random_boxes_stay_in_their_pictures() -> None:
    options: dict[str, Any] = {
        "data_shape": (3, 40, 40),
        "batch_size": 4,
        "seed": 1,
        "rand_crop_prob": 0.7,
        "num_crop_sampler": 2,
        "min_crop_scales": (0.3, 0.5),
        "max_crop_scales": 1.0,
        "min_crop_aspect_ratios": 0.5,
        "max_crop_aspect_ratios": 2.0,
        "min_crop_overlaps": (0.1, 0.0),
        "rand_pad_prob": 0.5,
        "max_pad_scale": 2,
        "rand_mirror_prob": 0.5,
        "max_random_hue": 18,
        "random_hue_prob": 0.5,
        "max_random_saturation": 30,
        "random_saturation_prob": 0.5,
        "max_random_illumination": 30,
        "random_illumination_prob": 0.5,
        "max_random_contrast": 0.5,
        "random_contrast_prob": 0.5,
        "max_crop_trials": 20,
    }
    runs = []
    for threads in (1, 7):
        batches = mx.io.ImageDetRecordIter(DATA / "boxes.rec", preprocess_threads=threads, **options)
        run = []
        for _ in range(8):
            for batch in batches:
                for label in batch.label[0].asnumpy():
                    header, width, count = int(label[4]), int(label[5]), int(label[3])
                    objects = label[4 + header : 4 + count].reshape(-1, width)
                    assert (
                        len(objects) >= 1
                        and (objects[:, 1:] >= -1e-6).all()
                        and (objects[:, 1:] <= 1 + 1e-6).all()
                    )
                    assert (objects[:, 3] >= objects[:, 1]).all() and (objects[:, 4] >= objects[:, 2]).all()
                    assert (label[4 + count :] == -1).all()
                run += digests([batch])
            batches.reset()
        runs.append(run)
    assert runs[0] == runs[1] and len(set(runs[0])) == 8


def test_labels_of_boxes_are_checked(tmp_path: Path) -> None:
    with pytest.raises(mx.MXNetError, match="a label of 12 numbers; expected at most label_pad_width=9"):
        mx.io.ImageDetRecordIter(DATA / "boxes.rec", (3, 30, 30), 4, label_pad_width=9).next().label[
            0
        ].asnumpy()
    path = tmp_path / "bad.rec"
    with mx.recordio.MXRecordIO(path, "w") as record:
        header = mx.recordio.IRHeader(7, np.array([99, 5, 0, 0.1, 0.2, 0.5, 0.6], np.float32), 0, 0)
        record.write(mx.recordio.pack(header, pictures(1)[0]))
    with pytest.raises(mx.MXNetError, match="number 0 of a label is 99"):
        mx.io.ImageDetRecordIter(path, (3, 30, 30), 1).next().label[0].asnumpy()


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.filterwarnings("ignore:.*is damaged and read without that")
def test_raw_records(tmp_path: Path, shuffle: bool) -> None:
    random = np.random.RandomState(5)
    rows = random.randint(0, 256, (50, 3, 17), dtype=np.uint8)
    rows[20].reshape(-1)[4:8] = np.frombuffer(
        struct.pack("<I", 0xCED7230A), np.uint8
    )  # makes a record of two parts
    path, index = record_file(tmp_path, [row.tobytes() for row in rows])
    options = {"path_imgidx": index, "shuffle": True} if shuffle else {}
    batches = mx.io.RawRecordIter(path, (3, 17), 8, round_batch=False, **options)
    seen = []
    for batch in batches:
        got = batch.label[0].asnumpy().astype(int)[: 8 - batch.pad]
        assert np.array_equal(batch.data[0].asnumpy()[: len(got)], rows[got])
        seen += got.tolist()
    assert sorted(seen) == list(range(50)) and (seen == list(range(50))) != shuffle
    halves = mx.io.RawRecordIter(path, (17, 3), 5, dtype="uint8", round_batch=False)
    assert np.array_equal(halves.next().data[0].asnumpy(), rows[:5].reshape(5, 17, 3))
    with pytest.raises(mx.MXNetError, match=r"some\.rec' at 0, record 0: 51 bytes; expected 52"):
        mx.io.RawRecordIter(path, (13,), 8, dtype="float32").next()
    mixed, _ = record_file(tmp_path, [bytes([i]) * (8 if i != 3 else 9) for i in range(6)], "mixed")
    left = mx.io.RawRecordIter(mixed, (8,), 2, damaged="skip", round_batch=False)
    assert [row for rows_, pad in labels(left) for row in rows_[: 2 - pad]] == [0, 1, 2, 4, 5]
    assert left.skipped == 1


def test_a_stalled_source_is_reported(small: tuple[str, str]) -> None:
    import threading

    from mixgrad import _core

    content, go = Path(small[0]).read_bytes(), threading.Event()

    def fetch(offset: int, size: int) -> bytes:
        if offset + size > 8000:
            go.wait(20)
        return content[offset : offset + size]

    batches = mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, stall_seconds=0.3, prefetch_buffer=0)
    slow = _core.Source.of_function(fetch, len(content), "slow://some.rec", "ImageRecordIter")
    batches._batches = _core.Batches(
        0,
        "ImageRecordIter",
        slow,
        {"batch_size": 5, "data_shape": (3, 32, 32), "stall_seconds": 0.3, "prefetch_buffer": 0},
        None,
        None,
        None,
        None,
    )
    try:
        with pytest.raises(
            mx.MXNetError, match=r"reading 'slow://some\.rec' at \d+ of \d+ bytes has given nothing for 0\.3"
        ):
            while True:
                batches.next()
    finally:
        go.set()
    assert batches.next().data[0].shape == (5, 3, 32, 32)  # it goes on when the source does


def test_stages_are_in_the_trace(small: tuple[str, str]) -> None:
    from mixgrad import _core

    _core.profiler_start()
    for batch in mx.io.ImageRecordIter(small[0], (3, 32, 32), 5, resize=36):
        batch.data[0].asnumpy()
    _core.profiler_stop()
    names = {event["name"] for event in json.loads(_core.profiler_trace())["traceEvents"]}
    assert {
        "read_records",
        "decode_pictures",
        "finish_batch",
        "decode",
        "augment",
        "wait for records",
    } <= names


def test_options_are_checked(small: tuple[str, str]) -> None:
    for options, message in [
        ({"data_shape": (2, 8, 8)}, r"expected \(channels, height, width\) with 1, 3 or 4"),
        ({"resize": 0}, "resize=0"),
        ({"inter_method": 7}, "inter_method=7"),
        ({"num_parts": 2, "part_index": 2}, "part_index=2 of num_parts=2"),
        ({"no_such_option": 1}, "has no option 'no_such_option'"),
        ({"damaged": "ignore"}, "damaged"),
        ({"aug_seq": "other"}, "aug_seq"),
        ({"max_crop_size": 200, "min_crop_size": 200}, None),
    ]:
        full = {"data_shape": (3, 32, 32), "batch_size": 4, **options}
        with pytest.raises((mx.MXNetError, ValueError), match=message):
            mx.io.ImageRecordIter(path_imgrec=small[0], **full).next().data[0].asnumpy()
    with pytest.raises(mx.base.MissingFileError, match=r"^\[ImageRecordIter\] cannot open 'nowhere"):
        mx.io.ImageRecordIter("nowhere.rec", (3, 32, 32), 4)


def test_a_program_that_only_takes_batches_is_held(small: tuple[str, str]) -> None:
    batches = mx.io.ImageRecordIter(small[0], (3, 32, 32), 2, prefetch_buffer=1)
    kept = [batch.data[0] for batch in batches]
    assert len(kept) == 12 and all(array.shape == (2, 3, 32, 32) for array in kept)
    for _ in range(20):  # iterators that are given up in the middle leave nothing behind
        mx.io.ImageRecordIter(small[0], (3, 32, 32), 2).next()
