"""Files that MXNet wrote, or that MXNet reads, in every layout of the .params format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import mixgrad as mx

FOLDER = Path(__file__).resolve().parents[2] / "data" / "params"
FILES = sorted(FOLDER.glob("*.params"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reads(path: Path) -> None:
    with np.load(path.with_suffix(".npz")) as sidecar:
        names = [str(name) for name in sidecar["names"]]
        expected = [sidecar[str(i)] for i in range(len(sidecar.files) - 1)]
    found = mx.nd.load(str(path))
    assert isinstance(found, dict) == bool(names)
    if names:
        assert list(found) == names
    arrays = list(found.values()) if names else list(found)
    assert len(arrays) == len(expected)
    for array, want in zip(arrays, expected):
        have = array.asnumpy()
        if path.stem == "hand_bfloat16":
            have = (
                have.view("uint16")
                if have.dtype.itemsize == 2
                else have.view("uint32").astype("uint64") >> 16
            )
            assert list(have) == list(want)
        else:
            assert have.dtype == want.dtype
            np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_refuses_every_truncation(path: Path, tmp_path: Path) -> None:
    whole = path.read_bytes()
    cut = tmp_path / "cut.params"
    for size in range(len(whole)):
        cut.write_bytes(whole[:size])
        with pytest.raises(mx.MXNetError):
            mx.nd.load(str(cut))


@pytest.mark.parametrize(
    "name", ["mxnet_list", "mxnet_dict", "mxnet_dtypes", "mxnet_unicode", "mxnet_empty_list"]
)
def test_writes_the_same_bytes(name: str, tmp_path: Path) -> None:
    path = FOLDER / f"{name}.params"
    again = tmp_path / "again.params"
    mx.nd.save(str(again), mx.nd.load(str(path)))
    assert again.read_bytes() == path.read_bytes()
