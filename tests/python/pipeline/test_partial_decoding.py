"""Crops whose pixels alone are decoded: equal to those of whole pictures, in every kind of JPEG file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mixgrad as mx
from mixgrad import _core

FILE = str(Path(__file__).resolve().parents[3] / "tests/data/pictures/samplings.rec")
FILES = 21
CASES: list[dict[str, Any]] = [
    {"data_shape": (3, 40, 30)},
    {"data_shape": (1, 40, 30)},
    {"data_shape": (3, 32, 32), "resize": 40},
    {"data_shape": (1, 32, 32), "resize": 40},
    {"data_shape": (3, 80, 90), "resize": 100},
    {"data_shape": (3, 32, 32), "resize": 40, "inter_method": 2},
    {"data_shape": (3, 32, 32), "resize": 37, "inter_method": 3},
    {"data_shape": (3, 32, 32), "resize": 40, "brightness": 0.3, "contrast": 0.2, "random_h": 20},
    {"data_shape": (3, 32, 32), "resize": 40, "max_rotate_angle": 20, "rand_mirror": True},
    {"data_shape": (3, 32, 32), "resize": 40, "pad": 4},
    {"data_shape": (3, 16, 16), "resize": 18, "scale_decoding": True},
    {"data_shape": (1, 16, 16), "resize": 18, "scale_decoding": True},
    {"data_shape": (3, 30, 30), "max_crop_size": 70, "min_crop_size": 20},
    {
        "data_shape": (3, 30, 30),
        "random_resized_crop": True,
        "min_random_area": 0.05,
        "min_aspect_ratio": 0.75,
        "max_aspect_ratio": 1.33,
    },
]


@pytest.fixture
def library() -> Iterator[None]:
    yield
    _core.image_load_jpeg("")


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(str(value) for value in case.values()))
def test_the_pixels_of_whole_pictures(case: dict[str, Any], library: None) -> None:
    found = []
    for path in ("libturbojpeg.so.0", ""):  # named by its path it decodes whole pictures
        try:
            _core.image_load_jpeg(path)
        except mx.base.NotFoundError:
            pytest.skip("no libturbojpeg.so.0")
        batches = mx.io.ImageRecordUInt8Iter(
            path_imgrec=FILE, batch_size=FILES, rand_crop=True, seed=5, **case
        )
        for _ in range(6):
            found.append(batches.next().data[0].asnumpy())
            batches.reset()
    for whole, parts in zip(found[:6], found[6:]):
        assert [i for i in range(FILES) if not np.array_equal(whole[i], parts[i])] == []
    assert not np.array_equal(found[0], found[1])  # crops are random
