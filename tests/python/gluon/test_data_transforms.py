"""Transforms of pictures: sizes, dtypes, chance, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad.gluon import data
from mixgrad.gluon.data.vision import transforms as T

SHAPES: dict[str, tuple[Any, tuple[int, ...], str]] = {
    "cast": (lambda: T.Cast("float16"), (10, 8, 3), "float16"),
    "to tensor": (T.ToTensor, (3, 10, 8), "float32"),
    "resize": (lambda: T.Resize((5, 6)), (6, 5, 3), "uint8"),
    "resize, ratio kept": (lambda: T.Resize(4, keep_ratio=True), (5, 4, 3), "uint8"),
    "center crop": (lambda: T.CenterCrop(5), (5, 5, 3), "uint8"),
    "center crop of a small picture": (lambda: T.CenterCrop((20, 12)), (12, 20, 3), "uint8"),
    "crop": (lambda: T.CropResize(1, 2, 4, 5), (5, 4, 3), "uint8"),
    "crop and resize": (lambda: T.CropResize(1, 2, 4, 5, (7, 6)), (6, 7, 3), "uint8"),
    "random resized crop": (lambda: T.RandomResizedCrop((6, 5)), (5, 6, 3), "uint8"),
    "random crop": (lambda: T.RandomCrop(8, pad=(2, 2, 1, 1)), (8, 8, 3), "uint8"),
    "left and right": (T.RandomFlipLeftRight, (10, 8, 3), "uint8"),
    "top and bottom": (T.RandomFlipTopBottom, (10, 8, 3), "uint8"),
    "brightness": (lambda: T.RandomBrightness(0.3), (10, 8, 3), "uint8"),
    "contrast": (lambda: T.RandomContrast(0.3), (10, 8, 3), "uint8"),
    "saturation": (lambda: T.RandomSaturation(0.3), (10, 8, 3), "uint8"),
    "hue": (lambda: T.RandomHue(0.3), (10, 8, 3), "uint8"),
    "jitter": (lambda: T.RandomColorJitter(0.1, 0.1, 0.1, 0.1), (10, 8, 3), "uint8"),
    "lighting": (lambda: T.RandomLighting(0.1), (10, 8, 3), "uint8"),
    "grey": (lambda: T.RandomGray(1), (10, 8, 3), "uint8"),
}


def picture() -> Any:
    return mx.nd.random.uniform(0, 255, shape=(10, 8, 3)).astype("uint8")


@pytest.mark.parametrize("case", SHAPES)
def test_shapes_and_dtypes(case: str) -> None:
    make, shape, dtype = SHAPES[case]
    out = make()(picture())
    assert out.shape == shape and np.dtype(out.dtype) == dtype


def test_numbers() -> None:
    x = picture()
    tensor = T.ToTensor()(x)
    np.testing.assert_allclose(tensor.asnumpy(), x.asnumpy().transpose(2, 0, 1) / 255, rtol=1e-6)
    normal = T.Normalize((0.1, 0.2, 0.3), (1, 2, 4))(tensor).asnumpy()
    expected = (tensor.asnumpy() - np.array([0.1, 0.2, 0.3]).reshape(3, 1, 1)) / np.array([1, 2, 4]).reshape(
        3, 1, 1
    )
    np.testing.assert_allclose(normal, expected, rtol=1e-5, atol=1e-6)
    assert (T.CropResize(1, 2, 4, 5)(x).asnumpy() == x.asnumpy()[2:7, 1:5]).all()
    assert (T.CenterCrop((4, 6))(x).asnumpy() == x.asnumpy()[2:8, 2:6]).all()
    grey = T.RandomGray(1)(x).asnumpy()
    expected = (x.asnumpy() @ np.array([0.299, 0.587, 0.114])).astype(int)
    assert (grey[..., 0] == grey[..., 2]).all() and np.abs(grey[..., 1].astype(int) - expected).max() <= 1
    assert (T.RandomGray(0)(x).asnumpy() == x.asnumpy()).all()


def test_pictures_come_in_batches() -> None:
    batch = mx.nd.stack(*[picture() for _ in range(4)])
    assert T.Resize((5, 6))(batch).shape == (4, 6, 5, 3)
    tensors = T.ToTensor()(batch)
    assert tensors.shape == (4, 3, 10, 8)
    for i in range(4):
        assert (tensors[i].asnumpy() == T.ToTensor()(batch[i]).asnumpy()).all()


def test_turns() -> None:
    x = T.ToTensor()(picture())
    np.testing.assert_allclose(T.Rotate(0)(x).asnumpy(), x.asnumpy(), atol=1e-5)
    turned = T.Rotate(180)(mx.nd.array(np.arange(9).reshape(1, 3, 3)))
    np.testing.assert_allclose(turned.asnumpy()[0], np.arange(9).reshape(3, 3)[::-1, ::-1], atol=1e-4)
    assert T.RandomRotation((-10, 10))(x).shape == x.shape
    assert (T.RandomRotation((-10, 10), rotate_with_proba=0)(x).asnumpy() == x.asnumpy()).all()
    for refused in (
        lambda: T.RandomRotation((10, -10)),
        lambda: T.RandomRotation((-10, 10), rotate_with_proba=2),
        lambda: T.Rotate(10, zoom_in=True, zoom_out=True)(x),
    ):
        with pytest.raises(ValueError):
            refused()
    with pytest.raises(TypeError, match="float32"):
        T.Rotate(10)(picture())


@pytest.mark.parametrize("kind", [T.RandomApply, T.HybridRandomApply])
def test_by_chance(kind: Any) -> None:
    x = picture()
    changes = kind([T.RandomBrightness(0.5)], p=0.3)
    changed = np.mean([(changes(x).asnumpy() != x.asnumpy()).any() for _ in range(200)])
    assert 0.2 < changed < 0.4
    with pytest.raises(ValueError, match="p is 2"):
        kind(T.ToTensor(), p=2)


@pytest.mark.parametrize("kind", [T.RandomFlipLeftRight, T.RandomFlipTopBottom])
def test_mirrors_by_chance(kind: Any) -> None:
    x = picture()
    axis = 1 if kind is T.RandomFlipLeftRight else 0
    mirrored = []
    for _ in range(60):
        out = kind()(x).asnumpy()
        mirrored.append((out == np.flip(x.asnumpy(), axis)).all())
        assert mirrored[-1] or (out == x.asnumpy()).all()
    assert 15 < sum(mirrored) < 45


def test_compositions() -> None:
    steps = [
        T.Resize(30, keep_ratio=True),
        T.CenterCrop(26),
        T.RandomResizedCrop(22),
        T.RandomFlipLeftRight(),
        T.RandomColorJitter(0.1, 0.1, 0.1, 0.1),
        T.RandomLighting(0.1),
        T.ToTensor(),
        T.RandomRotation((-10, 10)),
        T.Normalize(0.5, 0.25),
    ]
    out = T.Compose(steps)(mx.nd.ones((24, 48, 3), dtype="uint8"))
    assert out.shape == (3, 22, 22) and out.dtype == np.float32
    plain = T.Compose([T.Resize(12), T.ToTensor(), T.Normalize(0.5, 0.25)])
    graph = T.HybridCompose([T.Resize(12), T.ToTensor(), T.Normalize(0.5, 0.25)])
    x = picture()
    np.testing.assert_allclose(graph(x).asnumpy(), plain(x).asnumpy(), rtol=1e-6)
    with pytest.raises(ValueError, match="CenterCrop is no HybridBlock"):
        T.HybridCompose([T.CenterCrop(3)])


def test_transforms_in_workers() -> None:
    pictures = data.SimpleDataset([(picture(), i) for i in range(6)])
    steps = T.Compose([T.RandomResizedCrop(5), T.RandomFlipLeftRight(), T.ToTensor()])

    def batches(workers: int) -> np.ndarray:
        mx.random.seed(2)
        loader = data.DataLoader(pictures.transform_first(steps), 3, num_workers=workers)
        return np.concatenate([x.asnumpy() for x, _ in loader])

    assert (batches(1) == batches(2)).all()
