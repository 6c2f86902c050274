"""What MXNet 1.9.1 answers to calls of ``mx.image``.

`write` asks it (python tests/python/image/answers.py, with an interpreter that has mxnet) and keeps what it
says in answers.npz; test_answers.py holds mixgrad against it. Calls that draw numbers are seeded.
"""

from __future__ import annotations

import json
import random
import struct
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from parity import store

HERE = Path(__file__).resolve().parent
FILE = HERE / "answers.npz"

# Name, how far numbers may be off, and the answer: an array, or text.
Answer = tuple[str, float, Any]

SIZES = ((9, 7), (31, 20), (30, 6), (30, 24), (15, 12), (8, 6), (5, 4))
FLIPPED = {"p": 1}
LABEL = np.array([[0, 0.1, 0.2, 0.5, 0.6], [1, 0.4, 0.4, 0.9, 0.95], [2, 0.05, 0.7, 0.15, 0.9]])


def pixels(height: int, width: int, channels: int = 3, seed: int = 0) -> np.ndarray:
    """A picture of noise."""
    return np.random.RandomState(seed).randint(0, 256, (height, width, channels)).astype(np.uint8)


def seeded(seed: int) -> None:
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002


def png(picture: np.ndarray) -> bytes:
    """The file of a picture of three channels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    height, width = picture.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in picture)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def numbers(given: Any) -> np.ndarray:
    return np.asarray(given.asnumpy() if hasattr(given, "asnumpy") else given)


def decoding(mx: Any) -> Iterator[Answer]:
    """JPEG files: with fewer colours than pixels, grey, turned by EXIF, progressive with all colours."""
    for name in ("boat", "grey", "turned", "full"):
        file = HERE / f"{name}.jpg"
        for flag in (0, 1):
            yield f"imread {name} {flag}", 1, mx.image.imread(str(file), flag)
        yield f"imdecode {name}", 1, mx.image.imdecode(file.read_bytes(), to_rgb=0)


def sizes(mx: Any) -> Iterator[Answer]:
    for channels in (1, 3, 4):
        picture = mx.nd.array(pixels(12, 15, channels), dtype="uint8")
        for width, height in SIZES[: 3 if channels != 3 else None]:
            for interp in range(5):
                name = f"imresize {channels} {width} {height} {interp}"
                yield name, 1, mx.image.imresize(picture, width, height, interp)
    picture = mx.nd.array(pixels(12, 15) / 3.0)
    for interp in range(5):
        yield f"imresize float {interp}", 1e-4, mx.image.imresize(picture, 31, 20, interp)
    seeded(1)
    for interp in (0, 1, 2, 3, 4, 9, 10, 10, 10):
        whole = mx.nd.array(pixels(14, 10), dtype="uint8")
        yield f"resize_short {interp} {random.random()}", 1, mx.image.resize_short(whole, 7, interp)
    for size in ((720, 120), (480, 500), (0, 0), (7.5, 3.2), (1000, 1)):
        yield f"scale_down {size}", 0, mx.image.scale_down((640, 480), size)


def borders(mx: Any) -> Iterator[Answer]:
    for channels in (1, 3, 4):
        picture = mx.nd.array(pixels(4, 5, channels), dtype="uint8")
        for kind in range(5):
            for margins in ((1, 2, 3, 4), (9, 0, 0, 13)):
                name = f"border {channels} {kind} {margins}"
                yield name, 0, mx.image.copyMakeBorder(picture, *margins, type=kind)
        for words in (
            {"value": 7},
            {"value": 2.5},
            {"value": 300},
            {"values": (1, 2, 3, 4)},
            {"values": (9, 8, 7, 300)},
        ):
            yield f"border {channels} {words}", 0, mx.image.copyMakeBorder(picture, 1, 0, 0, 1, **words)


def crops(mx: Any) -> Iterator[Answer]:
    picture = mx.nd.array(pixels(20, 30), dtype="uint8")
    yield "fixed_crop", 0, mx.image.fixed_crop(picture, 2, 3, 10, 12)
    yield "fixed_crop over", 0, mx.image.fixed_crop(picture, 25, 15, 10, 10)
    yield "fixed_crop resized", 1, mx.image.fixed_crop(picture, 2, 3, 10, 12, (7, 9), 1)
    for size in ((5, 6), (40, 10), (10, 40), (31, 21)):
        cut, window = mx.image.center_crop(picture, size)
        yield f"center_crop {size}", 1, cut
        yield f"center_crop {size} window", 0, window
    seeded(2)
    for i in range(4):
        cut, window = mx.image.random_crop(picture, (7 + 8 * i, 8))
        yield f"random_crop {i}", 1, cut
        yield f"random_crop {i} window", 0, window
    for i, (area, ratio) in enumerate(
        ((0.1, (0.5, 2)), ((0.3, 0.5), (1, 1)), (0.99, (5, 6)), ((0.1, 2), (0.9, 3)))
    ):
        for j in range(3):
            cut, window = mx.image.random_size_crop(picture, (7, 8), area, ratio)
            yield f"random_size_crop {i} {j}", 1, cut
            yield f"random_size_crop {i} {j} window", 0, window


def augmenters(mx: Any) -> Iterator[Answer]:
    image = mx.image
    made = {
        "BrightnessJitterAug": (0.3,),
        "ContrastJitterAug": (0.3,),
        "SaturationJitterAug": (0.3,),
        "HueJitterAug": (0.3,),
        "LightingAug": (0.3, np.array([55.46, 4.794, 1.148]), np.eye(3)),
        "ColorJitterAug": (0.1, 0.2, 0.3),
        "RandomGrayAug": (0.5,),
        "HorizontalFlipAug": (0.5,),
        "ColorNormalizeAug": ([1, 2, 3], [2, 3, 4]),
        "ResizeAug": (9,),
        "ForceResizeAug": ((9, 8), 9),
        "RandomCropAug": ((9, 8),),
        "RandomSizedCropAug": ((9, 8), 0.3, (0.5, 2)),
        "CenterCropAug": ((9, 8),),
        "CastAug": ("float16",),
    }
    for name, args in made.items():
        seeded(3)
        augmenter = getattr(image, name)(*args)
        for i in range(3):
            yield f"{name} {i}", 1e-2, augmenter(mx.nd.array(pixels(10, 14)))
        yield f"{name} dumps", 0, json.dumps(augmenter.dumps())
    lists = {
        "plain": {},
        "all": {
            "resize": 12,
            "rand_crop": True,
            "rand_resize": True,
            "rand_mirror": True,
            "mean": True,
            "std": True,
            "brightness": 0.1,
            "contrast": 0.2,
            "saturation": 0.3,
            "hue": 0.1,
            "pca_noise": 0.1,
            "rand_gray": 0.3,
            "inter_method": 10,
        },
        "mean": {"mean": np.array([1.0, 2.0, 3.0]), "rand_crop": True},
    }
    for name, words in lists.items():
        members = image.CreateAugmenter((3, 8, 9), **words)
        yield f"list {name} dumps", 0, json.dumps([member.dumps() for member in members])
        seeded(4)
        for i in range(4):
            picture = mx.nd.array(pixels(20, 24, seed=i), dtype="uint8")
            for member in members:
                picture = member(picture)
            yield f"list {name} {i}", 0.2, picture
    yield (
        "SequentialAug",
        0,
        json.dumps(
            image.SequentialAug([image.CastAug(), image.RandomOrderAug([image.ResizeAug(3)])]).dumps()
        ),
    )


def rotations(mx: Any) -> Iterator[Answer]:
    picture = mx.nd.array(pixels(9, 12).transpose(2, 0, 1))
    for angle in (0, 30, -75.5, 90, 200):
        for words in ({}, {"zoom_in": True}, {"zoom_out": True}):
            yield f"imrotate {angle} {words}", 2e-2, mx.image.imrotate(picture, angle, **words)
    batch = mx.nd.stack(picture, picture)
    yield "imrotate batch", 2e-2, mx.image.imrotate(batch, mx.nd.array([10, 50]), zoom_in=True)
    seeded(5)
    yield "random_rotate", 2e-2, mx.image.random_rotate(picture, (-30, 30))
    yield "random_rotate batch", 2e-2, mx.image.random_rotate(batch, (-30, 30))


def detection(mx: Any) -> Iterator[Answer]:
    image = mx.image
    made = {
        "flip": image.DetHorizontalFlipAug(0.5),
        "crop": image.DetRandomCropAug(0.2),
        "crop small": image.DetRandomCropAug(0.01, (0.2, 3), (0.01, 0.2), 0.1, 7),
        "crop large": image.DetRandomCropAug(0.5, (0.9, 2), (0.5, 3.0)),
        "pad": image.DetRandomPadAug(),
        "pad grey": image.DetRandomPadAug((0.5, 3), (1.1, 2), 5, 9),
        "select": image.DetRandomSelectAug(
            [image.DetRandomPadAug(), image.DetRandomCropAug(), image.DetHorizontalFlipAug(1)], 0.2
        ),
        "several": image.CreateMultiRandCropAugmenter(
            [0.1, 0.5], area_range=[(0.1, 1), (0.3, 2)], skip_prob=0.1
        ),
        "borrow": image.DetBorrowAug(image.ForceResizeAug((8, 7), 1)),
    }
    for name, augmenter in made.items():
        yield f"det {name} dumps", 0, json.dumps(augmenter.dumps())
        seeded(6)
        for i in range(6):
            picture, label = augmenter(mx.nd.array(pixels(20, 25), dtype="uint8"), LABEL.copy())
            if i < 2:
                yield f"det {name} {i}", 1, picture
            yield f"det {name} {i} shape", 0, picture.shape
            yield f"det {name} {i} label", 1e-6, label
    for name, words in {
        "plain": {},
        "all": {
            "resize": 9,
            "rand_crop": 0.5,
            "rand_pad": 0.4,
            "rand_mirror": True,
            "mean": True,
            "hue": 0.1,
        },
    }.items():
        members = image.CreateDetAugmenter((3, 8, 9), **words)
        yield f"det list {name} dumps", 0, json.dumps([member.dumps() for member in members])


def iterators(mx: Any) -> Iterator[Answer]:
    with tempfile.TemporaryDirectory() as folder:
        listed, boxes = [], []
        for i in range(7):
            Path(folder, f"{i}.png").write_bytes(png(pixels(9 + i, 12, seed=i)))
            listed.append([float(i), f"{i}.png"])
            objects = LABEL[: i % 3 + 1]
            boxes.append([[2.0, 5.0, *objects.ravel().tolist()], f"{i}.png"])
        lines = [f"{10 + i}\t{i}\t{i / 2}\t{i}.png\n" for i in range(7)]
        Path(folder, "list.lst").write_text("".join(lines))
        words = {"imglist": listed, "path_root": folder}
        for handle in ("pad", "discard", "roll_over"):
            for more in ({}, {"shuffle": True}, {"num_parts": 2, "part_index": 1}):
                seeded(7)
                it = mx.image.ImageIter(3, (3, 8, 8), last_batch_handle=handle, **words, **more)
                for epoch in range(3):
                    seen = [[*numbers(batch.label[0]).tolist(), batch.pad] for batch in it]
                    yield f"ImageIter {handle} {sorted(more)} {epoch}", 0, json.dumps(seen)
                    it.reset()
        seeded(8)
        it = mx.image.ImageIter(
            2,
            (3, 5, 6),
            rand_crop=True,
            rand_mirror=True,
            brightness=0.2,
            contrast=0.2,
            shuffle=True,
            **words,
        )
        for i, batch in enumerate(it):
            yield f"ImageIter data {i}", 0.2, batch.data[0]
        it = mx.image.ImageIter(
            3, (3, 8, 8), label_width=2, path_imglist=str(Path(folder, "list.lst")), path_root=folder
        )
        for i, batch in enumerate(it):
            yield f"ImageIter lst {i}", 0, batch.label[0]
        for handle in ("pad", "discard", "roll_over"):
            seeded(9)
            it = mx.image.ImageDetIter(
                3, (3, 8, 8), imglist=boxes, path_root=folder, shuffle=True, last_batch_handle=handle
            )
            for epoch in range(2):
                for i, batch in enumerate(it):
                    yield f"ImageDetIter {handle} {epoch} {i}", 1e-6, batch.label[0]
                    yield f"ImageDetIter {handle} {epoch} {i} data", 1, batch.data[0]
                it.reset()
        seeded(10)
        it = mx.image.ImageDetIter(
            3, (3, 8, 8), imglist=boxes, path_root=folder, rand_crop=0.8, rand_pad=0.5, rand_mirror=True
        )
        for i, batch in enumerate(it):
            yield f"ImageDetIter random {i}", 1e-5, batch.label[0]
            yield f"ImageDetIter random {i} data", 1, batch.data[0]


ALL = (decoding, sizes, borders, crops, augmenters, rotations, detection, iterators)


def write() -> None:
    """Ask MXNet."""
    import mxnet as mx

    store.save(FILE, {name: {"": numbers(answer)} for family in ALL for name, _, answer in family(mx)})


def kept() -> dict[str, np.ndarray]:
    """What it said."""
    return {name: arrays[""] for name, arrays in store.load(FILE).items()}


if __name__ == "__main__":
    write()
