"""Datasets, samplers and functions that make batches."""

from __future__ import annotations

import os
import pickle
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import data
from mixgrad.gluon.data import batchify


def test_filter_shard_take_sample_and_transform() -> None:
    numbers = data.SimpleDataset(list(range(9)))
    assert list(numbers.filter(lambda x: x % 4 == 1)) == [1, 5]
    shards = [list(numbers.shard(4, i)) for i in range(4)]
    assert shards == [[0, 1, 2], [3, 4], [5, 6], [7, 8]]
    assert list(numbers.take(2)) == [0, 1]
    assert len(numbers.take(None)) == len(numbers.take(99)) == 9
    assert list(numbers.sample(data.SequentialSampler(3, start=4))) == [4, 5, 6]
    assert list(numbers.transform(lambda x: x + 1).filter(lambda x: x % 5 == 0)) == [5]
    with pytest.raises(TypeError, match="sampler is list"):
        numbers.sample([1, 2])  # type: ignore[arg-type]
    for count, index in ((0, 0), (3, 3), (3, -1)):
        with pytest.raises(AssertionError):
            numbers.shard(count, index)


@pytest.mark.parametrize("lazy", [True, False])
def test_transforms_get_the_parts_of_examples(lazy: bool) -> None:
    calls = []

    def double(x: Any) -> Any:
        calls.append(x)
        return 2 * x

    pairs = data.ArrayDataset([1, 2, 3], [7, 8, 9])
    first = pairs.transform_first(double, lazy=lazy)
    assert len(calls) == (0 if lazy else 3)
    assert [first[i] for i in range(3)] == [(2, 7), (4, 8), (6, 9)]
    assert pairs.transform(lambda x, y: x + y, lazy=lazy)[2] == 12
    assert data.SimpleDataset([5]).transform_first(double, lazy=lazy)[0] == 10


def test_arrays_side_by_side() -> None:
    x = mx.nd.random.uniform(shape=(10, 3))
    pairs = data.ArrayDataset(x, mx.nd.arange(10))
    row, label = pairs[4]
    assert (row.asnumpy() == x[4].asnumpy()).all()
    assert label == 4.0 and not isinstance(label, mx.nd.NDArray)
    assert data.ArrayDataset(np.arange(3))[1] == 1
    for arrays in ((), ([1, 2], [1])):
        with pytest.raises(AssertionError):
            data.ArrayDataset(*arrays)


def test_records(tmp_path: Any) -> None:
    path = str(tmp_path / "words")
    with mx.recordio.MXIndexedRecordIO(path + ".idx", path + ".rec", "w") as record:
        for i in range(5):
            record.write_idx(i, str(i).encode())
    words = data.RecordFileDataset(path + ".rec")
    assert [words[i] for i in range(len(words))] == [b"0", b"1", b"2", b"3", b"4"]
    assert list(pickle.loads(pickle.dumps(words)).take(2)) == [b"0", b"1"]


def test_files_that_are_missing_are_named(tmp_path: Any) -> None:
    vision = data.vision
    for kind, name in (
        (vision.MNIST, "train-images-idx3-ubyte.gz"),
        (vision.FashionMNIST, "train-images-idx3-ubyte.gz"),
        (vision.CIFAR10, "data_batch_1.bin"),
        (vision.CIFAR100, "train.bin"),
    ):
        with pytest.raises(FileNotFoundError, match=name):
            kind(root=str(tmp_path))


def test_pictures_of_local_files_are_datasets(tmp_path: Any) -> None:
    rows = np.arange(3 * 3073, dtype=np.int64) % 251
    rows = rows.reshape(3, 3073).astype(np.uint8)
    rows[:, 0] = [3, 1, 2]
    (tmp_path / "test_batch.bin").write_bytes(rows.tobytes())
    cifar = data.vision.CIFAR10(root=str(tmp_path), train=False)
    picture, label = cifar[1]
    assert picture.shape == (32, 32, 3) and picture.dtype == np.uint8 and label == 1
    assert (picture.asnumpy().transpose(2, 0, 1).ravel() == rows[1, 1:]).all()
    assert [int(y) for _, y in cifar.filter(lambda pair: pair[1] > 1)] == [3, 2]
    tensors = cifar.transform_first(data.vision.transforms.ToTensor())
    batch, labels = next(iter(data.DataLoader(tensors, batch_size=3)))
    assert batch.shape == (3, 3, 32, 32) and labels.asnumpy().tolist() == [3, 1, 2]

    root = tmp_path / "folders"
    for name in ("cat", "dog"):
        os.makedirs(root / name)
        mx.recordio._pictures.encode(np.zeros((4, 5, 3), np.uint8), 95, ".png", "test")
        (root / name / "0.png").write_bytes(
            mx.recordio._pictures.encode(np.full((4, 5, 3), 9, np.uint8), 3, ".png", "test")
        )
    folders = data.vision.ImageFolderDataset(str(root))
    assert folders.synsets == ["cat", "dog"]
    assert [(x.shape, y) for x, y in folders.take(2)] == [((4, 5, 3), 0), ((4, 5, 3), 1)]
    listed = data.vision.ImageListDataset(str(root), [[0.5, "cat/0.png"]])
    assert listed[0][1].tolist() == [0.5]


# ---- samplers


def test_last_batches() -> None:
    def batches(kind: str, passes: int) -> list[Any]:
        sampler = data.BatchSampler(data.SequentialSampler(7), 3, kind)
        made = []
        for _ in range(passes):
            count = len(sampler)
            made.append(list(sampler))
            assert len(made[-1]) == count
        return made

    assert batches("keep", 1) == [[[0, 1, 2], [3, 4, 5], [6]]]
    assert batches("discard", 1) == [[[0, 1, 2], [3, 4, 5]]]
    assert batches("rollover", 3) == [
        [[0, 1, 2], [3, 4, 5]],
        [[6, 0, 1], [2, 3, 4]],
        [[5, 6, 0], [1, 2, 3], [4, 5, 6]],
    ]
    with pytest.raises(ValueError, match="last_batch is 'drop'"):
        data.BatchSampler(data.SequentialSampler(7), 3, "drop")


def test_intervals_and_filters() -> None:
    assert list(data.IntervalSampler(10, 3)) == [0, 3, 6, 9, 1, 4, 7, 2, 5, 8]
    short = data.IntervalSampler(10, 3, rollover=False)
    assert list(short) == [0, 3, 6, 9] and len(short) == 4
    with pytest.raises(AssertionError):
        data.IntervalSampler(3, 7)
    odd = data.FilterSampler(lambda x: x % 2, data.SimpleDataset([4, 5, 7]))
    assert list(odd) == [1, 2] and len(odd) == 2


def test_shuffles_follow_the_seed() -> None:
    sampler = data.RandomSampler(1000)
    mx.random.seed(5)
    first, second = list(sampler), list(sampler)
    mx.random.seed(5)
    assert list(sampler) == first != second
    assert sorted(first) == sorted(second) == list(range(1000))


def test_shuffles_without_a_seed_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mx.random, "_seeded", False)
    np.random.seed(3)  # noqa: NPY002
    order = list(data.RandomSampler(20))
    np.random.seed(3)  # noqa: NPY002
    expected = np.arange(20)
    np.random.shuffle(expected)  # noqa: NPY002
    assert order == expected.tolist()


# ---- batches


def test_default_batches() -> None:
    stack = data.dataloader.default_batchify_fn
    assert stack([1, 2]).dtype == np.int64
    assert stack([np.ones(2, np.float16), np.zeros(2, np.float16)]).dtype == np.float16
    x, (y, z) = stack([(mx.nd.ones(3), (1, 2.5)), (mx.nd.zeros(3), (3, 4.5))])
    assert x.shape == (2, 3) and y.asnumpy().tolist() == [1, 3] and z.asnumpy().tolist() == [2.5, 4.5]
    for examples in ([{"a": 1}], ["text"]):
        with pytest.raises(TypeError, match="batchify_fn"):
            stack(examples)


def test_batches_of_ragged_examples() -> None:
    pad = batchify.Pad(val=-1, round_to=4)
    assert pad([[1, 2], [3]]).asnumpy().tolist() == [[1, 2, -1, -1], [3, -1, -1, -1]]
    both = batchify.Pad(dtype="float32")([mx.nd.ones((2, 1)), mx.nd.ones((1, 3))])
    assert both.dtype == np.float32
    assert both.asnumpy().tolist() == [[[1, 0, 0], [1, 0, 0]], [[1, 1, 1], [0, 0, 0]]]
    with pytest.raises(ValueError, match="one number of axes"):
        pad([[1], [[2]]])
    assert [a.shape for a in batchify.Append(expand=False)([[1, 2], [3]])] == [(2,), (1,)]
    group = batchify.Group(batchify.Stack(), batchify.AsList())
    x, names = group([(1, "a"), (2, "b")])
    assert x.asnumpy().tolist() == [1, 2] and names == ["a", "b"]
    with pytest.raises(ValueError, match="3 parts"):
        group([(1, 2, 3)])
    with pytest.raises(TypeError, match="expected functions"):
        batchify.Group(batchify.Stack(), 3)  # type: ignore[arg-type]
