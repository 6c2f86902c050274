"""Makes the record files of this folder and what MXNet 1.9.1 makes of them.

    python tests/data/pictures/make.py     # in an environment with mxnet 1.9.1 and Pillow

``batches.rec`` holds pictures of several sizes, ``boxes.rec`` pictures with boxes. ``answers.json`` has, for
each case of
``cases.py``, the SHA-256 of the batch where it is equal bit for bit, and ``answers.npz`` the first picture
where rounding may
differ by 1.
"""

import hashlib
import io
import json
from pathlib import Path

import mxnet as mx
import numpy as np
from mxnet import recordio
from PIL import Image

from cases import BOXES, EXACT, NEAR

HERE = Path(__file__).parent
SIZES = [(48, 64), (75, 52), (60, 60), (61, 47)]
LABELS = [
    [2, 5, 0, 0.1, 0.2, 0.5, 0.6],
    [2, 5, 1, 0.3, 0.3, 0.9, 0.8, 2, 0, 0, 0.2, 0.2],
    [4, 5, 7, 7, 1, 0.3, 0.3, 0.9, 0.8],
    [2, 5, 3, 0.5, 0.5, 0.6, 0.9],
]


def jpeg(number: int) -> bytes:
    random = np.random.RandomState(number)
    height, width = SIZES[number]
    y, x = np.mgrid[:height, :width]
    waves = [
        127 + 120 * np.sin(x / 7.0 + number),
        127 + 120 * np.cos(y / 5.0 + number),
        127 + 100 * np.sin((x + y) / 9.0),
    ]
    pixels = np.stack(waves, 2) + random.randn(height, width, 3) * 5
    file = io.BytesIO()
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(file, "JPEG", quality=85)
    return file.getvalue()


def write(name: str, headers: list) -> None:
    record = recordio.MXIndexedRecordIO(str(HERE / f"{name}.idx"), str(HERE / f"{name}.rec"), "w")
    for number, header in enumerate(headers):
        record.write_idx(number, recordio.pack(header, jpeg(number)))
    record.close()


write("batches", [recordio.IRHeader(0, float(i), i, 0) for i in range(4)])
write(
    "boxes",
    [recordio.IRHeader(len(label), np.array(label, np.float32), i, 0) for i, label in enumerate(LABELS)],
)


def batch_of(kind: str, name: str, options: dict) -> "mx.io.DataBatch":
    return getattr(mx.io, kind)(path_imgrec=str(HERE / f"{name}.rec"), batch_size=4, **options).next()


def digest(array: "mx.nd.NDArray") -> str:
    return hashlib.sha256(array.asnumpy().tobytes()).hexdigest()


digests = {
    name: digest(batch_of(kind, "batches", options).data[0]) for name, (kind, options) in EXACT.items()
}
for name, options in BOXES.items():
    batch = batch_of("ImageDetRecordIter", "boxes", options)
    digests[f"boxes {name}"] = digest(batch.data[0])
    digests[f"labels {name}"] = digest(batch.label[0])
(HERE / "answers.json").write_text(json.dumps(digests, indent=1) + "\n")
near = {
    name: batch_of("ImageRecordIter", "batches", options).data[0].asnumpy()[0]
    for name, options in NEAR.items()
}
np.savez_compressed(HERE / "answers.npz", **{name: array.astype(np.uint8) for name, array in near.items()})
