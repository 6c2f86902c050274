"""Permuting axes into new memory."""

from __future__ import annotations

from typing import Any

from bench.arrays import setup_of, setups_of
from bench.case import Case, Goal
from bench.inputs import uniform

SIDE = 2048
IMAGES = (32, 64, 56, 56)
IMAGE_BYTES = 4 * 32 * 64 * 56 * 56


def _images() -> list[Any]:
    return [uniform(*IMAGES)]


def _channels_last(torch: Any, a: Any) -> Any:
    return a.contiguous(memory_format=torch.channels_last).permute(0, 2, 3, 1)


CASES = [
    Case(
        "transpose",
        "transpose of (2048, 2048)",
        setups_of(
            lambda: [uniform(SIDE, SIDE)],
            {"mx": lambda mx, a: mx.nd.transpose(a), "torch": lambda torch, a: a.t().contiguous()},
        ),
        reads=4 * SIDE * SIDE,
        writes=4 * SIDE * SIDE,
        goal=Goal(("torch", "torch_kept")),
    ),
    Case(
        "nchw_to_nhwc",
        "(32, 64, 56, 56) from NCHW to NHWC",
        {
            **setups_of(
                _images,
                {
                    "mx": lambda mx, a: mx.nd.transpose(a, axes=(0, 2, 3, 1)),
                    "torch": lambda torch, a: a.permute(0, 2, 3, 1).contiguous(),
                },
            ),
            "torch_channels_last": setup_of("torch", _images, _channels_last),
        },
        reads=IMAGE_BYTES,
        writes=IMAGE_BYTES,
        goal=Goal(("torch", "torch_kept", "torch_channels_last")),
    ),
]
