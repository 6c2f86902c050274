"""Make a list of pictures, or pack pictures into a record file: MXNet's im2rec, with its options and files.

    python tools/im2rec.py --list --recursive train pictures/     writes train.lst
    python tools/im2rec.py --resize 256 train pictures/           writes train.rec and train.idx

It is `mixgrad im2rec` (docs/packing.md) for scripts that look for this file.
"""

from __future__ import annotations

import sys

from mixgrad.command import main

if __name__ == "__main__":
    sys.exit(main(["im2rec", *sys.argv[1:]]))
