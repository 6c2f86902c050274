"""mx.nn.data: datasets, samplers and batches as PyTorch 2.13 has them (answers noted from real PyTorch)."""

from __future__ import annotations

import collections
import itertools
import random
import warnings
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import nn

data = nn.data
TEN = list(range(10))
Pair = collections.namedtuple("Pair", "a b")


def lists(batches: Any) -> list[Any]:
    return [batch.tolist() for batch in batches]


class Squares(data.Dataset[int]):
    def __init__(self, count: int) -> None:
        self.count, self.plus = count, 0

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> int:
        return index * index + self.plus


class Large(data.Dataset[Any]):
    """Examples of 128 KiB, of NumPy's arrays or ours."""

    def __init__(self, ours: bool) -> None:
        self.ours = ours

    def __len__(self) -> int:
        return 6

    def __getitem__(self, index: int) -> Any:
        values = np.full((32, 1024), index, "float32")
        return {"x": mx.np.array(values) if self.ours else values, "label": index}


class Stream(data.IterableDataset[int]):
    def __init__(self, count: int) -> None:
        self.count = count

    def __iter__(self) -> Any:
        return iter(range(self.count))


# ---- datasets


@pytest.mark.parametrize(
    ("count", "lengths", "sizes"),
    [
        (10, [0.5, 0.3, 0.2], [5, 3, 2]),
        (10, [0.33, 0.33, 0.34], [4, 3, 3]),
        (10, [3, 3, 4], [3, 3, 4]),
        (10, [0, 10], [0, 10]),
        (3, [0.1, 0.9], [1, 2]),
        (11, [0.25] * 4, [3, 3, 3, 2]),
        (10, [1], [10]),
    ],
)
def test_parts_have_the_sizes_of_pytorch(count: int, lengths: Any, sizes: Any) -> None:
    parts = data.random_split(range(count), lengths)
    assert [len(part) for part in parts] == sizes
    assert sorted(place for part in parts for place in part.indices) == list(range(count))
    again = [part.indices for part in data.random_split(range(count), lengths, generator=3)]
    assert again == [part.indices for part in data.random_split(range(count), lengths, generator=3)]


def test_parts_that_do_not_add_up() -> None:
    for lengths in ([3, 3, 3], [0.5, 0.3], [0.5, 0.6]):
        with pytest.raises(ValueError, match="the dataset has 10"):
            data.random_split(TEN, lengths)
    with pytest.raises(ValueError, match="fraction 0 is"):
        data.random_split(TEN, [-0.1, 1.1])
    with pytest.warns(UserWarning, match=r"part [12] of 2 examples is empty"):
        data.random_split([1, 2], [0.7, 0.1, 0.2])


def test_arrays_side_by_side() -> None:
    pairs = data.TensorDataset(mx.np.arange(6), np.arange(12).reshape(6, 2))
    assert len(pairs) == 6 and pairs[2][0].item() == 2 and pairs[2][1].tolist() == [4, 5]
    assert pairs[1:3][0].tolist() == [1, 2] and len(pairs.tensors) == 2
    assert isinstance(data.TensorDataset(np.arange(3))[0], tuple)
    with pytest.raises(AssertionError, match="3, 2 rows"):
        data.TensorDataset(np.arange(3), np.arange(2))


def test_datasets_made_of_others() -> None:
    both = data.ConcatDataset([[1, 2], [3], [4, 5, 6]])
    assert list(both) == [1, 2, 3, 4, 5, 6] and len(both) == 6 and both[-6] == 1 and both[-1] == 6
    assert both.cumulative_sizes == [2, 3, 6]
    with pytest.raises(IndexError):
        both[6]
    with pytest.raises(ValueError, match="-7"):
        both[-7]
    with pytest.raises(AssertionError):
        data.ConcatDataset([])
    with pytest.raises(AssertionError, match="iterable only"):
        data.ConcatDataset([Stream(3)])
    some = data.Subset(both, [1, 2])
    assert (len(some), some[1], some.dataset is both) == (2, 3, True)
    assert list(some + Squares(3)) == [2, 3, 0, 1, 4] and (some + some).cumulative_sizes == [2, 4]
    assert data.Subset(np.arange(5) * 2, [1, 3])[[0, 1]].tolist() == [2, 6]
    assert isinstance(some, mx.gluon.data.Dataset) and list(some.transform(lambda x: -x)) == [-2, -3]


# ---- samplers


def test_orders() -> None:
    assert list(data.SequentialSampler(TEN)) == TEN
    assert sorted(data.RandomSampler(TEN)) == TEN and list(data.RandomSampler(TEN, generator=1)) != TEN
    again = data.RandomSampler(TEN, generator=1)
    first = list(again)
    assert list(again) != first and list(data.RandomSampler(TEN, generator=1)) == first
    many = data.RandomSampler(TEN, num_samples=25)
    counts = collections.Counter(many)
    assert len(many) == sum(counts.values()) == 25 and set(counts.values()) == {2, 3}
    assert len(set(data.RandomSampler(TEN, num_samples=5))) == 5
    drawn = list(data.RandomSampler(TEN, replacement=True, num_samples=1000))
    assert len(drawn) == 1000 and min(collections.Counter(drawn).values()) > 50
    assert sorted(data.SubsetRandomSampler([3, 5])) == [3, 5]
    for seed in (7, 7):
        mx.random.seed(seed)
        orders = list(data.RandomSampler(range(50)))
    mx.random.seed(7)
    assert list(data.RandomSampler(range(50))) == orders


def test_weights() -> None:
    drawn = collections.Counter(data.WeightedRandomSampler([1, 0, 3], 4000, generator=0))
    assert drawn[1] == 0 and 2.6 < drawn[2] / drawn[0] < 3.4
    assert sorted(data.WeightedRandomSampler([0, 1.0, 1], 2, replacement=False)) == [1, 2]
    assert len(data.WeightedRandomSampler(mx.np.array([1, 2]), 5)) == 5


def test_batches_of_positions() -> None:
    assert list(data.BatchSampler(TEN, 4, False)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    assert list(data.BatchSampler(TEN, 4, True)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    made = data.BatchSampler(TEN, 4, True)
    assert (len(made), made.batch_size, made.drop_last, made.sampler) == (2, 4, True, TEN)


@pytest.mark.parametrize(
    "make",
    [
        lambda: data.RandomSampler(TEN, num_samples=0),
        lambda: data.RandomSampler([]),
        lambda: data.WeightedRandomSampler([1, 1], 0),
        lambda: data.WeightedRandomSampler([[1, 1]], 1),
        lambda: data.WeightedRandomSampler([1, 1], 1, 2),
        lambda: data.WeightedRandomSampler([-1, 1], 1),
        lambda: data.BatchSampler(TEN, 0, True),
        lambda: data.BatchSampler(TEN, 3, 1),
        lambda: data.BatchSampler(TEN, True, True),
    ],
)
def test_samplers_refuse_what_pytorchs_do(make: Any) -> None:
    with pytest.raises(ValueError):
        make()


def test_samplers_refuse_other_things() -> None:
    with pytest.raises(TypeError, match="replacement is 1"):
        data.RandomSampler(TEN, replacement=1)
    with pytest.raises(TypeError, match="generator is str"):
        data.RandomSampler(TEN, generator="seed")
    with pytest.raises(RuntimeError, match="at most as many"):  # torch's class
        data.WeightedRandomSampler([1, 1], 3, False)


# ---- batches of examples


@pytest.mark.parametrize(
    ("examples", "values", "dtype"),
    [
        ([1, 2], [1, 2], "int64"),
        ([1.5, 2.0], [1.5, 2.0], "float64"),
        ([True, False], [True, False], "bool"),
        ([np.float32(1), np.float32(2)], [1, 2], "float32"),
        ([np.zeros(2), np.ones(2)], [[0, 0], [1, 1]], "float64"),
        ([np.int8(3)], [3], "int8"),
    ],
)
def test_numbers_keep_the_dtypes_of_pytorch(examples: Any, values: Any, dtype: str) -> None:
    made = data.default_collate(examples)
    assert isinstance(made, mx.np.ndarray) and made.tolist() == values and made.dtype == np.dtype(dtype)


def test_structures_are_kept() -> None:
    made = data.default_collate([(1, 2.0), (3, 4.0)])
    assert isinstance(made, list) and lists(made) == [[1, 3], [2, 4]]
    made = data.default_collate([Pair(1, [2, 3]), Pair(4, [5, 6])])
    assert isinstance(made, Pair) and made.a.tolist() == [1, 4] and lists(made.b) == [[2, 5], [3, 6]]
    made = data.default_collate([collections.OrderedDict(a=1, b="x"), collections.OrderedDict(a=2, b="y")])
    assert (
        isinstance(made, collections.OrderedDict) and made["a"].tolist() == [1, 2] and made["b"] == ["x", "y"]
    )
    assert data.default_collate([b"a"]) == [b"a"]
    ours = data.default_collate([mx.nd.ones((2,)), mx.nd.zeros((2,))])
    assert isinstance(ours, mx.np.ndarray) and ours.shape == (2, 2) and ours.dtype == np.float32


def test_what_makes_no_batch() -> None:
    for examples in ([None, 1], [object()], [np.array("a")], [1, "a"]):
        with pytest.raises(TypeError, match=r"\[default_collate\] examples have"):
            data.default_collate(examples)
    with pytest.raises(RuntimeError, match=r"shapes \[\(2,\), \(3,\)\]"):
        data.default_collate([np.zeros(2), np.ones(3)])
    with pytest.raises(RuntimeError, match=r"\[2, 1\] parts"):
        data.default_collate([(1, 2), (1,)])
    with pytest.raises(KeyError):
        data.default_collate([{"a": 1}, {"b": 2}])


# ---- the loader


def test_lengths_and_the_last_batch() -> None:
    assert lists(data.DataLoader(TEN, batch_size=4)) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    loader = data.DataLoader(TEN, 4, drop_last=True)
    assert lists(loader) == [[0, 1, 2, 3], [4, 5, 6, 7]] == lists(loader) and len(loader) == 2
    assert (loader.batch_size, loader.drop_last, loader.dataset, loader.num_workers) == (4, True, TEN, 0)
    assert isinstance(loader.sampler, data.SequentialSampler) and loader.collate_fn is data.default_collate
    assert loader.batch_sampler.batch_size == 4 and loader.timeout == 0 and not loader.pin_memory
    assert len(data.DataLoader(TEN)) == 10 and lists(data.DataLoader([5])) == [[5]]
    assert lists(data.DataLoader(TEN, batch_sampler=[[1, 2], [3]])) == [[1, 2], [3]]
    assert data.DataLoader(TEN, batch_sampler=[[1, 2]]).batch_size is None
    assert list(data.DataLoader(TEN, batch_size=None)) == TEN
    assert len(data.DataLoader(TEN, batch_size=None)) == 10 and len(data.DataLoader([])) == 0
    shuffled = data.DataLoader(TEN, 10, shuffle=True, generator=5)
    first, second = lists(shuffled), lists(shuffled)
    assert first != second and sorted(first[0]) == TEN
    assert lists(data.DataLoader(TEN, 10, shuffle=True, generator=np.random.default_rng(5))) == first
    assert lists(data.DataLoader(TEN, 2, collate_fn=np.array)) == lists(data.DataLoader(TEN, 2))


@pytest.mark.parametrize(
    "options",
    [
        {"batch_size": 4, "batch_sampler": [[1, 2]]},
        {"drop_last": True, "batch_sampler": [[1, 2]]},
        {"shuffle": True, "batch_sampler": [[1, 2]]},
        {"shuffle": True, "sampler": [1]},
        {"batch_size": None, "drop_last": True},
        {"batch_size": 0},
        {"batch_size": 2.5},
        {"num_workers": -1},
        {"timeout": -1},
        {"prefetch_factor": 3},
        {"persistent_workers": True},
    ],
    ids=str,
)
def test_loaders_refuse_what_pytorchs_do(options: Any) -> None:
    with pytest.raises(ValueError):
        data.DataLoader(TEN, **options)


def test_what_is_fixed() -> None:
    loader = data.DataLoader(TEN)
    for name in ("batch_size", "dataset", "sampler", "drop_last", "batch_sampler"):
        with pytest.raises(ValueError, match=name):
            setattr(loader, name, 3)
    loader.collate_fn = loader.collate_fn


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_workers(method: str, persistent: bool) -> None:
    loader = data.DataLoader(
        Squares(5),
        2,
        num_workers=2,
        multiprocessing_context=method,
        persistent_workers=persistent,
        timeout=60,
    )
    assert lists(loader) == [[0, 1], [4, 9], [16]]
    loader.dataset.plus = 1  # new workers see it
    assert lists(loader) == ([[0, 1], [4, 9], [16]] if persistent else [[1, 2], [5, 10], [17]])
    two = zip(loader, loader)
    assert [(one.tolist() == other.tolist()) for one, other in two] == [True] * 3
    for _ in loader:
        break  # and their workers end


@pytest.mark.parametrize("ours", [False, True])
def test_large_batches_come_in_shared_memory(ours: bool) -> None:
    sums = [
        (batch["x"].sum().item(), batch["label"].tolist(), type(batch["x"]))
        for batch in data.DataLoader(Large(ours), 3, num_workers=2, timeout=60)
    ]
    size = 32 * 1024
    assert sums == [(3 * size, [0, 1, 2], mx.np.ndarray), (12 * size, [3, 4, 5], mx.np.ndarray)]


def test_each_batch_is_placed_where_it_is_sent_from(monkeypatch: Any) -> None:
    from mixgrad.gluon.data import _pool, _segments

    lender = _segments.Lender()
    monkeypatch.setattr(_pool, "_lender", lender)
    made = data.default_collate([np.ones((32, 1024), "float32")] * 2)
    assert id(made) in lender._placed  # so that it goes without another copy
    with mx.util.np_array(True):
        stacked = mx.gluon.data.batchify.default_mp_batchify_fn([np.ones((32, 1024), "float32")] * 2)
    assert isinstance(stacked, mx.np.ndarray) and id(stacked) in lender._placed


def test_workers_know_who_they_are() -> None:
    seen = mx.nd.zeros((2,)).share_memory_()

    def begin(number: int) -> None:
        info = data.get_worker_info()
        assert info is not None and info.num_workers == 2 and info.id == number and len(info.dataset) == 8
        seen[number] = number + 1
        seen.wait_to_read()

    who = mx.gluon.data.SimpleDataset(TEN[:8]).transform(lambda i: data.get_worker_info().id)  # type: ignore[union-attr]
    assert {int(x) for x in data.DataLoader(who, None, num_workers=2, worker_init_fn=begin, timeout=60)} == {
        0,
        1,
    }
    assert seen.asnumpy().tolist() == [1, 2] and data.get_worker_info() is None


def test_what_begins_badly_is_told() -> None:
    def begin(number: int) -> None:
        raise KeyError("no such file")

    with pytest.raises(KeyError, match="no such file"):
        list(data.DataLoader(TEN, num_workers=1, worker_init_fn=begin, timeout=60))


def test_chance_follows_the_generator_and_not_the_number_of_workers() -> None:
    noisy = mx.gluon.data.SimpleDataset(TEN).transform(lambda i: i + random.random())

    def a_pass(workers: int) -> list[Any]:
        return lists(data.DataLoader(noisy, 4, shuffle=True, num_workers=workers, generator=3, timeout=60))

    assert a_pass(1) == a_pass(3)
    assert [sorted(map(int, batch)) for batch in a_pass(1)] == [
        sorted(map(int, batch)) for batch in a_pass(0)
    ]


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("seeded", [False, True])
def test_each_pass_has_chance_of_its_own(persistent: bool, seeded: bool, monkeypatch: Any) -> None:
    if not seeded:
        monkeypatch.setattr(mx.random, "_seeded", False)
    noisy = mx.gluon.data.SimpleDataset(TEN).transform(lambda i: i + random.random())
    loader = data.DataLoader(noisy, 5, num_workers=1, persistent_workers=persistent, timeout=60)
    one, other = lists(loader), lists(loader)
    assert one != other and [[int(x) for x in batch] for batch in one] == [TEN[:5], TEN[5:]]


def test_streams() -> None:
    assert lists(data.DataLoader(Stream(5), 2)) == [[0, 1], [2, 3], [4]]
    assert lists(data.DataLoader(Stream(5), 2, drop_last=True)) == [[0, 1], [2, 3]]
    assert list(data.DataLoader(Stream(3), None)) == [0, 1, 2]
    with pytest.raises(TypeError, match="__len__"):
        len(data.DataLoader(Stream(3)))
    for options in ({"shuffle": True}, {"sampler": [1]}, {"batch_sampler": [[1]]}):
        with pytest.raises(ValueError, match="IterableDataset"):
            data.DataLoader(Stream(3), **options)


class Shared(Stream):
    """Numbers of which each worker reads its part."""

    def __iter__(self) -> Any:
        info = data.get_worker_info()
        return iter(range(self.count) if info is None else range(info.id, self.count, info.num_workers))


@pytest.mark.parametrize("persistent", [False, True])
def test_streams_in_workers(persistent: bool) -> None:
    def batches(count: int, size: Any = 2, workers: int = 2, drop_last: bool = False) -> Any:
        return data.DataLoader(
            Shared(count),
            size,
            num_workers=workers,
            drop_last=drop_last,
            persistent_workers=persistent,
            timeout=60,
        )

    loader = batches(7)
    for _ in range(2):
        assert lists(loader) == [[0, 2], [1, 3], [4, 6], [5]]  # as PyTorch's, in its order
    assert lists(batches(7, drop_last=True)) == [[0, 2], [1, 3], [4, 6]]
    assert list(batches(5, None)) == [0, 1, 2, 3, 4]
    assert lists(batches(0)) == [] and lists(batches(1, workers=3)) == [[0]]
    assert sorted(itertools.chain.from_iterable(lists(batches(100, 7, 3)))) == list(range(100))
    for _ in loader:
        break
    assert lists(loader) == [[0, 2], [1, 3], [4, 6], [5]]


def test_pinned_batches_keep_their_structure() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch = next(iter(data.DataLoader([Pair(1, {"x": "a"})] * 2, 2, pin_memory=True)))
    assert isinstance(batch, Pair) and batch.a.context == mx.cpu_pinned(0) and batch.b["x"] == ["a", "a"]


def test_a_module_learns_from_it() -> None:
    x = np.random.RandomState(0).normal(size=(64, 3)).astype("float32")
    pairs = data.TensorDataset(mx.np.array(x), mx.np.array(x.sum(axis=1, keepdims=True)))
    net = nn.Linear(3, 1)
    optimizer = mx.optim.Adam(net.parameters(), lr=0.1)
    for _ in range(12):
        for rows, wanted in data.DataLoader(pairs, 16, shuffle=True):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(net(rows), wanted)
            loss.backward()
            optimizer.step()
    assert loss.item() < 0.05


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "float16", "bool"])
@pytest.mark.parametrize("kind", ["numpy", "np", "nd"])
def test_rows_that_are_taken_at_once_are_those_one_by_one(kind: str, dtype: str) -> None:
    values = (np.arange(24).reshape(8, 3) % 5).astype(dtype)
    make: Any = {"numpy": np.array, "np": mx.np.array, "nd": mx.nd.array}[kind]
    pairs = data.TensorDataset(make(values, dtype=dtype), make(values[:, 0], dtype=dtype))
    for dataset in (pairs, data.Subset(data.Subset(pairs, [7, 1, 2, 3]), [0, 3, 2])):
        at_once = list(data.DataLoader(dataset, 2))
        one_by_one = [
            data.default_collate([dataset[place] for place in places])
            for places in data.BatchSampler(range(len(dataset)), 2, False)
        ]
        for batch, other in zip(at_once, one_by_one):
            for part, wanted in zip(batch, other):
                assert type(part) is type(wanted) is mx.np.ndarray and part.dtype == wanted.dtype
                assert part.tolist() == wanted.tolist() and part.shape == wanted.shape
        assert len(at_once) == len(one_by_one)


def test_rows_that_are_not_there() -> None:
    for make in (np.ones, mx.np.ones):
        with pytest.raises(IndexError):
            list(data.DataLoader(data.TensorDataset(make((4, 2))), batch_sampler=[[0, 9]]))
        last = next(iter(data.DataLoader(data.TensorDataset(make((4, 2))), batch_sampler=[[-1]])))
        assert last[0].shape == (1, 2)
    class_of_ones_own = type("Own", (data.TensorDataset,), {"__getitem__": lambda self, i: i})
    assert lists(data.DataLoader(class_of_ones_own(np.ones((2, 2))), 2)) == [[0, 1]]
