"""The modules of operators on pictures, mx.nd.image and mx.sym.image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mixgrad as mx

NAMES = """
adjust_lighting crop flip_left_right flip_top_bottom normalize random_brightness random_color_jitter
random_contrast random_flip_left_right random_flip_top_bottom random_hue random_lighting random_saturation
resize to_tensor
""".split()  # noqa: SIM905 - a list this long reads better as text


@pytest.mark.parametrize("module", [mx.nd.image, mx.sym.image], ids=["nd", "sym"])
def test_names_are_those_of_mxnet(module: Any) -> None:
    assert [name for name in dir(module) if not name.startswith("_")] == NAMES
    with pytest.raises(AttributeError, match="convolution"):
        module.convolution  # noqa: B018


def test_a_chain_of_transforms() -> None:
    picture = np.random.RandomState(0).randint(0, 256, (9, 7, 3)).astype("uint8")
    x = mx.nd.image.resize(mx.nd.array(picture, dtype="uint8"), (4, 6))
    x = mx.nd.image.normalize(mx.nd.image.to_tensor(x), mean=(0.5, 0.4, 0.3), std=(0.2, 0.2, 0.2))
    data = mx.sym.var("data")
    y = mx.sym.image.to_tensor(mx.sym.image.resize(data, size=(4, 6)))
    y = mx.sym.image.normalize(y, mean=(0.5, 0.4, 0.3), std=(0.2, 0.2, 0.2))
    run = y.bind(mx.cpu(), {"data": mx.nd.array(picture, dtype="uint8")}, grad_req="null")
    assert x.shape == (3, 6, 4)
    np.testing.assert_array_equal(run.forward()[0].asnumpy(), x.asnumpy())


def test_random_pictures_follow_the_seed() -> None:
    picture = mx.nd.random.uniform(0, 255, (5, 4, 3))

    def drawn() -> list[Any]:
        mx.random.seed(7)
        jitter = {"brightness": 0.3, "contrast": 0.3, "saturation": 0.3, "hue": 0.3}
        first = mx.nd.image.random_color_jitter(picture, **jitter)
        second = mx.nd.image.random_color_jitter(picture, **jitter)
        flips = [mx.nd.image.random_flip_top_bottom(picture) for _ in range(20)]
        return [a.asnumpy() for a in (first, second, *flips)]

    once, again = drawn(), drawn()
    for a, b in zip(once, again):
        np.testing.assert_array_equal(a, b)
    assert (once[0] != once[1]).any()
    flipped = [bool((a != picture.asnumpy()).any()) for a in once[2:]]
    assert any(flipped)
    assert not all(flipped)


def test_gradient_of_a_random_flip() -> None:
    picture = mx.nd.random.uniform(0, 255, (2, 3, 1))
    picture.attach_grad()
    head = mx.nd.array(np.arange(6).reshape(2, 3, 1))
    for _ in range(8):
        with mx.autograd.record():
            y = mx.nd.image.random_flip_left_right(picture)
        y.backward(head)
        flipped = bool((y.asnumpy() != picture.asnumpy()).any())
        want = head.asnumpy()[:, ::-1] if flipped else head.asnumpy()
        np.testing.assert_array_equal(picture.grad.asnumpy(), want)
