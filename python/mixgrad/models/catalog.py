"""All networks by name, with what they cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..symbol import Symbol
from .alexnet import alexnet
from .densenet import densenet
from .googlenet import googlenet
from .inception_bn import inception_bn
from .inception_v3 import inception_v3
from .lenet import lenet
from .lstm import lstm_language_model
from .mlp import mlp
from .mobilenet import mobilenet, mobilenet_v2
from .neural_style import neural_style
from .resnet import resnet
from .squeezenet import squeezenet
from .transformer import transformer_encoder
from .vgg import vgg

__all__ = ["CATALOG", "Entry", "get_symbol"]


@dataclass(frozen=True)
class Entry:
    """A network as published.

    Attributes
    ----------
    build : callable
        Makes the symbol.
    options : dict
        Keywords of ``build`` that give the published network.
    shapes : dict of str to tuple of int
        Shapes of its data, for a batch of one.
    parameters, multiply_adds : int
        Trained numbers; multiply-adds of one forward pass over ``shapes``.
    """

    build: Callable[..., Symbol]
    options: dict[str, Any]
    parameters: int
    multiply_adds: int
    shapes: dict[str, tuple[int, ...]] = field(default_factory=lambda: {"data": (1, 3, 224, 224)})

    def symbol(self, **options: Any) -> Symbol:
        """The network; keywords go over those of the entry."""
        return self.build(**{**self.options, **options})


def _language_model(seq_len: int = 35, **options: Any) -> Symbol:
    return lstm_language_model(**options)(seq_len)[0]


def _entries() -> dict[str, Entry]:
    found = {
        "mlp": Entry(mlp, {}, 109_386, 109_184, {"data": (1, 784)}),
        "lenet": Entry(lenet, {}, 431_080, 2_293_000, {"data": (1, 1, 28, 28)}),
        "alexnet": Entry(alexnet, {}, 62_378_344, 1_135_256_096, {"data": (1, 3, 227, 227)}),
        "alexnet-groups": Entry(alexnet, {"groups": 2}, 60_965_224, 724_406_816, {"data": (1, 3, 227, 227)}),
        "googlenet": Entry(googlenet, {}, 6_998_552, 1_582_671_872),
        "inception-bn": Entry(inception_bn, {}, 11_295_240, 2_032_600_064),
        "inception-v3": Entry(inception_v3, {}, 23_834_568, 5_713_216_096, {"data": (1, 3, 299, 299)}),
    }
    for layers, plain, normalised, work in (
        (11, 132_863_336, 132_868_840, 7_609_090_048),
        (13, 133_047_848, 133_053_736, 11_308_466_176),
        (16, 138_357_544, 138_365_992, 15_470_264_320),
        (19, 143_667_240, 143_678_248, 19_632_062_464),
    ):
        found[f"vgg-{layers}"] = Entry(vgg, {"num_layers": layers}, plain, work)
        found[f"vgg-{layers}-bn"] = Entry(vgg, {"num_layers": layers, "batch_norm": True}, normalised, work)
    for layers, v1, work1, v2, work2 in (
        (18, 11_689_512, 1_814_073_344, 11_687_854, 1_814_073_344),
        (34, 21_797_672, 3_663_761_408, 21_796_014, 3_663_761_408),
        (50, 25_557_032, 3_857_973_248, 25_549_486, 4_089_184_256),
        (101, 44_549_160, 7_570_194_432, 44_541_614, 7_801_405_440),
        (152, 60_192_808, 11_282_415_616, 60_185_262, 11_513_626_624),
    ):
        found[f"resnet-{layers}"] = Entry(resnet, {"num_layers": layers}, v1, work1)
        found[f"resnet-{layers}-v2"] = Entry(resnet, {"num_layers": layers, "version": 2}, v2, work2)
    for multiplier, count, work in (
        (1.0, 4_231_976, 568_740_352),
        (0.75, 2_585_560, 325_400_448),
        (0.5, 1_331_592, 149_497_088),
        (0.25, 470_072, 41_030_272),
    ):
        found[f"mobilenet-{multiplier}"] = Entry(mobilenet, {"multiplier": multiplier}, count, work)
    for multiplier, count, work in ((1.0, 3_504_872, 300_774_272), (1.4, 6_108_776, 582_195_824)):
        found[f"mobilenet-v2-{multiplier}"] = Entry(mobilenet_v2, {"multiplier": multiplier}, count, work)
    for version, count, work in (("1.0", 1_248_424, 818_924_576), ("1.1", 1_235_496, 349_151_936)):
        found[f"squeezenet-{version}"] = Entry(squeezenet, {"version": version}, count, work)
    for layers, count, work in (
        (121, 7_978_856, 2_834_161_664),
        (161, 28_681_000, 7_727_907_072),
        (169, 14_149_480, 3_359_843_328),
        (201, 20_013_928, 4_291_365_888),
    ):
        found[f"densenet-{layers}"] = Entry(densenet, {"num_layers": layers}, count, work)
    words: dict[str, tuple[int, ...]] = {"data": (1, 35), "softmax_label": (1, 35)}
    found["lstm"] = Entry(_language_model, {}, 19_780_400, 35 * 13_260_000, words)
    found["lstm-parallel"] = Entry(_language_model, {"num_groups": 2}, 19_780_400, 35 * 13_260_000, words)
    found["transformer"] = Entry(
        transformer_encoder, {"seq_len": 128}, 34_274_304, 2_516_582_400, {"data": (1, 128)}
    )
    targets = [(64, 1), (128, 2), (256, 3), (512, 4), (512, 5)]
    found["neural-style"] = Entry(
        neural_style,
        {"height": 224, "width": 224},
        12_944_960,
        18_994_626_560,
        {
            "data": (1, 3, 224, 224),
            **{f"target_gram_relu{i}_1": (channels, channels) for channels, i in targets},
            "target_feature_relu4_2": (1, 512, 28, 28),
        },
    )
    return found


CATALOG: dict[str, Entry] = _entries()


def get_symbol(network: str, **options: Any) -> Symbol:
    """A network by its name in :data:`CATALOG`.

    Parameters
    ----------
    network : str
        Such as ``'resnet-50'``, ``'vgg-16-bn'`` or ``'mobilenet-v2-1.0'``.
    **options
        What the network's function takes, such as ``num_classes``.

    Examples
    --------
    >>> import mixgrad as mx
    >>> net = mx.models.get_symbol("resnet-18", num_classes=10)
    >>> net.infer_shape(data=(1, 3, 64, 64))[1]
    [(1, 10)]
    """
    if network not in CATALOG:
        from difflib import get_close_matches

        near = get_close_matches(network, CATALOG, 3) or sorted(CATALOG)
        raise ValueError(f"[get_symbol] no network is called {network!r}; nearest: {', '.join(near)}")
    return CATALOG[network].symbol(**options)
