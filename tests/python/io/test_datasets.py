"""Data sets of files of pixels."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.io import datasets


def idx(path: Path, shape: tuple[int, ...], content: Any, packed: bool = False) -> None:
    head = bytes([0, 0, 8, len(shape), *(b for extent in shape for b in extent.to_bytes(4, "big"))])
    data = head + np.asarray(content, np.uint8).tobytes()
    path.write_bytes(gzip.compress(data) if packed else data)


PIXELS = np.arange(5 * 28 * 28).reshape(5, 28, 28) % 251


@pytest.mark.parametrize("kind", [datasets.MNIST, datasets.FashionMNIST])
@pytest.mark.parametrize("train", [True, False])
def test_digits(tmp_path: Path, kind: Any, train: bool) -> None:
    begin = "train" if train else "t10k"
    idx(tmp_path / f"{begin}-images-idx3-ubyte.gz", (5, 28, 28), PIXELS, packed=True)
    idx(tmp_path / f"{begin}-labels-idx1-ubyte", (5,), [3, 1, 4, 1, 5])
    digits = kind(tmp_path, train)
    assert len(digits) == 5
    data, label = digits[2]
    assert data.dtype == np.uint8 and data.shape == (28, 28, 1) and isinstance(data, mx.nd.NDArray)
    assert np.array_equal(data.asnumpy()[..., 0], PIXELS[2]) and label == 4 and label.dtype == np.int32
    assert digits[1:3][0].shape == (2, 28, 28, 1)
    assert kind(tmp_path, train, transform=lambda data, label: int(label) * 2)[4] == 10
    with pytest.raises(IndexError):
        digits[5]
    with pytest.raises(FileNotFoundError, match="downloads nothing"):
        kind(tmp_path, not train)


def test_digits_that_do_not_fit(tmp_path: Path) -> None:
    idx(tmp_path / "train-images-idx3-ubyte", (5, 28, 28), PIXELS)
    idx(tmp_path / "train-labels-idx1-ubyte", (4,), [0] * 4)
    with pytest.raises(ValueError, match=r"\[MNIST\] 5 images and 4 labels"):
        datasets.MNIST(tmp_path)
    idx(tmp_path / "train-images-idx3-ubyte", (5, 28, 29), PIXELS)
    with pytest.raises(mx.MXNetError, match=r"\[MNIST\].*claims shape"):
        datasets.MNIST(tmp_path)


def test_the_default_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=str(tmp_path / "datasets" / "cifar10")):
        datasets.CIFAR10()


def cifar(path: Path, labels: Any, width: int = 1) -> Any:
    rng = np.random.default_rng(len(labels))
    rows = rng.integers(0, 256, (len(labels), width + 3072)).astype(np.uint8)
    rows[:, :width] = np.reshape(labels, (-1, width))
    path.write_bytes(rows.tobytes())
    return rows


def test_cifar10(tmp_path: Path) -> None:
    folder = tmp_path / "cifar-10-batches-bin"
    folder.mkdir()
    rows = [cifar(folder / f"data_batch_{i}.bin", [i, i + 1]) for i in range(1, 6)]
    cifar(tmp_path / "test_batch.bin", [9])
    train, test = datasets.CIFAR10(tmp_path), datasets.CIFAR10(tmp_path, train=False)
    assert (len(train), len(test), test[0][1]) == (10, 1, 9)
    assert [int(train[i][1]) for i in range(10)] == [1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    planes = rows[2][1, 1:].reshape(3, 32, 32)
    assert np.array_equal(train[5][0].asnumpy(), planes.transpose(1, 2, 0))


def test_cifar100(tmp_path: Path) -> None:
    cifar(tmp_path / "train.bin", [[3, 77], [19, 99]], 2)
    assert [int(y) for _, y in (datasets.CIFAR100(tmp_path)[i] for i in range(2))] == [3, 19]
    fine = datasets.CIFAR100(tmp_path, fine_label=True)
    assert [int(fine[i][1]) for i in range(2)] == [77, 99]


@pytest.mark.parametrize(
    ("content", "match"),
    [
        (b"", "has 0 bytes; expected a multiple of 3073"),
        (bytes(3072), "has 3072 bytes"),
        (
            bytes(3073) + bytes([10, *range(250)]) + bytes(2822),
            "has the label 10 at picture 1; expected 0 to 9",
        ),
    ],
)
def test_damaged_cifar(tmp_path: Path, content: bytes, match: str) -> None:
    (tmp_path / "test_batch.bin").write_bytes(content)
    with pytest.raises(mx.MXNetError, match=match):
        datasets.CIFAR10(tmp_path, train=False)


def test_batches_of_a_dataset(tmp_path: Path) -> None:
    idx(tmp_path / "train-images-idx3-ubyte", (5, 28, 28), PIXELS)
    idx(tmp_path / "train-labels-idx1-ubyte", (5,), [3, 1, 4, 1, 5])
    it = mx.io.IterableIter(datasets.MNIST(tmp_path), 0, 1, batch_size=2)
    batch = it.next()
    assert batch.data[0].shape == (2, 28, 28, 1) and batch.data[0].dtype == np.uint8
    assert batch.label[0].asnumpy().tolist() == [3, 1] and len(list(it)) == 2
