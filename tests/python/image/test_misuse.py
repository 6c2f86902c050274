"""mx.image, given what makes no sense: errors that name the function and what arrived."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable

import pytest

import mixgrad as mx
from mixgrad import _decoders

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize("size", [0, None, "x", (1, 2, 3), (0, 4), (-1, 4), (NAN, 4), (INF, 4), ("a", "b")])
@pytest.mark.parametrize("name", ["random_crop", "center_crop", "fixed_crop", "random_size_crop"])
def test_sizes(name: str, size: Any) -> None:
    picture = mx.nd.zeros((8, 9, 3))
    arguments = {"fixed_crop": (0, 0, 2, 2, size), "random_size_crop": (size, 0.5, (0.5, 2))}
    if name == "fixed_crop" and size is None:
        return  # the window as it is
    with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[\w+\] size is"):
        getattr(mx.image, name)(picture, *arguments.get(name, (size,)))


@pytest.mark.parametrize(
    "call",
    [
        lambda picture: mx.image.resize_short(picture, "x"),
        lambda picture: mx.image.resize_short(picture, None),
        lambda picture: mx.image.resize_short(picture, NAN),
        lambda picture: mx.image.fixed_crop(picture, "0", 0, 2, 2),
        lambda picture: mx.image.fixed_crop(picture, 0, 0, INF, 2),
        lambda picture: mx.image.random_size_crop(picture, (2, 2), -1, (0.5, 2)),
        lambda picture: mx.image.random_size_crop(picture, (2, 2), NAN, (0.5, 2)),
        lambda picture: mx.image.random_size_crop(picture, (2, 2), 0.5, 1),
        lambda picture: mx.image.imrotate(picture, NAN),
        lambda picture: mx.image.random_rotate(picture, 5),
        lambda picture: mx.image.random_rotate(picture, None),
    ],
)
def test_numbers(call: Callable[[Any], Any]) -> None:
    with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[\w+\] .*expected"):
        call(mx.nd.zeros((8, 9, 3)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for i in range(5):
        (tmp_path / f"{i}.ppm").write_bytes(b"P6 6 5 255 " + bytes([i]) * 90)
    return tmp_path


def images(folder: Path, **options: Any) -> Any:
    named = {"imglist": [[i, f"{i}.ppm"] for i in range(5)], "path_root": folder}
    return mx.image.ImageIter(**{"batch_size": 2, "data_shape": (3, 4, 4), **named, **options})


@pytest.mark.parametrize(
    "options",
    [
        {"data_shape": 5},
        {"data_shape": (3, NAN, 4)},
        {"data_shape": (3, 0, 4)},
        {"label_width": "x"},
        {"label_width": 0},
        {"part_index": None},
        {"num_parts": 1.5},
        {"path_root": 5},
        {"aug_list": 5},
        {"aug_list": [5]},
        {"dtype": "x"},
        {"damaged": []},
        {"imglist": [["x", "0.ppm"]]},
        {"imglist": [[1, None]]},
        {"imglist": None, "path_imglist": 5},
    ],
)
def test_options_of_iterators(folder: Path, options: dict[str, Any]) -> None:
    with pytest.raises((mx.base.InvalidArgumentError, TypeError), match=r"^\[ImageIter\] .*expected"):
        images(folder, **options)


def test_a_key_that_a_list_has_twice(folder: Path) -> None:
    (folder / "a.lst").write_text("1\t0\t0.ppm\n1\t1\t1.ppm\n")
    with pytest.raises(mx.base.FileFormatError, match=r"line 2 .* has the key 1"):
        images(folder, imglist=None, path_imglist=folder / "a.lst")


def test_damaged_states(folder: Path) -> None:
    batches = images(folder, shuffle=True, last_batch_handle="roll_over", rand_mirror=True, brightness=0.1)
    list(batches)
    batches.reset()
    state = batches.state_dict()
    assert state["kept"] is not None
    expected = [batch.label[0].asnumpy().tolist() for batch in batches]
    wrong: list[Any] = [None, 5, {}, []]
    wrong += [{key: value for key, value in state.items() if key != gone} for gone in state]
    for key in ("cur", "seq", "kept", "skipped", "python", "numpy"):
        wrong += [{**state, key: value} for value in (-1, "x", [], {}, NAN, 2**70, [1, 2, 3])]
    wrong.append({**state, "kept": [*state["kept"][:2], 9]})
    wrong.append({**state, "kept": [[[1], "AAAAAA=="], *state["kept"][1:]]})
    for damaged in wrong:
        with pytest.raises(mx.base.InvalidArgumentError, match=r"^\[ImageIter\]"):
            batches.load_state_dict(damaged)
    batches.load_state_dict(state)
    assert [batch.label[0].asnumpy().tolist() for batch in batches] == expected


def test_packages_that_read_pictures_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_decoders, "_Image", None)
    monkeypatch.setattr(_decoders, "_simplejpeg", None)
    data, out = memoryview(b"x"), memoryview(bytearray(3))
    with pytest.raises(
        RuntimeError, match=r"JPEG needs one of libturbojpeg .*install simplejpeg.*install pillow"
    ):
        _decoders.decode(data, 1, 1, 1, 3, False, out)
    for form, channels in ((1, 4), (2, 3)):
        with pytest.raises(RuntimeError, match=r"reading it needs Pillow: pip install pillow"):
            _decoders.decode(data, form, 1, 1, channels, False, out)
