"""Small variants of every network, and parameters that follow from names alone."""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

Shapes = dict[str, tuple[int, ...]]

SHOWN = 300  # numbers of an output that are stored


def images(batch: int, size: int) -> Shapes:
    return {"data": (batch, 3, size, size)}


def _targets(size: int) -> Shapes:
    grams = {f"target_gram_relu{i}_1": (width, width) for i, width in enumerate((64, 128, 256, 512, 512), 1)}
    return {**images(1, size), **grams, "target_feature_relu4_2": (1, 512, size // 8, size // 8)}


_TEN = {"num_classes": 10}
_STILL = {"num_classes": 10, "dropout": 0.0}
_WORDS = {"num_layers": 2, "vocab_size": 40, "num_embed": 12, "num_hidden": 16, "dropout": 0.0}
_ENCODER = {"num_layers": 2, "vocab_size": 40, "units": 16, "hidden": 32, "num_heads": 4, "dropout": 0.0}

# Name in the catalogue, options, shapes of the data.
CASES: dict[str, tuple[dict[str, Any], Shapes]] = {
    "mlp": ({}, {"data": (8, 20)}),
    "lenet": ({}, {"data": (4, 1, 28, 28)}),
    "alexnet": (_STILL, images(2, 67)),
    "alexnet-groups": (_STILL, images(2, 67)),
    "googlenet": (_TEN, images(2, 64)),
    "inception-bn": (_TEN, images(4, 96)),
    "inception-v3": (_STILL, images(3, 107)),
    **{f"vgg-{n}": (_STILL, images(1, 32)) for n in (11, 13, 16, 19)},
    **{f"vgg-{n}-bn": (_STILL, images(3, 64)) for n in (11, 16)},
    **{f"resnet-{n}": (_TEN, images(4, 64)) for n in (18, 34, 50, 101, 152)},
    **{f"resnet-{n}-v2": (_TEN, images(5, 64)) for n in (18, 34, 50, 101, 152)},
    **{f"mobilenet-{m}": (_TEN, images(4, 64)) for m in ("1.0", "0.25")},
    "mobilenet-v2-1.0": (_TEN, images(4, 64)),
    **{f"squeezenet-{v}": (_STILL, images(2, 64)) for v in ("1.0", "1.1")},
    **{f"densenet-{n}": (_TEN, images(4, 64)) for n in (121, 161, 169, 201)},
    "lstm": ({"seq_len": 5, **_WORDS}, {"data": (4, 5), "softmax_label": (4, 5)}),
    "lstm-parallel": ({"seq_len": 3, **_WORDS}, {"data": (4, 3), "softmax_label": (4, 3)}),
    "transformer": (
        {**_ENCODER, "seq_len": 6, "valid_length": True},
        {"data": (3, 6), "valid_length": (3,)},
    ),
    "neural-style": ({"height": 32, "width": 32, "variation_weight": 0.1}, _targets(32)),
}


# Networks whose first numbers bring an activation so near to a kink that rounding decides, in one of the
# libraries, whether it passes its gradient on: they get other numbers.
SALTS: dict[str, int] = {
    "resnet-50": 1,
    "resnet-152": 1,
    "inception-bn": 2,
    "inception-v3": 16,
    "mobilenet-0.25": 1,
    "mobilenet-1.0": 1,
    "vgg-11-bn": 1,
    "vgg-16-bn": 2,
    "resnet-18": 1,
    "resnet-34": 4,
    "resnet-101": 1,
}


def value(name: str, shape: tuple[int, ...], salt: int = 0) -> np.ndarray:
    """The float32 array that an argument or state of that name and shape holds, in both libraries."""
    random = np.random.RandomState(zlib.crc32(f"{name}{salt or ''}".encode()))
    sample = random.random_sample(shape)
    if name in ("data", "softmax_label") and len(shape) < 3 and shape[-1] != 20:
        return np.floor(sample * 10).astype(np.float32)  # classes or words
    if name == "valid_length":
        return np.floor(1 + sample * 5).astype(np.float32)
    # Few activations lie near a kink, where rounding would decide: deep networks multiply such differences.
    if name.endswith("_gamma"):
        sample = 0.45 + 0.1 * sample
    elif name.endswith("_beta"):
        sample = 1.5 + 0.5 * sample
    elif name.endswith(("_moving_var", "_running_var")):
        sample = 0.5 + sample
    elif name.endswith("_weight"):
        fan_in = max(int(np.prod(shape[1:])), 1)
        sample = (2 * sample - 1) * np.sqrt(6.0 / fan_in) * (0.2 if name.startswith("fc") else 1.0)
    elif name.startswith("target_gram"):
        sample = sample * 1e-2
    elif name == "data":
        sample = 2 * sample - 1
    else:
        sample = 0.2 * sample - 0.1
    return sample.astype(np.float32)


def dtype(name: str) -> str:
    """What MXNet computes in: float64, but where its LRN or constants in the graph have only float32."""
    single = ("alexnet", "alexnet-groups", "lstm", "lstm-parallel", "transformer")
    return "float32" if name in single else "float64"


def fill(executor: Any, make: Any, salt: int) -> None:
    """Gives every argument and state its value; ``make`` turns a NumPy array into one of the library's."""
    for name, array in (*executor.arg_dict.items(), *executor.aux_dict.items()):
        array[:] = make(value(name, tuple(array.shape), salt).astype(array.dtype))


def predicted(name: str, executor: Any, make: Any) -> np.ndarray:
    """The first numbers of the output in prediction, by an executor of either library."""
    fill(executor, make, SALTS.get(name, 0))
    return executor.forward(is_train=False)[0].asnumpy().ravel()[:SHOWN].copy()


PROJECTIONS = 3


def fingerprint(name: str, gradient: np.ndarray) -> list[float]:
    """The norm of a gradient, and its sums with random signs.

    Two gradients that differ by a part of their norm differ in these by about that part.
    """
    random = np.random.RandomState(zlib.crc32(name.encode()))
    flat = gradient.ravel().astype(np.float64)
    signs = [random.randint(0, 2, flat.size).astype(np.int8) * 2 - 1 for _ in range(PROJECTIONS)]
    return [float(np.linalg.norm(flat)), *(float(flat @ s) for s in signs)]


def answer(name: str, executor: Any, make: Any) -> tuple[np.ndarray, dict[str, list[float]]]:
    """The first numbers of the output in training, and the fingerprint of every argument's gradient."""
    salt = SALTS.get(name, 0)
    fill(executor, make, salt)
    output = executor.forward(is_train=True)[0]
    shown = output.asnumpy().ravel()[:SHOWN].copy()
    executor.backward() if has_loss(name) else executor.backward(
        [make(value("head", output.shape, salt).astype(output.dtype))]
    )
    prints = {
        argument: fingerprint(argument, gradient.asnumpy())
        for argument, gradient in executor.grad_dict.items()
        if gradient is not None
    }
    return shown, prints


def wanted(name: str, arguments: list[str], shapes: Shapes) -> dict[str, str]:
    """Gradients asked for: of every parameter, and of images."""
    skipped = {key for key in shapes if key != "data" or len(shapes["data"]) < 4}
    return {a: "null" if a in skipped or a.endswith("label") else "write" for a in arguments}


def has_loss(name: str) -> bool:
    """Whether the network ends in a loss, so that its backward pass starts by itself."""
    return name != "transformer"
