"""Positions of iterators: after load_state_dict the next batch is the very next one."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import numpy as np
import pytest
from positions import content, goes_on_everywhere

import mixgrad as mx


@pytest.mark.parametrize("last", ["pad", "discard", "roll_over"])
@pytest.mark.parametrize(("shuffle", "seed"), [(False, None), (True, None), (True, 5)])
@pytest.mark.parametrize("batch_size", [3, 7])
def test_arrays(last: str, shuffle: bool, seed: Optional[int], batch_size: int) -> None:
    data = np.arange(14).reshape(7, 2)
    goes_on_everywhere(lambda: mx.io.NDArrayIter(data, data[:, 0], batch_size, shuffle, last, seed=seed))


def test_batches_larger_than_the_data() -> None:
    goes_on_everywhere(lambda: mx.io.NDArrayIter(np.arange(3), None, 5, seed=1, shuffle=True))


def test_examples_that_roll_over_two_passes() -> None:
    it = mx.io.NDArrayIter(np.arange(3), batch_size=8, last_batch_handle="roll_over")
    for _ in range(2):
        assert list(it) == []
        it.reset()
    other = mx.io.NDArrayIter(np.arange(3), batch_size=8, last_batch_handle="roll_over")
    other.load_state_dict(it.state_dict())
    assert content(other.next()) == content(it.next())


def test_csr_and_layout() -> None:
    dense = np.eye(7, 4)
    goes_on_everywhere(
        lambda: mx.io.NDArrayIter(mx.nd.array(dense).tostype("csr"), None, 3, last_batch_handle="discard")
    )
    goes_on_everywhere(lambda: mx.io.NDArrayIter(dense.T, None, 3, True, "roll_over", layout="TN", seed=2))


@pytest.mark.parametrize("round_batch", [True, False])
def test_csv(tmp_path: Path, round_batch: bool) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("".join(f"{i},{2 * i}\n" for i in range(7)))
    goes_on_everywhere(
        lambda: mx.io.CSVIter(data_csv=path, data_shape=(2,), batch_size=3, round_batch=round_batch)
    )


def test_the_current_batch_of_a_file_is_there_after_loading(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("".join(f"{i}\n" for i in range(6)))
    it, other = (mx.io.CSVIter(data_csv=path, data_shape=(1,), batch_size=2) for _ in range(2))
    it.next()
    other.load_state_dict(it.state_dict())
    assert other.getdata().asnumpy().tolist() == [[0], [1]] and other.getindex().tolist() == [0, 1]
    assert other.next().data[0].asnumpy().tolist() == [[2], [3]]


def test_libsvm_and_mnist(tmp_path: Path) -> None:
    path = tmp_path / "rows.t"
    path.write_text("".join(f"{i} {i % 3}:1\n" for i in range(7)))
    goes_on_everywhere(lambda: mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=3))
    (tmp_path / "images").write_bytes(bytes([0, 0, 8, 3, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 2, *range(14)]))
    (tmp_path / "labels").write_bytes(bytes([0, 0, 8, 1, 0, 0, 0, 7, *range(7)]))
    files = {"image": tmp_path / "images", "label": tmp_path / "labels"}
    goes_on_everywhere(lambda: mx.io.MNISTIter(**files, batch_size=2, shuffle=True, seed=4))


def test_iterators_over_iterators() -> None:
    def inner() -> Any:
        return mx.io.NDArrayIter(np.arange(7), None, 3, True, seed=1)

    goes_on_everywhere(lambda: mx.io.ResizeIter(inner(), 5))
    goes_on_everywhere(lambda: mx.io.ResizeIter(inner(), 2, reset_internal=False))
    goes_on_everywhere(lambda: mx.io.PrefetchingIter(inner()))
    goes_on_everywhere(
        lambda: mx.io.PrefetchingIter([inner(), inner()], rename_data=[{"data": "a"}, {"data": "b"}])
    )


@pytest.mark.parametrize("layout", ["NT", "TN"])
def test_sentences(layout: str) -> None:
    sentences = [list(range(1 + i % 4)) for i in range(30)]
    goes_on_everywhere(lambda: mx.rnn.BucketSentenceIter(sentences, 3, layout=layout))


class Plain(mx.io.DataIter):
    provide_data, provide_label = [mx.io.DataDesc("data", (1,))], []

    def next(self) -> Any:
        return mx.io.DataBatch([mx.nd.zeros((1,))], [])


def test_iterators_that_do_not_say() -> None:
    with pytest.raises(mx.MXNetError, match=r"\[Plain\].*no state_dict"):
        Plain(1).state_dict()
    with pytest.raises(mx.MXNetError, match=r"\[PrefetchingIter\] Plain has no state_dict"):
        mx.io.PrefetchingIter(Plain(1)).state_dict()
    with pytest.raises(mx.MXNetError, match=r"\[Plain\].*no state_dict"):
        mx.io.ResizeIter(Plain(1), 2).state_dict()


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"iterator": "CSVIter"}, "one of 'CSVIter'; expected 'NDArrayIter'"),
        ({"examples": 8}, "the state has examples 8; this iterator has 7"),
        ({"batch_size": 4}, "batch_size 4"),
        ({"cursor": "x"}, "cursor 'x'"),
        ({"epoch": -1}, "epoch -1"),
        ({"kept": [7]}, r"kept \[7\]; expected numbers from 0 to 6"),
        ({"order": "?"}, "order '.'"),
        ({"order": ""}, "order of the state is no order of 7"),
        ({"idx": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="}, "no order of 7 examples"),
    ],
)
def test_states_that_do_not_fit(change: dict[str, Any], match: str) -> None:
    it = mx.io.NDArrayIter(np.arange(7), None, 3, True)
    it.next()
    state = it.state_dict()
    then = content(it.next())
    with pytest.raises(mx.MXNetError, match=match):
        it.load_state_dict({**state, **change})
    it.load_state_dict(state)  # nothing was changed by what was refused
    assert content(it.next()) == then
    with pytest.raises(TypeError, match="state is list"):
        it.load_state_dict([])


def test_a_seed_gives_the_orders_of_all_passes() -> None:
    def passes(seed: int) -> list[Any]:
        it = mx.io.NDArrayIter(np.arange(50), None, 50, True, seed=seed)
        out = []
        for _ in range(3):
            out += [batch.data[0].asnumpy().astype(int).tolist() for batch in it]
            it.reset()
        return out

    first = passes(1)
    np.random.seed(0)  # noqa: NPY002  (which has no say)
    assert passes(1) == first and passes(2) != first
    assert len({tuple(order) for order in first}) == 3
    assert all(sorted(order) == list(range(50)) for order in first)


@pytest.mark.parametrize("seed", [-1, 2**64, "x"])
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises((mx.MXNetError, TypeError), match="seed is"):
        mx.io.NDArrayIter(np.arange(5), shuffle=True, seed=seed)
