"""Iterators over record files, used in ways that make no sense: errors that say so, never other batches."""

from __future__ import annotations

import copy
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx

SHAPE = (2, 3)
COUNT = 10


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Ten records of plain numbers."""
    path = tmp_path / "rows.rec"
    with mx.recordio.MXIndexedRecordIO(tmp_path / "rows.idx", path, "w") as record:
        for i in range(COUNT):
            header = mx.recordio.IRHeader(0, float(i), i, 0)
            record.write_idx(i, mx.recordio.pack(header, np.full(SHAPE, i, np.uint8).tobytes()))
    return path


def raw(path: Path, **options: Any) -> Any:
    return mx.io.RawRecordIter(path, **{"data_shape": SHAPE, "batch_size": 4, **options})


def labels(batches: Any) -> list[list[float]]:
    return [batch.label[0].asnumpy().tolist() for batch in batches]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "nonsense"}, r"\[RawRecordIter\] dtype is 'nonsense'"),
        ({"dtype": (1, 2, 3)}, r"\[RawRecordIter\] dtype is \(1, 2, 3\)"),
        ({"data_shape": 5}, r"\[RawRecordIter\] data_shape is 5"),
        ({"data_shape": "3x4"}, r"\[RawRecordIter\] data_shape is"),
        ({"data_shape": (float("nan"), 3)}, r"\[RawRecordIter\] data_shape is \(nan, 3\)"),
        ({"path_imgidx": np.arange(2)}, r"\[RawRecordIter: path_imgidx\] got ndarray"),
        ({"path_imglist": 0}, r"\[RawRecordIter: path_imglist\] got int"),
        ({"shuffle_chunk_seed": float("nan")}, r"\[RawRecordIter\] shuffle_chunk_seed is nan"),
        ({"remote": 5}, r"\[RawRecordIter\] remote is 5; expected RemoteOptions"),
        ({"batch_size": 2**30}, r"\[RawRecordIter\] .*batch_size"),
        ({"batch_size": 0}, r"\[RawRecordIter\] .*batch_size"),
    ],
)
def test_options(rows: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises((mx.base.MXNetError, TypeError), match=message):
        raw(rows, **options)


@pytest.mark.parametrize("name", ["mean_r", "scale", "std_g", "contrast", "max_random_illumination"])
def test_options_are_finite(rows: Path, name: str) -> None:
    with pytest.raises(mx.base.InvalidArgumentError, match=rf"\[ImageRecordIter\] {name}=inf"):
        mx.io.ImageRecordIter(rows, (3, 4, 4), 2, **{name: float("inf")})


def test_an_index_or_a_list_of_nothing(rows: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("\n")
    with pytest.raises(mx.base.FileFormatError, match="names no record"):
        raw(rows, path_imgidx=empty)
    with pytest.raises(mx.base.FileFormatError, match="has no labels"):
        raw(rows, path_imglist=empty)
    empty.write_text("-1\t0\tpicture.jpg\n")
    with pytest.raises(mx.base.FileFormatError, match="line 1"):
        raw(rows, path_imglist=empty)


def test_several_threads_share_an_iterator(rows: Path) -> None:
    batches = raw(rows, prefetch_buffer=2)
    seen: list[float] = []
    errors: list[BaseException] = []

    def take() -> None:
        try:
            for number in range(40):
                try:
                    seen.extend(batches.next().label[0].asnumpy().tolist())
                except StopIteration:
                    batches.reset()
                batches.state_dict()
                assert batches.skipped == 0, number
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert set(seen) == set(range(COUNT))


@pytest.mark.parametrize("do", [copy.copy, copy.deepcopy, pickle.dumps])
def test_no_copies(rows: Path, do: Any) -> None:
    with pytest.raises(TypeError, match=r"\[RawRecordIter\] .*state_dict"):
        do(raw(rows))


def changed(state: dict[str, Any], **place: Any) -> dict[str, Any]:
    return {**state, "place": {**state["place"], **place}}


@pytest.mark.parametrize("order", [{}, {"path_imgidx": "rows.idx"}, {"shuffle": True}])
def test_damaged_states(rows: Path, order: dict[str, Any]) -> None:
    options = {name: rows.parent / value if name == "path_imgidx" else value for name, value in order.items()}
    batches = raw(rows, **options)
    batches.next()
    state = batches.state_dict()
    expected = labels(batches)
    batches.load_state_dict(state)
    assert labels(batches) == expected
    wrong: list[Any] = [{}, {**state, "place": None}, {**state, "place": {"epoch": 0}}]
    wrong += [{name: value for name, value in state.items() if name != left_out} for left_out in state]
    wrong += [changed(state, **{name: bad}) for name in state["place"] for bad in (-1, None, "1", 1.5, 2**64)]
    wrong += [changed(state, chunk=1 << 40), changed(state, inside=1 << 40), changed(state, epoch=5)]
    if "path_imgidx" in options:
        wrong += [changed(state, sample=COUNT + 1), changed(state, offset=8)]
    elif "shuffle" not in options:
        wrong += [changed(state, offset=1 << 40)]
    for state in wrong:
        with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[(RawRecordIter|mg_batches_set_place)\]"):
            batches.load_state_dict(state)
    for nothing in (None, 5, "state"):
        with pytest.raises(TypeError, match=r"\[RawRecordIter\] load_state_dict got"):
            batches.load_state_dict(nothing)
    batches.reset()
    assert batches.next() is not None
