"""Batches over devices, clipping, downloads, and layers of contrib.nn."""

from __future__ import annotations

import hashlib
import io
import sys
import types
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import contrib, nn, utils

SPLITS = {
    "even": ((6, 2), 3, {}, [(2, 2)] * 3),
    "uneven": ((7, 2), 3, {"even_split": False}, [(3, 2), (2, 2), (2, 2)]),
    "other axis": ((2, 7), 2, {"batch_axis": 1, "even_split": False}, [(2, 4), (2, 3)]),
    "one": ((3, 1), 1, {}, [(3, 1)]),
}


@pytest.mark.parametrize("case", SPLITS)
def test_splits(case: str) -> None:
    shape, count, options, expected = SPLITS[case]
    x = mx.nd.arange(int(np.prod(shape))).reshape(shape)
    parts = utils.split_data(x, count, **options)
    assert [part.shape for part in parts] == expected
    joined = np.concatenate([part.asnumpy() for part in parts], options.get("batch_axis", 0))
    np.testing.assert_array_equal(joined, x.asnumpy())


def test_what_cannot_be_split() -> None:
    with pytest.raises(ValueError, match="cannot be evenly split into 2 slices"):
        utils.split_data(mx.nd.ones((3, 1)), 2)
    with pytest.raises(ValueError, match="too many slices: 4"):
        utils.split_data(mx.nd.ones((3, 1)), 4, even_split=False)


def test_parts_go_to_devices() -> None:
    parts = utils.split_and_load(np.ones((4, 2)), [mx.cpu(0), mx.cpu(1)])
    assert [(part.shape, part.context) for part in parts] == [((2, 2), mx.cpu(0)), ((2, 2), mx.cpu(1))]
    sparse = mx.nd.ones((2, 2)).tostype("csr")
    assert [part.stype for part in utils.split_and_load(sparse, [mx.cpu(0), mx.cpu(0)])] == ["csr"] * 2


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
def test_norms_are_clipped(stype: str) -> None:
    arrays = [mx.nd.ones((3, 3)).tostype(stype), mx.nd.ones((4, 4), ctx=mx.cpu(1)).tostype(stype)]
    assert utils.clip_global_norm(arrays, 1.0) == 5.0
    for array in arrays:
        np.testing.assert_allclose(array.asnumpy(), 0.2, rtol=1e-6)
    norm = utils.clip_global_norm(arrays, 2.0, check_isfinite=False)
    assert isinstance(norm, mx.nd.NDArray) and norm.shape == (1,)
    np.testing.assert_allclose(arrays[0].asnumpy(), 0.2, rtol=1e-6)  # a smaller norm stays
    with pytest.warns(UserWarning, match="the norm is nan"):
        utils.clip_global_norm([mx.nd.array([float("nan")])], 1.0)
    with pytest.raises(AssertionError, match="arrays is empty"):
        utils.clip_global_norm([], 1.0)


class Answer:
    """What a server says."""

    def __init__(self, status_code: int, content: bytes) -> None:
        self.status_code, self._content = status_code, io.BytesIO(content)

    def iter_content(self, chunk_size: int) -> Any:
        return iter(lambda: self._content.read(chunk_size), b"")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Answers of a server, last one first; the addresses that were asked for are in its place."""
    answers: list[Any] = []

    def get(url: str, **options: Any) -> Any:
        answer = answers.pop()
        if isinstance(answer, Exception):
            raise answer
        return Answer(*answer)

    monkeypatch.setitem(sys.modules, "requests", types.SimpleNamespace(get=get))  # type: ignore[arg-type]
    return answers


def test_downloads(server: list[Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    digest = hashlib.sha1(b"right").hexdigest()
    server[:] = [(200, b"right"), (200, b"wrong"), (404, b""), ConnectionError("no route")]
    file = utils.download("http://some.where/a.txt", str(tmp_path), sha1_hash=digest)
    assert Path(file).read_bytes() == b"right" and utils.check_sha1(file, digest) and not server
    assert capsys.readouterr().out.count("left") == 3
    assert utils.download("http://some.where/a.txt", str(tmp_path), sha1_hash=digest) == file  # is there
    server[:] = [(200, b"other")]
    utils.download("http://some.where/a.txt", file, overwrite=True)
    assert Path(file).read_bytes() == b"other" and list(tmp_path.iterdir()) == [Path(file)]
    server[:] = [(500, b"")] * 2
    with pytest.raises(RuntimeError, match="answers 500"):
        utils.download("http://some.where/b.txt", str(tmp_path), retries=1)
    server[:] = [(200, b"other")]
    with pytest.raises(UserWarning, match="another checksum"):
        utils.download("http://some.where/b.txt", str(tmp_path), retries=0, sha1_hash=digest)
    for call, message in (
        (lambda: utils.download("http://some.where/"), "does not end in a name"),
        (lambda: utils.download("http://some.where/c", retries=-1), "retries is -1"),
    ):
        with pytest.raises(AssertionError, match=message):
            call()
    server[:] = [(200, b"x")]
    with pytest.warns(UserWarning, match="^Unverified HTTPS request"):
        utils.download("https://some.where/d", str(tmp_path / "d"), verify_ssl=False)


def test_downloads_need_requests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "requests", None)
    with pytest.raises(mx.MXNetError, match="need the package requests"):
        utils.download("http://some.where/a", str(tmp_path / "a"), retries=0)


def test_files_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    utils.replace_file(str(tmp_path / "new"), str(tmp_path / "old"))
    assert [(one.name, one.read_text()) for one in tmp_path.iterdir()] == [("old", "new")]
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="cannot take the place"):
        utils.replace_file(str(tmp_path / "old"), str(tmp_path / "folder"))


@pytest.mark.parametrize("kind", [contrib.nn.Concurrent, contrib.nn.HybridConcurrent])
def test_blocks_side_by_side(kind: Any) -> None:
    net = kind(axis=1)
    net.add(contrib.nn.Identity(), nn.HybridLambda(lambda F, x: x * 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Concurrent of hybrid blocks
        for hybrid in (False, True):
            net.hybridize(hybrid)
            assert net(mx.nd.array([[1, 2]])).asnumpy().tolist() == [[1, 2, 2, 4]]


def test_normalisation_over_one_device() -> None:
    with pytest.warns(UserWarning, match="num_devices is not given"):
        layer = contrib.nn.SyncBatchNorm(in_channels=2)
    layer.initialize()
    with mx.autograd.record():
        y = layer(mx.nd.array([[1, 4], [3, 8]]))
    np.testing.assert_allclose(y.asnumpy(), [[-1, -1], [1, 1]], rtol=1e-4)


def test_channels_become_pixels() -> None:
    x = np.arange(2 * 24 * 2 * 3 * 4).reshape(2, 24, 2, 3, 4)
    got = contrib.nn.PixelShuffle3D((1, 2, 3))(mx.nd.array(x)).asnumpy()
    parts = x.reshape(2, 4, 1, 2, 3, 2, 3, 4).transpose(0, 1, 5, 2, 6, 3, 7, 4)
    np.testing.assert_array_equal(got, parts.reshape(2, 4, 2, 6, 12))
    with pytest.raises(AssertionError, match="factor is 0"):
        contrib.nn.PixelShuffle1D(0)
