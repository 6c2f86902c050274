"""Reads a record file of pictures for many epochs and prints the resident memory after each: it stays flat.

    python tests/soak/flat_pipeline.py [--epochs 10] [--pictures 1000]

Every tenth picture is damaged and left out, so that errors are among what must leave nothing behind.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
from PIL import Image

import mixgrad as mx


def resident() -> float:
    """Megabytes of this process in memory."""
    fields = Path("/proc/self/statm").read_text().split()
    return int(fields[1]) * 4096 / 1e6


def main() -> int:
    """Read and compare."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--pictures", type=int, default=1000)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    random = np.random.default_rng(3)
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/some.rec"
        with mx.recordio.MXRecordIO(path, "w") as record:
            for i in range(given.pictures):
                pixels = random.integers(0, 255, (6, 8, 3), dtype=np.uint8)
                file = io.BytesIO()
                size = (200 + i % 50 * 4, 150 + i % 70 * 3)
                Image.fromarray(pixels).resize(size, Image.Resampling.BICUBIC).save(file, "JPEG", quality=90)
                content = file.getvalue()[:-30] if i % 10 == 9 else file.getvalue()
                record.write(mx.recordio.pack(mx.recordio.IRHeader(0, i, i, 0), content))
        batches = mx.io.ImageRecordIter(
            path, (3, 128, 128), 32, shuffle=True, rand_crop=True, rand_mirror=True, brightness=0.2,
            resize=140, max_rotate_angle=5, damaged="skip", preprocess_threads=2,
        )  # fmt: skip
        sizes = []
        for _ in range(given.epochs):
            for batch in batches:
                batch.data[0].wait_to_read()
            batches.reset()
            sizes.append(resident())
    print("MB after each epoch:", " ".join(f"{size:.0f}" for size in sizes), f"; {batches.skipped} left out")
    grown = sizes[-1] - sizes[1]
    if grown > 4:
        print(f"grew by {grown:.0f} MB after the second epoch")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
