"""Makes ``samplings.rec``: one picture in every sampling and kind of JPEG file that ``cjpeg`` writes.

python tests/data/pictures/make_samplings.py     # with cjpeg of libjpeg-turbo (Debian: libjpeg-turbo-progs)
"""

import subprocess
from pathlib import Path

import numpy as np

import mixgrad as mx

KINDS = [
    *(["-sample", factors] for factors in ("1x1", "1x2", "2x1", "2x2", "1x4", "4x1", "4x2", "2x4", "3x1")),
    *(["-sample", factors] for factors in ("1x3", "3x2", "2x2,1x2,1x1", "2x2,2x1,2x1", "1x1,2x2,1x1")),
    ["-sample", "2x2", "-restart", "1"],
    ["-sample", "2x2", "-restart", "3B"],
    ["-sample", "2x2", "-progressive"],
    ["-arithmetic"],
    ["-rgb"],
    ["-grayscale"],
    ["-grayscale", "-sample", "2x2"],
]


def main() -> None:
    """Write the file beside this program."""
    random = np.random.RandomState(1)
    y, x = np.mgrid[:101, :74]
    waves = 110 + 80 * np.sin(0.15 * x + 0.2 * y)[..., None] * np.array([1, 0.5, -1])
    pixels = (waves + random.randint(0, 40, (101, 74, 3))).clip(0, 255).astype(np.uint8)
    portable = b"P6 74 101 255\n" + pixels.tobytes()
    writer = mx.recordio.MXRecordIO(str(Path(__file__).parent / "samplings.rec"), "w")
    for number, kind in enumerate(KINDS):
        done = subprocess.run(
            ["cjpeg", "-quality", "75", *kind], input=portable, capture_output=True, check=True
        )
        writer.write(mx.recordio.pack(mx.recordio.IRHeader(0, 0.0, number, 0), done.stdout))
    writer.close()


if __name__ == "__main__":
    main()
