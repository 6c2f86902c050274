"""Work that failed before workers were started: its error comes where it belongs, and once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from process_work import METHODS, square

import mixgrad as mx
from mixgrad.gluon.data import DataLoader


def failing() -> Any:
    """An array whose computation fails, which nobody has been told yet."""
    return mx.nd.take(mx.nd.arange(3), mx.nd.array([7]), mode="raise")


class WaitsForAll:
    """A dataset that waits for all work of its process."""

    def __len__(self) -> int:
        return 4

    def __getitem__(self, index: int) -> int:
        mx.nd.waitall()
        return index


def batches(**options: Any) -> list[Any]:
    return [batch.asnumpy().tolist() for batch in DataLoader(WaitsForAll(), 2, timeout=60, **options)]


def wait_for_all(number: int) -> int:
    mx.nd.waitall()
    return number


@contextlib.contextmanager
def told_once() -> Iterator[None]:
    """Work that fails before the body: waitall tells it after that, once, and so does its array."""
    spoilt = failing()
    yield
    with pytest.raises(mx.MXNetError, match="take"):
        mx.nd.waitall()
    mx.nd.waitall()
    with pytest.raises(mx.MXNetError, match="take"):
        spoilt.asnumpy()


@pytest.mark.parametrize("options", [{"num_workers": 2}, {"num_workers": 2, "thread_pool": True}], ids=str)
def test_a_loader_leaves_the_error_alone(options: Any) -> None:
    with told_once():
        loader = DataLoader(list(range(4)), 2, timeout=60, **options)
        assert [batch.asnumpy().tolist() for batch in loader] == [[0, 1], [2, 3]]


def test_a_dataset_that_waits_in_a_worker_is_not_told_the_programs_error() -> None:
    with told_once():
        assert batches(num_workers=2) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("method", METHODS)
def test_a_pool_leaves_the_error_alone(method: str) -> None:
    with told_once():
        assert mx.processes.run(square, (1,), 2, method=method) == [1, 2]


def test_a_function_that_waits_in_a_worker_is_not_told_the_programs_error() -> None:
    with told_once():
        assert mx.processes.run(wait_for_all, count=2, method="fork") == [0, 1]


def test_a_spoilt_array_tells_it_in_the_worker_that_reads_it() -> None:
    spoilt = failing()

    def read(number: int) -> Any:
        return spoilt.asnumpy()

    with pytest.raises(mx.MXNetError, match="take"):
        mx.processes.run(read, count=1, method="fork")
    with pytest.raises(mx.MXNetError, match="take"):
        mx.nd.waitall()


def test_what_is_being_computed_is_there_after_the_fork() -> None:
    go = threading.Event()

    class Slow(mx.operator.CustomOp):
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            go.wait(0.5)
            self.assign(out_data[0], req[0], in_data[0] + 1)

    @mx.operator.register("slow_before_fork")
    class SlowProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx: Any, shapes: Any, dtypes: Any) -> Any:
            return Slow()

    x = mx.nd.Custom(mx.nd.zeros((2,)), op_type="slow_before_fork")
    numbers = mx.gluon.data.SimpleDataset([0, 1]).transform(lambda i: x[i].asscalar())
    loader = DataLoader(numbers, 2, num_workers=1)
    assert [batch.asnumpy().tolist() for batch in loader] == [[1, 1]]


def test_reproducible_kernels_leave_the_error_alone() -> None:
    with told_once():
        before = mx._core.deterministic()
        mx._core.set_deterministic(not before)
        mx._core.set_deterministic(before)
