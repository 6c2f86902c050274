"""Pictures per second of mixgrad, MXNet, PyTorch's DataLoader and bare libturbojpeg, in turn.

    python benchmarks/pipeline/make_pictures.py FOLDER
    python benchmarks/pipeline/compare.py FOLDER --bare BARE_DECODE [--mxnet PYTHON] [--torch PYTHON]

BARE_DECODE is the program of bare_decode.cc. Each measurement is a process of its own, after two batches
that do not count. The case
"train" is resize 256, a random crop of 224 x 224, a random mirror, mean and deviation, float32; "crop" is
the same without the resize.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

MEAN, DEVIATION = (123.68, 116.28, 103.53), (58.395, 57.12, 57.375)

ITERATOR = """
import sys, time
mx = __import__(sys.argv[1])
folder, case, large, seconds = sys.argv[2], sys.argv[3], sys.argv[4] == "large", float(sys.argv[5])
path = f"{folder}/{'large' if large else 'small'}.rec"
options = dict(path_imgrec=path, data_shape=(3, 224, 224), batch_size=4 if large else 128,
    rand_crop=True, rand_mirror=True, mean_r=123.68, mean_g=116.28, mean_b=103.53, std_r=58.395, std_g=57.12,
    std_b=57.375,
    preprocess_threads=2, prefetch_buffer=4)
if case != "crop": options["resize"] = 256
if case == "scaled": options["scale_decoding"] = True
batches = mx.io.ImageRecordIter(**options)
def take():
    try: batch = batches.next()
    except StopIteration:
        batches.reset()
        batch = batches.next()
    batch.data[0].wait_to_read()
    return batch.data[0].shape[0]
take(), take()
begin, count = time.perf_counter(), 0
while time.perf_counter() - begin < seconds: count += take()
print(count / (time.perf_counter() - begin))
"""

TORCH = """
import io, random, struct, sys, time
import numpy as np, torch
from PIL import Image
folder, case, large, seconds = sys.argv[2], sys.argv[3], sys.argv[4] == "large", float(sys.argv[5])
path = f"{folder}/{'large' if large else 'small'}"
offsets = [int(line.split()[1]) for line in open(path + ".idx")]
mean = torch.tensor([123.68, 116.28, 103.53]).view(3, 1, 1)
factor = 1 / torch.tensor([58.395, 57.12, 57.375]).view(3, 1, 1)
class Records(torch.utils.data.Dataset):
    file = None
    def __len__(self): return len(offsets)
    def __getitem__(self, i):
        self.file = self.file or open(path + ".rec", "rb")
        self.file.seek(offsets[i])
        length = struct.unpack("<II", self.file.read(8))[1] & (1 << 29) - 1
        data = self.file.read(length)
        image = Image.open(io.BytesIO(data[24:])).convert("RGB")
        w, h = image.size
        if case != "crop":
            w, h = (256 * w // h, 256) if w > h else (256, 256 * h // w)
            image = image.resize((w, h), Image.BILINEAR)
        x, y = random.randint(0, w - 224), random.randint(0, h - 224)
        image = image.crop((x, y, x + 224, y + 224))
        if random.random() < 0.5: image = image.transpose(Image.FLIP_LEFT_RIGHT)
        pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1).float()
        return (pixels - mean) * factor, struct.unpack("<f", data[4:8])[0]
loader = torch.utils.data.DataLoader(Records(), batch_size=4 if large else 128, num_workers=2,
prefetch_factor=2)
def forever():
    while True: yield from loader
batches = forever()
next(batches), next(batches)
begin, count = time.perf_counter(), 0
while time.perf_counter() - begin < seconds: count += len(next(batches)[0])
print(count / (time.perf_counter() - begin))
"""


def measure(command: list[str], **environment: str) -> float:
    """The number that the program prints last."""
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr[-2000:])
    return float(done.stdout.split()[-1])


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--bare", required=True)
    parser.add_argument("--mxnet")
    parser.add_argument("--torch")
    parser.add_argument("--seconds", default="5")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sizes", nargs="*", default=["small", "large"])
    parser.add_argument("--cases", nargs="*", default=["train", "crop", "scaled"])
    parser.add_argument("--only", nargs="*", default=["bare", "mixgrad", "mxnet", "torch"])
    given = parser.parse_args()
    for size in given.sizes:
        record = str(Path(given.folder) / f"{size}.rec")
        for case in given.cases:
            if (case == "crop" and size == "large") or (case == "scaled" and size == "small"):
                continue
            eighths = "1" if case == "scaled" else "8"
            tail = [given.folder, case, size, given.seconds]
            ways = {"bare": [given.bare, record, "2", eighths, given.seconds]}
            ways["mixgrad"] = [sys.executable, "-c", ITERATOR, "mixgrad", *tail]
            if given.mxnet and case != "scaled":
                ways["mxnet"] = [given.mxnet, "-c", ITERATOR, "mxnet", *tail]
            if given.torch and case != "scaled":
                ways["torch"] = [given.torch, "-c", TORCH, "torch", *tail]
            found: dict[str, list[float]] = {way: [] for way in ways if way in given.only}
            for _ in range(given.rounds):
                for way in found:
                    found[way].append(measure(ways[way], OMP_NUM_THREADS="2"))
            middle = {way: statistics.median(values) for way, values in found.items()}
            print(size, case, "  ".join(f"{way} {value:.1f}" for way, value in middle.items()), flush=True)


if __name__ == "__main__":
    main()
