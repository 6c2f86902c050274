"""Writes tests/data/im2rec/golden: what real MXNet's im2rec makes of the pictures beside it.

    benchmarks/.envs/mxnet/bin/python tests/data/im2rec/make.py

The pictures themselves are committed: colour, grey, palette, transparency, progressive, turned by EXIF.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import mxnet

HERE = Path(__file__).parent
PICTURES, GOLDEN = HERE / "pictures", HERE / "golden"
SCRIPT = Path(mxnet.__file__).parent / "tools" / "im2rec.py"


def im2rec(prefix: str, *options: str) -> str:
    words = [sys.executable, str(SCRIPT), str(GOLDEN / prefix), str(PICTURES), *options]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def main() -> None:
    shutil.rmtree(GOLDEN, ignore_errors=True)
    GOLDEN.mkdir()
    im2rec("all", "--list", "--recursive")
    im2rec("flat", "--list", "--exts", ".jpg", ".txt")
    im2rec("parts", "--list", "--recursive", "--chunks", "2", "--train-ratio", "0.5", "--test-ratio", "0.25")
    im2rec("two", "--list", "--recursive", "--no-shuffle", "--train-ratio", "0.6")
    classes = im2rec("named", "--list", "--recursive", "--no-shuffle")
    (GOLDEN / "classes.txt").write_text(classes, encoding="utf-8")
    lines = [line.split("\t") for line in (GOLDEN / "named.lst").read_text(encoding="utf-8").splitlines()]
    several = "".join(f"{key}\t{label}\t2.5\t-1.000000\t{path}\n" for key, label, path in lines)
    (GOLDEN / "labels.lst").write_text(several, encoding="utf-8")
    for name in ("resized", "cropped"):
        shutil.copy(GOLDEN / "named.lst", GOLDEN / f"{name}.lst")
    im2rec("named", "--pass-through")
    im2rec("labels", "--pass-through", "--pack-label")
    im2rec("resized", "--resize", "24")
    im2rec("cropped", "--center-crop", "--resize", "20", "--quality", "80")


if __name__ == "__main__":
    main()
