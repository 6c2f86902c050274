"""Loaders whose datasets misbehave, whose process forks in the midst of a pass, and copies of them."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import data

KINDS: dict[str, dict[str, Any]] = {
    "program": {},
    "threads": {"num_workers": 2, "thread_pool": True},
    "processes": {"num_workers": 2},
}
WORKERS = ["threads", "processes"]


class _Ends:
    """A dataset that leaks an exception which means the end to whoever iterates."""

    def __len__(self) -> int:
        return 8

    def __getitem__(self, i: int) -> int:
        if i == 5:
            raise StopIteration
        return i


@pytest.mark.parametrize("kind", KINDS)
def test_a_dataset_does_not_end_a_pass(kind: str) -> None:
    loader = data.DataLoader(_Ends(), 2, timeout=30, **KINDS[kind])
    taken = []
    with pytest.raises(mx.MXNetError, match=r"\[DataLoader\] the dataset .* StopIteration .*\[4, 5\]"):
        for batch in loader:
            taken += batch.asnumpy().tolist()
    assert taken == [0, 1, 2, 3]


HANGS = """
import time
import mixgrad as mx

class Hangs:
    def __len__(self):
        return 4
    def __getitem__(self, i):
        if i == 2:
            time.sleep(1000)
        return i

loader = mx.gluon.data.DataLoader(Hangs(), 1, num_workers=2, thread_pool=True, timeout=0.5)
try:
    list(loader)
except mx.gluon.data.dataloader.LoaderTimeoutError as error:
    print(error)
"""


def test_a_program_ends_although_a_thread_hangs() -> None:
    done = subprocess.run(
        [sys.executable, "-c", HANGS], capture_output=True, text=True, timeout=60, check=True
    )
    assert "no thread has made batch 2 within 0.5 s" in done.stdout and not done.stderr


@pytest.mark.parametrize("kind", WORKERS)
def test_a_child_leaves_the_parents_pass_alone(kind: str) -> None:
    loader = data.DataLoader(list(range(40)), 2, timeout=30, **KINDS[kind])
    batches = iter(loader)
    taken = next(batches).asnumpy().tolist()
    child = os.fork()
    if child == 0:
        try:
            next(batches)
            os._exit(1)
        except data.dataloader.WorkerDiedError as error:
            os._exit(0 if "before the process was forked" in str(error) else 2)
        finally:
            os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    for batch in batches:
        taken += batch.asnumpy().tolist()
    assert taken == list(range(40))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", ["pickle", "deepcopy", "copy"])
def test_copies_of_a_loader(kind: str, way: str) -> None:
    loader = data.DataLoader(list(range(6)), 2, timeout=30, **KINDS[kind])
    loader.refresh()
    twin = {
        "pickle": lambda: pickle.loads(pickle.dumps(loader)),
        "deepcopy": lambda: copy.deepcopy(loader),
        "copy": lambda: copy.copy(loader),
    }[way]()
    assert [batch.asnumpy().tolist() for batch in twin] == [[0, 1], [2, 3], [4, 5]]
    del twin
    assert [batch.asnumpy().tolist() for batch in loader] == [[0, 1], [2, 3], [4, 5]]


def test_batches_ahead_are_at_most_those_there_are() -> None:
    loader = data.DataLoader([1, 2, 3], 2, num_workers=1, thread_pool=True, prefetch=2**31 - 1)
    assert len(list(loader)) == 2


@pytest.mark.parametrize(
    "words, message",
    [
        ({"timeout": None}, r"timeout is None; expected more than 0"),
        ({"timeout": "x"}, r"timeout is 'x'"),
        ({"num_workers": 1.5}, r"num_workers is 1.5; expected a whole number"),
        ({"num_workers": None}, r"num_workers is None"),
        ({"prefetch": "x"}, r"prefetch is 'x'"),
        ({"batchify_fn": 5}, r"batchify_fn is 5; expected a function"),
    ],
)
def test_arguments_that_are_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=r"^\[DataLoader\] " + message):
        data.DataLoader([1, 2, 3], 2, **words)


def test_negative_numbers_of_workers_are_none() -> None:
    loader = data.DataLoader(np.arange(3), 2, num_workers=-1)
    assert [batch.asnumpy().tolist() for batch in loader] == [[0, 1], [2]]


@pytest.mark.parametrize("kind", KINDS)
def test_examples_that_make_no_batch(kind: str) -> None:
    for examples, message in (
        ([(1, 2), (3,)], r"example 1 of the batch is tuple of 1 parts; expected a tuple of 2 parts"),
        ([(1, 2), np.zeros(2)], r"example 1 of the batch is ndarray; expected a tuple of 2 parts"),
        (
            [np.zeros(2), np.zeros(3)],
            r"2 examples, of which the first is ndarray .*; expected numbers or arrays",
        ),
    ):
        with pytest.raises(ValueError, match=r"\[batchify\] " + message):
            list(data.DataLoader(examples, 2, timeout=30, **KINDS[kind]))
