"""Positions at random places of random data: after load_state_dict the next batches are the very next ones."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import content

import mixgrad as mx

Make = Callable[[], Any]


def csv(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    np.savetxt(folder / "rows.csv", np.arange(rows * 2).reshape(rows, 2), "%d", ",")
    np.savetxt(folder / "labels.csv", np.arange(rows), "%d", ",")
    labels = {"label_csv": folder / "labels.csv"} if draw(st.booleans()) else {}
    options = {"data_shape": (2,), "batch_size": batch, "round_batch": draw(st.booleans())}
    return lambda: mx.io.CSVIter(data_csv=folder / "rows.csv", **labels, **options)


def libsvm(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    text = "".join(f"{i} {i % 5}:{i + 1}\n" for i in range(rows))
    (folder / "rows.t").write_text(text)
    options: dict[str, Any] = {"data_shape": (5,), "batch_size": batch}
    return lambda: mx.io.LibSVMIter(data_libsvm=folder / "rows.t", **options)


def mnist(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    size = rows.to_bytes(4, "big")
    pixels = bytes(i % 256 for i in range(rows * 2))
    (folder / "images").write_bytes(bytes([0, 0, 8, 3]) + size + bytes([0, 0, 0, 1, 0, 0, 0, 2]) + pixels)
    (folder / "labels").write_bytes(bytes([0, 0, 8, 1]) + size + bytes(i % 256 for i in range(rows)))
    options = {"shuffle": draw(st.booleans()), "seed": draw(st.integers(0, 9)), "flat": draw(st.booleans())}
    return lambda: mx.io.MNISTIter(
        image=folder / "images", label=folder / "labels", batch_size=min(batch, rows), **options
    )


def read_ahead(draw: Any) -> dict[str, Any]:
    return {
        "shuffle": draw(st.booleans()),
        "seed": draw(st.integers(0, 9)),
        "last_batch_handle": draw(st.sampled_from(["pad", "discard", "roll_over"])),
    }


def tokens(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    with mx.io.TokenWriter(folder / "tokens") as writer:
        for i in range(rows):
            writer.append(range(i, i + draw(st.integers(0, 9))))
        writer.append(range(20))
    options = {"by": draw(st.sampled_from(["position", "document"])), **read_ahead(draw)}
    return lambda: mx.io.TokenIter(folder / "tokens", batch, 3, **options)


def hdf5(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    h5py = pytest.importorskip("h5py")
    with h5py.File(folder / "rows.h5", "w") as file:
        file["x"], file["y"] = np.arange(rows * 2).reshape(rows, 2), np.arange(rows)
    options = {"block_rows": draw(st.integers(1, 9)), "prefetch": draw(st.integers(0, 2)), **read_ahead(draw)}
    return lambda: mx.io.HDF5Iter(folder / "rows.h5", "x", "y", batch, **options)


def parquet(folder: Path, draw: Any, rows: int, batch: int) -> Make:
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = pyarrow.table({"x": [[i / 2, i] for i in range(rows)], "y": list(range(rows))})
    parquet.write_table(table, folder / "rows.parquet", row_group_size=draw(st.integers(1, 9)))
    options = {"prefetch": draw(st.integers(0, 2)), **read_ahead(draw)}
    return lambda: mx.io.ParquetIter(folder / "rows.parquet", "x", "y", batch, **options)


KINDS = [csv, libsvm, mnist, tokens, hdf5, parquet]


def take(it: Any) -> Any:
    """The next batch; at the end of a pass None, and the next pass begins."""
    try:
        return content(it.next())
    except StopIteration:
        it.reset()
        return None


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_any_place(kind: Any, data: Any) -> None:
    rows, batch = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 12))
    with tempfile.TemporaryDirectory() as folder:
        make = kind(Path(folder), data.draw, rows, batch)
        it = make()
        for _ in range(data.draw(st.integers(0, 40))):
            take(it)
        state = json.loads(json.dumps(it.state_dict()))
        other = make()
        for _ in range(data.draw(st.integers(0, 5))):
            take(other)  # wherever it stood before
        other.load_state_dict(state)
        assert other.state_dict() == state
        assert [take(other) for _ in range(20)] == [take(it) for _ in range(20)]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_states_outside_of_the_data(kind: Any, data: Any) -> None:
    """Each number of a state, below what it may be, far above, and no whole number: an error, and nothing changes."""
    rows, batch = data.draw(st.integers(2, 30)), data.draw(st.integers(1, 5))
    with tempfile.TemporaryDirectory() as folder:
        it = kind(Path(folder), data.draw, rows, batch)()
        for _ in range(data.draw(st.integers(0, 12))):
            take(it)
        state = it.state_dict()
        numbers = [key for key, value in state.items() if isinstance(value, int)]
        assert numbers
        for key in numbers:
            for wrong in (-9, 2**63, "1", 1.5, None):
                with pytest.raises(mx.MXNetError, match=rf"\[{state['iterator']}\].*{key}"):
                    it.load_state_dict({**state, key: wrong})
            without = {other: value for other, value in state.items() if other != key}
            with pytest.raises(mx.MXNetError, match=rf"\[{state['iterator']}\].*{key}"):
                it.load_state_dict(without)
        assert it.state_dict() == state
