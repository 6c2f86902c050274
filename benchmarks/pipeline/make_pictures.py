"""Record files for benchmarks of the pipeline: pictures that look natural to a JPEG encoder.

    python benchmarks/pipeline/make_pictures.py FOLDER [--pictures 2000] [--times 5] [--large 40]
        [--large-times 1]

Writes FOLDER/small.rec and .idx (500 x 375, about 77 KB each, each picture ``--times`` times) and
FOLDER/large.rec and .idx (4000 x 3000, ``--large-times``). Smooth noise of several sizes gives shapes, fine
noise gives texture.
A size whose pictures are 0 is left as it was.
"""

from __future__ import annotations

import argparse
import io
import struct
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from PIL import Image


def picture(random: np.random.Generator, width: int, height: int, grain: float) -> np.ndarray:
    """Pixels: noise of ever finer grids, enlarged smoothly, and grain."""
    total = np.zeros((height, width, 3), np.float32)
    for cell, strength in ((4, 60), (12, 35), (40, 18), (110, 9)):
        grid = random.normal(128, strength, (max(2, height * cell // 400), max(2, width * cell // 400), 3))
        grid = np.clip(grid, 0, 255).astype(np.uint8)
        enlarged = Image.fromarray(grid).resize((width, height), Image.Resampling.BICUBIC)
        total += np.asarray(enlarged, np.float32) - 128
    texture = random.normal(0, grain, (height, width, 1)).astype(np.float32)
    pixels: np.ndarray = np.clip(total + texture + 128, 0, 255).astype(np.uint8)
    return pixels


def jpeg(pixels: np.ndarray, quality: int) -> bytes:
    """The content of a file."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "JPEG", quality=quality)
    return file.getvalue()


def write(path: Path, pictures: Iterable[bytes], times: int) -> None:
    """A record file and its index, as MXNet's im2rec writes them."""
    key = total = 0
    with path.open("wb") as record, path.with_suffix(".idx").open("w") as index:
        for content in pictures:
            for _ in range(times):
                index.write(f"{key}\t{record.tell()}\n")
                data = struct.pack("<IfQQ", 0, key % 1000, key, 0) + content
                record.write(struct.pack("<II", 0xCED7230A, len(data)) + data + b"\0" * (-len(data) % 4))
                key, total = key + 1, total + len(content)
    print(f"{path}: {key} pictures of {total / key / 1000:.1f} KB each", flush=True)


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--large", type=int, default=40)
    parser.add_argument("--large-times", type=int, default=1)
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(17)
    if given.pictures:
        small = (jpeg(picture(random, 500, 375, 8), 90) for _ in range(given.pictures))
        write(given.folder / "small.rec", small, given.times)
    if given.large:
        large = (jpeg(picture(random, 4000, 3000, 5), 90) for _ in range(given.large))
        write(given.folder / "large.rec", large, given.large_times)


if __name__ == "__main__":
    main()
