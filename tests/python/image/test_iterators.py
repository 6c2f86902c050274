"""ImageIter and ImageDetIter: sources, parts, damage, positions, and what is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

COUNT = 11


def pixels(i: int) -> np.ndarray:
    return np.random.RandomState(i).randint(0, 256, (9 + i, 12, 3)).astype(np.uint8)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pictures, their list, a record file with an index."""
    path = tmp_path_factory.mktemp("pictures")
    lines = []
    writer = mx.recordio.MXIndexedRecordIO(str(path / "all.idx"), str(path / "all.rec"), "w")
    for i in range(COUNT):
        picture = pixels(i)
        content = b"P6 %d %d 255\n" % (picture.shape[1], picture.shape[0]) + picture.tobytes()
        (path / f"{i}.ppm").write_bytes(content)
        lines.append(f"{i}\t{i}\t{i}.ppm\n")
        writer.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, float(i), i, 0), content))
    writer.close()
    (path / "all.lst").write_text("".join(lines))
    return path


def sources(folder: Path) -> dict[str, dict[str, Any]]:
    return {
        "list": {"imglist": [[float(i), f"{i}.ppm"] for i in range(COUNT)], "path_root": str(folder)},
        "lst": {"path_imglist": str(folder / "all.lst"), "path_root": str(folder)},
        "rec": {"path_imgrec": str(folder / "all.rec")},
        "indexed": {"path_imgrec": str(folder / "all.rec"), "path_imgidx": str(folder / "all.idx")},
    }


def labels(batches: Any) -> list[Any]:
    return [(batch.label[0].asnumpy().astype(int).tolist(), batch.pad) for batch in batches]


@pytest.mark.parametrize("source", ["list", "lst", "rec", "indexed"])
def test_sources(folder: Path, source: str) -> None:
    it = mx.image.ImageIter(4, (3, 8, 8), **sources(folder)[source])
    assert it.provide_data == [("data", (4, 3, 8, 8))]
    assert it.provide_label == [("softmax_label", (4,))]
    for _ in range(2):
        batches = list(it)
        assert labels(batches) == [([0, 1, 2, 3], 0), ([4, 5, 6, 7], 0), ([8, 9, 10, 0], 1)]
        middle = pixels(5)[(9 + 5 - 8) // 2 :][:8, 2:10].transpose(2, 0, 1)
        assert (batches[1].data[0][1].asnumpy() == middle).all()
        it.reset()


def test_records_whose_labels_a_list_replaces(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other.lst").write_text("".join(f"{i}\t{i * 10}\tany\n" for i in range(COUNT)))
    words = {**sources(folder)["indexed"], "path_imglist": str(tmp_path / "other.lst")}
    assert labels(mx.image.ImageIter(4, (3, 8, 8), **words))[0] == ([0, 10, 20, 30], 0)
    (tmp_path / "other.lst").write_text("0\t1\tany\n")
    with pytest.raises(mx.MXNetError, match="the list has no key 1"):
        mx.image.ImageIter(4, (3, 8, 8), **words).next()


@pytest.mark.parametrize("source", ["list", "lst", "indexed"])
def test_parts(folder: Path, source: str) -> None:
    seen: list[int] = []
    for part in range(3):
        it = mx.image.ImageIter(1, (3, 8, 8), num_parts=3, part_index=part, **sources(folder)[source])
        seen += [batch.label[0].asscalar() for batch in it]
    assert seen == list(range(9))  # MXNet leaves out what the division leaves over


@pytest.mark.parametrize("source", ["list", "lst", "indexed"])
def test_shuffling_is_seeded(folder: Path, source: str) -> None:
    orders = []
    for _ in range(2):
        random.seed(3)
        it = mx.image.ImageIter(COUNT, (3, 8, 8), shuffle=True, **sources(folder)[source])
        first = labels(it)
        it.reset()
        orders.append((first, labels(it)))
        assert sorted(orders[-1][0][0][0]) == list(range(COUNT))
    assert orders[0] == orders[1]
    assert orders[0][0] != orders[0][1]


def test_batches_larger_than_the_data(folder: Path) -> None:
    it = mx.image.ImageIter(25, (3, 8, 8), **sources(folder)["list"])
    assert labels(it) == [([*range(11), *range(11), 0, 1, 2], 14)]
    rolling = mx.image.ImageIter(25, (3, 8, 8), last_batch_handle="roll_over", **sources(folder)["list"])
    seen = []
    for _ in range(3):
        seen.append(labels(rolling))
        rolling.reset()
    assert seen == [[], [], [([*range(11), *range(11), 0, 1, 2], 3)]]


def test_labels_of_several_numbers(folder: Path) -> None:
    listed = [[1, 2, "0.ppm"], [[3, 4], "1.ppm"]]
    it = mx.image.ImageIter(2, (3, 8, 8), label_width=2, imglist=listed, path_root=str(folder))
    assert it.provide_label == [("softmax_label", (2, 2))]
    assert it.next().label[0].asnumpy().tolist() == [[1, 2], [3, 4]]
    with pytest.raises(ValueError, match=r"'0.ppm' has 2 numbers as its label; label_width is 3"):
        mx.image.ImageIter(2, (3, 8, 8), label_width=3, imglist=listed, path_root=str(folder)).next()


def test_damage(folder: Path) -> None:
    """One that is no picture, one that ends early."""
    (folder / "text.ppm").write_bytes(b"no picture")
    (folder / "short.ppm").write_bytes((folder / "3.ppm").read_bytes()[:-50])
    names = ["0.ppm", "text.ppm", "1.ppm", "short.ppm", "2.ppm"]
    words: dict[str, Any] = {"imglist": [[i, name] for i, name in enumerate(names)], "path_root": str(folder)}
    it = mx.image.ImageIter(3, (3, 8, 8), **words)
    with pytest.raises(mx.MXNetError, match=r"'text.ppm'"):
        it.next().data[0].asnumpy()
    it = mx.image.ImageIter(3, (3, 8, 8), damaged="skip", **words)
    assert labels(it) == [([0, 2, 4], 0)]
    assert it.skipped == 2
    words["imglist"] = words["imglist"][1:2]
    with pytest.raises(StopIteration):
        mx.image.ImageIter(3, (3, 8, 8), damaged="skip", **words).next()
    words["imglist"] = [[0, "none.ppm"]]
    with pytest.raises(FileNotFoundError, match=r"\[ImageIter\].*none.ppm"):
        mx.image.ImageIter(3, (3, 8, 8), **words).next()


def test_what_is_refused(folder: Path, tmp_path: Path) -> None:
    words = sources(folder)["list"]
    for text, call in (
        ("no pictures are named", lambda: mx.image.ImageIter(3, (3, 8, 8))),
        ("need the index", lambda: mx.image.ImageIter(3, (3, 8, 8), shuffle=True, **sources(folder)["rec"])),
        (
            "part_index=3 of num_parts=3",
            lambda: mx.image.ImageIter(3, (3, 8, 8), 1, part_index=3, num_parts=3, **words),
        ),
        ("dtype is 'float16'", lambda: mx.image.ImageIter(3, (3, 8, 8), dtype="float16", **words)),
        (
            "last_batch_handle is 'x'",
            lambda: mx.image.ImageIter(3, (3, 8, 8), last_batch_handle="x", **words),
        ),
        ("damaged is 'x'", lambda: mx.image.ImageIter(3, (3, 8, 8), damaged="x", **words)),
        ("expected 3 channels", lambda: mx.image.ImageIter(3, (1, 8, 8), **words)),
        ("(channels, height, width)", lambda: mx.image.ImageIter(3, (3, 8), **words)),
        ("batch_size=0", lambda: mx.image.ImageIter(0, (3, 8, 8), **words)),
        ("data_shape is (3, 8, 8)", lambda: mx.image.ImageIter(3, (3, 8, 8), aug_list=[], **words).next()),
        ("[label, file]", lambda: mx.image.ImageIter(3, (3, 8, 8), imglist=["0.ppm"])),
    ):
        with pytest.raises(mx.MXNetError) as error:
            call()
        assert text in str(error.value)
    for line in ("x\ty\tz", "1 2 3", "", "1\t2"):
        (tmp_path / "bad.lst").write_text(f"0\t1\t0.ppm\n{line}\n")
        with pytest.raises(mx.MXNetError, match=r"\[ImageIter\] line 2 of .*bad.lst"):
            mx.image.ImageIter(1, (3, 8, 8), path_imglist=tmp_path / "bad.lst")
    with pytest.raises(TypeError, match="foo"):
        mx.image.ImageIter(3, (3, 8, 8), foo=1, **words)


def objects(count: int) -> list[float]:
    boxes = [[float(i), 0.1, 0.2, 0.5 + i / 20, 0.6 + i / 20] for i in range(count)]
    return [2.0, 5.0, *(number for box in boxes for number in box)]


def detection(folder: Path, **words: Any) -> Any:
    listed = [[objects(i % 3 + 1), f"{i}.ppm"] for i in range(7)]
    return mx.image.ImageDetIter(3, (3, 8, 8), imglist=listed, path_root=str(folder), **words)


RANDOM: dict[str, Any] = {
    "shuffle": True,
    "rand_mirror": True,
    "brightness": 0.2,
    "contrast": 0.2,
    "saturation": 0.2,
    "pca_noise": 0.1,
}


@pytest.mark.parametrize("kind", ["list", "rec", "detection"])
@pytest.mark.parametrize("handle", ["pad", "discard", "roll_over"])
def test_positions(folder: Path, kind: str, handle: str) -> None:
    """From any batch on, another iterator goes on with the very next one, over ends of passes, too."""

    def made() -> Any:
        if kind == "detection":
            return detection(folder, last_batch_handle=handle, rand_crop=0.5, rand_pad=0.5, **RANDOM)
        words = {**RANDOM, "shuffle": kind == "list", "rand_crop": True, "last_batch_handle": handle}
        return mx.image.ImageIter(3, (3, 8, 8), **words, **sources(folder)[kind])

    def steps(it: Any, count: int) -> list[Any]:
        seen: list[Any] = []
        while len(seen) < count:
            try:
                batch = it.next()
                seen.append((batch.data[0].asnumpy(), batch.label[0].asnumpy(), batch.pad))
            except StopIteration:
                it.reset()
        return seen

    for before in (0, 1, 3, 4):
        random.seed(before)
        it = made()
        steps(it, before)
        state = json.loads(json.dumps(it.state_dict()))
        expected = steps(it, 5)
        random.seed(99)
        other = made()
        steps(other, 2)
        other.load_state_dict(state)
        for ours, theirs in zip(steps(other, 5), expected):
            assert all(np.array_equal(a, b) for a, b in zip(ours, theirs))


def test_states_of_other_pictures(folder: Path) -> None:
    words = sources(folder)["list"]
    state = mx.image.ImageIter(3, (3, 8, 8), num_parts=2, **words).state_dict()
    with pytest.raises(mx.MXNetError, match="of other pictures"):
        mx.image.ImageIter(3, (3, 8, 8), **words).load_state_dict(state)


def test_boxes(folder: Path) -> None:
    it = detection(folder)
    assert it.label_shape == (3, 5)
    assert it.provide_label == [("label", (3, 3, 5))]
    batch = it.next()
    assert batch.label[0].asnumpy()[:, :, 0].tolist() == [[0, -1, -1], [0, 1, -1], [0, 1, 2]]
    assert batch.label[0].asnumpy()[0, 0].tolist() == pytest.approx([0, 0.1, 0.2, 0.5, 0.6])


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ([2, 5], "has 2 numbers"),
        ([2, 4, 0, 0.1, 0.2, 0.3, 0.5], "begins with 2 and 4"),
        ([1, 5, 0, 0.1, 0.2, 0.3, 0.4], "begins with 1 and 5"),
        ([2, 5, 0, 0.1, 0.2, 0.3, 0.4, 0.5], "begins with 2 and 5"),
        ([2, 5, 0, 0.5, 0.2, 0.3, 0.4], "no area"),
        ([9, 5, 0, 0.5, 0.2, 0.3, 0.4, 1, 1], "begins with 9 and 5"),
    ],
)
def test_labels_that_are_no_boxes(folder: Path, label: list[float], text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        mx.image.ImageDetIter(1, (3, 8, 8), imglist=[[label, "0.ppm"]], path_root=str(folder))


def test_shapes_of_labels(folder: Path) -> None:
    it, small = detection(folder), detection(folder, num_parts=7)
    assert small.label_shape == (1, 5)
    assert it.sync_label_shape(small) is small
    assert small.label_shape == (3, 5)
    it.reshape(label_shape=(4, 5))
    assert it.next().label[0].shape == (3, 4, 5)
    for shape, text in (((2, 5), "at least 4"), ((5, 6), "expected 5"), ((5,), "two extents")):
        with pytest.raises(ValueError, match=text):
            it.reshape(data_shape=(3, 5, 5), label_shape=shape)
    assert it.data_shape == (3, 8, 8)
    with pytest.raises(TypeError, match="expected an ImageDetIter"):
        it.sync_label_shape(3)


def test_augmenters_that_lose_or_add_objects(folder: Path) -> None:
    class Change(mx.image.DetAugmenter):
        def __init__(self, times: int) -> None:
            super().__init__(times=times)
            self.times = times

        def __call__(self, src: Any, label: Any) -> Any:
            return src, np.concatenate([label[:0], *[label] * self.times])

    size = mx.image.DetBorrowAug(mx.image.ForceResizeAug((8, 8)))
    assert list(detection(folder, aug_list=[Change(0), size])) == []
    with pytest.raises(ValueError, match=r"has shape \(4, 5\)"):
        detection(folder, aug_list=[Change(2), size]).next()


def test_drawing(folder: Path) -> None:
    listed = [[objects(2), "0.ppm"]]
    it = mx.image.ImageDetIter(1, (3, 40, 60), imglist=listed, path_root=str(folder))
    (picture,) = it.draw_next(color=(255, 7, 1), thickness=1)
    assert picture.shape == (40, 60, 3)
    assert picture.dtype == np.uint8
    assert (picture[8, 6:31] == (1, 7, 255)).all()  # blue first
    assert (picture[8:25, 6] == (1, 7, 255)).all()
    assert not (picture[9, 8:29] == (1, 7, 255)).all(1).any()
    it.reset()
    named = next(it.draw_next(color=(255, 0, 0), id2labels={0: "ship"}))
    assert (named != picture).any()
    it.reset()
    random_colours = [next(detection(folder).draw_next()) for _ in range(2)]
    assert (random_colours[0] != random_colours[1]).any()
