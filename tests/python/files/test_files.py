"""Saving and loading: both formats, URIs, what happens when something goes wrong."""

from __future__ import annotations

import json
import os
import stat
import struct
import sys
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest
import safetensors
from safetensors import numpy as safetensors_numpy

import mixgrad as mx

DTYPES = ["float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool"]
FORMATS = ["params", "safetensors"]


def sample(dtype: str, shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 2, shape) if dtype == "bool" else rng.integers(0, 100, shape)
    return values.astype(dtype)


def all_dtypes() -> dict[str, np.ndarray]:
    shapes: list[tuple[int, ...]] = [(3,), (2, 3), (), (0, 4), (1, 1, 5), (7,), (2,), (3, 3)]
    return {f"w/{d} é": sample(d, s, i) for i, (d, s) in enumerate(zip(DTYPES, shapes))}


def as_arrays(values: dict[str, np.ndarray]) -> dict[str, mx.nd.NDArray]:
    return {name: mx.nd.array(value, dtype=value.dtype) for name, value in values.items()}


def same(found: dict[str, Any], wanted: dict[str, np.ndarray]) -> None:
    assert sorted(found) == sorted(wanted)
    for name, want in wanted.items():
        have = found[name].asnumpy() if isinstance(found[name], mx.nd.NDArray) else found[name]
        assert have.dtype == want.dtype and have.shape == want.shape, name
        np.testing.assert_array_equal(have, want)


@pytest.mark.parametrize("form", FORMATS)
def test_round_trip_keeps_order_dtypes_and_shapes(form: str, tmp_path: Path) -> None:
    values = all_dtypes()
    path = tmp_path / "weights"
    mx.nd.save(path, as_arrays(values), format=form)
    found = mx.nd.load(path)
    assert isinstance(found, dict) and list(found) == list(values)
    same(found, values)
    assert os.listdir(tmp_path) == ["weights"]


@pytest.mark.parametrize("form", FORMATS)
def test_bfloat16_bits_survive(form: str) -> None:
    x = mx.nd.array([1.5, -2.25, 1e30, float("inf")], dtype=mx.bfloat16)
    (name, y), *rest = mx.nd.load_frombuffer(mx.nd.save_tobuffer({"x": x}, format=form)).items()
    assert name == "x" and not rest and y.dtype is mx.bfloat16
    np.testing.assert_array_equal(x.asnumpy(), y.asnumpy())


def test_lists_have_no_names_and_a_single_array_is_a_list() -> None:
    buffer = mx.nd.save_tobuffer([mx.nd.ones((2,)), mx.nd.zeros((3,))])
    assert [a.shape for a in mx.nd.load_frombuffer(buffer)] == [(2,), (3,)]
    assert mx.nd.load_frombuffer(mx.nd.save_tobuffer(mx.nd.ones((2,))))[0].shape == (2,)
    assert mx.nd.load_frombuffer(mx.nd.save_tobuffer([])) == []


def test_views_and_pending_values_are_saved() -> None:
    x = mx.nd.array(np.arange(12).reshape(3, 4))
    y = x * 2
    loaded = mx.nd.load_frombuffer(mx.nd.save_tobuffer([x[1], y[1:], y]))
    np.testing.assert_array_equal(loaded[0].asnumpy(), [4, 5, 6, 7])
    np.testing.assert_array_equal(loaded[1].asnumpy(), np.arange(12).reshape(3, 4)[1:] * 2)


def test_loads_to_the_current_device() -> None:
    buffer = mx.nd.save_tobuffer([mx.nd.ones((2,), ctx=mx.cpu(3))])
    with mx.cpu(2):
        assert mx.nd.load_frombuffer(buffer)[0].context == mx.cpu(2)
    assert mx.nd.load_frombuffer(buffer)[0].context == mx.cpu(0)


# The reference implementation of safetensors.


def test_safetensors_package_reads_ours(tmp_path: Path) -> None:
    values = all_dtypes()
    path = tmp_path / "w.safetensors"
    mx.nd.save(path, as_arrays(values))
    same(safetensors_numpy.load_file(path), values)


def test_we_read_what_the_safetensors_package_writes(tmp_path: Path) -> None:
    values = all_dtypes()
    path = tmp_path / "any.name"
    safetensors_numpy.save_file(values, path, metadata={"format": "np", "who": "test"})
    found = mx.nd.load(path)
    assert isinstance(found, dict)
    same(found, values)


def test_bfloat16_with_the_safetensors_package() -> None:
    import ml_dtypes

    values = np.array([1.5, -3, 0.1]).astype(ml_dtypes.bfloat16)
    found = mx.nd.load_frombuffer(safetensors_numpy.save({"x": values}))["x"]
    assert found.dtype is mx.bfloat16
    np.testing.assert_array_equal(found.asnumpy(), values.astype(np.float32))
    ours = mx.nd.save_tobuffer({"x": found}, format="safetensors")
    assert ours.endswith(values.tobytes())


def test_tensors_are_aligned_to_their_elements() -> None:
    arrays = as_arrays(
        {"a": sample("int8", (3,)), "b": sample("float64", (2,)), "c": sample("float16", (1,))}
    )
    data = mx.nd.save_tobuffer(arrays, format="safetensors")
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    assert length % 8 == 0 and list(header) == ["a", "b", "c"]
    assert header["b"]["data_offsets"][0] % 8 == 0 and header["c"]["data_offsets"][0] % 2 == 0


def built(header: Any, data: bytes = b"", length: int = -1) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length < 0 else length) + text + data


def entry(dtype: str = "U8", shape: Any = (4,), offsets: Any = (0, 4), **more: Any) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets, **more}


def accepted_by_reference(data: bytes) -> bool:
    try:
        safetensors_numpy.load(data)
    except (safetensors.SafetensorError, KeyError):  # KeyError: a dtype that NumPy lacks
        return False
    return True


ODD_FILES: dict[str, tuple[bytes, bool]] = {
    "fine": (built({"a": entry()}, b"abcd"), True),
    "unsorted header": (built({"b": entry(offsets=(4, 8)), "a": entry()}, b"abcdefgh"), True),
    "nothing": (built({}), True),
    "metadata only": (built({"__metadata__": {"k": "v"}}), True),
    "padded header": (built(json.dumps({"a": entry()}).encode() + b"  ", b"abcd"), True),
    "extra member": (built({"a": entry(more=1)}, b"abcd"), True),
    "gap": (built({"a": entry(offsets=(1, 5))}, b"abcde"), False),
    "overlap": (built({"a": entry(), "b": entry(offsets=(2, 6))}, b"abcdef"), False),
    "same place": (built({"a": entry(), "b": entry()}, b"abcd"), False),
    "bytes left": (built({"a": entry()}, b"abcde"), False),
    "bytes missing": (built({"a": entry()}, b"abc"), False),
    "size differs": (built({"a": entry(offsets=(0, 3))}, b"abc"), False),
    "backwards": (built({"a": entry(offsets=(4, 0))}, b"abcd"), False),
    "negative extent": (built({"a": entry(shape=(-4,))}, b"abcd"), False),
    "negative offset": (built({"a": entry(offsets=(-4, 0))}, b"abcd"), False),
    "fraction": (built({"a": entry(shape=(4.0,))}, b"abcd"), False),
    "huge extents": (built({"a": entry(shape=(2**62, 2**62))}, b"abcd"), False),
    "extent over 64 bits": (built({"a": entry(shape=(2**64,))}, b"abcd"), False),
    "three offsets": (built({"a": entry(offsets=(0, 4, 4))}, b"abcd"), False),
    "no shape": (built({"a": {"dtype": "U8", "data_offsets": [0, 4]}}, b"abcd"), False),
    "no object": (built({"a": 3}), False),
    "an array": (built([1]), False),
    "unknown dtype": (built({"a": entry(dtype="Q7")}, b"abcd"), False),
    "metadata not text": (built({"__metadata__": {"k": 1}}), False),
    "long header": (built({"a": entry()}, b"abcd", length=1 << 40), False),
    "header over the end": (built({"a": entry()}, b"", length=500), False),
    "not UTF-8": (built(b'{"\xff":1}'), False),
    "not JSON": (built(b'{"a":}'), False),
    "deep": (built(b'{"a":' + b"[" * 10000), False),
}


@pytest.mark.parametrize("name", ODD_FILES)
def test_safetensors_that_the_reference_refuses_are_refused(name: str) -> None:
    data, fine = ODD_FILES[name]
    assert accepted_by_reference(data) == fine
    if fine:
        assert len(mx.nd.load_frombuffer(data)) == len(safetensors_numpy.load(data))
        return
    with pytest.raises((mx.base.FileFormatError, mx.base.UnsupportedError)) as caught:
        mx.nd.load_frombuffer(data)
    assert str(caught.value).startswith("[")


def test_unsupported_dtypes_are_named() -> None:
    data = built({"layer": entry(dtype="F8_E4M3")}, b"abcd")
    with pytest.raises(mx.base.UnsupportedError, match=r"'layer'.*'F8_E4M3'; known are F64"):
        mx.nd.load_frombuffer(data)


def test_safetensors_needs_names() -> None:
    with pytest.raises(ValueError, match="needs a name for every array"):
        mx.nd.save_tobuffer([mx.nd.ones((2,))], format="safetensors")
    with pytest.raises(ValueError, match="reserved"):
        mx.nd.save_tobuffer({"__metadata__": mx.nd.ones((2,))}, format="safetensors")


def test_bytes_of_booleans_become_0_and_1() -> None:
    found = mx.nd.load_frombuffer(built({"a": entry(dtype="BOOL")}, b"\x00\x01\x02\xff"))["a"]
    assert found.asnumpy().view(np.uint8).tolist() == [0, 1, 1, 1]


# What goes wrong outside.


def test_missing_empty_and_foreign_files(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="No such file"):
        mx.nd.load(tmp_path / "none.params")
    with pytest.raises(OSError, match="not a regular file"):
        mx.nd.load(tmp_path)
    for name, content in {"empty": b"", "short": b"abc", "text": b"hello, this is no file of arrays"}.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(mx.base.FileFormatError, match=name):
            mx.nd.load(tmp_path / name)
    with pytest.raises(mx.base.FileFormatError, match="empty"):
        mx.nd.load_frombuffer(b"")


def test_saving_what_is_no_array(tmp_path: Path) -> None:
    for data in ([1, 2], {"a": np.ones(2)}, 7, np.ones(2)):
        with pytest.raises(TypeError, match="NDArray"):
            mx.nd.save(tmp_path / "x", data)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="names must be text"):
        mx.nd.save(tmp_path / "x", {1: mx.nd.ones((1,))})  # type: ignore[dict-item]
    for name in ("zero\0byte", "lone \ud800"):
        with pytest.raises(ValueError, match="name"):
            mx.nd.save(tmp_path / "x", {name: mx.nd.ones((1,))})
    with pytest.raises(ValueError, match="format 'pickle'"):
        mx.nd.save(tmp_path / "x", [mx.nd.ones((1,))], format="pickle")
    assert os.listdir(tmp_path) == []


def test_failure_while_saving_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "weights.params"
    mx.nd.save(path, [mx.nd.ones((2,))])
    before = path.read_bytes()
    bad = mx.nd.take(mx.nd.ones((2,)), mx.nd.array([7.0]), mode="raise")
    with pytest.raises(mx.MXNetError, match="take"):
        mx.nd.save(path, [bad])
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["weights.params"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk() -> None:
    with pytest.raises(OSError, match="No space left"):
        mx.nd.save("/dev/full", [mx.nd.ones((100_000,))])
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


def test_full_quota_leaves_nothing(tmp_path: Path) -> None:
    import resource
    import signal

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        with pytest.raises(OSError, match="File too large"):
            mx.nd.save(tmp_path / "big.params", [mx.nd.ones((100_000,))])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert os.listdir(tmp_path) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="cannot create"):
        mx.nd.save(tmp_path / "no" / "folder.params", [mx.nd.ones((1,))])
    with pytest.raises(OSError, match="is a directory"):
        mx.nd.save(tmp_path, [mx.nd.ones((1,))])


def test_devices_are_written_and_not_replaced() -> None:
    mx.nd.save(os.devnull, [mx.nd.ones((2,))])
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    real, link = tmp_path / "real.params", tmp_path / "link.params"
    mx.nd.save(real, [mx.nd.ones((2,))])
    real.chmod(0o640)
    link.symlink_to(real)
    mx.nd.save(link, [mx.nd.ones((3,))])
    assert link.is_symlink() and stat.S_IMODE(real.stat().st_mode) == 0o640
    assert mx.nd.load(real)[0].shape == (3,)
    assert sorted(os.listdir(tmp_path)) == ["link.params", "real.params"]


def test_many_threads_saving_to_one_path_leave_one_whole_file(tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    path = tmp_path / "shared.params"

    def save(value: int) -> None:
        for _ in range(10):
            mx.nd.save(path, [mx.nd.full((1000,), value)])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(save, range(4)))
    assert len(set(mx.nd.load(path)[0].asnumpy())) == 1
    assert os.listdir(tmp_path) == ["shared.params"]


# URIs.


@pytest.fixture(params=["memory", "file"])
def uri(request: Any, tmp_path: Path) -> Callable[[str], str]:
    return lambda name: (
        f"memory://{tmp_path}/{name}" if request.param == "memory" else f"file://{tmp_path}/{name}"
    )


def files_beside(name: str) -> list[str]:
    import fsspec

    filesystem, path = fsspec.core.url_to_fs(name)
    folder = os.path.dirname(path)
    return sorted(os.path.basename(f) for f in filesystem.ls(folder, detail=False))


@pytest.mark.parametrize("ending", FORMATS)
def test_uris(uri: Callable[[str], str], ending: str) -> None:
    name = uri(f"weights.{ending}")
    for size in (2, 3):
        mx.nd.save(name, {"w": mx.nd.ones((size,))})
        assert mx.nd.load(name)["w"].shape == (size,)
        assert files_beside(name) == [f"weights.{ending}"]


def test_uri_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"memory://{tmp_path}/weights.params"
    with pytest.raises(mx.base.MissingFileError, match=r"weights\.params"):
        mx.nd.load(name)
    mx.nd.save(name, [mx.nd.ones((2,))])
    import fsspec

    filesystem, _ = fsspec.core.url_to_fs(name)

    def broken(*args: Any, **kwargs: Any) -> None:
        raise OSError("the connection broke")

    with monkeypatch.context() as patch:
        patch.setattr(type(filesystem), "mv", broken)
        with pytest.raises(OSError, match="connection broke"):
            mx.nd.save(name, [mx.nd.ones((3,))])
    assert mx.nd.load(name)[0].shape == (2,)
    assert files_beside(name) == ["weights.params"]


def test_uris_without_fsspec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(ImportError, match=r"\[save\].*install fsspec"):
        mx.nd.save("s3://bucket/x", [mx.nd.ones((1,))])
    with pytest.raises(ImportError, match=r"\[load\].*install fsspec"):
        mx.nd.load("s3://bucket/x")


def test_unknown_scheme() -> None:
    with pytest.raises(ValueError, match=r"^\[load\] cannot reach 'nonsense://x/y': .*nonsense"):
        mx.nd.load("nonsense://x/y")


def test_scheme_whose_package_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    import fsspec

    def missing(name: str) -> None:
        raise ImportError("Install s3fs to access S3")

    monkeypatch.setattr(fsspec.core, "url_to_fs", missing)
    with pytest.raises(ImportError, match=r"^\[load\] cannot reach 's3://bucket/x': Install s3fs"):
        mx.nd.load("s3://bucket/x")
