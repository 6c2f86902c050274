"""Kills processes that read batches, at random moments, and lets others go on from the noted position.

    python tests/soak/kill_pipeline.py [--places 30] [--seed 0] [--orders chunks index]

Every batch of three epochs must come once, in order, with the same bits as without a kill; each process has
another number of threads.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

EPOCHS, BATCH = 3, 8


def make_records(folder: Path) -> None:
    """A record file of 61 noisy JPEG files."""
    from PIL import Image

    import mixgrad as mx

    generator = np.random.RandomState(1)
    with mx.recordio.MXIndexedRecordIO(str(folder / "some.idx"), str(folder / "some.rec"), "w") as record:
        for i in range(61):
            file = io.BytesIO()
            pixels = generator.randint(0, 255, (60, 80, 3), dtype=np.uint8)
            Image.fromarray(pixels).save(file, "JPEG", quality=80)
            record.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, i, i, 0), file.getvalue()))


def read(folder: Path, threads: int, indexed: bool, pause: float) -> None:
    """The child: batches from the position in the log on, each noted with the position behind it."""
    import mixgrad as mx

    options = {"path_imgidx": str(folder / "some.idx")} if indexed else {}
    batches = mx.io.ImageRecordIter(
        str(folder / "some.rec"),
        (3, 40, 44),
        BATCH,
        shuffle=True,
        seed=7,
        rand_crop=True,
        rand_mirror=True,
        brightness=0.2,
        resize=48,
        preprocess_threads=threads,
        **options,
    )
    log = folder / "log"
    lines = log.read_text().splitlines() if log.exists() else []
    whole = [line for line in lines if line.endswith("}")]
    log.write_text("".join(line + "\n" for line in whole))
    epoch = 0
    if whole:
        last = json.loads(whole[-1])
        epoch = last["epoch"]
        batches.load_state_dict(last["state"])
    with log.open("a") as file:
        while epoch < EPOCHS:
            try:
                batch = batches.next()
            except StopIteration:
                epoch += 1
                batches.reset()
                continue
            digest = hashlib.sha256(
                batch.data[0].asnumpy().tobytes() + batch.label[0].asnumpy().tobytes()
            ).hexdigest()
            print(
                json.dumps({"digest": digest, "epoch": epoch, "state": batches.state_dict()}),
                file=file,
                flush=True,
            )
            time.sleep(pause)


def child(folder: Path, threads: int, indexed: bool, pause: float) -> subprocess.Popen[bytes]:
    arguments = ["--child", str(folder), "--threads", str(threads), "--pause", str(pause)]
    return subprocess.Popen([sys.executable, __file__, *arguments, *(["--indexed"] if indexed else [])])


def digests(folder: Path) -> list[str]:
    return [
        json.loads(line)["digest"] for line in (folder / "log").read_text().splitlines() if line.endswith("}")
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--places", type=int, default=30)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--orders", nargs="*", default=["chunks", "index"])
    parser.add_argument("--child", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pause", type=float, default=0)
    parser.add_argument("--indexed", action="store_true")
    given = parser.parse_args()
    if given.child:
        read(given.child, given.threads, given.indexed, given.pause)
        return 0
    random.seed(given.seed)
    killed = 0
    for order in given.orders:
        indexed = order == "index"
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            make_records(folder)
            assert child(folder, 1, indexed, 0).wait() == 0
            expected = digests(folder)
            os.remove(folder / "log")
            places = sorted(
                random.sample(
                    range(1, len(expected)), min(-(-given.places // len(given.orders)), len(expected) - 1)
                )
            )
            for place in places:
                process = child(folder, random.choice([1, 2, 7]), indexed, 0.02)
                while (
                    process.poll() is None
                    and len(digests(folder) if (folder / "log").exists() else []) < place
                ):
                    time.sleep(0.005)
                time.sleep(random.random() * 0.02)
                process.send_signal(signal.SIGKILL)
                killed += process.wait() == -signal.SIGKILL
            assert child(folder, 2, indexed, 0).wait() == 0
            if digests(folder) != expected:
                print(f"the batches differ ({order}, killed at {places})")
                return 1
    print(f"{killed} processes killed; every batch came once, with the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
